//! What rules change in transactions.
//!
//! It is no person's change: fields that a person has set are left alone, and an undo of the import
//! still takes the transaction away. The name that the source gave is kept all the same, because
//! the same row of a later file is recognised by it.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::{LockField, Locks};
use purser_core::plan::{RuleRevision, TransactionDraft};
use serde_json::json;
use uuid::Uuid;

use super::{Applied, Executor};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Val, statements};

statements! {
    /// What rules make of a transaction. Whoever changed it first stays known.
    RULED_UPDATE = "UPDATE entries SET name = $1, category_id = $2, merchant_id = $3,
            excluded = $4, has_origin = $5, updated_at = $6
        WHERE family_id = $7 AND id = $8";
}

pub(crate) static ORIGINS: Bulk = Bulk {
    table: "entry_origins",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("name", ColumnType::Text),
        ("external_id", ColumnType::Text),
        ("source", ColumnType::Text),
    ],
};

impl Executor {
    /// Keeps the name that the source gave to a transaction that is added under another one.
    pub(super) fn keep_source_name(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        account: Uuid,
        draft: &TransactionDraft<'_>,
        source_name: &str,
    ) -> Result<()> {
        self.origins.push(
            tx,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account),
                draft.date.into(),
                Val::Int(draft.amount),
                Val::Text(draft.currency.code()),
                Val::Text(source_name),
                draft.external_id.into(),
                draft.source.into(),
            ],
        )
    }

    /// Changes a transaction by rules; a locked field among them is a defect.
    pub(super) fn revise_by_rules(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &RuleRevision<'_>,
    ) -> Result<Applied> {
        let before = self.current(tx, revision.entry)?;
        if before.locked.without(touched(revision)) != before.locked {
            return Err(Error::internal(format!(
                "a rule would change what a person has set in transaction {}",
                before.id
            )));
        }
        if revision.name.is_some() {
            before.keep_origin(tx)?;
        }
        let name = revision.name.unwrap_or(&before.name);
        let category = revision.category.or(before.category);
        let merchant = revision.merchant.or(before.merchant);
        let excluded = revision.exclude || before.is_excluded;
        let now = tx.now();
        tx.execute(
            &RULED_UPDATE,
            &[
                Val::Text(name),
                category.into(),
                merchant.into(),
                Val::Bool(excluded),
                Val::Bool(before.has_origin || revision.name.is_some()),
                now.into(),
                self.family.into(),
                revision.entry.into(),
            ],
        )?;
        self.add_tags(tx, revision.entry, revision.tags)?;
        self.accounts.touch(tx, before.account)?;
        let tags: Vec<Uuid> = before.tags.iter().chain(revision.tags).copied().collect();
        self.notes.push(json!({
            "entry": revision.entry,
            "before": before.image(),
            "after": { "name": name, "category": category, "merchant": merchant,
                "excluded": excluded, "tags": tags },
        }));
        Ok(Applied { entry: revision.entry, existed: true })
    }

    fn add_tags(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId, tags: &[Uuid]) -> Result<()> {
        for tag in tags {
            let link = [self.family.into(), Val::Uuid(entry.0), Val::Uuid(*tag)];
            self.entry_tags.push(tx, &link)?;
        }
        Ok(())
    }
}

/// The fields that rules change.
fn touched(revision: &RuleRevision<'_>) -> Locks {
    Locks::NONE
        .with(LockField::Name, revision.name.is_some())
        .with(LockField::Category, revision.category.is_some())
        .with(LockField::Merchant, revision.merchant.is_some())
        .with(LockField::Tags, !revision.tags.is_empty())
        .with(LockField::Excluded, revision.exclude)
}
