//! The job that matches transfers.
//!
//! It reads and compares in a snapshot, while others write, and then writes the pairs in slices, so
//! that it never holds the writer long. Each slice checks its pairs once more, and doing one again
//! changes nothing; the last one withdraws proposals that no longer hold and ends the job. So a job
//! that dies leaves nothing but a part of the same result.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::transfers::{Decision, MatchedPair, Matching};
use purser_store::transfers::matching::{self, Applied, Days};
use purser_store::{FamilyTx, families, jobs};
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work};

/// Pairs that one commit writes.
const PAIRS_PER_COMMIT: usize = 2_000;

/// Matches transfers: which days the job looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "scope", rename_all = "snake_case")]
pub enum Scope {
    /// All days of the ledger.
    All,
    /// The days of new transactions, and what lies around them.
    Added {
        /// The first of consecutive ids.
        first: EntryId,
        /// The last one, inclusive.
        last: EntryId,
    },
    /// Some days, and what lies around them.
    Around {
        /// The first one, inclusive.
        first: Date,
        /// The last one, inclusive.
        last: Date,
    },
}

impl Scope {
    /// What covers both: more than both only if they lie apart, or are not alike.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Added { first, last }, Self::Added { first: from, last: to }) => {
                Self::Added { first: first.min(from), last: last.max(to) }
            }
            (Self::Around { first, last }, Self::Around { first: from, last: to }) => {
                Self::Around { first: first.min(from), last: last.max(to) }
            }
            _ => Self::All,
        }
    }
}

impl Job for Scope {
    const KIND: &'static str = "transfers.match";

    /// One of a family waits at a time: [`queue`](super::queue) widens it.
    fn dedupe_key(&self) -> Option<String> {
        Some(Self::KIND.to_owned())
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        // From here on the ledger is looked at: who asks now asks for another look.
        let scope = work.write(|tx| jobs::forget_dedupe_key(tx, work.claim))?;
        let scope = serde_json::from_value(scope).map_err(Error::internal)?;
        let (wanted, days, mut found) = work.read(|tx| look(tx, scope))?;
        if wanted == Matching::Propose {
            found.iter_mut().for_each(|one| one.decision = Decision::Propose);
        }
        let mut applied = Applied::default();
        for slice in found.chunks(PAIRS_PER_COMMIT) {
            applied += work.write(|tx| {
                let wanted_now = families::get(tx)?.transfer_matching;
                // Somebody changed the setting meanwhile: the job is tried again with the new one.
                if wanted_now != wanted {
                    return Err(Error::internal("the matching of transfers was set anew"));
                }
                let applied = matching::apply(tx, slice)?;
                // A part that changes nothing isn't done: another try looks at it again.
                match applied == Applied::default() {
                    true => jobs::hold(tx, work.claim)?,
                    false => jobs::end_part(tx, work.claim)?,
                }
                Ok(applied)
            })?;
        }
        let applied = work.write(|tx| {
            let applied = matching::finish(tx, &days, &found, applied)?;
            jobs::complete(tx, work.claim)?;
            Ok(applied)
        })?;
        tracing::debug!(?applied, "transfers matched");
        Ok(())
    }
}

/// Finds the pairs, in one snapshot.
fn look(tx: &mut FamilyTx<'_>, scope: Scope) -> Result<(Matching, Vec<Days>, Vec<MatchedPair>)> {
    let wanted = families::get(tx)?.transfer_matching;
    if wanted == Matching::Off {
        return Ok((wanted, Vec::new(), Vec::new()));
    }
    let days = match scope {
        Scope::All => matching::all_days(tx)?,
        Scope::Added { first, last } => matching::days_of_range(tx, first, last)?,
        Scope::Around { first, last } => vec![matching::days_around(first, last)],
    };
    let found = matching::find(tx, &days)?;
    Ok((wanted, days, found))
}
