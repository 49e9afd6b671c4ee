//! Trades of securities, each with the columns of its entry.
//!
//! They are two lookups by keys and not one join: as long as PostgreSQL's statistics don't know a
//! family, and that is when a large import has just been published, it would read all entries of
//! the family for every security.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::rates::decimal;

statements! {
    /// The trades of a security.
    TRADES_OF_SECURITY = "SELECT entry_id, security_id, trade_type, qty, price, cost, split_to,
            split_from, counterpart_id, fee, lots
        FROM trades WHERE family_id = $1 AND security_id = ANY($2)";
    /// Its trades of later days than one.
    TRADES_OF_SECURITY_AFTER = "SELECT entry_id, security_id, trade_type, qty, price, cost,
            split_to, split_from, counterpart_id, fee, lots
        FROM trades WHERE family_id = $1 AND security_id = $2 AND date > $3";
    /// The entry of a trade.
    ENTRY_OF_TRADE = "SELECT id, account_id, date, currency, booked IS NOT NULL, created_at
        FROM ledger_entries WHERE family_id = $1 AND id = ANY($2)";
}

/// A trade of a security.
#[derive(Debug)]
pub(crate) struct Traded {
    pub(crate) id: EntryId,
    pub(crate) security: SecurityId,
    pub(crate) trade_type: TradeType,
    /// The number of units: positive into the account, negative out of it.
    pub(crate) quantity: Decimal,
    /// The price of one unit, in the entry's currency.
    pub(crate) price: Decimal,
    /// What shares cost that came without money, in the entry's currency.
    pub(crate) cost: Option<i64>,
    /// The fee, which the amount includes, in the entry's currency.
    pub(crate) fee: i64,
    /// The two numbers of a share split: the new units, and the old units that they replace.
    pub(crate) split: Option<(u32, u32)>,
    /// The other side of a move between accounts.
    pub(crate) counterpart: Option<EntryId>,
    /// The lots of shares that came from an account that is gone, or went to it.
    pub(crate) lots: Option<String>,
}

/// The columns of a trade's entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TradedEntry {
    pub(crate) account: AccountId,
    pub(crate) date: Date,
    pub(crate) currency: Currency,
    /// Whether the account has another currency.
    pub(crate) is_converted: bool,
    /// When it was recorded.
    pub(crate) recorded_at: Timestamp,
}

/// All trades of visible securities, in any order.
pub(crate) fn traded(
    tx: &mut FamilyTx<'_>,
    securities: &[SecurityId],
) -> Result<Vec<(Traded, TradedEntry)>> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = securities.iter().map(|id| (*id).into()).collect();
    let mut trades = Vec::new();
    tx.lookup(&TRADES_OF_SECURITY, &[family.into()], &keys, |row| {
        trades.push(read_trade(row)?);
        Ok(())
    })?;
    with_entries(tx, trades)
}

/// The trades of a security on later days than one, in any order.
pub(crate) fn traded_after(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    date: Date,
) -> Result<Vec<(Traded, TradedEntry)>> {
    let family = tx.family();
    let key = [family.into(), security.into(), date.into()];
    let trades = tx.query(&TRADES_OF_SECURITY_AFTER, &key, read_trade)?;
    with_entries(tx, trades)
}

fn with_entries(tx: &mut FamilyTx<'_>, trades: Vec<Traded>) -> Result<Vec<(Traded, TradedEntry)>> {
    let family = tx.family();
    let mut entries: HashMap<EntryId, TradedEntry> = HashMap::with_capacity(trades.len());
    let keys: Vec<Val<'_>> = trades.iter().map(|trade| trade.id.into()).collect();
    tx.lookup(&ENTRY_OF_TRADE, &[family.into()], &keys, |row| {
        entries.insert(row.id(0)?, read_entry(row)?);
        Ok(())
    })?;
    let with_entry = |trade: Traded| {
        // One that is hidden has none.
        let entry = entries.get(&trade.id)?;
        Some((trade, *entry))
    };
    Ok(trades.into_iter().filter_map(with_entry).collect())
}

fn read_trade(row: &Row<'_>) -> Result<Traded> {
    let part = |number: i64| u32::try_from(number).map_err(Error::internal);
    let split = match (row.opt_int(6)?, row.opt_int(7)?) {
        (Some(to), Some(from)) => Some((part(to)?, part(from)?)),
        _ => None,
    };
    Ok(Traded {
        id: row.id(0)?,
        security: row.id(1)?,
        trade_type: row.named(2)?,
        quantity: decimal(row.text(3)?)?.normalize(),
        price: decimal(row.text(4)?)?,
        cost: row.opt_int(5)?,
        split,
        counterpart: row.opt_id(8)?,
        fee: row.int(9)?,
        lots: row.opt_string(10)?,
    })
}

fn read_entry(row: &Row<'_>) -> Result<TradedEntry> {
    Ok(TradedEntry {
        account: row.id(1)?,
        date: row.date(2)?,
        currency: row.currency(3)?,
        is_converted: row.bool(4)?,
        recorded_at: row.timestamp(5)?,
    })
}
