//! How large content may be: a file in the server's own format has everything that a family has, so
//! it may be larger than that of a bank.

use purser_core::error::{Error, Result};
use purser_core::import::import_type::ImportType;
use purser_core::limits::{NATIVE_FILE_BYTES_MAX, NATIVE_INLINE_BYTES_MAX};
use purser_core::text::size::size;

/// Whether content that begins so may be in the server's own format: an object, or an archive.
pub fn may_be_native(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    text.starts_with(b"{") || head.starts_with(b"PK\x03\x04")
}

/// The most that content of a type may have. `csv_bytes_max` is what the operator allows for CSV.
pub fn bytes_max(import_type: ImportType, is_file: bool, csv_bytes_max: u64) -> u64 {
    match import_type {
        ImportType::Native if is_file => csv_bytes_max.max(NATIVE_FILE_BYTES_MAX),
        ImportType::Native => csv_bytes_max.max(NATIVE_INLINE_BYTES_MAX),
        _ => csv_bytes_max,
    }
}

/// Refuses content that is larger than its type may be.
pub(super) fn require(
    import_type: ImportType,
    is_file: bool,
    (bytes, csv_bytes_max): (u64, u64),
) -> Result<()> {
    let max = bytes_max(import_type, is_file, csv_bytes_max);
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
    fn only_native_content_may_be_larger_than_a_csv() {
        const MIB: u64 = 1024 * 1024;
        let max = |of, is_file| bytes_max(of, is_file, 10 * MIB) / MIB;
        assert_eq!(max(ImportType::Native, true), 256);
        assert_eq!(max(ImportType::Native, false), 32);
        assert_eq!(max(ImportType::Transaction, true), 10);
        assert_eq!(bytes_max(ImportType::Native, true, 500 * MIB), 500 * MIB);
        assert!(require(ImportType::Native, true, (256 * MIB, 10 * MIB)).is_ok());
        assert!(require(ImportType::Native, true, (256 * MIB + 1, 10 * MIB)).is_err());
        assert!(require(ImportType::Ynab, true, (10 * MIB + 1, 10 * MIB)).is_err());
    }
}
