//! Worked numbers. Amounts are in cents, as if the currency's scale were two.

use jiff::civil::date;

use super::*;
use crate::ledger::trade::CostMethod::{Average, Fifo, Lifo};
use crate::money::exact::to_text;

/// A ledger of one security, put down line by line.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    pub(super) methods: BTreeMap<AccountId, CostMethod>,
    pub(super) trades: Vec<Trade>,
    pub(super) statements: Vec<Statement>,
    pub(super) costs: Vec<StatedCost>,
}

pub(super) fn account(number: u128) -> AccountId {
    AccountId(uuid::Uuid::from_u128(number))
}

pub(super) fn entry(number: usize) -> EntryId {
    EntryId(uuid::Uuid::from_u128(number as u128))
}

pub(super) fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub(super) fn day(number: i8) -> Date {
    date(2024, 1, number)
}

impl Ledger {
    pub(super) fn new(methods: &[(u128, CostMethod)]) -> Self {
        let methods = methods.iter().map(|(number, method)| (account(*number), *method));
        Self { methods: methods.collect(), ..Self::default() }
    }

    /// Adds a trade; ids follow the order of the calls, from 1.
    pub(super) fn add(mut self, of: u128, on: i8, event: Event) -> Self {
        let id = entry(self.trades.len() + 1);
        self.trades.push(Trade { id, account: account(of), date: day(on), event });
        self
    }

    pub(super) fn buy(self, on: i8, quantity: &str, cost: i64) -> Self {
        self.add(1, on, Event::Bought { quantity: dec(quantity), cost: Some(whole(cost)) })
    }

    pub(super) fn sell(self, on: i8, quantity: &str, proceeds: i64) -> Self {
        self.add(1, on, Event::Sold { quantity: dec(quantity), proceeds: Some(whole(proceeds)) })
    }

    pub(super) fn split(self, on: i8, to: u32, from: u32) -> Self {
        self.add(1, on, Event::Split { to, from, recorded_at: Timestamp::UNIX_EPOCH })
    }

    /// Moves shares to another account: two trades.
    pub(super) fn transfer(self, on: i8, from: u128, to: u128, quantity: &str) -> Self {
        let (out, into) = (entry(self.trades.len() + 1), entry(self.trades.len() + 2));
        let quantity = dec(quantity);
        self.add(from, on, Event::Left { quantity, to: Some(into) }).add(
            to,
            on,
            Event::Arrived { quantity, cost: None, from: Some(Origin::same(out)) },
        )
    }

    pub(super) fn state(mut self, on: i8, quantity: &str, cost: Option<(i64, &str)>) -> Self {
        self.statements.push(Statement {
            account: account(1),
            date: day(on),
            quantity: dec(quantity),
            cost: cost.map(|(total, of)| (total, dec(of))),
        });
        self
    }

    /// States what so many shares cost, or all of them.
    pub(super) fn cost(mut self, on: i8, total: i64, of: Option<i64>) -> Self {
        let (date, shares, stated_at) = (day(on), of.map(whole), Timestamp::UNIX_EPOCH);
        let account = account(1);
        self.costs.push(StatedCost { account, date, total, shares, stated_at, locked: false });
        self
    }

    pub(super) fn fold(&self) -> Folded {
        fold(&self.methods, &self.trades, &self.statements, &self.costs).unwrap()
    }

    /// An account's segments as `day quantity cost`: `?` unknown, `p` a provider's, `m` a person's.
    pub(super) fn segments(&self, of: u128) -> Vec<String> {
        let folded = self.fold();
        let shown = folded.segments.get(&account(of)).into_iter().flatten().map(|segment| {
            let cost = segment.cost.as_ref().map_or("?".to_owned(), to_text);
            let mark = match segment.source {
                Some(CostBasisSource::Provider) => "p",
                Some(CostBasisSource::Manual) => "m",
                Some(CostBasisSource::Calculated) | None => "",
            };
            format!("{} {} {cost}{mark}", segment.date.day(), segment.quantity)
        });
        shown.collect()
    }

