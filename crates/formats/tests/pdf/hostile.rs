//! Documents that are broken, or made to hurt: each is refused with one sentence, or read.

use purser_formats::pdf::{PdfError, text, write_table};

use crate::ledger::{Layout, Ledger, pages};
use crate::random::Random;
use crate::writing::{Letters, Page, Style, document, file, stream};

fn refused(document: &[u8]) -> PdfError {
    write_table(document, "", Vec::new(), std::io::sink()).unwrap_err()
}

/// A document with one page that has this content.
fn with_content(content: Vec<u8>) -> Vec<u8> {
    let font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>".to_vec();
    let tree =
        b"<< /Kids [3 0 R] /Resources << /Font << /F1 5 0 R >> /XObject << /X 4 0 R >> >> >>";
    let objects = vec![
        (1, b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), false),
        (2, tree.to_vec(), false),
        (3, b"<< /Type /Page /Contents 4 0 R >>".to_vec(), false),
        (4, content, true),
        (5, font, false),
    ];
    file(objects, Style::PLAIN)
}

#[test]
fn what_cannot_be_read_is_refused_with_one_sentence() {
    assert_eq!(refused(b"Date,Amount\n"), PdfError::NotAPdf);
    assert!(matches!(refused(b"%PDF-1.7\n"), PdfError::Damaged(_)));
    let empty = document(&[Page::default()], Style::PLAIN);
    assert_eq!(refused(&empty), PdfError::NoText);
    let mut letter = Page::default();
    letter.left(40, 700, "Dear customer, thank you for 20 years.");
    assert_eq!(refused(&document(&[letter.clone()], Style::PLAIN)), PdfError::NoTable);
    let locked = String::from_utf8_lossy(&document(&[letter.clone()], Style::PLAIN))
        .replace("/Size 1000", "/Size 1000 /Encrypt << /Filter /Standard >>");
    assert_eq!(refused(locked.as_bytes()), PdfError::UnknownEncryption);
    // Codes without a table of what they stand for.
    let double = Style { letters: Letters::Double, ..Style::PLAIN };
    let unknown =
        String::from_utf8_lossy(&document(&[letter], double)).replace("/ToUnicode", "/Nothing");
    assert_eq!(refused(unknown.as_bytes()), PdfError::UnknownLetters);
    let picture = with_content(stream("/Filter /DCTDecode", b"\xFF\xD8", false));
    assert_eq!(refused(&picture), PdfError::UnknownFilter);
}

#[test]
fn bombs_and_circles_end() {
    // 200 MiB of spaces in one stream.
    let bomb = with_content(stream("", &vec![b' '; 200 << 20], true));
    assert_eq!(refused(&bomb), PdfError::TooComplex);
    // A form that draws itself.
    let circle = stream("/Type /XObject /Subtype /Form", b"/X Do /X Do", false);
    assert_eq!(refused(&with_content(circle)), PdfError::TooComplex);
    let deep = with_content(stream("", &vec![b'['; 100_000], false));
    assert_eq!(refused(&deep), PdfError::TooComplex);
    let letters = [&b"BT /F1 9 Tf ("[..], &vec![b'x'; 300_000], b") Tj ET"].concat();
    assert_eq!(refused(&with_content(stream("", &letters, true))), PdfError::TooComplex);
    let tree = b"<< /Kids [2 0 R 2 0 R] >>".to_vec();
    let catalog = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let circle = file(vec![(1, catalog, false), (2, tree, false)], Style::PLAIN);
    assert_eq!(refused(&circle), PdfError::TooComplex);
    // A description of an encryption of which each value is the whole once more.
    let values: String = (0..1_000).map(|at| format!("/K{at} 1 0 R ")).collect();
    let description = format!("<< /Filter /Standard {values}>>").into_bytes();
    let locked = file(vec![(1, description, false)], Style::PLAIN);
    let locked =
        String::from_utf8_lossy(&locked).replace("/Size 1000", "/Size 1000 /Encrypt 1 0 R");
    assert_eq!(refused(locked.as_bytes()), PdfError::TooComplex);
    let itself = file(vec![(1, b"1 0 R".to_vec(), false)], Style::PLAIN);
    assert!(matches!(refused(&itself), PdfError::Damaged(_)));
}

#[test]
fn any_changed_byte_and_any_end_is_read_or_refused() {
    let style = Style { letters: Letters::Named, is_compressed: true, has_object_streams: true };
    let ledger = Ledger::new(&mut Random::new(5), 4);
    let whole = document(&pages(&ledger, Layout::German, style), style);
    for at in 0..whole.len() {
        let _ = text(&whole[..at]);
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        let _ = write_table(&changed, "", Vec::new(), std::io::sink());
    }
}
