//! Exchange rates: the family's own, those of the feed, and the best of both.
//!
//! Which rate is the best is decided by `purser_core::rates`; this module reads what it needs to
//! decide: of each pair that leads from one of the currencies to another, directly or through a
//! third, the rates of the days in question, the last before them and the first after them.

pub mod applying;
pub mod effects;
pub mod feed;
pub mod listing;
pub mod own;
pub(crate) mod record;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_core::money::decimal::read_quantity;
use purser_core::rates::{Book, Quote, Rate, Source};
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};

statements! {
    /// Which pairs the feed has rates of: one look at the index for each.
    FEED_PAIRS = "WITH RECURSIVE pairs (base, quote) AS (
            SELECT (SELECT base FROM feed_rates ORDER BY base, quote LIMIT 1),
                (SELECT quote FROM feed_rates ORDER BY base, quote LIMIT 1)
            UNION ALL
            SELECT (SELECT r.base FROM feed_rates r WHERE (r.base, r.quote) > (p.base, p.quote)
                    ORDER BY r.base, r.quote LIMIT 1),
                (SELECT r.quote FROM feed_rates r WHERE (r.base, r.quote) > (p.base, p.quote)
                    ORDER BY r.base, r.quote LIMIT 1)
            FROM pairs p WHERE p.base IS NOT NULL)
        SELECT base, quote FROM pairs WHERE base IS NOT NULL";
    /// Which pairs the family has rates of.
    OWN_PAIRS = "WITH RECURSIVE pairs (base, quote) AS (
            SELECT (SELECT base FROM family_rates WHERE family_id = $1
                    ORDER BY base, quote LIMIT 1),
                (SELECT quote FROM family_rates WHERE family_id = $1
                    ORDER BY base, quote LIMIT 1)
            UNION ALL
            SELECT (SELECT r.base FROM family_rates r
                    WHERE r.family_id = $1 AND (r.base, r.quote) > (p.base, p.quote)
                    ORDER BY r.base, r.quote LIMIT 1),
                (SELECT r.quote FROM family_rates r
                    WHERE r.family_id = $1 AND (r.base, r.quote) > (p.base, p.quote)
                    ORDER BY r.base, r.quote LIMIT 1)
            FROM pairs p WHERE p.base IS NOT NULL)
        SELECT base, quote FROM pairs WHERE base IS NOT NULL";
    /// The feed's rates of a pair that count in a span of days.
    FEED_SPAN = "SELECT date, rate FROM feed_rates
        WHERE base = $1 AND quote = $2
            AND date >= COALESCE((SELECT MAX(date) FROM feed_rates
                WHERE base = $1 AND quote = $2 AND date <= $3), $3)
            AND date <= COALESCE((SELECT MIN(date) FROM feed_rates
                WHERE base = $1 AND quote = $2 AND date >= $4), $4)
        ORDER BY date";
    /// The family's rates of a pair that count in a span of days.
    OWN_SPAN = "SELECT date, rate, source FROM family_rates
        WHERE family_id = $1 AND base = $2 AND quote = $3
            AND date >= COALESCE((SELECT MAX(date) FROM family_rates
                WHERE family_id = $1 AND base = $2 AND quote = $3 AND date <= $4), $4)
            AND date <= COALESCE((SELECT MIN(date) FROM family_rates
                WHERE family_id = $1 AND base = $2 AND quote = $3 AND date >= $5), $5)
        ORDER BY date";
}

/// The best rate from one currency to another on a day; none if nobody stated any that leads from
/// the one to the other. For many days or currencies take a [`book`].
pub fn find(
    tx: &mut FamilyTx<'_>,
    from: Currency,
    to: Currency,
    date: Date,
) -> Result<Option<Rate>> {
    if from == to {
        return Ok(Some(Rate::one()));
    }
    Ok(book(tx, &[from, to], date, date)?.find(from, to, date))
}

/// Every rate that can count between the currencies on the days from `first` to `last`.
pub fn book(
    tx: &mut FamilyTx<'_>,
    currencies: &[Currency],
    first: Date,
    last: Date,
) -> Result<Book> {
    let family = tx.family();
    let wanted: BTreeSet<Currency> = currencies.iter().copied().collect();
    if wanted.len() < 2 {
        return Ok(Book::default());
    }
    let feed = tx.query(&FEED_PAIRS, &[], read_pair)?;
    let own = tx.query(&OWN_PAIRS, vals![family], read_pair)?;
    let mut neighbours: BTreeMap<Currency, BTreeSet<Currency>> = BTreeMap::new();
    for (base, quote) in feed.iter().chain(&own) {
        for (end, other) in [(base, quote), (quote, base)] {
            if wanted.contains(other) {
                neighbours.entry(*end).or_default().insert(*other);
            }
        }
    }
    // A third currency helps only if it leads to two of those that are wanted.
    let leads = |end: &Currency| {
        wanted.contains(end) || neighbours.get(end).is_some_and(|others| others.len() > 1)
    };
    let counts = |(base, quote): &&(Currency, Currency)| {
        (wanted.contains(base) && leads(quote)) || (wanted.contains(quote) && leads(base))
    };
    let mut quotes = Vec::new();
    for &(base, quote) in feed.iter().filter(counts) {
        let params = vals![base.code(), quote.code(), first, last];
        tx.for_each(&FEED_SPAN, params, |row| {
            let (date, rate) = (row.date(0)?, decimal(row.text(1)?)?);
            quotes.push(Quote { base, quote, date, rate, source: Source::Feed });
            Ok(())
        })?;
    }
    for &(base, quote) in own.iter().filter(counts) {
        let params = vals![family, base.code(), quote.code(), first, last];
        tx.for_each(&OWN_SPAN, params, |row| {
            let (date, rate) = (row.date(0)?, decimal(row.text(1)?)?);
            quotes.push(Quote { base, quote, date, rate, source: row.named(2)? });
            Ok(())
        })?;
    }
    Ok(Book::new(quotes))
}

fn read_pair(row: &Row<'_>) -> Result<(Currency, Currency)> {
    Ok((row.currency(0)?, row.currency(1)?))
}

/// Reads a decimal from its stored text.
pub(crate) fn decimal(text: &str) -> Result<Decimal> {
    read_quantity(text).ok_or_else(|| Error::internal("a stored decimal can't be read"))
}

#[cfg(test)]
mod tests;