    /// What was closed as `trade: opened quantity proceeds-cost`.
    fn gains(&self) -> Vec<String> {
        let text = |value: &Option<Fraction>| value.as_ref().map_or("?".to_owned(), to_text);
        let folded = self.fold();
        let lots =
            folded.gains.iter().flat_map(|gain| gain.lots.iter().map(move |lot| (gain, lot)));
        lots.map(|(gain, lot)| {
            let opened = lot.opened.map_or("?".to_owned(), |opened| opened.day().to_string());
            let (proceeds, cost) = (text(&lot.proceeds), text(&lot.cost));
            format!("{}: {opened} {} {proceeds}-{cost}", gain.trade.0.as_u128(), lot.quantity)
        })
        .collect()
    }
}

pub(super) fn one(method: CostMethod) -> Ledger {
    Ledger::new(&[(1, method)])
}

#[test]
fn sells_take_what_their_method_selects() {
    for (method, segments, gains) in [
        (Average, ["1 10 1000", "2 20 3000", "3 5 750"].to_vec(), ["3: ? 15 6000-2250"].to_vec()),
        (
            Fifo,
            ["1 10 1000", "2 20 3000", "3 5 1000"].to_vec(),
            ["3: 1 10 4000-1000", "3: 2 5 2000-1000"].to_vec(),
        ),
        (
            Lifo,
            ["1 10 1000", "2 20 3000", "3 5 500"].to_vec(),
            ["3: 2 10 4000-2000", "3: 1 5 2000-500"].to_vec(),
        ),
    ] {
        let ledger = one(method).buy(1, "10", 1000).buy(2, "10", 2000).sell(3, "15", 6000);
        assert_eq!(ledger.segments(1), segments, "{method:?}");
        assert_eq!(ledger.gains(), gains, "{method:?}");
    }
}

#[test]
fn money_without_a_rate_is_unknown() {
    let bought = Event::Bought { quantity: dec("10"), cost: None };
    let ledger = one(Fifo).add(1, 1, bought).buy(2, "10", 1000);
    let sold = Event::Sold { quantity: dec("15"), proceeds: None };
    let ledger = ledger.add(1, 3, sold);
    assert_eq!(ledger.segments(1), ["1 10 ?", "2 20 ?", "3 5 500"]);
    assert_eq!(ledger.gains(), ["3: 1 10 ?-?", "3: 2 5 ?-500"]);
}

/// Selling everything and buying again starts anew: the old cost is gone.
#[test]
fn a_position_that_was_closed_starts_anew() {
    let ledger = one(Average).buy(1, "10", 1000).sell(2, "10", 1500).buy(3, "2", 600);
    assert_eq!(ledger.segments(1), ["1 10 1000", "2 0 0", "3 2 600"]);
    assert_eq!(ledger.gains(), ["2: 1 10 1500-1000"]);
}

#[test]
fn costs_are_fractions_until_they_are_shown() {
    let ledger = one(Average).buy(1, "3", 100).sell(2, "1", 50).sell(3, "1", 50);
    assert_eq!(ledger.segments(1), ["1 3 100", "2 2 200/3", "3 1 100/3"]);
    assert_eq!(ledger.gains(), ["2: 1 1 50-100/3", "3: 1 1 50-100/3"]);
}

#[test]
fn what_is_sold_without_being_there_is_owed() {
    for method in [Average, Fifo, Lifo] {
        let ledger = one(method).sell(1, "10", 1000).buy(2, "4", 300).buy(3, "6", 900);
        assert_eq!(ledger.segments(1), ["1 -10 -1000", "2 -6 -600", "3 0 0"], "{method:?}");
        // Received 400, paid 300; received 600, paid 900.
        assert_eq!(ledger.gains(), ["2: 1 -4 400-300", "3: 1 -6 600-900"], "{method:?}");
    }
}

#[test]
fn a_trade_that_crosses_zero_closes_and_opens() {
    let ledger = one(Fifo).buy(1, "10", 1000).sell(2, "15", 3000).buy(3, "7", 700);
    assert_eq!(ledger.segments(1), ["1 10 1000", "2 -5 -1000", "3 2 200"]);
    assert_eq!(ledger.gains(), ["2: 1 10 2000-1000", "3: 2 -5 1000-500"]);
}

