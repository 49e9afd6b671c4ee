//! Rows of an answer, put together by security.

use std::collections::BTreeSet;

use rust_decimal::Decimal;

use super::cost::{self, CostReadings};
use super::{KnownPosition, ReportedHolding, SecurityRef, Warning, price};
use crate::money::Currency;

/// What an answer has of one security.
#[derive(Debug, Clone)]
pub(super) struct StatedPosition {
    pub(super) security: SecurityRef,
    pub(super) quantity: Decimal,
    costs: CostReadings,
    /// What all units cost, in the scale of the account's currency; known once all rows are in.
    pub(super) cost: Option<i64>,
    pub(super) price: Option<(Decimal, Currency)>,
    pub(super) warnings: BTreeSet<Warning>,
}

impl StatedPosition {
    /// What a row has.
    pub(super) fn of(row: &ReportedHolding, security: SecurityRef, account: Currency) -> Self {
        let mut warnings = BTreeSet::new();
        let price = price::of(row).unwrap_or_else(|warning| {
            warnings.insert(warning);
            None
        });
        let costs = cost::of(row, price, account).unwrap_or_else(|warning| {
            warnings.insert(warning);
            CostReadings::UNSTATED
        });
        let (quantity, price) = (row.quantity.normalize(), price.zip(row.currency));
        Self { security, quantity, costs, cost: None, price, warnings }
    }

    /// Takes another row of the same security in: lots, or parts in several sub-accounts.
    pub(super) fn add(&mut self, other: Self) {
        if other.quantity.is_zero() {
            return;
        }
        if self.quantity.is_zero() {
            *self = other;
            return;
        }
        let sum = self.quantity.checked_add(other.quantity);
        self.quantity = sum.unwrap_or(self.quantity).normalize();
        self.costs.add(other.costs);
        if self.price.is_none() {
            self.price = other.price;
        } else if other.price.is_some() && other.price != self.price {
            self.price = None;
            self.warnings.insert(Warning::HoldingPriceUnclear);
        }
    }

    /// Decides the cost of all rows together. `before` is what the ledger has by now.
    pub(super) fn decide_cost(&mut self, before: Option<&KnownPosition>) {
        self.cost = self.costs.decide(self.quantity, before).unwrap_or_else(|warning| {
            self.warnings.insert(warning);
            None
        });
    }
}

/// Whether a row is money that is listed among the holdings.
pub(super) fn is_cash(row: &ReportedHolding) -> bool {
    let clues = &row.clues;
    let has_number = clues.isin.is_some() || clues.figi.is_some() || clues.cusip.is_some();
    let is_worth_one = row.price.is_none_or(|price| price == Decimal::ONE);
    let is_called_cash = match clues.ticker.as_deref() {
        Some("CASH") => true,
        Some(ticker) => {
            let code = ticker.strip_prefix("CUR:").unwrap_or(ticker);
            Currency::parse(code)
                .is_some_and(|of| row.currency == Some(of) || ticker.starts_with("CUR:"))
        }
        None => clues.name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case("cash")),
    };
    !has_number && is_worth_one && is_called_cash
}
