//! Matching of transfers: a job of its own after each publish, and when somebody asks.
//!
//! The job reads and compares in a snapshot, while others write, and then writes what it found in
//! slices, so that it never holds the writer long. Each slice checks its pairs once more, and doing
//! one again changes nothing; the last one withdraws proposals that no longer hold and ends the
//! job. So a job that dies leaves nothing but a part of the same result.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::transfers::{Decision, Found, Matching};
use purser_store::families;
use purser_store::jobs::{self, ClaimedJob};
use purser_store::transfers::matching::{self, Applied, Days};
use purser_store::{FamilyId, FamilyTx, Store};
use serde::{Deserialize, Serialize};

pub use purser_store::transfers::{Counterpart, Listing, Side, Transfer, get, list};

/// Confirming, rejecting and pairing.
pub mod changes {
    pub use purser_store::transfers::changes::{confirm, create, reject, remove};
}

/// Pairs that somebody rejected.
pub mod rejected {
    pub use purser_store::transfers::rejected::{Listing, Rejected, get, list, remove};
}

/// The kind of job.
pub const KIND: &str = "transfers.match";

/// Pairs that one commit writes.
const PAIRS_PER_COMMIT: usize = 2_000;

/// What the job looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// All days of the ledger.
    All,
    /// The days of new transactions, and what lies around them.
    Added {
        /// The first of consecutive ids.
        first: EntryId,
        /// The last entry of the range.
        last: EntryId,
    },
    /// Some days, and what lies around them.
    Around {
        /// The first day of the range.
        first: Date,
        /// The last day of the range.
        last: Date,
    },
}

/// Queues a matching in the caller's transaction, unless the family has switched it off. Returns
/// whether it has not.
pub fn queue(tx: &mut FamilyTx<'_>, family: FamilyId, scope: Scope) -> Result<bool> {
    if families::get(tx, family)?.transfer_matching == Matching::Off {
        return Ok(false);
    }
    let payload = serde_json::to_value(scope).map_err(Error::internal)?;
    let dedupe_key = match scope {
        Scope::All => format!("{KIND}:all"),
        Scope::Added { first, .. } => format!("{KIND}:{first}"),
        Scope::Around { first, last } => format!("{KIND}:{first}:{last}"),
    };
    jobs::enqueue(tx, family, KIND, &payload, Some(&dedupe_key))?;
    Ok(true)
}

/// Runs the matching of a job.
pub fn run(store: &Store, job: &ClaimedJob) -> Result<()> {
    let family = job.family;
    let scope: Scope = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    // From here on the ledger is looked at: who asks now asks for another look.
    store.write_blocking(family, |tx| jobs::forget_dedupe_key(tx, job))?;
    let (wanted, days, mut found) = store.read_blocking(family, |tx| look(tx, family, scope))?;
    if wanted == Matching::Propose {
        found.iter_mut().for_each(|one| one.decision = Decision::Propose);
    }
    let mut applied = Applied::default();
    for slice in found.chunks(PAIRS_PER_COMMIT) {
        applied += store.write_blocking(family, |tx| {
            let wanted_now = families::get(tx, family)?.transfer_matching;
            // Somebody changed the setting meanwhile: the job is tried again with the new one.
            if wanted_now != wanted {
                return Err(Error::internal("the matching of transfers was set anew"));
            }
            matching::apply(tx, family, slice)
        })?;
    }
    let applied = store.write_blocking(family, |tx| {
        let applied = matching::finish(tx, family, &days, &found, applied)?;
        jobs::complete(tx, job)?;
        Ok(applied)
    })?;
    tracing::debug!(?applied, "transfers matched");
    Ok(())
}

/// Finds the pairs, in one snapshot.
fn look(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    scope: Scope,
) -> Result<(Matching, Vec<Days>, Vec<Found>)> {
    let wanted = families::get(tx, family)?.transfer_matching;
    if wanted == Matching::Off {
        return Ok((wanted, Vec::new(), Vec::new()));
    }
    let days = match scope {
        Scope::All => matching::all_days(tx, family)?,
        Scope::Added { first, last } => matching::days_of_range(tx, family, first, last)?,
        Scope::Around { first, last } => vec![matching::days_around(first, last)],
    };
    let found = matching::find(tx, family, &days)?;
    Ok((wanted, days, found))
}