#[test]
fn splits_change_numbers_and_not_costs() {
    let ledger = one(Fifo).buy(1, "10", 1000).buy(2, "1", 300).split(3, 2, 1).sell(4, "21", 4200);
    assert_eq!(ledger.segments(1), ["1 10 1000", "2 11 1300", "3 22 1300", "4 1 150"]);
    assert_eq!(ledger.gains(), ["4: 1 20 4000-1000", "4: 2 1 200-150"]);
    // The lots share out what the whole is rounded to: selling all of it leaves nothing.
    let thirds = one(Fifo).buy(1, "1", 30).buy(2, "1", 30).buy(3, "1", 30).split(4, 1, 3);
    assert_eq!(thirds.segments(1)[3], "4 1 90");
    assert_eq!(thirds.sell(5, "1", 100).segments(1)[4], "5 0 0");
    let short = one(Average).sell(1, "10", 1000).split(2, 3, 2);
    assert_eq!(short.segments(1)[1], "2 -15 -1000");
}

#[test]
fn what_a_split_rounds_to_nothing_is_lost() {
    let ledger = one(Fifo).buy(1, "0.000000000000000001", 5).split(2, 1, 3);
    assert_eq!(ledger.segments(1)[1], "2 0 0");
    assert_eq!(ledger.gains(), ["2: 1 0 0-5"]);
}

#[test]
fn within_a_day_splits_come_first_and_sells_last() {
    let ledger = one(Fifo).buy(1, "10", 1000).sell(2, "25", 5000).buy(2, "5", 1500).split(2, 2, 1);
    assert_eq!(ledger.segments(1), ["1 10 1000", "2 0 0"]);
    assert_eq!(ledger.gains(), ["2: 1 20 4000-1000", "2: 2 5 1000-1500"]);
}

#[test]
fn shares_that_move_take_their_cost_and_their_lots_along() {
    for (from, to, opened) in
        [(Fifo, Fifo, "1"), (Lifo, Fifo, "1"), (Average, Fifo, "?"), (Fifo, Average, "?")]
    {
        let ledger = Ledger::new(&[(1, from), (2, to)])
            .buy(1, "10", 1000)
            .transfer(5, 1, 2, "4")
            .add(2, 6, Event::Sold { quantity: dec("4"), proceeds: Some(whole(800)) });
        assert_eq!(ledger.segments(1), ["1 10 1000", "5 6 600"]);
        assert_eq!(ledger.segments(2), ["5 4 400", "6 0 0"]);
        assert_eq!(ledger.gains(), [format!("4: {opened} 4 800-400")], "{from:?} to {to:?}");
    }
}

#[test]
fn a_lot_that_moved_goes_first_if_it_is_older() {
    let ledger = Ledger::new(&[(1, Fifo), (2, Fifo)])
        .buy(1, "4", 400)
        .add(2, 2, Event::Bought { quantity: dec("4"), cost: Some(whole(800)) })
        .transfer(3, 1, 2, "4")
        .add(2, 4, Event::Sold { quantity: dec("4"), proceeds: Some(whole(4)) });
    assert_eq!(ledger.gains(), ["5: 1 4 4-400"]);
}

/// With average cost the order of the lots where they come from doesn't matter.
#[test]
fn a_short_position_is_closed_at_the_average_of_what_moves_in() {
    for from in [Fifo, Lifo] {
        let ledger = Ledger::new(&[(1, from), (2, Average)])
            .add(2, 1, Event::Sold { quantity: dec("5"), proceeds: Some(whole(1000)) })
            .buy(1, "5", 100)
            .buy(2, "5", 300)
            .transfer(3, 1, 2, "10");
        assert_eq!(ledger.segments(2), ["1 -5 -1000", "3 5 200"], "{from:?}");
        assert_eq!(ledger.gains(), ["5: 1 -5 1000-200"], "{from:?}");
    }
}

/// Whatever the ids: 1 → 2 → 3 on one day.
#[test]
fn shares_pass_through_several_accounts_on_one_day() {
    let ledger = Ledger::new(&[(1, Fifo), (2, Average), (3, Fifo)])
        .transfer(2, 2, 3, "5")
        .transfer(2, 1, 2, "5")
        .buy(1, "10", 1000);
    assert_eq!(ledger.segments(2), Vec::<String>::new());
    assert_eq!(ledger.segments(3), ["2 5 500"]);
    assert_eq!(ledger.segments(1), ["1 10 1000", "2 5 500"]);
}

