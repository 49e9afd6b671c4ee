//! What kind of content a file's first bytes look like.
//!
//! Only unmistakable signs count; where there are none, the file's name does. An upload of the
//! wrong type is refused and the right one named, so a file in doubt counts as text, and the reader
//! refuses it with a reason if it can't be read.

use serde::de::IgnoredAny;

/// What the start of a file looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentKind {
    /// A document in the Portable Document Format.
    Pdf,
    /// One JSON object on each line.
    Ndjson,
    /// A file in the Quicken Interchange Format.
    Qif,
    /// A ZIP archive that is not a spreadsheet.
    Zip,
    /// A spreadsheet, by its content or by its name alone.
    Spreadsheet,
    /// Bytes that are not text.
    Binary,
    /// Text, of which CSV is one form.
    Text,
}

/// Judges the first [`super::HEAD_BYTES`] of a file, and its name if they are neither a table nor
/// a known format.
pub fn content_kind(head: &[u8], name: Option<&str>) -> ContentKind {
    let by_content = kind_of_bytes(head);
    let is_open = match by_content {
        ContentKind::Binary => true,
        ContentKind::Text => !has_columns(head),
        _ => false,
    };
    name.filter(|_| is_open).and_then(kind_of_name).unwrap_or(by_content)
}

/// Whether the first line has a separator.
fn has_columns(head: &[u8]) -> bool {
    let lines = head.trim_ascii_start().split(|byte| *byte == b'\n');
    lines.take(1).flatten().any(|byte| b",;\t|".contains(byte))
}

fn kind_of_name(name: &str) -> Option<ContentKind> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "pdf" => ContentKind::Pdf,
        "ndjson" | "jsonl" => ContentKind::Ndjson,
        "qif" => ContentKind::Qif,
        "zip" => ContentKind::Zip,
        "xls" | "xlsx" | "ods" => ContentKind::Spreadsheet,
        _ => return None,
    })
}

fn kind_of_bytes(head: &[u8]) -> ContentKind {
    if head.trim_ascii_start().starts_with(b"%PDF-") {
        return ContentKind::Pdf;
    }
    if head.starts_with(b"PK\x03\x04") {
        let names: [&[u8]; 3] =
            [b"[Content_Types].xml", b"xl/", b"application/vnd.oasis.opendocument.spreadsheet"];
        let is_sheet = names.iter().any(|name| memchr::memmem::find(head, name).is_some());
        return if is_sheet { ContentKind::Spreadsheet } else { ContentKind::Zip };
    }
    if head.starts_with(b"\xD0\xCF\x11\xE0") {
        return ContentKind::Spreadsheet;
    }
    if head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF") {
        return ContentKind::Text;
    }
    if is_binary(head) && utf16_without_mark(head).is_none() {
        return ContentKind::Binary;
    }
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if is_qif(text) {
        ContentKind::Qif
    } else if is_ndjson(text) {
        ContentKind::Ndjson
    } else {
        ContentKind::Text
    }
}

/// Zero bytes, or more control characters than any text has.
fn is_binary(head: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0x01..=0x08 | 0x0E..=0x1A | 0x1C..=0x1F);
    let controls = head.iter().filter(|byte| is_control(byte)).count();
    memchr::memchr(0, head).is_some() || controls * 50 > head.len()
}

/// The byte order of UTF-16 without a byte-order mark: zero bytes are in one half of the pairs
/// only, and in many of them.
pub(super) fn utf16_without_mark(head: &[u8]) -> Option<&'static str> {
    let pairs = head.len() / 2;
    let zeros = |offset: usize| head.chunks_exact(2).filter(|pair| pair[offset] == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    match (first, second) {
        (0, many) if pairs >= 2 && many * 4 >= pairs => Some("UTF-16LE"),
        (many, 0) if pairs >= 2 && many * 4 >= pairs => Some("UTF-16BE"),
        _ => None,
    }
}

/// A first line that only QIF has.
fn is_qif(text: &[u8]) -> bool {
    const STARTS: [&str; 4] = ["!type:", "!account", "!option:", "!clear:"];
    STARTS.iter().any(|start| {
        text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
    })
}

/// A first line that is a whole JSON object (or, if the head ends in it, the start of one).
fn is_ndjson(text: &[u8]) -> bool {
    if text.first() != Some(&b'{') {
        return false;
    }
    match memchr::memchr(b'\n', text) {
        Some(end) => serde_json::from_slice::<IgnoredAny>(&text[..end]).is_ok(),
        None => match serde_json::from_slice::<IgnoredAny>(text) {
            Ok(_) => true,
            Err(error) => error.is_eof() && text.len() > 1,
        },
    }
}
