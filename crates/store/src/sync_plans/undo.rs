//! Undoing what a run did in its accounts.
//!
//! Only the newest run of an account can be undone: what later ones did stands on it. Entries that
//! it added go, unless a person has changed them since; fields that followed the bank follow back,
//! unless a person has set them; pending entries that went are there again. What a person deleted
//! stays deleted.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SyncId};
use purser_core::ledger::entry::ValuationKind;
use purser_core::plan::{
    Change, SourceUpdate, Target, TransactionDraft, ValuationDraft, ValuationRevision,
};
use purser_core::sync::SourceRow;
use serde_json::json;
use uuid::Uuid;

use super::images::{EntryImage, Image, RowImage};
use super::{IMAGES_BY_PLAN, StoredPlan, of_sync};
use super::{facts, securities};
use crate::access::FamilyTx;
use crate::driver::{Inserter, statements, vals};
use crate::ledger::{Event, Executor};
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
    /// What is known of a row by now.
    ROW_NOW = "SELECT external_id, date, amount, currency, name, pending FROM sync_rows
        WHERE family_id = $1 AND entry_id = $2 AND source = $3";
    /// The value of a valuation by now.
    VALUE_NOW = "SELECT amount FROM ledger_entries WHERE family_id = $1 AND id = $2 AND kind = 1";
    /// How many changes there are to take back.
    IMAGES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM sync_images
        WHERE family_id = $1 AND sync_id = $2 AND account_id = $3";
    /// The run is undone in the account.
    PLAN_UNDONE = "UPDATE sync_plans SET undone_at = $1
        WHERE family_id = $2 AND sync_id = $3 AND account_id = $4";
    /// Images that are taken back.
    IMAGES_OF_PLAN_REMOVE = "DELETE FROM sync_images
        WHERE family_id = $1 AND sync_id = $2 AND account_id = $3";
}

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
    for plan in plans(tx, sync)? {
        count_added(tx, &plan, &mut outcome)?;
        let key = vals![tx.family(), sync, plan.account];
        outcome.restored += tx.query_one(&IMAGES_COUNT, key, |row| row.count(0))?;
        outcome.watermarks.push((plan.account, plan.watermark_before));
    }
    Ok(outcome)
}

