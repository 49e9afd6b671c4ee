//! Prices of the feed, and the securities for which it is to be asked.
//!
//! A security's own columns record when the feed was asked for it last, and the result.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::money::Currency;
use rust_decimal::Decimal;
use serde_json::json;

use super::import::put;
use super::traded_in;
use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::ledger::{Event, Executor};
use crate::rates::own::Imported;
use crate::securities::visibility::VisibleIds;

statements! {
    /// Securities that are or were held and that the feed has not been asked for since a time.
    FEED_DUE = "SELECT s.id, COALESCE(s.feed_symbol, s.ticker)
        FROM securities s
        WHERE s.family_id = $1 AND NOT s.offline AND s.kind = 'standard'
            AND (s.feed_at IS NULL OR s.feed_at < $2
                OR (s.feed_error IS NOT NULL AND s.feed_at < $3))
            AND EXISTS (SELECT 1 FROM holdings h
                WHERE h.family_id = $1 AND h.security_id = s.id)
        ORDER BY s.feed_at NULLS FIRST, s.id LIMIT 1";
    /// Families with such securities, held or not.
    FAMILIES_DUE = "SELECT family_id FROM securities
        WHERE NOT offline AND kind = 'standard'
            AND (feed_at IS NULL OR feed_at < $1 OR (feed_error IS NOT NULL AND feed_at < $2))
        GROUP BY family_id ORDER BY family_id";
    /// When it was asked for each, and what came of it.
    FEED_STANDING = "SELECT s.id, s.feed_at, s.feed_error FROM securities s
        WHERE s.family_id = $1 AND NOT s.offline AND s.kind = 'standard'
            AND EXISTS (SELECT 1 FROM holdings h
                WHERE h.family_id = $1 AND h.security_id = s.id)";
    /// When it was asked, and what came of it.
    FEED_ASKED = "UPDATE securities SET feed_at = $1, feed_error = $2
        WHERE family_id = $3 AND id = $4";
}

/// A security that the feed is to be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The security that it is about.
    pub security: SecurityId,
    /// As the feed calls it.
    pub symbol: String,
    /// The currency of its prices, unless the feed sends one; `None` if it isn't known.
    pub currency: Option<Currency>,
}

/// How many of the securities that the feed is asked for are in which state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FeedState {
    /// When it was asked last.
    pub asked_at: Option<Timestamp>,
    /// It gave prices when it was asked last.
    pub answered: u64,
    /// The number of securities without a price from the feed; each has its own error.
    pub failing: u64,
    /// It was never asked for them.
    pub waiting: u64,
}

/// A price that the feed gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPrice {
    /// The day of the price.
    pub date: Date,
    /// The currency, if the feed sends it.
    pub currency: Option<Currency>,
    /// The price of one unit, which is positive.
    pub price: Decimal,
}

/// Families that may have a security that is to be asked for.
pub fn families_due(
    tx: &mut Tx<'_>,
    rest: SignedDuration,
    rest_after_error: SignedDuration,
) -> Result<Vec<Access>> {
    let before = |rest| tx.now().checked_sub(rest).map_err(Error::internal);
    let times = vals![before(rest)?, before(rest_after_error)?];
    tx.query(&FAMILIES_DUE, times, |row| {
        Ok(Access::whole(FamilyId::from_number(row.int(0)?), Actor::System))
    })
}

/// The security that waits longest of those that are to be asked for: each rests after it was asked
/// for, shorter if that gave nothing.
pub fn next_due(
    tx: &mut FamilyTx<'_>,
    rest: SignedDuration,
    rest_after_error: SignedDuration,
) -> Result<Option<Due>> {
    let family = tx.family();
    let before = |rest| tx.now().checked_sub(rest).map_err(Error::internal);
    let params = vals![family, before(rest)?, before(rest_after_error)?];
    let due = tx.query_opt(&FEED_DUE, params, |row| Ok((row.id(0)?, row.string(1)?)))?;
    let Some((security, symbol)) = due else { return Ok(None) };
    Ok(Some(Due { security, symbol, currency: traded_in(tx, security)? }))
}

/// Notes that a security is being asked for, so that nobody else does. Should this node die before
/// it has an answer, it is as if none had come.
pub fn note_asking(tx: &mut FamilyTx<'_>, security: SecurityId) -> Result<()> {
    note(tx, security, Some("The feed was asked and has not answered yet."))
}

/// How the feed is doing for the securities that a key may see.
pub fn standing(tx: &mut FamilyTx<'_>) -> Result<FeedState> {
    let family = tx.family();
    let visibility = VisibleIds::read(tx)?;
    let mut standing = FeedState::default();
    tx.for_each(&FEED_STANDING, vals![family], |row| {
        if !visibility.shows(row.id(0)?) {
            return Ok(());
        }
        let asked_at = row.opt_timestamp(1)?;
        standing.asked_at = standing.asked_at.max(asked_at);
        let count = match (asked_at, row.opt_text(2)?) {
            (None, _) => &mut standing.waiting,
            (Some(_), None) => &mut standing.answered,
            (Some(_), Some(_)) => &mut standing.failing,
        };
        *count += 1;
        Ok(())
    })?;
    Ok(standing)
}

/// Takes over what the feed gave for a security, and notes that it answered.
pub fn take_over(
    tx: &mut FamilyTx<'_>,
    due: &Due,
    given: &[FeedPrice],
) -> Result<std::result::Result<Imported, String>> {
    let price = |one: &FeedPrice| {
        let currency = one.currency.or(due.currency)?;
        let (date, price, source) = (one.date, one.price, PriceSource::Feed);
        Some((due.security, Price { date, currency, price, source }))
    };
    let Some(prices) = given.iter().map(price).collect::<Option<Vec<_>>>() else {
        let sentence = "Neither the feed nor the security says which currency the prices are in.";
        note(tx, due.security, Some(sentence))?;
        return Ok(Err(sentence.to_owned()));
    };
    note(tx, due.security, None)?;
    let mut executor = Executor::begin(tx, 0)?;
    let imported = put(tx, &mut executor, &prices)?;
    if imported.added + imported.changed > 0 {
        let event = Event {
            actor: tx.actor(),
            action: "security_price.feed",
            subject_kind: "security",
            subject_id: due.security.0,
            details: json!({ "added": imported.added, "changed": imported.changed }),
        };
        executor.finish(tx, event)?;
    }
    Ok(Ok(imported))
}

/// Records when the feed was asked for a security, and the sentence about a failure.
pub fn note(tx: &mut FamilyTx<'_>, security: SecurityId, error: Option<&str>) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    tx.execute(&FEED_ASKED, vals![now, error, family, security]).map(drop)
}
