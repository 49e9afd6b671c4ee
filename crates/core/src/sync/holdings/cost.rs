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

/// What a stated cost comes to, or those of all rows of a position: totals in the scale of the
/// account's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct CostReadings {
    /// As the cost of all units.
    of_all: Option<i64>,
    /// As the cost of one.
    of_each: Option<i64>,
    /// In the way that is certain by the price.
    certain: Option<i64>,
    /// Whether there is a row of which neither way is.
    is_unclear: bool,
}

impl CostReadings {
    /// Takes the cost of another row of the position in.
    pub(super) fn add(&mut self, other: Self) {
        let sum = |one: Option<i64>, other: Option<i64>| {
            one.zip(other).and_then(|(one, other)| one.checked_add(other))
        };
        self.of_all = sum(self.of_all, other.of_all);
        self.of_each = sum(self.of_each, other.of_each);
        self.certain = sum(self.certain, other.certain);
        self.is_unclear |= other.is_unclear;
    }

    /// The cost of the position. What was decided once stays while the price moves: `before` is
    /// the cost that the ledger has of as many units.
    pub(super) fn decide(
        &self,
        before: Option<&(Fraction, CostBasisSource)>,
    ) -> Result<Option<i64>, Warning> {
        let decided = match before {
            Some((known, CostBasisSource::Provider)) => {
                let mut ways = [self.of_all, self.of_each].into_iter().flatten();
                ways.find(|total| whole(*total) == known.abs())
            }
            _ => None,
        };
        match decided.or(self.certain) {
            None if self.is_unclear => Err(Warning::CostUnclear),
            cost => Ok(cost),
        }
    }
}

/// What the cost of a row comes to.
pub(super) fn of(
    row: &ReportedHolding,
    price: Option<Decimal>,
    account: Currency,
) -> Result<CostReadings, Warning> {
    let is_stated = |cost: &Decimal| !cost.is_zero();
    let paid = row.purchase_price.filter(is_stated);
    let Some(stated) = row.stated_cost.filter(is_stated).or(paid) else {
        return Ok(CostReadings::default());
    };
    if row.quantity.is_zero() {
        return Ok(CostReadings::default());
    }
    if row.currency != Some(account) {
        return Err(Warning::CostCurrencyDiffers);
    }
    let (stated, quantity) = (of_decimal(stated).abs(), of_decimal(row.quantity).abs());
    let totals = [stated.clone(), &stated * &quantity];
    let rounded = |total: &Fraction| round(&(total * units(account.scale())));
    // What one unit cost is nearer to its price of that day than to the price of today.
    let reference = paid.or(price).map(|price| of_decimal(price).abs());
    let certain = choose(&totals, &quantity, reference).and_then(rounded);
    let [of_all, of_each] = totals.each_ref().map(rounded);
    Ok(CostReadings { of_all, of_each, certain, is_unclear: certain.is_none() })
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
