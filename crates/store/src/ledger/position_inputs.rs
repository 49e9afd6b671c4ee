//! What the positions of a security are folded from: its trades, the reports of providers, and the
//! costs that people state.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::positions::{
    Carried, Event, Origin, StatedCost, Statement, Trade, stored_lots,
};
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use purser_core::money::exact::{self, Fraction, exact_value, of_decimal, whole};
use purser_core::rates::Rate;

use super::stated_costs::{self, StatedCosts};
use super::traded::{Traded, TradedEntry, traded, traded_after};
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::rates::decimal;

statements! {
    /// By which rate a trade's amount was converted.
    CONVERSION_OF_TRADE = "SELECT entry_id, origin, from_currency, to_currency
        FROM entry_conversions WHERE family_id = $1 AND entry_id = ANY($2)";
    /// Every statement of a provider about a security.
    STATEMENTS_OF_SECURITY = "SELECT security_id, account_id, date, qty, cost_total, cost_qty
        FROM position_statements WHERE family_id = $1 AND security_id = ANY($2)";
    /// Those of later days than one, account by account. CROSS JOIN keeps SQLite to that order.
    STATEMENTS_OF_SECURITY_AFTER = "SELECT p.security_id, p.account_id, p.date, p.qty,
            p.cost_total, p.cost_qty
        FROM holdings h CROSS JOIN position_statements p
        WHERE h.family_id = $1 AND h.security_id = $2 AND p.family_id = $1
            AND p.account_id = h.account_id AND p.security_id = h.security_id AND p.date > $3";
    /// Every cost that a person states of a security.
    COSTS_OF_SECURITY = "SELECT security_id, account_id, cost_total, cost_qty, cost_date,
            cost_said_at, cost_locked, earlier_costs, import_id
        FROM holdings
        WHERE family_id = $1 AND security_id = ANY($2) AND cost_total IS NOT NULL";
    /// Those of later days than one.
    COSTS_OF_SECURITY_AFTER = "SELECT security_id, account_id, cost_total, cost_qty, cost_date,
            cost_said_at, cost_locked, earlier_costs, import_id
        FROM holdings
        WHERE family_id = $1 AND security_id = $2 AND cost_total IS NOT NULL AND cost_date > $3";
}

/// What the fold of one security starts from.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) trades: Vec<Trade>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) costs: Vec<StatedCost>,
}

impl Inputs {
    /// The accounts that ever had shares of it, by trades or by reports of a provider.
    pub(super) fn holders(&self) -> impl Iterator<Item = AccountId> {
        let traded = self.trades.iter().map(|trade| trade.account);
        traded.chain(self.statements.iter().map(|statement| statement.account))
    }
}

/// What is known of securities; one without any trade, report or cost has empty inputs.
pub(crate) fn read(
    tx: &mut FamilyTx<'_>,
    securities: &[SecurityId],
) -> Result<BTreeMap<SecurityId, Inputs>> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = securities.iter().map(|id| (*id).into()).collect();
    // A security without any of them is folded to nothing.
    let mut found: BTreeMap<SecurityId, Inputs> =
        securities.iter().map(|id| (*id, Inputs::default())).collect();
    let trades = traded(tx, securities)?;
    let conversions = conversions(tx, &trades)?;
    for (trade, entry) in &trades {
        let conversion = conversions.get(&trade.id).unwrap_or(&Conversion::None);
        let read = read_trade(trade, *entry, conversion)?;
        found.entry(trade.security).or_default().trades.extend(read);
    }
    tx.lookup(&STATEMENTS_OF_SECURITY, &[family.into()], &keys, |row| {
        found.entry(row.id(0)?).or_default().statements.push(read_statement(row)?);
        Ok(())
    })?;
    tx.lookup(&COSTS_OF_SECURITY, &[family.into()], &keys, |row| {
        found.entry(row.id(0)?).or_default().costs.extend(read_costs(row)?);
        Ok(())
    })?;
    Ok(found)
}

/// What is known of a security on later days than one, and nothing else is read.
pub(super) fn read_after(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    date: Date,
) -> Result<Inputs> {
    let family = tx.family();
    let trades = traded_after(tx, security, date)?;
    let conversions = conversions(tx, &trades)?;
    let mut inputs = Inputs::default();
    for (trade, entry) in &trades {
        let conversion = conversions.get(&trade.id).unwrap_or(&Conversion::None);
        inputs.trades.extend(read_trade(trade, *entry, conversion)?);
    }
    let key = [family.into(), security.into(), date.into()];
    inputs.statements = tx.query(&STATEMENTS_OF_SECURITY_AFTER, &key, read_statement)?;
    let costs = tx.query(&COSTS_OF_SECURITY_AFTER, &key, read_costs)?;
    inputs.costs = costs.into_iter().flatten().filter(|cost| cost.date > date).collect();
    Ok(inputs)
}

