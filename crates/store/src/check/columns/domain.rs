//! What the values of a column may be.

use std::borrow::Cow;

use purser_core::named::{self, Named};
use serde::de::DeserializeOwned;

use crate::driver::{ColumnType, Row};

/// Characters of a text that a problem shows.
const SHOWN_CHARS: usize = 60;
/// The years in which days can be. The ledger begins with 1900.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=9999;

/// What the values of a column may be. The texts stand after "must be".
pub(crate) enum Domain {
    /// The row's own id, or one that points to nothing.
    Id,
    /// The id of a row of this table, in the same family.
    To(&'static str),
    /// The id of something that the check of this name looks up.
    CheckedBy(&'static str),
    /// The id of something that may be gone by now.
    MayBeGone,
    /// The number of a family.
    Family,
    /// An integer from the first number to the second.
    Number(i64, i64),
    /// A number of days since 1970.
    Day,
    /// A number of microseconds since 1970.
    Time,
    /// One of the truth values.
    Flag,
    /// A text with a name out of a fixed list, and the list.
    Named(fn(&str) -> bool, fn() -> String),
    /// A text that this function accepts.
    Text(&'static str, fn(&str) -> bool),
    /// As [`Domain::Text`], but a problem must not show it.
    Secret(&'static str, fn(&str) -> bool),
    /// Bytes of a length that this function accepts.
    Bytes(&'static str, fn(usize) -> bool),
}

impl Domain {
    /// A text that an enumeration's own parser reads.
    pub(super) const fn named<T: Named>() -> Self {
        Self::Named(
            |text| T::named(text).is_some_and(|value| value.name() == text),
            || format!("one of {}", named::list::<T>()),
        )
    }

    /// A text that is read as JSON into this type.
    pub(super) const fn json<T: DeserializeOwned>(what: &'static str) -> Self {
        Self::Text(what, |text| serde_json::from_str::<T>(text).is_ok())
    }

    /// Whether a value of a row, or null, belongs to the domain.
    pub(in crate::check) fn has(&self, row: &Row<'_>, at: usize) -> bool {
        let number = |fits: &dyn Fn(i64) -> bool| {
            row.opt_int(at).is_ok_and(|number| number.is_none_or(fits))
        };
        match self {
            Self::Id | Self::To(_) | Self::CheckedBy(_) | Self::MayBeGone => {
                row.opt_uuid(at).is_ok()
            }
            Self::Family => number(&|number| number > 0),
            Self::Number(first, last) => number(&|number| (*first..=*last).contains(&number)),
            Self::Day => {
                row.opt_date(at).is_ok_and(|day| day.is_none_or(|day| YEARS.contains(&day.year())))
            }
            Self::Time => row.opt_timestamp(at).is_ok(),
            Self::Flag => row.bool(at).is_ok(),
            Self::Named(fits, _) | Self::Text(_, fits) | Self::Secret(_, fits) => {
                row.opt_text(at).is_ok_and(|text| text.is_none_or(fits))
            }
            Self::Bytes(_, fits) => {
                row.opt_bytes(at).is_ok_and(|bytes| bytes.is_none_or(|bytes| fits(bytes.len())))
            }
        }
    }

    /// The type of the column.
    pub(crate) fn column_type(&self) -> ColumnType {
        match self {
            Self::Id | Self::To(_) | Self::CheckedBy(_) | Self::MayBeGone => ColumnType::Uuid,
            Self::Family | Self::Number(..) | Self::Day | Self::Time => ColumnType::Int,
            Self::Flag => ColumnType::Bool,
            Self::Named(..) | Self::Text(..) | Self::Secret(..) => ColumnType::Text,
            Self::Bytes(..) => ColumnType::Bytes,
        }
    }

    /// What a value must be.
    pub(super) fn rule(&self) -> Cow<'static, str> {
        match self {
            Self::Id | Self::To(_) | Self::MayBeGone => "an id".into(),
            Self::CheckedBy(check) => format!("an id, which {check} looks up").into(),
            Self::Family => "the number of a family".into(),
            Self::Number(first, i64::MAX) => format!("{first} or more").into(),
            Self::Number(first, last) => format!("from {first} to {last}").into(),
            Self::Day => format!("a day of the years {} to {}", YEARS.start(), YEARS.end()).into(),
            Self::Time => "a time in microseconds since 1970".into(),
            Self::Flag => "0 or 1".into(),
            Self::Named(_, list) => list().into(),
            Self::Text(what, _) | Self::Secret(what, _) | Self::Bytes(what, _) => (*what).into(),
        }
    }

    /// A value for people, whatever it is; secrets and bytes only by their size.
    pub(super) fn shown(&self, row: &Row<'_>, at: usize) -> String {
        let unread = || "unreadable".to_owned();
        match self {
            Self::Id | Self::To(_) | Self::CheckedBy(_) | Self::MayBeGone => {
                row.uuid(at).map_or_else(|_| unread(), |id| id.to_string())
            }
            Self::Day if row.date(at).is_ok() => {
                row.date(at).map_or_else(|_| unread(), |day| day.to_string())
            }
            Self::Family | Self::Number(..) | Self::Day | Self::Time => {
                row.int(at).map_or_else(|_| unread(), |number| number.to_string())
            }
            Self::Flag => row
                .int(at)
                .map(|number| number.to_string())
                .or_else(|_| row.bool(at).map(|flag| flag.to_string()))
                .unwrap_or_else(|_| unread()),
            Self::Named(..) | Self::Text(..) => row.text(at).map_or_else(
                |_| unread(),
                |text| format!("{:?}", text.chars().take(SHOWN_CHARS).collect::<String>()),
            ),
            Self::Secret(..) => row
                .text(at)
                .map_or_else(|_| unread(), |text| format!("a secret of {} bytes", text.len())),
            Self::Bytes(..) => {
                row.bytes(at).map_or_else(|_| unread(), |bytes| format!("{} bytes", bytes.len()))
            }
        }
    }

    /// The table that ids of the domain point to, and what has to agree beside the id.
    pub(in crate::check) fn target(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::To(table) => Some((table, "p.family_id = t.family_id AND")),
            Self::Family => Some(("families", "")),
            _ => None,
        }
    }
}
