//! What a position cost: of all units or of one, which no provider documents.
//!
//! A stated cost is read in the way in which one unit costs between a fifth of its price and five
//! times as much. If both ways are possible, one must be nearer to the price by half the distance
//! at least; else nothing is certain, and the cost is unknown. A provider has one way for all rows
//! of a position: if rows are certain in different ways, nothing is.

use num_traits::Signed as _;
use rust_decimal::Decimal;

use super::{KnownPosition, ReportedHolding, Warning};
use crate::ledger::holding::CostBasisSource;
use crate::money::Currency;
use crate::money::exact::{Fraction, of_decimal, round, units, whole};

/// How many times the price one unit may have cost, or the other way round.
const TIMES_MAX: i64 = 5;

/// One way to read a stated cost, or those of all rows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    /// What it comes to, in the scale of the account's currency; none if a row states no cost.
    total: Option<i64>,
    /// Whether no price speaks against it.
    is_possible: bool,
    /// Whether it is the right one by the prices of all rows.
    is_certain: bool,
}

impl Reading {
    /// That of a row without a cost.
    const UNSTATED: Self = Self { total: None, is_possible: true, is_certain: true };

    fn and(self, other: Self) -> Self {
        let totals = self.total.zip(other.total);
        Self {
            total: totals.and_then(|(one, other)| one.checked_add(other)),
            is_possible: self.is_possible && other.is_possible,
            is_certain: self.is_certain && other.is_certain,
        }
    }
}

/// Both ways to read a stated cost, or those of all rows of a position, which are read in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CostReadings {
    /// As the cost of all units.
    of_all: Reading,
    /// As the cost of one.
    of_each: Reading,
}

impl CostReadings {
    /// Those of a row without a cost.
    pub(super) const UNSTATED: Self =
        Self { of_all: Reading::UNSTATED, of_each: Reading::UNSTATED };

    /// Takes the cost of another row of the position in.
    pub(super) fn add(&mut self, other: Self) {
        self.of_all = self.of_all.and(other.of_all);
        self.of_each = self.of_each.and(other.of_each);
    }

    /// The cost of a position of so many units. `before` is what the ledger has by now.
    pub(super) fn decide(
        &self,
        quantity: Decimal,
        before: Option<&KnownPosition>,
    ) -> Result<Option<i64>, Warning> {
        if let Some(decided) = before.and_then(|before| self.decided(quantity, before)) {
            return Ok(Some(decided));
        }
        let certain = [self.of_all, self.of_each].into_iter().find(|way| way.is_certain);
        certain.map(|way| way.total).ok_or(Warning::CostUnclear)
    }

    /// The cost of before, if one of the ways still comes to it. Of as many units it stays while
    /// the price moves. Of another number it is only a sign of a possible way, and none if the
    /// other way comes to what one unit cost before.
    fn decided(&self, quantity: Decimal, before: &KnownPosition) -> Option<i64> {
        let (known, CostBasisSource::Provider) = before.cost.as_ref()? else { return None };
        let known = known.abs();
        let [now, earlier] = [quantity, before.quantity].map(|units| of_decimal(units).abs());
        // Totals are rounded by up to a half.
        let is_as_dear = |total: i64| {
            let difference = (whole(total) * &earlier - &known * &now).abs();
            difference * whole(2) <= &now + &earlier
        };
        let stays = |way: Reading, other: Reading| {
            let has_sign = way.is_possible && earlier.is_positive();
            quantity == before.quantity || (has_sign && !other.total.is_some_and(is_as_dear))
        };
        let ways = [(self.of_all, self.of_each), (self.of_each, self.of_all)];
        ways.into_iter().find_map(|(way, other)| {
            way.total.filter(|total| whole(*total) == known && stays(way, other))
        })
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
        return Ok(CostReadings::UNSTATED);
    };
    if row.quantity.is_zero() {
        return Ok(CostReadings::UNSTATED);
    }
    if row.currency != Some(account) {
        return Err(Warning::CostCurrencyDiffers);
    }
    let (stated, quantity) = (of_decimal(stated).abs(), of_decimal(row.quantity).abs());
    // What one unit cost is nearer to its price of that day than to the price of today.
    let price = paid.or(price).map(|price| of_decimal(price).abs()).filter(Fraction::is_positive);
    let [all, each] = [&stated / &quantity, stated];
    let reading = |one: &Fraction, other: &Fraction| {
        let total = round(&(one * &quantity * units(account.scale())));
        let [distance, of_other] = [one, other].map(|one| distance(one, price.as_ref()?));
        let is_nearer = match (&distance, of_other) {
            (Some(distance), Some(of_other)) => distance * whole(2) <= of_other,
            (distance, _) => distance.is_some(),
        };
        Reading {
            total,
            is_possible: distance.is_some() || price.is_none() || one == other,
            is_certain: total.is_some() && (is_nearer || one == other),
        }
    };
    Ok(CostReadings { of_all: reading(&all, &each), of_each: reading(&each, &all) })
}

/// How far the cost of one unit is from its price; none if it can't have cost that.
fn distance(one: &Fraction, price: &Fraction) -> Option<Fraction> {
    let times = whole(TIMES_MAX);
    let is_possible = &(one * &times) >= price && *one <= price * times;
    is_possible.then(|| (one - price).abs())
}
