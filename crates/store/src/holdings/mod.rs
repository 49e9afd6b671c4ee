//! Holdings: how much of a security an account has on a day, its value and its cost.
//!
//! Nothing of it is stored but the position's id and a cost that a person stated: the number of
//! shares comes from position segments, the value from prices and rates of the day in question. The
//! id of a holding of today is that of the position, for good; one of an earlier day has an id made
//! of it and the day. Only holdings of visible accounts can be read.

pub(crate) mod change;
mod days;
pub(crate) mod positions;
#[cfg(test)]
mod tests;
pub(crate) mod values;
mod worth;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{self, AccountId, HoldingId, SecurityId};
use purser_core::ledger::holding::Cost;
use purser_core::ledger::valuing::{Missing, Price};
use purser_core::money::Currency;
use purser_core::rates::Rate;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts::AccountSummary;
use crate::calendar;
use crate::driver::{Row, date_to_days, days_to_date};
pub use change::{HoldingChange, update};
use positions::{Position, PositionFilter};
pub(crate) use values::worth_of;
pub use values::{Value, Values, values_on};

/// What other things show of a security.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecuritySummary {
    /// The id of the security.
    pub id: SecurityId,
    /// The ticker in upper case.
    pub ticker: String,
    /// The market's code; empty when unknown.
    pub exchange_operating_mic: String,
    /// The name that is shown.
    pub name: Option<String>,
}

impl SecuritySummary {
    /// Reads id, ticker, market and name from four columns.
    pub(crate) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        Ok(Self {
            id: row.id(first)?,
            ticker: row.string(first + 1)?,
            exchange_operating_mic: row.string(first + 2)?,
            name: row.opt_string(first + 3)?,
        })
    }
}

/// A holding on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The id of the position today, or of the position on another day.
    pub id: Uuid,
    /// The end of this day.
    pub date: Date,
    /// The number of shares; negative for a short position.
    pub quantity: Decimal,
    /// The price of one share, in `currency`; 0 if none is known.
    pub price: Decimal,
    /// The price that was taken, as it was stated.
    pub stated: Option<Price>,
    /// The rate that the price was converted with; none if it is in `currency`, or none is known.
    pub rate: Option<Rate>,
    /// The value of all shares, in the currency's scale; it may be more than a balance holds.
    pub amount: i128,
    /// What is missing for a complete amount; `None` if nothing is.
    pub missing: Option<Missing>,
    /// The account's: of price, amount and cost.
    pub currency: Currency,
    /// What it cost, if known; none for a closed position.
    pub cost: Option<Cost>,
    /// Whether a person's word on the cost is never replaced.
    pub cost_locked: bool,
    /// When the position was first seen.
    pub created_at: Timestamp,
    /// The time of the last change of the stated cost.
    pub updated_at: Timestamp,
    /// The account of the holding.
    pub account: AccountSummary,
    /// The security that it is about.
    pub security: SecuritySummary,
}

/// Which holdings are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing<'a> {
    /// Only of these accounts.
    pub accounts: Option<&'a [AccountId]>,
    /// Only of this security.
    pub security: Option<SecurityId>,
    /// The days that are listed.
    pub days: Days,
}

/// The days that a list is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Days {
    /// Today in the family's time zone.
    #[default]
    Today,
    /// The holdings of one day.
    On(Date),
    /// Each day of a span, up to today; an end that is missing is the first day or today.
    Between(Option<Date>, Option<Date>),
}

/// A page of holdings that were open at the end of their days, by day and then by id of the
/// position, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing<'_>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Holding>, u64)> {
    let today = calendar::today(tx)?;
    let chosen =
        PositionFilter { accounts: listing.accounts, security: listing.security, id: None };
    let positions = positions::select(tx, chosen)?;
    let (first, last) = match listing.days {
        Days::Today => (today, today),
        Days::On(day) => (day, day),
        Days::Between(first, last) => (first.unwrap_or(Date::MIN), last.unwrap_or(today)),
    };
    let (page, total) = days::page(&positions, (first, last.min(today)), limit, offset);
    let wanted: Vec<(&Position, Date)> =
        page.into_iter().filter_map(|(at, day)| Some((positions.get(at)?, day))).collect();
    Ok((worth::holdings(tx, &wanted, today)?, total))
}

/// One holding of a visible account: of today, or of the day in its id.
pub fn get(tx: &mut FamilyTx<'_>, id: HoldingId) -> Result<Holding> {
    let today = calendar::today(tx)?;
    let (position, day) = find(tx, id, today)?;
    let mut found = worth::holdings(tx, &[(&position, day)], today)?;
    found.pop().ok_or(NOT_FOUND)
}

/// The position of an id, and its day.
fn find(tx: &mut FamilyTx<'_>, id: HoldingId, today: Date) -> Result<(Position, Date)> {
    let chosen = PositionFilter { id: Some(id), ..PositionFilter::default() };
    for position in positions::select(tx, chosen)? {
        if position.id == id {
            return Ok((position, today));
        }
        let Some(day) = ids::of_day(id.0, position.id.0) else { continue };
        let day = days_to_date(day.into()).map_err(|_| NOT_FOUND)?;
        let began = position.segments.first().is_some_and(|first| first.date <= day);
        if began && day < today {
            return Ok((position, day));
        }
    }
    Err(NOT_FOUND)
}

/// The id of a position on a day.
fn id_on(position: HoldingId, day: Date, today: Date) -> Result<Uuid> {
    if day == today {
        return Ok(position.0);
    }
    let day = i32::try_from(date_to_days(day)).map_err(Error::internal)?;
    Ok(ids::day_id(position.0, day))
}

const NOT_FOUND: Error = Error::NotFound { what: "Holding" };
