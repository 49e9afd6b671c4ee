//! An account that is gone: shares that moved from it or to it count as before.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::properties::any_busy_ledger;
use super::tests::{Ledger, account, dec, entry};
use super::*;
use crate::ledger::trade::CostMethod::{Average, Fifo, Lifo};
use crate::money::exact::whole;

/// What is left of a family's trades when the first account is gone: what moved to or from it
/// stands for itself, with the lots that it had.
fn without_the_first(ledger: &Ledger, folded: &Folded) -> Ledger {
    let mut alone = ledger.clone();
    alone.trades.retain(|trade| trade.account != account(1));
    for trade in &mut alone.trades {
        trade.event = match trade.event.clone() {
            Event::Arrived { quantity, from: Some(origin), .. } => {
                let lots = folded.carried[&trade.id].lots.clone();
                Event::Brought { quantity, lots, factor: origin.factor }
            }
            Event::Left { quantity, to: Some(_) } => Event::Taken { quantity },
            event => event,
        };
    }
    alone
}

/// Shares that moved keep their lots when the account that they came from is gone.
#[test]
fn lots_outlive_the_account_that_they_came_from() {
    let quantity = dec("3");
    for method in [Average, Fifo, Lifo] {
        let out = Event::Left { quantity, to: Some(entry(4)) };
        let from = Some(Origin::same(entry(3)));
        let sale = Event::Sold { quantity: dec("2"), proceeds: Some(whole(500)) };
        let both = Ledger::new(&[(1, method), (2, method)])
            .add(1, 1, Event::Bought { quantity: dec("1"), cost: Some(whole(100)) })
            .add(1, 2, Event::Bought { quantity: dec("3"), cost: Some(whole(200)) })
            .add(1, 3, out)
            .add(2, 3, Event::Arrived { quantity, cost: None, from })
            .add(2, 4, sale);
        let folded = both.fold();
        let lots = folded.carried[&entry(4)].lots.clone();
        let mut alone = both;
        alone.trades.drain(..3);
        alone.trades[0].event = Event::Brought { quantity, lots, factor: Some(whole(1)) };
        let left = alone.fold();
        assert_eq!(left.gains, folded.gains, "{method:?}");
        assert_eq!(left.segments[&account(2)], folded.segments[&account(2)], "{method:?}");
    }
}

proptest! {
    /// An account that is deleted changes nothing in another one. (If one day has moves in both
    /// directions it may: which of them can be made depends on both accounts.)
    #[test]
    fn an_account_that_is_gone_changes_nothing_elsewhere(ledger in any_busy_ledger()) {
        let directions = |date: Date| {
            let moves = ledger.trades.iter().filter(|trade| trade.date == date);
            let leave = moves.filter(|one| matches!(one.event, Event::Left { to: Some(_), .. }));
            leave.map(|one| one.account).collect::<BTreeSet<AccountId>>().len()
        };
        prop_assume!(ledger.trades.iter().all(|trade| directions(trade.date) < 2));
        let folded = ledger.fold();
        let left = without_the_first(&ledger, &folded).fold();
        let there = |folded: &Folded| {
            let gains = folded.gains.iter().filter(|gain| gain.account == account(2));
            let gains: Vec<Gain> = gains.cloned().collect();
            (gains, folded.segments.get(&account(2)).cloned())
        };
        prop_assert_eq!(there(&left), there(&folded));
    }
}
