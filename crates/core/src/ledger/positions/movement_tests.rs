use proptest::prelude::*;

use super::super::going_on::any_known;
use super::super::tests::{Ledger, one};
use super::*;
use crate::ledger::trade::CostMethod::{Average, Fifo, Lifo};
use crate::money::exact::to_text;

fn moved(ledger: &Ledger) -> Vec<Movement> {
    let Ledger { methods, trades, statements, costs } = ledger;
    movements(methods, trades, statements, costs).flat_map(Result::unwrap).collect()
}

/// The changes of one account, one movement in a line.
fn shown(ledger: &Ledger) -> Vec<String> {
    let change = |change: &LotChange| {
        let cost = change.cost.as_ref().map_or("?".to_owned(), to_text);
        format!("{} {} {cost}", change.opened.day(), change.quantity)
    };
    let movement = |movement: &Movement| {
        let (_, changes) = &movement.accounts[0];
        changes.iter().map(change).collect::<Vec<_>>().join(", ")
    };
    moved(ledger).iter().map(movement).collect()
}

#[test]
fn a_sale_takes_parts_of_lots_and_crosses_zero() {
    let bought = |method| one(method).buy(1, "2", 100).buy(2, "2", 300);
    for (method, sales) in [
        (Fifo, ["1 -2 -100, 2 -1 -150", "2 -1 -150, 4 -1 -90"]),
        (Lifo, ["1 -1 -50, 2 -2 -300", "1 -1 -50, 4 -1 -90"]),
    ] {
        let ledger = bought(method).sell(3, "3", 270).sell(4, "2", 180);
        assert_eq!(shown(&ledger)[..2], ["1 2 100", "2 2 300"]);
        assert_eq!(shown(&ledger)[2..], sales, "{method:?}");
    }
    let pool = bought(Average).sell(3, "3", 270);
    assert_eq!(shown(&pool), ["1 2 100", "1 -2 -100, 1 4 400", "1 -3 -300"]);
}

#[test]
fn equal_prices_of_a_day_cross_zero_in_two_changes() {
    let ledger = one(Fifo).buy(1, "2", 100).sell(1, "3", 150);
    assert_eq!(shown(&ledger), ["1 2 100", "1 -2 -100, 1 -1 -50"]);
}

#[test]
fn a_cost_that_nobody_knows_stays_unknown() {
    let ledger = one(Average).buy(1, "2", 100).state(2, "5", None).sell(3, "5", 90);
    assert_eq!(shown(&ledger), ["1 2 100", "1 -2 -100, 1 5 ?", "1 -5 ?"]);
}

proptest! {
    /// Whatever the ledger, the changes add up to the segments, at the end of every day.
    #[test]
    fn movements_add_up_to_positions(ledger in any_known()) {
        let folded = ledger.fold();
        let moved = moved(&ledger);
        for (of, segments) in &folded.segments {
            let mut quantity = Decimal::ZERO;
            let mut cost = whole(0);
            let mut unknown = Decimal::ZERO;
            let mut changes = moved.iter().peekable();
            for segment in segments {
                while let Some(movement) = changes.next_if(|one| one.date <= segment.date) {
                    let own = movement.accounts.iter().filter(|(account, _)| account == of);
                    for change in own.flat_map(|(_, changes)| changes) {
                        quantity += change.quantity;
                        match &change.cost {
                            Some(part) => cost += part,
                            None => unknown += change.quantity,
                        }
                    }
                }
                prop_assert_eq!(quantity, segment.quantity, "{} {}", of, segment.date);
                if let Some(known) = &segment.cost {
                    prop_assert!(unknown.is_zero());
                    prop_assert_eq!(&cost, known);
                }
            }
        }
        prop_assert!(!moved.is_empty() || folded.segments.values().all(Vec::is_empty));
    }
}
