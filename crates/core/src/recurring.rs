//! Recurring series: transactions that come every month. They are found in what has happened, and
//! followed from then on.
//!
//! A series is of one account, one currency and direction, and one merchant, or one name if there
//! is no merchant. Numbers in names don't count: they are of invoices and dates. [`detect`] finds
//! series; [`Expected::covers`] tests whether a transaction belongs to one.
//!
//! ```text
//! entries ─► groups (who) ─► clusters (how much) ─► the day of the month ─► the last run of months
//! ```

mod detection;
mod index;
pub mod input;

use jiff::civil::Date;
use uuid::Uuid;

use crate::months::plus_months;
use crate::text::label::name_key;

pub use detection::detect;
pub use index::Index;

/// A series needs a transaction in this many months in a row.
pub const OCCURRENCES_MIN: usize = 3;
/// A transaction may be this many days off the day of the month.
pub const DAYS_OFF_MAX: i64 = 4;
/// An amount may be off by one part in this many: a tenth.
pub const AMOUNT_TOLERANCE: i64 = 10;
/// A series that is late by more days than this has ended.
pub const DAYS_LATE_MAX: i64 = 10;
/// The number of days in which series are looked for.
pub const DAYS_LOOKED_AT: i32 = 400;

/// A transaction as far as series depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The account of the transaction.
    pub account: Uuid,
    /// The merchant, if it is known.
    pub merchant: Option<Uuid>,
    /// The name of the transaction.
    pub name: String,
    /// The category, if it has one.
    pub category: Option<Uuid>,
    /// The day of the transaction.
    pub date: Date,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The code of the currency of the amount.
    pub currency: &'static str,
}

/// A series that was detected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The account of the series.
    pub account: Uuid,
    /// The merchant, if it is known.
    pub merchant: Option<Uuid>,
    /// The name of the last transaction.
    pub name: String,
    /// The category of the last transaction.
    pub category: Option<Uuid>,
    /// The amount of the last transaction.
    pub amount: i64,
    /// The code of the currency of the amounts.
    pub currency: &'static str,
    /// The day of the month; shorter months use their last day.
    pub day: i8,
    /// The day of the last transaction.
    pub last: Date,
    /// The day on which the next transaction is expected.
    pub next: Date,
    /// The number of transactions, one each month.
    pub count: u64,
}

impl Series {
    /// What the next transaction is expected to look like.
    pub fn expected(&self) -> Expected<'_> {
        Expected {
            account: Some(self.account),
            merchant: self.merchant,
            name: &self.name,
            amount: self.amount,
            currency: self.currency,
        }
    }

    /// The last transaction of the series.
    pub fn last_seen(&self) -> Occurrence {
        Occurrence {
            account: self.account,
            merchant: self.merchant,
            name: self.name.clone(),
            category: self.category,
            date: self.last,
            amount: self.amount,
            currency: self.currency,
        }
    }
}

/// The words of a name without digits, by which names are compared.
pub fn series_key(name: &str) -> String {
    let key = name_key(name);
    let words = key.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> =
        words.filter(|word| !word.is_empty() && !word.chars().any(char::is_numeric)).collect();
    // A name of nothing but numbers is better than none.
    if words.is_empty() { key } else { words.join(" ") }
}

/// Whether two amounts may be of one series: the same direction, and nearly the same size.
pub fn are_similar(one: i64, other: i64) -> bool {
    let (large, small) = (one.unsigned_abs(), other.unsigned_abs());
    let (large, small) = (large.max(small), large.min(small));
    one.signum() == other.signum() && large - small <= large / AMOUNT_TOLERANCE.unsigned_abs()
}

/// The day of a month, or the last one if the month is shorter.
pub fn day_in_month(month: Date, day: i8) -> Date {
    let day = day.clamp(1, month.days_in_month());
    Date::new(month.year(), month.month(), day).unwrap_or(month)
}

/// The day on which the next transaction is expected: a month after the expected day that `last` is
/// nearest to.
pub fn next_after(last: Date, day: i8) -> Date {
    day_in_month(plus_months(nearest(last, day).first_of_month(), 1), day)
}

/// The expected day that is nearest to a date; of two equally near ones the earlier.
fn nearest(date: Date, day: i8) -> Date {
    let month = date.first_of_month();
    let candidates = [-1, 0, 1].map(|months| day_in_month(plus_months(month, months), day));
    let off = |expected: &Date| days_between(*expected, date).abs();
    candidates.into_iter().min_by_key(off).unwrap_or(date)
}

fn days_between(from: Date, to: Date) -> i64 {
    i64::from(from.until(to).map_or(0, |span| span.get_days()))
}

/// A series as far as it is compared with transactions.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// The account; `None` stands for any.
    pub account: Option<Uuid>,
    /// The merchant, if it is known.
    pub merchant: Option<Uuid>,
    /// The name of the series.
    pub name: &'a str,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The code of the currency of the amount.
    pub currency: &'a str,
}

impl Expected<'_> {
    /// Whether a transaction belongs to the series, whatever its day.
    pub fn covers(&self, seen: &Occurrence) -> bool {
        let is_who = match (self.merchant, seen.merchant) {
            (Some(merchant), Some(other)) => merchant == other,
            _ => series_key(self.name) == series_key(&seen.name),
        };
        is_who && self.fits(seen)
    }

    /// Whether account, currency and amount are those of the series, whatever the merchant and the
    /// name.
    fn fits(&self, seen: &Occurrence) -> bool {
        self.account.is_none_or(|account| account == seen.account)
            && self.currency == seen.currency
            && are_similar(self.amount, seen.amount)
    }
}

#[cfg(test)]
mod tests;
