//! Changes of single transactions by people and clients.
//!
//! The ledger's executor carries them out, so that balances, counters, the origin and the audit
//! trail are right in the same commit. Who may see a transaction may change it.

use purser_core::error::{Problems, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::transaction_values::{
    CheckedTransaction, Present, TransactionValues, unknown,
};
use purser_core::plan::{Change, Target, TransactionRevision};
use serde_json::json;
use uuid::Uuid;

use super::{Transaction, get};
use crate::accounts::Restriction;
use crate::audit::Actor;
use crate::calendar;
use crate::driver::{Tx, Val, statements};
use crate::families::FamilyId;
use crate::ledger::{Event, Executor};

statements! {
    /// Whether the family has a category.
    CATEGORY_EXISTS = "SELECT 1 FROM ledger_categories WHERE family_id = $1 AND id = $2";
    /// Whether the family has a tag.
    TAG_EXISTS = "SELECT 1 FROM ledger_tags WHERE family_id = $1 AND id = $2";
}

/// Changes a transaction. What is as it was before doesn't count as a change.
pub fn revise(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: EntryId,
    input: &TransactionValues,
) -> Result<Transaction> {
    let before = get(tx, family, restriction, id)?;
    let today = calendar::today(tx, family)?;
    let present = Present { currency: before.currency, amount: before.amount };
    let values = input.check(present, today)?;
    require_known(tx, family, &values)?;
    let tags: Option<Vec<Target>> = values
        .tags
        .filter(|tags| !same_tags(&before, tags))
        .map(|tags| tags.into_iter().map(Target::Existing).collect());
    let revision = TransactionRevision {
        entry: id,
        date: values.date.filter(|date| *date != before.date),
        amount: values.amount.filter(|amount| *amount != before.amount),
        name: values.name.as_deref().filter(|name| *name != before.name),
        notes: values.notes.as_ref().filter(|notes| **notes != before.notes).map(Option::as_deref),
        category: values
            .category
            .filter(|category| *category != before.category.as_ref().map(|one| one.id.0))
            .map(|category| category.map(Target::Existing)),
        tags: tags.as_deref(),
    };
    if !changes_anything(&revision) {
        return Ok(before);
    }
    carry_out(tx, family, actor, "transaction.revise", id, &Change::ReviseTransaction(revision))?;
    get(tx, family, restriction, id)
}

/// Takes a transaction away. The same row of a file doesn't bring it back.
pub fn remove(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: EntryId,
) -> Result<()> {
    get(tx, family, restriction, id)?;
    let change = Change::RemoveTransaction { entry: id };
    carry_out(tx, family, actor, "transaction.remove", id, &change)
}

fn same_tags(before: &Transaction, tags: &[Uuid]) -> bool {
    let mut present: Vec<Uuid> = before.tags.iter().map(|tag| tag.id.0).collect();
    present.sort_unstable();
    present == tags
}

fn changes_anything(revision: &TransactionRevision<'_>) -> bool {
    revision.date.is_some()
        || revision.amount.is_some()
        || revision.name.is_some()
        || revision.notes.is_some()
        || revision.category.is_some()
        || revision.tags.is_some()
}

/// An id of another family's is answered as one that nothing has.
fn require_known(tx: &mut Tx<'_>, family: FamilyId, values: &CheckedTransaction) -> Result<()> {
    let mut problems = Problems::new();
    if let Some(Some(category)) = values.category {
        let key = [family.into(), Val::Uuid(category)];
        if tx.query_opt(&CATEGORY_EXISTS, &key, |_| Ok(()))?.is_none() {
            problems.push(unknown("category_id", "category"));
        }
    }
    for tag in values.tags.iter().flatten() {
        let key = [family.into(), Val::Uuid(*tag)];
        if tx.query_opt(&TAG_EXISTS, &key, |_| Ok(()))?.is_none() {
            problems.push(unknown("tag_ids", "tag"));
            break;
        }
    }
    problems.into_result()
}

fn carry_out(
    tx: &mut Tx<'_>,
    family: FamilyId,
    actor: Actor,
    action: &'static str,
    id: EntryId,
    change: &Change<'_>,
) -> Result<()> {
    let mut executor = Executor::begin(tx, family, 0)?;
    executor.apply(tx, change)?;
    let event =
        Event { actor, action, subject_kind: "transaction", subject_id: id.0, details: json!({}) };
    executor.finish(tx, event).map(drop)
}
