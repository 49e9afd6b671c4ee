//! Stating, changing and removing single prices.
//!
//! What depends on a price from day to day is computed when it is asked for. Only balances on days
//! of valuations follow from it: they are folded again in the same transaction.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{PriceId, SecurityId};
use purser_core::ledger::input::{AmountText, entry_date};
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::rates::positive_decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{StatedPrice, get, traded_in};
use crate::access::FamilyTx;
use crate::audit::{self};
use crate::calendar;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};
use crate::families;
use crate::labels::require_unrestricted;
use crate::ledger::records::{Record, execute};
use crate::ledger::revaluation::prices_changed;
use crate::rates::decimal;
use crate::securities;

statements! {
    /// The price of a security, day and currency.
    PRICE_ON = "SELECT id, price, source FROM security_prices
        WHERE family_id = $1 AND security_id = $2 AND date = $3 AND currency = $4";
    /// A price as somebody changed it.
    PRICE_SET = "UPDATE security_prices
        SET date = $1, currency = $2, price = $3, source = $4, updated_at = $5
        WHERE family_id = $6 AND id = $7";
    /// Removes the price with an id.
    PRICE_REMOVE = "DELETE FROM security_prices WHERE family_id = $1 AND id = $2";
}

pub(crate) static PRICES: Bulk = Bulk {
    table: "security_prices",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("security_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("price", ColumnType::Text),
        ("source", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

/// A price as callers write it. What is missing is left alone, or is required in a new one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceInput {
    /// Of which security; can't be changed.
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
        Ok((row.id::<PriceId>(0)?, row.string(1)?, row.string(2)?))
    })?;
    let after = PriceValues { security, price };
    let before = before.map(|(id, text, source)| stated(security, &price, (id, text, source)));
    let before = before.transpose()?;
    let event = ("security_price.set", "security_price");
    let id = execute(tx, event, |tx, executor| match &before {
        Some((id, before)) => {
            executor.update::<PriceRecord>(tx, id.0, (before, &after))?;
            Ok(id.0)
        }
        None => executor.insert::<PriceRecord>(tx, &after),
    })?;
    let id = PriceId(id);
    prices_changed(tx, &[(security, price.date)])?;
    Ok((get(tx, id)?, before.is_some()))
}

/// Changes a price: its number, its currency, its day (which must be free). It is a person's word
/// from then on.
pub fn revise(tx: &mut FamilyTx<'_>, id: PriceId, input: &PriceInput) -> Result<StatedPrice> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let mut problems = Problems::new();
    let said = said(tx, input, &mut problems)?;
    problems.into_result()?;
    let mut price = Price {
        date: said.date.unwrap_or(before.price.date),
        currency: said.currency.unwrap_or(before.price.currency),
        price: said.price.unwrap_or(before.price.price),
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
    let security = before.security;
    let was = PriceValues { security, price: before.price };
    let is = PriceValues { security, price };
    let event = ("security_price.revise", "security_price");
    execute(tx, event, |tx, executor| {
        executor.update::<PriceRecord>(tx, id.0, (&was, &is))?;
        Ok(id.0)
    })?;
    let first = before.price.date.min(price.date);
    prices_changed(tx, &[(before.security, first)])?;
    get(tx, id)
}

/// Takes a price away.
pub fn remove(tx: &mut FamilyTx<'_>, id: PriceId) -> Result<()> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let was = PriceValues { security: before.security, price: before.price };
    let event = ("security_price.remove", "security_price");
    execute(tx, event, |tx, executor| {
        executor.delete::<PriceRecord>(tx, id.0, &was)?;
        Ok(id.0)
    })?;
    prices_changed(tx, &[(before.security, before.price.date)])
}

/// The fields of a price that were sent.
struct Said {
    date: Option<jiff::civil::Date>,
    currency: Option<purser_core::money::Currency>,
    price: Option<rust_decimal::Decimal>,
}

fn said(tx: &mut FamilyTx<'_>, input: &PriceInput, problems: &mut Problems) -> Result<Said> {
    let today = calendar::today(tx)?;
    let date = input.date.as_deref();
    let code = input.currency.as_deref();
    Ok(Said {
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
    let said = said(tx, input, &mut problems)?;
    for (field, is_there) in [("date", input.date.is_some()), ("price", input.price.is_some())] {
        if !is_there {
            problems.required(field);
        }
    }
    let currency = match (said.currency, &security) {
        (None, Some(security)) => traded_in(tx, security.id)?,
        (said, _) => said,
    };
    if currency.is_none() && input.currency.is_none() && security.is_some() {
        let predicate = "is required: neither the security nor a trade of it has one";
        problems.field("currency", predicate);
    }
    problems.into_result()?;
    match (security, said.date, currency, said.price) {
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

/// Adds a row to the insert.
pub(super) fn push(
    tx: &mut FamilyTx<'_>,
    inserter: &mut Inserter,
    id: PriceId,
    (security, price): (SecurityId, &Price),
) -> Result<()> {
    let family = tx.family();
    let now = Val::from(tx.now());
    let text = price.price.normalize().to_string();
    let row = [
        family.into(),
        id.into(),
        security.into(),
        price.date.into(),
        price.currency.code().into(),
        Val::Text(&text),
        price.source.as_str().into(),
        now,
        now,
    ];
    inserter.push(tx, &row)
}

/// Writes a price in place of what was there.
pub(super) fn write(tx: &mut FamilyTx<'_>, id: PriceId, price: &Price) -> Result<()> {
    let family = tx.family();
    let (text, now) = (price.price.normalize().to_string(), tx.now());
    let (currency, source) = (price.currency.code(), price.source.as_str());
    tx.execute(&PRICE_SET, vals![price.date, currency, &text, source, now, family, id]).map(drop)
}

/// Moves the family's version and writes the audit event.
pub(super) fn note(
    tx: &mut FamilyTx<'_>,
    action: &str,
    id: Option<PriceId>,
    details: Value,
) -> Result<()> {
    let actor = tx.actor();
    families::bump_version(tx)?;
    let subject_id = id.map(|id| id.0);
    let event = audit::Event { actor, action, subject_kind: "security_price", subject_id, details };
    audit::record(tx, &event).map(drop)
}

/// A price as it is written.
struct PriceValues {
    security: SecurityId,
    price: Price,
}

/// The price that was stated of the same day and currency.
fn stated(
    security: SecurityId,
    of: &Price,
    (id, text, source): (PriceId, String, String),
) -> Result<(PriceId, PriceValues)> {
    let source = PriceSource::parse(&source);
    let source = source.ok_or_else(|| Error::internal("unknown source of a price"))?;
    let price = Price { price: decimal(&text)?, source, ..*of };
    Ok((id, PriceValues { security, price }))
}

/// Single prices as the executor writes them. Files and feeds write theirs in bulk.
struct PriceRecord;

impl Record for PriceRecord {
    const KIND: &'static str = "security_price";
    type Values = PriceValues;

    fn image(values: &PriceValues) -> Value {
        let mut image = described(&values.price);
        image["security"] = json!(values.security);
        image
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, values: &PriceValues) -> Result<()> {
        let mut inserter = Inserter::new(&PRICES);
        push(tx, &mut inserter, PriceId(id), (values.security, &values.price))?;
        inserter.flush(tx).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, values: &PriceValues) -> Result<()> {
        write(tx, PriceId(id), &values.price)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&PRICE_REMOVE, vals![family, id]).map(drop)
    }
}

fn described(price: &Price) -> Value {
    json!({
        "date": price.date,
        "currency": price.currency,
        "price": price.price.normalize().to_string(),
        "source": price.source.as_str(),
    })
}
