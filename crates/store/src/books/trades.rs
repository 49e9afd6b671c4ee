//! Trades that move shares: what they do to lots, and the words and the money beside that.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::positions::{Movements, movements};
use purser_core::ledger::trade::{CostMethod, TradeType};
use purser_core::money::Currency;
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Val, statements, vals};
use crate::ledger::position_inputs::{self, Inputs};
use crate::ledger::positions;
use crate::rates::decimal;

statements! {
    /// The entries of trades, with the trades.
    BOOKS_TRADES = "SELECT e.id, e.account_id, e.date, e.amount, e.currency,
            COALESCE(e.booked, e.amount), e.name, e.notes, e.source, e.external_id, e.excluded,
            t.trade_type, t.qty, t.price, t.fee
        FROM trades t CROSS JOIN ledger_entries e
        WHERE e.family_id = $1 AND e.id = t.entry_id
            AND t.family_id = $1 AND t.entry_id = ANY($2)";
    /// What each account has of a security at the end.
    BOOKS_POSITIONS = "SELECT p.account_id, p.date, p.qty
        FROM holdings h CROSS JOIN position_segments p
        WHERE h.family_id = $1 AND h.security_id = $2 AND p.family_id = $1
            AND p.account_id = h.account_id AND p.security_id = h.security_id
            AND p.date = (SELECT MAX(l.date) FROM position_segments l
                WHERE l.family_id = $1 AND l.account_id = h.account_id
                    AND l.security_id = h.security_id)
        ORDER BY p.account_id";
}

/// Everything that moves the lots of a security.
pub struct LotBook {
    methods: BTreeMap<AccountId, CostMethod>,
    inputs: Inputs,
}

/// A trade in words and money.
#[derive(Debug)]
pub struct Trade {
    /// The account of the trade.
    pub account: AccountId,
    /// The day of the trade.
    pub date: Date,
    /// What moved in cash; positive is money out.
    pub amount: i64,
    /// The currency of the trade.
    pub currency: Currency,
    /// The cash in the account's currency.
    pub booked: i64,
    /// The name of the trade.
    pub name: String,
    /// What people noted.
    pub notes: Option<String>,
    /// The source that gave it an id.
    pub source: Option<String>,
    /// Its id at the source.
    pub external_id: Option<String>,
    /// Whether reports leave it out.
    pub excluded: bool,
    /// What the trade is.
    pub trade_type: TradeType,
    /// The number of shares: positive into the account.
    pub quantity: Decimal,
    /// The price of one, in the currency of the trade.
    pub price: Decimal,
    /// The fee, inside the amount.
    pub fee: i64,
}

/// Every security that is traded or stated.
pub fn securities(tx: &mut FamilyTx<'_>) -> Result<Vec<SecurityId>> {
    positions::securities(tx)
}

/// Reads what moves the lots of a security.
pub fn lots(tx: &mut FamilyTx<'_>, security: SecurityId) -> Result<LotBook> {
    let methods = positions::methods(tx)?;
    let inputs = position_inputs::read(tx, &[security])?.remove(&security).unwrap_or_default();
    Ok(LotBook { methods, inputs })
}

impl LotBook {
    /// What happens to the lots, day by day.
    pub fn movements(&self) -> Movements<'_> {
        let Inputs { trades, statements, costs } = &self.inputs;
        movements(&self.methods, trades, statements, costs)
    }
}

/// The trades with these ids.
pub fn trades(tx: &mut FamilyTx<'_>, ids: &[EntryId]) -> Result<HashMap<EntryId, Trade>> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = ids.iter().map(|id| (*id).into()).collect();
    let mut found = HashMap::with_capacity(ids.len());
    tx.lookup(&BOOKS_TRADES, vals![family], &keys, |row| {
        let trade = Trade {
            account: row.id(1)?,
            date: row.date(2)?,
            amount: row.int(3)?,
            currency: row.currency(4)?,
            booked: row.int(5)?,
            name: row.string(6)?,
            notes: row.opt_string(7)?,
            source: row.opt_string(8)?,
            external_id: row.opt_string(9)?,
            excluded: row.bool(10)?,
            trade_type: row.named(11)?,
            quantity: decimal(row.text(12)?)?,
            price: decimal(row.text(13)?)?,
            fee: row.int(14)?,
        };
        found.insert(row.id(0)?, trade);
        Ok(())
    })?;
    Ok(found)
}

/// What each account has of a security after its last change.
pub fn positions(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
) -> Result<Vec<(AccountId, Date, Decimal)>> {
    let family = tx.family();
    tx.query(&BOOKS_POSITIONS, vals![family, security], |row| {
        Ok((row.id(0)?, row.date(1)?, decimal(row.text(2)?)?))
    })
}
