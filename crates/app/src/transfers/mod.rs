//! Matching of transfers: a job of its own after each publish, and when somebody asks.

pub(crate) mod matching_job;

use purser_core::error::Result;
use purser_core::transfers::Matching;
use purser_store::{FamilyTx, families};

use crate::jobs::job::enqueue;

pub use matching_job::Scope;
pub use purser_store::transfers::{Counterpart, Listing, Side, Transfer, get, list};

/// Confirming, rejecting and pairing.
pub mod changes {
    pub use purser_store::transfers::changes::{confirm, create, reject, remove};
}

/// Pairs that somebody rejected.
pub mod rejected {
    pub use purser_store::transfers::rejected::{Listing, Rejected, get, list, remove};
}

/// Queues a matching in the caller's transaction, unless the family has switched it off. Returns
/// whether it has not.
pub fn queue(tx: &mut FamilyTx<'_>, scope: Scope) -> Result<bool> {
    if families::get(tx)?.transfer_matching == Matching::Off {
        return Ok(false);
    }
    enqueue(tx, &scope)?;
    Ok(true)
}
