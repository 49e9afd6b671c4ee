//! Parameters, and the three conversions that storage needs: days, microseconds, booleans.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids;
use uuid::Uuid;

/// A parameter of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Val<'a> {
    /// NULL, with the type that the statement expects.
    Null,
    /// Numbers, dates as days, times as microseconds.
    Int(i64),
    /// A text in UTF-8.
    Text(&'a str),
    /// A UUID, such as an id.
    Uuid(Uuid),
    /// Bytes of any content.
    Bytes(&'a [u8]),
    /// A truth value; 0 or 1 in SQLite.
    Bool(bool),
}

/// Builds the parameters of a statement from anything that converts to [`Val`].
macro_rules! vals {
    ($($value:expr),* $(,)?) => { &[$($crate::driver::Val::from($value)),*] };
}
pub(crate) use vals;

/// The day that is stored as 0.
const EPOCH: Date = Date::constant(1970, 1, 1);
const HOURS_PER_DAY: i64 = 24;

/// The day as days since 1970.
pub fn date_to_days(date: Date) -> i64 {
    EPOCH.duration_until(date).as_hours() / HOURS_PER_DAY
}

/// The day of a number of days since 1970; `Internal` if no such day can be written.
pub fn days_to_date(days: i64) -> Result<Date> {
    days.checked_mul(HOURS_PER_DAY * 3600)
        .and_then(|seconds| EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok())
        .ok_or_else(|| Error::internal(format!("{days} is not a day that can be written")))
}

/// Microseconds since 1970, UTC.
pub fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

impl<'a, T: Into<Val<'a>>> From<Option<T>> for Val<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Val::Null, Into::into)
    }
}

impl From<i64> for Val<'_> {
    fn from(value: i64) -> Self {
        Val::Int(value)
    }
}

impl From<i32> for Val<'_> {
    fn from(value: i32) -> Self {
        Val::Int(value.into())
    }
}

impl From<u32> for Val<'_> {
    fn from(value: u32) -> Self {
        Val::Int(value.into())
    }
}

impl From<u16> for Val<'_> {
    fn from(value: u16) -> Self {
        Val::Int(value.into())
    }
}

impl<'a> From<&'a str> for Val<'a> {
    fn from(value: &'a str) -> Self {
        Val::Text(value)
    }
}

impl<'a> From<&'a String> for Val<'a> {
    fn from(value: &'a String) -> Self {
        Val::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Val<'a> {
    fn from(value: &'a [u8]) -> Self {
        Val::Bytes(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Val<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Val::Bytes(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Val<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Val::Bytes(value)
    }
}

impl From<bool> for Val<'_> {
    fn from(value: bool) -> Self {
        Val::Bool(value)
    }
}

impl From<Uuid> for Val<'_> {
    fn from(value: Uuid) -> Self {
        Val::Uuid(value)
    }
}

impl From<Date> for Val<'_> {
    fn from(value: Date) -> Self {
        Val::Int(date_to_days(value))
    }
}

impl From<Timestamp> for Val<'_> {
    fn from(value: Timestamp) -> Self {
        Val::Int(micros(value))
    }
}

macro_rules! from_ids {
    ($($name:ident),* $(,)?) => {$(
        impl From<ids::$name> for Val<'_> {
            fn from(id: ids::$name) -> Self {
                Val::Uuid(id.0)
            }
        }
    )*};
}

from_ids!(
    UserId,
    KeyId,
    AccountId,
    EntryId,
    CategoryId,
    TagId,
    MerchantId,
    SecurityId,
    SyncId,
    HoldingId,
    ImportId,
    FileId,
    JobId,
    ConnectionId,
    FoundAccountId,
    DuplicateId,
    BankStatementId,
    WebhookId,
    DeliveryId,
    EventId,
    TransferId,
    RejectedTransferId,
    PriceId,
    RateId,
    BudgetId,
    BudgetCategoryId,
    RecurringId,
    RuleId,
    RuleRunId,
    FamilyExportId,
    ImportSessionId,
    ChunkId,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_inverse_over_the_whole_range() {
        for (text, days) in [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("1900-01-01", -25_567),
            ("2000-02-29", 11_016),
            ("9999-12-31", 2_932_896),
            ("-009999-01-01", -4_371_587),
        ] {
            let date: Date = text.parse().unwrap();
            assert_eq!(date_to_days(date), days, "{text}");
            assert_eq!(days_to_date(days).unwrap(), date, "{text}");
        }
        assert!(days_to_date(2_932_897).is_err());
        assert!(days_to_date(i64::MAX).is_err());
    }
}
