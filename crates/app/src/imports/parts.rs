//! Large publishes and undos on SQLite, cut up into several commits.
//!
//! SQLite has one writer for all families, so none may keep it for long. A large publish adds its
//! entries part by part in a range that nobody sees; its last commit shows them, moves counters and
//! balances, and ends the job. A publish is also cut up if its rules have much to look into: the
//! rows of each part are evaluated before its transaction begins. A large undo hides its range with
//! the first commit and deletes part by part. Whoever starts with a job of the family, or gives one
//! up, first removes what is hidden: it was left by a process that died, or by a try that failed.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_core::limits::{PUBLISH_PART_ROWS, PUBLISH_WHOLE_ROWS_MAX};
use purser_store::imports;
use purser_store::jobs;
use purser_store::ledger::{HiddenLeft, remove_hidden};

use crate::jobs::job::Work;

/// How publishes and undos are cut up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parts {
    /// The number of rows in one commit.
    pub(super) rows: u64,
    /// An import with no more rows than this is one commit.
    pub(super) whole_rows_max: u64,
}

impl Parts {
    /// The sizes that the operator set, or the defaults.
    pub(super) fn of(work: &Work<'_>) -> Self {
        match work.part_rows {
            Some(rows) => Self { rows, whole_rows_max: rows.min(PUBLISH_WHOLE_ROWS_MAX) },
            None => Self { rows: PUBLISH_PART_ROWS, whole_rows_max: PUBLISH_WHOLE_ROWS_MAX },
        }
    }
}

/// Removes what is hidden of the job's family, in parts. `progress` is called with the number
/// of removed entries.
pub(super) fn sweep(work: &Work<'_>, progress: &dyn Fn(u64)) -> Result<()> {
    if !work.store.is_sqlite() {
        return Ok(());
    }
    let parts = Parts::of(work);
    let mut removed = 0;
    loop {
        let left = work.write(|tx| {
            jobs::hold(tx, work.claim)?;
            remove_hidden(tx, parts.rows)
        })?;
        let (HiddenLeft::More(now) | HiddenLeft::Nothing(now)) = left;
        removed += now;
        if now > 0 {
            progress(removed);
        }
        if matches!(left, HiddenLeft::Nothing(_)) {
            return Ok(());
        }
    }
}

/// Whether the publish of an import is to be cut up.
pub(super) fn is_large_publish(work: &Work<'_>, id: ImportId) -> Result<bool> {
    if !work.store.is_sqlite() {
        return Ok(false);
    }
    let import = work.read(|tx| imports::get(tx, id))?;
    let is_whole = Kind::of(import.import_type).is_some_and(|kind| kind.spec().is_whole);
    Ok(!is_whole && import.rows_in_file() > Parts::of(work).whole_rows_max)
}
