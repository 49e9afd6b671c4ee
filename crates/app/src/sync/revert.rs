//! Undoing what a run did: a small one at once, a large one by a job, in several commits.

use purser_core::connection::RevertStatus;
use purser_core::error::{Error, Result};
use purser_core::ids::SyncId;
use purser_core::limits::PUBLISH_PART_ROWS;
use purser_store::connections::{self, found, runs};
use purser_store::sync_plans::undo;
use purser_store::{FamilyTx, syncs};

use super::revert_job::RevertSync;
use crate::jobs::job::enqueue;
use crate::transfers::{self, Scope};

pub use purser_store::sync_plans::undo::{UndoOutcome, status};

/// Entries and changes of one commit, at most: so much is written for each that others would wait
/// noticeably for as many as a publish adds at a time.
const PART_CHANGES_MAX: u64 = 2_000;

/// What an undo of a run would do now; of one that is under way, what is left to do.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts, too.
pub fn preview(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    undo::preview(tx, sync)
}

/// Takes back what a run did, or begins to if that is more than `part_rows` entries and changes.
/// Returns what is done, or is to be done. The next run asks for the same days again.
///
/// # Errors
/// `sync_not_ended` while the run is under way, or another one would be in the way of a large undo;
/// `sync_not_newest` if a later run has changed one of the accounts, too.
pub fn revert(tx: &mut FamilyTx<'_>, sync: SyncId, part_rows: Option<u64>) -> Result<UndoOutcome> {
    let run = syncs::get(tx, sync)?;
    if run.status.is_running() {
        return Err(not_ended("The sync is queued or under way: wait for its end"));
    }
    let to_do = undo::preview(tx, sync)?;
    if undo::status(tx, sync)? == Some(RevertStatus::Reverting) {
        return Ok(to_do);
    }
    if to_do.removed + to_do.kept + to_do.restored <= part_rows.unwrap_or(PUBLISH_PART_ROWS) {
        let outcome = undo::undo(tx, sync)?;
        follow_up(tx, &outcome)?;
        return Ok(outcome);
    }
    if runs::is_under_way(tx, sync)? {
        return Err(not_ended("Another sync of an account is under way: wait for its end"));
    }
    if let Some(connection) = run.connection
        && connections::get(tx, connection)?.scheduled_for_deletion
    {
        return Err(Error::Conflict {
            code: "scheduled_for_deletion",
            message: "The connection is being deleted, with what is known of its syncs".to_owned(),
        });
    }
    undo::mark(tx, sync, RevertStatus::Reverting)?;
    enqueue(tx, &RevertSync { sync })?;
    Ok(to_do)
}

/// Takes back the next part. True if nothing was left.
pub(super) fn revert_more(tx: &mut FamilyTx<'_>, sync: SyncId, part_rows: u64) -> Result<bool> {
    let mut outcome = UndoOutcome::default();
    let is_done = undo::undo_more(tx, sync, part_rows.min(PART_CHANGES_MAX), &mut outcome)?;
    follow_up(tx, &outcome)?;
    Ok(is_done)
}

/// What follows in the accounts in which the run is undone.
fn follow_up(tx: &mut FamilyTx<'_>, outcome: &UndoOutcome) -> Result<()> {
    for (account, before) in &outcome.watermarks {
        found::set_watermark_back(tx, *account, *before)?;
    }
    if !outcome.watermarks.is_empty() {
        transfers::queue(tx, Scope::All)?;
    }
    Ok(())
}

fn not_ended(message: &str) -> Error {
    Error::Conflict { code: "sync_not_ended", message: message.to_owned() }
}
