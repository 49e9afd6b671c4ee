//! A fold that goes on from a kept state comes to the same as the whole one.

use jiff::Timestamp;
use proptest::prelude::*;

use super::properties::{any_busy_ledger, any_ledger};
use super::tests::{Ledger, account, day, dec, entry, one};
use super::*;
use crate::ledger::trade::CostMethod::{Average, Fifo, Lifo};
use crate::money::exact::whole;

fn any_statement() -> impl Strategy<Value = Statement> {
    let quantity = (-300..300_i64).prop_map(|mantissa| Decimal::new(mantissa, 2));
    let cost = (0..10_000_i64, (1..9_i64).prop_map(Decimal::from));
    (1..3u128, 1..28i8, quantity, proptest::option::of(cost)).prop_map(
        |(of, on, quantity, cost)| Statement {
            account: account(of),
            date: day(on),
            quantity,
            cost,
        },
    )
}

fn any_cost() -> impl Strategy<Value = StatedCost> {
    let shares = proptest::option::of((1..5_i64).prop_map(whole));
    (1..3u128, 1..28i8, 0..1_000_i64, shares, any::<bool>(), 0..30_i64).prop_map(
        |(of, on, total, shares, locked, at)| StatedCost {
            account: account(of),
            date: day(on),
            total,
            shares,
            stated_at: Timestamp::constant(at, 0),
            locked,
        },
    )
}

/// Random trades with what is stated of the positions.
pub(super) fn any_known() -> impl Strategy<Value = Ledger> {
    (
        prop_oneof![any_ledger(), any_busy_ledger()],
        proptest::collection::vec(any_statement(), 0..4),
        proptest::collection::vec(any_cost(), 0..4),
    )
        .prop_map(|(ledger, statements, costs)| Ledger { statements, costs, ..ledger })
}

/// What is known of the days after one.
fn later_than(ledger: &Ledger, date: Date) -> Ledger {
    let mut later = ledger.clone();
    later.trades.retain(|one| one.date > date);
    later.statements.retain(|one| one.date > date);
    later.costs.retain(|one| one.date > date);
    later
}

/// What follows from the days after one.
fn followed(folded: Folded, date: Date, ledger: &Ledger) -> Folded {
    let Folded { mut segments, mut gains, mut carried } = folded;
    segments.values_mut().for_each(|all| all.retain(|segment| segment.date > date));
    segments.retain(|_, all| !all.is_empty());
    gains.retain(|gain| gain.date > date);
    carried.retain(|id, _| ledger.trades.iter().any(|one| one.id == *id && one.date > date));
    Folded { segments, gains, carried }
}

impl Ledger {
    fn fold_on(&self, from: Option<&Checkpoint>, ends: &[Date]) -> (Folded, Vec<Checkpoint>) {
        let Self { methods, trades, statements, costs } = self;
        fold_on(methods, from, trades, statements, costs, ends).unwrap()
    }

    fn state_on(&self, on: i8) -> Checkpoint {
        self.fold_on(None, &[day(on)]).1.remove(0)
    }
}

proptest! {
    #[test]
    fn what_goes_on_from_a_kept_state_is_the_whole(
        ledger in any_known(), cut in 1..29i8, then in 0..9i8,
    ) {
        let (cut, then) = (day(cut), day((cut + then).min(29)));
        let (whole, states) = ledger.fold_on(None, &[cut, then]);
        prop_assert_eq!(&whole, &ledger.fold(), "states change nothing");
        let text = states[0].to_text().unwrap();
        let kept = Checkpoint::parse(cut, &text).unwrap();
        prop_assert_eq!(&kept, &states[0]);
        prop_assert_eq!(kept.to_text().unwrap(), text);

        let later = later_than(&ledger, cut);
        let (folded, again) = later.fold_on(Some(&kept), &[then]);
        prop_assert_eq!(&folded, &followed(whole, cut, &ledger));
        prop_assert_eq!(again[0].to_text().unwrap(), states[1].to_text().unwrap());
        prop_assert_eq!(ledger.fold_on(Some(&kept), &[]).0, folded, "earlier days have counted");
    }
}

#[test]
fn a_state_has_what_later_days_depend_on_and_nothing_else() {
    for method in [Average, Fifo, Lifo] {
        let closed = one(method).buy(1, "2", 100).sell(2, "2", 120);
        let text = closed.state_on(3).to_text().unwrap();
        let id = account(1);
        let state = format!(
            "{{\"accounts\":{{\"{id}\":{{\"began\":true,\"locked\":false,\"lots\":[],\
             \"splits\":[]}}}}}}"
        );
        assert_eq!(text, state);
    }
    let lots = one(Fifo).buy(1, "3", 100).sell(2, "1.5", 120).buy(3, "0.25", 1).state_on(3);
    let text = lots.to_text().unwrap();
    let expected = "\"lots\":[[\"2024-01-01\",\"2024-01-01\",[\"bought\",\"3.0\",\"100\"],\
        \"1.5\",\"50\",\"calculated\"],\
        [\"2024-01-03\",\"2024-01-03\",[\"bought\",\"0.25\",\"1\"],\
        \"0.25\",\"1\",\"calculated\"]]";
    assert!(text.contains(expected), "{text}");
    assert_eq!(one(Fifo).split(1, 2, 1).state_on(2).to_text().unwrap(), "{\"accounts\":{}}");
}

