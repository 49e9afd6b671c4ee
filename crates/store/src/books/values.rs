//! What isn't entries: adjustments and valuations, balances at the end, prices and rates.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The days on which a balance was stated or something was adjusted, account by account.
    BOOKS_ADJUSTMENTS = "SELECT b.account_id, b.date, b.adjustment, b.end_amount,
            b.valued, e.id, e.name, e.notes
        FROM balances b
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.account_id = b.account_id
            AND e.date = b.date AND e.kind = 1
        WHERE b.family_id = $1 AND (b.adjustment <> 0 OR b.valued IS NOT NULL)
        ORDER BY b.account_id, b.date";
    /// The last day of an account's balances.
    BOOKS_END = "SELECT date, end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 ORDER BY date DESC LIMIT 1";
    /// Every price, security by security.
    BOOKS_PRICES = "SELECT security_id, date, price, currency
        FROM security_prices WHERE family_id = $1 ORDER BY security_id, date, currency";
    /// Every rate of the family.
    BOOKS_RATES = "SELECT base, quote, date, rate
        FROM family_rates WHERE family_id = $1 ORDER BY base, quote, date";
    /// The feed's rates of a pair of currencies.
    BOOKS_FEED = "SELECT date, rate FROM feed_rates WHERE base = $1 AND quote = $2 ORDER BY date";
}

/// A day on which the balance of an account was stated, or adjusted.
#[derive(Debug)]
pub struct Adjustment {
    /// The account.
    pub account: Uuid,
    /// The day.
    pub date: Date,
    /// What no entry explains; of a liability, positive is more debt.
    pub adjustment: i64,
    /// The balance at the end; in accounts with holdings that of the money alone.
    pub end: i64,
    /// What was stated; in accounts with holdings it is the value of the whole.
    pub valued: Option<i64>,
    /// The valuation of the day: its id, its name and its notes.
    pub valuation: Option<(Uuid, String, Option<String>)>,
}

/// What a unit was worth on a day, as exact decimal text.
#[derive(Debug)]
pub struct Price<'r> {
    /// The day.
    pub date: Date,
    /// The price or the rate.
    pub price: &'r str,
}

/// Calls `each` with every adjustment, account by account.
pub fn adjustments(
    tx: &mut FamilyTx<'_>,
    mut each: impl FnMut(Adjustment) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    tx.for_each(&BOOKS_ADJUSTMENTS, vals![family], |row| {
        let valuation = match row.opt_uuid(5)? {
            Some(id) => Some((id, row.string(6)?, row.opt_string(7)?)),
            None => None,
        };
        each(Adjustment {
            account: row.uuid(0)?,
            date: row.date(1)?,
            adjustment: row.int(2)?,
            end: row.int(3)?,
            valued: row.opt_int(4)?,
            valuation,
        })
    })
}

/// The last day of an account's balances, and the balance of that day.
pub fn end(tx: &mut FamilyTx<'_>, account: Uuid) -> Result<Option<(Date, i64)>> {
    let family = tx.family();
    let key = vals![family, account];
    tx.query_opt(&BOOKS_END, key, |row| Ok((row.date(0)?, row.int(1)?)))
}

/// Calls `each` with every price: the security, the price, and its currency.
pub fn prices(
    tx: &mut FamilyTx<'_>,
    mut each: impl FnMut(Uuid, Price<'_>, &str) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    tx.for_each(&BOOKS_PRICES, vals![family], |row| {
        each(row.uuid(0)?, Price { date: row.date(1)?, price: row.text(2)? }, row.text(3)?)
    })
}

/// Calls `each` with every rate that the family stated: one unit of the first currency in the
/// second.
pub fn rates(
    tx: &mut FamilyTx<'_>,
    mut each: impl FnMut(&str, Price<'_>, &str) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    tx.for_each(&BOOKS_RATES, vals![family], |row| {
        each(row.text(0)?, Price { date: row.date(2)?, price: row.text(3)? }, row.text(1)?)
    })
}

/// Calls `each` with the feed's rates of a pair of currencies.
pub fn feed_rates(
    tx: &mut FamilyTx<'_>,
    base: Currency,
    quote: Currency,
    mut each: impl FnMut(Price<'_>) -> Result<()>,
) -> Result<()> {
    tx.for_each(&BOOKS_FEED, vals![base.code(), quote.code()], |row| {
        each(Price { date: row.date(0)?, price: row.text(1)? })
    })
}
