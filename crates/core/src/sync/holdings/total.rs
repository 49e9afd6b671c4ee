//! The sum that a provider gives, which is only compared.

use rust_decimal::Decimal;

use super::rows::is_cash;
use super::{ReportedHolding, ReportedHoldings};
use crate::money::exact::{Fraction, of_decimal, whole};

/// Whether the stated sum is another than that of the holdings, with or without cash, by more than
/// a hundredth. Where a value is missing or in another currency, nothing is known.
pub(super) fn differs(reported: &ReportedHoldings) -> bool {
    let Some((total, currency)) = reported.total else { return false };
    let mut sums = [whole(0), whole(0)];
    for row in &reported.rows {
        if row.quantity.is_zero() {
            continue;
        }
        let Some(value) = value(row).filter(|_| row.currency == Some(currency)) else {
            return false;
        };
        if !is_cash(row) {
            sums[0] += &value;
        }
        sums[1] += value;
    }
    let total = of_decimal(total);
    let balance = reported.balance.filter(|(_, of)| *of == currency);
    let balance = balance.map(|(balance, _)| of_decimal(balance));
    !sums.into_iter().chain(balance).any(|sum| is_near(&total, &sum))
}

fn value(row: &ReportedHolding) -> Option<Fraction> {
    let made = || row.price.map(|price| of_decimal(price) * of_decimal(row.quantity));
    row.value.filter(|value| *value != Decimal::ZERO).map(of_decimal).or_else(made)
}

fn is_near(total: &Fraction, sum: &Fraction) -> bool {
    let difference = (total - sum) * whole(100);
    let size = if *sum < whole(0) { -sum.clone() } else { sum.clone() };
    difference <= size && -difference <= size
}
