//! Stretches of time as reports show them: which days stand for the months between two days.

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use crate::named::text_enum;

text_enum! {
    /// How far apart the points of a report are.
    Interval {
        /// A point for every single day.
        Day = "day",
        /// The end of each week, which is Sunday.
        Week = "week",
        /// The end of each month.
        Month = "month",
        /// The end of each quarter.
        Quarter = "quarter",
        /// The end of each year.
        Year = "year",
    }
}

impl Interval {
    /// The last day of the stretch that a day lies in.
    pub fn end_of(self, day: Date) -> Date {
        let end = match self {
            Self::Day => Ok(day),
            Self::Week => day.checked_add((7 - day.weekday().to_monday_one_offset()).days()),
            Self::Month => Ok(day.last_of_month()),
            Self::Quarter => {
                let months = i64::from((3 - day.month() % 3) % 3);
                day.first_of_month().checked_add(months.months()).map(|first| first.last_of_month())
            }
            Self::Year => Ok(day.last_of_year()),
        };
        end.unwrap_or(Date::MAX)
    }

    /// The days that stand for the stretches from a day to another: the end of each, and the last
    /// day, in order. None if the first is behind the last.
    pub fn points(self, first: Date, last: Date) -> impl Iterator<Item = Date> {
        let mut next = (first <= last).then_some(first);
        std::iter::from_fn(move || {
            let day = next?;
            let end = self.end_of(day).min(last);
            next = end.checked_add(Span::new().days(1)).ok().filter(|day| *day <= last);
            Some(end)
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn points(interval: Interval, first: Date, last: Date) -> Vec<String> {
        interval.points(first, last).map(|day| day.to_string()).collect()
    }

    #[test]
    fn each_stretch_is_shown_by_its_end() {
        let (first, last) = (date(2024, 1, 30), date(2024, 4, 2));
        assert_eq!(
            points(Interval::Month, first, last),
            ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-02"]
        );
        assert_eq!(points(Interval::Quarter, first, last), ["2024-03-31", "2024-04-02"]);
        assert_eq!(points(Interval::Year, first, last), ["2024-04-02"]);
        let week = points(Interval::Week, date(2024, 1, 1), date(2024, 1, 15));
        assert_eq!(week, ["2024-01-07", "2024-01-14", "2024-01-15"]);
        assert_eq!(points(Interval::Day, last, last), ["2024-04-02"]);
        assert_eq!(points(Interval::Day, last, first), [""; 0]);
        assert_eq!(Interval::Year.end_of(Date::MAX), Date::MAX);
        assert_eq!(Interval::Week.end_of(Date::MAX), Date::MAX);
    }

    proptest! {
        #[test]
        fn points_are_in_order_and_end_with_the_last_day(
            which in 0_usize..5, start in 0_i32..4_000, length in 0_i32..4_000,
        ) {
            let interval = Interval::ALL[which];
            let first = date(2000, 1, 1).checked_add(Span::new().days(start)).unwrap();
            let last = first.checked_add(Span::new().days(length)).unwrap();
            let points: Vec<Date> = interval.points(first, last).collect();
            prop_assert_eq!(points.last(), Some(&last));
            prop_assert!(points.is_sorted_by(|a, b| a < b));
            prop_assert!(points[0] >= first);
            for pair in points.windows(2) {
                prop_assert_eq!(interval.end_of(pair[0]), pair[0]);
                prop_assert!(interval.end_of(pair[0].tomorrow().unwrap()) >= pair[1]);
            }
        }
    }
}
