//! What callers write for amounts, days and texts, read exactly and judged by the ledger's limits.
//!
//! Interfaces use one notation: plain decimals and `YYYY-MM-DD`. What people and banks write in
//! files is read elsewhere (`crate::text`). Problems name the field as it is sent.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::error::Problems;
use crate::limits;
use crate::money::Currency;
use crate::money::decimal::{self, DecimalError};
use crate::money::noise::without_noise;

/// An amount as it was sent: JSON numbers and decimal strings are both taken, neither as a float.
/// But many clients calculate in floats, so a JSON number with more digits than its field takes is
/// read without their noise, if that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AmountText {
    /// The text of a JSON number, exponents included.
    JsonNumber(String),
    /// A plain decimal, spaces around it ignored.
    Text(String),
}

impl AmountText {
    /// The amount in the currency's scale, within the limits of an entry.
    pub fn read(&self, currency: Currency) -> Result<i64, DecimalError> {
        let scale = currency.scale();
        let amount = match self {
            Self::JsonNumber(text) => match decimal::parse_json_number(text, scale) {
                Err(error @ DecimalError::TooManyDecimals { .. }) => {
                    let clean = without_noise(text).ok_or(error)?;
                    decimal::parse_json_number(&clean, scale)?
                }
                read => read?,
            },
            Self::Text(text) => decimal::parse(text.trim(), scale)?,
        };
        if decimal::within_limits(amount, scale) { Ok(amount) } else { Err(DecimalError::TooLarge) }
    }
}

/// An amount, or a problem that names the field.
pub fn amount(
    field: &str,
    text: &AmountText,
    currency: Currency,
    problems: &mut Problems,
) -> Option<i64> {
    text.read(currency).map_err(|error| problems.field(field, error.to_string())).ok()
}

/// The problem of a text that is no [`calendar_date`].
pub const NOT_A_DATE: &str = "must be a calendar date such as 2026-01-31";

/// Bytes of a day as `YYYY-MM-DD`.
const DAY_BYTES: usize = 10;

/// Exactly `YYYY-MM-DD`, a day that exists.
pub fn calendar_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == DAY_BYTES
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return None;
    }
    let year = text.get(..4)?.parse().ok()?;
    let month = text.get(5..7)?.parse().ok()?;
    let day = text.get(8..)?.parse().ok()?;
    Date::new(year, month, day).ok()
}

/// The calendar day of a timestamp such as `2026-01-31T23:30:00-05:00`, in the offset that it
/// names.
pub fn timestamp_day(text: &str) -> Option<Date> {
    // Nothing is tried with a mere day, as nearly every field has it.
    if text.len() <= DAY_BYTES {
        return None;
    }
    text.parse::<Timestamp>().ok()?;
    calendar_date(text.get(..DAY_BYTES)?)
}

/// The first and the last day that an entry may have.
pub fn entry_days(today: Date) -> (Date, Date) {
    let (year, month, day) = limits::DATE_MIN;
    let last = today.checked_add(jiff::Span::new().years(1)).unwrap_or(Date::MAX);
    (Date::new(year, month, day).unwrap_or(Date::MIN), last)
}

/// A day that an entry may have, or a problem that names the field.
pub fn entry_date(field: &str, text: &str, today: Date, problems: &mut Problems) -> Option<Date> {
    let Some(date) = calendar_date(text) else {
        problems.field(field, NOT_A_DATE);
        return None;
    };
    let (first, last) = entry_days(today);
    if date < first || date > last {
        problems.field(field, format!("must be from {first} to {last}"));
        return None;
    }
    Some(date)
}

/// Whether a text has a control character. Most texts have nothing but the letters and signs of
/// ASCII, for which no character is decoded.
pub fn has_control_characters(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    !is_plain && text.contains(char::is_control)
}

/// Trimmed text of limited length on one line; blank text is none. Names are shown in terminals
/// and logs, which control characters would steer.
pub fn label(
    field: &str,
    text: Option<&str>,
    chars_max: usize,
    problems: &mut Problems,
) -> Option<String> {
    let text = text?.trim();
    if has_control_characters(text) {
        problems.field(field, "must not contain control characters");
        return None;
    }
    let checked = checked_text(field, text, chars_max, problems)?;
    (!checked.is_empty()).then(|| checked.to_owned())
}

/// A label that must be there: 1 to [`limits::LABEL_CHARS_MAX`] characters.
pub fn required_label<'a>(field: &str, text: &'a str, problems: &mut Problems) -> &'a str {
    const MAX: usize = limits::LABEL_CHARS_MAX;
    let text = text.trim();
    if text.is_empty() || text.chars().count() > MAX {
        problems.field(field, format!("must have 1 to {MAX} characters"));
    } else {
        label(field, Some(text), MAX, problems);
    }
    text
}

/// Notes as they were written, of limited length.
pub fn notes(field: &str, text: &str, problems: &mut Problems) -> Option<String> {
    checked_text(field, text, limits::NOTES_CHARS_MAX, problems).map(str::to_owned)
}

