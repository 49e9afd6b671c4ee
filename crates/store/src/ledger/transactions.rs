//! Adding transactions: the hot loop of an import.

use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::locks::Locks;
use purser_core::money::Money;
use purser_core::plan::{Target, TransactionDraft};

use super::conversions::Booking;
use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val};

pub(crate) static ENTRIES: Bulk = Bulk {
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
        ("has_origin", ColumnType::Bool),
        ("pending", ColumnType::Bool),
        ("locked", ColumnType::Int),
        ("source", ColumnType::Text),
        ("external_id", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

pub(crate) static ENTRY_TAGS: Bulk = Bulk {
    table: "entry_tags",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("tag_id", ColumnType::Uuid),
    ],
};

impl Executor {
    /// Adds one transaction that nobody has changed yet. See [`Executor::insert_transaction`].
    pub(super) fn add_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        draft: &TransactionDraft<'_>,
        is_pending: bool,
    ) -> Result<Applied> {
        self.insert_transaction(tx, draft, (is_pending, Locks::NONE, draft.source_name.is_some()))
    }

    /// Adds one transaction with the fields that are locked in it; `has_origin` if an origin is
    /// kept beside it. An amount in another currency than the account's is booked at the best
    /// rate of its day; what the bank has not booked yet counts as nothing.
    pub(super) fn insert_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        draft: &TransactionDraft<'_>,
        (is_pending, locks, has_origin): (bool, Locks, bool),
    ) -> Result<Applied> {
        let account_id = self.resolve(draft.account)?;
        let currency = self.accounts.touch(tx, account_id)?.currency;
        let original = Money::new(draft.amount, draft.currency);
        let booking = match is_pending {
            true => Booking::pending(original),
            false => self.booking(tx, original, currency, draft.date, draft.rate)?,
        };
        self.count_in(tx, account_id, draft.date, booking.amount())?;

        let id = self.next_entry_id()?;
        let category = draft.category.map(|target| self.resolve(target)).transpose()?;
        let merchant = draft.merchant.map(|target| self.resolve(target)).transpose()?;
        if let Some(name) = draft.source_name {
            self.keep_source_name(tx, id, account_id, draft, name)?;
        }
        let now = tx.now();
        self.entries.push(
            tx,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account_id),
                Val::Int(EntryKind::Transaction.code()),
                draft.date.into(),
                Val::Int(draft.amount),
                Val::Text(draft.currency.code()),
                booking.booked.into(),
                Val::Text(draft.name),
                draft.notes.into(),
                category.into(),
                merchant.into(),
                Val::Bool(draft.excluded),
                Val::Bool(has_origin),
                Val::Bool(is_pending),
                Val::Int(locks.bits()),
                draft.source.into(),
                draft.external_id.into(),
                now.into(),
                now.into(),
            ],
        )?;
        self.tag(tx, EntryId(id), draft.tags)?;
        if booking.is_converted() {
            self.add_conversion(tx, id, account_id, draft.date, &booking)?;
        }
        Ok(Applied { entry: EntryId(id), existed: false })
    }

    pub(super) fn tag(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        tags: &[Target],
    ) -> Result<()> {
        for tag in tags {
            let tag = self.resolve(*tag)?;
            if self.entry_tags.is_batch_due() {
                // A link may not arrive before its entry.
                self.flush_entries(tx)?;
            }
            let link = [self.family.into(), Val::Uuid(entry.0), Val::Uuid(tag)];
            self.entry_tags.push(tx, &link)?;
        }
        Ok(())
    }
}