/// Takes back what a run did.
///
/// # Errors
/// `sync_not_newest` if a later run has changed one of the accounts, too.
pub fn undo(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<UndoOutcome> {
    let mut outcome = UndoOutcome::default();
    for plan in plans(tx, sync)? {
        undo_plan(tx, sync, &plan, &mut outcome)?;
        outcome.watermarks.push((plan.account, plan.watermark_before));
    }
    Ok(outcome)
}

/// The plans of a run that can be undone.
fn plans(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<StoredPlan>> {
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

fn images(tx: &mut FamilyTx<'_>, sync: SyncId, account: AccountId) -> Result<Vec<Image>> {
    let family = tx.family();
    tx.query(&IMAGES_BY_PLAN, vals![family, sync, account], |row| {
        serde_json::from_str(row.text(0)?).map_err(Error::internal)
    })
}

fn count_added(tx: &mut FamilyTx<'_>, plan: &StoredPlan, outcome: &mut UndoOutcome) -> Result<()> {
    let Some((first, last)) = plan.range else { return Ok(()) };
    let family = tx.family();
    let (removed, kept) = tx.query_one(&ADDED_COUNTS, vals![family, first, last], |row| {
        Ok((row.count(0)?, row.count(1)?))
    })?;
    outcome.removed += removed;
    outcome.kept += kept;
    Ok(())
}

fn undo_plan(
    tx: &mut FamilyTx<'_>,
    sync: SyncId,
    plan: &StoredPlan,
    outcome: &mut UndoOutcome,
) -> Result<()> {
    let family = tx.family();
    let images = images(tx, sync, plan.account)?;
    let restored = images.iter().filter(|image| matches!(image, Image::Removed { .. })).count();
    let mut undoing = Undoing {
        of: SourceAccount { account: plan.account, source: &plan.source },
        executor: Executor::begin(tx, restored as u64)?,
        rows: Inserter::new(&sync_rows::ROWS),
    };
    count_added(tx, plan, outcome)?;
    if let Some(range) = plan.range {
        tx.execute(&ADDED_ROWS_REMOVE, vals![family, range.0, range.1])?;
        tx.execute(&ADDED_SUGGESTIONS_REMOVE, vals![family, range.0, range.1])?;
        undoing.executor.count_out_range(tx, range)?;
        undoing.executor.delete_range(tx, range, &|_| ())?;
    }
    for image in images {
        match undoing.take_back(tx, image)? {
            true => outcome.restored += 1,
            false => outcome.kept += 1,
        }
    }
    undoing.rows.flush(tx)?;
    let event = Event {
        actor: tx.actor(),
        action: "sync.undo",
        subject_kind: "sync",
        subject_id: sync.0,
        details: json!({ "account": plan.account, "source": plan.source }),
    };
    undoing.executor.finish(tx, event)?;
    let now = tx.now();
    tx.execute(&PLAN_UNDONE, vals![now, family, sync, plan.account])?;
    tx.execute(&IMAGES_OF_PLAN_REMOVE, vals![family, sync, plan.account]).map(drop)
}

struct Undoing<'a> {
    of: SourceAccount<'a>,
    executor: Executor,
    rows: Inserter,
}

impl Undoing<'_> {
    /// Takes one change back; false if a person has changed the same since.
    fn take_back(&mut self, tx: &mut FamilyTx<'_>, image: Image) -> Result<bool> {
        match image {
            Image::Row(row) => self.follow_back(tx, &row),
            Image::Claimed { entry, was_touched } => {
                sync_rows::remove(tx, self.of.source, entry)?;
                if !was_touched && facts::touched(tx, entry)?.is_some() {
                    self.executor.release_claim(tx, entry)?;
                }
                Ok(true)
            }
            Image::Removed { row, entry } => self.add_again(tx, row, &entry),
            Image::Holding(image) => securities::take_back(tx, &mut self.executor, self.of, image),
            Image::Valued { entry, amount, replaced, anchor } => {
                self.value_back(tx, (entry, amount), replaced, anchor)
            }
        }
    }

    fn follow_back(&mut self, tx: &mut FamilyTx<'_>, image: &RowImage) -> Result<bool> {
        let (family, RowImage { entry, row, .. }) = (tx.family(), image);
        let key = vals![family, *entry, self.of.source];
        let now = tx.query_opt(&ROW_NOW, key, |row| {
            Ok(SourceRow {
                id: row.opt_string(0)?,
                date: row.date(1)?,
                amount: row.int(2)?,
                currency: row.currency(3)?,
                name: row.string(4)?,
                pending: row.bool(5)?,
            })
        })?;
        let Some(now) = now else { return Ok(false) };
        if now != *row {
            let source = self.of.source;
            let update =
                SourceUpdate { entry: *entry, source, before: &now, after: row, notes: None };
            if facts::touched(tx, *entry)?.is_some() {
                self.executor.apply(tx, &Change::FollowSource(update))?;
            } else {
                self.executor.follow_origin(tx, &update)?;
            }
        }
        let known = (row, image.absences, image.absent_on);
        sync_rows::update(tx, self.of.source, *entry, known)?;
        Ok(true)
    }

    /// A pending entry is there again, under another id.
    fn add_again(
        &mut self,
        tx: &mut FamilyTx<'_>,
        image: RowImage,
        entry: &EntryImage,
    ) -> Result<bool> {
        let RowImage { row, absences, absent_on, .. } = image;
        let target = |id: &Uuid| Target::Existing(*id);
        let tags: Vec<Target> = entry.tags.iter().map(target).collect();
        let draft = TransactionDraft {
            account: Target::Existing(self.of.account.0),
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            rate: None,
            name: &entry.name,
            source_name: (entry.name != row.name).then_some(row.name.as_str()),
            notes: entry.notes.as_deref(),
            category: entry.category.as_ref().map(target),
            merchant: entry.merchant.as_ref().map(target),
            tags: &tags,
            excluded: entry.excluded,
            source: Some(self.of.source),
            external_id: row.id.as_deref(),
        };
        let added = self.executor.apply(tx, &Change::AddPending(draft))?.entry;
        sync_rows::push(tx, &mut self.rows, self.of, (added, &row))?;
        self.rows.flush(tx)?;
        sync_rows::update(tx, self.of.source, added, (&row, absences, absent_on))?;
        Ok(true)
    }

    fn value_back(
        &mut self,
        tx: &mut FamilyTx<'_>,
        (entry, amount): (EntryId, i64),
        replaced: Option<i64>,
        anchor: Option<(Date, i64)>,
    ) -> Result<bool> {
        let family = tx.family();
        let now = tx.query_opt(&VALUE_NOW, vals![family, entry], |row| row.int(0))?;
        if now != Some(amount) {
            return Ok(false);
        }
        if let Some(before) = replaced {
            let revision =
                ValuationRevision { entry, date: None, amount: Some(before), notes: None };
            self.executor.apply(tx, &Change::ReviseValuation(revision))?;
            return Ok(true);
        }
        self.executor.apply(tx, &Change::RemoveValuation { entry })?;
        let Some((date, before)) = anchor else { return Ok(true) };
        // Where a person has removed the waypoint, there is no anchor to go back to.
        if facts::around(tx, self.of.account, date)?.stated_by_person {
            let draft = ValuationDraft {
                account: Target::Existing(self.of.account.0),
                date,
                amount: before,
                kind: ValuationKind::CurrentAnchor,
                notes: None,
            };
            self.executor.apply(tx, &Change::SetValuation(draft))?;
        }
        Ok(true)
    }
}
