//! The days of a series of which the end isn't known, because an amount is not booked in it: no
//! rate into the account's currency is known.
//!
//! Folded forward, every end from the day of the amount on lacks it, until a valuation sets the end
//! of a day. Folded backward, the ends that are derived from the next valuation lack it: those
//! before the day of the amount, back to the valuation before it. After the last valuation every
//! series goes forward.

use jiff::civil::Date;

use super::balance::Direction;

/// The days of which the end isn't known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnknownDays {
    /// The days with an amount that isn't booked, in order.
    unbooked: Vec<Date>,
    /// The first and the last day of each span. Neither decreases from one span to the next.
    spans: Vec<(Date, Date)>,
}

impl UnknownDays {
    /// What follows from the days with an amount that isn't booked and from those with a valuation,
    /// each in order.
    pub fn new(direction: Direction, unbooked: Vec<Date>, valued: &[Date]) -> Self {
        let span = |day: &Date| {
            let (before, after) = valued.split_at(valued.partition_point(|valued| valued < day));
            let (first, last) = match (direction, after.first()) {
                (_, None) => (*day, Date::MAX),
                (Direction::Forward, Some(known)) => (*day, known.yesterday().ok()?),
                (Direction::Backward, Some(_)) => {
                    let known = before.last().map_or(Ok(Date::MIN), |known| known.tomorrow());
                    (known.ok()?, day.yesterday().ok()?)
                }
            };
            (first <= last).then_some((first, last))
        };
        let spans = unbooked.iter().filter_map(span).collect();
        Self { unbooked, spans }
    }

    /// Whether the end of a day is known.
    pub fn is_end_known(&self, day: Date) -> bool {
        let span = self.spans.partition_point(|(_, last)| *last < day);
        self.spans.get(span).is_none_or(|(first, _)| day < *first)
    }

    /// Whether all of a day is known: its start, its flows and its end.
    pub fn is_day_known(&self, day: Date) -> bool {
        self.is_end_known(day)
            && day.yesterday().is_ok_and(|before| self.is_end_known(before))
            && self.unbooked.binary_search(&day).is_err()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::account::Classification;
    use crate::ledger::balance::{Activity, Start, fold};

    fn day(number: i8) -> Date {
        date(2024, 1, number)
    }

    /// The end of each day from the 1st to the 30th.
    fn ends(direction: Direction, days: &BTreeMap<Date, Activity>) -> Vec<i64> {
        let start = Start::Opening(500);
        let folded = fold(Classification::Asset, direction, start, days.clone(), |_| 0).unwrap();
        let end = |number| {
            let stored = folded.days.iter().rfind(|stored| stored.date <= day(number));
            stored.map_or(folded.opening, |stored| stored.end)
        };
        (1..=30).map(end).collect()
    }

    #[test]
    fn a_day_with_an_unknown_start_or_flow_is_not_known() {
        for (direction, unknown) in
            [(Direction::Forward, [5, 6, 7, 8]), (Direction::Backward, [2, 3, 4, 5])]
        {
            let days = UnknownDays::new(direction, vec![day(5)], &[day(1), day(8), day(12)]);
            let found: Vec<i8> =
                (2..=30).filter(|number| !days.is_day_known(day(*number))).collect();
            assert_eq!(found, unknown, "{direction:?}");
        }
    }

    proptest! {
        /// The ends that are known are those that the missing amounts don't change; with a single
        /// one, all others are changed by it.
        #[test]
        fn missing_amounts_change_the_unknown_ends_alone(
            flows in proptest::collection::btree_map(1_i8..=30, 1_i64..900, 0..6),
            missing in proptest::collection::btree_map(1_i8..=30, 1_i64..900, 1..4),
            valued in proptest::collection::btree_map(1_i8..=30, -900_i64..900, 0..4),
            backward: bool,
        ) {
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            let mut booked: BTreeMap<Date, Activity> = BTreeMap::new();
            for (number, inflow) in flows {
                booked.entry(day(number)).or_default().inflow = inflow;
            }
            for (number, end) in &valued {
                booked.entry(day(*number)).or_default().valued = Some(*end);
            }
            let mut all = booked.clone();
            for (number, inflow) in &missing {
                all.entry(day(*number)).or_default().inflow += inflow;
            }
            let unbooked: Vec<Date> = missing.keys().map(|number| day(*number)).collect();
            let valued: Vec<Date> = valued.keys().map(|number| day(*number)).collect();
            let days = UnknownDays::new(direction, unbooked, &valued);
            let (right, shown) = (ends(direction, &all), ends(direction, &booked));
            for (number, (right, shown)) in (1..).zip(right.into_iter().zip(shown)) {
                let is_known = days.is_end_known(day(number));
                prop_assert!(!is_known || right == shown, "{number}");
                prop_assert!(is_known || missing.len() > 1 || right != shown, "{number}");
            }
        }
    }
}
