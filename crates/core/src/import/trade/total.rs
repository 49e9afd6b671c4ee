//! What a row states its total to be, against quantity × price and fees.
//!
//! Files show rounded prices and quantities. A total may differ from their product by what the
//! digits behind the shown ones could come to, and by no more: half a unit of the last decimal that
//! is shown, of a number with decimals. Whole numbers are exact.

use num_traits::Signed;
use rust_decimal::Decimal;

use super::signs::{Flow, TotalMeaning};
use crate::money::exact::{Fraction, hidden_digits, of_decimal, to_decimal};
use crate::text::number::Number;

/// Decimals of a price that is computed from a total.
const PRICE_DECIMALS: u32 = 18;

/// The numbers of a purchase or a sale, without signs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub(super) quantity: Number,
    pub(super) price: Option<Number>,
    /// The total that the row states.
    pub(super) total: Number,
    /// Fees and taxes together.
    pub(super) fees: Decimal,
    /// The decimals that they are shown with.
    pub(super) fee_decimals: u32,
    /// Whether money goes out or comes in.
    pub(super) money: Flow,
    /// The rate between the currency of the price and that of the total, if these differ. Its
    /// direction isn't stated: the total shows it.
    pub(super) rate: Option<Number>,
}

impl Numbers {
    /// The same with contracts for a hundred shares, of which the price is that of one share.
    pub(super) fn of_contracts(self) -> Self {
        let of_contract = |price: Number| Number {
            value: price.value.saturating_mul(Decimal::ONE_HUNDRED),
            decimals: price.decimals.saturating_sub(2),
            ..price
        };
        Self { price: self.price.map(of_contract), ..self }
    }

    /// What the shares themselves come to by the total.
    fn shares_by_total(&self, meaning: TotalMeaning) -> Fraction {
        let total = of_decimal(self.total.value.abs());
        match (meaning, self.money) {
            (TotalMeaning::Gross, _) => total,
            (TotalMeaning::Net, Flow::Out) => total - of_decimal(self.fees),
            (TotalMeaning::Net, Flow::In) => total + of_decimal(self.fees),
        }
    }

    /// Whether the total follows from quantity, price and fees, within what rounding hides.
    pub(super) fn is_proven(&self, meaning: TotalMeaning) -> bool {
        let Some(price) = self.price else { return true };
        let (quantity, total) = (of_decimal(self.quantity.value.abs()), self.total);
        let price_value = of_decimal(price.value.abs());
        let product = &quantity * &price_value;
        let of_product = quantity * hidden_digits(price.decimals)
            + price_value * hidden_digits(self.quantity.decimals);
        let shares = self.shares_by_total(meaning);
        let mut of_total = hidden_digits(total.decimals);
        if meaning == TotalMeaning::Net && !self.fees.is_zero() {
            of_total += hidden_digits(self.fee_decimals);
        }
        let Some(rate) = self.rate else {
            return (product - shares).abs() <= of_product + of_total;
        };
        let (rate, of_rate) = (of_decimal(rate.value.abs()), hidden_digits(rate.decimals));
        let is_direct = (&product * &rate - &shares).abs()
            <= &of_product * &rate + &product * &of_rate + &of_total;
        let is_inverse =
            (&shares * &rate - &product).abs() <= of_total * rate + shares * of_rate + of_product;
        is_direct || is_inverse
    }

    /// The price by which quantity × price comes to what the total states.
    pub(super) fn price_by_total(&self, meaning: TotalMeaning) -> Option<Decimal> {
        let shares = self.shares_by_total(meaning);
        let quantity = of_decimal(self.quantity.value.abs());
        (shares.is_positive() && quantity.is_positive())
            .then(|| to_decimal(&(shares / quantity), PRICE_DECIMALS))
            .flatten()
            .filter(|price| !price.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::number::{NumberFormat, parse_number};

    fn numbers(quantity: &str, price: &str, total: &str, fees: &str, money: Flow) -> Numbers {
        let number = |cell: &str| parse_number(cell, NumberFormat::CommaDot).unwrap();
        let fees = number(fees);
        Numbers {
            quantity: number(quantity),
            price: Some(number(price)),
            total: number(total),
            fees: fees.value,
            fee_decimals: fees.decimals,
            money,
            rate: None,
        }
    }

    #[test]
    fn only_rounding_is_tolerated() {
        let net = TotalMeaning::Net;
        for (quantity, price, total, fees, money, is_proven) in [
            ("10", "150.25", "1502.50", "0", Flow::Out, true),
            ("10", "150.25", "1503.50", "1.00", Flow::Out, true),
            ("10", "150.25", "1501.50", "1.00", Flow::In, true),
            // The fee is on the wrong side.
            ("10", "150.25", "1503.50", "1.00", Flow::In, false),
            // 33.333 × 3 may be 100.00, 33.33 × 3 too, and 33.3 × 3 as well; 33 × 3 is 99.
            ("3", "33.33", "100.00", "0", Flow::Out, true),
            ("3", "33.3", "100.00", "0", Flow::Out, true),
            ("3", "33", "100.00", "0", Flow::Out, false),
            // A wrong digit.
            ("10", "150.25", "1502.60", "0", Flow::Out, false),
            ("100", "15.12", "1512.51", "0", Flow::Out, false),
            ("100", "15.12", "1512.50", "0", Flow::Out, true),
        ] {
            let numbers = numbers(quantity, price, total, fees, money);
            assert_eq!(numbers.is_proven(net), is_proven, "{quantity} {price} {total} {fees}");
        }
        let gross = numbers("10", "150.25", "1502.50", "5.00", Flow::Out);
        assert!(gross.is_proven(TotalMeaning::Gross) && !gross.is_proven(net));
    }

    #[test]
    fn a_rate_proves_a_total_in_another_currency_in_either_direction() {
        let rate = |cell: &str| Some(parse_number(cell, NumberFormat::CommaDot).unwrap());
        // 1502.50 USD are 1382.30 EUR at 0.92 EUR for a dollar.
        let numbers = numbers("10", "150.25", "1382.30", "0", Flow::Out);
        for (cell, is_proven) in [("0.92", true), ("1.086957", true), ("1.2", false)] {
            let numbers = Numbers { rate: rate(cell), ..numbers };
            assert_eq!(numbers.is_proven(TotalMeaning::Net), is_proven, "{cell}");
        }
        assert!(!numbers.is_proven(TotalMeaning::Net));
    }

    #[test]
    fn a_price_by_the_total_comes_to_it() {
        let numbers = numbers("3", "33.33", "100.00", "0", Flow::Out);
        let price = numbers.price_by_total(TotalMeaning::Net).unwrap();
        assert_eq!(price.to_string(), "33.333333333333333333");
        assert_eq!(crate::money::exact::value_of(Decimal::from(3), price, 4), Some(1_000_000));
    }
}
