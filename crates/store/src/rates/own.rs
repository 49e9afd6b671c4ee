//! Rates that the family states itself, by hand or in a file. They come before the feed's.
//!
//! There is one for each pair (in one direction) and day: stating it again replaces the number.
//! What is in a file doesn't replace what a person stated. Conversions that are better with the new
//! rate are made again in the same transaction.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::RateId;
use purser_core::money::Currency;
use purser_core::rates::{RateInput, Source, StatedRate};

use super::decimal;
use super::record::{OWN_RATES, RateImage, RateRecord};
use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{Inserter, Row, statements, vals};
use crate::families;
use crate::labels::require_unrestricted;
use crate::ledger::Executor;
use crate::ledger::records::{Effects, execute};

statements! {
    /// The rate with an id.
    OWN_GET = "SELECT id, base, quote, date, rate, source, created_at, updated_at
        FROM family_rates WHERE family_id = $1 AND id = $2";
    /// The rate of a pair and day.
    OWN_ON = "SELECT id, base, quote, date, rate, source, created_at, updated_at
        FROM family_rates WHERE family_id = $1 AND base = $2 AND quote = $3 AND date = $4";
    /// What is there of a pair.
    OWN_OF_PAIR = "SELECT id, base, quote, date, rate, source, created_at, updated_at
        FROM family_rates
        WHERE family_id = $1 AND base = $2 AND quote = $3 AND date >= $4 AND date <= $5";
}

/// A rate that the family stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRate {
    /// The id of the rate.
    pub id: RateId,
    /// The pair, the day and the rate.
    pub stated: StatedRate,
    /// By hand or in a file.
    pub source: Source,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

impl OwnRate {
    fn image(&self) -> RateImage {
        RateImage::new(&self.stated, self.source)
    }
}

/// What became of the rates or prices of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Imported {
    /// The number of new rates.
    pub added: u64,
    /// Those that replaced another number.
    pub changed: u64,
    /// Those that were there already.
    pub unchanged: u64,
    /// Days on which a person's word stays instead.
    pub kept: u64,
}

/// The rate with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: RateId) -> Result<OwnRate> {
    let family = tx.family();
    tx.query_opt(&OWN_GET, vals![family, id], read)?
        .ok_or(Error::NotFound { what: "Exchange rate" })
}

/// States a rate, and returns whether one of that day was there.
pub fn set(tx: &mut FamilyTx<'_>, input: &RateInput) -> Result<(OwnRate, bool)> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let stated = input.check(calendar::today(tx)?)?;
    let key = vals![family, stated.base.code(), stated.quote.code(), stated.date];
    let before = tx.query_opt(&OWN_ON, key, read)?;
    if let Some(same) = &before
        && (same.stated, same.source) == (stated, Source::Manual)
    {
        // Nothing new; but whatever was not converted by it for any reason is now.
        let mut effects = Effects::default();
        effects.rate((stated.base, stated.quote), stated.date);
        effects.settle(tx, same.id.0)?;
        return Ok((same.clone(), true));
    }
    let after = RateImage::new(&stated, Source::Manual);
    let id = execute(tx, ("exchange_rate.set", "exchange_rate"), |tx, executor| match &before {
        Some(other) => {
            executor.update::<RateRecord>(tx, other.id.0, (&other.image(), &after))?;
            Ok(other.id.0)
        }
        None => executor.insert::<RateRecord>(tx, &after),
    })?;
    Ok((get(tx, RateId(id))?, before.is_some()))
}

/// Takes a rate away.
pub fn remove(tx: &mut FamilyTx<'_>, id: RateId) -> Result<()> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    execute(tx, ("exchange_rate.remove", "exchange_rate"), |tx, executor| {
        executor.delete::<RateRecord>(tx, id.0, &before.image())?;
        Ok(id.0)
    })
    .map(drop)
}

/// States every rate of a file.
pub fn import(tx: &mut FamilyTx<'_>, rates: &[StatedRate]) -> Result<Imported> {
    require_unrestricted(tx)?;
    let mut imported = Imported::default();
    let family = families::get(tx)?.public_id;
    execute(tx, ("exchange_rate.import", "family"), |tx, executor| {
        imported = put(tx, executor, rates)?;
        executor.add_detail("added", imported.added.into());
        executor.add_detail("changed", imported.changed.into());
        Ok(family)
    })?;
    Ok(imported)
}

/// Writes the rates of a file. What a person stated stays as it is.
fn put(tx: &mut FamilyTx<'_>, executor: &mut Executor, rates: &[StatedRate]) -> Result<Imported> {
    let known = known(tx, rates)?;
    let mut inserter = Inserter::new(&OWN_RATES);
    let mut imported = Imported::default();
    for stated in rates {
        match known.get(&(stated.base, stated.quote, stated.date)) {
            None => {
                let image = RateImage::new(stated, Source::File);
                executor.insert_among::<RateRecord>(tx, &mut inserter, &image)?;
                imported.added += 1;
            }
            Some(same) if same.stated.rate == stated.rate => {
                imported.unchanged += 1;
            }
            Some(persons) if persons.source == Source::Manual => {
                imported.kept += 1;
            }
            Some(other) => {
                let after = RateImage::new(stated, Source::File);
                executor.update::<RateRecord>(tx, other.id.0, (&other.image(), &after))?;
                imported.changed += 1;
            }
        }
    }
    inserter.flush(tx)?;
    Ok(imported)
}

type StoredRates = BTreeMap<(Currency, Currency, Date), OwnRate>;

/// What is stated already of the pairs and days of a file.
fn known(tx: &mut FamilyTx<'_>, rates: &[StatedRate]) -> Result<StoredRates> {
    let family = tx.family();
    let pairs: BTreeSet<_> = rates.iter().map(|stated| (stated.base, stated.quote)).collect();
    let days = || rates.iter().map(|stated| stated.date);
    let (Some(first), Some(last)) = (days().min(), days().max()) else {
        return Ok(StoredRates::new());
    };
    let mut known = StoredRates::new();
    for (base, quote) in pairs {
        let params = vals![family, base.code(), quote.code(), first, last];
        tx.for_each(&OWN_OF_PAIR, params, |row| {
            let rate = read(row)?;
            known.insert((base, quote, rate.stated.date), rate);
            Ok(())
        })?;
    }
    Ok(known)
}

/// Reads the columns of [`OWN_GET`].
pub(super) fn read(row: &Row<'_>) -> Result<OwnRate> {
    let stated = StatedRate {
        base: row.currency(1)?,
        quote: row.currency(2)?,
        date: row.date(3)?,
        rate: decimal(row.text(4)?)?,
    };
    Ok(OwnRate {
        id: row.id(0)?,
        stated,
        source: row.named(5)?,
        created_at: row.timestamp(6)?,
        updated_at: row.timestamp(7)?,
    })
}
