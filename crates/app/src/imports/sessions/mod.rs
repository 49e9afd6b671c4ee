//! Sessions: a file in the server's own format that comes in chunks, and is then published as any
//! other import. See `docs/native.md`.

pub mod chunk;
pub mod publish;

use purser_core::error::Result;
use purser_core::ids::{FileId, ImportSessionId};
use purser_store::FamilyTx;
use purser_store::imports::sessions;

use super::file_removal_job::RemoveFiles;
use crate::jobs::job::enqueue;

pub use purser_store::imports::sessions::{Chunk, ImportSession, chunks, create, get, list};

/// Deletes a session with its chunks. An import that it has become stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<()> {
    sessions::get(tx, id)?;
    let files = sessions::remove(tx, id)?;
    remove_files(tx, files)
}

/// Removes sessions that nobody went on with for some days.
pub(crate) fn remove_old_of_family(tx: &mut FamilyTx<'_>) -> Result<()> {
    let files = sessions::remove_old(tx)?;
    remove_files(tx, files)
}

fn remove_files(tx: &mut FamilyTx<'_>, files: Vec<FileId>) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    enqueue(tx, &RemoveFiles { files }).map(drop)
}
