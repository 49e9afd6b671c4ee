//! Holdings: how much of a security an account has, what it is worth and what it cost.

use num_traits::Zero;
use rust_decimal::Decimal;

use crate::money::Currency;
use crate::money::exact::{Fraction, of_decimal, round_sum, to_decimal, units};
use crate::named::text_enum;

text_enum! {
    /// The source of a cost basis. The order is the order of trust.
    CostBasisSource {
        /// The bank-data provider reported it.
        Provider = "provider",
        /// Follows from the trades.
        Calculated = "calculated",
        /// A person stated it.
        Manual = "manual",
    }
}

/// Decimals of an average cost as text; the total and the quantity themselves lose nothing.
const AVERAGE_DECIMALS: u32 = 8;

/// What a holding cost. Kept as a total and the quantity that it paid for, never as a quotient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// The total cost in units of the scale of the holding's currency; negative for a short
    /// position.
    pub total: Fraction,
    /// How many shares it paid for; negative for a short position, never zero.
    pub quantity: Decimal,
    /// The source of the cost.
    pub source: CostBasisSource,
}

impl Cost {
    /// Cost of one share, rounded half away from zero to eight decimals for showing.
    pub fn average(&self, currency: Currency) -> Option<Decimal> {
        let quantity = of_decimal(self.quantity);
        if quantity.is_zero() {
            return None;
        }
        to_decimal(&(&self.total / quantity / units(currency.scale())), AVERAGE_DECIMALS)
    }

    /// What so many shares cost at this average, in the scale of the currency: a sum of many
    /// trades.
    pub fn of(&self, quantity: Decimal) -> Option<i128> {
        let paid = of_decimal(self.quantity);
        if paid.is_zero() {
            return None;
        }
        round_sum(&(&self.total * of_decimal(quantity) / paid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::exact::whole;

    fn cost(total: i64) -> Cost {
        let (total, source) = (whole(total), CostBasisSource::Calculated);
        Cost { total, quantity: Decimal::from(3), source }
    }

    #[test]
    fn the_average_is_rounded_only_as_text() {
        let average = |total| cost(total).average(Currency::USD).map(|average| average.to_string());
        assert_eq!(average(1_000_000).as_deref(), Some("33.33333333"));
        assert_eq!(average(2_000_000).as_deref(), Some("66.66666667"));
        assert_eq!(cost(20).of(Decimal::from(2)), Some(13));
        let none = Cost { quantity: Decimal::ZERO, ..cost(1) };
        assert_eq!((none.average(Currency::USD), none.of(Decimal::ONE)), (None, None));
    }
}
