//! Which days a provider is asked for.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_core::sync::{PENDING_ASKED_DAYS, ReportedRows};
use purser_providers::snapshot::Completeness;
use purser_providers::window::Window;

/// Days before the watermark that are asked for again: banks book late.
const OVERLAP_DAYS: i64 = 10;

/// Days for which rows that can't be read are asked for again, and all rows while the provider
/// reports a problem.
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
    // A pending entry is asked for so many days, whatever keeps it pending.
    let first_pending = today.saturating_sub(i64::from(PENDING_ASKED_DAYS).days());
    let before_pending = oldest_pending.map(|date| date.saturating_sub(1.day()).max(first_pending));
    // However long an account has been stuck: a provider allows so many days only.
    let first = today.saturating_sub(i64::from(days_max).days());
    let from = before_pending.map_or(from, |date| date.min(from)).max(first).min(to);
    // The first day never comes after the last one.
    Window::new(from, to).unwrap_or_else(|| unreachable!("{from} is not after {to}"))
}

/// The day up to which an account is known after an answer; `None` leaves the one before. Rows that
/// can't be read are asked for again for a while, also if all are, and rows that the provider keeps
/// back as long as it allows. `ran_today` is whether an earlier run of the day had the account.
pub(super) fn watermark(
    reported: &ReportedRows,
    completeness: Completeness,
    (before, today): (Option<Date>, Date),
    ran_today: bool,
) -> Option<Date> {
    match completeness {
        Completeness::Partial => return None,
        Completeness::Whole | Completeness::NumberDiffers if reported.unreadable == 0 => {
            return Some(reported.to);
        }
        _ => {}
    }
    let mut day = today.saturating_sub((UNREADABLE_DAYS - OVERLAP_DAYS).days());
    if !reported.is_whole {
        // Rows of any day may be missing, perhaps for a few days only: the watermark goes on by one
        // day at most on each day, however many runs it has, and never with a first answer.
        day = day.min(before?.saturating_add(i64::from(!ran_today).days()));
    }
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
        let known = Some(date(2024, 5, 18));
        assert_eq!(from(known, Some(date(2024, 2, 21))), date(2024, 2, 20));
        assert_eq!(from(known, stuck), date(2024, 2, 20), "what is pending for 90 days at most");
        assert_eq!(window(stuck, None, today, (730, 290)).from(), date(2023, 8, 4));
    }

    #[test]
    fn rows_that_cannot_be_read_are_asked_for_again_for_ninety_days() {
        let today = date(2024, 5, 20);
        let reported = |unreadable, before| ReportedRows {
            rows: Vec::new(),
            from: window(before, None, today, (90, 730)).from(),
            to: date(2024, 5, 21),
            is_whole: true,
            is_doubtful: false,
            has_pending: true,
            unreadable,
            unreadable_ids: Vec::new(),
        };
        use Completeness::{Doubtful, Partial, Whole};
        let after = |completeness, unreadable, before| {
            let mut reported = reported(unreadable, before);
            reported.is_whole = completeness == Whole;
            watermark(&reported, completeness, (before, today), false)
        };
        assert_eq!(after(Whole, 0, None), Some(date(2024, 5, 21)));
        assert_eq!(after(Partial, 0, None), None);
        let known = Some(date(2024, 5, 10));
        assert_eq!(after(Whole, 1, known), None, "it stays");
        assert_eq!(after(Doubtful, 0, known), None, "it stays");
        let stuck = Some(date(2024, 1, 10));
        assert_eq!(after(Partial, 1, stuck), None);
        let moved = after(Whole, 1, stuck);
        assert_eq!(moved, Some(date(2024, 3, 1)));
        assert_eq!(window(moved, None, today, (90, 730)).from(), date(2024, 2, 20));
        assert_eq!(after(Whole, 1, None), moved);
        // Beside a problem of the provider rows of any day may be missing.
        assert_eq!(after(Doubtful, 0, stuck), Some(date(2024, 1, 11)));
        assert_eq!(after(Doubtful, 1, stuck), Some(date(2024, 1, 11)));
        assert_eq!(after(Doubtful, 0, None), None, "a first answer is asked for again");
    }

    /// Nothing that came could be read: rows of many days may be among it.
    #[test]
    fn where_nothing_can_be_read_the_watermark_goes_by_single_days() {
        let today = date(2024, 5, 20);
        let after_run = |completeness, before: Option<Date>, ran_today| {
            let reported = ReportedRows {
                rows: Vec::new(),
                from: window(before, None, today, (90, 730)).from(),
                to: date(2024, 5, 21),
                is_whole: false,
                is_doubtful: false,
                has_pending: true,
                unreadable: 1,
                unreadable_ids: Vec::new(),
            };
            watermark(&reported, completeness, (before, today), ran_today)
        };
        let after = |completeness, before| after_run(completeness, before, false);
        use Completeness::{Doubtful, Partial, Whole};
        assert_eq!(after(Whole, None), None, "a first answer is asked for as a whole again");
        assert_eq!(after(Whole, Some(date(2024, 3, 1))), None, "not before 90 days");
        let stuck = Some(date(2024, 1, 10));
        assert_eq!(after(Whole, stuck), Some(date(2024, 1, 11)));
        assert_eq!(after(Partial, stuck), None);
        for completeness in [Whole, Doubtful] {
            assert_eq!(after_run(completeness, stuck, true), None, "it is a day, not a run");
        }
    }
}
