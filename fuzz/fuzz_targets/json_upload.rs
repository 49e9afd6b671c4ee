//! The JSON reader of uploads: the sizes of the chunks change nothing, and what it accepts an
//! ordinary reader of JSON accepts too, with the same content.
#![no_main]

use std::collections::BTreeMap;
use std::convert::Infallible;

use libfuzzer_sys::fuzz_target;
use purser_formats::json_upload::{
    CONTENT_FIELD, Content, Fields, JsonUpload, Scalar, UploadError,
};
use serde_json::value::RawValue;

type Outcome = Result<(Fields, Vec<u8>), UploadError<Infallible>>;

fuzz_target!(|input: (u8, &[u8])| {
    let (size, body) = input;
    let whole = read(body, body.len().max(1));
    let pieces = read(body, usize::from(size) + 1);
    assert_eq!(whole, pieces, "in chunks of {}", usize::from(size) + 1);
    let Ok((fields, content)) = whole else { return };

    let oracle: BTreeMap<String, Box<RawValue>> =
        serde_json::from_slice(body).expect("a body that was accepted is JSON");
    let sent = oracle.get(CONTENT_FIELD).map(|raw| serde_json::from_str::<String>(raw.get()));
    match fields.content {
        Content::Text(length) => {
            assert_eq!(length, content.len() as u64);
            assert_eq!(sent.expect("the field").expect("a string").as_bytes(), content);
        }
        Content::Missing | Content::NotText => assert!(content.is_empty()),
    }
    for (name, value) in &fields.values {
        let raw = oracle.get(name).expect("a field that is there").get();
        match value {
            Scalar::Text(text) => {
                assert_eq!(serde_json::from_str::<String>(raw).ok().as_ref(), Some(text));
            }
            Scalar::Bool(value) => assert_eq!(raw, value.to_string()),
            Scalar::Null => assert_eq!(raw, "null"),
            Scalar::Number(text) => assert_eq!(raw, text),
            Scalar::Compound => assert!(raw.starts_with(['{', '[']), "{raw}"),
        }
    }
});

fn read(body: &[u8], chunk: usize) -> Outcome {
    let mut content = Vec::new();
    let mut reader = JsonUpload::new();
    for chunk in body.chunks(chunk) {
        reader.push(chunk, |piece| {
            content.extend_from_slice(piece);
            Ok(())
        })?;
    }
    let fields = reader.finish(|piece| {
        content.extend_from_slice(piece);
        Ok(())
    })?;
    Ok((fields, content))
}
