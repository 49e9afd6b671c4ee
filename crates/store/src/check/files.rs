//! Files: every row has its file, with the recorded length and checksum.
//!
//! Files are read outside of any transaction, because that can take long. One that was removed
//! together with its row in the meantime is no problem.

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;

use super::report::{Findings, with_cause};
use crate::access::Access;
use crate::audit::Actor;
use crate::driver::statements;
use crate::families::FamilyId;
use crate::files::{Content, FileStore, file_get};
use crate::store::Store;

statements! {
    /// Every file that should be there.
    FILES_ALL = "SELECT family_id, id, bytes, sha256 FROM files ORDER BY family_id, id";
}

/// Every file has the size and checksum of its row.
pub(super) fn unchanged(store: &Store, files: &FileStore, findings: &mut Findings) -> Result<()> {
    let rows = store.read_directory_blocking(|tx| {
        tx.query(&FILES_ALL, &[], |row| {
            let sha256 = row.bytes(3)?.try_into().map_err(Error::internal)?;
            let content = Content { bytes: row.count(2)?, sha256 };
            Ok((FamilyId::from_number(row.int(0)?), row.id::<FileId>(1)?, content))
        })
    })?;
    for (family, id, expected) in rows {
        findings.count(1);
        let Some(wrong) = wrong(files, family, id, expected) else { continue };
        if store
            .read_blocking(Access::whole(family, Actor::System), |tx| file_get(tx, id))?
            .is_some()
        {
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
