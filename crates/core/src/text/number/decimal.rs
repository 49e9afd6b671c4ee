//! Numbers that are no amounts: quantities, prices, rates. They keep all their digits.

use rust_decimal::Decimal;

use super::{NumberError, NumberFormat, Problem, affix, body};
use crate::money::Currency;

/// Decimals that a quantity, a price or a rate may have.
const DECIMALS_MAX: u32 = 18;
/// The scale in which the digits are looked at: more decimals are no error here.
const SCALE: u32 = 8;

/// A number that was read from a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// The value with the sign that was written.
    pub value: Decimal,
    /// The decimals that were written, zeros at the end among them.
    pub decimals: u32,
    /// The currency, if the cell names one beyond doubt.
    pub currency: Option<Currency>,
    /// The sign beside the number, if several currencies have it.
    pub shared_sign: Option<&'static str>,
}

impl Number {
    /// The shared sign, if the number can't be in this currency because of it.
    pub fn contradicting_sign(&self, currency: Currency) -> Option<&'static str> {
        self.shared_sign.filter(|sign| !affix::agrees(sign, currency))
    }
}

/// Reads a number with all its digits, as strictly as [`super::parse_amount`] reads amounts.
///
/// # Errors
/// Why the cell is no number, or that it has more than 18 decimals.
pub fn parse_number(cell: &str, format: NumberFormat) -> Result<Number, NumberError> {
    read(cell, format).map_err(|problem| problem.describe(cell, format, DECIMALS_MAX))
}

fn read(cell: &str, format: NumberFormat) -> Result<Number, Problem> {
    let parts = affix::split(cell)?;
    if parts.marker.is_some() {
        return Err(Problem::NotANumber);
    }
    match body::read(parts.body, format, SCALE) {
        Ok(_) | Err(Problem::TooManyDecimals | Problem::TooLarge) => {}
        Err(problem) => return Err(problem),
    }
    let point = match format {
        NumberFormat::CommaDot => Some('.'),
        NumberFormat::DotComma | NumberFormat::SpaceComma => Some(','),
        NumberFormat::CommaNone => None,
    };
    let (whole, decimals) = match point.and_then(|point| parts.body.rsplit_once(point)) {
        Some((whole, decimals)) => (whole, decimals),
        None => (parts.body, ""),
    };
    let places = u32::try_from(decimals.len()).map_err(|_| Problem::TooManyDecimals)?;
    if places > DECIMALS_MAX {
        return Err(Problem::TooManyDecimals);
    }
    let digits = whole.chars().chain(decimals.chars()).filter(char::is_ascii_digit);
    let mut mantissa: i128 = 0;
    for digit in digits {
        let digit = i128::from(digit as u8 - b'0');
        mantissa = mantissa
            .checked_mul(10)
            .and_then(|mantissa| mantissa.checked_add(digit))
            .ok_or(Problem::TooLarge)?;
    }
    let mantissa = if parts.negative { -mantissa } else { mantissa };
    let value =
        Decimal::try_from_i128_with_scale(mantissa, places).map_err(|_| Problem::TooLarge)?;
    let (currency, shared_sign) = (parts.currency, parts.shared_sign);
    Ok(Number { value, decimals: places, currency, shared_sign })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::number::parse_amount;

    #[test]
    fn numbers_keep_every_digit() {
        let read = |cell: &str, format| {
            parse_number(cell, format).map(|number| (number.value.to_string(), number.decimals))
        };
        for (cell, format, value, decimals) in [
            ("0.123456789012", NumberFormat::CommaDot, "0.123456789012", 12),
            ("1,234.50", NumberFormat::CommaDot, "1234.50", 2),
            ("-1.234,5", NumberFormat::DotComma, "-1234.5", 1),
            ("$151.25", NumberFormat::CommaDot, "151.25", 2),
            ("10", NumberFormat::DotComma, "10", 0),
            (".5", NumberFormat::CommaDot, "0.5", 1),
            ("1 000,25 EUR", NumberFormat::SpaceComma, "1000.25", 2),
        ] {
            assert_eq!(read(cell, format), Ok((value.to_owned(), decimals)), "{cell}");
        }
        for (cell, format) in [
            ("12,50", NumberFormat::CommaDot),
            ("1.5", NumberFormat::DotComma),
            ("", NumberFormat::CommaDot),
            ("ten", NumberFormat::CommaDot),
            ("1.1234567890123456789", NumberFormat::CommaDot),
            ("99999999999999999999999999999999", NumberFormat::CommaDot),
            ("5 CR", NumberFormat::CommaDot),
        ] {
            assert!(parse_number(cell, format).is_err(), "{cell}");
        }
    }

    proptest! {
        /// What is an amount is the same number.
        #[test]
        fn amounts_are_numbers(cell in "-?[0-9]{1,3}([.,' ][0-9]{3}){0,2}([.,][0-9]{1,4})?") {
            for format in NumberFormat::ALL {
                let amount = parse_amount(&cell, *format, 4);
                let number = parse_number(&cell, *format);
                if let Ok(amount) = &amount {
                    let value = Decimal::from(amount.value) / Decimal::from(10_000);
                    prop_assert_eq!(number.map(|number| number.value), Ok(value));
                } else {
                    prop_assert!(number.is_err(), "{} {:?}", cell, format);
                }
            }
        }
    }
}
