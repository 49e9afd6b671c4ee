//! Changes of single transactions by people and clients.
//!
//! The ledger's executor carries them out, so that balances, counters, the origin and the audit
//! trail are right in the same commit. Who may see a transaction may change it.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{self, AccountId, EntryId};
use purser_core::labels::input::LabelKind;
use purser_core::ledger::split::{self, PartInput};
use purser_core::ledger::transaction_values::{Present, TransactionValues, unknown_tags};
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionRevision};
use rust_decimal::Decimal;
use serde_json::json;
use uuid::Uuid;

use super::Transaction;
use super::create::account_of;
use super::rows::{self, LoadedTransaction};
use crate::access::FamilyTx;
use crate::accounts::AccountFacts;
use crate::calendar;
use crate::driver::{statements, vals};
use crate::labels::{self, visibility::VisibleIds};
use crate::ledger::origins::CurrentTransaction;
use crate::ledger::{Event, Executor};
use crate::transfers;

statements! {
    /// Whether an account has an entry with an id of a source.
    KEY_TAKEN = "SELECT 1 FROM entries
        WHERE family_id = $1 AND account_id = $2 AND external_id = $3 AND source = $4";
}

/// A transaction after its change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevisedTransaction {
    /// The transaction as it is now.
    pub transaction: Transaction,
    /// The day that it had before, if its account, its day or its amount changed.
    pub moved_from: Option<Date>,
}

/// Changes a transaction. What is as it was before doesn't count as a change.
pub fn revise(
    tx: &mut FamilyTx<'_>,
    id: EntryId,
    input: &TransactionValues,
) -> Result<RevisedTransaction> {
    let loaded = rows::before_change(tx, id)?;
    let before = &loaded.transaction;
    require_fixed(before, input)?;
    let destination = destination(tx, before, input)?;
    let today = calendar::today(tx)?;
    let mut present = present(before);
    if let Some(account) = &destination {
        present.account_currency = account.currency;
    }
    let values = input.check(present, today)?;
    if values.rate.is_some() && before.parent.is_some() {
        return Err(
            Problem::field("exchange_rate", "is that of the transaction that was split").into()
        );
    }
    let category = values.category.filter(|id| *id != before.category.as_ref().map(|one| one.id.0));
    let merchant = values.merchant.filter(|id| *id != before.merchant.as_ref().map(|one| one.id.0));
    let tags = values.tags.filter(|tags| !same_tags(before, tags));
    let tag_ids = tags.as_deref().unwrap_or_default();
    require_known(tx, category.flatten(), merchant.flatten(), tag_ids)?;
    let tags: Option<Vec<Target>> =
        tags.map(|tags| tags.into_iter().map(Target::Existing).collect());
    let revision = TransactionRevision {
        entry: id,
        account: destination.as_ref().map(|account| account.summary.id),
        date: values.date.filter(|date| *date != before.date),
        amount: values.amount.filter(|amount| *amount != before.amount),
        rate: values.rate.filter(|rate| destination.is_some() || *rate != given(before)),
        name: values.name.as_deref().filter(|name| *name != before.name),
        notes: values.notes.as_ref().filter(|notes| **notes != before.notes).map(Option::as_deref),
        category: category.map(|category| category.map(Target::Existing)),
        merchant: merchant.map(|merchant| merchant.map(Target::Existing)),
        tags: tags.as_deref(),
        excluded: values.excluded.filter(|excluded| *excluded != before.excluded),
        unlock: values.unlock,
    };
    let unlocks = before.locked.without(revision.unlock) != before.locked;
    if revision.is_empty() && !unlocks {
        let transaction = rows::with_transfer(tx, loaded.transaction)?;
        return Ok(RevisedTransaction { transaction, moved_from: None });
    }
    let moves = revision.account.is_some() || revision.date.is_some() || revision.amount.is_some();
    let change = Change::ReviseTransaction(revision);
    carry_out(tx, "transaction.revise", &loaded, &change)?;
    let LoadedTransaction { transaction: before, .. } = loaded;
    let kept_tags = tags.is_none().then_some(before.tags);
    let transaction = rows::after_change(tx, id, kept_tags)?;
    Ok(RevisedTransaction { transaction, moved_from: moves.then_some(before.date) })
}

