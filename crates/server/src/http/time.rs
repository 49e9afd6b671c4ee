//! Times as the API writes them: RFC 3339, UTC, milliseconds, `Z`.

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// A time in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-01-15T10:30:00.123Z")]
pub(crate) struct Time(pub(crate) Timestamp);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:.3}", self.0))
    }
}

impl From<Timestamp> for Time {
    fn from(time: Timestamp) -> Self {
        Self(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_z() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_768_473_000_123_999, "2026-01-15T10:30:00.123Z"),
            (1_768_473_000_000_000, "2026-01-15T10:30:00.000Z"),
        ] {
            let time = Time(Timestamp::from_microsecond(micros).unwrap());
            assert_eq!(serde_json::to_value(time).unwrap(), text);
        }
    }
}
