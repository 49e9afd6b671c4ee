//! Exact fractions: costs that were divided, amounts that were converted.
//!
//! A [`Fraction`] counts units of some scale (an amount of 12.50 USD is 125000) or is a plain
//! number (a quantity, a price, a rate). It is exact through any number of steps. Only two things
//! leave it: [`round`], half away from zero, to the integer that is booked or shown; and
//! [`shorten`], because a chain of divisions doubles the digits with every step: beyond
//! [`DENOMINATOR_BITS_MAX`] bits a fraction is rounded at its [`SHORT_DECIMALS`]th decimal.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rust_decimal::Decimal;

/// An exact fraction of two integers of any size.
pub type Fraction = BigRational;

/// Fractions with a larger denominator are shortened.
pub const DENOMINATOR_BITS_MAX: u64 = 1024;
/// Decimals that a shortened fraction keeps.
pub const SHORT_DECIMALS: u32 = 60;

/// The fraction that equals an integer.
pub fn whole(value: i64) -> Fraction {
    Fraction::from_integer(BigInt::from(value))
}

/// The fraction that equals a decimal.
pub fn of_decimal(value: Decimal) -> Fraction {
    let unit = BigInt::from(10u8).pow(value.scale());
    Fraction::new(BigInt::from(value.mantissa()), unit)
}

/// Ten to the power of `scale`: how many units of the scale are one.
pub fn units(scale: u32) -> Fraction {
    Fraction::from_integer(BigInt::from(10u8).pow(scale))
}

/// The nearest integer, half away from zero; none if 64 bits don't hold it.
pub fn round(value: &Fraction) -> Option<i64> {
    round_big(value).to_i64()
}

/// The same for sums and what goes into them; none if 128 bits don't hold it.
pub fn round_sum(value: &Fraction) -> Option<i128> {
    round_big(value).to_i128()
}

fn round_big(value: &Fraction) -> BigInt {
    let (numerator, denominator) = (value.numer().abs(), value.denom());
    // Half a unit is added before the division, which then rounds down.
    let doubled: BigInt = numerator * 2u8 + denominator;
    let magnitude = doubled.div_floor(&(denominator * 2u8));
    if value.is_negative() { -magnitude } else { magnitude }
}

/// The nearest decimal with at most so many decimals, half away from zero; none if it has more
/// digits than a decimal holds.
pub fn to_decimal(value: &Fraction, decimals: u32) -> Option<Decimal> {
    let (mut mantissa, mut decimals) = (round_big(&(value * units(decimals))), decimals);
    let ten = BigInt::from(10u8);
    // Zeros at the end would use up the digits that a decimal has.
    while decimals > 0 && mantissa.is_multiple_of(&ten) {
        mantissa /= &ten;
        decimals -= 1;
    }
    Decimal::try_from_i128_with_scale(mantissa.to_i128()?, decimals).ok()
}

/// What may be behind the digits of a number that is shown with so many decimals: half a unit of
/// the last one, and nothing behind a whole number.
pub fn hidden_digits(decimals: u32) -> Fraction {
    match decimals {
        0 => whole(0),
        _ => of_decimal(Decimal::new(5, decimals + 1)),
    }
}

/// The sum. As with `+`, but quick where one is a whole number: there is nothing to cancel.
pub fn sum(one: &Fraction, other: &Fraction) -> Fraction {
    if other.is_integer() {
        moved(one, other.numer())
    } else if one.is_integer() {
        moved(other, one.numer())
    } else {
        one + other
    }
}

/// The difference. As with `-`, but quick where both are the same or the second is whole.
pub fn difference(one: &Fraction, other: &Fraction) -> Fraction {
    if one == other {
        whole(0)
    } else if other.is_integer() {
        moved(one, &-other.numer())
    } else {
        one - other
    }
}

/// A whole number more. A numerator in lowest terms stays so.
fn moved(value: &Fraction, by: &BigInt) -> Fraction {
    Fraction::new_raw(value.numer() + by * value.denom(), value.denom().clone())
}

/// `value × times / parts`; `parts` is not zero. As with fractions, but what cancels is looked for
/// with the two short numbers and not with the long ones.
pub fn scaled(value: &Fraction, times: i128, parts: i128) -> Fraction {
    if times == 0 || value.is_zero() {
        return whole(0);
    }
    let is_turned = (times < 0) != (parts < 0);
    let (times, parts) = (times.unsigned_abs(), parts.unsigned_abs());
    let common = times.gcd(&parts);
    let (times, parts) = (times / common, parts / common);
    let (below, above) =
        (common_divisor(value.numer(), parts), common_divisor(value.denom(), times));
    let numerator = value.numer() / below * (times / above);
    let denominator = value.denom() / above * (parts / below);
    Fraction::new_raw(if is_turned { -numerator } else { numerator }, denominator)
}