fn read_statement(row: &Row<'_>) -> Result<Statement> {
    let of = row.opt_text(5)?.map(decimal).transpose()?;
    Ok(Statement {
        account: row.id(1)?,
        date: row.date(2)?,
        quantity: decimal(row.text(3)?)?,
        cost: row.opt_int(4)?.zip(of),
    })
}

fn read_costs(row: &Row<'_>) -> Result<Vec<StatedCost>> {
    let account: AccountId = row.id(1)?;
    let cost = |one: stated_costs::StatedCost| {
        let stated_costs::StatedCost { quantity, total, date, at: stated_at, locked, .. } = one;
        StatedCost { account, date, total, shares: quantity.map(of_decimal), stated_at, locked }
    };
    Ok(StatedCosts::of_row(row, 2)?.all().into_iter().map(cost).collect())
}

/// How the trades in another currency than their account's are converted.
fn conversions(
    tx: &mut FamilyTx<'_>,
    trades: &[(Traded, TradedEntry)],
) -> Result<HashMap<EntryId, Conversion>> {
    let family = tx.family();
    let converted = trades.iter().filter(|(_, entry)| entry.is_converted);
    let keys: Vec<Val<'_>> = converted.map(|(trade, _)| trade.id.into()).collect();
    let mut found = HashMap::with_capacity(keys.len());
    tx.lookup(&CONVERSION_OF_TRADE, &[family.into()], &keys, |row| {
        let rate: Option<Rate> = serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        let conversion = match rate {
            Some(rate) => Conversion::Known(rate, row.currency(2)?, row.currency(3)?),
            None => Conversion::Unknown,
        };
        found.insert(row.id(0)?, conversion);
        Ok(())
    })?;
    Ok(found)
}

/// A trade as positions see it; none if it is money alone.
fn read_trade(
    trade: &Traded,
    entry: TradedEntry,
    conversion: &Conversion,
) -> Result<Option<Trade>> {
    let quantity = trade.quantity.abs();
    // Not what moved in cash: that is rounded, and a price made of it would lose its digits.
    let value = || exact_value(quantity, trade.price, entry.currency.scale());
    let fee = whole(trade.fee);
    let event = match trade.trade_type {
        TradeType::Buy | TradeType::Reinvestment => {
            Event::Bought { quantity, cost: conversion.converted(value() + fee) }
        }
        TradeType::Sell => Event::Sold { quantity, proceeds: conversion.converted(value() - fee) },
        TradeType::TransferIn if trade.counterpart.is_none() && trade.lots.is_some() => {
            let lots = stored_lots::read(trade.lots.as_deref().unwrap_or_default());
            let lots = lots.ok_or_else(|| Error::internal("the lots of a trade can't be read"))?;
            Event::Brought { quantity, lots, factor: conversion.factor() }
        }
        TradeType::TransferIn => {
            let origin = |trade| Origin { trade, factor: conversion.factor() };
            let from = trade.counterpart.map(origin);
            let cost = trade.cost.and_then(|cost| conversion.converted(whole(cost)));
            Event::Arrived { quantity, cost, from }
        }
        TradeType::TransferOut if trade.counterpart.is_none() && trade.lots.is_some() => {
            Event::Taken { quantity }
        }
        TradeType::TransferOut => Event::Left { quantity, to: trade.counterpart },
        TradeType::Split => {
            let parts = trade.split.ok_or_else(|| Error::internal("a split without numbers"))?;
            Event::Split { to: parts.0, from: parts.1, recorded_at: entry.recorded_at }
        }
        TradeType::Dividend | TradeType::Interest | TradeType::Fee => return Ok(None),
    };
    Ok(Some(Trade { id: trade.id, account: entry.account, date: entry.date, event }))
}

/// The lots of a move as they are stored.
pub(super) fn lots_text(carried: &Carried) -> Result<String> {
    stored_lots::write(&carried.lots).map_err(Error::internal)
}

/// Whether a text is what lots are stored as.
pub(crate) fn stored_lots_can_be_read(text: &str) -> bool {
    stored_lots::read(text).is_some()
}

/// How the money of a trade is converted into its account's currency.
enum Conversion {
    /// The money is in that currency already.
    None,
    /// No rate is known, so the cost is unknown.
    Unknown,
    /// By a rate, from one currency to the other.
    Known(Rate, Currency, Currency),
}

impl Conversion {
    /// Money of the trade in the account's currency, exactly; unknown without a rate.
    fn converted(&self, money: Fraction) -> Option<Fraction> {
        match self {
            Self::None => Some(money),
            Self::Unknown | Self::Known(..) => {
                self.factor().map(|factor| exact::converted(&money, &factor))
            }
        }
    }

    /// What money in the currency of the trade is multiplied by, exactly.
    fn factor(&self) -> Option<Fraction> {
        match self {
            Self::None => Some(exact::whole(1)),
            Self::Unknown => None,
            Self::Known(rate, from, to) => {
                let scale = exact::units(to.scale()) / exact::units(from.scale());
                rate.fraction().map(|rate| rate * scale)
            }
        }
    }
}
