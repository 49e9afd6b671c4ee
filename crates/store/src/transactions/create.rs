//! Creating transactions by hand or by a client.
//!
//! A client's own id makes it safe to repeat: a transaction that exists already is answered as it
//! is. One that was deleted since stays deleted until it is restored on request.

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account::AccountStatus;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::transaction_values::disabled_account;
use purser_core::plan::{Change, Target, TransactionDraft};
use serde_json::json;

use super::change::require_known;
use super::{Transaction, get, rows};
use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts};
use crate::calendar;
use crate::driver::{Row, statements, vals};
use crate::ledger::{Event, Executor};

statements! {
    /// A transaction by what names it in its account.
    BY_KEY = "SELECT id, kind = 0 FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND external_id = $3 AND source = $4";
    /// What became of one that is no longer in its account: its entry, which a person moved to
    /// another account, or its tombstone.
    GONE_BY_KEY = "SELECT entry_id, deleted_at IS NOT NULL FROM entry_origins
        WHERE family_id = $1 AND account_id = $2 AND external_id = $3 AND source = $4 AND kind = 0
        ORDER BY deleted_at IS NOT NULL";
}

/// Creates a transaction, unless one with its key exists; returns whether it did.
pub fn create(tx: &mut FamilyTx<'_>, input: &TransactionInput) -> Result<(Transaction, bool)> {
    let actor = tx.actor();
    let family = tx.family();
    let account = account_of(tx, input.account()?)?;
    let today = calendar::today(tx)?;
    let new = input.check(account.currency, today)?;
    let id = account.summary.id;
    if let Some((source, external)) = &new.key {
        let key = vals![family, id, external.as_str(), source.as_str()];
        let read = |row: &Row<'_>| Ok((row.id::<EntryId>(0)?, row.bool(1)?));
        match tx.query_opt(&BY_KEY, key, read)? {
            Some((existing, true)) => return Ok((get(tx, existing)?, true)),
            Some((_, false)) => {
                let predicate = "is that of a trade in this account";
                return Err(Problem::field("external_id", predicate).into());
            }
            None => {}
        }
        let gone = tx.query(&GONE_BY_KEY, key, read)?;
        for (entry, _) in gone.iter().filter(|(_, is_deleted)| !is_deleted) {
            match get(tx, *entry) {
                Ok(moved) => return Ok((moved, true)),
                // What was moved to an account that isn't visible is as good as deleted.
                Err(Error::NotFound { .. }) => {}
                Err(other) => return Err(other),
            }
        }
        if !gone.is_empty() && !input.restore {
            return Err(deleted_before(external));
        }
    }
    require_known(tx, new.category, new.merchant, &new.tags)?;
    let tags: Vec<Target> = new.tags.iter().copied().map(Target::Existing).collect();
    let mut executor = Executor::begin(tx, 1)?;
    let draft = TransactionDraft {
        account: Target::Existing(id.0),
        date: new.date,
        amount: new.amount,
        currency: new.currency,
        rate: new.rate,
        name: &new.name,
        source_name: None,
        notes: new.notes.as_deref(),
        category: new.category.map(Target::Existing),
        merchant: new.merchant.map(Target::Existing),
        tags: &tags,
        excluded: new.excluded,
        source: new.key.as_ref().map(|(source, _)| source.as_str()),
        external_id: new.key.as_ref().map(|(_, external)| external.as_str()),
    };
    let entry = executor.apply(tx, &Change::AddTransaction(draft))?.entry;
    executor.lock_added(tx, entry, new.locked)?;
    let details = json!({ "after": { "account": id, "date": new.date, "amount": new.amount,
        "currency": new.currency, "rate": new.rate.map(|rate| rate.to_string()),
        "name": new.name, "notes": new.notes, "category": new.category,
        "merchant": new.merchant, "tags": new.tags, "excluded": new.excluded,
        "key": new.key, "locked": new.locked.names() } });
    let action = "transaction.create";
    let event = Event { actor, action, subject_kind: "transaction", subject_id: entry.0, details };
    executor.finish(tx, event)?;
    let tags = new.tags.is_empty().then(Vec::new);
    Ok((rows::after_creation(tx, entry, tags)?, false))
}

/// The account of a new transaction or of one that is moved. It must be visible: transactions of
/// hidden ones can't be seen.
pub(super) fn account_of(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<AccountFacts> {
    let unseen = || Error::from(Problem::unknown("account_id", "account"));
    match accounts::known_by_id(tx, id) {
        Ok(account) if account.summary.status.is_visible() => Ok(account),
        Ok(account) if account.summary.status == AccountStatus::Disabled => {
            Err(disabled_account().into())
        }
        Ok(_) | Err(Error::NotFound { .. }) => Err(unseen()),
        Err(other) => Err(other),
    }
}

fn deleted_before(external_id: &str) -> Error {
    Error::Conflict {
        code: "deleted_before",
        message: format!(
            "The transaction with the external_id \"{external_id}\" was deleted. Send \
             \"restore\": true to create it again"
        ),
    }
}
