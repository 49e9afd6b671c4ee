//! Rates of the feed: a directory, the same for every family.

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_core::rates::StatedRate;
use rust_decimal::Decimal;

use super::decimal;
use super::effects::Reach;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Tx, Val, statements, vals};

statements! {
    /// What is there of a pair.
    FEED_OF_PAIR = "SELECT date, rate FROM feed_rates
        WHERE base = $1 AND quote = $2 AND date >= $3 AND date <= $4";
    /// The feed's days of a pair around a day.
    FEED_AROUND = "SELECT (SELECT MAX(date) FROM feed_rates
            WHERE base = $1 AND quote = $2 AND date < $3),
        (SELECT MIN(date) FROM feed_rates WHERE base = $1 AND quote = $2 AND date > $3)";
    /// Replaces the rate of a day.
    FEED_SET = "UPDATE feed_rates SET rate = $1 WHERE base = $2 AND quote = $3 AND date = $4";
    /// The last request of a feed, and its outcome.
    FEED_STATUS = "SELECT asked_at, succeeded_at, error FROM feeds WHERE name = $1";
    /// Records that the feed answered.
    FEED_SUCCEEDED = "INSERT INTO feeds (name, asked_at, succeeded_at, error)
        VALUES ($1, $2, $2, NULL)
        ON CONFLICT (name) DO UPDATE SET asked_at = excluded.asked_at,
            succeeded_at = excluded.succeeded_at, error = NULL";
    /// Records that the feed failed.
    FEED_FAILED = "INSERT INTO feeds (name, asked_at, succeeded_at, error)
        VALUES ($1, $2, NULL, $3)
        ON CONFLICT (name) DO UPDATE SET asked_at = excluded.asked_at, error = excluded.error";
}

pub(crate) static FEED_RATES: Bulk = Bulk {
    table: "feed_rates",
    columns: &[
        ("base", ColumnType::Text),
        ("quote", ColumnType::Text),
        ("date", ColumnType::Int),
        ("rate", ColumnType::Text),
    ],
};

/// The feed of rates, as its status is named.
pub const RATES: &str = "rates";

/// The status of a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The time of the last request.
    pub asked_at: Timestamp,
    /// The time of the last successful answer.
    pub succeeded_at: Option<Timestamp>,
    /// The reason why the last request failed; `None` if it succeeded.
    pub error: Option<String>,
}

/// The status of a feed; `None` if it was never requested.
pub fn status(tx: &mut Tx<'_>, name: &str) -> Result<Option<Status>> {
    tx.query_opt(&FEED_STATUS, vals![name], |row| {
        Ok(Status {
            asked_at: row.timestamp(0)?,
            succeeded_at: row.opt_timestamp(1)?,
            error: row.opt_string(2)?,
        })
    })
}

/// Records that a feed answered, or the sentence about its failure.
pub fn note(tx: &mut Tx<'_>, name: &str, result: std::result::Result<(), &str>) -> Result<()> {
    let now = tx.now();
    match result {
        Ok(()) => tx.execute(&FEED_SUCCEEDED, vals![name, now])?,
        Err(sentence) => tx.execute(&FEED_FAILED, vals![name, now, sentence])?,
    };
    Ok(())
}

/// Whether a feed is due: after each request there is a pause, which is shorter after a failure. If
/// it is due, the request is recorded, so that no other node makes it too.
pub fn take_turn(
    tx: &mut Tx<'_>,
    name: &str,
    rest: SignedDuration,
    rest_after_error: SignedDuration,
) -> Result<bool> {
    let now = tx.now();
    if let Some(status) = status(tx, name)? {
        let answered = status.error.is_none();
        let rest = if answered { rest } else { rest_after_error };
        if now.duration_since(status.asked_at) < rest {
            return Ok(false);
        }
    }
    // If this node dies before the answer, the request counts as failed.
    note(tx, name, Err("The feed was asked and has not answered yet."))?;
    Ok(true)
}

/// Stores the rates of the feed, and returns the days on which something changed; `None` if nothing
/// did.
pub fn put(tx: &mut Tx<'_>, rates: &[StatedRate]) -> Result<Option<Reach>> {
    let mut pairs: BTreeMap<(Currency, Currency), BTreeMap<Date, Decimal>> = BTreeMap::new();
    for stated in rates {
        pairs.entry((stated.base, stated.quote)).or_default().insert(stated.date, stated.rate);
    }
    let mut reach = None;
    let mut inserter = Inserter::new(&FEED_RATES);
    for ((base, quote), days) in &pairs {
        let news = put_pair(tx, &mut inserter, *base, *quote, days)?;
        let (Some(first), Some(last)) = (news.first(), news.last()) else { continue };
        inserter.flush(tx)?;
        let around = |tx: &mut Tx<'_>, day: Date| {
            let read = |row: &Row<'_>| Ok((row.opt_date(0)?, row.opt_date(1)?));
            tx.query_one(&FEED_AROUND, vals![base.code(), quote.code(), day], read)
        };
        let neighbours = (around(tx, *first)?.0, around(tx, *last)?.1);
        Reach::add(&mut reach, [*base, *quote], (*first, *last), neighbours);
    }
    Ok(reach)
}

/// Writes what is new of a pair, and returns its days, sorted.
fn put_pair(
    tx: &mut Tx<'_>,
    inserter: &mut Inserter,
    base: Currency,
    quote: Currency,
    days: &BTreeMap<Date, Decimal>,
) -> Result<Vec<Date>> {
    let (Some((first, _)), Some((last, _))) = (days.first_key_value(), days.last_key_value())
    else {
        return Err(Error::internal("a pair without rates"));
    };
    let mut known = BTreeMap::new();
    let params = vals![base.code(), quote.code(), *first, *last];
    tx.for_each(&FEED_OF_PAIR, params, |row| {
        known.insert(row.date(0)?, decimal(row.text(1)?)?);
        Ok(())
    })?;
    let mut news = Vec::new();
    for (date, rate) in days {
        let text = rate.normalize().to_string();
        match known.get(date) {
            Some(same) if same == rate => continue,
            Some(_) => {
                tx.execute(&FEED_SET, vals![&text, base.code(), quote.code(), *date])?;
            }
            None => {
                let row: [Val<'_>; 4] =
                    [base.code().into(), quote.code().into(), (*date).into(), Val::Text(&text)];
                inserter.push(tx, &row)?;
            }
        }
        news.push(*date);
    }
    Ok(news)
}
