//! The digits of a number with their separators, without sign and currency.

use super::{NumberFormat, Problem};
use crate::money::decimal::{power_of_ten, push_digit};
use crate::text::is_space;

/// Reads digits, separators and decimals in the format; the body ends with a digit.
pub(super) fn read(body: &str, format: NumberFormat, scale: u32) -> Result<u64, Problem> {
    let decimal = match format {
        NumberFormat::CommaDot => Some(b'.'),
        NumberFormat::DotComma | NumberFormat::SpaceComma => Some(b','),
        NumberFormat::CommaNone => None,
    };
    let bytes = body.as_bytes();
    let mut digits = Digits { value: Some(0) };
    let mut groups = Groups::default();
    let mut at = 0;
    let mut places = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte.is_ascii_digit() {
            digits.push(byte);
            groups.run += 1;
            at += 1;
        } else if Some(byte) == decimal {
            places = read_decimals(&bytes[at + 1..], &mut digits)?;
            break;
        } else {
            let (separator, length) = separator(&body[at..], format)?;
            groups.close(separator)?;
            at += length;
        }
    }
    groups.check(bytes, format, places)?;
    let Some(missing) = scale.checked_sub(places) else { return Err(Problem::TooManyDecimals) };
    digits
        .value
        .and_then(|value| value.checked_mul(power_of_ten(missing)?))
        .ok_or(Problem::TooLarge)
}

/// The decimals, which go to the end: how many.
fn read_decimals(bytes: &[u8], digits: &mut Digits) -> Result<u32, Problem> {
    for byte in bytes {
        if !byte.is_ascii_digit() {
            return Err(wrong_byte(*byte));
        }
        digits.push(*byte);
    }
    match u32::try_from(bytes.len()) {
        Ok(0) => Err(Problem::WrongFormat),
        Ok(places) => Ok(places),
        Err(_) => Err(Problem::TooManyDecimals),
    }
}

/// The value so far, or `None` once it doesn't fit.
struct Digits {
    value: Option<u64>,
}

impl Digits {
    fn push(&mut self, digit: u8) {
        self.value = self.value.and_then(|value| push_digit(value, digit));
    }
}

/// The characters that separate groups of digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Comma,
    Dot,
    Apostrophe,
    Space,
}

/// The group separator that the text starts with, if the format has it, and its length in bytes.
fn separator(text: &str, format: NumberFormat) -> Result<(Separator, usize), Problem> {
    let Some(first) = text.chars().next() else { return Err(Problem::WrongFormat) };
    let separator = match (first, format) {
        (',', NumberFormat::CommaDot | NumberFormat::CommaNone) => Separator::Comma,
        ('.', NumberFormat::DotComma) => Separator::Dot,
        ('\'' | '\u{2019}', NumberFormat::CommaDot) => Separator::Apostrophe,
        (c, NumberFormat::SpaceComma) if is_space(c) => Separator::Space,
        (',' | '.' | '\'' | '\u{2019}', _) => return Err(Problem::WrongFormat),
        (c, _) if is_space(c) => return Err(Problem::WrongFormat),
        _ => return Err(Problem::NotANumber),
    };
    Ok((separator, first.len_utf8()))
}

fn wrong_byte(byte: u8) -> Problem {
    match byte {
        b',' | b'.' | b'\'' | b' ' => Problem::WrongFormat,
        _ => Problem::NotANumber,
    }
}

/// The lengths of the groups of digits, as far as they matter.
#[derive(Debug, Default)]
struct Groups {
    /// Digits since the last separator.
    run: u32,
    /// Digits before the first separator.
    first: u32,
    separator: Option<Separator>,
    middle_other_than_3: bool,
    middle_other_than_2: bool,
}

impl Groups {
    /// A separator after the current run of digits.
    fn close(&mut self, separator: Separator) -> Result<(), Problem> {
        match self.separator {
            None => self.first = self.run,
            Some(earlier) if earlier != separator => return Err(Problem::WrongFormat),
            Some(_) => {
                self.middle_other_than_3 |= self.run != 3;
                self.middle_other_than_2 |= self.run != 2;
            }
        }
        self.separator = Some(separator);
        self.run = 0;
        Ok(())
    }

    /// Whether the digits before the decimals are grouped as the format has it.
    fn check(&self, bytes: &[u8], format: NumberFormat, places: u32) -> Result<(), Problem> {
        let Some(separator) = self.separator else {
            // `.50` has no whole part; an empty body never gets here without decimals.
            return if self.run > 0 || places > 0 { Ok(()) } else { Err(Problem::NotANumber) };
        };
        let by_three = (1..=3).contains(&self.first) && !self.middle_other_than_3;
        let indian = separator == Separator::Comma
            && matches!(format, NumberFormat::CommaDot | NumberFormat::CommaNone)
            && (1..=2).contains(&self.first)
            && !self.middle_other_than_2;
        let starts_with_zero = bytes.first() == Some(&b'0');
        if self.run == 3 && (by_three || indian) && !starts_with_zero {
            Ok(())
        } else {
            Err(Problem::WrongFormat)
        }
    }
}
