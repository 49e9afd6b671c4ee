//! The price of one unit.

use rust_decimal::{Decimal, RoundingStrategy};

use super::{ReportedHolding, Warning};
use crate::limits::DECIMAL_PLACES_MAX;
use crate::money::exact::{of_decimal, round, to_decimal, units, value_of, whole};

/// The price of a row: as it is stated, else made of the value. None if neither is there; refused
/// if the two differ by more than a hundredth, as where one is in pence and the other in pounds.
pub(super) fn of(row: &ReportedHolding) -> Result<Option<Decimal>, Warning> {
    let stated = row.price.filter(|price| *price > Decimal::ZERO);
    match (stated, of_value(row)) {
        (Some(stated), Some(made)) => {
            let difference = of_decimal(stated) - of_decimal(made);
            let hundredth = of_decimal(made) / whole(100);
            let is_near = difference <= hundredth && difference >= -hundredth;
            if is_near { Ok(Some(fitting(stated))) } else { Err(Warning::HoldingPriceUnclear) }
        }
        (Some(stated), None) => Ok(Some(fitting(stated))),
        (None, made) => Ok(made),
    }
}

/// The value divided by the quantity, with the fewest decimals that come to the value again.
fn of_value(row: &ReportedHolding) -> Option<Decimal> {
    let value = row.value.filter(|value| !value.is_zero())?;
    if row.quantity.is_zero() {
        return None;
    }
    let price = of_decimal(value) / of_decimal(row.quantity);
    let scale = row.currency?.scale();
    let wanted = round(&(of_decimal(value) * units(scale)))?;
    let is_exact =
        |price: &Decimal| value_of(row.quantity, *price, scale).is_some_and(|of| of == wanted);
    let short = (2..DECIMAL_PLACES_MAX)
        .filter_map(|decimals| to_decimal(&price, decimals))
        .find(|price| is_exact(price));
    let price = short.or_else(|| to_decimal(&price, DECIMAL_PLACES_MAX))?;
    (price > Decimal::ZERO).then_some(price)
}

fn fitting(price: Decimal) -> Decimal {
    let strategy = RoundingStrategy::MidpointAwayFromZero;
    price.round_dp_with_strategy(DECIMAL_PLACES_MAX, strategy).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_rounded_half_away_from_zero() {
        let price = |text: &str| text.parse::<Decimal>().unwrap();
        assert_eq!(fitting(price("1.0000000000000000005")), price("1.000000000000000001"));
        assert_eq!(fitting(price("1.0000000000000000004")), price("1"));
        assert_eq!(fitting(price("1.50")), price("1.5"));
    }
}
