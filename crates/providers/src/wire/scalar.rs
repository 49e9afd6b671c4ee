//! One value of JSON, kept as it was sent until it is clear what it should be.

use std::borrow::Cow;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use purser_core::ledger::input::{AmountText, calendar_date, timestamp_day};
use purser_core::money::Currency;
use purser_core::rates::input::exact_decimal;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::snapshot::StatedCurrency;

/// The longest id that is kept.
const ID_CHARS_MAX: usize = 200;
/// The longest text that is kept of a name or a description.
const TEXT_CHARS_MAX: usize = 500;
/// Smaller numbers aren't seconds since 1970: this is in 1973, and `20260301` is no time.
const SECONDS_MIN: i64 = 100_000_000;
/// Seconds beyond this are milliseconds: the year 5138, or 1973 in milliseconds.
const SECONDS_MAX: i64 = 100_000_000_000;

/// A value as it was sent. Objects and lists are something else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Scalar {
    /// The member is missing, or null.
    #[default]
    Absent,
    /// The text of a number.
    Number(String),
    /// A text without its quotes.
    Text(String),
    /// A truth value of JSON.
    Bool(bool),
    /// An object or a list.
    Other,
}

/// A day, with the time that it was taken from if one was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) date: Date,
    pub(crate) time: Option<Timestamp>,
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        if let Some(plain) = quoted.filter(|quoted| !quoted.contains('\\')) {
            return Ok(Self::Text(plain.to_owned()));
        }
        Ok(match text.as_bytes().first() {
            Some(b'"') => Self::Text(serde_json::from_str(text).map_err(serde::de::Error::custom)?),
            Some(b'n') => Self::Absent,
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'{' | b'[') => Self::Other,
            _ => Self::Number(text.to_owned()),
        })
    }
}

impl Scalar {
    /// The text of a number or of a text that isn't blank.
    fn written(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            Self::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            Self::Absent | Self::Bool(_) | Self::Other => None,
        }
    }

    /// Whether nothing was sent: no member, null, or a blank text.
    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::Number(_) | Self::Bool(_) | Self::Other => false,
        }
    }

    /// An id, which may be a number; `Ok(None)` if it is blank, an error if it can't be one.
    pub(crate) fn id(&self) -> Result<Option<String>, ()> {
        if self.is_blank() {
            return Ok(None);
        }
        let id = self.written().ok_or(())?;
        // Dots alone would be a step in a path.
        let is_usable = id.chars().count() <= ID_CHARS_MAX
            && !id.contains(char::is_control)
            && !id.bytes().all(|byte| byte == b'.');
        if is_usable { Ok(Some(id.to_owned())) } else { Err(()) }
    }

    /// A text for people on one line: control characters are spaces, and the end of a very long one
    /// is cut off.
    pub(crate) fn label(&self) -> Option<String> {
        let text = self.written()?.replace(char::is_control, " ");
        let text: String = text.trim().chars().take(TEXT_CHARS_MAX).collect();
        let text = text.trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// A decimal of any sign, exactly as it was sent; exponents may stand in texts, too.
    pub(crate) fn decimal(&self) -> Option<Decimal> {
        let text = self.written()?;
        let number = text.strip_prefix('+').unwrap_or(text);
        exact_decimal(&AmountText::JsonNumber(number.to_owned()))
    }

    /// A decimal that may be missing; an error if something else was sent.
    pub(crate) fn optional_decimal(&self) -> Result<Option<Decimal>, ()> {
        if self.is_blank() { Ok(None) } else { self.decimal().map(Some).ok_or(()) }
    }

    /// A count of rows, if that was sent.
    pub(crate) fn count(&self) -> Option<u64> {
        self.written()?.parse().ok()
    }

    /// A truth value, as such or in words; missing ones are false.
    pub(crate) fn flag(&self) -> bool {
        match self {
            Self::Bool(value) => *value,
            other => {
                let text = other
                    .written()
                    .map_or(Cow::Borrowed(""), |text| Cow::Owned(text.to_ascii_lowercase()));
                matches!(text.as_ref(), "true" | "1" | "yes")
            }
        }
    }

    /// A currency by its code.
    pub(crate) fn currency(&self) -> StatedCurrency {
        if self.is_blank() {
            return StatedCurrency::Absent;
        }
        let known = self.written().and_then(Currency::parse);
        known.map_or(StatedCurrency::Unknown, StatedCurrency::Known)
    }

    /// A day: `YYYY-MM-DD`, a time (its day in the offset that it names), or seconds since 1970
    /// (the day in UTC).
    pub(crate) fn moment(&self) -> Option<Moment> {
        let text = self.written()?;
        if let Some(date) = calendar_date(text) {
            return Some(Moment { date, time: None });
        }
        if let Some(date) = timestamp_day(text) {
            return Some(Moment { date, time: text.parse().ok() });
        }
        if let Some(time) = self.epoch() {
            return Some(Moment { date: utc_day(time), time: Some(time) });
        }
        // A time without an offset is of the bank's own clock.
        let (day, clock) = text.split_once(['T', ' '])?;
        clock.parse::<jiff::civil::Time>().ok()?;
        Some(Moment { date: calendar_date(day)?, time: None })
    }

    /// Seconds or milliseconds since 1970; none for 0, which is sent for "not yet".
    pub(crate) fn epoch(&self) -> Option<Timestamp> {
        let text = self.written()?;
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: i64 = whole.parse().ok().filter(|number| *number >= SECONDS_MIN)?;
        let since = match number > SECONDS_MAX {
            true => SignedDuration::from_millis(number),
            false => SignedDuration::from_secs(number),
        };
        Timestamp::from_duration(since).ok()
    }
}

