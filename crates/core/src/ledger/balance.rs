//! Daily balances: what an account held at the end of each day, and why.
//!
//! A series has one [`Day`] for each day on which something happened, in order of date; a day
//! between has the end of the one before it. Days are folded forward from the account's opening:
//!
//! ```text
//! start = end of the day before, or the opening amount
//! end   = start + (inflow − outflow) · s + adjustment        s = +1 for assets, −1 for debt
//! ```
//!
//! On a day with a valuation `end` is the valuation, and the adjustment is what the flows don't
//! explain; on every other day the adjustment is zero. A change is merged into the days that it
//! touches, and only the days from the earliest of them on are folded again: the cost of a late
//! entry is the number of later days, not of entries.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::account::Classification;

/// What happened on a day, before it is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// Money in, positive.
    pub inflow: i64,
    /// Money out, positive.
    pub outflow: i64,
    /// The valuation of the day, if there is one.
    pub valued: Option<i64>,
    /// How many transactions there are.
    pub transactions: i64,
}

/// A day of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Which day.
    pub date: Date,
    /// What happened.
    pub activity: Activity,
    /// What the flows don't explain; zero without a valuation.
    pub adjustment: i64,
    /// At the end of the day; for a liability positive = debt.
    pub end: i64,
}

/// How a day's activity changes. Flows and counts add up, a valuation replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delta {
    /// Added to the inflow; negative when an entry is taken away.
    pub inflow: i64,
    /// Added to the outflow.
    pub outflow: i64,
    /// Added to the number of transactions.
    pub transactions: i64,
    /// `None` leaves the day's valuation alone, `Some(None)` takes it away.
    pub valued: Option<Option<i64>>,
}

/// An amount left the range of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the balance is out of range")]
pub struct OutOfRange;

impl Delta {
    /// Counts one transaction in. `amount` is positive for money out.
    pub fn add_transaction(&mut self, amount: i64) -> Result<(), OutOfRange> {
        let flow = if amount > 0 { &mut self.outflow } else { &mut self.inflow };
        let size = amount.checked_abs().ok_or(OutOfRange)?;
        *flow = flow.checked_add(size).ok_or(OutOfRange)?;
        self.transactions += 1;
        Ok(())
    }

    /// Takes one transaction out that was counted in before.
    pub fn remove_transaction(&mut self, amount: i64) -> Result<(), OutOfRange> {
        let flow = if amount > 0 { &mut self.outflow } else { &mut self.inflow };
        let size = amount.checked_abs().ok_or(OutOfRange)?;
        *flow = flow.checked_sub(size).ok_or(OutOfRange)?;
        self.transactions -= 1;
        Ok(())
    }
}

