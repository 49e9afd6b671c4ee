//! Removing accounts: at once if they are small, else by a job.

pub(crate) mod refold_job;
pub(crate) mod removal_job;

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_store::{FamilyTx, accounts, audit};
use serde_json::json;

use crate::jobs::job::{enqueue, is_live};
use removal_job::RemoveAccount;

pub use purser_store::accounts::{
    Account, AccountSummary, Listing, create, currencies, get, list, require_unrestricted, revise,
    transaction_counts,
};

/// Hides an account with everything that belongs to it, and removes it. A large one is removed by a
/// job, which is queued in the same commit.
///
/// # Errors
/// Not found while that job waits or runs. If it was given up, another one goes on.
pub fn remove(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<()> {
    let job = RemoveAccount { account: id };
    if is_removal_given_up(tx, id)? {
        let (actor, subject_id) = (tx.actor(), Some(id.0));
        let (action, subject_kind) = ("account.remove", "account");
        let details = json!({ "again": true });
        audit::record(tx, &audit::Event { actor, action, subject_kind, subject_id, details })?;
    } else if accounts::remove(tx, id)? {
        return Ok(());
    }
    enqueue(tx, &job).map(drop)
}

/// Whether an account is hidden and half removed, and no job goes on with that: somebody has to
/// remove it again.
pub fn is_removal_given_up(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<bool> {
    Ok(accounts::is_being_removed(tx, id)? && !is_live(tx, &RemoveAccount { account: id })?)
}
