//! What the provider of a connected account called its holdings, and the securities that they stand
//! for.
//!
//! By it a holding is the same security in each answer, also where a person has corrected which one
//! it is, and a security is found by numbers that it doesn't have itself.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::account::AccountType;
use purser_core::ledger::positions::on;
use purser_core::ledger::security::Listing;
use purser_core::money::Currency;
use purser_core::sync::holdings::{
    Clues, KnownHoldings, KnownPosition, KnownSecurity, LAG_DAYS, RememberedHolding,
};
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::ledger::positions;
use crate::prices;
use crate::sync_rows::{SourceAccount, account_of};

statements! {
    /// What providers called securities, in all accounts.
    CLUES_ALL = "SELECT account_id, source, clues, security_id FROM sync_holdings
        WHERE family_id = $1 ORDER BY account_id, source, clues";
    /// The securities of the family, the oldest first.
    SECURITIES_ALL = "SELECT id, ticker, exchange_operating_mic, name, currency, isin
        FROM securities WHERE family_id = $1 AND kind = 'standard' ORDER BY created_at, id";
    /// The first of the newest trades of each security of an account.
    TRADED_LATELY = "SELECT t.security_id, MIN(e.date) FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 2 AND e.date BETWEEN $3 AND $4
        GROUP BY t.security_id";
    /// The day of the newest report about an account's positions.
    REPORTED_LAST = "SELECT MAX(date) FROM position_statements
        WHERE family_id = $1 AND account_id = $2 AND date <= $3";
    /// What a provider called a security.
    CLUES_OF = "SELECT security_id FROM sync_holdings
        WHERE family_id = $1 AND account_id = $2 AND source = $3 AND clues = $4";
    /// What is remembered from now on.
    CLUES_PUT = "INSERT INTO sync_holdings (family_id, account_id, source, clues, security_id)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (family_id, account_id, source, clues) DO UPDATE
        SET security_id = excluded.security_id";
    /// What isn't remembered any more.
    CLUES_REMOVE = "DELETE FROM sync_holdings
        WHERE family_id = $1 AND account_id = $2 AND source = $3 AND clues = $4";
}

/// As much as a plan for the holdings of a day has to know.
pub fn known(tx: &mut FamilyTx<'_>, of: SourceAccount<'_>, date: Date) -> Result<KnownHoldings> {
    let family = tx.family();
    let (account_type, currency) = account_of(tx, of.account)?;
    let mut remembered = Vec::new();
    let mut called: BTreeMap<SecurityId, Vec<Clues>> = BTreeMap::new();
    tx.for_each(&CLUES_ALL, vals![family], |row| {
        let clues: Clues = serde_json::from_str(row.text(2)?).map_err(Error::internal)?;
        let security = row.id(3)?;
        if row.id::<AccountId>(0)? == of.account && row.text(1)? == of.source {
            remembered.push(RememberedHolding { clues: clues.clone(), security });
        }
        called.entry(security).or_default().push(clues);
        Ok(())
    })?;
    let securities = tx.query(&SECURITIES_ALL, vals![family], |row| {
        let id: SecurityId = row.id(0)?;
        let listing = Listing { ticker: row.string(1)?, exchange_operating_mic: row.string(2)? };
        let currency = row.opt_text(4)?.and_then(Currency::parse);
        let (name, isin) = (row.opt_string(3)?, row.opt_string(5)?);
        let clues = called.remove(&id).unwrap_or_default();
        Ok(KnownSecurity { id, listing, name, currency, isin, clues })
    })?;
    let positions = positions_on(tx, of.account, date)?;
    let held: Vec<SecurityId> = positions.keys().copied().collect();
    let book = prices::book(tx, &held, date, date)?;
    let counting = |(security, prices): (SecurityId, purser_core::ledger::valuing::Prices)| {
        prices.on(date, currency).map(|price| (security, *price))
    };
    Ok(KnownHoldings {
        currency,
        is_crypto: account_type == AccountType::Crypto,
        remembered,
        securities,
        positions,
        prices: book.into_iter().filter_map(counting).collect(),
    })
}

/// The positions of an account at the end of a day.
fn positions_on(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    date: Date,
) -> Result<BTreeMap<SecurityId, KnownPosition>> {
    let family = tx.family();
    let first = date.saturating_sub(LAG_DAYS.days());
    let read = |row: &Row<'_>| Ok((row.id(0)?, row.date(1)?));
    let traded: BTreeMap<SecurityId, Date> =
        tx.query(&TRADED_LATELY, vals![family, account, first, date], read)?.into_iter().collect();
    let segments = positions::segments(tx, &[account])?.remove(&account).unwrap_or_default();
    let position = |(security, segments): (SecurityId, Vec<_>)| {
        let now = on(&segments, date)?;
        let eve = traded.get(&security).and_then(|first| first.yesterday().ok());
        let quantity_on = |day| on(&segments, day).map_or(Decimal::ZERO, |one| one.quantity);
        let known = KnownPosition {
            quantity: now.quantity.normalize(),
            cost: now.cost.clone().zip(now.source),
            before_trades: eve.map(|eve| quantity_on(eve).normalize()),
        };
        Some((security, known))
    };
    Ok(segments.into_iter().filter_map(position).collect())
}

/// The day for which an answer is booked: that of the balance which came with it, but no day before
/// the newest report, on which the positions stand.
pub fn day_of(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    balance: Option<Date>,
    today: Date,
) -> Result<Date> {
    let family = tx.family();
    let last =
        tx.query_one(&REPORTED_LAST, vals![family, account, today], |row| row.opt_date(0))?;
    Ok(balance.unwrap_or(today).max(last.unwrap_or(Date::MIN)).min(today))
}

/// The security that is remembered for what a provider calls it.
pub(crate) fn remembered(
    tx: &mut FamilyTx<'_>,
    of: SourceAccount<'_>,
    clues: &Clues,
) -> Result<Option<SecurityId>> {
    let (family, text) = (tx.family(), text(clues)?);
    tx.query_opt(&CLUES_OF, vals![family, of.account, of.source, &text], |row| row.id(0))
}

/// Remembers the security for what a provider calls it, or forgets it.
pub(crate) fn remember(
    tx: &mut FamilyTx<'_>,
    of: SourceAccount<'_>,
    clues: &Clues,
    security: Option<SecurityId>,
) -> Result<()> {
    let (family, text) = (tx.family(), text(clues)?);
    match security {
        Some(id) => {
            let values = vals![family, of.account, of.source, &text, id];
            tx.execute(&CLUES_PUT, values).map(drop)
        }
        None => {
            let values = vals![family, of.account, of.source, &text];
            tx.execute(&CLUES_REMOVE, values).map(drop)
        }
    }
}

fn text(clues: &Clues) -> Result<String> {
    serde_json::to_string(clues).map_err(Error::internal)
}
