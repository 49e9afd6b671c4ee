//! Plain decimal text to and from scaled integers, exactly.
//!
//! This is the notation of interfaces (`-1234.5`), not of people: no grouping, no signs but `-`,
//! no spaces. How people and banks write amounts is in [`crate::text::number`]. An amount of scale
//! 4 counts ten-thousandths. Nothing is ever rounded on the way in: digits that don't fit are an
//! error. The limits of an amount are checked apart, by [`within_limits`], because sums and
//! balances may go beyond what one entry may.

use num_integer::Integer;
use num_traits::Signed;
use rust_decimal::Decimal;

use super::Currency;
use crate::limits::{AMOUNT_UNITS_MAX, AMOUNT_UNITS_MAX_SCALE_8};

/// Why a text is not an amount; reads after the name of a field: "Amount is too large".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// Not of the form `-12.34`.
    #[error("must be a decimal number such as 12.50")]
    NotANumber,
    /// More digits after the point than the scale keeps.
    #[error("must have at most {max} decimals")]
    TooManyDecimals {
        /// What the scale keeps.
        max: u32,
    },
    /// More than 64 bits hold.
    #[error("is too large")]
    TooLarge,
}

/// Powers of ten that 64 bits hold.
const POWERS: [u64; 20] = {
    let mut powers = [1; 20];
    let mut index = 1;
    while index < 20 {
        powers[index] = powers[index - 1] * 10;
        index += 1;
    }
    powers
};

/// Ten to the power of `exponent`, if 64 bits hold it.
pub(crate) fn power_of_ten(exponent: u32) -> Option<u64> {
    POWERS.get(exponent as usize).copied()
}

/// Adds a decimal digit (an ASCII byte that is known to be one) at the end.
pub(crate) fn push_digit(value: u64, digit: u8) -> Option<u64> {
    value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
}

/// Gives a magnitude its sign, if 64 bits hold the result.
pub(crate) fn with_sign(negative: bool, magnitude: u64) -> Option<i64> {
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { magnitude.try_into().ok() }
}

/// Reads `-12.34`: an optional minus, digits, an optional fraction; nothing else.
pub fn parse(text: &str, scale: u32) -> Result<i64, DecimalError> {
    let (negative, digits) = split_sign(text);
    let (whole, fraction) = match digits.split_once('.') {
        Some((_, "")) => return Err(DecimalError::NotANumber),
        Some((whole, fraction)) => (whole, fraction),
        None => (digits, ""),
    };
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return Err(DecimalError::NotANumber);
    }
    let places = fraction.len() as u64;
    if places > u64::from(scale) {
        return Err(DecimalError::TooManyDecimals { max: scale });
    }
    scaled(negative, whole.bytes().chain(fraction.bytes()), scale - places as u32)
}

/// Reads a JSON number exactly, exponents included: `1e3`, `12.50E-1`.
///
/// A JSON number is a value, and writers differ in how they print one, so zeros at its end don't
/// count as decimals here. An absurd exponent is refused without work.
pub fn parse_json_number(text: &str, scale: u32) -> Result<i64, DecimalError> {
    let (negative, rest) = split_sign(text);
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
        None => (rest, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return Err(DecimalError::NotANumber),
        Some((whole, fraction)) => (whole, fraction),
        None => (mantissa, ""),
    };
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if whole.is_empty() || leading_zero || !all_digits(whole) || !all_digits(fraction) {
        return Err(DecimalError::NotANumber);
    }
    let digits = || whole.bytes().chain(fraction.bytes());
    let Some(last) = digits().rev().position(|digit| digit != b'0') else { return Ok(0) };
    let significant = whole.len() + fraction.len() - last;
    // The value is `significant` digits times ten to this power; lengths are far below 2^62.
    let power = exponent - fraction.len() as i64 + last as i64;
    match u32::try_from(power + i64::from(scale)) {
        Err(_) if power < 0 => Err(DecimalError::TooManyDecimals { max: scale }),
        Err(_) => Err(DecimalError::TooLarge),
        Ok(shift) => scaled(negative, digits().take(significant), shift),
    }
}

/// Exponents beyond this are as good as this.
const EXPONENT_CAP: i64 = 1 << 40;

pub(super) fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !all_digits(digits) {
        return Err(DecimalError::NotANumber);
    }
    let value = digits
        .bytes()
        .fold(0, |value: i64, digit| (value * 10 + i64::from(digit - b'0')).min(EXPONENT_CAP));
    Ok(if negative { -value } else { value })
}

