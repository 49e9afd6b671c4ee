//! Days to ask for, and what becomes of an answer that isn't whole.
//!
//! Providers document neither pages nor cursors, and some give only so many rows of a window. So an
//! answer that reports more rows than it has is asked for again in halves ([`Splitter`]). What
//! comes of all answers is one multiset ([`Collected`]): a row that stands in two answers is one
//! row, and two equal rows of one answer are two.

mod merge;
mod splitter;

use jiff::Span;
use jiff::civil::Date;

pub use merge::Collected;
pub use splitter::{Part, Splitter};

/// A stretch of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    from: Date,
    to: Date,
}

impl Window {
    /// The days from one to another; `None` if the last comes before the first.
    pub fn new(from: Date, to: Date) -> Option<Self> {
        (from <= to).then_some(Self { from, to })
    }

    /// The first day of the stretch.
    pub fn from(self) -> Date {
        self.from
    }

    /// The last day of the stretch.
    pub fn to(self) -> Date {
        self.to
    }

    /// How many days it has.
    pub fn days(self) -> u32 {
        u32::try_from((self.to - self.from).get_days()).unwrap_or(0).saturating_add(1)
    }

    /// Whether a day is one of it.
    pub fn contains(self, date: Date) -> bool {
        self.from <= date && date <= self.to
    }

    /// The earlier and the later half; `None` for a single day.
    pub fn halves(self) -> Option<(Self, Self)> {
        let days = self.days();
        if days < 2 {
            return None;
        }
        let middle = later(self.from, days / 2 - 1);
        Some((Self { from: self.from, to: middle }, Self { from: later(middle, 1), to: self.to }))
    }

    /// Parts of at most so many days, the newest first.
    pub fn parts(self, days_max: u32) -> Vec<Self> {
        let days_max = days_max.max(1);
        let mut parts = Vec::new();
        let mut to = self.to;
        loop {
            let from = earlier(to, days_max - 1).max(self.from);
            parts.push(Self { from, to });
            if from == self.from {
                return parts;
            }
            to = earlier(from, 1);
        }
    }
}

/// A day that is so many days after another, or the last one that there is.
pub(crate) fn later(date: Date, days: u32) -> Date {
    date.saturating_add(Span::new().days(days))
}

/// A day that is so many days before another, or the first one that there is.
pub(crate) fn earlier(date: Date, days: u32) -> Date {
    date.saturating_sub(Span::new().days(days))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn window(from: Date, to: Date) -> Window {
        Window::new(from, to).unwrap()
    }

    #[test]
    fn halves_are_the_whole_without_overlap() {
        for days in 1..=400 {
            let whole = window(date(2026, 1, 1), later(date(2026, 1, 1), days - 1));
            assert_eq!(whole.days(), days);
            let Some((early, late)) = whole.halves() else {
                assert_eq!(days, 1);
                continue;
            };
            assert_eq!((early.from(), late.to()), (whole.from(), whole.to()));
            assert_eq!(later(early.to(), 1), late.from());
            assert_eq!(early.days() + late.days(), days);
        }
        assert_eq!(Window::new(date(2026, 1, 2), date(2026, 1, 1)), None);
    }

    #[test]
    fn parts_cover_the_window_from_its_end() {
        let whole = window(date(2026, 1, 1), date(2026, 3, 31));
        let parts = whole.parts(60);
        assert_eq!(
            parts,
            [
                window(date(2026, 1, 31), date(2026, 3, 31)),
                window(date(2026, 1, 1), date(2026, 1, 30)),
            ]
        );
        assert_eq!(whole.parts(90), [whole]);
        let single = window(date(2026, 1, 1), date(2026, 1, 1));
        assert_eq!(single.parts(60), [single]);
        assert_eq!(whole.parts(1).len(), 90);
    }
}
