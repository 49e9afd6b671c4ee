use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

type Failure = UploadError<Infallible>;

fn read(body: &[u8], chunk: usize) -> Result<(Fields, String), Failure> {
    read_parts(body.chunks(chunk.max(1)))
}

/// Cut at these places, which are in order; equal ones make an empty chunk.
fn read_cut(body: &[u8], cuts: &[usize]) -> Result<(Fields, String), Failure> {
    let starts = std::iter::once(&0).chain(cuts);
    let ends = cuts.iter().copied().chain([body.len()]);
    read_parts(starts.zip(ends).map(|(start, end)| &body[*start..end]))
}

fn read_parts<'b>(parts: impl Iterator<Item = &'b [u8]>) -> Result<(Fields, String), Failure> {
    let mut content = Vec::new();
    let mut sink = |bytes: &[u8]| {
        content.extend_from_slice(bytes);
        Ok(())
    };
    let mut upload = JsonUpload::new();
    for part in parts {
        upload.push(part, &mut sink)?;
    }
    let fields = upload.finish(&mut sink)?;
    Ok((fields, String::from_utf8(content).unwrap()))
}

#[test]
fn fields_keep_their_types_and_the_content_goes_to_the_sink() {
    let body = br#" {"type" : "TransactionImport", "publish":true,"n":-1.50e+2,"x":null,
        "deep":{"a":[1,{"raw_file_content":"no"},[]],"b":{}},"raw_file_content":"a,b\n1,\"2\"\u20ac",
        "empty":[]} "#;
    for chunk in [1, 2, 3, 1000] {
        let (fields, content) = read(body, chunk).unwrap();
        assert_eq!(content, "a,b\n1,\"2\"€", "chunks of {chunk}");
        assert_eq!(fields.content, Content::Text(12));
        let expected: BTreeMap<String, Scalar> = [
            ("type", Scalar::Text("TransactionImport".to_owned())),
            ("publish", Scalar::Bool(true)),
            ("n", Scalar::Number("-1.50e+2".to_owned())),
            ("x", Scalar::Null),
            ("deep", Scalar::Compound),
            ("empty", Scalar::Compound),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        assert_eq!(fields.values, expected);
    }
}