/// NUL can't be stored by every database, so it is refused by all.
fn checked_text<'a>(
    field: &str,
    text: &'a str,
    chars_max: usize,
    problems: &mut Problems,
) -> Option<&'a str> {
    if text.contains('\0') {
        problems.field(field, "must not contain a NUL character");
        return None;
    }
    // A text has at most as many characters as bytes: the count is only needed for long ones.
    if text.len() > chars_max && text.chars().count() > chars_max {
        problems.field(field, format!("must have at most {chars_max} characters"));
        return None;
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn amounts_are_read_exactly_from_both_notations() {
        let read = |text: AmountText| text.read(Currency::USD);
        let json = |text: &str| AmountText::JsonNumber(text.to_owned());
        let plain = |text: &str| AmountText::Text(text.to_owned());
        assert_eq!(read(json("770639.10")), Ok(7_706_391_000));
        assert_eq!(read(json("1e3")), Ok(10_000_000));
        assert_eq!(read(json("0.1")), Ok(1_000));
        assert_eq!(read(json("30.299999999999997")), Ok(303_000));
        assert_eq!(read(json("-0.30000000000000004")), Ok(-3_000));
        assert_eq!(read(plain(" -123.4567 ")), Ok(-1_234_567));
        assert_eq!(read(plain("900000000000000")), Ok(9_000_000_000_000_000_000));
        assert_eq!(read(plain("900000000000000.0001")), Err(DecimalError::TooLarge));
        let too_fine = DecimalError::TooManyDecimals { max: 4 };
        assert_eq!(read(plain("0.00001")), Err(too_fine));
        assert_eq!(read(json("0.00001")), Err(too_fine));
        assert_eq!(read(json("0.123456789012345678")), Err(too_fine));
        assert_eq!(read(plain("30.299999999999997")), Err(too_fine));
        for text in ["", "abc", "1,234.5", "1e3", "+5", "--5", "0x10", "NaN", "5."] {
            assert_eq!(read(plain(text)), Err(DecimalError::NotANumber), "{text:?}");
        }
        let bitcoin = Currency::parse("BTC").unwrap();
        assert_eq!(plain("0.00000001").read(bitcoin), Ok(1));
    }

    #[test]
    fn dates_are_strict() {
        assert_eq!(calendar_date("2024-02-29"), Some(date(2024, 2, 29)));
        for text in [
            "2023-02-29",
            "2024-2-9",
            "2024-02-29T00:00",
            " 2024-02-29",
            "20240229",
            "2024/02/29",
            "2024-W09-4",
            "٢٠٢٤-٠٢-٢٩",
            "-024-02-29",
            "",
        ] {
            assert_eq!(calendar_date(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_timestamp_has_the_day_of_its_offset() {
        for text in [
            "2024-06-15T12:00:00Z",
            "2024-06-15T00:00:00.000+14:00",
            "2024-06-15T23:59:59.999999-11:00",
        ] {
            assert_eq!(timestamp_day(text), Some(date(2024, 6, 15)), "{text}");
        }
        for text in ["2024-06-15", "2024-06-15T12:00:00", "2023-02-29T12:00:00Z", "12:00Z", ""] {
            assert_eq!(timestamp_day(text), None, "{text:?}");
        }
    }

    #[test]
    fn entries_have_a_first_and_a_last_day() {
        let today = date(2024, 2, 29);
        let read = |text| {
            let mut problems = Problems::new();
            let date = entry_date("date", text, today, &mut problems);
            assert_eq!(date.is_none(), !problems.is_empty());
            date
        };
        assert_eq!(read("1900-01-01"), Some(date(1900, 1, 1)));
        assert_eq!(read("2025-02-28"), Some(date(2025, 2, 28)));
        assert_eq!(read("1899-12-31"), None);
        assert_eq!(read("2025-03-01"), None);
    }

    #[test]
    fn texts_are_trimmed_and_limited() {
        let mut problems = Problems::new();
        assert_eq!(label("name", Some("  A b "), 3, &mut problems).as_deref(), Some("A b"));
        assert_eq!(label("name", Some(" \t"), 3, &mut problems), None);
        assert_eq!(label("name", Some("äöü"), 3, &mut problems).as_deref(), Some("äöü"));
        assert!(problems.is_empty());
        assert_eq!(label("name", Some("abcd"), 3, &mut problems), None);
        for text in ["a\0b", "a\u{1b}b", "a\nb", "a\u{7}b", "a\u{9b}b", "a\tb"] {
            let mut problems = Problems::new();
            assert_eq!(label("name", Some(text), 3, &mut problems), None, "{text:?}");
            let expected = ["The name must not contain control characters"];
            assert_eq!(problems.texts(), expected, "{text:?}");
        }
        assert_eq!(problems.texts(), ["The name must have at most 3 characters"]);
        let mut problems = Problems::new();
        assert_eq!(notes("notes", "a\n\tb", &mut problems).as_deref(), Some("a\n\tb"));
        assert_eq!(notes("notes", "a\0b", &mut problems), None);
        assert_eq!(problems.texts(), ["The notes must not contain a NUL character"]);
    }

    #[test]
    fn a_label_that_must_be_there() {
        let long = "x".repeat(limits::LABEL_CHARS_MAX + 1);
        for (text, expected) in [
            (" ann ", None),
            ("", Some("The name must have 1 to 200 characters")),
            (" \t", Some("The name must have 1 to 200 characters")),
            (long.as_str(), Some("The name must have 1 to 200 characters")),
            ("a\u{1b}[2Jb", Some("The name must not contain control characters")),
        ] {
            let mut problems = Problems::new();
            assert_eq!(required_label("name", text, &mut problems), text.trim());
            assert_eq!(problems.texts(), Vec::from_iter(expected), "{text:?}");
        }
    }
}
