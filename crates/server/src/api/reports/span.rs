//! The days that a report is about.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Result};

use crate::http::query::{Day, query};

/// Days that a report covers at most: a century, and some more for whoever counts generously.
const DAYS_MAX: i32 = 37_000;

query! {
    /// The days that a report is about.
    pub(super) struct Span {
        /// The first day; a year before the last day if missing.
        start_date: Day,
        /// The last day; today in the family's time zone if missing.
        end_date: Day,
    }
}

impl Span {
    /// The days, once today is known.
    pub(super) fn days(&self, today: Date) -> Result<(Date, Date)> {
        let end = self.end_date.unwrap_or(today);
        let year_before = end.checked_sub(jiff::Span::new().years(1));
        let start = self
            .start_date
            .unwrap_or_else(|| year_before.and_then(|day| day.tomorrow()).unwrap_or(Date::MIN));
        if start > end {
            return Err(Problem::field("start_date", "must not be after the end_date").into());
        }
        let days = start.until(end).map_err(Error::internal)?.get_days();
        if days > DAYS_MAX {
            return Err(Problem::field(
                "end_date",
                format!("must be at most {DAYS_MAX} days after the start_date"),
            )
            .into());
        }
        Ok((start, end))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn what_is_not_named_is_the_last_year() {
        let today = date(2026, 2, 28);
        let span = |start_date, end_date| Span { start_date, end_date }.days(today);
        assert_eq!(span(None, None).unwrap(), (date(2025, 3, 1), today));
        let day = date(2020, 5, 1);
        assert_eq!(span(Some(day), None).unwrap(), (day, today));
        assert_eq!(span(None, Some(day)).unwrap(), (date(2019, 5, 2), day));
        assert!(span(Some(today), Some(day)).is_err());
        assert!(span(Some(date(1900, 1, 1)), None).is_err(), "too many days");
    }
}
