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
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{decimal, effects, read_source};
use crate::access::FamilyTx;
use crate::audit::{self};
use crate::calendar;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements, vals};
use crate::families;
use crate::labels::require_unrestricted;

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
    /// Replaces the rate and its source.
    OWN_SET = "UPDATE family_rates SET rate = $1, source = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5";
    /// Removes the rate with an id.
    OWN_REMOVE = "DELETE FROM family_rates WHERE family_id = $1 AND id = $2";
}

pub(crate) static OWN_RATES: Bulk = Bulk {
    table: "family_rates",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("base", ColumnType::Text),
        ("quote", ColumnType::Text),
        ("date", ColumnType::Int),
        ("rate", ColumnType::Text),
        ("source", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

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
    let id = match &before {
        Some(same) if same.stated == stated && same.source == Source::Manual => {
            // Nothing new; but whatever was not converted by it for any reason is now.
            effects::after_own(tx, same.id.0, &[stated])?;
            return Ok((same.clone(), true));
        }
        Some(other) => {
            replace(tx, other.id, stated.rate, Source::Manual)?;
            other.id
        }
        None => {
            let mut inserter = Inserter::new(&OWN_RATES);
            let id = push(tx, &mut inserter, &stated, Source::Manual)?;
            inserter.flush(tx)?;
            id
        }
    };
    let details = json!({
        "before": before.as_ref().map(|before| described(&before.stated)),
        "after": described(&stated),
    });
    effects::after_own(tx, id.0, &[stated])?;
    note(tx, "exchange_rate.set", Some(id), details)?;
    Ok((get(tx, id)?, before.is_some()))
}

/// Takes a rate away.
pub fn remove(tx: &mut FamilyTx<'_>, id: RateId) -> Result<()> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    tx.execute(&OWN_REMOVE, vals![family, id])?;
    effects::after_own(tx, id.0, &[before.stated])?;
    let details = json!({ "before": described(&before.stated) });
    note(tx, "exchange_rate.remove", Some(id), details)
}

/// States every rate of a file.
pub fn import(tx: &mut FamilyTx<'_>, rates: &[StatedRate]) -> Result<Imported> {
    require_unrestricted(tx)?;
    let known = known(tx, rates)?;
    let mut inserter = Inserter::new(&OWN_RATES);
    let mut imported = Imported::default();
    let mut news = Vec::new();
    for stated in rates {
        match known.get(&(stated.base, stated.quote, stated.date)) {
            None => {
                push(tx, &mut inserter, stated, Source::File)?;
                imported.added += 1;
            }
            Some(same) if same.stated.rate == stated.rate => {
                imported.unchanged += 1;
                continue;
            }
            Some(persons) if persons.source == Source::Manual => {
                imported.kept += 1;
                continue;
            }
            Some(other) => {
                replace(tx, other.id, stated.rate, Source::File)?;
                imported.changed += 1;
            }
        }
        news.push(*stated);
    }
    inserter.flush(tx)?;
    let subject = tx.new_id()?;
    effects::after_own(tx, subject, &news)?;
    let details = json!({ "added": imported.added, "changed": imported.changed });
    note(tx, "exchange_rate.import", None, details)?;
    Ok(imported)
}

type Known = BTreeMap<(Currency, Currency, Date), OwnRate>;

/// What is stated already of the pairs and days of a file.
fn known(tx: &mut FamilyTx<'_>, rates: &[StatedRate]) -> Result<Known> {
    let family = tx.family();
    let pairs: BTreeSet<_> = rates.iter().map(|stated| (stated.base, stated.quote)).collect();
    let days = || rates.iter().map(|stated| stated.date);
    let (Some(first), Some(last)) = (days().min(), days().max()) else { return Ok(Known::new()) };
    let mut known = Known::new();
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

fn push(
    tx: &mut FamilyTx<'_>,
    inserter: &mut Inserter,
    stated: &StatedRate,
    source: Source,
) -> Result<RateId> {
    let family = tx.family();
    let (id, now) = (RateId(tx.new_id()?), Val::from(tx.now()));
    let rate = stated.rate.normalize().to_string();
    let row = [
        family.into(),
        id.into(),
        stated.base.code().into(),
        stated.quote.code().into(),
        stated.date.into(),
        Val::Text(&rate),
        source.as_str().into(),
        now,
        now,
    ];
    inserter.push(tx, &row)?;
    Ok(id)
}

fn replace(tx: &mut FamilyTx<'_>, id: RateId, rate: Decimal, source: Source) -> Result<()> {
    let family = tx.family();
    let (rate, now) = (rate.normalize().to_string(), tx.now());
    tx.execute(&OWN_SET, vals![&rate, source.as_str(), now, family, id]).map(drop)
}

fn note(tx: &mut FamilyTx<'_>, action: &str, id: Option<RateId>, details: Value) -> Result<()> {
    let actor = tx.actor();
    families::bump_version(tx)?;
    let subject_id = id.map(|id| id.0);
    let event = audit::Event { actor, action, subject_kind: "exchange_rate", subject_id, details };
    audit::record(tx, &event).map(drop)
}

fn described(stated: &StatedRate) -> Value {
    json!({
        "base": stated.base,
        "quote": stated.quote,
        "date": stated.date,
        "rate": stated.rate.normalize().to_string(),
    })
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
        source: read_source(row, 5)?,
        created_at: row.timestamp(6)?,
        updated_at: row.timestamp(7)?,
    })
}
