//! The job that brings a family's ledger up to date with rates of the feed: amounts that are better
//! converted by them are converted again, in one transaction with the end of the job.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_store::jobs::{self, ClaimedJob};
use purser_store::rates::effects::Reach;
use purser_store::rates::feed;
use purser_store::{FamilyId, Store, Tx};
use serde::{Deserialize, Serialize};

/// The kind of job.
pub(crate) const KIND: &str = "rates.apply";

/// Which conversions are looked at.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    currencies: Vec<Currency>,
    first: Date,
    last: Date,
}

/// Queues the job in the transaction that stores the rates.
pub(super) fn queue(tx: &mut Tx<'_>, family: FamilyId, reach: &Reach) -> Result<()> {
    let payload = Payload {
        currencies: reach.currencies.iter().copied().collect(),
        first: reach.first,
        last: reach.last,
    };
    let payload = serde_json::to_value(payload).map_err(Error::internal)?;
    jobs::enqueue(tx, family, KIND, &payload, None).map(drop)
}

/// Carries it out.
pub(crate) fn run(store: &Store, job: &ClaimedJob) -> Result<()> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let reach = Reach {
        currencies: payload.currencies.into_iter().collect(),
        first: payload.first,
        last: payload.last,
    };
    store.write_blocking(job.family, |tx| {
        feed::apply(tx, job.family, &reach)?;
        jobs::complete(tx, job)
    })
}
