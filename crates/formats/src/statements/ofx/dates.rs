//! Days of OFX: `20240131`, `20240131120000.000[-5:EST]`.
//!
//! The day is the one that was written, in the zone that it was written in: that is the day which
//! the bank's own pages show. Converted to another zone, midnight would be the day before.

use jiff::civil::Date;

use super::super::text::{day_of_digits, iso_day};

/// The day, or nothing if the text isn't one.
pub(super) fn day(text: &str) -> Option<Date> {
    let text = text.trim();
    if let Some(day) = iso_day(text) {
        return Some(day);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let day = day_of_digits(text.get(..8)?)?;
    let is_time = matches!(digits, 8 | 10 | 12 | 14);
    let rest = &text[digits..];
    let fraction = rest
        .strip_prefix('.')
        .map_or(rest, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let is_zone = fraction.is_empty()
        || (fraction.starts_with('[') && fraction.ends_with(']') && fraction.len() < 40)
        || fraction.starts_with(['+', '-', 'Z', ' ']);
    (is_time && is_zone).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_banks() {
        let expected = jiff::civil::date(2024, 1, 31);
        for text in [
            "20240131",
            "20240131120000",
            "202401312359",
            "20240131000000.000[-5:EST]",
            "20240131120000[0:GMT]",
            " 20240131120000.123 ",
            "20240131120000[+5.30:IST]",
            "2024-01-31",
            "2024-01-31T00:00:00Z",
        ] {
            assert_eq!(day(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "0",
            "00000000",
            "20240132",
            "2024013",
            "202401311",
            "31/01/2024",
            "01312024",
            "20240131x",
            "20240131120000[",
            "äöüäöüäö",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
