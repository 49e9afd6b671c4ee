//! Numbers of spreadsheets: their text, never a float.
//!
//! A spreadsheet stores what its program computed: `1.2345E3`, or `0.30000000000000004` where
//! people see 0.3. Programs show 15 digits at most, so a number with more is rounded to 15 in its
//! decimal digits. Days are numbers, too: days since the end of 1899, or since 1904.

use jiff::ToSpan;
use jiff::civil::{Date, date};

/// Digits that programs show.
const DIGITS_SHOWN: usize = 15;
/// The largest exponent of which the number is written out.
const EXPONENT_MAX: i32 = 40;

/// A decimal number without an exponent; none if the text isn't a number.
///
/// Three decimals become four, so that a point is never one of thousands.
pub(super) fn plain(text: &str) -> Option<String> {
    let (digits, point, is_negative) = parts(text)?;
    let mut text = rounded(digits, point, is_negative);
    if text.rfind('.').is_some_and(|at| text.len() - at == 4) {
        text.push('0');
    }
    Some(text)
}

/// The decimal digits of a double, which is given by its bits: 15 of them, rounded. None if it is
/// no number, or one that is not written out.
pub(super) fn double(bits: u64) -> Option<String> {
    let is_negative = bits >> 63 != 0;
    let (exponent, fraction) = ((bits >> 52) & 0x7FF, bits & ((1 << 52) - 1));
    if exponent == 0 && fraction == 0 {
        return Some("0".to_owned());
    }
    // Two to the power of this, times an integer of 53 bits.
    let power = i32::try_from(exponent).ok()? - 1_075;
    if !(-190..=90).contains(&power) {
        return None;
    }
    let mut number = Large::of(fraction | 1 << 52);
    let factor = if power < 0 { 5 } else { 2 };
    (0..power.unsigned_abs()).for_each(|_| number.multiply(factor));
    let digits = number.digits();
    let point = i32::try_from(digits.len()).ok()? + power.min(0);
    Some(rounded(digits, point, is_negative))
}

/// An integer of any size, its lowest part first.
struct Large(Vec<u32>);

impl Large {
    fn of(number: u64) -> Self {
        let mask = u64::from(u32::MAX);
        let parts =
            [number & mask, number >> 32].map(|part| u32::try_from(part).unwrap_or(u32::MAX));
        Self(parts.to_vec())
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for part in &mut self.0 {
            let product = u64::from(*part) * u64::from(factor) + carry;
            *part = u32::try_from(product & u64::from(u32::MAX)).unwrap_or(u32::MAX);
            carry = product >> 32;
        }
        self.0.extend(u32::try_from(carry).ok().filter(|carry| *carry > 0));
    }

    /// The decimal digits, the first one first.
    fn digits(mut self) -> Vec<u8> {
        const NINE_DIGITS: u64 = 1_000_000_000;
        let mut digits = Vec::new();
        while self.0.iter().any(|part| *part > 0) {
            let mut rest = 0;
            for part in self.0.iter_mut().rev() {
                let number = rest << 32 | u64::from(*part);
                *part = u32::try_from(number / NINE_DIGITS).unwrap_or(u32::MAX);
                rest = number % NINE_DIGITS;
            }
            for _ in 0..9 {
                digits.push(u8::try_from(rest % 10).unwrap_or_default());
                rest /= 10;
            }
        }
        digits.reverse();
        digits
    }
}

/// A number with the digits that programs show.
fn rounded(mut digits: Vec<u8>, mut point: i32, is_negative: bool) -> String {
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    if digits.len() - zeros > DIGITS_SHOWN {
        let cut = zeros + DIGITS_SHOWN;
        let rounds_up = digits[cut] >= 5;
        // Digits before the point stay as zeros.
        let whole = usize::try_from(point).unwrap_or_default();
        digits.truncate(cut);
        if rounds_up {
            point += increment(&mut digits);
        }
        while digits.len() < whole {
            digits.push(0);
        }
    }
    written(&digits, point, is_negative)
}

/// The digits, the place of the decimal point in them, and whether there is a minus.
fn parts(text: &str) -> Option<(Vec<u8>, i32, bool)> {
    let text = text.trim();
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, number) = match number.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = !(whole.is_empty() && fraction.is_empty())
        && whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if !is_number || exponent.abs() > EXPONENT_MAX || number.len() > 100 {
        return None;
    }
    let digits = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
    Some((digits, i32::try_from(whole.len()).ok()? + exponent, is_negative))
}

