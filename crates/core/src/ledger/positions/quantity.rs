//! Numbers of shares, exact to 18 decimals.
//!
//! A [`Quantity`] counts units of 10⁻¹⁸ share in 128 bits: sums never lose a digit, which decimals
//! with a floating scale would do silently once a large and a tiny number meet. Only a split
//! rounds, half away from zero. What a decimal can't hold when it is written again is an error.

use rust_decimal::Decimal;

use super::OutOfRange;
use crate::money::exact::{Fraction, scaled};

/// Decimals that a number of shares has at most.
pub const QUANTITY_DECIMALS: u32 = 18;

/// A number of shares; negative when they are owed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity(i128);

impl Quantity {
    /// No shares at all.
    pub const ZERO: Self = Self(0);

    /// A decimal with at most [`QUANTITY_DECIMALS`] decimals.
    pub fn of(decimal: Decimal) -> Result<Self, OutOfRange> {
        let normal = decimal.normalize();
        let missing = QUANTITY_DECIMALS.checked_sub(normal.scale()).ok_or(OutOfRange)?;
        let unit = 10i128.checked_pow(missing).ok_or(OutOfRange)?;
        normal.mantissa().checked_mul(unit).map(Self).ok_or(OutOfRange)
    }

    /// As a decimal without needless zeros.
    pub fn to_decimal(self) -> Result<Decimal, OutOfRange> {
        let (mut mantissa, mut scale) = (self.0, QUANTITY_DECIMALS);
        // Zeros at the end would use up the digits that a decimal has.
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        Decimal::try_from_i128_with_scale(mantissa, scale).map_err(|_| OutOfRange)
    }

    /// All its digits, also where a decimal couldn't hold them.
    pub(super) fn to_text(self) -> String {
        let unit = 10u128.pow(QUANTITY_DECIMALS);
        let (shares, rest) = (self.0.unsigned_abs() / unit, self.0.unsigned_abs() % unit);
        let sign = if self.is_negative() { "-" } else { "" };
        let text = format!("{sign}{shares}.{rest:018}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// Reads what [`Self::to_text`] wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (shares, rest) = text.split_once('.').unwrap_or((text, ""));
        let missing = usize::try_from(QUANTITY_DECIMALS).ok()?.checked_sub(rest.len())?;
        let digits = format!("{shares}{rest}{}", "0".repeat(missing));
        let read = digits.parse().map(Self).ok()?;
        (read.to_text() == text).then_some(read)
    }

    /// Exact, or out of range.
    pub fn plus(self, other: Self) -> Result<Self, OutOfRange> {
        self.0.checked_add(other.0).map(Self).ok_or(OutOfRange)
    }

    /// Exact, or out of range.
    pub fn minus(self, other: Self) -> Result<Self, OutOfRange> {
        self.0.checked_sub(other.0).map(Self).ok_or(OutOfRange)
    }

    /// `self × to / from`, rounded half away from zero.
    pub fn split(self, to: u32, from: u32) -> Result<Self, OutOfRange> {
        let product = self.0.checked_mul(to.into()).ok_or(OutOfRange)?;
        let from = i128::from(from);
        let floor = product.checked_div(from).ok_or(OutOfRange)?;
        let rest = product - floor * from;
        // At least as far from zero as half a unit; `rest` has the sign of the product.
        let up = rest != 0 && rest.unsigned_abs() * 2 >= from.unsigned_abs();
        Ok(Self(if up { floor + rest.signum() } else { floor }))
    }

    /// The part of `value` that this many of `whole` shares have.
    pub fn share_of(self, whole: Self, value: &Fraction) -> Fraction {
        if self == whole {
            return value.clone();
        }
        scaled(value, self.0, whole.0)
    }

    /// The quantity without its sign.
    pub fn size(self) -> Self {
        Self(self.0.abs())
    }

    /// With the other sign.
    pub fn negated(self) -> Self {
        Self(-self.0)
    }

    /// Whether there are none.
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether shares are owed.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Whether one is owned and the other owed.
    pub fn opposes(self, other: Self) -> bool {
        self.0.signum() * other.0.signum() < 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::exact::whole;

    fn quantity(text: &str) -> Quantity {
        Quantity::of(text.parse().unwrap()).unwrap()
    }

    #[test]
    fn decimals_are_taken_and_given_exactly() {
        for text in ["0", "10", "-3.25", "0.000000000000000001", "123456789012345.12345678"] {
            assert_eq!(quantity(text).to_decimal().unwrap().to_string(), text);
        }
        assert_eq!(quantity("1.50"), quantity("1.5"));
        assert!(Quantity::of("0.0000000000000000001".parse().unwrap()).is_err());
        assert!(Quantity::of(Decimal::MAX).is_err());
    }

    #[test]
    fn texts_have_all_digits() {
        for text in ["0", "10", "-3.25", "-0.000000000000000001", "0.5", "100000000000000.25"] {
            assert_eq!(quantity(text).to_text(), text);
            assert_eq!(Quantity::parse(text), Some(quantity(text)));
        }
        for units in [i128::MAX, i128::MIN, i128::MAX / 3, -1] {
            assert_eq!(Quantity::parse(&Quantity(units).to_text()), Some(Quantity(units)));
        }
        for text in ["", ".", "1.", ".5", "+1", "-0", "1.50", "01", "1e3", "a", "1.2.3", "1.-5"] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }

    #[test]
    fn sums_lose_nothing_and_end_where_a_decimal_ends() {
        let sum = quantity("100000000000000").plus(quantity("0.000000000000000001")).unwrap();
        assert_eq!(
            sum.minus(quantity("100000000000000")).unwrap(),
            quantity("0.000000000000000001")
        );
        assert!(sum.to_decimal().is_err());
        assert!(Quantity(i128::MAX).plus(Quantity(1)).is_err());
    }

    #[test]
    fn splits_round_half_away_from_zero() {
        for (before, to, from, after) in [
            ("10", 2, 1, "20"),
            ("7", 1, 2, "3.5"),
            ("1", 1, 3, "0.333333333333333333"),
            ("2", 1, 3, "0.666666666666666667"),
            ("-2", 1, 3, "-0.666666666666666667"),
            ("0.000000000000000001", 1, 2, "0.000000000000000001"),
            ("0.000000000000000001", 1, 3, "0"),
        ] {
            assert_eq!(quantity(before).split(to, from).unwrap(), quantity(after), "{before}");
        }
        assert!(quantity("1").split(1, 0).is_err());
        assert!(Quantity(i128::MAX).split(2, 1).is_err());
    }

    #[test]
    fn shares_of_a_value_are_exact() {
        assert_eq!(
            quantity("1").share_of(quantity("3"), &whole(10)),
            Fraction::new(10.into(), 3.into())
        );
        assert_eq!(quantity("-3").share_of(quantity("-3"), &whole(10)), whole(10));
    }
}
