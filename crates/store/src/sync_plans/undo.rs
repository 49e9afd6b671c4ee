//! Undoing what a run did in its accounts.
//!
//! Only the newest run of an account can be undone: what later ones did stands on it. Entries that
//! it added go, unless a person has changed them since; fields that followed the bank follow back,
//! unless a person has set them; pending entries that went are there again. What a person deleted
//! stays deleted.
//!
//! An undo is made of parts ([`undo_more`]), each of which leaves a whole ledger: what is left to
//! be taken back is the rest of the range of entries and the images that are still there. A small
//! one is one commit, a large one several, and one that was broken off goes on where it stopped.

pub(crate) mod taking_back;

use jiff::civil::Date;
use purser_core::connection::RevertStatus;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SyncId};
use serde_json::json;

use self::taking_back::Undoing;
use super::images::Image;
use super::{IMAGES_BY_PLAN, StoredPlan, of_sync, withdraw_pending};
use crate::access::FamilyTx;
use crate::driver::{Inserter, statements, vals};
use crate::ledger::undo::split_range;
use crate::ledger::{Event, Executor, Range};
use crate::sync_rows::{self, SourceAccount};

statements! {
    /// Whether a later run changed the account, too.
    LATER_CHANGES = "SELECT 1 FROM sync_plans p
        WHERE p.family_id = $1 AND p.account_id = $2 AND p.sync_id <> $3 AND p.created_at >= $4
            AND p.undone_at IS NULL AND (p.first_entry_id IS NOT NULL
                OR EXISTS (SELECT 1 FROM sync_images i WHERE i.family_id = $1
                    AND i.sync_id = p.sync_id AND i.account_id = $2)) LIMIT 1";
    /// How many entries go, and how many were changed since.
    ADDED_COUNTS = "SELECT
            CAST(COALESCE(SUM(CASE WHEN e.changed_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT),
            CAST(COALESCE(SUM(CASE WHEN e.changed_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT)
        FROM ledger_entries e WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3";
    /// Rows of entries that go.
    ADDED_ROWS_REMOVE = "DELETE FROM sync_rows
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3
            AND entry_id IN (SELECT e.id FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3 AND e.changed_at IS NULL)";
    /// Questions about entries that go.
    ADDED_SUGGESTIONS_REMOVE = "DELETE FROM sync_suggestions
        WHERE family_id = $1 AND other_id >= $2 AND other_id <= $3";
    /// What is left of the entries that the run added.
    PLAN_RANGE = "UPDATE sync_plans SET first_entry_id = $1, last_entry_id = $2
        WHERE family_id = $3 AND sync_id = $4 AND account_id = $5";
    /// How many changes there are to take back.
    IMAGES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM sync_images
        WHERE family_id = $1 AND sync_id = $2 AND account_id = $3";
    /// Images that are taken back.
    IMAGES_LAST_REMOVE = "DELETE FROM sync_images
        WHERE family_id = $1 AND sync_id = $2 AND account_id = $3 AND number >= $4";
    /// The run is undone in the account.
    PLAN_UNDONE = "UPDATE sync_plans SET undone_at = $1, revert_status = NULL
        WHERE family_id = $2 AND sync_id = $3 AND account_id = $4";
    /// Whether the account of a run of a connection isn't linked with its provider any more.
    ACCOUNT_UNLINKED = "SELECT 1 FROM syncs s
        WHERE s.family_id = $1 AND s.id = $2 AND s.connection_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM connection_accounts a
                JOIN connections c ON c.family_id = $1 AND c.id = a.connection_id
                WHERE a.family_id = $1 AND a.account_id = $3 AND c.provider = $4
                    AND NOT c.scheduled_for_deletion)";
    /// The undo of a run begins, or is given up.
    PLANS_MARK = "UPDATE sync_plans SET revert_status = $1
        WHERE family_id = $2 AND sync_id = $3 AND undone_at IS NULL";
}

/// Images that are in memory at a time.
const IMAGES_MAX: i64 = 1_000;

/// What an undo does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UndoOutcome {
    /// How many entries go.
    pub removed: u64,
    /// Changes that are taken back.
    pub restored: u64,
    /// Entries and values that stay because a person has changed them since.
    pub kept: u64,
    /// The day up to which each account is known from then on.
    pub watermarks: Vec<(AccountId, Option<Date>)>,
}

/// What an undo would do now. Values that a person changed since count as restored here.
pub fn preview(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    let mut outcome = UndoOutcome::default();
    for plan in newest_plans(tx, sync)? {
        if let Some(range) = plan.range {
            count_added(tx, range, &mut outcome)?;
        }
        let key = vals![tx.family(), sync, plan.account];
        outcome.restored += tx.query_one(&IMAGES_COUNT, key, |row| row.count(0))?;
        outcome.watermarks.push((plan.account, plan.watermark_before));
    }
    Ok(outcome)
}

/// Takes back what a run did, in the caller's transaction.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts, too.
pub fn undo(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    let mut outcome = UndoOutcome::default();
    while !undo_more(tx, sync, u64::MAX, &mut outcome)? {}
    Ok(outcome)
}

/// Takes back the next part of what a run did: at most so many entries or changes. True if nothing
/// was left. Whatever stops an undo, what is gone is asked for again: the watermark goes back with
/// the first part of an account.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts meanwhile.
pub fn undo_more(
    tx: &mut FamilyTx<'_>,
    sync: SyncId,
    changes_max: u64,
    outcome: &mut UndoOutcome,
) -> Result<bool> {
    let Some(plan) = newest_plans(tx, sync)?.into_iter().next() else { return Ok(true) };
    let watermark = (plan.account, plan.watermark_before);
    if outcome.watermarks.last() != Some(&watermark) {
        outcome.watermarks.push(watermark);
    }
    match plan.range {
        Some(range) => remove_added(tx, sync, (&plan, range), changes_max, outcome)?,
        None => take_images_back(tx, sync, &plan, changes_max, outcome)?,
    }
    Ok(false)
}

/// How far the undo of a run is; `None` if there was none.
pub fn status(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Option<RevertStatus>> {
    let plans = of_sync(tx, sync)?;
    // The least of what the accounts have, so that it is done when it is done in each.
    Ok(plans.into_iter().filter_map(|plan| plan.revert_status).min())
}

/// Begins an undo again that was given up. False if nothing is left to undo.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts meanwhile.
pub fn take_up_again(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<bool> {
    newest_plans(tx, sync)?;
    mark(tx, sync, RevertStatus::Reverting)
}

/// Notes that the undo of a run is under way, or was given up. False if nothing is left to undo.
pub fn mark(tx: &mut FamilyTx<'_>, sync: SyncId, status: RevertStatus) -> Result<bool> {
    let family = tx.family();
    Ok(tx.execute(&PLANS_MARK, vals![status.as_str(), family, sync])? > 0)
}

/// The plans of a run that can be undone.
fn newest_plans(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<StoredPlan>> {
    let family = tx.family();
    let mut plans = of_sync(tx, sync)?;
    plans.retain(|plan| plan.undone_at.is_none());
    for plan in &plans {
        let values = vals![family, plan.account, sync, plan.created_at];
        if tx.query_opt(&LATER_CHANGES, values, |_| Ok(()))?.is_some() {
            return Err(Error::Conflict {
                code: "sync_not_newest",
                message: "A later sync changed the same account: undo that one first".to_owned(),
            });
        }
    }
    Ok(plans)
}

fn count_added(tx: &mut FamilyTx<'_>, range: Range, outcome: &mut UndoOutcome) -> Result<()> {
    let key = vals![tx.family(), range.0, range.1];
    let (removed, kept) =
        tx.query_one(&ADDED_COUNTS, key, |row| Ok((row.count(0)?, row.count(1)?)))?;
    outcome.removed += removed;
    outcome.kept += kept;
    Ok(())
}

/// Removes the first entries of the range that the run added.
fn remove_added(
    tx: &mut FamilyTx<'_>,
    sync: SyncId,
    (plan, range): (&StoredPlan, Range),
    entries_max: u64,
    outcome: &mut UndoOutcome,
) -> Result<()> {
    let family = tx.family();
    let (part, rest) = split_range(tx, range, entries_max)?;
    count_added(tx, part, outcome)?;
    tx.execute(&ADDED_ROWS_REMOVE, vals![family, part.0, part.1])?;
    tx.execute(&ADDED_SUGGESTIONS_REMOVE, vals![family, part.0, part.1])?;
    let mut executor = Executor::begin(tx, 0)?;
    executor.count_out_range(tx, part)?;
    executor.delete_range(tx, part, &|_| ())?;
    finish(tx, executor, sync, plan)?;
    let (first, last) = rest.unzip();
    tx.execute(&PLAN_RANGE, vals![first, last, family, sync, plan.account]).map(drop)
}

/// Takes back the last changes that are left, the last one first. After them the run is undone in
/// the account.
fn take_images_back(
    tx: &mut FamilyTx<'_>,
    sync: SyncId,
    plan: &StoredPlan,
    changes_max: u64,
    outcome: &mut UndoOutcome,
) -> Result<()> {
    let (family, account) = (tx.family(), plan.account);
    let count = i64::try_from(changes_max).unwrap_or(i64::MAX).clamp(1, IMAGES_MAX);
    let images = tx.query(&IMAGES_BY_PLAN, vals![family, sync, account, count], |row| {
        let image: Image = serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        Ok((row.int(0)?, image))
    })?;
    let is_last = images.len() as i64 != count;
    if let Some(&(lowest, _)) = images.last() {
        let comes_back = |image: &Image| matches!(image, Image::Removed { .. });
        let added = images.iter().filter(|(_, image)| comes_back(image)).count();
        let mut undoing = Undoing {
            of: SourceAccount { account, source: &plan.source },
            executor: Executor::begin(tx, added as u64)?,
            rows: Inserter::new(&sync_rows::ROWS),
        };
        for (_, image) in images {
            match undoing.take_back(tx, image)? {
                true => outcome.restored += 1,
                false => outcome.kept += 1,
            }
        }
        undoing.rows.flush(tx)?;
        finish(tx, undoing.executor, sync, plan)?;
        tx.execute(&IMAGES_LAST_REMOVE, vals![family, sync, account, lowest])?;
    }
    if is_last {
        let now = tx.now();
        tx.execute(&PLAN_UNDONE, vals![now, family, sync, account])?;
        let key = vals![family, sync, account, plan.source.as_str()];
        if tx.query_opt(&ACCOUNT_UNLINKED, key, |_| Ok(()))?.is_some() {
            // What is pending again nobody would ever book.
            withdraw_pending(tx, SourceAccount { account, source: &plan.source })?;
        }
    }
    Ok(())
}

fn finish(
    tx: &mut FamilyTx<'_>,
    executor: Executor,
    sync: SyncId,
    plan: &StoredPlan,
) -> Result<()> {
    let event = Event {
        actor: tx.actor(),
        action: "sync.undo",
        subject_kind: "sync",
        subject_id: sync.0,
        details: json!({ "account": plan.account, "source": plan.source }),
    };
    executor.finish(tx, event).map(drop)
}