pub(super) fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

pub(super) fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that the digits write, times ten to the power of `shift`.
fn scaled(
    negative: bool,
    mut digits: impl Iterator<Item = u8>,
    shift: u32,
) -> Result<i64, DecimalError> {
    digits
        .try_fold(0, push_digit)
        .and_then(|value| value.checked_mul(power_of_ten(shift)?))
        .and_then(|magnitude| with_sign(negative, magnitude))
        .ok_or(DecimalError::TooLarge)
}

/// Writes an amount as a plain decimal without needless zeros, but with at least `min_fraction`
/// digits after the point: `12.50`, `0.00000001`, `3` (for 0).
pub fn to_decimal_string(amount: impl Into<i128>, scale: u32, min_fraction: u32) -> String {
    let amount: i128 = amount.into();
    let unit = u128::from(10u8).pow(scale.min(38));
    let magnitude = amount.unsigned_abs();
    let sign = if amount < 0 { "-" } else { "" };
    let mut text = format!("{sign}{}", magnitude / unit);
    let fraction = match scale {
        0 => String::new(),
        _ => format!("{:0width$}", magnitude % unit, width = scale as usize),
    };
    let kept = fraction.trim_end_matches('0');
    let width = min_fraction as usize;
    if !kept.is_empty() || width > 0 {
        text.push('.');
        text.push_str(kept);
        text.extend(std::iter::repeat_n('0', width.saturating_sub(kept.len())));
    }
    text
}

/// An amount or a sum in the currency's scale, as a plain decimal with at least the currency's
/// decimals.
pub fn amount_text(amount: impl Into<i128>, currency: Currency) -> String {
    to_decimal_string(amount, currency.scale(), currency.precision())
}

/// The amount (64 bits) or the sum (128) in the currency's own smallest unit (cents), half away
/// from zero.
pub fn to_minor_units<N>(amount: N, currency: Currency) -> N
where
    N: Integer + Signed + Copy + From<i64>,
{
    let dropped = currency.scale() - currency.precision();
    let unit = N::from(10i64.pow(dropped));
    let (whole, rest) = (amount / unit, amount % unit);
    // At least as far from zero as half a unit; `rest` has the sign of the amount.
    if rest.abs() >= unit - rest.abs() { whole + rest.signum() } else { whole }
}

/// Whether an amount is one that an entry may have.
pub fn within_limits(amount: i64, scale: u32) -> bool {
    let units = if scale == 8 { AMOUNT_UNITS_MAX_SCALE_8 } else { AMOUNT_UNITS_MAX };
    let unit = power_of_ten(scale).map_or(u128::MAX, u128::from);
    u128::from(amount.unsigned_abs()) <= u128::from(units.unsigned_abs()).saturating_mul(unit)
}

/// A quantity as a plain decimal with at least one digit after the point: `10.0`, `0.00000001`.
/// [`read_quantity`] reads it back.
pub fn quantity_text(quantity: Decimal) -> String {
    let normal = quantity.normalize();
    if normal.is_zero() {
        return "0.0".to_owned();
    }
    let text = normal.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

/// A price as text with at least `places` decimals; none that it has is left out.
pub fn price_decimal_text(price: Decimal, places: usize) -> String {
    let text = price.normalize().to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}.{decimals:0<places$}")
}

/// A decimal as [`quantity_text`] writes it, or anybody else: exactly, or none if it has too many
/// digits. Zeros at its end are none of them: with the `.0` that follows a whole number, the
/// longest ones wouldn't be read.
pub fn read_quantity(text: &str) -> Option<Decimal> {
    let significant = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    };
    Decimal::from_str_exact(significant).ok().map(|value| value.normalize())
}

#[cfg(test)]
mod tests {
    use DecimalError::{NotANumber, TooLarge, TooManyDecimals};
    use proptest::prelude::*;

    use super::*;

    const TOO_MANY: Result<i64, DecimalError> = Err(TooManyDecimals { max: 4 });

    #[test]
    fn prices_keep_all_their_decimals() {
        let text = |text: &str| price_decimal_text(text.parse().unwrap(), 4);
        assert_eq!(text("260.5"), "260.5000");
        assert_eq!(text("7"), "7.0000");
        assert_eq!(text("0.00"), "0.0000");
        assert_eq!(text("1.23450"), "1.2345");
        assert_eq!(text("0.000000000000000001"), "0.000000000000000001");
    }

