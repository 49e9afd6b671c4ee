//! Securities, their prices, exchange rates, and what was stated about positions.

use purser_core::error::Result;
use purser_core::money::decimal::quantity_text;

use super::line::{Amount, Lines, flag};
use super::records::{ExchangeRate, Holding, HoldingCost, Security, SecurityPrice};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::ledger::stated_costs::StatedCosts;

statements! {
    /// The securities by their tickers.
    SECURITIES = "SELECT id, ticker, exchange_operating_mic, name, kind, isin, country_code,
            currency, offline, feed_symbol
        FROM ledger_securities WHERE family_id = $1 ORDER BY ticker, exchange_operating_mic";
    /// Every price, security by security.
    PRICES = "SELECT security_id, date, currency, price, source
        FROM security_prices WHERE family_id = $1 ORDER BY security_id, date, currency";
    /// Every rate of the family.
    RATES = "SELECT base, quote, date, rate, source
        FROM family_rates WHERE family_id = $1 ORDER BY base, quote, date";
    /// What providers reported about positions.
    STATED_POSITIONS = "SELECT p.account_id, p.security_id, s.ticker, s.exchange_operating_mic,
            p.date, p.qty, p.currency, p.price, p.cost_total, p.cost_qty, a.currency
        FROM position_statements p
        JOIN securities s ON s.family_id = $1 AND s.id = p.security_id
        JOIN accounts a ON a.family_id = $1 AND a.id = p.account_id
        WHERE p.family_id = $1 ORDER BY p.account_id, p.security_id, p.date";
    /// What people stated about the cost of positions.
    STATED_COSTS = "SELECT h.account_id, h.security_id, s.ticker, s.exchange_operating_mic,
            h.cost_total, h.cost_qty, h.cost_date, h.cost_said_at, h.cost_locked,
            h.earlier_costs, h.import_id, a.currency
        FROM holdings h
        JOIN securities s ON s.family_id = $1 AND s.id = h.security_id
        JOIN accounts a ON a.family_id = $1 AND a.id = h.account_id
        WHERE h.family_id = $1 AND h.cost_total IS NOT NULL
        ORDER BY h.account_id, h.security_id";
}

/// Writes securities and what is known of them, beside trades.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    tx.for_each(&SECURITIES, vals![family], |row| {
        lines.put(&Security {
            id: row.uuid(0)?,
            ticker: row.text(1)?,
            exchange_operating_mic: market(row.text(2)?),
            name: row.opt_text(3)?,
            kind: row.text(4)?,
            isin: row.opt_text(5)?,
            country_code: row.opt_text(6)?,
            currency: row.opt_text(7)?,
            offline: flag(row.bool(8)?),
            feed_symbol: row.opt_text(9)?,
        })
    })?;
    tx.for_each(&PRICES, vals![family], |row| {
        lines.put(&SecurityPrice {
            security_id: row.uuid(0)?,
            date: row.date(1)?,
            currency: row.text(2)?,
            price: row.text(3)?,
            source: row.text(4)?,
        })
    })?;
    tx.for_each(&RATES, vals![family], |row| {
        lines.put(&ExchangeRate {
            from_currency: row.text(0)?,
            to_currency: row.text(1)?,
            date: row.date(2)?,
            rate: row.text(3)?,
            source: row.text(4)?,
        })
    })?;
    write_positions(tx, lines)
}

fn write_positions(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    tx.for_each(&STATED_POSITIONS, vals![family], |row| {
        let currency = row.currency(10)?;
        lines.put(&Holding {
            account_id: row.uuid(0)?,
            security_id: row.uuid(1)?,
            ticker: row.text(2)?,
            exchange_operating_mic: market(row.text(3)?),
            date: row.date(4)?,
            qty: row.text(5)?,
            currency: row.text(6)?,
            price: row.opt_text(7)?,
            cost_total: row.opt_int(8)?.map(|total| Amount(total, currency)),
            cost_qty: row.opt_text(9)?,
        })
    })?;
    tx.for_each(&STATED_COSTS, vals![family], |row| {
        let currency = row.currency(11)?;
        StatedCosts::of_row(row, 4)?.all().into_iter().try_for_each(|cost| {
            lines.put(&HoldingCost {
                account_id: row.uuid(0)?,
                security_id: row.uuid(1)?,
                ticker: row.text(2)?,
                exchange_operating_mic: market(row.text(3)?),
                cost_total: Amount(cost.total, currency),
                cost_qty: cost.quantity.map(quantity_text).as_deref(),
                date: cost.date,
                stated_at: cost.at,
                locked: flag(cost.locked),
            })
        })
    })
}

/// The code of a market, which is stored as an empty text if it isn't known.
pub(super) fn market(code: &str) -> Option<&str> {
    Some(code).filter(|code| !code.is_empty())
}
