//! Large publishes and undos on SQLite, cut up into several commits.
//!
//! SQLite has one writer for all families, so none may keep it for long, and its log must hold what
//! one commit writes. A large publish adds its entries part by part in a range that nobody sees;
//! its last commit shows them, moves counters and balances, and ends the job. A part ends early
//! when it has written much ([`purser_store::Tx::has_filled_log`]); a publish that was to be one
//! commit begins again in parts then. A publish is also cut up if its rules have much to look into:
//! the rows of each part are evaluated before its transaction begins. A large undo hides its range
//! with the first commit and deletes part by part. Whoever starts with a job of the family, or
//! gives one up, first removes what is hidden: it was left by a process that died, or by a try that
//! failed.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_core::limits::PUBLISH_PART_ROWS;
use purser_store::imports;
use purser_store::jobs;
use purser_store::ledger::{HiddenLeft, remove_hidden};

use crate::jobs::job::Work;

/// Why a publish can't be one commit: it has written too much, and is rolled back.
#[derive(Debug, thiserror::Error)]
#[error("the rows are too much for one commit")]
pub(super) struct TooMuch;

/// Whether a publish failed because it has to be cut up.
pub(super) fn is_too_much(error: &Error) -> bool {
    matches!(error, Error::Internal { cause } if cause.is::<TooMuch>())
}

/// Rows of one commit of a publish or an undo: what the operator set, or the default.
pub(crate) fn part_rows(work: &Work<'_>) -> u64 {
    work.part_rows.unwrap_or(PUBLISH_PART_ROWS)
}

/// Removes what is hidden of the job's family, in parts. `progress` is called with the number
/// of removed entries.
pub(super) fn sweep(work: &Work<'_>, progress: &dyn Fn(u64)) -> Result<()> {
    if !work.store.is_sqlite() {
        return Ok(());
    }
    let part_rows = part_rows(work);
    let mut removed = 0;
    loop {
        let left = work.write(|tx| {
            jobs::hold(tx, work.claim)?;
            remove_hidden(tx, part_rows)
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
    let kind = Kind::of(import.import_type);
    Ok(!kind.spec().is_whole && import.rows_in_file() > part_rows(work))
}
