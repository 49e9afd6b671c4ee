//! Bringing a family's ledger up to date with rates that changed: at once if that is little work,
//! else by a job in slices, so that no write waits long.
//!
//! Until the job is done some amounts are still booked at the rate before, and show it: each keeps
//! the origin of its rate.

use std::collections::BTreeSet;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;
use purser_core::rates::Rate;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::book;
use super::effects::Reach;
use crate::access::FamilyTx;
use crate::audit::Actor;
use crate::driver::{DirectoryLock, Tx, Val, statements, vals};
use crate::families;
use crate::jobs::{self, ClaimedJob};
use crate::ledger::hidden::is_anything_hidden;
use crate::ledger::revaluation::{conversions_changed, valuations_changed};
use crate::store::Store;

statements! {
    /// How many conversions from a currency were not given with their entries, up to the limit.
    CONVERTED_FROM = "SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT 1 FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND from_currency = ANY($4) LIMIT 5001) c";
    /// How many conversions to a currency were not given with their entries, up to the limit.
    CONVERTED_TO = "SELECT CAST(COUNT(*) AS BIGINT) FROM (SELECT 1 FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND to_currency = ANY($4) LIMIT 5001) c";
    /// Which currencies meet in the conversions of a span of days, and when.
    PAIRS_CONVERTED = "SELECT from_currency, to_currency, MIN(date), MAX(date)
        FROM entry_conversions
        WHERE family_id = $1 AND date >= $2 AND date <= $3
        GROUP BY from_currency, to_currency";
    /// Conversions from a currency that were not given with their entries.
    CONVERSIONS_FROM = "SELECT entry_id, account_id, date, from_currency, to_currency, origin
        FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND from_currency = ANY($4)";
    /// Conversions to a currency that were not given with their entries.
    CONVERSIONS_TO = "SELECT entry_id, account_id, date, from_currency, to_currency, origin
        FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND to_currency = ANY($4)";
}

/// The kind of job under which [`ApplyRates`] is stored.
pub const KIND: &str = "rates.apply";

/// The limit of conversions that are computed again in the transaction that states the rate; the
/// count stops at one more.
const AT_ONCE_MAX: i64 = 5_000;
/// Amounts that one commit of the job converts again.
const PER_COMMIT: usize = 2_000;

/// A job: brings the ledger up to date with rates of these currencies and days.
#[derive(Debug, Serialize, Deserialize)]
pub struct ApplyRates {
    currencies: Vec<Currency>,
    first: Date,
    last: Date,
}

/// A conversion that is to be made again. In the order of accounts and days, so that a slice folds
/// few balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outdated {
    pub(crate) account: AccountId,
    pub(crate) date: Date,
    pub(crate) entry: EntryId,
}

/// Brings the ledger up to date in the caller's transaction, or queues the job that does.
pub(super) fn apply(tx: &mut FamilyTx<'_>, subject: Uuid, reach: &Reach) -> Result<()> {
    // What a publish in parts still hides is converted after it: a family has one job at a time.
    if is_anything_hidden(tx)? || is_much(tx, reach)? {
        return queue(tx, reach);
    }
    let entries: Vec<EntryId> = outdated(tx, reach)?.into_iter().map(|one| one.entry).collect();
    conversions_changed(tx, subject, &entries)?;
    valuations_changed(tx, subject, reach.first)
}

/// Queues the job in the transaction that stores the rates.
pub fn queue(tx: &mut FamilyTx<'_>, reach: &Reach) -> Result<()> {
    let family = tx.family();
    let payload = ApplyRates {
        currencies: reach.currencies.iter().copied().collect(),
        first: reach.first,
        last: reach.last,
    };
    let payload = serde_json::to_value(payload).map_err(Error::internal)?;
    jobs::enqueue(tx, family, KIND, &payload, None).map(drop)
}

/// Queues the job for every family, in the transaction that stores rates of the feed. It reaches
/// directories only, so it waits for no family.
pub fn queue_for_all(tx: &mut Tx<'_>, reach: &Reach) -> Result<()> {
    // None of them is removed meanwhile.
    tx.lock_directory(DirectoryLock::Families)?;
    for family in families::every(tx, Actor::System)? {
        tx.with_access(family.access, |tx| queue(tx, reach))?;
    }
    Ok(())
}