/// Takes a transaction away and returns the day that it had. The same row of a file doesn't bring
/// it back.
pub fn remove(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Date> {
    let loaded = rows::before_change(tx, id)?;
    let change = Change::RemoveTransaction { entry: id };
    carry_out(tx, "transaction.remove", &loaded, &change)?;
    Ok(loaded.transaction.date)
}

/// Has lists and reports show parts in place of a transaction. Returns the whole.
pub fn split(tx: &mut FamilyTx<'_>, id: EntryId, parts: &[PartInput]) -> Result<Transaction> {
    let whole = rows::before_change(tx, id)?;
    let today = calendar::today(tx)?;
    let present = present(&whole.transaction);
    let parts = split::check(parts, present, today)?;
    for part in &parts {
        require_known(tx, part.category, part.merchant, &part.tags)?;
    }
    transfers::changes::remove_unseen(tx, id)?;
    let change = Change::SplitTransaction { entry: id, parts: &parts };
    carry_out(tx, "transaction.split", &whole, &change)?;
    rows::after_change(tx, id, Some(whole.transaction.tags))
}

/// Puts a transaction together again.
pub fn unsplit(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Transaction> {
    let whole = rows::before_change(tx, id)?;
    let change = Change::UnsplitTransaction { entry: id };
    carry_out(tx, "transaction.unsplit", &whole, &change)?;
    rows::after_change(tx, id, Some(whole.transaction.tags))
}

/// What changes are judged by.
fn present(transaction: &Transaction) -> Present {
    let booked = transaction.booked.as_ref();
    Present {
        currency: transaction.currency,
        amount: transaction.amount,
        account_currency: booked.map_or(transaction.currency, |booked| booked.currency),
    }
}

/// What can't change may be sent along as it is, but not as something else.
fn require_fixed(before: &Transaction, input: &TransactionValues) -> Result<()> {
    let mut problems = Problems::new();
    let currency = input.currency.as_deref().filter(|code| !code.trim().is_empty());
    if currency.is_some_and(|code| Currency::parse(code) != Some(before.currency)) {
        problems.field("currency", format!("can't change: it is {}", before.currency.code()));
    }
    problems.into_result()
}

/// The account that a transaction is moved to, if it is another one than it has.
fn destination(
    tx: &mut FamilyTx<'_>,
    before: &Transaction,
    input: &TransactionValues,
) -> Result<Option<AccountFacts>> {
    let Some(id) = input.account.as_deref().filter(|id| !id.trim().is_empty()) else {
        return Ok(None);
    };
    let id = ids::read(id).map_err(|_| Error::from(Problem::unknown("account_id", "account")))?;
    if id == before.account.id.0 {
        return Ok(None);
    }
    let account = account_of(tx, AccountId(id))?;
    if before.pending {
        return Err(Error::invalid("A pending transaction can't be moved before it is posted"));
    }
    if let (Some(external), Some(source)) = (&before.external_id, &before.source) {
        let family = tx.family();
        let key = vals![family, id, external, source];
        if tx.query_opt(&KEY_TAKEN, key, |_| Ok(()))?.is_some() {
            let predicate = "is an account that has another transaction with this external_id";
            return Err(Problem::field("account_id", predicate).into());
        }
    }
    Ok(Some(account))
}

/// The rate that came with a transaction.
fn given(transaction: &Transaction) -> Option<Decimal> {
    transaction.booked.as_ref().filter(|booked| booked.given).and_then(|booked| booked.rate)
}

fn same_tags(before: &Transaction, tags: &[Uuid]) -> bool {
    let mut present: Vec<Uuid> = before.tags.iter().map(|tag| tag.id.0).collect();
    present.sort_unstable();
    present == tags
}

/// An id of another family's is answered as one that nothing has.
pub(super) fn require_known(
    tx: &mut FamilyTx<'_>,
    category: Option<Uuid>,
    merchant: Option<Uuid>,
    tags: &[Uuid],
) -> Result<()> {
    let mut problems = Problems::new();
    let categories: Vec<Uuid> = category.into_iter().collect();
    let merchants: Vec<Uuid> = merchant.into_iter().collect();
    let named = [
        (&categories[..], LabelKind::Category, Problem::unknown("category_id", "category")),
        (&merchants[..], LabelKind::Merchant, Problem::unknown("merchant_id", "merchant")),
        (tags, LabelKind::Tag, unknown_tags()),
    ];
    for (ids, kind, problem) in named {
        if ids.is_empty() {
            continue;
        }
        // What a key may not see is for it as if it weren't there.
        let visibility = match kind {
            LabelKind::Category => VisibleIds::of_categories(tx)?,
            LabelKind::Merchant => VisibleIds::of_merchants(tx)?,
            LabelKind::Tag => VisibleIds::of_tags(tx)?,
        };
        let seen = ids.iter().all(|id| visibility.shows(*id));
        if !seen || !labels::unknown(tx, kind, ids)?.is_empty() {
            problems.push(problem);
        }
    }
    problems.into_result()
}

fn carry_out(
    tx: &mut FamilyTx<'_>,
    action: &'static str,
    loaded: &LoadedTransaction,
    change: &Change<'_>,
) -> Result<()> {
    let actor = tx.actor();
    let added = match change {
        Change::SplitTransaction { parts, .. } => parts.len() as u64,
        _ => 0,
    };
    let mut executor = Executor::begin(tx, added)?;
    executor.has_read(CurrentTransaction::of_loaded(loaded));
    executor.apply(tx, change)?;
    let subject_id = loaded.transaction.id.0;
    let event =
        Event { actor, action, subject_kind: "transaction", subject_id, details: json!({}) };
    executor.finish(tx, event).map(drop)
}