/// The day of a time in UTC.
pub(crate) fn utc_day(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn scalar(json: &str) -> Scalar {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn decimals_are_read_as_they_were_sent() {
        let read = |json: &str| scalar(json).decimal().map(|value| value.to_string());
        for (json, value) in [
            ("0.1", Some("0.1")),
            ("\"0.1\"", Some("0.1")),
            ("-12.50", Some("-12.5")),
            ("\"1e3\"", Some("1000")),
            ("1e3", Some("1000")),
            ("\"+4.2\"", Some("4.2")),
            ("30.299999999999997", Some("30.299999999999997")),
            ("0.1234567890123456789012", Some("0.123456789012346")),
            ("\"1,000.00\"", None),
            ("\"\"", None),
            ("null", None),
            ("true", None),
            ("[1]", None),
        ] {
            assert_eq!(read(json).as_deref(), value, "{json}");
        }
    }

    #[test]
    fn days_are_read_from_days_times_and_seconds() {
        let day = |json: &str| scalar(json).moment().map(|moment| moment.date);
        for (json, expected) in [
            ("\"2026-03-01\"", Some(date(2026, 3, 1))),
            ("\"2026-03-01T23:30:00-05:00\"", Some(date(2026, 3, 1))),
            ("\"2026-03-01T23:30:00\"", Some(date(2026, 3, 1))),
            ("1772323200", Some(date(2026, 3, 1))),
            ("\"1772323200\"", Some(date(2026, 3, 1))),
            ("1772323200000", Some(date(2026, 3, 1))),
            ("0", None),
            ("\"2026-02-30\"", None),
            ("\"01.03.2026\"", None),
            ("20260301", None),
            ("1772323200.5", Some(date(2026, 3, 1))),
            ("null", None),
            ("{}", None),
        ] {
            assert_eq!(day(json), expected, "{json}");
        }
        let late = scalar("\"2026-03-01T23:30:00-05:00\"").moment().unwrap();
        assert_eq!(late.time.unwrap().to_string(), "2026-03-02T04:30:00Z");
    }

    #[test]
    fn ids_may_be_numbers_and_may_be_blank() {
        assert_eq!(scalar("17").id(), Ok(Some("17".to_owned())));
        assert_eq!(scalar("\" a1 \"").id(), Ok(Some("a1".to_owned())));
        for blank in ["\"\"", "\"  \"", "null"] {
            assert_eq!(scalar(blank).id(), Ok(None), "{blank}");
        }
        let long = format!("\"{}\"", "x".repeat(201));
        for wrong in ["\"..\"", "\"a\\nb\"", "\"a\\u0000\"", "true", "{}", long.as_str()] {
            assert_eq!(scalar(wrong).id(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn truth_values_come_in_many_forms() {
        for (json, value) in [
            ("true", true),
            ("\"true\"", true),
            ("\"TRUE\"", true),
            ("1", true),
            ("false", false),
            ("\"false\"", false),
            ("null", false),
            ("0", false),
            ("{}", false),
        ] {
            assert_eq!(scalar(json).flag(), value, "{json}");
        }
    }

    #[test]
    fn texts_are_one_line_and_limited() {
        assert_eq!(scalar("\" a\\nb \"").label().as_deref(), Some("a b"));
        assert_eq!(scalar("\"\\u001b[31m\"").label().as_deref(), Some("[31m"));
        assert_eq!(scalar("\" \\t\"").label(), None);
        let long = format!("\"{}\"", "ä".repeat(600));
        assert_eq!(scalar(&long).label().unwrap().chars().count(), 500);
    }

    #[test]
    fn a_currency_is_of_the_table_or_unknown() {
        assert_eq!(scalar("\"eur\"").currency(), StatedCurrency::Known(Currency::EUR));
        assert_eq!(scalar("\"ZZZ\"").currency(), StatedCurrency::Unknown);
        assert_eq!(scalar("\"https://bank.example/points\"").currency(), StatedCurrency::Unknown);
        assert_eq!(scalar("\"\"").currency(), StatedCurrency::Absent);
    }
}
