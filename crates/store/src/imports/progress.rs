//! The progress of a publish or an undo, for processes other than the one that runs it.
//!
//! The number is written beside the job's own transaction, which is not visible before it is
//! committed. It is only shown to people: no decision depends on it, and a write that would have to
//! wait is left out.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Stores the progress. It doesn't wait if the job has locked the row.
    PROGRESS_NOTE = "UPDATE imports SET rows_done = $1
        WHERE family_id = $2 AND id = (SELECT id FROM imports
            WHERE family_id = $2 AND id = $3 AND (status = $4 OR status = $5)
            FOR UPDATE SKIP LOCKED)";
    /// The progress of an import.
    PROGRESS_BY_IMPORT = "SELECT status, rows_done, rows_count, created_count
        FROM imports WHERE family_id = $1 AND id = $2";
}

/// The progress of a publish or an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The status of the import.
    pub status: ImportStatus,
    /// What the running job noted last.
    pub rows_done: u64,
    /// The number of rows of the file.
    pub rows: u64,
    /// Entries that the last publish created.
    pub created: u64,
}

impl Progress {
    /// Whether a job has the import, or is to have it.
    pub fn is_running(self) -> bool {
        matches!(self.status, ImportStatus::Importing | ImportStatus::Reverting)
    }
}

/// Notes how many rows are done, if the import is still being worked on.
pub fn note_progress(tx: &mut FamilyTx<'_>, id: ImportId, rows: u64) -> Result<()> {
    let family = tx.family();
    let key = [
        count(rows),
        family.into(),
        id.into(),
        Val::Text(ImportStatus::Importing.as_str()),
        Val::Text(ImportStatus::Reverting.as_str()),
    ];
    tx.execute(&PROGRESS_NOTE, &key).map(drop)
}

/// The progress of an import of the family.
pub fn progress(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Progress> {
    let family = tx.family();
    let found = tx.query_opt(&PROGRESS_BY_IMPORT, &[family.into(), id.into()], |row| {
        Ok(Progress {
            status: row.named(0)?,
            rows_done: row.count(1)?,
            rows: row.count(2)?,
            created: row.count(3)?,
        })
    })?;
    found.ok_or(Error::NotFound { what: "Import" })
}