#[test]
fn shares_from_elsewhere_have_a_stated_or_an_unknown_cost() {
    let arrive = |cost: Option<i64>| {
        let event = Event::Arrived { quantity: dec("10"), cost: cost.map(whole), from: None };
        one(Average).add(1, 1, event).buy(2, "10", 2000).sell(3, "5", 1000)
    };
    assert_eq!(arrive(Some(1000)).segments(1), ["1 10 1000", "2 20 3000", "3 15 2250"]);
    assert_eq!(arrive(None).segments(1), ["1 10 ?", "2 20 ?", "3 15 ?"]);
    assert_eq!(arrive(None).gains(), ["3: ? 5 1000-?"]);
    let closed = arrive(None).sell(4, "15", 1).buy(5, "1", 7);
    assert_eq!(closed.segments(1)[3..], ["4 0 0", "5 1 7"]);
    // With lots, the ones with a known cost keep it.
    let event = Event::Arrived { quantity: dec("10"), cost: None, from: None };
    let lots = one(Lifo).add(1, 1, event).buy(2, "10", 2000).sell(3, "12", 1200);
    assert_eq!(lots.gains(), ["3: 2 10 1000-2000", "3: ? 2 200-?"]);
}

#[test]
fn shares_that_leave_take_their_cost_along_and_gain_nothing() {
    let leave = |quantity: &str| {
        let event = Event::Left { quantity: dec(quantity), to: None };
        one(Fifo).buy(1, "10", 1000).add(1, 2, event)
    };
    assert_eq!(leave("4").segments(1)[1], "2 6 600");
    assert_eq!(leave("12").segments(1)[1], "2 -2 ?");
    assert_eq!(leave("12").gains(), Vec::<String>::new());
}

#[test]
fn a_half_of_a_move_is_a_transfer_from_elsewhere() {
    let out = Event::Left { quantity: dec("4"), to: Some(entry(9)) };
    let into =
        Event::Arrived { quantity: dec("4"), cost: None, from: Some(Origin::same(entry(8))) };
    let ledger = one(Fifo).buy(1, "10", 1000).add(1, 2, out).add(2, 2, into);
    assert_eq!(ledger.segments(1)[1], "2 6 600");
    assert_eq!(ledger.segments(2), ["2 4 ?"]);
}

#[test]
fn a_cost_that_moves_into_another_currency_is_converted() {
    let moved = |factor: Option<Fraction>| {
        let out = Event::Left { quantity: dec("4"), to: Some(entry(3)) };
        let from = Some(Origin { trade: entry(2), factor });
        let into = Event::Arrived { quantity: dec("4"), cost: None, from };
        let sale = Event::Sold { quantity: dec("3"), proceeds: Some(whole(500)) };
        one(Fifo).buy(1, "10", 1001).add(1, 2, out).add(2, 2, into).add(2, 3, sale)
    };
    let ledger = moved(Some(whole(4) / whole(5)));
    assert_eq!(ledger.segments(1)[1], "2 6 3003/5");
    assert_eq!(ledger.segments(2), ["2 4 8008/25", "3 1 2002/25"]);
    let carried = ledger.fold().carried;
    assert_eq!(carried[&entry(3)].cost, Some(whole(2002) / whole(5)), "as it was before the rate");
    let unknown = moved(None);
    assert_eq!(unknown.segments(2), ["2 4 ?", "3 1 ?"]);
    assert_eq!(unknown.segments(1)[1], "2 6 3003/5");
    assert_eq!(unknown.gains(), ["4: ? 3 500-?"]);
}

