//! What can go wrong with an archive.

use std::io;

/// Why an archive can't be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The disk refused to write.
    #[error("{0}")]
    Write(io::Error),
    /// The disk refused to read.
    #[error("{0}")]
    Read(io::Error),
    /// The file is no backup, or not what was written. The text is a sentence without its point.
    #[error("{0}")]
    Damaged(String),
    /// A newer program wrote it. The text is a sentence without its point.
    #[error("{0}")]
    Newer(String),
}

/// The result of work on an archive.
pub(super) type Result<T> = std::result::Result<T, ArchiveError>;

/// An archive that is not what was written.
pub(super) fn damaged(what: impl Into<String>) -> ArchiveError {
    ArchiveError::Damaged(what.into())
}

/// An error while compressed bytes were read: those of the decompressor mean that the bytes are
/// wrong or end too early, all others that they can't be read.
pub(super) fn unread(error: io::Error) -> ArchiveError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("the file ends before the backup does"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            damaged(format!("the compressed bytes are damaged ({error})"))
        }
        _ => ArchiveError::Read(error),
    }
}
