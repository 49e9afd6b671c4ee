//! Holdings: how much of a security an account has.
//!
//! A holding is found by account, security and currency, so its id stays the same when it is
//! computed or reported again. Only holdings of accounts that are in sight can be read.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, HoldingId, SecurityId};
use purser_core::ledger::holding::{Cost, CostBasisSource};
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use rust_decimal::Decimal;

use crate::accounts::{AccountSummary, Restriction, allows, read_summary};
use crate::driver::{Row, Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// One holding with its account and its security.
    HOLDING_SHOW = "SELECT h.id, h.date, h.qty, h.price, h.amount, h.currency, h.cost_total,
            h.cost_qty, h.cost_basis_source, h.cost_basis_locked, h.created_at, h.updated_at,
            a.id, a.name, a.account_type, a.status,
            s.id, s.ticker, s.exchange_operating_mic, s.name
        FROM holdings h
        JOIN accounts a ON a.family_id = h.family_id AND a.id = h.account_id
        JOIN securities s ON s.family_id = h.family_id AND s.id = h.security_id
        WHERE h.family_id = $1 AND h.id = $2";
    /// The holding of a position and what is known of its cost.
    HOLDING_ON = "SELECT id, cost_total, cost_qty, cost_basis_source, cost_basis_locked
        FROM holdings
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND currency = $4";
    /// A new holding.
    HOLDING_INSERT = "INSERT INTO holdings (family_id, id, account_id, security_id, currency, date,
            qty, price, amount, cost_total, cost_qty, cost_basis_source, cost_basis_locked,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)";
    /// The position as it stands now; its id stays.
    HOLDING_UPDATE = "UPDATE holdings
        SET date = $1, qty = $2, price = $3, amount = $4, cost_total = $5, cost_qty = $6,
            cost_basis_source = $7, cost_basis_locked = $8, updated_at = $9
        WHERE family_id = $10 AND id = $11";
    /// A security by what it is traded as.
    SECURITY_BY_TICKER = "SELECT id FROM securities
        WHERE family_id = $1 AND ticker = $2 AND exchange_operating_mic = $3";
    /// A new security.
    SECURITY_INSERT = "INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, name,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// A security's name, once somebody knows it.
    SECURITY_NAME = "UPDATE securities SET name = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
}

/// What is traded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// Its id.
    pub id: SecurityId,
    /// Upper case.
    pub ticker: String,
    /// The market's code; empty when unknown.
    pub exchange_operating_mic: String,
    /// Shown name.
    pub name: Option<String>,
}

/// A holding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// Stays the same over recomputation.
    pub id: HoldingId,
    /// The day that the values are of.
    pub date: Date,
    /// How many shares.
    pub quantity: Decimal,
    /// Of one share.
    pub price: Decimal,
    /// Of all shares, in the currency's scale.
    pub amount: i64,
    /// Of price, amount and cost.
    pub currency: Currency,
    /// What it cost, if known.
    pub cost: Option<Cost>,
    /// When it was first seen.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// Whose.
    pub account: AccountSummary,
    /// Of what.
    pub security: Security,
}

/// A position as somebody reports or computes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Whose.
    pub account: AccountId,
    /// Of what.
    pub security: SecurityId,
    /// Of price, amount and cost.
    pub currency: Currency,
    /// The day that the values are of.
    pub date: Date,
    /// How many shares.
    pub quantity: Decimal,
    /// Of one share.
    pub price: Decimal,
    /// Of all shares, in the currency's scale.
    pub amount: i64,
    /// What it cost, if the source says so.
    pub cost: Option<Cost>,
}

/// One holding of an account that is in sight.
pub fn get(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    id: HoldingId,
) -> Result<Holding> {
    tx.query_opt(&HOLDING_SHOW, &[family.into(), id.into()], read)?
        .filter(|holding| holding.account.status.is_visible())
        .filter(|holding| allows(restriction, holding.account.id))
        .ok_or(Error::NotFound { what: "Holding" })
}

