//! JSON as providers write it, numbers included, as text: nothing goes through a float.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::misbehaviour::Quirk;
use crate::world::World;

/// A text with quotes.
pub(super) fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// Hundredths as a plain decimal.
pub(super) fn hundredths(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
}

/// An amount as a number of JSON, or as one of the odd forms.
pub(super) fn amount(world: &World, value: i64) -> String {
    let plain = hundredths(value);
    if !world.has(Quirk::OddNumbers) {
        return plain;
    }
    match value.unsigned_abs() % 4 {
        0 => text(&plain),
        1 => format!("{value}e-2"),
        // 12.30 as 12.299999999999999: what floats leave.
        2 if value.unsigned_abs() > 100 => noisy(value),
        _ => text(&format!("{value}E-2")),
    }
}

/// The decimal that lies 10^-15 nearer to zero, as sums of floats do.
fn noisy(value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = u128::from(value.unsigned_abs()) * 10_000_000_000_000 - 1;
    let unit = 1_000_000_000_000_000;
    format!("{sign}{}.{:015}", digits / unit, digits % unit)
}

/// A day, or what is sent instead of one.
pub(super) fn day(world: &World, date: Date) -> String {
    if world.has(Quirk::EpochDates) {
        return seconds(date).to_string();
    }
    if world.has(Quirk::ClockSkew) {
        return text(&format!("{date}T23:30:00-09:00"));
    }
    text(&date.to_string())
}

/// Noon of a day in UTC, in seconds since 1970.
pub(super) fn seconds(date: Date) -> i64 {
    let noon = date.at(12, 0, 0, 0).to_zoned(TimeZone::UTC);
    noon.map(|noon| noon.timestamp().as_second()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_exactly() {
        assert_eq!(hundredths(-5), "-0.05");
        assert_eq!(hundredths(123_456), "1234.56");
        assert_eq!(noisy(1_230), "12.299999999999999");
        assert_eq!(noisy(-30), "-0.299999999999999");
    }
}
