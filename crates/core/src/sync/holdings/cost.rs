//! What a position cost: of all units or of one, which no provider documents.
//!
//! A stated cost is read in the way in which one unit costs between a fifth of its price and five
//! times as much. If both ways are possible, one must be nearer to the price by half the distance
//! at least; else nothing is certain, and the cost is unknown.

use num_traits::Signed as _;
use rust_decimal::Decimal;

use super::{ReportedHolding, Warning};
use crate::ledger::holding::CostBasisSource;
use crate::money::Currency;
use crate::money::exact::{Fraction, of_decimal, round, units, whole};

/// How many times the price one unit may have cost, or the other way round.
const TIMES_MAX: i64 = 5;

/// What came of a stated cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CostReading {
    /// What all units cost, in the scale of the account's currency.
    Known(i64),
    /// Nothing was stated.
    Unstated,
    /// It can't be used.
    Unusable(Warning),
}

/// The cost of a row. `before` is the cost that the ledger has by now.
pub(super) fn of(
    row: &ReportedHolding,
    price: Option<Decimal>,
    account: Currency,
    before: Option<(Fraction, CostBasisSource)>,
) -> CostReading {
    let is_stated = |cost: &Decimal| !cost.is_zero();
    let paid = row.purchase_price.filter(is_stated);
    let Some(stated) = row.stated_cost.filter(is_stated).or(paid) else {
        return CostReading::Unstated;
    };
    if row.quantity.is_zero() {
        return CostReading::Unstated;
    }
    if row.currency != Some(account) {
        return CostReading::Unusable(Warning::CostCurrencyDiffers);
    }
    let unclear = CostReading::Unusable(Warning::CostUnclear);
    let (stated, quantity) = (of_decimal(stated).abs(), of_decimal(row.quantity).abs());
    let readings = [stated.clone(), &stated * &quantity];
    let rounded = |total: &Fraction| round(&(total * units(account.scale())));
    // What was decided once stays so while the price moves.
    if let Some((known, CostBasisSource::Provider)) = before {
        let known = known.abs();
        let mut same = readings.iter().filter_map(rounded).filter(|total| whole(*total) == known);
        if let Some(total) = same.next() {
            return CostReading::Known(total);
        }
    }
    // What one unit cost is nearer to its price of that day than to the price of today.
    let reference = paid.or(price).map(|price| of_decimal(price).abs());
    let chosen = match choose(&readings, &quantity, reference) {
        Some(total) => rounded(total),
        None => return unclear,
    };
    chosen.map_or(unclear, CostReading::Known)
}

/// The total that is certain: of all units as it is stated, or of one times their number.
fn choose<'a>(
    totals: &'a [Fraction; 2],
    quantity: &Fraction,
    reference: Option<Fraction>,
) -> Option<&'a Fraction> {
    let [all, each] = totals;
    if all == each {
        return Some(all);
    }
    let price = reference.filter(|price| price.is_positive())?;
    let distance = |total: &Fraction| {
        let one = total / quantity;
        let times = whole(TIMES_MAX);
        let is_possible = &one * &times >= price && one <= &price * &times;
        is_possible.then(|| (one - &price).abs())
    };
    match (distance(all), distance(each)) {
        (Some(_), None) => Some(all),
        (None, Some(_)) => Some(each),
        (Some(of_all), Some(of_each)) if &of_all * whole(2) <= of_each => Some(all),
        (Some(of_all), Some(of_each)) if &of_each * whole(2) <= of_all => Some(each),
        _ => None,
    }
}
