//! Stating, changing and removing single prices.
//!
//! What depends on a price from day to day is computed when it is asked for. Only balances on days
//! of valuations follow from it: they are folded again in the same transaction.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{PriceId, SecurityId};
use purser_core::ledger::input::{AmountText, entry_date};
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::rates::positive_decimal;

use super::record::{PriceImage, PriceRecord};
use super::{StatedPrice, get, traded_in};
use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{statements, vals};
use crate::labels::require_unrestricted;
use crate::ledger::records::execute;
use crate::rates::decimal;
use crate::securities;

statements! {
    /// The price of a security, day and currency.
    PRICE_ON = "SELECT id, price, source FROM security_prices
        WHERE family_id = $1 AND security_id = $2 AND date = $3 AND currency = $4";
}

/// A price as callers write it. What is missing is left alone, or is required in a new one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceInput {
    /// The id of the security; it can't be changed.
    pub security: Option<String>,
    /// The day as `YYYY-MM-DD`.
    pub date: Option<String>,
    /// A code; the security's own if a new price has none.
    pub currency: Option<String>,
    /// The price of one unit, which is positive.
    pub price: Option<AmountText>,
}

/// States a price, and returns whether one of that day and currency was there.
pub fn set(tx: &mut FamilyTx<'_>, input: &PriceInput) -> Result<(StatedPrice, bool)> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let (security, price) = new_price(tx, input)?;
    let key = vals![family, security, price.date, price.currency.code()];
    let before = tx.query_opt(&PRICE_ON, key, |row| {
        let (stated, source) = (decimal(row.text(1)?)?, row.named(2)?);
        let before = Price { price: stated, source, ..price };
        Ok((row.uuid(0)?, PriceImage::new(security, &before)))
    })?;
    let after = PriceImage::new(security, &price);
    let event = ("security_price.set", "security_price");
    let id = execute(tx, event, |tx, executor| match &before {
        Some((id, before)) => {
            executor.update::<PriceRecord>(tx, *id, (before, &after))?;
            Ok(*id)
        }
        None => executor.insert::<PriceRecord>(tx, &after),
    })?;
    Ok((get(tx, PriceId(id))?, before.is_some()))
}

/// Changes a price: its number, its currency, its day (which must be free). It is a person's word
/// from then on.
pub fn revise(tx: &mut FamilyTx<'_>, id: PriceId, input: &PriceInput) -> Result<StatedPrice> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let mut problems = Problems::new();
    let sent = read_sent(tx, input, &mut problems)?;
    problems.into_result()?;
    let mut price = Price {
        date: sent.date.unwrap_or(before.price.date),
        currency: sent.currency.unwrap_or(before.price.currency),
        price: sent.price.unwrap_or(before.price.price),
        source: before.price.source,
    };
    if price == before.price {
        return Ok(before);
    }
    price.source = PriceSource::Manual;
    let key = vals![family, before.security, price.date, price.currency.code()];
    let there = tx.query_opt(&PRICE_ON, key, |row| row.id::<PriceId>(0))?;
    if there.is_some_and(|there| there != id) {
        return Err(
            Problem::about("date", "There is already a price of this date and currency").into()
        );
    }
    let was = PriceImage::new(before.security, &before.price);
    let is = PriceImage::new(before.security, &price);
    let event = ("security_price.revise", "security_price");
    execute(tx, event, |tx, executor| {
        executor.update::<PriceRecord>(tx, id.0, (&was, &is))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Takes a price away.
pub fn remove(tx: &mut FamilyTx<'_>, id: PriceId) -> Result<()> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let was = PriceImage::new(before.security, &before.price);
    let event = ("security_price.remove", "security_price");
    execute(tx, event, |tx, executor| {
        executor.delete::<PriceRecord>(tx, id.0, &was)?;
        Ok(id.0)
    })
    .map(drop)
}

/// The fields of a price that were sent.
struct SentPrice {
    date: Option<jiff::civil::Date>,
    currency: Option<purser_core::money::Currency>,
    price: Option<rust_decimal::Decimal>,
}

fn read_sent(
    tx: &mut FamilyTx<'_>,
    input: &PriceInput,
    problems: &mut Problems,
) -> Result<SentPrice> {
    let today = calendar::today(tx)?;
    let date = input.date.as_deref();
    let code = input.currency.as_deref();
    Ok(SentPrice {
        date: date.and_then(|text| entry_date("date", text, today, problems)),
        currency: code
            .and_then(|code| purser_core::rates::currency("currency", Some(code), problems)),
        price: input.price.as_ref().and_then(|text| positive_decimal("price", text, problems)),
    })
}

fn new_price(tx: &mut FamilyTx<'_>, input: &PriceInput) -> Result<(SecurityId, Price)> {
    let mut problems = Problems::new();
    let security = match input.security.as_deref().map(str::trim).filter(|id| !id.is_empty()) {
        None => {
            problems.required("security_id");
            None
        }
        Some(text) => {
            let id = text.parse::<SecurityId>().ok();
            let found = match id {
                Some(id) => securities::get(tx, id).map(Some).or_else(missing)?,
                None => None,
            };
            if found.is_none() {
                problems.push(Problem::unknown("security_id", "security"));
            }
            found
        }
    };
    let sent = read_sent(tx, input, &mut problems)?;
    for (field, is_there) in [("date", input.date.is_some()), ("price", input.price.is_some())] {
        if !is_there {
            problems.required(field);
        }
    }
    let currency = match (sent.currency, &security) {
        (None, Some(security)) => traded_in(tx, security.id)?,
        (sent, _) => sent,
    };
    if currency.is_none() && input.currency.is_none() && security.is_some() {
        let predicate = "is required: neither the security nor a trade of it has one";
        problems.field("currency", predicate);
    }
    problems.into_result()?;
    match (security, sent.date, currency, sent.price) {
        (Some(security), Some(date), Some(currency), Some(price)) => {
            Ok((security.id, Price { date, currency, price, source: PriceSource::Manual }))
        }
        _ => Err(Error::internal("a price without a part was let through")),
    }
}

fn missing<T>(error: Error) -> Result<Option<T>> {
    match error {
        Error::NotFound { .. } => Ok(None),
        other => Err(other),
    }
}