/// The security of a ticker on a market, made if it is new. A name that is given is taken over.
pub fn security_put(
    tx: &mut Tx<'_>,
    family: FamilyId,
    ticker: &str,
    exchange_operating_mic: &str,
    name: Option<&str>,
) -> Result<SecurityId> {
    let ticker = ticker.trim().to_uppercase();
    let mic = exchange_operating_mic.trim().to_uppercase();
    let now = tx.now();
    let key = [family.into(), Val::Text(&ticker), Val::Text(&mic)];
    if let Some(id) = tx.query_opt(&SECURITY_BY_TICKER, &key, |row| row.uuid(0))? {
        if name.is_some() {
            let named = [name.into(), now.into(), family.into(), Val::Uuid(id)];
            tx.execute(&SECURITY_NAME, &named)?;
        }
        return Ok(SecurityId(id));
    }
    let id = tx.new_id()?;
    let values = [
        family.into(),
        Val::Uuid(id),
        Val::Text(&ticker),
        Val::Text(&mic),
        name.into(),
        now.into(),
    ];
    tx.execute(&SECURITY_INSERT, &values)?;
    Ok(SecurityId(id))
}

/// Stores a position. The holding keeps its id, and its cost changes only where it may.
pub fn holding_put(tx: &mut Tx<'_>, family: FamilyId, position: &Position) -> Result<HoldingId> {
    let key = [
        family.into(),
        position.account.into(),
        position.security.into(),
        Val::Text(position.currency.code()),
    ];
    let existing = tx.query_opt(&HOLDING_ON, &key, |row| Ok((row.uuid(0)?, read_cost(row, 1)?)))?;
    let before = existing.as_ref().and_then(|(_, cost)| *cost);
    let cost = Cost::updated(before, position.cost);
    let now = tx.now();
    let (quantity, price) = (quantity_text(position.quantity), quantity_text(position.price));
    let cost_quantity = cost.map(|cost| quantity_text(cost.quantity));
    let values = [
        position.date.into(),
        Val::Text(&quantity),
        Val::Text(&price),
        Val::Int(position.amount),
        cost.map(|cost| cost.total).into(),
        cost_quantity.as_deref().into(),
        cost.map(|cost| cost.source.as_str()).into(),
        Val::Bool(cost.is_some_and(|cost| cost.locked)),
        now.into(),
    ];
    if let Some((id, _)) = existing {
        tx.execute(&HOLDING_UPDATE, &[&values[..], &[family.into(), Val::Uuid(id)]].concat())?;
        return Ok(HoldingId(id));
    }
    let id = tx.new_id()?;
    let owner = [
        family.into(),
        Val::Uuid(id),
        position.account.into(),
        position.security.into(),
        Val::Text(position.currency.code()),
    ];
    tx.execute(&HOLDING_INSERT, &[&owner[..], &values[..]].concat())?;
    Ok(HoldingId(id))
}

fn read(row: &Row<'_>) -> Result<Holding> {
    Ok(Holding {
        id: row.id(0)?,
        date: row.date(1)?,
        quantity: decimal(row.text(2)?)?,
        price: decimal(row.text(3)?)?,
        amount: row.int(4)?,
        currency: row.currency(5)?,
        cost: read_cost(row, 6)?,
        created_at: row.timestamp(10)?,
        updated_at: row.timestamp(11)?,
        account: read_summary(row, 12)?,
        security: Security {
            id: row.id(16)?,
            ticker: row.string(17)?,
            exchange_operating_mic: row.string(18)?,
            name: row.opt_string(19)?,
        },
    })
}

/// Reads total, quantity, source and lock from four columns; all are known or none.
fn read_cost(row: &Row<'_>, first: usize) -> Result<Option<Cost>> {
    let (Some(total), Some(quantity), Some(source)) =
        (row.opt_int(first)?, row.opt_text(first + 1)?, row.opt_text(first + 2)?)
    else {
        return Ok(None);
    };
    Ok(Some(Cost {
        total,
        quantity: decimal(quantity)?,
        source: CostBasisSource::parse(source)
            .ok_or_else(|| Error::internal("unknown source of a cost basis"))?,
        locked: row.bool(first + 3)?,
    }))
}

fn decimal(text: &str) -> Result<Decimal> {
    Decimal::from_str_exact(text).map_err(Error::internal)
}

#[cfg(test)]
mod tests;
