//! Adding transactions: the hot loop of an import.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::entry::EntryKind;
use purser_core::plan::{Target, TransactionDraft};

use super::{Applied, Executor};
use crate::driver::{Bulk, ColumnType, Tx, Val};

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
        ("name", ColumnType::Text),
        ("notes", ColumnType::Text),
        ("category_id", ColumnType::Uuid),
        ("pending", ColumnType::Bool),
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
    /// Adds one transaction. Its currency must be the account's: a balance in one currency can't
    /// hold an amount in another without a rate.
    pub(super) fn add_transaction(
        &mut self,
        tx: &mut Tx<'_>,
        draft: &TransactionDraft<'_>,
    ) -> Result<Applied> {
        let account_id = self.resolve(draft.account)?;
        let account = self.accounts.touch(tx, self.family, account_id)?;
        if account.currency != draft.currency {
            return Err(Error::invalid(format!(
                "A transaction in {} can't stand in an account in {}",
                draft.currency.code(),
                account.currency.code()
            )));
        }
        account
            .deltas
            .entry(draft.date)
            .or_default()
            .add_transaction(draft.amount)
            .map_err(|_| Error::invalid("The amount is out of range"))?;

        let id = self.next_entry_id()?;
        let category = draft.category.map(|target| self.resolve(target)).transpose()?;
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
                Val::Text(draft.name),
                draft.notes.into(),
                category.into(),
                Val::Bool(false),
                draft.source.into(),
                draft.external_id.into(),
                now.into(),
                now.into(),
            ],
        )?;
        self.tag(tx, EntryId(id), draft.tags)?;
        Ok(Applied { entry: EntryId(id), existed: false })
    }

    pub(super) fn tag(&mut self, tx: &mut Tx<'_>, entry: EntryId, tags: &[Target]) -> Result<()> {
        for tag in tags {
            let tag = self.resolve(*tag)?;
            if self.entry_tags.is_batch_due() {
                // A link may not arrive before its entry.
                self.entries.flush(tx)?;
            }
            let link = [self.family.into(), Val::Uuid(entry.0), Val::Uuid(tag)];
            self.entry_tags.push(tx, &link)?;
        }
        Ok(())
    }
}
