//! Random ledgers: an account each, at most one trade a day.

use jiff::civil::{Date, date};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::positions::{Event, Folded, Trade, fold};
use purser_core::ledger::trade::{CostMethod, Effect, Terms, TradeType};
use purser_core::money::exact::{Fraction, of_decimal, units, whole};
use rust_decimal::Decimal;
use uuid::Uuid;

/// Decimals of amounts: as many as a quantity and a price have together, so nothing is rounded.
pub(crate) const SCALE: u32 = 8;

/// Shares bought (positive) or sold for a price of one, with a fee.
#[derive(Debug, Clone)]
pub(crate) struct Deal {
    pub(crate) date: Date,
    pub(crate) quantity: Decimal,
    pub(crate) price: Decimal,
    pub(crate) fee: Decimal,
}

/// Random trades of one account, by day.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    pub(crate) number: usize,
    pub(crate) deals: Vec<Deal>,
}

impl Deal {
    /// What the trade does, as the program counts it.
    pub(crate) fn effect(&self) -> Effect {
        let buys = self.quantity.is_sign_positive();
        let terms = Terms {
            trade_type: if buys { TradeType::Buy } else { TradeType::Sell },
            quantity: self.quantity.abs(),
            price: self.price,
            fee: in_units(self.fee),
            amount: 0,
        };
        terms.effect(SCALE).unwrap()
    }
}

impl Ledger {
    /// The shares after each trade.
    pub(crate) fn held(&self) -> impl Iterator<Item = (&Deal, Decimal)> {
        self.deals.iter().scan(Decimal::ZERO, |held, deal| {
            let before = *held;
            *held += deal.quantity;
            Some((deal, before))
        })
    }

    /// The account's positions and gains.
    pub(crate) fn fold(&self, method: CostMethod) -> Folded {
        let account = AccountId(Uuid::from_u128(1));
        let trades: Vec<Trade> = (1..)
            .zip(&self.deals)
            .map(|(number, deal)| {
                let Effect { quantity, cash, .. } = deal.effect();
                let cash = whole(cash);
                let event = if quantity.is_sign_positive() {
                    Event::Bought { quantity, cost: Some(cash) }
                } else {
                    Event::Sold { quantity: -quantity, proceeds: Some(-cash) }
                };
                let id = EntryId(Uuid::from_u128(number));
                Trade { id, account, date: deal.date, event }
            })
            .collect();
        fold(&[(account, method)].into(), &trades, &[], &[]).unwrap()
    }
}

/// As many ledgers, the same in each run. The last trade of each closes what is open.
pub(crate) fn ledgers(count: usize, fees: bool) -> Vec<Ledger> {
    let mut runner = TestRunner::deterministic();
    (0..count)
        .map(|number| Ledger {
            number,
            deals: deals(fees).new_tree(&mut runner).unwrap().current(),
        })
        .collect()
}

fn deals(fees: bool) -> impl Strategy<Value = Vec<Deal>> {
    let decimal = |most: i64| {
        (1..most, 0..=4u32).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale).normalize())
    };
    let fee = if fees { (0..1_000_i64).boxed() } else { Just(0).boxed() };
    let deal = (decimal(10_000), any::<bool>(), decimal(1_000_000), fee, 1..4_i32);
    proptest::collection::vec(deal, 1..40).prop_map(|deals| {
        let mut day = date(2024, 1, 1);
        let mut held = Decimal::ZERO;
        let mut made: Vec<Deal> = Vec::new();
        for (quantity, buys, price, fee, days) in deals {
            day = day.checked_add(jiff::Span::new().days(days)).unwrap();
            let quantity = if buys { quantity } else { -quantity };
            held += quantity;
            made.push(Deal { date: day, quantity, price, fee: Decimal::new(fee, 2) });
        }
        if !held.is_zero() {
            let last = Deal { date: day.tomorrow().unwrap(), quantity: -held, ..made[0].clone() };
            made.push(last);
        }
        made
    })
}

/// An amount in the scale of the test.
pub(crate) fn in_units(amount: Decimal) -> i64 {
    purser_core::money::exact::round(&(of_decimal(amount) * units(SCALE))).unwrap()
}

/// A product in the scale of the test, exactly.
pub(crate) fn product(one: Decimal, other: Decimal) -> Fraction {
    of_decimal(one) * of_decimal(other) * units(SCALE)
}
