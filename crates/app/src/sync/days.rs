//! Which days a provider is asked for.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_providers::window::Window;

/// Days before the watermark that are asked for again: banks book late.
const OVERLAP_DAYS: i64 = 10;

/// The days from before what is known to tomorrow: a bank may be ahead of the family's time zone.
pub(super) fn window(
    watermark: Option<Date>,
    oldest_pending: Option<Date>,
    today: Date,
    first_days: u32,
) -> Window {
    let to = today.saturating_add(1.day());
    let from = match watermark {
        Some(watermark) => watermark.saturating_sub(OVERLAP_DAYS.days()),
        None => today.saturating_sub(i64::from(first_days).days()),
    };
    let before_pending = oldest_pending.map(|date| date.saturating_sub(1.day()));
    let from = before_pending.map_or(from, |date| date.min(from)).min(to);
    // The first day never comes after the last one.
    Window::new(from, to).unwrap_or_else(|| unreachable!("{from} is not after {to}"))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_overlap_and_begin_before_the_oldest_pending_one() {
        let today = date(2024, 5, 20);
        let from = |watermark, pending| window(watermark, pending, today, 90).from();
        assert_eq!(from(None, None), date(2024, 2, 20));
        assert_eq!(from(Some(date(2024, 5, 18)), None), date(2024, 5, 8));
        let pending = Some(date(2024, 5, 3));
        assert_eq!(from(Some(date(2024, 5, 18)), pending), date(2024, 5, 2));
        let pending = Some(date(2024, 5, 15));
        assert_eq!(from(Some(date(2024, 5, 18)), pending), date(2024, 5, 8));
        assert_eq!(from(Some(date(2025, 5, 18)), None), date(2024, 5, 21), "a clock went back");
        assert_eq!(window(None, None, today, 90).to(), date(2024, 5, 21));
    }
}