fn common_divisor(long: &BigInt, short: u128) -> u128 {
    // The rest is shorter than the divisor, so it always fits.
    (long.magnitude() % short).to_u128().map_or(1, |rest| rest.gcd(&short))
}

/// `value × factor`. If the factor is no decimal, as of an inverse rate, the product is rounded at
/// its [`SHORT_DECIMALS`]th decimal: the denominators of many rates would grow without end when
/// what they converted is added up.
pub fn converted(value: &Fraction, factor: &Fraction) -> Fraction {
    let product = value * factor;
    if is_decimal(factor.denom()) { product } else { rounded_far_behind(&product) }
}

/// Whether a fraction with the denominator has an end as a decimal.
fn is_decimal(denominator: &BigInt) -> bool {
    let twos = denominator.trailing_zeros().unwrap_or_default();
    let mut rest = denominator >> twos;
    let five = BigInt::from(5u8);
    while rest.is_multiple_of(&five) {
        rest /= &five;
    }
    rest == BigInt::from(1u8)
}

fn rounded_far_behind(value: &Fraction) -> Fraction {
    let unit = units(SHORT_DECIMALS);
    Fraction::from_integer(round_big(&(value * &unit))) / unit
}

/// Rounds a fraction with a denominator that has grown too large; any other stays as it is.
pub fn shorten(value: Fraction) -> Fraction {
    if value.denom().bits() <= DENOMINATOR_BITS_MAX {
        return value;
    }
    rounded_far_behind(&value)
}

/// `quantity × price` in units of a scale, with all its digits.
pub fn exact_value(quantity: Decimal, price: Decimal, scale: u32) -> Fraction {
    let product = BigInt::from(quantity.mantissa()) * BigInt::from(price.mantissa());
    let ten = BigInt::from(10u8);
    let decimals = quantity.scale() + price.scale();
    if decimals <= scale {
        return Fraction::from_integer(product * ten.pow(scale - decimals));
    }
    Fraction::new(product, ten.pow(decimals - scale))
}

/// `quantity × price` in units of a scale, rounded half away from zero; none if 64 bits don't hold
/// it.
pub fn value_of(quantity: Decimal, price: Decimal, scale: u32) -> Option<i64> {
    i64::try_from(worth_of(quantity, price, scale)?).ok()
}

/// The same for sums and what goes into them; none if 128 bits don't hold it. The same as with
/// fractions, but quick where the digits are few.
pub fn worth_of(quantity: Decimal, price: Decimal, scale: u32) -> Option<i128> {
    small_product(quantity, price, scale)
        .or_else(|| round_sum(&exact_value(quantity, price, scale)))
}

/// `None` if the digits are too many for 128 bits.
fn small_product(quantity: Decimal, price: Decimal, scale: u32) -> Option<i128> {
    let mantissa = quantity.mantissa().checked_mul(price.mantissa())?;
    let decimals = quantity.scale() + price.scale();
    if decimals <= scale {
        let shift = 10i128.checked_pow(scale - decimals)?;
        return mantissa.checked_mul(shift);
    }
    let unit = 10i128.checked_pow(decimals - scale)?;
    let (floor, rest) = (mantissa / unit, mantissa % unit);
    // At least as far from zero as half a unit; `rest` has the sign of the product.
    let up = rest.unsigned_abs() >= unit.unsigned_abs() - rest.unsigned_abs();
    Some(if up && !rest.is_zero() { floor + rest.signum() } else { floor })
}

/// A fraction as it is stored: `12/7`, or `12`.
pub fn to_text(value: &Fraction) -> String {
    value.to_string()
}

