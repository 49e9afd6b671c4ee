//! Origins of transactions: the fields that the source reported, kept from the first change on.
//!
//! A row of a later file is recognised by them, whatever a person made of the transaction since.
//! The origin of a transaction that was deleted is its tombstone: the same row doesn't come again.
//! Unchanged transactions have none: their own columns are those of the source. Those of trades are
//! in [`super::trade_origins`].

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::Locks;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::transactions::LoadedTransaction;

statements! {
    /// A transaction as it is.
    TRANSACTION_NOW = "SELECT account_id, date, amount, currency, name, notes, category_id,
            external_id, has_origin, locked, merchant_id, excluded, COALESCE(booked, amount),
            is_split, kind = 3, source, pending
        FROM ledger_entries WHERE family_id = $1 AND id = $2 AND kind IN (0, 3)";
    /// The tags that it has.
    TRANSACTION_TAGS = "SELECT tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = $2 ORDER BY tag_id";
    /// Inserts an origin, unless there is one already.
    ORIGIN_INSERT = "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount,
            currency, name, external_id, source, deleted_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL)
        ON CONFLICT (family_id, entry_id) DO NOTHING";
    /// Marks an entry as changed by a person.
    ENTRY_MARK = "UPDATE entries SET changed_at = COALESCE(changed_at, $1), has_origin = TRUE,
            updated_at = $1
        WHERE family_id = $2 AND id = $3";
    /// The transaction is gone, and shall not come again.
    ORIGIN_DELETED = "UPDATE entry_origins SET deleted_at = $1
        WHERE family_id = $2 AND entry_id = $3 AND deleted_at IS NULL";
}

/// Notes that a person decided something about a transaction that is beside it, such as a transfer:
/// from then on an undo of its import leaves it alone.
pub(crate) fn mark_decided(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
    let family = tx.family();
    CurrentTransaction::of(tx, entry)?.keep_origin(tx)?;
    let now = tx.now();
    tx.execute(&ENTRY_MARK, &[now.into(), family.into(), entry.into()]).map(drop)
}

/// A transaction as it is before a change.
pub(crate) struct CurrentTransaction {
    pub(super) id: EntryId,
    pub(super) account: Uuid,
    pub(super) date: Date,
    pub(super) amount: i64,
    pub(super) currency: Currency,
    /// In the account's currency.
    pub(super) booked: i64,
    pub(super) name: String,
    pub(super) notes: Option<String>,
    pub(super) category: Option<Uuid>,
    pub(super) external_id: Option<String>,
    pub(super) source: Option<String>,
    pub(super) merchant: Option<Uuid>,
    pub(super) is_excluded: bool,
    pub(super) locked: Locks,
    pub(super) has_origin: bool,
    pub(super) is_split: bool,
    pub(super) is_part: bool,
    /// Whether the bank has not booked it yet.
    pub(super) is_pending: bool,
    pub(super) tags: Vec<Uuid>,
}

impl CurrentTransaction {
    /// Reads a transaction, which must be there.
    pub(super) fn of(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Self> {
        let family = tx.family();
        let key = [family.into(), id.into()];
        let mut standing = tx
            .query_opt(&TRANSACTION_NOW, &key, |row| Self::read(id, row))?
            .ok_or(Error::NotFound { what: "Transaction" })?;
        standing.tags = tx.query(&TRANSACTION_TAGS, &key, |row| row.uuid(0))?;
        Ok(standing)
    }

    /// The same from a transaction that was read to be shown.
    pub(crate) fn of_loaded(loaded: &LoadedTransaction) -> Self {
        let LoadedTransaction { transaction, booked, has_origin } = loaded;
        let mut tags: Vec<Uuid> = transaction.tags.iter().map(|tag| tag.id.0).collect();
        tags.sort_unstable();
        Self {
            id: transaction.id,
            account: transaction.account.id.0,
            date: transaction.date,
            amount: transaction.amount,
            currency: transaction.currency,
            booked: *booked,
            name: transaction.name.clone(),
            notes: transaction.notes.clone(),
            category: transaction.category.as_ref().map(|category| category.id.0),
            external_id: transaction.external_id.clone(),
            source: transaction.source.clone(),
            merchant: transaction.merchant.as_ref().map(|merchant| merchant.id.0),
            is_excluded: transaction.excluded,
            locked: transaction.locked,
            has_origin: *has_origin,
            is_split: transaction.is_split,
            is_part: transaction.parent.is_some(),
            is_pending: transaction.pending,
            tags,
        }
    }

    fn read(id: EntryId, row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id,
            account: row.uuid(0)?,
            date: row.date(1)?,
            amount: row.int(2)?,
            currency: row.currency(3)?,
            booked: row.int(12)?,
            name: row.string(4)?,
            notes: row.opt_string(5)?,
            category: row.opt_uuid(6)?,
            external_id: row.opt_string(7)?,
            has_origin: row.bool(8)?,
            locked: Locks::from_bits(row.int(9)?),
            merchant: row.opt_uuid(10)?,
            is_excluded: row.bool(11)?,
            is_split: row.bool(13)?,
            is_part: row.bool(14)?,
            source: row.opt_string(15)?,
            is_pending: row.bool(16)?,
            tags: Vec::new(),
        })
    }

    /// Everything that a change or a removal takes away, for the audit trail.
    pub(super) fn image(&self) -> serde_json::Value {
        serde_json::json!({
            "account": self.account, "date": self.date, "amount": self.amount,
            "currency": self.currency, "name": self.name, "notes": self.notes,
            "category": self.category, "merchant": self.merchant, "excluded": self.is_excluded,
            "external_id": self.external_id, "tags": self.tags,
            "locked": self.locked.names(), "pending": self.is_pending,
        })
    }

    /// Keeps the origin before the first change. The change itself notes in the entry that there is
    /// one.
    pub(super) fn keep_origin(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let family = tx.family();
        // A part comes from no source.
        if self.has_origin || self.is_part {
            return Ok(());
        }
        tx.execute(
            &ORIGIN_INSERT,
            &[
                family.into(),
                self.id.into(),
                Val::Uuid(self.account),
                self.date.into(),
                Val::Int(self.amount),
                Val::Text(self.currency.code()),
                Val::Text(&self.name),
                self.external_id.as_deref().into(),
                self.source.as_deref().into(),
            ],
        )?;
        Ok(())
    }

    /// Leaves the tombstone of the transaction.
    pub(super) fn bury(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let family = tx.family();
        self.keep_origin(tx)?;
        let now = tx.now();
        let buried = tx.execute(&ORIGIN_DELETED, &[now.into(), family.into(), self.id.into()])?;
        if buried == 1 {
            return Ok(());
        }
        Err(Error::internal(format!("transaction {} was changed, but has no origin", self.id)))
    }
}