/// Adds one to the last digit; one if that makes a digit more.
fn increment(digits: &mut Vec<u8>) -> i32 {
    for digit in digits.iter_mut().rev() {
        if *digit < 9 {
            *digit += 1;
            return 0;
        }
        *digit = 0;
    }
    digits.insert(0, 1);
    1
}

fn written(digits: &[u8], point: i32, is_negative: bool) -> String {
    let mut whole = String::new();
    let mut fraction = String::new();
    for place in point.min(0)..point.max(i32::try_from(digits.len()).unwrap_or(i32::MAX)) {
        let digit = usize::try_from(place).ok().and_then(|place| digits.get(place));
        let digit = char::from(b'0' + digit.copied().unwrap_or_default());
        if place < point { whole.push(digit) } else { fraction.push(digit) }
    }
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let is_zero = whole.is_empty() && fraction.is_empty();
    format!(
        "{}{}{}{fraction}",
        if is_negative && !is_zero { "-" } else { "" },
        if whole.is_empty() { "0" } else { whole },
        if fraction.is_empty() { "" } else { "." },
    )
}

/// What a number format shows of a number of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Number,
    Day,
    Time,
    DayAndTime,
}

/// A number of days as people see it; none if there is no such day.
pub(super) fn moment(text: &str, shows: Shows, since_1904: bool) -> Option<String> {
    let (digits, point, is_negative) = parts(text)?;
    let plain = written(&digits, point, is_negative && digits.iter().any(|digit| *digit > 0));
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut days: i64 = whole.parse().ok().filter(|days| (0..=2_958_465).contains(days))?;
    // Nine decimals are less than a tenth of a millisecond.
    let fraction: i64 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    let mut seconds = (fraction * 86_400 + 500_000_000) / 1_000_000_000;
    if seconds == 86_400 {
        (days, seconds) = (days + 1, 0);
    }
    let time = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if shows == Shows::Time && days == 0 {
        return Some(time);
    }
    let day = day(days, since_1904)?;
    match shows {
        Shows::Number => None,
        Shows::Day | Shows::Time | Shows::DayAndTime if seconds == 0 => Some(day.to_string()),
        Shows::Day => Some(day.to_string()),
        Shows::Time | Shows::DayAndTime => Some(format!("{day} {time}")),
    }
}

/// Day 60 of the older count is 29 February 1900, which never was.
fn day(days: i64, since_1904: bool) -> Option<Date> {
    let first = match (since_1904, days) {
        (true, _) => date(1904, 1, 1),
        (false, 0 | 60) => return None,
        (false, 1..60) => date(1899, 12, 31),
        (false, _) => date(1899, 12, 30),
    };
    first.checked_add(days.days()).ok()
}

/// What a format code such as `dd/mm/yyyy hh:mm` shows.
pub(super) fn shows(code: &str) -> Shows {
    let mut letters = String::new();
    let mut rest = code.chars();
    while let Some(letter) = rest.next() {
        match letter {
            // The second half of a code is for negative numbers.
            ';' => break,
            '"' => rest.by_ref().take_while(|it| *it != '"').for_each(drop),
            // Colours, conditions, languages; but also elapsed hours.
            '[' => {
                let inside: String = rest.by_ref().take_while(|it| *it != ']').collect();
                if !inside.is_empty() && inside.chars().all(|it| "hHmMsS".contains(it)) {
                    letters.push_str(&inside.to_ascii_lowercase());
                }
            }
            '\\' | '_' | '*' => {
                rest.next();
            }
            _ => letters.push(letter.to_ascii_lowercase()),
        }
    }
    if letters.starts_with("general")
        || letters.contains(['0', '#', '?']) && !letters.contains(['h', 's', 'y', 'd'])
    {
        return Shows::Number;
    }
    let time = letters.contains(['h', 's']);
    let day = letters.contains(['y', 'd']) || (letters.contains('m') && !time);
    match (day, time) {
        (true, true) => Shows::DayAndTime,
        (true, false) => Shows::Day,
        (false, true) => Shows::Time,
        (false, false) => Shows::Number,
    }
}

