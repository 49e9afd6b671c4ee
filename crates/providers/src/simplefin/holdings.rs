//! Holdings of an account, which the bridge adds to the protocol.

use serde::Deserialize;

use crate::snapshot::{HoldingSnapshot, HoldingsSnapshot, RowProblem, SecurityClues};
use crate::wire::{Rows, Scalar};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Row {
    id: Scalar,
    symbol: Scalar,
    description: Scalar,
    shares: Scalar,
    market_value: Scalar,
    cost_basis: Scalar,
    purchase_price: Scalar,
    currency: Scalar,
}

/// Reads the holdings from their rows.
pub(super) fn read(rows: &Rows<'_>) -> HoldingsSnapshot {
    let (rows, unreadable) = rows.read(holding);
    HoldingsSnapshot { rows, unreadable, ..HoldingsSnapshot::default() }
}

/// The price that was paid isn't the price of today, which is left out of the answer.
fn holding(row: &Row) -> Result<HoldingSnapshot, (RowProblem, Option<String>)> {
    let id = row.id.id().map_err(|()| (RowProblem::Id, None))?;
    let problem = || (RowProblem::Amount, id.clone());
    let optional = |value: &Scalar| value.optional_decimal().map_err(|()| problem());
    Ok(HoldingSnapshot {
        security: SecurityClues {
            ticker: row.symbol.label(),
            name: row.description.label(),
            currency: row.currency.currency(),
            ..SecurityClues::default()
        },
        quantity: row.shares.decimal().ok_or_else(problem)?,
        price: None,
        value: optional(&row.market_value)?,
        stated_cost: optional(&row.cost_basis)?,
        purchase_price: optional(&row.purchase_price)?,
        currency: row.currency.currency(),
        id,
    })
}
