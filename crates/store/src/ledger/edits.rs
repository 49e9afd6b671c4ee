//! Changing and removing single transactions.
//!
//! The first change marks the transaction and keeps what its source said, so that an undo of its
//! import leaves it alone and the same row of a later file is still recognised.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::plan::TransactionRevision;
use serde_json::json;
use uuid::Uuid;

use super::origins::Standing;
use super::{Applied, Executor};
use crate::driver::{Tx, Val, statements};
use crate::transfers;

statements! {
    /// What a person says from now on; the first time stays.
    TRANSACTION_UPDATE = "UPDATE entries SET date = $1, amount = $2, name = $3, notes = $4,
            category_id = $5, changed_at = COALESCE(changed_at, $6), updated_at = $6
        WHERE family_id = $7 AND id = $8";
    /// All tags of an entry go.
    TRANSACTION_UNTAG = "DELETE FROM entry_tags WHERE family_id = $1 AND entry_id = $2";
    /// Transfers of which an entry is one side.
    TRANSACTION_TRANSFERS_DELETE = "DELETE FROM transfers
        WHERE family_id = $1 AND (outflow_id = $2 OR inflow_id = $2)";
    /// Takes a transaction away.
    TRANSACTION_DELETE = "DELETE FROM entries WHERE family_id = $1 AND id = $2";
}

impl Executor {
    /// Changes a transaction that exists.
    pub(super) fn revise_transaction(
        &mut self,
        tx: &mut Tx<'_>,
        revision: &TransactionRevision<'_>,
    ) -> Result<Applied> {
        let before = Standing::of(tx, self.family, revision.entry)?;
        before.keep_origin(tx, self.family)?;
        let date = revision.date.unwrap_or(before.date);
        let amount = revision.amount.unwrap_or(before.amount);
        let name = revision.name.unwrap_or(&before.name);
        let notes = revision.notes.unwrap_or(before.notes.as_deref());
        let category = match revision.category {
            None => before.category,
            Some(target) => target.map(|target| self.resolve(target)).transpose()?,
        };
        let now = tx.now();
        tx.execute(
            &TRANSACTION_UPDATE,
            &[
                date.into(),
                Val::Int(amount),
                Val::Text(name),
                notes.into(),
                category.into(),
                now.into(),
                self.family.into(),
                revision.entry.into(),
            ],
        )?;
        if (date, amount) != (before.date, before.amount) {
            self.count_out(tx, before.account, before.date, before.amount)?;
            self.count_in(tx, before.account, date, amount)?;
            transfers::changes::remove_broken(tx, self.family, revision.entry)?;
        } else {
            self.accounts.touch(tx, self.family, before.account)?;
        }
        let mut after = json!({ "date": date, "amount": amount, "name": name, "notes": notes,
            "category": category });
        if let Some(tags) = revision.tags {
            tx.execute(&TRANSACTION_UNTAG, &self.key(revision.entry.0))?;
            self.tag(tx, revision.entry, tags)?;
            let tags = tags.iter().map(|tag| self.resolve(*tag)).collect::<Result<Vec<_>>>()?;
            after["tags"] = json!(tags);
        }
        self.notes
            .push(json!({ "entry": revision.entry, "before": before.image(), "after": after }));
        Ok(Applied { entry: revision.entry, existed: true })
    }

    /// Takes a transaction away, with its tags and the transfers that it is a side of. Its origin
    /// stays: the same row of a later file doesn't bring it back.
    pub(super) fn remove_transaction(
        &mut self,
        tx: &mut Tx<'_>,
        entry: EntryId,
    ) -> Result<Applied> {
        let before = Standing::of(tx, self.family, entry)?;
        before.bury(tx, self.family)?;
        for statement in [&TRANSACTION_UNTAG, &TRANSACTION_TRANSFERS_DELETE, &TRANSACTION_DELETE] {
            tx.execute(statement, &self.key(entry.0))?;
        }
        self.count_out(tx, before.account, before.date, before.amount)?;
        self.notes.push(json!({ "entry": entry, "before": before.image() }));
        Ok(Applied { entry, existed: true })
    }

    fn count_in(&mut self, tx: &mut Tx<'_>, account: Uuid, date: Date, amount: i64) -> Result<()> {
        let account = self.accounts.touch(tx, self.family, account)?;
        let delta = account.deltas.entry(date).or_default();
        delta.add_transaction(amount).map_err(|_| out_of_range())
    }

    fn count_out(&mut self, tx: &mut Tx<'_>, account: Uuid, date: Date, amount: i64) -> Result<()> {
        let account = self.accounts.touch(tx, self.family, account)?;
        let delta = account.deltas.entry(date).or_default();
        delta.remove_transaction(amount).map_err(|_| out_of_range())
    }
}

fn out_of_range() -> Error {
    Error::invalid("The amount is out of range")
}
