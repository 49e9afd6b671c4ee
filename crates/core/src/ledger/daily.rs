//! Every day of an account's series, in its two halves: money, and what is worth money.
//!
//! The stored series has only days on which something happened ([`super::balance`]). Here each day
//! of a range gets a row that explains itself, for each half and so for the whole:
//!
//! ```text
//! start(d) = end(d−1)
//! end      = start + (inflows − outflows) · s + market + adjustment
//! ```
//!
//! Of an account with holdings the stored series is the money; the other half is what its holdings
//! are worth, and their market movement is what flows don't explain.

use jiff::civil::Date;

use super::account::{Classification, Composition};
use super::balance::{Day, OutOfRange};

/// One half of a day, in the account's currency and its scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Half {
    /// The end of the day before.
    pub start: i64,
    /// What came in, positive.
    pub inflows: i64,
    /// What went out, positive.
    pub outflows: i64,
    /// What prices and rates did to the holdings.
    pub market: i64,
    /// The part that neither flows nor the market explain.
    pub adjustment: i64,
    /// The end of the day.
    pub end: i64,
}

/// A day of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DailyBalance {
    /// The date of the day.
    pub date: Date,
    /// The part of the balance that is money.
    pub cash: Half,
    /// The part of the balance that is not money.
    pub non_cash: Half,
}

/// What an account's rows are made of.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    /// Whether the account is an asset or a liability.
    pub classification: Classification,
    /// What the balance consists of.
    pub composition: Composition,
    /// The end of the stored series before the first day of the range.
    pub before: i64,
    /// The stored days of the range, in order.
    pub days: &'a [Day],
    /// What the holdings are worth at the end of the day before the range and of each of its days.
    /// Empty if there are none.
    pub worth: &'a [i64],
}

impl Series<'_> {
    /// A row for every day from `from` to `to`, the earliest first.
    pub fn rows(&self, from: Date, to: Date) -> Result<Vec<DailyBalance>, OutOfRange> {
        let mut end = self.before;
        let mut stored = self.days.iter().peekable();
        let mut rows = Vec::new();
        for (at, date) in from.series(jiff::Span::new().days(1)).enumerate() {
            if date > to {
                break;
            }
            let day = stored.next_if(|day| day.date == date);
            let mut half = Half { start: end, end, ..Half::default() };
            if let Some(day) = day {
                half.inflows = day.activity.inflow;
                half.outflows = day.activity.outflow;
                half.adjustment = day.adjustment;
                half.end = day.end;
                end = day.end;
            }
            rows.push(match self.composition {
                Composition::Cash => DailyBalance { date, cash: half, non_cash: Half::default() },
                Composition::NonCash => {
                    DailyBalance { date, cash: Half::default(), non_cash: half }
                }
                Composition::Holdings => {
                    DailyBalance { date, cash: half, non_cash: self.holdings(at, day)? }
                }
            });
        }
        Ok(rows)
    }

    fn holdings(&self, at: usize, day: Option<&Day>) -> Result<Half, OutOfRange> {
        let worth = |at: usize| self.worth.get(at).copied().unwrap_or_default();
        let (start, end) = (worth(at), worth(at + 1));
        let (inflows, outflows) =
            day.map_or((0, 0), |day| (day.activity.bought, day.activity.sold));
        let net = inflows.checked_sub(outflows).ok_or(OutOfRange)?;
        let market = end.checked_sub(start).and_then(|moved| moved.checked_sub(net));
        let market = market.ok_or(OutOfRange)?;
        Ok(Half { start, inflows, outflows, market, adjustment: 0, end })
    }
}

