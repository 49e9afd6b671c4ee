//! How large content may be, by what it is. The formats of banks and programs have more letters for
//! a row than a CSV, and a file in the server's own format has everything that a family has.
//!
//! Every door asks here: what is sent, what the command line and the inbox read, what replaces
//! another file.

use std::io::Read as _;

use purser_core::error::{Error, Result};
use purser_core::import::import_type::ImportType;
use purser_core::limits::{NATIVE_FILE_BYTES_MAX, NATIVE_INLINE_BYTES_MAX, STATEMENT_BYTES_MAX};
use purser_core::text::size::size;
use purser_formats::decode::{ContentKind, HEAD_BYTES, content_kind, head_text};
use purser_formats::pdf::limits::DOCUMENT_BYTES_MAX;
use purser_formats::statements::recognise;
use purser_store::FamilyId;
use purser_store::files::{FileStore, io_failed};

use super::stored::Stored;

/// Whether content that begins so may be in the server's own format: an object, or an archive.
fn may_be_native(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    text.starts_with(b"{") || head.starts_with(b"PK\x03\x04")
}

/// Whether content that begins so can only be a file: a document, a spreadsheet, an archive.
pub fn is_only_a_file(head: &[u8]) -> bool {
    use ContentKind::{Pdf, Spreadsheet, Zip};
    matches!(content_kind(head, None), Pdf | Spreadsheet | Zip)
}

/// The most that content in the server's own format may have.
pub fn native_bytes_max(is_file: bool, csv_bytes_max: u64) -> u64 {
    csv_bytes_max.max(if is_file { NATIVE_FILE_BYTES_MAX } else { NATIVE_INLINE_BYTES_MAX })
}

/// The most that a statement, QIF, a spreadsheet or an archive may have.
pub fn statement_bytes_max(csv_bytes_max: u64) -> u64 {
    csv_bytes_max.max(STATEMENT_BYTES_MAX)
}

/// The most that content may have that begins so. `csv_bytes_max` is what the operator allows for
/// CSV. While the type of its import isn't known, it may be in the server's own format.
pub fn bytes_max(
    head: &[u8],
    import_type: Option<ImportType>,
    is_file: bool,
    csv_bytes_max: u64,
) -> u64 {
    if import_type.map_or_else(|| may_be_native(head), |it| it == ImportType::Native) {
        return native_bytes_max(is_file, csv_bytes_max);
    }
    match content_kind(head, None) {
        // More than that no reader takes.
        ContentKind::Pdf => DOCUMENT_BYTES_MAX as u64,
        ContentKind::Qif | ContentKind::Zip | ContentKind::Spreadsheet => {
            statement_bytes_max(csv_bytes_max)
        }
        _ if is_text_of_bank(&head_text(head)) => statement_bytes_max(csv_bytes_max),
        _ => csv_bytes_max,
    }
}

fn is_text_of_bank(text: &[u8]) -> bool {
    recognise(text).is_some() || content_kind(text, None) == ContentKind::Qif
}

/// Refuses content that is larger than its type may be. While it came, its type wasn't known.
/// Blocks.
pub(super) fn require(
    files: &FileStore,
    (family, stored): (FamilyId, &Stored),
    import_type: ImportType,
    is_file: bool,
    csv_bytes_max: u64,
) -> Result<()> {
    let bytes = stored.content.bytes;
    if bytes <= csv_bytes_max {
        return Ok(());
    }
    let mut head = Vec::new();
    let file = files.read(family, stored.id)?;
    file.take(HEAD_BYTES as u64).read_to_end(&mut head).map_err(io_failed)?;
    let max = bytes_max(&head, Some(import_type), is_file, csv_bytes_max);
    if bytes <= max {
        return Ok(());
    }
    let (code, what) = match is_file {
        true => ("file_too_large", "The file"),
        false => ("content_too_large", "The content"),
    };
    Err(Error::invalid_code(code, format!("{what} is larger than {}", size(max))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1024 * 1024;

    #[test]
    fn objects_and_archives_may_be_native() {
        for head in [&b"{\"type\""[..], b" \r\n{", b"\xef\xbb\xbf {", b"PK\x03\x04x"] {
            assert!(may_be_native(head), "{head:?}");
        }
        for head in [&b""[..], b"Date,Amount", b"[{", b"PK", b"\xff\xfe{"] {
            assert!(!may_be_native(head), "{head:?}");
        }
    }

    #[test]
    fn the_limit_is_that_of_the_format() {
        let ofx = b"OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>";
        let camt = b"<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\">";
        let mt940 =
            b":20:STARTUMS\n:25:1/2\n:28C:1/1\n:60F:C240101EUR1,00\n:61:2401010101D1,00NTRF\n";
        for (head, csv, max) in [
            (&b"Date,Amount\n"[..], 10, 10),
            (b"<table>", 10, 10),
            (ofx, 10, 32),
            (camt, 10, 32),
            (mt940, 10, 32),
            (b"!Type:Bank\nD01/02/2024\n", 10, 32),
            (b"PK\x03\x04", 10, 32),
            (b"\xD0\xCF\x11\xE0", 10, 32),
            (ofx, 100, 100),
            (b"%PDF-1.7", 10, 25),
            (b"%PDF-1.7", 100, 25),
        ] {
            let of = bytes_max(head, Some(ImportType::Transaction), true, csv * MIB);
            assert_eq!(of, max * MIB, "{}", String::from_utf8_lossy(head));
        }
        // Whatever the decoder recognises: behind a long comment, and in UTF-16.
        let commented = format!("<?xml version=\"1.0\"?><!--{}-->", "x".repeat(4_000));
        let commented = [commented.as_bytes(), camt].concat();
        let wide: Vec<u8> = camt.iter().flat_map(|byte| [*byte, 0]).collect();
        for head in [commented, [b"\xFF\xFE", &wide[..]].concat(), wide] {
            let of = bytes_max(&head, Some(ImportType::Transaction), true, 10 * MIB);
            assert_eq!(of, 32 * MIB, "{}", String::from_utf8_lossy(&head));
        }
        let native = |is_file, csv| bytes_max(b"{", Some(ImportType::Native), is_file, csv) / MIB;
        assert_eq!((native(true, 10 * MIB), native(false, 10 * MIB)), (256, 32));
        assert_eq!(native(true, 500 * MIB), 500);
        assert_eq!(bytes_max(b"{", None, true, MIB), 256 * MIB, "it may be");
    }
}
