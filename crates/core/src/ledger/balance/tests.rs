use proptest::prelude::*;

use super::*;

fn day(number: i32) -> Date {
    jiff::civil::date(2024, 1, 1).checked_add(jiff::Span::new().days(number)).unwrap()
}

fn flows(inflow: i64, outflow: i64) -> Activity {
    Activity { inflow, outflow, transactions: 1, ..Activity::default() }
}

fn valued(amount: i64) -> Activity {
    Activity { valued: Some(amount), ..Activity::default() }
}

fn none(_: Date) -> i64 {
    0
}

fn folded(
    classification: Classification,
    direction: Direction,
    opening: i64,
    days: impl IntoIterator<Item = (Date, Activity)>,
) -> Folded {
    fold(classification, direction, Start::Opening(opening), days, none).unwrap()
}

fn ends(folded: &Folded) -> Vec<i64> {
    folded.days.iter().map(|day| day.end).collect()
}

fn adjustments(folded: &Folded) -> Vec<(Date, i64)> {
    let adjusted = folded.days.iter().filter(|day| day.adjustment != 0);
    adjusted.map(|day| (day.date, day.adjustment)).collect()
}

use Classification::{Asset, Liability};
use Direction::{Backward, Forward};

/// Worked numbers of everyday accounts.
#[test]
fn flows_move_assets_and_debt_in_opposite_directions() {
    let days = [(day(0), flows(500, 0)), (day(1), flows(0, 100))];
    assert_eq!(ends(&folded(Asset, Forward, 20_000, days)), [20_500, 20_400]);
    assert_eq!(ends(&folded(Liability, Forward, 1_000, days)), [500, 600]);
}

#[test]
fn a_valuation_sets_the_end_and_shows_what_is_unexplained() {
    let days = [(day(1), flows(5_000, 0)), (day(2), valued(17_000)), (day(3), flows(500, 0))];
    let series = folded(Asset, Forward, 20_000, days);
    assert_eq!(ends(&series), [25_000, 17_000, 17_500]);
    assert_eq!(adjustments(&series), [(day(2), -8_000)]);
}

/// Cash is what the holdings leave over of the whole.
#[test]
fn a_valuation_of_an_account_with_holdings_is_of_the_whole() {
    let bought = Activity { outflow: 1_000, bought: 1_000, ..Activity::default() };
    let days = [(day(1), bought), (day(2), valued(10_000))];
    let series: Result<Folded, OutOfRange> =
        fold(Asset, Forward, Start::Opening(5_000), days, |date| {
            assert_eq!(date, day(2));
            1_100
        });
    let series = series.unwrap();
    assert_eq!(ends(&series), [4_000, 8_900]);
    assert_eq!(adjustments(&series), [(day(2), 4_900)]);
}

#[test]
fn backward_the_past_follows_from_what_is_known_now() {
    let days = [
        (day(1), flows(0, 300)),
        (day(5), flows(1_000, 0)),
        (day(9), Activity { valued: Some(2_000), ..flows(0, 200) }),
        (day(12), flows(0, 50)),
    ];
    let series = folded(Asset, Backward, 77, days);
    assert_eq!(series.opening, 1_500);
    assert_eq!(ends(&series), [1_200, 2_200, 2_000, 1_950]);
    assert_eq!(adjustments(&series), []);
    let debt = folded(Liability, Backward, 0, days);
    assert_eq!((debt.opening, ends(&debt)), (2_500, vec![2_800, 1_800, 2_000, 2_050]));
}

#[test]
fn backward_the_unexplained_stands_after_the_earlier_known_balance() {
    let anchored = [(day(0), valued(1_000)), (day(4), flows(0, 200)), (day(9), valued(1_000))];
    let series = folded(Asset, Backward, 0, anchored);
    assert_eq!(series.days.len(), 4, "a day of its own");
    assert_eq!(ends(&series), [1_000, 1_200, 1_000, 1_000]);
    assert_eq!(adjustments(&series), [(day(1), 200)]);
    let next = [(day(0), valued(1_000)), (day(1), flows(0, 200)), (day(9), valued(1_000))];
    let series = folded(Asset, Backward, 0, next);
    assert_eq!(ends(&series), [1_000, 1_000, 1_000]);
    assert_eq!(adjustments(&series), [(day(1), 200)]);
}

#[test]
fn backward_without_a_known_balance_is_forward() {
    let days = [(day(1), flows(0, 300)), (day(5), flows(1_000, 0))];
    assert_eq!(folded(Asset, Backward, 77, days), folded(Asset, Forward, 77, days));
}

#[test]
fn taking_away_what_was_added_leaves_no_day() {
    let (mut delta, mut gone) = (Delta::default(), Delta::default());
    delta.add_transaction(500).unwrap();
    delta.add_trade(-70, -60).unwrap();
    gone.remove_transaction(500).unwrap();
    gone.remove_trade(-70, -60).unwrap();
    let expected =
        Delta { outflow: -500, inflow: -70, sold: -60, transactions: -1, ..Delta::default() };
    assert_eq!(gone, expected);
    let added = merge([], &BTreeMap::from([(day(1), delta)])).unwrap();
    assert_eq!(merge(added, &BTreeMap::from([(day(1), gone)])).unwrap(), BTreeMap::new());
    delta.merge(&gone).unwrap();
    assert_eq!(delta, Delta::default());
}