impl ApplyRates {
    /// Runs the job. Each slice uses the rates and entries of its own time, so nothing is lost if
    /// they change meanwhile or if the job is done again.
    pub fn run(&self, store: &Store, job: &ClaimedJob) -> Result<()> {
        let reach = Reach {
            currencies: self.currencies.iter().copied().collect(),
            first: self.first,
            last: self.last,
        };
        let access = job.access(Actor::System);
        // Whoever looked for a rate before these were there has written down what was found by now.
        store.write_blocking(access.clone(), |tx| jobs::hold(tx, job))?;
        let outdated = store.read_blocking(access.clone(), |tx| outdated(tx, &reach))?;
        let entries: Vec<EntryId> = outdated.into_iter().map(|one| one.entry).collect();
        for slice in entries.chunks(PER_COMMIT) {
            store.write_blocking(access.clone(), |tx| {
                conversions_changed(tx, job.id.0, slice)?;
                jobs::end_part(tx, job)
            })?;
        }
        store.write_blocking(access.clone(), |tx| {
            valuations_changed(tx, job.id.0, reach.first)?;
            jobs::complete(tx, job)
        })
    }
}

/// Whether too many conversions are to be looked at for one transaction.
fn is_much(tx: &mut FamilyTx<'_>, reach: &Reach) -> Result<bool> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = reach.currencies.iter().map(|one| one.code().into()).collect();
    let mut count = 0;
    for sql in [&CONVERTED_FROM, &CONVERTED_TO] {
        tx.lookup(sql, vals![family, reach.first, reach.last], &keys, |row| {
            count += row.int(0)?;
            Ok(())
        })?;
    }
    Ok(count > AT_ONCE_MAX)
}

/// Every conversion of a family that would now be made with another rate.
pub(crate) fn outdated_anywhere(tx: &mut FamilyTx<'_>) -> Result<Vec<Outdated>> {
    let family = tx.family();
    let (first, last) = (Date::MIN, Date::MAX);
    let pairs = tx.query(&PAIRS_CONVERTED, vals![family, first, last], |row| row.currency(0))?;
    outdated(tx, &Reach { currencies: pairs.into_iter().collect(), first, last })
}

/// The conversions that would now be made with another rate.
fn outdated(tx: &mut FamilyTx<'_>, reach: &Reach) -> Result<Vec<Outdated>> {
    let family = tx.family();
    let mut currencies = BTreeSet::new();
    let (mut first, mut last) = (Date::MAX, Date::MIN);
    tx.for_each(&PAIRS_CONVERTED, vals![family, reach.first, reach.last], |row| {
        let pair = [row.currency(0)?, row.currency(1)?];
        if pair.iter().any(|one| reach.currencies.contains(one)) {
            currencies.extend(pair);
            first = first.min(row.date(2)?);
            last = last.max(row.date(3)?);
        }
        Ok(())
    })?;
    if currencies.is_empty() {
        return Ok(Vec::new());
    }
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    let book = book(tx, &currencies, first, last)?;
    let keys: Vec<Val<'_>> = reach.currencies.iter().map(|one| one.code().into()).collect();
    // Both statements return pairs of which both currencies are in reach.
    let mut found = BTreeSet::new();
    for sql in [&CONVERSIONS_FROM, &CONVERSIONS_TO] {
        tx.lookup(sql, vals![family, first, last], &keys, |row| {
            let (date, from, to) = (row.date(2)?, row.currency(3)?, row.currency(4)?);
            let used: Option<Rate> = serde_json::from_str(row.text(5)?).map_err(Error::internal)?;
            if book.find(from, to, date) != used {
                found.insert(Outdated { entry: row.id(0)?, account: row.id(1)?, date });
            }
            Ok(())
        })?;
    }
    Ok(found.into_iter().collect())
}

#[cfg(test)]
#[path = "applying_tests.rs"]
mod tests;
