//! Deleting an import, and the job that removes its files: the rows go first, in the commit that
//! queues the job, so a crash in between leaves a job and never a row without its file.

use purser_core::error::Result;
use purser_core::ids::{FileId, ImportId};
use purser_store::{FamilyTx, files, imports, jobs};
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work, enqueue};

/// Removes uploaded files that no row names any more.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveFiles {
    pub(crate) files: Vec<FileId>,
}

impl Job for RemoveFiles {
    const KIND: &'static str = "files.remove";

    fn run(&self, work: &Work<'_>) -> Result<()> {
        for file in &self.files {
            if work.read(|tx| files::file_get(tx, *file))?.is_none() {
                work.files.delete(work.claim.family, *file)?;
            }
        }
        work.write(|tx| jobs::complete(tx, work.claim))
    }
}

/// Deletes an import that no job works on, with its files. What it created in the ledger stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
    let files = imports::remove(tx, id)?;
    if !files.is_empty() {
        enqueue(tx, &RemoveFiles { files })?;
    }
    Ok(())
}
