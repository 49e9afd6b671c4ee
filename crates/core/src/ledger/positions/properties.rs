//! Laws over random histories: the order of arrival doesn't matter, no cost is lost, and the
//! numbers are those of models that are too slow and too simple to be wrong in the same way.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::tests::{Ledger, account, day, dec, entry};
use super::*;
use crate::ledger::trade::CostMethod::{Average, Fifo, Lifo};
use crate::money::exact::whole;

/// One thing of a random history, in one account.
#[derive(Debug, Clone)]
enum Deed {
    Buy(Decimal, i64),
    Sell(Decimal, i64),
    Split(u32, u32),
    Arrive(Decimal, Option<i64>),
    Leave(Decimal),
    Move(Decimal),
}

fn any_quantity() -> impl Strategy<Value = Decimal> {
    (1..100_000_i64, 0..4u32).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale))
}

fn any_deed() -> impl Strategy<Value = Deed> {
    let money = || 0..1_000_000_i64;
    prop_oneof![
        4 => (any_quantity(), money()).prop_map(|(quantity, cost)| Deed::Buy(quantity, cost)),
        4 => (any_quantity(), money()).prop_map(|(quantity, got)| Deed::Sell(quantity, got)),
        1 => (1..4u32, 1..4u32).prop_map(|(to, from)| Deed::Split(to, from)),
        1 => (any_quantity(), proptest::option::of(money()))
            .prop_map(|(quantity, cost)| Deed::Arrive(quantity, cost)),
        1 => any_quantity().prop_map(Deed::Leave),
        2 => any_quantity().prop_map(Deed::Move),
    ]
}

fn any_method() -> impl Strategy<Value = CostMethod> {
    prop_oneof![Just(Average), Just(Fifo), Just(Lifo)]
}

pub(super) fn any_ledger() -> impl Strategy<Value = Ledger> {
    ledger_of(28, any_deed())
}

/// Few days, quantities and amounts, so that many trades share a day and some are alike.
pub(super) fn any_busy_ledger() -> impl Strategy<Value = Ledger> {
    let quantity = || (1..4_i64).prop_map(Decimal::from);
    let money = || 0..4_i64;
    let deed = prop_oneof![
        4 => (quantity(), money()).prop_map(|(quantity, cost)| Deed::Buy(quantity, cost)),
        3 => (quantity(), money()).prop_map(|(quantity, got)| Deed::Sell(quantity, got)),
        1 => (1..4u32, 1..4u32).prop_map(|(to, from)| Deed::Split(to, from)),
        1 => (quantity(), proptest::option::of(money()))
            .prop_map(|(quantity, cost)| Deed::Arrive(quantity, cost)),
        1 => quantity().prop_map(Deed::Leave),
        2 => quantity().prop_map(Deed::Move),
    ];
    ledger_of(5, deed)
}

/// Two accounts; a move goes to the other one.
fn ledger_of(days: i8, deed: impl Strategy<Value = Deed>) -> impl Strategy<Value = Ledger> {
    let deeds = proptest::collection::vec((1..3u128, 1..days, deed), 0..30);
    (any_method(), any_method(), deeds).prop_map(|(one, two, deeds)| {
        deeds.into_iter().fold(Ledger::new(&[(1, one), (2, two)]), |ledger, (of, on, deed)| {
            let next = ledger.trades.len() + 1;
            match deed {
                Deed::Buy(quantity, cost) => {
                    ledger.add(of, on, Event::Bought { quantity, cost: Some(whole(cost)) })
                }
                Deed::Sell(quantity, proceeds) => {
                    ledger.add(of, on, Event::Sold { quantity, proceeds: Some(whole(proceeds)) })
                }
                Deed::Split(to, from) => {
                    let recorded_at = Timestamp::constant(next as i64, 0);
                    ledger.add(of, on, Event::Split { to, from, recorded_at })
                }
                Deed::Arrive(quantity, cost) => ledger.add(
                    of,
                    on,
                    Event::Arrived { quantity, cost: cost.map(whole), from: None },
                ),
                Deed::Leave(quantity) => ledger.add(of, on, Event::Left { quantity, to: None }),
                Deed::Move(quantity) => {
                    ledger.add(of, on, Event::Left { quantity, to: Some(entry(next + 1)) }).add(
                        3 - of,
                        on,
                        Event::Arrived {
                            quantity,
                            cost: None,
                            from: Some(Origin::same(entry(next))),
                        },
                    )
                }
            }
        })
    })
}

/// Buys and sells of one account, one a day.
fn any_exchange() -> impl Strategy<Value = Vec<(Decimal, i64)>> {
    let signed = (any_quantity(), any::<bool>(), 0..1_000_000_i64)
        .prop_map(|(quantity, buys, money)| (if buys { quantity } else { -quantity }, money));
    proptest::collection::vec(signed, 0..28)
}

