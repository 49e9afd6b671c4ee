//! Files: every row has its file, with the recorded length and checksum.
//!
//! Files are read outside of any transaction, because that can take long. One that was removed
//! together with its row in the meantime is no problem.

use purser_core::error::Result;
use purser_core::ids::FileId;

use super::report::{Findings, with_cause};
use crate::families::FamilyId;
use crate::files::{self, Content, FileStore, StoredFile};
use crate::store::Store;

/// Every file has the size and checksum of its row.
pub(super) fn unchanged(store: &Store, kept: &FileStore, findings: &mut Findings) -> Result<()> {
    for file in store.read_directory_blocking(files::all)? {
        findings.count(1);
        let StoredFile { family, id, content } = file;
        let Some(wrong) = wrong(kept, family, id, content) else { continue };
        if files::has_row(store, &file)? {
            findings.problem(|| format!("file {id} {wrong}"));
        }
    }
    Ok(())
}

fn wrong(files: &FileStore, family: FamilyId, id: FileId, expected: Content) -> Option<String> {
    match files.content(family, id) {
        Ok(found) if found == expected => None,
        Ok(found) if found.bytes != expected.bytes => {
            Some(format!("has {} bytes, but had {}", found.bytes, expected.bytes))
        }
        Ok(_) => Some("has other bytes than when it was stored".to_owned()),
        Err(error) => Some(format!("can't be read: {}", with_cause(&error))),
    }
}