/// Reads what [`to_text`] wrote, which is in lowest terms.
pub fn parse(text: &str) -> Option<Fraction> {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let (numerator, denominator): (BigInt, BigInt) =
        (numerator.parse().ok()?, denominator.parse().ok()?);
    denominator.is_positive().then(|| Fraction::new_raw(numerator, denominator))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    #[test]
    fn halves_go_away_from_zero() {
        for (numerator, denominator, rounded) in [
            (1, 2, 1),
            (-1, 2, -1),
            (1, 3, 0),
            (-1, 3, 0),
            (2, 3, 1),
            (5, 2, 3),
            (-5, 2, -3),
            (7, 1, 7),
            (0, 5, 0),
        ] {
            assert_eq!(round(&fraction(numerator, denominator)), Some(rounded));
        }
        assert_eq!(round(&(whole(i64::MAX) + fraction(1, 2))), None);
        assert_eq!(round(&whole(i64::MIN)), Some(i64::MIN));
        let large = whole(i64::MAX) * whole(2) + fraction(1, 2);
        assert_eq!(round_sum(&large), Some(i128::from(i64::MAX) * 2 + 1));
        assert_eq!(round_sum(&(large.clone() * large.clone() * large)), None);
    }

    #[test]
    fn fractions_become_decimals_and_texts() {
        let third = fraction(1, 3);
        assert_eq!(to_decimal(&third, 8).unwrap().to_string(), "0.33333333");
        assert_eq!(to_decimal(&fraction(-2, 3), 2).unwrap().to_string(), "-0.67");
        assert_eq!(to_decimal(&whole(12), 4).unwrap().to_string(), "12");
        assert_eq!(to_decimal(&(whole(i64::MAX) * whole(i64::MAX)), 0), None);
        for (value, text) in [(third, "1/3"), (whole(-7), "-7"), (whole(0), "0")] {
            assert_eq!(to_text(&value), text);
            assert_eq!(parse(text), Some(value));
        }
        for text in ["", "1/0", "a", "1/", "/2", "1.5"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_has_grown_too_long_is_rounded_far_behind_the_point() {
        let short = fraction(1, 3);
        assert_eq!(shorten(short.clone()), short);
        let mut long = whole(1);
        for divisor in 1_000_000..1_000_300_i64 {
            long /= whole(divisor) / units(6);
        }
        let shortened = shorten(long.clone());
        assert!(shortened.denom().bits() <= 200);
        assert!((shortened - long).abs() <= units(SHORT_DECIMALS).recip() / whole(2));
    }

    #[test]
    fn conversions_by_inverse_rates_stay_short() {
        assert_eq!(converted(&whole(7), &fraction(11, 10)), fraction(77, 10));
        assert_eq!(converted(&whole(3), &fraction(1, 3)), whole(1));
        assert_eq!(converted(&fraction(1, 8), &fraction(4, 5)), fraction(1, 10));
        let mut sum = whole(0);
        for rate in 10_001..11_001 {
            let exact = fraction(1_000_000, rate);
            let one = converted(&whole(1), &exact);
            assert!((&one - exact).abs() <= units(SHORT_DECIMALS).recip() / whole(2));
            sum += one;
        }
        assert!(sum.denom().bits() <= 200, "{}", sum.denom().bits());
    }

    fn any_decimal() -> impl Strategy<Value = Decimal> {
        (any::<i64>(), 0u32..=18).prop_map(|(mantissa, scale)| {
            Decimal::from_i128_with_scale(i128::from(mantissa), scale)
        })
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        for text in ["12/7", "-12/7", "12", "-12", "0"] {
            assert_eq!(parse(text).map(|value| to_text(&value)).as_deref(), Some(text));
        }
        for text in ["", "/", "1/", "/2", "1/0", "1/-2", "1/2/3", "a", "1.5"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    fn any_fraction() -> impl Strategy<Value = Fraction> {
        let short = -20i64..20;
        let long = prop_oneof![short, any::<i64>()];
        let divisor = prop_oneof![Just(1i64), 1i64..20, 1..i64::MAX];
        (long, divisor.clone(), divisor)
            .prop_map(|(numerator, one, other)| fraction(numerator, one) / whole(other))
    }

    proptest! {
        #[test]
        fn quick_ways_are_those_of_fractions(
            one in any_fraction(), other in any_fraction(),
            times in prop_oneof![-20i128..20, any::<i64>().prop_map(i128::from), any::<i128>()],
            parts in prop_oneof![1i128..20, -20i128..0, 1..i128::MAX],
        ) {
            let text = |value: &Fraction| to_text(value);
            prop_assert_eq!(text(&sum(&one, &other)), text(&(&one + &other)));
            prop_assert_eq!(text(&difference(&one, &other)), text(&(&one - &other)));
            prop_assert_eq!(text(&difference(&one, &one)), "0");
            let exact = &one * Fraction::new(times.into(), parts.into());
            prop_assert_eq!(text(&scaled(&one, times, parts)), text(&exact));
        }

        #[test]
        fn the_quick_product_is_the_exact_one(
            quantity in any_decimal(),
            price in any_decimal(),
            scale in prop_oneof![Just(4), Just(8)],
        ) {
            let exact = of_decimal(quantity) * of_decimal(price) * units(scale);
            prop_assert_eq!(to_text(&exact_value(quantity, price, scale)), to_text(&exact));
            prop_assert_eq!(value_of(quantity, price, scale), round(&exact));
            prop_assert_eq!(worth_of(quantity, price, scale), round_sum(&exact));
        }

        #[test]
        fn decimals_are_taken_exactly(value in any_decimal()) {
            prop_assert_eq!(to_decimal(&of_decimal(value), 18), Some(value.normalize()));
        }
    }
}