fn exchange(method: CostMethod, deeds: &[(Decimal, i64)]) -> Folded {
    let ledger = (1..).zip(deeds).fold(Ledger::new(&[(1, method)]), |ledger, (on, deed)| {
        let (quantity, money) = *deed;
        let event = if quantity.is_sign_positive() {
            Event::Bought { quantity, cost: Some(whole(money)) }
        } else {
            Event::Sold { quantity: -quantity, proceeds: Some(whole(money)) }
        };
        ledger.add(1, on, event)
    });
    ledger.fold()
}

fn fraction(decimal: Decimal) -> Fraction {
    crate::money::exact::of_decimal(decimal)
}

/// Share for share: each lot is a queue of thousandths.
fn naive_lots(deeds: &[(Decimal, i64)], newest: bool) -> (Decimal, Fraction, Fraction) {
    let mut open: VecDeque<(bool, Fraction)> = VecDeque::new();
    let mut gained = whole(0);
    let thousandth = dec("0.001");
    for (quantity, money) in deeds {
        let pieces = i64::try_from((quantity.abs() / thousandth).mantissa()).unwrap();
        let each = whole(*money) / whole(pieces);
        let buys = quantity.is_sign_positive();
        for _ in 0..pieces {
            match open.back() {
                Some((owned, _)) if *owned != buys => {
                    let piece = if newest { open.pop_back() } else { open.pop_front() };
                    let (_, then) = piece.unwrap();
                    gained += if buys { then - &each } else { &each - then };
                }
                _ => open.push_back((buys, each.clone())),
            }
        }
    }
    let sign = |owned: bool| if owned { whole(1) } else { whole(-1) };
    let count = open.iter().map(|(owned, _)| if *owned { thousandth } else { -thousandth });
    let cost = open.iter().fold(whole(0), |sum, (owned, cost)| sum + sign(*owned) * cost);
    (count.sum(), cost, gained)
}

fn gained(folded: &Folded) -> Fraction {
    let lots = folded.gains.iter().flat_map(|gain| &gain.lots);
    lots.fold(whole(0), |sum, lot| sum + lot.gain().unwrap())
}

fn last(folded: &Folded) -> (Decimal, Fraction) {
    let segment = folded.segments.get(&account(1)).and_then(|segments| segments.last());
    segment.map_or((Decimal::ZERO, whole(0)), |one| (one.quantity, one.cost.clone().unwrap()))
}

/// The trade with ids as if trades had arrived in the given order.
fn with_id(trade: &Trade, order: &[usize]) -> Trade {
    let other = |id: EntryId| entry(order[usize::try_from(id.0.as_u128()).unwrap() - 1]);
    let mut trade = trade.clone();
    trade.id = other(trade.id);
    match &mut trade.event {
        Event::Left { to: Some(to), .. } => *to = other(*to),
        Event::Arrived { from: Some(from), .. } => from.trade = other(from.trade),
        _ => {}
    }
    trade
}

type Nameless = (
    BTreeMap<AccountId, Vec<Segment>>,
    Vec<(AccountId, Date, Vec<ClosedLot>)>,
    Vec<(AccountId, Date, Carried)>,
);