impl Half {
    /// Whether the half explains itself.
    pub fn articulates(&self, classification: Classification) -> bool {
        let flows = i128::from(self.inflows) - i128::from(self.outflows);
        let sign = -i128::from(classification.sign());
        let end = i128::from(self.start)
            + flows * sign
            + i128::from(self.market)
            + i128::from(self.adjustment);
        end == i128::from(self.end)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::balance::{Activity, Direction, Start, fold};

    fn series<'a>(composition: Composition, days: &'a [Day], worth: &'a [i64]) -> Series<'a> {
        Series { classification: Classification::Asset, composition, before: 5_000, days, worth }
    }

    /// 5,000; 10 shares at 100 bought; the price goes to 110.
    #[test]
    fn market_movement_is_what_flows_do_not_explain() {
        let bought = Activity { outflow: 1_000, bought: 1_000, ..Activity::default() };
        let day = Day { date: date(2024, 1, 2), activity: bought, adjustment: 0, end: 4_000 };
        let worth = [0, 0, 1_000, 1_100];
        let (from, to) = (date(2024, 1, 1), date(2024, 1, 3));
        let rows = series(Composition::Holdings, &[day], &worth).rows(from, to).unwrap();
        let ends: Vec<_> = rows.iter().map(|row| (row.cash.end, row.non_cash.end)).collect();
        assert_eq!(ends, [(5_000, 0), (4_000, 1_000), (4_000, 1_100)]);
        let market: Vec<_> = rows.iter().map(|row| row.non_cash.market).collect();
        assert_eq!(market, [0, 0, 100]);
    }

    #[test]
    fn the_type_decides_which_half_it_is() {
        let activity = Activity { outflow: 2_000, ..Activity::default() };
        let day = Day { date: date(2024, 1, 2), activity, adjustment: 0, end: 3_000 };
        for (composition, cash, non_cash) in
            [(Composition::Cash, 3_000, 0), (Composition::NonCash, 0, 3_000)]
        {
            let days = [day];
            let day = series(composition, &days, &[]).rows(day.date, day.date).unwrap()[0];
            assert_eq!((day.cash.end, day.non_cash.end), (cash, non_cash));
            assert_eq!(day.cash.start + day.non_cash.start, 5_000);
        }
    }

    proptest! {
        /// Each row starts where the one before ended and explains itself, whatever happened.
        #[test]
        fn rows_articulate(
            activities in proptest::collection::btree_map(1_i8..28, (0_i64..900, 0_i64..900,
                0_i64..900, 0_i64..900, proptest::option::of(-900_i64..900)), 0..12),
            worth in proptest::collection::vec(-900_i64..900, 31),
            opening in -900_i64..900, owed: bool, which in 0_usize..3, backward: bool,
            from in 1_i8..28,
        ) {
            let composition =
                [Composition::Cash, Composition::NonCash, Composition::Holdings][which];
            let owed = owed && composition != Composition::Holdings;
            let classification =
                if owed { Classification::Liability } else { Classification::Asset };
            let days: BTreeMap<Date, Activity> = activities
                .into_iter()
                .map(|(day, (inflow, outflow, bought, sold, valued))| {
                    let activity =
                        Activity { inflow, outflow, bought, sold, valued, transactions: 1 };
                    (date(2024, 1, day), activity)
                })
                .collect();
            let holds = composition == Composition::Holdings;
            let held = |date: Date| if holds { worth[date.day() as usize] } else { 0 };
            let direction = if backward { Direction::Backward } else { Direction::Forward };
            let folded =
                fold(classification, direction, Start::Opening(opening), days.clone(), held)
                    .unwrap();
            let from = date(2024, 1, from);
            let before = folded.days.iter().rfind(|day| day.date < from);
            let before = before.map_or(folded.opening, |day| day.end);
            let range: Vec<Day> =
                folded.days.into_iter().filter(|day| day.date >= from).collect();
            let first = from.day() as usize - 1;
            let series = Series {
                classification, composition, before, days: &range, worth: &worth[first..],
            };
            let rows = series.rows(from, date(2024, 1, 30)).unwrap();
            prop_assert_eq!(rows.len(), 31 - from.day() as usize);
            let mut ends: Option<(i64, i64)> = None;
            for row in rows {
                prop_assert!(row.cash.articulates(classification));
                prop_assert!(row.non_cash.articulates(classification));
                if let Some(ends) = ends {
                    prop_assert_eq!(ends, (row.cash.start, row.non_cash.start));
                }
                if let Some(whole) = days.get(&row.date).and_then(|day| day.valued) {
                    prop_assert_eq!(row.cash.end + row.non_cash.end, whole);
                }
                ends = Some((row.cash.end, row.non_cash.end));
            }
        }
    }
}
