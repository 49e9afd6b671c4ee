//! PDF documents: any bytes, and any text of a page, are read or refused within their limits.
#![no_main]

use libfuzzer_sys::fuzz_target;
use purser_formats::pdf::{
    Frame, PictureOf, draw, rows_of_pages, scans, text, write_recognised, write_scan, write_table,
};

fuzz_target!(|bytes: &[u8]| {
    for document in [[b"%PDF-1.7\n", bytes].concat(), page(bytes)] {
        let (mut table, mut pages) = (Vec::new(), Vec::new());
        let is_read = text(&document).is_ok();
        if let Ok(facts) = write_table(&document, "", &mut table, &mut pages) {
            assert!(is_read, "a table without text");
            let lines = table.iter().filter(|byte| **byte == b'\n').count() as u64;
            assert!((facts.rows + 1..=facts.rows + 3).contains(&lines), "{facts:?}: {lines}");
            for page in rows_of_pages(&pages[..]).unwrap() {
                assert!(draw(&pages[..], &PictureOf::Page(page.page), Vec::new()).unwrap());
                assert!(page.lines.iter().all(|line| (2..lines + 1).contains(line)), "{page:?}");
            }
        }
        for scan in scans(&document, "").unwrap_or_default() {
            let _ = write_scan(&document, "", scan.object, std::io::sink());
        }
    }
    // Words of a picture, in the table that a recogniser writes.
    let mut words = Vec::new();
    let frame = Frame { page: 1, width: 1000, height: 1000, content: bytes.to_vec() };
    if frame.write(&mut words).is_ok() {
        let _ = write_recognised(&words[..], std::io::sink(), std::io::sink());
    }
    let _ = write_recognised(bytes, std::io::sink(), std::io::sink());
    for document in [picture("DCTDecode", "", bytes), picture("CCITTFaxDecode", FAX, bytes)] {
        for scan in scans(&document, "").unwrap() {
            let mut pixels = Vec::new();
            if write_scan(&document, "", scan.object, &mut pixels).is_ok() {
                assert_eq!(pixels.len(), 16 + 1200 * 100);
            }
        }
    }
});

const FAX: &str = "/DecodeParms<</K -1/Columns 1200>>";

/// A document with one page that is a picture with these bytes.
fn picture(filter: &str, more: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Kids[3 0 R]>>endobj\n\
         3 0 obj<</Contents 5 0 R/Resources<</XObject<</P 4 0 R>>>>>>endobj\n\
         5 0 obj<</Length 5>>stream\n/P Do\nendstream endobj\ntrailer<</Root 1 0 R>>\n\
         4 0 obj<</Subtype/Image/Width 1200/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray\
         /Filter/{filter}{more}/Length {}>>stream\n",
        bytes.len()
    );
    [head.as_bytes(), bytes, b"\nendstream endobj"].concat()
}

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