#[test]
fn out_of_range_is_an_error() {
    let days = [(day(0), flows(1, 0))];
    let end = fold(Asset, Forward, Start::Opening(i64::MAX), days, none);
    assert_eq!(end, Err(OutOfRange));
    assert_eq!(Delta::default().add_transaction(i64::MIN), Err(OutOfRange));
    assert_eq!(Delta::default().remove_transaction(i64::MIN), Err(OutOfRange));
    assert_eq!(Delta::default().add_trade(0, i64::MIN), Err(OutOfRange));
}

/// A random change of one day.
fn any_delta() -> impl Strategy<Value = (Date, Delta)> {
    let amounts = proptest::collection::vec(-1_000_000_i64..1_000_000, 0..4);
    let trades = proptest::collection::vec((-1_000_i64..1_000, -1_000_i64..1_000), 0..2);
    let valued = proptest::option::of(proptest::option::of(-1_000_000_i64..1_000_000));
    (0..40_i32, amounts, trades, valued).prop_map(|(number, amounts, trades, valued)| {
        let mut delta = Delta { valued, ..Delta::default() };
        amounts.into_iter().for_each(|amount| delta.add_transaction(amount).unwrap());
        trades.into_iter().for_each(|(cash, value)| delta.add_trade(cash, value).unwrap());
        (day(number), delta)
    })
}

fn any_class() -> impl Strategy<Value = Classification> {
    prop_oneof![Just(Asset), Just(Liability)]
}

fn any_direction() -> impl Strategy<Value = Direction> {
    prop_oneof![Just(Forward), Just(Backward)]
}

fn any_deltas() -> impl Strategy<Value = BTreeMap<Date, Delta>> {
    proptest::collection::btree_map(0..40_i32, any_delta(), 0..30)
        .prop_map(|deltas| deltas.into_values().collect())
}

/// What the holdings of the tests are worth.
fn worth(date: Date) -> i64 {
    i64::from(date.day()) * 7
}

proptest! {
    /// Folding on from the middle gives what folding everything gives. Backward the middle is the
    /// last known balance before the change.
    #[test]
    fn incremental_equals_full(
        class in any_class(), direction in any_direction(), start in -1_000_000_i64..1_000_000,
        first in any_deltas(), (from, change) in any_delta(),
    ) {
        let before = merge([], &first).unwrap();
        let change = BTreeMap::from([(from, change)]);
        let opening = Start::Opening(start);
        let merged = merge(before.clone(), &change).unwrap();
        let full = fold(class, direction, opening, merged, worth).unwrap();

        let old = fold(class, direction, opening, before, worth).unwrap();
        let earlier = old.days.iter().filter(|day| day.date < from);
        let kept: Vec<Day> = match direction {
            Forward => earlier.copied().collect(),
            Backward => {
                let known = earlier.clone().filter(|day| day.activity.valued.is_some());
                let last = known.map(|day| day.date).next_back();
                earlier.filter(|day| Some(day.date) <= last).copied().collect()
            }
        };
        let seed = kept.last().map_or(opening, |day| Start::After(day.date, day.end));
        // Stored days are taken as they are: those that only hold an adjustment are empty.
        let later = old.days.iter().skip(kept.len()).map(|day| (day.date, day.activity));
        let again = fold(class, direction, seed, merge(later, &change).unwrap(), worth).unwrap();
        let joined: Vec<Day> = kept.iter().copied().chain(again.days).collect();
        prop_assert_eq!(joined, full.days);
        if kept.is_empty() {
            prop_assert_eq!(again.opening, full.opening);
        }
    }

    /// Every row explains itself and starts where the one before ended; a known end is the end.
    #[test]
    fn rows_articulate(
        class in any_class(), direction in any_direction(), start in -1_000_000_i64..1_000_000,
        deltas in any_deltas(),
    ) {
        let merged = merge([], &deltas).unwrap();
        let folded = fold(class, direction, Start::Opening(start), merged, worth).unwrap();
        let mut end = folded.opening;
        let mut earlier: Option<Date> = None;
        let mut last_known = None;
        for day in folded.days {
            prop_assert!(earlier < Some(day.date));
            let net = (day.activity.outflow - day.activity.inflow) * class.sign();
            prop_assert_eq!(day.end, end + net + day.adjustment);
            if let Some(whole) = day.activity.valued {
                prop_assert_eq!(day.end, whole - worth(day.date));
            }
            let may_adjust = match direction {
                Forward => day.activity.valued.is_some(),
                Backward => last_known == day.date.yesterday().ok(),
            };
            prop_assert!(may_adjust || day.adjustment == 0);
            if day.activity.valued.is_some() {
                last_known = Some(day.date);
            }
            end = day.end;
            earlier = Some(day.date);
        }
    }

    /// The order in which changes arrive doesn't matter.
    #[test]
    fn any_order_of_arrival_gives_the_same(
        deltas in proptest::collection::vec(any_delta(), 0..20), seed in any::<u64>(),
    ) {
        // Two words on one day's valuation have an order; take them off but for flows.
        let deltas: Vec<(Date, Delta)> =
            deltas
                .into_iter()
                .map(|(date, delta)| (date, Delta { valued: None, ..delta }))
                .collect();
        let mut shuffled = deltas.clone();
        let count = shuffled.len().max(1) as u64;
        for at in 0..shuffled.len() {
            shuffled.swap(at, ((seed >> (at % 32)) % count) as usize);
        }
        let collect = |deltas: Vec<(Date, Delta)>| {
            deltas.into_iter().fold(BTreeMap::new(), |days, delta| {
                merge(days, &BTreeMap::from([delta])).unwrap()
            })
        };
        prop_assert_eq!(collect(deltas), collect(shuffled));
    }
}