    #[test]
    fn plain_decimals_are_read_exactly_or_refused() {
        for (text, value) in [
            ("0", Ok(0)),
            ("-0", Ok(0)),
            ("12.5", Ok(125_000)),
            ("-12.50", Ok(-125_000)),
            ("007.0001", Ok(70_001)),
            ("922337203685477.5807", Ok(i64::MAX)),
            ("-922337203685477.5808", Ok(i64::MIN)),
            ("922337203685477.5808", Err(TooLarge)),
            ("99999999999999999999999999", Err(TooLarge)),
            ("1.23456", TOO_MANY),
            ("1.00000", TOO_MANY),
            ("", Err(NotANumber)),
            ("-", Err(NotANumber)),
            (".5", Err(NotANumber)),
            ("5.", Err(NotANumber)),
            ("+5", Err(NotANumber)),
            ("--5", Err(NotANumber)),
            ("1e3", Err(NotANumber)),
            (" 1", Err(NotANumber)),
            ("1 ", Err(NotANumber)),
            ("1,234", Err(NotANumber)),
            ("1.2.3", Err(NotANumber)),
            ("1.-2", Err(NotANumber)),
            ("NaN", Err(NotANumber)),
            ("٣", Err(NotANumber)),
        ] {
            assert_eq!(parse(text, 4), value, "{text}");
        }
        assert_eq!(parse("0.00000001", 8), Ok(1));
    }

    #[test]
    fn json_numbers_are_read_exactly_or_refused() {
        for (text, value) in [
            ("0", Ok(0)),
            ("-0.0", Ok(0)),
            ("0e999999999999999999999", Ok(0)),
            ("0E-10", Ok(0)),
            ("1e3", Ok(10_000_000)),
            ("1E+3", Ok(10_000_000)),
            ("12.50E-1", Ok(12_500)),
            ("125000e-5", Ok(12_500)),
            ("1.00000", Ok(10_000)),
            ("-1234.5678", Ok(-12_345_678)),
            ("1e-4", Ok(1)),
            ("1e-5", TOO_MANY),
            ("0.00001", TOO_MANY),
            ("1e-999999999999999999999", TOO_MANY),
            ("1e14", Ok(1_000_000_000_000_000_000)),
            ("1e15", Err(TooLarge)),
            ("1e999999999", Err(TooLarge)),
            ("1e99999999999999999999999999", Err(TooLarge)),
            ("922337203685477.5807", Ok(i64::MAX)),
            ("9223372036854775807e-4", Ok(i64::MAX)),
            ("922337203685477.58080", Err(TooLarge)),
            ("01", Err(NotANumber)),
            ("1.", Err(NotANumber)),
            (".1", Err(NotANumber)),
            ("1e", Err(NotANumber)),
            ("1e+", Err(NotANumber)),
            ("1e1.5", Err(NotANumber)),
            ("e5", Err(NotANumber)),
            ("+1", Err(NotANumber)),
            ("null", Err(NotANumber)),
            ("", Err(NotANumber)),
        ] {
            assert_eq!(parse_json_number(text, 4), value, "{text}");
        }
    }

    #[test]
    fn decimals_are_written_with_the_digits_they_need() {
        assert_eq!(to_decimal_string(125_000, 4, 2), "12.50");
        assert_eq!(to_decimal_string(-125_678, 4, 2), "-12.5678");
        assert_eq!(to_decimal_string(1, 8, 8), "0.00000001");
        assert_eq!(to_decimal_string(100_000_000, 8, 8), "1.00000000");
        assert_eq!(to_decimal_string(-1, 4, 0), "-0.0001");
        assert_eq!(to_decimal_string(30_000, 4, 0), "3");
        assert_eq!(to_decimal_string(0, 4, 2), "0.00");
        assert_eq!(to_decimal_string(7, 0, 0), "7");
        assert_eq!(to_decimal_string(i64::MIN, 4, 2), "-922337203685477.5808");
        assert_eq!(amount_text(12_350_000, Currency::USD), "1235.00");
        assert_eq!(amount_text(10_000, Currency::parse("JPY").unwrap()), "1");
    }

