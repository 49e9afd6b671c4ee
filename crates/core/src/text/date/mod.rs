//! Dates as people and banks write them.
//!
//! A cell is read in one [`DateFormat`], a strftime pattern that names a whole date, and strictly:
//! `%Y` is exactly four digits and `%y` exactly two (70–99 are 19xx, 00–69 are 20xx), so
//! `15/05/2024` never becomes a day of 2020; the day must exist; after the date only a time of day
//! may follow, which is dropped as written, without any change of time zone. Days and months need
//! no leading zero. Month names are understood in English, German, French, Spanish, Italian,
//! Portuguese, Dutch, Polish, Swedish, Danish and Norwegian, in any case, full or short.
//!
//! Whether a day may be in the ledger at all is a question of its own: [`check_range`].

mod cursor;
mod detect;
mod month;
mod pattern;
#[cfg(test)]
mod tests;
mod time;

pub use detect::{CANDIDATES, DateFormatDetector, is_day};
use jiff::civil::{Date, date};
pub use month::month as month_named;
pub use pattern::{DateFormat, DateFormatError};

use super::quoted;
use crate::limits::DATE_MIN;

/// Why a cell is not a date: a fragment that follows the name of a column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DateError {
    /// The cell is empty.
    #[error("is blank")]
    Blank,
    /// The cell is not written in the format.
    #[error("\"{cell}\" is not a date like {format}")]
    WrongFormat {
        /// The cell, shortened for the message.
        cell: String,
        /// As people write it: `DD/MM/YYYY`.
        format: String,
    },
    /// The 31st of February, or a 13th month.
    #[error("\"{cell}\", read as {format}, is not a day of the calendar")]
    NoSuchDay {
        /// The cell, shortened for the message.
        cell: String,
        /// As people write it: `DD/MM/YYYY`.
        format: String,
    },
    /// Something follows that is not a time of day.
    #[error("\"{cell}\" has something after the date that is not a time")]
    NotATime {
        /// The cell, shortened for the message.
        cell: String,
    },
    /// Before the first day that the ledger takes.
    #[error("{date} is before {first}, the first day that is allowed")]
    TooEarly {
        /// The day in the cell.
        date: Date,
        /// The first day that is accepted.
        first: Date,
    },
    /// After the last day that the ledger takes.
    #[error("{date} is after {last}, the last day that is allowed (a year from today)")]
    TooLate {
        /// The day in the cell.
        date: Date,
        /// The last day that is accepted.
        last: Date,
    },
}

/// A [`DateError`] before it quotes the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    Blank,
    WrongFormat,
    NoSuchDay,
    NotATime,
}

impl Problem {
    #[cold]
    fn describe(self, cell: &str, format: &DateFormat) -> DateError {
        let cell = quoted(cell);
        match self {
            Self::Blank => DateError::Blank,
            Self::WrongFormat => DateError::WrongFormat { cell, format: format.shown() },
            Self::NoSuchDay => DateError::NoSuchDay { cell, format: format.shown() },
            Self::NotATime => DateError::NotATime { cell },
        }
    }
}

/// The first day that the ledger takes.
const FIRST: Date = date(DATE_MIN.0, DATE_MIN.1, DATE_MIN.2);

/// Whether the ledger takes the day: from 1900-01-01 to a year after `as_of`.
pub fn check_range(date: Date, as_of: Date) -> Result<(), DateError> {
    if date < FIRST {
        return Err(DateError::TooEarly { date, first: FIRST });
    }
    // The common case without arithmetic.
    if date <= as_of {
        return Ok(());
    }
    let last = last_day(as_of);
    if date > last { Err(DateError::TooLate { date, last }) } else { Ok(()) }
}

/// The same day a year later; 28 February for 29 February.
fn last_day(as_of: Date) -> Date {
    let year = as_of.year().saturating_add(1);
    Date::new(year, as_of.month(), as_of.day())
        .or_else(|_| Date::new(year, as_of.month(), 28))
        .unwrap_or(Date::MAX)
}