/// What the formats show that have a number and no code.
pub(super) fn shows_builtin(id: u32) -> Shows {
    match id {
        14..=17 | 27..=31 | 34..=36 | 50..=58 => Shows::Day,
        18..=21 | 32..=33 | 45..=47 => Shows::Time,
        22 => Shows::DayAndTime,
        _ => Shows::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_people_see() {
        for (text, expected) in [
            ("1234.56", "1234.56"),
            ("-0.5", "-0.5"),
            (".5", "0.5"),
            ("1.2345E3", "1234.5"),
            ("-1.5e-7", "-0.00000015"),
            ("0.30000000000000004", "0.3"),
            ("1234.5599999999999", "1234.56"),
            ("99999999999999.999", "100000000000000"),
            ("1234567890123456", "1234567890123460"),
            ("9999999999999999", "10000000000000000"),
            ("1E20", "100000000000000000000"),
            ("-0", "0"),
            ("0012.500", "12.5"),
            ("1.0000000000000001E-5", "0.00001"),
            ("1.234", "1.2340"),
            ("-1234.567", "-1234.5670"),
        ] {
            assert_eq!(plain(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "-", ".", "1,5", "abc", "1e", "1e999", "1.2.3", "NaN", "INF"] {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn doubles_are_their_decimal_digits() {
        for (bits, expected) in [
            (0x0000_0000_0000_0000, Some("0")),
            (0x8000_0000_0000_0000, Some("0")),
            (0x3FF0_0000_0000_0000, Some("1")),
            (0xBFE0_0000_0000_0000, Some("-0.5")),
            (0x3FB9_9999_9999_999A, Some("0.1")),
            (0x3FD3_3333_3333_3334, Some("0.3")),
            (0x4093_4A3D_70A3_D70A, Some("1234.56")),
            (0x40E6_2140_0000_0000, Some("45322")),
            (0x4341_C379_37E0_8000, Some("10000000000000000")),
            (0x7FF0_0000_0000_0000, None),
            (0x7FF8_0000_0000_0000, None),
            (0x0000_0000_0000_0001, None),
        ] {
            assert_eq!(double(bits).as_deref(), expected, "{bits:x}");
        }
    }

    #[test]
    fn days_are_counted_from_either_beginning() {
        for (text, shows, since_1904, expected) in [
            ("45322", Shows::Day, false, Some("2024-01-31")),
            ("43860", Shows::Day, true, Some("2024-01-31")),
            ("45322.5", Shows::DayAndTime, false, Some("2024-01-31 12:00:00")),
            ("45322.5", Shows::Day, false, Some("2024-01-31")),
            ("45321.999999999", Shows::DayAndTime, false, Some("2024-01-31")),
            ("0.75", Shows::Time, false, Some("18:00:00")),
            ("1", Shows::Day, false, Some("1900-01-01")),
            ("59", Shows::Day, false, Some("1900-02-28")),
            ("60", Shows::Day, false, None),
            ("61", Shows::Day, false, Some("1900-03-01")),
            ("0", Shows::Day, true, Some("1904-01-01")),
            ("-1", Shows::Day, false, None),
            ("2958465", Shows::Day, false, Some("9999-12-31")),
            ("2958466", Shows::Day, false, None),
            ("4.5322E4", Shows::Day, false, Some("2024-01-31")),
        ] {
            assert_eq!(moment(text, shows, since_1904).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn formats_show_days_or_numbers() {
        for (code, expected) in [
            ("General", Shows::Number),
            ("0.00", Shows::Number),
            ("#,##0.00\\ \"day\"", Shows::Number),
            ("[Red]-#,##0.00;[Blue]dd", Shows::Number),
            ("[$-407]dd.mm.yyyy", Shows::Day),
            ("yyyy\"年\"m\"月\"d\"日\"", Shows::Day),
            ("mmm\\-yy", Shows::Day),
            ("dd/mm/yyyy hh:mm", Shows::DayAndTime),
            ("[h]:mm:ss", Shows::Time),
            ("mm:ss.0", Shows::Time),
            ("[$€-407] #,##0.00", Shows::Number),
            ("0.00E+00", Shows::Number),
            ("@", Shows::Number),
        ] {
            assert_eq!(shows(code), expected, "{code}");
        }
    }
}
