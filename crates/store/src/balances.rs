//! The balance of an account by day, for charts: read only. The ledger writes it.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;

use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;

statements! {
    /// The first day on which something happened.
    FIRST_DAY = "SELECT date FROM balances
        WHERE family_id = $1 AND account_id = $2 ORDER BY date LIMIT 1";
    /// The balance before a day.
    BEFORE = "SELECT COALESCE((SELECT b.end_amount FROM balances b
                WHERE b.family_id = a.family_id AND b.account_id = a.id AND b.date < $1
                ORDER BY b.date DESC LIMIT 1), a.opening_amount)
        FROM accounts a WHERE a.family_id = $2 AND a.id = $3";
    /// The days of a range on which something happened.
    DAYS = "SELECT date, end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= $3 AND date <= $4 ORDER BY date";
}

/// The end of a day, in the scale of the account's currency; debt is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The balance stays so until the day of the next point.
    pub date: Date,
    /// At the end of the day.
    pub amount: i64,
}

/// An account's balance from a day (without one, from the first on which something happened) up to
/// another: where it started, and every day on which something happened. Empty when nothing
/// happened up to the last day.
pub fn series(
    tx: &mut Tx<'_>,
    family: FamilyId,
    account: AccountId,
    from: Option<Date>,
    to: Date,
) -> Result<Vec<Point>> {
    let first = tx.query_opt(&FIRST_DAY, vals![family, account], |row| row.date(0))?;
    let Some(first) = first.filter(|first| *first <= to) else { return Ok(Vec::new()) };
    // Nothing is known of the days before the first.
    let from = from.unwrap_or(first).max(first);
    let before = tx
        .query_opt(&BEFORE, vals![from, family, account], |row| row.int(0))?
        .ok_or(Error::NotFound { what: "Account" })?;
    let mut points = tx.query(&DAYS, vals![family, account, from, to], |row| {
        Ok(Point { date: row.date(0)?, amount: row.int(1)? })
    })?;
    if points.first().is_none_or(|point| point.date > from) {
        points.insert(0, Point { date: from, amount: before });
    }
    Ok(points)
}
