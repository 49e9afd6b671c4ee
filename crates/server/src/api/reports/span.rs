//! The days that a report is about.

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Problems};
use utoipa::IntoParams;

use crate::http::filters::{self, collect};
use crate::http::pagination::QueryParams;

/// Days that a report covers at most: a century, and some more for whoever counts generously.
const DAYS_MAX: i32 = 37_000;

/// From a day to another, as far as they were named.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: Option<Date>,
    pub(super) end: Option<Date>,
}

/// The parameters, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(super) struct SpanParams {
    /// From this day on, as `YYYY-MM-DD`; a year before the end if missing.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Up to this day, as `YYYY-MM-DD`; today in the family's time zone if missing.
    #[param(format = Date)]
    end_date: Option<String>,
}

impl Span {
    /// Reads both days, and names every problem of both.
    pub(super) fn from_query(query: &QueryParams, problems: &mut Problems) -> Self {
        Self {
            start: collect(filters::day(query, "start_date"), problems),
            end: collect(filters::day(query, "end_date"), problems),
        }
    }

    /// The days, once today is known.
    pub(super) fn days(self, today: Date) -> Result<(Date, Date), Error> {
        let end = self.end.unwrap_or(today);
        let year_before = end.checked_sub(jiff::Span::new().years(1));
        let start = self
            .start
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
        let span = |start, end| Span { start, end }.days(today);
        assert_eq!(span(None, None).unwrap(), (date(2025, 3, 1), today));
        let day = date(2020, 5, 1);
        assert_eq!(span(Some(day), None).unwrap(), (day, today));
        assert_eq!(span(None, Some(day)).unwrap(), (date(2019, 5, 2), day));
        assert!(span(Some(today), Some(day)).is_err());
        assert!(span(Some(date(1900, 1, 1)), None).is_err(), "too many days");
    }
}
