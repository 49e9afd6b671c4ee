//! Removing accounts.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::account::AccountStatus;
use serde_json::json;

use super::known;
use crate::access::FamilyTx;
use crate::audit::{self, Actor};
use crate::driver::{statements, vals};
use crate::ledger::{Event, Executor, account_removal};

statements! {
    /// Whether an import is at work, which may be writing into the account.
    IMPORT_AT_WORK = "SELECT 1 FROM imports
        WHERE family_id = $1 AND status IN ('importing', 'reverting') LIMIT 1";
    /// Counts the trades of the account.
    REMOVAL_TRADE_COUNT = "SELECT trades_count FROM accounts WHERE family_id = $1 AND id = $2";
    /// Accounts with shares that were moved from or to it.
    REMOVAL_MOVED_WITH = "SELECT DISTINCT o.account_id FROM trades t
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.counterpart_id
        WHERE t.family_id = $1 AND e.account_id = $2";
    /// What it is when nobody sees it any more.
    REMOVAL_STATUS = "SELECT status FROM accounts WHERE family_id = $1 AND id = $2";
}

/// Entries that go in the commit that hides the account; beyond it a job removes them.
const REMOVED_AT_ONCE_MAX: u64 = 5_000;
/// Entries of each commit of the job.
const SLICE_ENTRIES: u64 = 10_000;

/// Removes an account with everything that belongs to it. Returns whether it is gone; a large one
/// is only hidden until [`remove_more`] has removed the rest.
pub fn remove(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<bool> {
    let actor = tx.actor();
    let family = tx.family();
    let account = super::kept(tx, id)?;
    require_own_moves(tx, id)?;
    if tx.query_opt(&IMPORT_AT_WORK, vals![family], |_| Ok(()))?.is_some() {
        return Err(Error::Conflict {
            code: "import_in_progress",
            message: "An import is at work: wait for its end".to_owned(),
        });
    }
    let facts = known(tx)?.into_iter().find(|one| one.summary.id == id);
    let (transactions, valuations) =
        facts.map_or((0, 0), |facts| (facts.transactions, facts.valuations));
    let trades = tx.query_one(&REMOVAL_TRADE_COUNT, vals![family, id], |row| row.count(0))?;
    audit::record(
        tx,
        &audit::Event {
            actor,
            action: "account.remove",
            subject_kind: "account",
            subject_id: Some(id.0),
            details: json!({ "before": {
                "name": account.summary.name, "account_type": account.summary.account_type,
                "currency": account.currency, "balance": account.balance,
                "transactions": transactions, "valuations": valuations,
                "trades": trades } }),
        },
    )?;
    let moved = account_removal::part_moves(tx, id)?;
    refold(tx, id, moved, Vec::new())?;
    account_removal::mark(tx, id)?;
    if transactions + valuations + trades > REMOVED_AT_ONCE_MAX {
        return Ok(false);
    }
    while !remove_part(tx, id)? {}
    Ok(true)
}

/// Whether an account is hidden because the rest of it is to be removed.
///
/// # Errors
/// Not found if it isn't there, or if the caller may not see it.
pub fn is_being_removed(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<bool> {
    Ok(super::get(tx, id)?.summary.status == AccountStatus::PendingDeletion)
}

/// Shares that were moved would change in an account that the key is not for, as if it removed the
/// trade itself.
fn require_own_moves(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<()> {
    if !tx.accounts().is_restricted() {
        return Ok(());
    }
    let family = tx.family();
    let others = tx.query(&REMOVAL_MOVED_WITH, vals![family, id], |row| row.id(0))?;
    if others.into_iter().all(|other| tx.allows(other)) {
        return Ok(());
    }
    Err(Error::Forbidden {
        code: "restricted_key",
        message: "Shares moved between the account and one that the key may not see".to_owned(),
    })
}

/// Removes more of an account that is already hidden, for the job that does that. Returns whether
/// it is gone.
pub fn remove_more(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<bool> {
    remove_part(tx, id)
}

fn remove_part(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<bool> {
    let family = tx.family();
    let status = tx.query_opt(&REMOVAL_STATUS, vals![family, id], |row| row.string(0))?;
    match status.as_deref().map(AccountStatus::parse) {
        None => return Ok(true),
        Some(Some(AccountStatus::PendingDeletion)) => {}
        Some(_) => return Err(Error::internal(format!("account {id} is not to be removed"))),
    }
    let securities = account_removal::securities(tx, id)?;
    let held = account_removal::held(tx, id)?;
    let is_gone = account_removal::remove_slice(tx, id, SLICE_ENTRIES)?;
    // With the account goes what was stated of its positions, on whatever day.
    refold(tx, id, securities, if is_gone { held } else { Vec::new() })?;
    Ok(is_gone)
}

/// Positions elsewhere, and what they are worth, may depend on trades of those days or later that
/// were in the account; those in which it is `held` are folded from the start.
fn refold(
    tx: &mut FamilyTx<'_>,
    id: AccountId,
    traded: Vec<(SecurityId, Date)>,
    held: Vec<SecurityId>,
) -> Result<()> {
    if traded.is_empty() && held.is_empty() {
        return Ok(());
    }
    let mut executor = Executor::begin(tx, 0)?;
    executor.refold_traded(traded);
    executor.refold_securities(held);
    let event = Event {
        actor: Actor::System,
        action: "positions.refold",
        subject_kind: "account",
        subject_id: id.0,
        details: json!({}),
    };
    executor.finish(tx, event).map(drop)
}

#[cfg(test)]
#[path = "removal_tests.rs"]
mod tests;