impl Activity {
    fn changed_by(self, delta: &Delta) -> Result<Self, OutOfRange> {
        Ok(Self {
            inflow: self.inflow.checked_add(delta.inflow).ok_or(OutOfRange)?,
            outflow: self.outflow.checked_add(delta.outflow).ok_or(OutOfRange)?,
            valued: delta.valued.unwrap_or(self.valued),
            transactions: self.transactions + delta.transactions,
        })
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Merges changes into the days that they touch. Days on which nothing is left disappear.
pub fn merge(
    days: impl IntoIterator<Item = (Date, Activity)>,
    deltas: &BTreeMap<Date, Delta>,
) -> Result<BTreeMap<Date, Activity>, OutOfRange> {
    let mut merged: BTreeMap<Date, Activity> = days.into_iter().collect();
    for (date, delta) in deltas {
        let before = merged.get(date).copied().unwrap_or_default();
        let after = before.changed_by(delta)?;
        if after.is_empty() {
            merged.remove(date);
        } else {
            merged.insert(*date, after);
        }
    }
    Ok(merged)
}

/// Folds days forward from `start`, the end of the day before the first.
pub fn fold(
    classification: Classification,
    start: i64,
    days: impl IntoIterator<Item = (Date, Activity)>,
) -> Result<Vec<Day>, OutOfRange> {
    let mut end = start;
    days.into_iter()
        .map(|(date, activity)| {
            let flowed = flow(classification, end, &activity)?;
            let adjustment = match activity.valued {
                Some(value) => value.checked_sub(flowed).ok_or(OutOfRange)?,
                None => 0,
            };
            end = activity.valued.unwrap_or(flowed);
            Ok(Day { date, activity, adjustment, end })
        })
        .collect()
}

/// `start` moved by the day's flows.
fn flow(classification: Classification, start: i64, day: &Activity) -> Result<i64, OutOfRange> {
    let out = day.outflow.checked_sub(day.inflow).ok_or(OutOfRange)?;
    let moved = match classification {
        Classification::Asset => start.checked_sub(out),
        Classification::Liability => start.checked_add(out),
    };
    moved.ok_or(OutOfRange)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(number: i32) -> Date {
        jiff::civil::date(2024, 1, 1).checked_add(jiff::Span::new().days(number)).unwrap()
    }

    fn flows(inflow: i64, outflow: i64) -> Activity {
        Activity { inflow, outflow, valued: None, transactions: 1 }
    }

    fn ends(days: &[Day]) -> Vec<i64> {
        days.iter().map(|day| day.end).collect()
    }

    /// Worked numbers of everyday accounts.
    #[test]
    fn flows_move_assets_and_debt_in_opposite_directions() {
        let asset =
            fold(Classification::Asset, 20_000, [(day(0), flows(500, 0)), (day(1), flows(0, 100))]);
        assert_eq!(ends(&asset.unwrap()), [20_500, 20_400]);
        let debt = fold(
            Classification::Liability,
            1_000,
            [(day(0), flows(500, 0)), (day(1), flows(0, 100))],
        );
        assert_eq!(ends(&debt.unwrap()), [500, 600]);
    }

    #[test]
    fn a_valuation_sets_the_end_and_shows_what_is_unexplained() {
        let valued = Activity { valued: Some(17_000), ..Activity::default() };
        let days = fold(
            Classification::Asset,
            20_000,
            [(day(1), flows(5_000, 0)), (day(2), valued), (day(3), flows(500, 0))],
        )
        .unwrap();
        assert_eq!(ends(&days), [25_000, 17_000, 17_500]);
        assert_eq!(days.iter().map(|day| day.adjustment).collect::<Vec<_>>(), [0, -8_000, 0]);
    }

    #[test]
    fn taking_away_what_was_added_leaves_no_day() {
        let (mut delta, mut gone) = (Delta::default(), Delta::default());
        delta.add_transaction(500).unwrap();
        gone.remove_transaction(500).unwrap();
        assert_eq!(gone, Delta { outflow: -500, transactions: -1, ..Delta::default() });
        let added = merge([], &BTreeMap::from([(day(1), delta)])).unwrap();
        assert_eq!(merge(added, &BTreeMap::from([(day(1), gone)])).unwrap(), BTreeMap::new());
    }

    #[test]
    fn out_of_range_is_an_error() {
        let end = fold(Classification::Asset, i64::MAX, [(day(0), flows(1, 0))]);
        assert_eq!(end, Err(OutOfRange));
        assert_eq!(Delta::default().add_transaction(i64::MIN), Err(OutOfRange));
        assert_eq!(Delta::default().remove_transaction(i64::MIN), Err(OutOfRange));
    }

    /// A random change of one day.
    fn any_delta() -> impl Strategy<Value = (Date, Delta)> {
        let amounts = proptest::collection::vec(-1_000_000_i64..1_000_000, 0..4);
        let valued = proptest::option::of(proptest::option::of(-1_000_000_i64..1_000_000));
        (0..40_i32, amounts, valued).prop_map(|(number, amounts, valued)| {
            let mut delta = Delta { valued, ..Delta::default() };
            amounts.into_iter().for_each(|amount| delta.add_transaction(amount).unwrap());
            (day(number), delta)
        })
    }

    fn any_class() -> impl Strategy<Value = Classification> {
        prop_oneof![Just(Classification::Asset), Just(Classification::Liability)]
    }

    proptest! {
        /// Folding on from the middle gives what folding everything gives.
        #[test]
        fn incremental_equals_full(
            class in any_class(), start in -1_000_000_i64..1_000_000,
            first in proptest::collection::btree_map(0..40_i32, any_delta(), 0..30),
            (from, change) in any_delta(),
        ) {
            let first: BTreeMap<_, _> = first.into_values().collect();
            let before = merge([], &first).unwrap();
            let change = BTreeMap::from([(from, change)]);
            let full = fold(class, start, merge(before.clone(), &change).unwrap()).unwrap();

            let old = fold(class, start, before.clone()).unwrap();
            let kept: Vec<Day> = old.into_iter().filter(|day| day.date < from).collect();
            let seed = kept.last().map_or(start, |day| day.end);
            let later = before.into_iter().filter(|(date, _)| *date >= from);
            let folded = fold(class, seed, merge(later, &change).unwrap()).unwrap();
            prop_assert_eq!(kept.into_iter().chain(folded).collect::<Vec<_>>(), full);
        }

        /// Every row explains itself, and starts where the one before ended.
        #[test]
        fn rows_articulate(
            class in any_class(), start in -1_000_000_i64..1_000_000,
            deltas in proptest::collection::btree_map(0..40_i32, any_delta(), 0..30),
        ) {
            let deltas: BTreeMap<_, _> = deltas.into_values().collect();
            let mut end = start;
            for day in fold(class, start, merge([], &deltas).unwrap()).unwrap() {
                let net = (day.activity.outflow - day.activity.inflow) * class.sign();
                prop_assert_eq!(day.end, end + net + day.adjustment);
                prop_assert!(day.activity.valued.is_some() || day.adjustment == 0);
                end = day.end;
            }
        }
    }
}
