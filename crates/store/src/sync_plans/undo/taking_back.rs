//! Taking back one change after another, by the image of what was before it.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::ledger::entry::ValuationKind;
use purser_core::plan::{
    Change, SourceUpdate, Target, TransactionDraft, ValuationDraft, ValuationRevision,
};
use purser_core::sync::SourceRow;
use uuid::Uuid;

use super::super::images::{EntryImage, Image, RowImage};
use super::super::{facts, securities};
use crate::access::FamilyTx;
use crate::driver::{Inserter, statements, vals};
use crate::ledger::Executor;
use crate::sync_rows::{self, SourceAccount};

statements! {
    /// What is known of a row by now.
    ROW_NOW = "SELECT external_id, date, amount, currency, name, pending FROM sync_rows
        WHERE family_id = $1 AND entry_id = $2 AND source = $3";
    /// The value of a valuation by now.
    VALUE_NOW = "SELECT amount FROM ledger_entries WHERE family_id = $1 AND id = $2 AND kind = 1";
}

/// What takes changes in an account back.
pub(super) struct Undoing<'a> {
    pub(super) of: SourceAccount<'a>,
    pub(super) executor: Executor,
    pub(super) rows: Inserter,
}

impl Undoing<'_> {
    /// Takes one change back; false if a person has changed the same since.
    pub(super) fn take_back(&mut self, tx: &mut FamilyTx<'_>, image: Image) -> Result<bool> {
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
        let is_there = facts::touched(tx, *entry)?.is_some();
        if let Some(notes) = image.notes.as_deref().filter(|_| is_there) {
            self.executor.take_notes_back(tx, *entry, notes)?;
        }
        if now != *row {
            let source = self.of.source;
            let update =
                SourceUpdate { entry: *entry, source, before: &now, after: row, notes: None };
            if is_there {
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