    #[test]
    fn sums_are_written_to_the_last_digit() {
        let sum = i128::from(i64::MAX) * 2;
        assert_eq!(amount_text(sum, Currency::USD), "1844674407370955.1614");
        assert_eq!(amount_text(-sum, Currency::USD), "-1844674407370955.1614");
        assert_eq!(to_minor_units(sum, Currency::USD), 184_467_440_737_095_516);
        assert_eq!(to_minor_units(-sum, Currency::parse("JPY").unwrap()), -1_844_674_407_370_955);
        let bitcoin = Currency::parse("BTC").unwrap();
        assert_eq!(to_minor_units(sum, bitcoin), sum);
        assert_eq!(amount_text(i128::MIN, bitcoin), "-1701411834604692317316873037158.84105728");
        assert_eq!(to_minor_units(i128::MIN, bitcoin), i128::MIN);
    }

    #[test]
    fn limits_are_those_of_the_scale() {
        assert!(within_limits(9_000_000_000_000_000_000, 4));
        assert!(within_limits(-9_000_000_000_000_000_000, 4));
        assert!(!within_limits(9_000_000_000_000_000_001, 4));
        assert!(!within_limits(i64::MIN, 4));
        assert!(within_limits(9_000_000_000_000_000_000, 8));
        assert!(!within_limits(-9_000_000_000_000_000_001, 8));
    }

    #[test]
    fn quantities_have_at_least_one_decimal() {
        for (quantity, text) in [
            ("10", "10.0"),
            ("10.000", "10.0"),
            ("0.00000001", "0.00000001"),
            ("-1.50", "-1.5"),
            ("-0.00", "0.0"),
            ("79228162514264337593543950335", "79228162514264337593543950335.0"),
        ] {
            assert_eq!(quantity_text(quantity.parse().unwrap()), text);
        }
    }

    #[test]
    fn zeros_at_the_end_are_no_digits() {
        let read = |text: &str| read_quantity(text).map(|value| value.to_string());
        let long = "7922816251426433759354395034";
        for written in [long.to_owned(), format!("{long}.0"), format!("{long}.{:030}", 0)] {
            assert_eq!(read(&written).as_deref(), Some(long), "{written}");
        }
        assert_eq!(read("100").as_deref(), Some("100"));
        assert_eq!(read("0.0").as_deref(), Some("0"));
        for wrong in ["", ".", "x", "1.2.3", "79228162514264337593543950336.0"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_quantity_reads_back(
            low: u32, middle: u32, high: u32, negative: bool, scale in 0u32..=28,
        ) {
            let quantity = Decimal::from_parts(low, middle, high, negative, scale);
            prop_assert_eq!(read_quantity(&quantity_text(quantity)), Some(quantity));
        }

        #[test]
        fn what_is_written_reads_back(amount: i64, scale in 0u32..=8, places in 0u32..=8) {
            let text = to_decimal_string(amount, scale, places.min(scale));
            prop_assert_eq!(parse(&text, scale), Ok(amount));
            prop_assert_eq!(parse_json_number(&text, scale), Ok(amount));
        }

        #[test]
        fn a_sum_is_written_as_an_amount_is(amount: i64, index in 0usize..180) {
            let currency = Currency::all().nth(index).unwrap();
            let sum = i128::from(amount);
            prop_assert_eq!(amount_text(sum, currency), amount_text(amount, currency));
            let minor = i128::from(to_minor_units(amount, currency));
            prop_assert_eq!(to_minor_units(sum, currency), minor);
        }

        #[test]
        fn an_exponent_moves_the_point(amount: i64, exponent in 0usize..30) {
            let text = format!("{amount}e-{exponent}");
            let mut plain = format!("{:0width$}", amount.unsigned_abs(), width = exponent + 1);
            if exponent > 0 {
                plain.insert(plain.len() - exponent, '.');
                plain.truncate(plain.trim_end_matches('0').len());
                plain.truncate(plain.trim_end_matches('.').len());
            }
            let sign = if amount < 0 { "-" } else { "" };
            prop_assert_eq!(parse_json_number(&text, 4), parse(&format!("{sign}{plain}"), 4));
        }

        #[test]
        fn nothing_panics(text in "\\PC{0,30}", near in "[-+0-9.eE]{0,40}", scale in 0u32..=8) {
            let _ = (parse(&text, scale), parse_json_number(&text, scale));
            let _ = (parse(&near, scale), parse_json_number(&near, scale));
        }
    }
}