/// The result without the ids of trades, because which of two equal trades comes first carries no
/// meaning.
fn nameless(trades: &[Trade], folded: Folded) -> Nameless {
    let gains = folded.gains.into_iter().map(|gain| (gain.account, gain.date, gain.lots));
    let place = |id: EntryId| {
        let trade = trades.iter().find(|trade| trade.id == id).unwrap();
        (trade.account, trade.date)
    };
    let carried = folded.carried.into_iter().map(|(id, cost)| {
        let (account, date) = place(id);
        (account, date, cost)
    });
    let mut carried: Vec<_> = carried.collect();
    carried.sort();
    (folded.segments, gains.collect(), carried)
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(
        ledger in any_ledger(), seed in any::<u64>(),
    ) {
        let folded = ledger.fold();
        let mut shuffled = ledger.trades.clone();
        // Any permutation will do, as long as it is another.
        shuffled.sort_by_key(|trade| {
            (trade.id.0.as_u128() as u64).wrapping_mul(seed | 1).rotate_left(17)
        });
        prop_assert_eq!(fold(&ledger.methods, &shuffled, &[], &[]).unwrap(), folded);
    }

    /// As above, but what arrives in another order also has other ids.
    #[test]
    fn ids_do_not_matter_within_a_day(
        (ledger, order) in any_busy_ledger().prop_flat_map(|ledger| {
            let ids: Vec<usize> = (1..=ledger.trades.len()).collect();
            (Just(ledger), Just(ids).prop_shuffle())
        }),
    ) {
        let renumbered: Vec<Trade> =
            ledger.trades.iter().map(|trade| with_id(trade, &order)).collect();
        let again = fold(&ledger.methods, &renumbered, &[], &[]).unwrap();
        prop_assert_eq!(nameless(&renumbered, again), nameless(&ledger.trades, ledger.fold()));
    }

    /// What went in is what came out and what is there, in shares and in money.
    #[test]
    fn nothing_is_lost(ledger in any_ledger()) {
        let known = |trade: &Trade| !matches!(
            trade.event,
            Event::Split { .. } | Event::Left { to: None, .. }
                | Event::Arrived { cost: None, from: None, .. }
        );
        let trades = ledger.trades.iter().filter(|trade| known(trade));
        let trades: Vec<Trade> = trades.cloned().collect();
        let folded = fold(&ledger.methods, &trades, &[], &[]).unwrap();
        let (mut shares, mut paid) = (Decimal::ZERO, whole(0));
        for trade in &trades {
            match trade.event.clone() {
                Event::Bought { quantity, cost } => {
                    shares += quantity;
                    paid += cost.unwrap();
                }
                Event::Sold { quantity, proceeds } => {
                    shares -= quantity;
                    paid -= proceeds.unwrap();
                }
                Event::Arrived { quantity, cost, from: None } => {
                    shares += quantity;
                    paid += cost.unwrap();
                }
                _ => {}
            }
        }
        let ends: Vec<&Segment> =
            folded.segments.values().filter_map(|segments| segments.last()).collect();
        prop_assert_eq!(ends.iter().map(|end| end.quantity).sum::<Decimal>(), shares);
        let lots = || folded.gains.iter().flat_map(|gain| &gain.lots);
        // A move of shares that aren't there opens a position of unknown cost.
        if ends.iter().all(|end| end.cost.is_some()) && lots().all(|lot| lot.gain().is_some()) {
            let there = ends.iter().fold(whole(0), |sum, end| sum + end.cost.clone().unwrap());
            let gained = lots().fold(whole(0), |sum, lot| sum + lot.gain().unwrap());
            prop_assert_eq!(there - gained, paid);
        }
    }

    #[test]
    fn average_cost_is_that_of_exact_fractions(deeds in any_exchange()) {
        let (mut quantity, mut cost, mut gain) = (whole(0), whole(0), whole(0));
        for (traded, money) in &deeds {
            let (traded, zero) = (fraction(*traded), whole(0));
            let money = if traded > zero { whole(*money) } else { -whole(*money) };
            let each = &money / &traded;
            let opposes = (quantity > zero && traded < zero) || (quantity < zero && traded > zero);
            let after = &quantity + &traded;
            if !opposes {
                cost += money;
            } else if (after > zero) == (quantity > zero) && after != zero {
                let average = &cost / &quantity;
                gain += (&average - &each) * &traded;
                cost = average * &after;
            } else {
                gain += &each * &quantity - &cost;
                cost = each * &after;
            }
            quantity = after;
        }
        let folded = exchange(Average, &deeds);
        let (shares, left) = last(&folded);
        prop_assert_eq!((fraction(shares), left), (quantity, cost));
        prop_assert_eq!(gained(&folded), gain);
    }

    /// Doubling the shares by a split and selling twice as many gains the same.
    #[test]
    fn a_split_changes_no_money(deeds in any_exchange(), method in any_method(), at in 0..28usize) {
        let plain = exchange(method, &deeds);
        let at = at.min(deeds.len());
        let ledger = (1..).zip(&deeds).enumerate().fold(
            Ledger::new(&[(1, method)]),
            |ledger, (number, (on, (quantity, money)))| {
                let ledger = if number == at {
                    ledger.split(on, 2, 1)
                } else {
                    ledger
                };
                let times = if number < at { Decimal::ONE } else { Decimal::TWO };
                let quantity = quantity * times;
                ledger.add(1, on, if quantity.is_sign_positive() {
                    Event::Bought { quantity, cost: Some(whole(*money)) }
                } else {
                    Event::Sold { quantity: -quantity, proceeds: Some(whole(*money)) }
                })
            },
        );
        let split = ledger.fold();
        prop_assert_eq!(gained(&split), gained(&plain));
        prop_assert_eq!(last(&split).1, last(&plain).1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lots_are_those_of_a_queue(
        deeds in proptest::collection::vec(
            ((1..400_i64).prop_map(|mantissa| Decimal::new(mantissa, 3)), any::<bool>(), 0..99_i64),
            0..28,
        ),
        newest in any::<bool>(),
    ) {
        let deeds: Vec<(Decimal, i64)> = deeds
            .into_iter()
            .map(|(quantity, buys, money)| (if buys { quantity } else { -quantity }, money))
            .collect();
        let folded = exchange(if newest { Lifo } else { Fifo }, &deeds);
        let (quantity, cost, gain) = naive_lots(&deeds, newest);
        prop_assert_eq!(last(&folded), (quantity.normalize(), cost));
        prop_assert_eq!(gained(&folded), gain);
    }
}

#[test]
fn segments_are_in_order_and_each_differs_from_the_one_before() {
    let ledger = Ledger::new(&[(1, Fifo)])
        .add(1, 3, Event::Bought { quantity: dec("1"), cost: Some(whole(5)) })
        .add(1, 3, Event::Sold { quantity: dec("1"), proceeds: Some(whole(6)) })
        .add(1, 2, Event::Bought { quantity: dec("2"), cost: Some(whole(1)) });
    let folded = ledger.fold();
    let dates: Vec<Date> = folded.segments[&account(1)].iter().map(|one| one.date).collect();
    assert_eq!(dates, [day(2), day(3)]);
}
