//! Prices of securities: those of people, files, providers and the feed, and those that trades
//! imply.
//!
//! There is one stated price for each security, day and currency. Prices of trades are not copied:
//! they are read with the trades. Which price counts on a day is decided by
//! `purser_core::ledger::valuing`; [`book`] reads what it needs to decide.

pub mod changes;
pub mod feed;
pub mod import;
pub mod listing;
pub(crate) mod provider;
pub(crate) mod record;

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{PriceId, SecurityId};
use purser_core::ledger::security::Listing;
use purser_core::ledger::trade::UnitFlow;
use purser_core::ledger::valuing::{Price, PriceSource, Prices, Split};
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements, vals};
use crate::ledger::traded::{TradedEntry, traded};
use crate::rates::decimal;
use crate::securities::visibility::VisibleIds;

statements! {
    /// In which currency a security is traded: its own, else that of its last price, else that of
    /// its last trade.
    TRADED_IN = "SELECT COALESCE(s.currency,
            (SELECT p.currency FROM security_prices p
                WHERE p.family_id = $1 AND p.security_id = s.id
                ORDER BY p.date DESC, p.currency LIMIT 1),
            (SELECT e.currency FROM trades t
                JOIN ledger_entries e ON e.family_id = $1 AND e.id = t.entry_id
                WHERE t.family_id = $1 AND t.security_id = s.id
                ORDER BY e.date DESC, e.id DESC LIMIT 1))
        FROM securities s WHERE s.family_id = $1 AND s.id = $2";
    /// The price with an id.
    PRICE_GET = "SELECT p.id, p.date, p.currency, p.price, p.source, p.created_at, p.updated_at,
            s.id, s.ticker, s.exchange_operating_mic, s.name
        FROM security_prices p
        JOIN securities s ON s.family_id = $1 AND s.id = p.security_id
        WHERE p.family_id = $1 AND p.id = $2";
    /// The stated prices of securities that count in a span of days.
    PRICES_SPAN = "SELECT p.security_id, p.date, p.currency, p.price, p.source
        FROM securities s
        JOIN security_prices p ON p.family_id = $1 AND p.security_id = s.id
            AND p.date >= COALESCE((SELECT MAX(o.date) FROM security_prices o
                WHERE o.family_id = $1 AND o.security_id = s.id AND o.date <= $2), $2)
            AND p.date <= COALESCE((SELECT MIN(o.date) FROM security_prices o
                WHERE o.family_id = $1 AND o.security_id = s.id AND o.date >= $3), $3)
        WHERE s.family_id = $1 AND s.id = ANY($4)";
}

/// A price that somebody stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedPrice {
    /// The id of the price.
    pub id: PriceId,
    /// The security that it is for.
    pub security: SecurityId,
    /// What the security is known by.
    pub listing: Listing,
    /// As people call it.
    pub security_name: Option<String>,
    /// The day, currency, price and source.
    pub price: Price,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// One price of a security that the key may see.
pub fn get(tx: &mut FamilyTx<'_>, id: PriceId) -> Result<StatedPrice> {
    let family = tx.family();
    let found = tx.query_opt(&PRICE_GET, vals![family, id], read)?;
    let visibility = VisibleIds::read(tx)?;
    found
        .filter(|found| visibility.shows(found.security))
        .ok_or(Error::NotFound { what: "Security price" })
}

/// The currency of a price that was sent without one; `None` if it can't be inferred.
fn traded_in(tx: &mut FamilyTx<'_>, security: SecurityId) -> Result<Option<Currency>> {
    let family = tx.family();
    let read = |row: &Row<'_>| row.opt_text(0)?.is_some().then(|| row.currency(0)).transpose();
    Ok(tx.query_opt(&TRADED_IN, vals![family, security], read)?.flatten())
}

/// Every price that can count for the securities on the days from `first` to `last`: stated ones,
/// and those of trades in accounts that the caller may see, with the share splits there. A security
/// without any price is not in it.
pub fn book(
    tx: &mut FamilyTx<'_>,
    securities: &[SecurityId],
    first: Date,
    last: Date,
) -> Result<HashMap<SecurityId, Prices>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let each: BTreeSet<SecurityId> = securities.iter().copied().collect();
    let securities: Vec<SecurityId> = each.into_iter().collect();
    let keys: Vec<Val<'_>> = securities.iter().map(|id| (*id).into()).collect();
    let mut stated: HashMap<SecurityId, Vec<Price>> = HashMap::new();
    tx.lookup(&PRICES_SPAN, vals![family, first, last], &keys, |row| {
        let source = row.named(4)?;
        stated.entry(row.id(0)?).or_default().push(read_price(row, 1, source)?);
        Ok(())
    })?;
    let mut splits: HashMap<SecurityId, Vec<Split>> = HashMap::new();
    for (trade, entry) in traded(tx, &securities)? {
        let TradedEntry { account, date, currency, .. } = entry;
        if !visible.allows(account) {
            continue;
        }
        if let Some((to, from)) = trade.split {
            // Several accounts may report the same split.
            splits.entry(trade.security).or_default().push(Split { date, to, from, account });
        } else if trade.trade_type.unit_flow() != UnitFlow::None {
            let price = Price { date, currency, price: trade.price, source: PriceSource::Trade };
            stated.entry(trade.security).or_default().push(price);
        }
    }
    let sorted = |(security, prices)| {
        let splits = splits.get(&security).map_or(&[][..], Vec::as_slice);
        (security, Prices::new(prices).with_splits(splits))
    };
    Ok(stated.into_iter().map(sorted).filter(|(_, prices)| !prices.is_empty()).collect())
}

/// Reads day, currency and price from three columns.
fn read_price(row: &Row<'_>, first: usize, source: PriceSource) -> Result<Price> {
    Ok(Price {
        date: row.date(first)?,
        currency: row.currency(first + 1)?,
        price: decimal(row.text(first + 2)?)?,
        source,
    })
}

/// Reads the columns of [`PRICE_GET`].
fn read(row: &Row<'_>) -> Result<StatedPrice> {
    Ok(StatedPrice {
        id: row.id(0)?,
        price: read_price(row, 1, row.named(4)?)?,
        created_at: row.timestamp(5)?,
        updated_at: row.timestamp(6)?,
        security: row.id(7)?,
        listing: Listing { ticker: row.string(8)?, exchange_operating_mic: row.string(9)? },
        security_name: row.opt_string(10)?,
    })
}

#[cfg(test)]
mod tests;
