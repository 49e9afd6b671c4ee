//! Transactions that come with their parts: those of a file that states them.
//!
//! Whole and parts have consecutive ids, so an undo finds all of them in the range of the import.
//! None of them counts as changed.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::split::share;
use purser_core::money::Money;
use purser_core::plan::{PartDraft, TransactionDraft};
use uuid::Uuid;

use super::splits::ADDED_SPLIT_MARK;
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val};

pub(crate) static PARTS_ADDED: Bulk = Bulk {
    table: "entries",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("kind", ColumnType::Int),
        ("date", ColumnType::Int),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("booked", ColumnType::Int),
        ("name", ColumnType::Text),
        ("notes", ColumnType::Text),
        ("category_id", ColumnType::Uuid),
        ("merchant_id", ColumnType::Uuid),
        ("excluded", ColumnType::Bool),
        ("parent_id", ColumnType::Uuid),
        ("pending", ColumnType::Bool),
        ("locked", ColumnType::Int),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

impl Executor {
    /// Adds a transaction with its parts. They are entries of the same plan, so an undo takes them
    /// away with it.
    pub(super) fn add_split(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &TransactionDraft<'_>,
        parts: &[PartDraft<'_>],
    ) -> Result<Applied> {
        let applied = self.add_transaction(tx, whole, false)?;
        let account = self.resolve(whole.account)?;
        let merchant = whole.merchant.map(|target| self.resolve(target)).transpose()?;
        let amounts: Vec<i64> = parts.iter().map(|part| part.amount).collect();
        if amounts.iter().map(|amount| i128::from(*amount)).sum::<i128>() != whole.amount.into() {
            return Err(Error::internal("the parts of a transaction don't add up to it"));
        }
        let booked = self.booked_shares(tx, whole, account, &amounts)?;
        let now = tx.now();
        for (at, part) in parts.iter().enumerate() {
            let id = self.next_entry_id()?;
            let category = part.category.map(|target| self.resolve(target)).transpose()?;
            if self.parts.is_batch_due() {
                // A part may not arrive before its transaction.
                self.entries.flush(tx)?;
            }
            let row = [
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account),
                Val::Int(EntryKind::Part.code()),
                whole.date.into(),
                Val::Int(part.amount),
                Val::Text(whole.currency.code()),
                booked.as_ref().and_then(|booked| booked.get(at).copied()).into(),
                Val::Text(whole.name),
                part.notes.into(),
                category.into(),
                merchant.into(),
                Val::Bool(whole.excluded),
                Val::Uuid(applied.entry.0),
                Val::Bool(false),
                Val::Int(0),
                now.into(),
                now.into(),
            ];
            self.parts.push(tx, &row)?;
            self.parts_added = Some((self.parts_added.map_or(id, |(first, _)| first), id));
            let own = part.tag.filter(|tag| !whole.tags.contains(tag));
            match own {
                Some(own) => self.tag(tx, EntryId(id), &[whole.tags, &[own]].concat())?,
                None => self.tag(tx, EntryId(id), whole.tags)?,
            }
        }
        let listed = i64::try_from(parts.len()).map_err(Error::internal)? - 1;
        let deltas = &mut self.accounts.touch(tx, account)?.deltas;
        deltas.entry(whole.date).or_default().transactions += listed;
        Ok(applied)
    }

    /// What parts of such amounts are booked as; none in the account's own currency.
    pub(super) fn booked_shares(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: &TransactionDraft<'_>,
        account: Uuid,
        amounts: &[i64],
    ) -> Result<Option<Vec<i64>>> {
        let currency = self.accounts.touch(tx, account)?.currency;
        if whole.currency == currency {
            return Ok(None);
        }
        let original = Money::new(whole.amount, whole.currency);
        let booking = self.booking(tx, original, currency, whole.date, whole.rate)?;
        Ok(Some(share(booking.amount(), whole.amount, amounts)))
    }

    /// Sends the transactions that were added, then their parts; gives how many transactions there
    /// are.
    pub(super) fn flush_entries(&mut self, tx: &mut FamilyTx<'_>) -> Result<u64> {
        let transactions = self.entries.flush(tx)?;
        self.parts.flush(tx)?;
        if let Some((first, last)) = self.parts_added.take() {
            let range = [self.family.into(), Val::Uuid(first), Val::Uuid(last)];
            tx.execute(&ADDED_SPLIT_MARK, &range)?;
        }
        Ok(transactions)
    }
}
