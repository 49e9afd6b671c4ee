//! PDF documents: any bytes, and any text of a page, are read or refused within their limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use purser_formats::pdf::{text, write_table};

fuzz_target!(|bytes: &[u8]| {
    for document in [[b"%PDF-1.7\n", bytes].concat(), page(bytes)] {
        let mut table = Vec::new();
        let is_read = text(&document).is_ok();
        if let Ok(facts) = write_table(&document, "", &mut table) {
            assert!(is_read, "a table without text");
            let lines = table.iter().filter(|byte| **byte == b'\n').count() as u64;
            assert!((facts.rows + 1..=facts.rows + 3).contains(&lines), "{facts:?}: {lines}");
        }
    }
});

/// A document with one page that draws this.
fn page(content: &[u8]) -> Vec<u8> {
    const OBJECTS: &[u8] = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
        2 0 obj<</Kids[3 0 R]/Resources<</Font<</F1 4 0 R>>>>>>endobj\n\
        3 0 obj<</Contents 5 0 R>>endobj\n\
        4 0 obj<</Subtype/Type1/BaseFont/Courier>>endobj\n\
        trailer<</Root 1 0 R>>\n5 0 obj";
    let length = format!("<</Length {}>>stream\n", content.len());
    [OBJECTS, length.as_bytes(), content, b"\nendstream endobj"].concat()
}