#[test]
fn a_locked_cost_is_not_replaced_after_the_state_either() {
    for (locked, last) in [(true, "3 12 ?"), (false, "3 12 90p")] {
        let mut ledger = one(Average).buy(1, "10", 100).cost(2, 200, None);
        ledger.costs[0].locked = locked;
        let ledger = ledger.state(3, "12", Some((90, "12")));
        assert_eq!(ledger.segments(1)[2], last);
        let kept = ledger.state_on(2).to_text().unwrap();
        let kept = Checkpoint::parse(day(2), &kept).unwrap();
        let later = later_than(&ledger, day(2)).fold_on(Some(&kept), &[]).0;
        assert_eq!(later, followed(ledger.fold(), day(2), &ledger));
    }
}

#[test]
fn a_split_that_was_recorded_later_makes_more_of_the_shares_of_a_cost() {
    let at = |second: i64| Timestamp::constant(second, 0);
    let split = Event::Split { to: 2, from: 1, recorded_at: at(9) };
    let bought = || one(Average).buy(1, "10", 100).add(1, 3, split.clone());
    for (stated_at, cost) in [(8, "5 20 50m"), (9, "5 20 100m")] {
        let mut ledger = bought().cost(5, 5, Some(1));
        ledger.costs[0].stated_at = at(stated_at);
        assert_eq!(ledger.segments(1)[2], cost);
        let going_on = ledger.fold_on(Some(&ledger.state_on(4)), &[]).0;
        assert_eq!(going_on.segments[&account(1)][..], ledger.fold().segments[&account(1)][2..]);
        let waiting = ledger.state_on(4).to_text().unwrap().contains(":[[\"1970");
        assert_eq!(waiting, stated_at == 8, "only what a later cost needs is kept");
        assert!(!ledger.state_on(5).to_text().unwrap().contains(":[[\"1970"));
    }
    // Shares that came on the day of a split are counted as after it.
    let mut same_day = one(Average)
        .add(1, 3, Event::Split { to: 2, from: 1, recorded_at: at(9) })
        .buy(3, "10", 100)
        .cost(5, 5, Some(1));
    same_day.costs[0].stated_at = at(1);
    assert_eq!(same_day.segments(1)[1], "5 10 50m");
}

#[test]
fn what_is_no_state_is_not_read() {
    let text = one(Fifo).buy(1, "3", 100).state_on(1).to_text().unwrap();
    let read = |text: &str| Checkpoint::parse(day(1), text);
    assert!(read(&text).is_some_and(|state| state.date() == day(1)));
    for (from, to) in [
        ("\"3\"", "\"3.0\""),
        ("\"3\"", "3"),
        ("\"100\"", "\"1/0\""),
        ("calculated", "guessed"),
        ("\"began\":true", "\"began\":1"),
        ("\"locked\":false,", ""),
        ("\"splits\":[]", "\"splits\":[[\"2024-01-01T00:00:00Z\",1,0]]"),
        ("\"accounts\"", "\"other\""),
        ("\"bought\"", "\"found\""),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        assert_eq!(read(&text.replacen(from, to, 1)), None, "{to}");
    }
    assert_eq!(read(""), None);
}

#[test]
fn states_are_kept_after_so_many_trades_and_only_the_last() {
    let days = [1, 1, 1, 2, 3, 3, 5, 6, 6, 6, 6, 7];
    let bought = |ledger: Ledger, on: &i8| ledger.buy(*on, "1", 1);
    let trades = days.iter().fold(one(Fifo), bought).trades;
    let on = |every, keep| -> Vec<i8> {
        checkpoint_days(&trades, every, keep).iter().map(|date| date.day()).collect()
    };
    assert_eq!(on(3, 9), [1, 3, 6]);
    assert_eq!(on(3, 2), [3, 6]);
    assert_eq!(on(4, 9), [2, 6]);
    assert_eq!(on(1, 3), [5, 6, 7]);
    assert_eq!(on(13, 3), [0; 0]);
    assert_eq!(checkpoint_days(&[], 1, 3), []);
}

#[test]
fn a_move_goes_on_with_lots_of_before() {
    let moved = Ledger::new(&[(1, Lifo), (2, Fifo)])
        .buy(1, "1", 100)
        .buy(2, "2", 500)
        .transfer(3, 1, 2, "2.5");
    let (folded, _) = moved.fold_on(Some(&moved.state_on(2)), &[]);
    let carried = &folded.carried[&entry(4)];
    assert_eq!(carried.lots.len(), 2);
    assert_eq!(carried.lots[1].quantity, dec("0.5"));
    assert_eq!(carried.cost, Some(whole(550)));
}
