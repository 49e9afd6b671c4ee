//! Months that begin on a day of the family's choice, for budgets and reports.
//!
//! A month is named by its first day. The choice ends at the 28th, so every month has the day.

use jiff::Span;
use jiff::civil::Date;

/// The first day of the month that a day is in.
pub fn month_of(date: Date, start_day: i8) -> Date {
    let day = start_day.clamp(1, 28);
    let same = Date::new(date.year(), date.month(), day).unwrap_or(date);
    if date >= same { same } else { plus_months(same, -1) }
}

/// The last day of the month that begins on a day.
pub fn month_end(start: Date) -> Date {
    plus_months(start, 1).yesterday().unwrap_or(Date::MAX)
}

/// The same day some months later; the last day of that month if it is shorter.
pub fn plus_months(date: Date, months: i32) -> Date {
    let end = if months < 0 { Date::MIN } else { Date::MAX };
    date.checked_add(Span::new().months(months)).unwrap_or(end)
}

/// What the days from `start` to `end` are called: `January 2026` for a month of the calendar, else
/// `11 Jan – 10 Feb 2026`, with both years where they differ.
pub fn month_name(start: Date, end: Date) -> String {
    if start.day() == 1 && end == month_end(start) {
        return start.strftime("%B %Y").to_string();
    }
    let first = if start.year() == end.year() { "%-d %b" } else { "%-d %b %Y" };
    format!("{} – {}", start.strftime(first), end.strftime("%-d %b %Y"))
}

/// The month of `YYYY-MM` that begins on the family's day.
pub fn read_month(text: &str, start_day: i8) -> Option<Date> {
    let (year, month) = text.trim().split_once('-')?;
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if year.len() != 4 || month.len() != 2 || !are_digits(year) || !are_digits(month) {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, start_day.clamp(1, 28)).ok()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_month_begins_on_the_chosen_day() {
        assert_eq!(month_of(date(2024, 3, 24), 25), date(2024, 2, 25));
        assert_eq!(month_of(date(2024, 3, 25), 25), date(2024, 3, 25));
        assert_eq!(month_of(date(2024, 1, 1), 2), date(2023, 12, 2));
        assert_eq!(month_end(date(2024, 2, 1)), date(2024, 2, 29));
        assert_eq!(month_end(date(2023, 12, 25)), date(2024, 1, 24));
        assert_eq!(read_month("2024-02", 25), Some(date(2024, 2, 25)));
        for wrong in ["2024", "2024-13", "24-01", "2024-1", "2024-01-01", "+024-01", "x"] {
            assert_eq!(read_month(wrong, 1), None, "{wrong}");
        }
    }

    #[test]
    fn a_month_is_called_by_its_name_or_by_its_days() {
        assert_eq!(month_name(date(2026, 11, 1), date(2026, 11, 30)), "November 2026");
        assert_eq!(month_name(date(2026, 11, 11), date(2026, 12, 10)), "11 Nov – 10 Dec 2026");
        let over = month_name(date(2026, 12, 5), date(2027, 1, 4));
        assert_eq!(over, "5 Dec 2026 – 4 Jan 2027");
    }

    proptest! {
        #[test]
        fn every_day_is_in_exactly_one_month(days in -20_000i32..40_000, start_day in 1i8..=28) {
            let day = date(1970, 1, 1).checked_add(Span::new().days(days)).unwrap();
            let start = month_of(day, start_day);
            prop_assert!(start <= day && day <= month_end(start));
            prop_assert_eq!(start.day(), start_day);
            let next = month_end(start).tomorrow().unwrap();
            prop_assert_eq!(month_of(next, start_day), next);
            prop_assert_eq!(plus_months(start, 1), next);
        }
    }
}