#[test]
fn content_may_be_missing_null_or_wrong() {
    for (body, content) in [
        ("{}", Content::Missing),
        (r#"{"raw_file_content":null}"#, Content::Missing),
        (r#"{"raw_file_content":""}"#, Content::Text(0)),
        (r#"{"raw_file_content":1}"#, Content::NotText),
        (r#"{"raw_file_content":false}"#, Content::NotText),
        (r#"{"raw_file_content":["a"]}"#, Content::NotText),
        (r#"{"raw_\u0066ile_content":"a"}"#, Content::Text(1)),
    ] {
        let (fields, _) = read(body.as_bytes(), 3).unwrap();
        assert_eq!(fields.content, content, "{body}");
        assert!(fields.values.is_empty(), "{body}");
    }
}

#[test]
fn no_field_is_sent_twice() {
    for (body, name) in [
        (r#"{"raw_file_content":"a","raw_file_content":"b"}"#, CONTENT_FIELD),
        (r#"{"raw_file_content":null,"raw_file_content":"b"}"#, CONTENT_FIELD),
        (r#"{"a":1,"b":2,"a":"b"}"#, "a"),
        (r#"{"a":null,"\u0061":null}"#, "a"),
        (r#"{"a":{},"a":[]}"#, "a"),
        (r#"{"":1,"":1}"#, ""),
    ] {
        for chunk in [1, 5, 1000] {
            let expected = Err(UploadError::Twice(name.to_owned()));
            assert_eq!(read(body.as_bytes(), chunk), expected, "{body}");
        }
    }
    // Only the object itself has fields.
    assert!(read(br#"{"a":{"b":1,"b":2},"b":[{"a":1,"a":2}]}"#, 3).is_ok());
}

#[test]
fn strings_are_read_exactly() {
    for (json, text) in [
        (r#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
        (r#""\u0041\u00e9\u20AC""#, "Aé€"),
        (r#""\ud83d\uDE00""#, "😀"),
        (r#""\u0000""#, "\0"),
        ("\"é€😀\u{7f}\"", "é€😀\u{7f}"),
    ] {
        for chunk in 1..12 {
            let body = format!("{{\"raw_file_content\":{json}}}");
            assert_eq!(read(body.as_bytes(), chunk).unwrap().1, text, "{json} by {chunk}");
        }
    }
}

#[test]
fn what_is_not_json_is_refused_with_its_place() {
    for (body, what, position) in [
        (&br#"{"a":"\ud83d"}"#[..], "half of a surrogate pair", 12),
        (br#"{"a":"\ud83dx"}"#, "half of a surrogate pair", 12),
        (br#"{"a":"\ud83d\n"}"#, "half of a surrogate pair", 13),
        (br#"{"a":"\ud83d\u0041"}"#, "half of a surrogate pair", 17),
        (br#"{"a":"\ude00"}"#, "half of a surrogate pair", 11),
        (br#"{"a":"\x"}"#, "an unknown escape", 7),
        (br#"{"a":"\u12g4"}"#, "an escape without four digits", 10),
        (b"{\"a\":\"\n\"}", "a control character in a string", 6),
        (b"{\"a\":\"\xff\"}", "invalid UTF-8", 6),
        (b"{\"a\":\"\xe2\x82\"}", "invalid UTF-8", 6),
        (b"{\"a\":\"\xe2\x82\\n\"}", "invalid UTF-8", 6),
        (br#"{"a":01}"#, "an unexpected character", 6),
        (br#"{"a":1.}"#, "an incomplete number", 7),
        (br#"{"a":-}"#, "an incomplete number", 6),
        (br#"{"a":nul}"#, "an unexpected character", 8),
        (br#"{"a":1,}"#, "an unexpected character", 7),
        (br#"{,}"#, "an unexpected character", 1),
        (br#"{"a" 1}"#, "an unexpected character", 5),
        (br#"{"a":[1,]}"#, "an unexpected character", 8),
        (br#"{"a":[1}}"#, "an unexpected character", 7),
        (br#"{"a":{"b",1}}"#, "an unexpected character", 9),
        (br#"{} x"#, "an unexpected character", 3),
        (br#"{"a":1"#, "the end", 6),
        (br#"{"a":"b"#, "the end", 7),
        (b"", "the end", 0),
        (b"{\"a\":\"bc\n\"}", "a control character in a string", 8),
        (b"{\"a\":\"bc\xff\n\"}", "invalid UTF-8", 8),
        (b"{\"a\":\"bc\n\xff\"}", "a control character in a string", 8),
        (b"{\"a\":\"bc\xf0\x9f\x98d\"}", "invalid UTF-8", 8),
        (b"{\"a\":\"bc\xe2\n\"}", "invalid UTF-8", 8),
        (b"{\"a\":\"bc\xe2", "the end", 9),
    ] {
        let expected = Err(UploadError::Syntax { what, position });
        let shown = String::from_utf8_lossy(body);
        for chunk in [1, 2, 3, 4, 5, 6, 7, 8, 1000] {
            assert_eq!(read(body, chunk), expected, "{shown} by {chunk}");
        }
    }
    for body in [&b"[]"[..], b"\"a\"", b"1", b"\xEF\xBB\xBF{}"] {
        assert_eq!(read(body, 1), Err(UploadError::NotAnObject));
    }
}

#[test]
fn limits_are_errors() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(FIELD_BYTES_MAX + 1));
    assert!(matches!(read(long.as_bytes(), 100), Err(UploadError::TooLarge(_))));
    let fits = format!("{{\"a\":\"{}\"}}", "x".repeat(FIELD_BYTES_MAX));
    assert!(read(fits.as_bytes(), 100).is_ok());
    let name = format!("{{\"{}\":1}}", "x".repeat(FIELD_BYTES_MAX + 1));
    assert!(matches!(read(name.as_bytes(), 100), Err(UploadError::TooLarge(_))));
    let object = |count: usize| {
        let fields: Vec<String> = (0..count).map(|n| format!("\"f{n}\":{n}")).collect();
        format!("{{{}}}", fields.join(","))
    };
    assert!(read(object(FIELDS_MAX).as_bytes(), 100).is_ok());
    assert!(read(object(FIELDS_MAX + 1).as_bytes(), 100).is_err());
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(nested(DEPTH_MAX - 1).as_bytes(), 100).is_ok());
    assert!(read(nested(DEPTH_MAX).as_bytes(), 100).is_err());
}

#[test]
fn of_a_limit_and_an_error_the_earlier_counts_whatever_the_chunks() {
    for (count, is_limit) in [(FIELD_BYTES_MAX, false), (FIELD_BYTES_MAX + 1, true)] {
        for end in [&b"\n"[..], b"\xff", b"\xe2\x82x", b"\\x"] {
            let body = [b"{\"a\":\"", "x".repeat(count).as_bytes(), end].concat();
            let whole = read(&body, body.len());
            assert_eq!(matches!(whole, Err(UploadError::TooLarge(_))), is_limit, "{count} {end:?}");
            for chunk in [1, 7, 4096, FIELD_BYTES_MAX, body.len() - 1] {
                assert_eq!(read(&body, chunk), whole, "{count} {end:?} by {chunk}");
            }
        }
    }
}

#[test]
fn a_sink_that_refuses_ends_the_reading_and_pieces_are_small() {
    let body = format!("{{\"raw_file_content\":\"{}\"}}", "line\\n".repeat(100_000));
    let mut total = 0;
    let mut upload = JsonUpload::new();
    let result = upload.push(body.as_bytes(), |piece| {
        total += piece.len();
        assert!(piece.len() < 128 * 1024);
        if total > 200_000 { Err("full") } else { Ok(()) }
    });
    assert_eq!(result, Err(UploadError::Sink("full")));
}

/// Any JSON value that isn't nested deeply.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "\\PC{0,12}".prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::hash_map("[a-e\\\\\"é]{0,3}", inner, 0..5)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

fn scalar(value: &serde_json::Value) -> Scalar {
    match value {
        serde_json::Value::Null => Scalar::Null,
        serde_json::Value::Bool(value) => Scalar::Bool(*value),
        serde_json::Value::Number(number) => Scalar::Number(number.to_string()),
        serde_json::Value::String(text) => Scalar::Text(text.clone()),
        _ => Scalar::Compound,
    }
}

/// Bodies that are nearly JSON: what breaks a string is in its middle.
fn broken_strings() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        prop::sample::select(vec![
            &b"\""[..],
            b"\\",
            b"\\n",
            b"\\u",
            b"\\ud83d",
            b"\\ude00",
            b"\n",
            b"\0",
            b"\x7f",
            b"\xe2",
            b"\xe2\x82",
            b"\x82",
            b"\xac",
            b"\xf0\x9f",
            b"\x98\x80",
            b"\xed\xa0\x80",
            b"\xc0",
            b"\xff",
            b"\",\"b\":\"",
            b"\",\"raw_file_content\":\"",
            b"}",
            b",",
        ])
        .prop_map(<[u8]>::to_vec),
        "\\PC{0,4}".prop_map(String::into_bytes),
    ];
    let start = prop::sample::select(vec![&b"{\"a\":\""[..], b"{\"raw_file_content\":\"", b"{\""]);
    (start, prop::collection::vec(part, 0..12))
        .prop_map(|(start, parts)| [start, &parts.concat(), b"\"}"].concat())
}

proptest! {
    #[test]
    fn neither_the_error_nor_its_place_depends_on_chunks(
        body in broken_strings(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        chunk in 1usize..10,
    ) {
        let whole = read(&body, body.len());
        prop_assert_eq!(&whole, &read(&body, chunk));
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len())).collect();
        cuts.sort_unstable();
        prop_assert_eq!(whole, read_cut(&body, &cuts));
    }

    #[test]
    fn objects_are_read_as_serde_json_reads_them(
        object in prop::collection::btree_map("[a-z\\n\"é]{1,5}", json(), 0..8),
        content in any::<String>(),
        chunk in 1usize..40,
        pretty in any::<bool>(),
    ) {
        let mut whole: serde_json::Map<_, _> = object.clone().into_iter().collect();
        whole.insert(CONTENT_FIELD.to_owned(), content.clone().into());
        let body = if pretty {
            serde_json::to_vec_pretty(&whole).unwrap()
        } else {
            serde_json::to_vec(&whole).unwrap()
        };
        let (fields, text) = read(&body, chunk).unwrap();
        prop_assert_eq!(text, content);
        let expected: BTreeMap<String, Scalar> =
            object.iter().map(|(name, value)| (name.clone(), scalar(value))).collect();
        prop_assert_eq!(fields.values, expected);
    }

    #[test]
    fn what_is_json_does_not_depend_on_chunks_and_agrees_with_serde_json(
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "[{}\\[\\],:\"\\\\ntrue0-9.eEu d8c]{0,30}".prop_map(String::into_bytes),
            "\\{\"a\":[\\[\\]{},:\"\\\\nul0-9.eE+-]{0,12}\\}".prop_map(String::into_bytes),
        ],
        chunk in 1usize..10,
    ) {
        let whole = read(&body, 1000);
        prop_assert_eq!(&whole, &read(&body, chunk));
        let is_object = serde_json::from_slice::<serde_json::Map<_, _>>(&body).is_ok();
        // serde_json refuses numbers beyond a float; the text is all that counts here.
        if is_object {
            // serde_json takes the last of two fields.
            prop_assert!(matches!(whole, Ok(_) | Err(UploadError::Twice(_))), "{:?}", whole);
        } else if whole.is_ok() {
            let error = serde_json::from_slice::<serde_json::Value>(&body).unwrap_err();
            prop_assert!(error.to_string().contains("out of range"), "{}", error);
        }
    }
}
