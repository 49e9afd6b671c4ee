//! Adding the entries of a file, all at once or part by part.

use std::cell::Cell;

use purser_core::error::{Error, Result};
use purser_core::import::native::{Record, RecordType, RecordTypes, Trade};
use purser_core::plan::{Change, Target, ValuationDraft};
use purser_store::FamilyTx;
use purser_store::ledger::{RestoredTombstone, RestoredTrade};

use super::entries::Pointers;
use super::publication::Publication;
use crate::imports::parts::TooMuch;

/// The number of rows after which progress is reported.
const PROGRESS_ROWS: u64 = 1000;
/// The number of rows after which it is looked how much was written.
const LOOK_ROWS: u64 = 64;

impl Publication {
    /// Entries that were there already may be sides of transfers, too.
    pub(in crate::imports) fn find_entries(&mut self) -> Result<()> {
        let basis = self.basis.clone();
        let counts = &basis.counts;
        if counts.matched_by_id + counts.matched_by_content == 0 || self.entries.is_empty() {
            return Ok(());
        }
        let wanted = RecordTypes::of(&[RecordType::Transaction, RecordType::Trade]);
        basis.source.visit_types(
            wanted,
            1,
            |_| false,
            |visited| {
                let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
                let id = match record {
                    Some(Record::Transaction(one)) => Some(&one.id),
                    Some(Record::Trade(one)) => one.id.as_ref(),
                    _ => None,
                };
                let Some(place) = id.and_then(|id| basis.collected.side(id)) else { return Ok(()) };
                let planned = basis.blocks.get(visited.row)?;
                if let Some(entry) = planned.record.filter(|_| planned.verdict.matches())
                    && let Some(place) = self.entries.get_mut(place)
                {
                    *place = entry;
                }
                Ok(())
            },
        )
    }

    /// Adds the entries of some rows from the row `first` (counted from 1) on, and returns how many
    /// rows that were. In parts it ends early when much was written; in one commit the publish
    /// fails then: see [`TooMuch`]. `progress` is called with the number of rows done.
    pub(in crate::imports) fn add_entries(
        &mut self,
        tx: &mut FamilyTx<'_>,
        (first, count): (u64, u64),
        progress: &dyn Fn(u64),
    ) -> Result<u64> {
        use RecordType as T;
        let is_in_parts = self.is_in_parts();
        let types = RecordTypes::of(&[T::Transaction, T::Trade, T::Valuation])
            .with_if(!is_in_parts, &[T::Tombstone]);
        let basis = self.basis.clone();
        let end = Cell::new(first.saturating_add(count));
        basis.source.visit_types(
            types,
            first,
            |row| row + 1 >= end.get(),
            |visited| {
                let row = visited.row;
                if row.is_multiple_of(PROGRESS_ROWS) {
                    progress(row);
                }
                let record = visited.outcome.as_ref().ok().and_then(|found| found.native());
                if let Some(record) = record
                    && self.creates(row)?
                    && !(is_in_parts && self.waits(record))
                {
                    self.entry(tx, record)?;
                }
                if row.is_multiple_of(LOOK_ROWS) && tx.has_filled_log() {
                    if !is_in_parts {
                        return Err(Error::internal(TooMuch));
                    }
                    end.set(row + 1);
                }
                Ok(())
            },
        )?;
        if is_in_parts {
            self.executor.end_part(tx)?;
        }
        Ok(end.get() - first)
    }

    /// Whether a record would be seen if it came in a part.
    pub(super) fn waits(&self, record: &Record) -> bool {
        match record {
            Record::Valuation(one) => {
                self.basis.decisions.existing(RecordType::Account, &one.facts.account).is_some()
            }
            Record::Tombstone(_) => true,
            _ => false,
        }
    }

    pub(super) fn entry(&mut self, tx: &mut FamilyTx<'_>, record: &Record) -> Result<()> {
        let basis = self.basis.clone();
        let pointers = Pointers { collected: &basis.collected, ids: &self.ids };
        let (id, entry) = match record {
            Record::Transaction(one) => {
                self.missing_labels += pointers.missing_labels(one);
                (&one.id, pointers.add_transaction(tx, &mut self.executor, one)?)
            }
            Record::Trade(one) => {
                let trade = pointers.add_trade(tx, &mut self.executor, one)?;
                let Some(id) = &one.id else {
                    // Nothing else can name it.
                    let has_more = trade.lots.is_some() || trade.recorded_at.is_some();
                    let trades = if has_more { &[trade][..] } else { &[] };
                    return self.executor.complete_trades(tx, trades);
                };
                (id, trade.entry)
            }
            Record::Valuation(one) => {
                let draft = ValuationDraft {
                    account: Target::Existing(pointers.account(&one.facts.account)?.0),
                    date: one.facts.date,
                    amount: one.facts.amount,
                    kind: one.kind,
                    notes: Some(one.notes.clone()),
                };
                return self.executor.apply(tx, &Change::SetValuation(draft)).map(drop);
            }
            Record::Tombstone(one) => {
                let facts = &one.facts;
                let tombstone = RestoredTombstone {
                    account: pointers.account(&facts.account)?,
                    kind: one.kind,
                    date: facts.date,
                    amount: facts.amount,
                    currency: facts.currency,
                    name: &facts.name,
                    source: facts.source.as_deref(),
                    external_id: facts.external_id.as_deref(),
                    deleted_at: one.deleted_at,
                };
                return self.executor.restore_tombstone(tx, basis.import.id, &tombstone);
            }
            _ => return Ok(()),
        };
        if let Some(place) = basis.collected.side(id).and_then(|at| self.entries.get_mut(at)) {
            *place = entry.0;
        }
        Ok(())
    }

    /// Whether some trades have something beside their terms.
    pub(in crate::imports) fn has_belongings(&self) -> bool {
        self.basis.collected.has_belongings
    }

    /// Writes what trades of some rows have beside their terms, once all entries are there, and
    /// returns how many rows that were.
    pub(in crate::imports) fn add_belongings(
        &mut self,
        tx: &mut FamilyTx<'_>,
        (first, count): (u64, u64),
    ) -> Result<u64> {
        let basis = self.basis.clone();
        let is_in_parts = self.is_in_parts();
        let end = Cell::new(first.saturating_add(count));
        let wanted = RecordTypes::of(&[RecordType::Trade]);
        basis.source.visit_types(
            wanted,
            first,
            |row| row + 1 >= end.get(),
            |visited| {
                let row = visited.row;
                let record = visited.outcome.as_ref().ok().and_then(|found| found.native());
                if let Some(Record::Trade(one)) = record
                    && one.has_belongings()
                    && self.creates(row)?
                {
                    let trade = self.belongings_of(one)?;
                    self.executor.complete_trades(tx, trade.as_slice())?;
                }
                if row.is_multiple_of(LOOK_ROWS) && is_in_parts && tx.has_filled_log() {
                    end.set(row + 1);
                }
                Ok(())
            },
        )?;
        Ok(end.get() - first)
    }

    fn belongings_of(&self, one: &Trade) -> Result<Option<RestoredTrade>> {
        let Some(entry) = one.id.as_ref().and_then(|id| self.entry_of(id)) else { return Ok(None) };
        let pointers = Pointers { collected: &self.basis.collected, ids: &self.ids };
        Ok(Some(RestoredTrade {
            entry,
            security: pointers.security(&one.security)?,
            date: one.facts.date,
            counterpart: one.counterpart.as_ref().and_then(|id| self.entry_of(id)),
            lots: one.lots.clone(),
            recorded_at: one.recorded_at,
        }))
    }
}
