//! What the source said of a transaction, kept from the first change on.
//!
//! A row of a later file is recognised by it, whatever a person made of the transaction since. The
//! origin of a transaction that was deleted is its tombstone: the same row doesn't come again.
//! Transactions that nobody changed have none: their own columns say it.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use uuid::Uuid;

use crate::driver::{Row, Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// A transaction as it stands.
    TRANSACTION_NOW = "SELECT account_id, date, amount, currency, name, notes, category_id,
            external_id, changed_at
        FROM ledger_entries WHERE family_id = $1 AND id = $2 AND kind = 0";
    /// The tags that it has.
    TRANSACTION_TAGS = "SELECT tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = $2 ORDER BY tag_id";
    /// What the source said; an earlier note of it would stay.
    ORIGIN_INSERT = "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount,
            currency, name, external_id, deleted_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL)
        ON CONFLICT (family_id, entry_id) DO NOTHING";
    /// A person said something about it.
    ENTRY_MARK = "UPDATE entries SET changed_at = COALESCE(changed_at, $1), updated_at = $1
        WHERE family_id = $2 AND id = $3";
    /// The transaction is gone, and shall not come again.
    ORIGIN_DELETED = "UPDATE entry_origins SET deleted_at = $1
        WHERE family_id = $2 AND entry_id = $3 AND deleted_at IS NULL";
}

/// Notes that a person decided something about a transaction that stands beside it, such as a
/// transfer: from then on an undo of its import leaves it alone.
pub(crate) fn mark_decided(tx: &mut Tx<'_>, family: FamilyId, entry: EntryId) -> Result<()> {
    Standing::of(tx, family, entry)?.keep_origin(tx, family)?;
    let now = tx.now();
    tx.execute(&ENTRY_MARK, &[now.into(), family.into(), entry.into()]).map(drop)
}

/// A transaction as it stands before a change.
pub(super) struct Standing {
    pub(super) id: EntryId,
    pub(super) account: Uuid,
    pub(super) date: Date,
    pub(super) amount: i64,
    pub(super) currency: String,
    pub(super) name: String,
    pub(super) notes: Option<String>,
    pub(super) category: Option<Uuid>,
    pub(super) external_id: Option<String>,
    pub(super) is_changed: bool,
    pub(super) tags: Vec<Uuid>,
}

impl Standing {
    /// Reads a transaction, which must be there.
    pub(super) fn of(tx: &mut Tx<'_>, family: FamilyId, id: EntryId) -> Result<Self> {
        let key = [family.into(), id.into()];
        let mut standing = tx
            .query_opt(&TRANSACTION_NOW, &key, |row| Self::read(id, row))?
            .ok_or(Error::NotFound { what: "Transaction" })?;
        standing.tags = tx.query(&TRANSACTION_TAGS, &key, |row| row.uuid(0))?;
        Ok(standing)
    }

    fn read(id: EntryId, row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id,
            account: row.uuid(0)?,
            date: row.date(1)?,
            amount: row.int(2)?,
            currency: row.string(3)?,
            name: row.string(4)?,
            notes: row.opt_string(5)?,
            category: row.opt_uuid(6)?,
            external_id: row.opt_string(7)?,
            is_changed: row.opt_int(8)?.is_some(),
            tags: Vec::new(),
        })
    }

    /// Everything that a change or a removal takes away, for the audit trail.
    pub(super) fn image(&self) -> serde_json::Value {
        serde_json::json!({
            "account": self.account, "date": self.date, "amount": self.amount,
            "currency": self.currency, "name": self.name, "notes": self.notes,
            "category": self.category, "external_id": self.external_id, "tags": self.tags,
        })
    }

    /// Keeps what the source said, before the first change.
    pub(super) fn keep_origin(&self, tx: &mut Tx<'_>, family: FamilyId) -> Result<()> {
        if self.is_changed {
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
                Val::Text(&self.currency),
                Val::Text(&self.name),
                self.external_id.as_deref().into(),
            ],
        )?;
        Ok(())
    }

    /// Leaves the tombstone.
    pub(super) fn bury(&self, tx: &mut Tx<'_>, family: FamilyId) -> Result<()> {
        self.keep_origin(tx, family)?;
        let now = tx.now();
        let buried = tx.execute(&ORIGIN_DELETED, &[now.into(), family.into(), self.id.into()])?;
        if buried == 1 {
            return Ok(());
        }
        Err(Error::internal(format!("transaction {} was changed, but has no origin", self.id)))
    }
}
