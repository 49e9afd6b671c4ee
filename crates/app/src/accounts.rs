//! Removing accounts: at once if they are small, else by a job.

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_store::accounts;
use purser_store::audit::Actor;
use purser_store::jobs::{self, ClaimedJob};
use purser_store::{FamilyId, FamilyTx, Store};
use serde::{Deserialize, Serialize};

pub use purser_store::accounts::{
    Account, AccountSummary, Listing, Restriction, create, currencies, get, list,
    require_unrestricted, revise, transaction_counts,
};

/// The kind of job.
pub const KIND: &str = "account.remove";

#[derive(Serialize, Deserialize)]
struct Payload {
    account: AccountId,
}

/// Hides an account with everything that belongs to it, and removes it. A large one is removed by a
/// job, which is queued in the same commit.
pub fn remove(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: AccountId,
) -> Result<()> {
    if accounts::remove(tx, family, restriction, actor, id)? {
        return Ok(());
    }
    let payload = serde_json::to_value(Payload { account: id }).map_err(Error::internal)?;
    jobs::enqueue(tx, family, KIND, &payload, Some(&format!("{KIND}:{id}"))).map(drop)
}

/// Runs the job, slice by slice: running it again removes the next slice.
pub fn run(store: &Store, job: &ClaimedJob) -> Result<()> {
    let Payload { account } =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    loop {
        let is_gone = store.write_blocking(job.family, |tx| {
            let is_gone = accounts::remove_more(tx, job.family, account)?;
            if is_gone {
                jobs::complete(tx, job)?;
            } else {
                jobs::hold(tx, job)?;
            }
            Ok(is_gone)
        })?;
        if is_gone {
            return Ok(());
        }
    }
}
