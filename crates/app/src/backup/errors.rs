//! Errors of archives as those of the domain.

use purser_core::error::Error;
use purser_formats::backup::ArchiveError;
use purser_store::files::io_failed;

/// An archive that can't be written or read.
pub(super) fn archive_error(error: ArchiveError) -> Error {
    let message = format!("The backup can't be restored: {error}.");
    match error {
        ArchiveError::Write(error) | ArchiveError::Read(error) => io_failed(error),
        ArchiveError::Damaged(_) => Error::Conflict { code: "backup_damaged", message },
        ArchiveError::Newer(_) => Error::Conflict { code: "backup_newer", message },
    }
}
