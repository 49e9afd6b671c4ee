//! Transactions that come every month: found in what has happened, and followed from then on.
//!
//! A series is of one account, one currency and direction, and one merchant, or one name if there
//! is no merchant. Numbers in names don't count: they are of invoices and dates. [`detect`] finds
//! series; [`Expected::covers`] says whether a transaction is one more of it.
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

/// So many months in a row make a series.
pub const OCCURRENCES_MIN: usize = 3;
/// So many days a transaction may be off the day of the month.
pub const DAYS_OFF_MAX: i64 = 4;
/// An amount may be off by a tenth: one part in so many.
pub const AMOUNT_TOLERANCE: i64 = 10;
/// A series that is late by more days has ended.
pub const DAYS_LATE_MAX: i64 = 10;
/// Days that are looked at for series.
pub const DAYS_LOOKED_AT: i32 = 400;

/// A transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// In which account.
    pub account: Uuid,
    /// Who, if that is known.
    pub merchant: Option<Uuid>,
    /// As it is called.
    pub name: String,
    /// At most one.
    pub category: Option<Uuid>,
    /// Which day.
    pub date: Date,
    /// Positive = money out.
    pub amount: i64,
    /// The code of its currency.
    pub currency: &'static str,
}

/// What comes every month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// In which account.
    pub account: Uuid,
    /// Who, if that is known.
    pub merchant: Option<Uuid>,
    /// As the last one is called.
    pub name: String,
    /// Of the last one.
    pub category: Option<Uuid>,
    /// Of the last one.
    pub amount: i64,
    /// The code of the currency.
    pub currency: &'static str,
    /// The day of the month; the last one in shorter months.
    pub day: i8,
    /// The last one.
    pub last: Date,
    /// When the next one is expected.
    pub next: Date,
    /// How many there were, one each month.
    pub count: u64,
}

impl Series {
    /// What the next one looks like.
    pub fn expected(&self) -> Expected<'_> {
        Expected {
            account: Some(self.account),
            merchant: self.merchant,
            name: &self.name,
            amount: self.amount,
            currency: self.currency,
        }
    }

    /// The last one.
    pub fn last_seen(&self) -> Seen {
        Seen {
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

/// By what transactions are taken for the same: words without digits.
pub fn series_key(name: &str) -> String {
    let key = name_key(name);
    let words = key.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> =
        words.filter(|word| !word.is_empty() && !word.chars().any(char::is_numeric)).collect();
    // A name of nothing but numbers is better than none.
    if words.is_empty() { key } else { words.join(" ") }
}

/// Whether two amounts may be of one series: the same direction, and hardly another size.
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

/// The day on which the next one is expected: the day of the month, a month after the one that
/// `last` was nearest to.
pub fn next_after(last: Date, day: i8) -> Date {
    day_in_month(plus_months(nearest(last, day).first_of_month(), 1), day)
}

/// Of the expected days around a date the nearest; of two equally near the earlier.
fn nearest(date: Date, day: i8) -> Date {
    let month = date.first_of_month();
    let candidates = [-1, 0, 1].map(|months| day_in_month(plus_months(month, months), day));
    let off = |expected: &Date| days_between(*expected, date).abs();
    candidates.into_iter().min_by_key(off).unwrap_or(date)
}

fn days_between(from: Date, to: Date) -> i64 {
    i64::from(from.until(to).map_or(0, |span| span.get_days()))
}

/// What is known of a series when a transaction arrives.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// In which account; none: in any.
    pub account: Option<Uuid>,
    /// Who.
    pub merchant: Option<Uuid>,
    /// What it is called.
    pub name: &'a str,
    /// Positive = money out.
    pub amount: i64,
    /// The code of the currency.
    pub currency: &'a str,
}

impl Expected<'_> {
    /// Whether a transaction is of the series, whatever its day.
    pub fn covers(&self, seen: &Seen) -> bool {
        let is_who = match (self.merchant, seen.merchant) {
            (Some(merchant), Some(other)) => merchant == other,
            _ => series_key(self.name) == series_key(&seen.name),
        };
        is_who && self.fits(seen)
    }

    /// Whether account, currency and amount are those of the series, whoever it is about.
    fn fits(&self, seen: &Seen) -> bool {
        self.account.is_none_or(|account| account == seen.account)
            && self.currency == seen.currency
            && are_similar(self.amount, seen.amount)
    }
}

#[cfg(test)]
mod tests;
