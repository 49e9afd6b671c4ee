//! Which days a provider is asked for.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_core::sync::ReportedRows;
use purser_providers::window::Window;

/// Days before the watermark that are asked for again: banks book late.
const OVERLAP_DAYS: i64 = 10;

/// Days for which rows that can't be read are asked for again.
const UNREADABLE_DAYS: i64 = 90;

/// The days from before what is known to tomorrow: a bank may be ahead of the family's time zone.
pub(super) fn window(
    watermark: Option<Date>,
    oldest_pending: Option<Date>,
    today: Date,
    (first_days, days_max): (u32, u32),
) -> Window {
    let to = today.saturating_add(1.day());
    let from = match watermark {
        Some(watermark) => watermark.saturating_sub(OVERLAP_DAYS.days()),
        None => today.saturating_sub(i64::from(first_days).days()),
    };
    let before_pending = oldest_pending.map(|date| date.saturating_sub(1.day()));
    // However long an account has been stuck: a provider allows so many days only.
    let first = today.saturating_sub(i64::from(days_max).days());
    let from = before_pending.map_or(from, |date| date.min(from)).max(first).min(to);
    // The first day never comes after the last one.
    Window::new(from, to).unwrap_or_else(|| unreachable!("{from} is not after {to}"))
}

/// The day up to which an account is known after an answer; `None` leaves the one before. Rows that
/// can't be read are asked for again for a while, and rows that the provider keeps back as long as
/// it allows.
pub(super) fn watermark(
    reported: &ReportedRows,
    before: Option<Date>,
    today: Date,
) -> Option<Date> {
    if !reported.is_whole {
        return None;
    }
    if reported.unreadable == 0 {
        return Some(reported.to);
    }
    let day = today.saturating_sub((UNREADABLE_DAYS - OVERLAP_DAYS).days());
    // Nothing before the days of this answer is asked for.
    let day = day.max(reported.from.saturating_add(OVERLAP_DAYS.days()));
    Some(day).filter(|day| before.is_none_or(|before| before < *day))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_overlap_and_begin_before_the_oldest_pending_one() {
        let today = date(2024, 5, 20);
        let from = |watermark, pending| window(watermark, pending, today, (90, 730)).from();
        assert_eq!(from(None, None), date(2024, 2, 20));
        assert_eq!(from(Some(date(2024, 5, 18)), None), date(2024, 5, 8));
        let pending = Some(date(2024, 5, 3));
        assert_eq!(from(Some(date(2024, 5, 18)), pending), date(2024, 5, 2));
        let pending = Some(date(2024, 5, 15));
        assert_eq!(from(Some(date(2024, 5, 18)), pending), date(2024, 5, 8));
        assert_eq!(from(Some(date(2025, 5, 18)), None), date(2024, 5, 21), "a clock went back");
        assert_eq!(window(None, None, today, (90, 730)).to(), date(2024, 5, 21));
        let stuck = Some(date(2020, 1, 1));
        assert_eq!(from(stuck, stuck), date(2022, 5, 21), "two years at most");
        assert_eq!(window(stuck, None, today, (730, 290)).from(), date(2023, 8, 4));
    }

    #[test]
    fn rows_that_cannot_be_read_are_asked_for_again_for_ninety_days() {
        let today = date(2024, 5, 20);
        let reported = |is_whole, unreadable, before| ReportedRows {
            rows: Vec::new(),
            from: window(before, None, today, (90, 730)).from(),
            to: date(2024, 5, 21),
            is_whole,
            has_pending: true,
            unreadable,
            unreadable_ids: Vec::new(),
        };
        let after = |is_whole, unreadable, before| {
            watermark(&reported(is_whole, unreadable, before), before, today)
        };
        assert_eq!(after(true, 0, None), Some(date(2024, 5, 21)));
        assert_eq!(after(false, 0, None), None);
        let known = Some(date(2024, 5, 10));
        assert_eq!(after(true, 1, known), None, "it stays");
        let stuck = Some(date(2024, 1, 10));
        let moved = after(true, 1, stuck);
        assert_eq!(moved, Some(date(2024, 3, 1)));
        assert_eq!(window(moved, None, today, (90, 730)).from(), date(2024, 2, 20));
        assert_eq!(after(true, 1, None), moved);
    }
}
