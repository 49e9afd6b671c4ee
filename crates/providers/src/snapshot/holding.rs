//! Holdings of an account.

use rust_decimal::Decimal;

use super::{Completeness, StatedCurrency, UnreadableRow};

/// The holdings of an account.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldingsSnapshot {
    /// The holdings, in the order of the answer.
    pub rows: Vec<HoldingSnapshot>,
    /// Rows that can't be read.
    pub unreadable: Vec<UnreadableRow>,
    /// The stated sum. Whether it includes cash isn't documented, so it is for comparison only.
    pub total: Option<Decimal>,
    /// The currency of the sum.
    pub currency: StatedCurrency,
    /// Whether these are all.
    pub completeness: Completeness,
}

/// A holding as the provider reports it. What is missing isn't computed here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldingSnapshot {
    /// The id at the provider, if the holding has one that lasts.
    pub id: Option<String>,
    /// By what the security can be recognised.
    pub security: SecurityClues,
    /// The number of units; negative if more was sold than was held.
    pub quantity: Decimal,
    /// The price of one unit now.
    pub price: Option<Decimal>,
    /// The value of all units now.
    pub value: Option<Decimal>,
    /// The cost as it was stated: of all units or of one, which providers don't document.
    pub stated_cost: Option<Decimal>,
    /// The price that was paid for one unit.
    pub purchase_price: Option<Decimal>,
    /// The currency of price, value and cost.
    pub currency: StatedCurrency,
}

/// By what a security can be recognised, the most certain first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SecurityClues {
    /// The international number of the security.
    pub isin: Option<String>,
    /// The global identifier of the instrument.
    pub figi: Option<String>,
    /// The number in North America.
    pub cusip: Option<String>,
    /// The symbol at the exchange.
    pub ticker: Option<String>,
    /// The name that is shown.
    pub name: Option<String>,
    /// The currency that the security itself is in.
    pub currency: StatedCurrency,
}