#[test]
fn a_provider_states_the_quantity_and_perhaps_the_cost() {
    let bought = || one(Average).buy(1, "10", 1000);
    assert_eq!(bought().state(2, "10", Some((9999, "10"))).segments(1), ["1 10 1000"]);
    assert_eq!(bought().state(2, "12", None).segments(1)[1], "2 12 ?");
    assert_eq!(bought().state(2, "12", Some((2400, "12"))).segments(1)[1], "2 12 2400p");
    assert_eq!(bought().state(2, "4", None).segments(1)[1], "2 4 400");
    assert_eq!(bought().state(2, "-4", Some((50, "1"))).segments(1)[1], "2 -4 -200p");
    assert_eq!(bought().state(2, "0", None).segments(1)[1], "2 0 0");
    // It is the end of its day, and the last word of a provider counts.
    let later = one(Fifo).state(2, "5", Some((500, "5"))).buy(2, "3", 900).buy(3, "5", 1000).state(
        4,
        "10",
        Some((3000, "10")),
    );
    assert_eq!(later.segments(1), ["2 5 500p", "3 10 1500p", "4 10 3000p"]);
    let sold = later.sell(5, "10", 4000);
    assert_eq!(sold.segments(1)[3], "5 0 0");
    assert_eq!(sold.gains(), ["3: ? 10 4000-3000"]);
}

#[test]
fn a_stated_cost_is_of_the_shares_of_its_day() {
    for (method, left, gain) in [
        (Average, "4 10 300m", "3: ? 10 1000-300"),
        (Fifo, "4 10 400", "3: 1 10 1000-200"),
        (Lifo, "4 10 200m", "3: 3 10 1000-400"),
    ] {
        let ledger = one(method).buy(1, "10", 100).cost(2, 200, None).buy(3, "10", 400);
        let ledger = ledger.sell(4, "10", 1000);
        assert_eq!(ledger.segments(1), ["1 10 100", "2 10 200m", "3 20 600m", left], "{method:?}");
        assert_eq!(ledger.gains(), [gain], "{method:?}");
    }
    // Lots keep their days and share the cost.
    let lots = one(Fifo).buy(1, "1", 10).buy(2, "3", 90).cost(3, 800, None).sell(4, "2", 1000);
    assert_eq!(lots.gains(), ["3: 1 1 500-200", "3: 2 1 500-200"]);
    // It makes an unknown cost known, and is gone with the last share.
    let event = Event::Arrived { quantity: dec("10"), cost: None, from: None };
    let known = one(Average).add(1, 1, event).cost(2, 200, None).sell(3, "10", 1).buy(4, "1", 7);
    assert_eq!(known.segments(1), ["1 10 ?", "2 10 200m", "3 0 0", "4 1 7"]);
}

#[test]
fn a_stated_cost_of_one_share_is_that_of_all_of_them() {
    let each = one(Average).buy(1, "10", 100).cost(2, 25, Some(2)).split(3, 2, 1);
    assert_eq!(each.segments(1), ["1 10 100", "2 10 125m", "3 20 125m"]);
    let short = one(Fifo).sell(1, "10", 1000).cost(2, 50, Some(1)).cost(3, 600, None);
    assert_eq!(short.segments(1)[1..], ["2 -10 -500m", "3 -10 -600m"]);
    assert_eq!(one(Fifo).cost(2, 50, Some(1)).segments(1), Vec::<String>::new());
}

#[test]
fn a_stated_cost_comes_before_that_of_a_provider() {
    let held = || one(Average).buy(1, "10", 100).cost(2, 200, None);
    assert_eq!(held().state(3, "10", Some((90, "10"))).segments(1), ["1 10 100", "2 10 200m"]);
    let more = held().state(3, "12", Some((90, "12")));
    assert_eq!(more.segments(1)[2], "3 12 90p");
    let costs = vec![StatedCost { locked: true, ..more.costs[0].clone() }];
    let locked = Ledger { costs, ..more };
    assert_eq!(locked.segments(1)[2], "3 12 ?");
}

#[test]
fn a_day_is_found_in_the_segment_before_it() {
    let folded = one(Fifo).buy(2, "1", 1).buy(4, "1", 1).fold();
    let segments = &folded.segments[&account(1)];
    let quantity = |number| on(segments, day(number)).map(|segment| segment.quantity);
    let (one, two) = (Some(dec("1")), Some(dec("2")));
    assert_eq!([1, 2, 3, 4, 30].map(quantity), [None, one, one, two, two]);
}

#[test]
fn numbers_that_cannot_be_written_are_refused() {
    let large = one(Fifo).buy(1, "100000000000000", 1).buy(2, "0.000000000000000001", 1);
    assert_eq!(fold(&large.methods, &large.trades, &[], &[]), Err(OutOfRange));
}
