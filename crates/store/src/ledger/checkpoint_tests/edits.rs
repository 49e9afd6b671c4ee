//! Random edits of a family's trades, with many kept states.

use jiff::SignedDuration;
use jiff::civil::{Date, date};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, HoldingId};
use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::trade::TradeType;
use purser_core::rates::RateInput;

use super::{event, states_that_follow, text};
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::families::FamilyId;
use crate::holdings::{self, HoldingChange};
use crate::ledger::checkpoints::keeping_after;
use crate::ledger::{Executor, positions};
use crate::rates::own;
use crate::testing::{Fixture, on_both};
use crate::{accounts, check, files, trades};

/// Random numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let at = self.below(all.len().max(1));
        all.get(at)
    }

    fn day(&mut self) -> Date {
        date(2024, 1, 1).checked_add(jiff::Span::new().days(self.below(70) as i64)).unwrap()
    }
}

/// Two accounts in one currency and one in another, and two securities.
struct Family<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    accounts: Vec<AccountId>,
    dice: Dice,
    /// How many edits were not refused.
    edits: usize,
}

impl<'f> Family<'f> {
    fn new(fixture: &'f Fixture, seed: u64) -> Self {
        let (family, _) = fixture.family(&format!("family-{seed}"));
        let made = |(name, currency): (&str, &str)| {
            let account = input(name, "investment", "1000");
            let account = AccountInput { currency: Some(currency.to_owned()), ..account };
            make(fixture, family, &account).summary.id
        };
        let accounts = [("A", "EUR"), ("B", "EUR"), ("C", "USD")].map(made).to_vec();
        Self { fixture, family, accounts, dice: Dice(seed * 7_919 + 1), edits: 0 }
    }

    /// Makes an edit, which may be refused for what is there.
    fn edit<T>(&mut self, work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>) {
        self.fixture.clock.advance(SignedDuration::from_secs(1));
        match self.fixture.store.write_blocking(self.family, work) {
            Ok(_) => self.edits += 1,
            Err(Error::Invalid { .. } | Error::NotFound { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }

    fn values(&mut self) -> TradeValues {
        let types = ["buy", "buy", "buy", "sell", "sell", "transfer_in", "split", "dividend"];
        let trade_type = TradeType::parse(self.dice.one(&types).unwrap());
        let (number, currency) = (1 + self.dice.below(40), self.dice.one(&["EUR", "USD"]));
        let mut values = TradeValues {
            trade_type,
            date: Some(self.dice.day().to_string()),
            ..TradeValues::default()
        };
        match trade_type.unwrap() {
            TradeType::Split => {
                values.split_to = Some((1 + number % 3).to_string());
                values.split_from = Some((1 + number % 2).to_string());
            }
            TradeType::TransferIn => {
                values.quantity = text(number);
                values.cost = (number % 2 == 0).then(|| text(number * 5));
            }
            TradeType::Dividend => values.amount = text(number),
            _ => {
                (values.quantity, values.price) = (text(number), text(3 + number % 7));
                values.currency = currency.map(ToString::to_string);
            }
        }
        values
    }

    fn ticker(&mut self) -> Option<String> {
        self.dice.one(&["VTI", "VTI", "VXUS"]).map(ToString::to_string)
    }

    fn add(&mut self) {
        let account = self.dice.one(&self.accounts).map(ToString::to_string);
        let (values, ticker) = (self.values(), self.ticker());
        let trade = TradeInput { account, ticker, values, ..TradeInput::default() };
        self.edit(|tx| trades::create(tx, &trade));
    }

    fn move_shares(&mut self) {
        let account = self.dice.one(&self.accounts).map(ToString::to_string);
        let to_account = self.dice.one(&self.accounts).map(ToString::to_string);
        let values = TradeValues {
            trade_type: Some(TradeType::TransferOut),
            date: Some(self.dice.day().to_string()),
            quantity: text(1 + self.dice.below(9)),
            ..TradeValues::default()
        };
        let ticker = self.ticker();
        let trade = TradeInput { account, to_account, ticker, values, ..TradeInput::default() };
        self.edit(|tx| trades::create(tx, &trade));
    }

    fn trade(&mut self) -> Option<EntryId> {
        let read = |tx: &mut FamilyTx<'_>| trades::list(tx, trades::Listing::default(), 900, 0);
        let (all, _) = self.fixture.store.read_blocking(self.family, read).unwrap();
        self.dice.one(&all).map(|trade| trade.id)
    }

    fn change(&mut self) {
        let Some(id) = self.trade() else { return };
        let (date, quantity) = (self.dice.day().to_string(), 1 + self.dice.below(40));
        let (values, mut ticker) = (TradeValues::default(), None);
        let values = match self.dice.below(4) {
            0 => TradeValues { date: Some(date), ..values },
            1 => TradeValues { quantity: text(quantity), ..values },
            2 => TradeValues { date: Some(date), quantity: text(quantity), ..values },
            _ => {
                ticker = self.ticker();
                TradeValues { price: text(quantity), ..values }
            }
        };
        let change = TradeInput { ticker, values, ..TradeInput::default() };
        self.edit(|tx| trades::revise(tx, id, &change));
    }

    fn remove(&mut self) {
        let Some(id) = self.trade() else { return };
        self.edit(|tx| trades::remove(tx, id));
    }

    fn state_cost(&mut self) {
        let days = holdings::Days::Between(None, None);
        let listing = holdings::Listing { days, ..holdings::Listing::default() };
        let read = |tx: &mut FamilyTx<'_>| holdings::list(tx, listing, 9_000, 0);
        let (all, _) = self.fixture.store.read_blocking(self.family, read).unwrap();
        let Some(id) = self.dice.one(&all).map(|holding| HoldingId(holding.id)) else { return };
        let cost = 1 + self.dice.below(90);
        let unlocked = HoldingChange { locked: Some(false), ..HoldingChange::default() };
        let change = match self.dice.below(5) {
            0 => HoldingChange { total: Some(text(cost)), ..unlocked },
            1 => HoldingChange { total: Some(text(cost)), locked: Some(true), ..unlocked },
            2 | 3 => HoldingChange { average: Some(text(cost)), ..unlocked },
            _ => HoldingChange { average: Some(None), ..unlocked },
        };
        self.edit(|tx| holdings::update(tx, id, &change));
    }

    fn choose_method(&mut self) {
        let Some(account) = self.dice.one(&self.accounts).copied() else { return };
        let cost_method = self.dice.one(&["average", "fifo", "lifo"]).map(ToString::to_string);
        let values = AccountValues { cost_method, ..AccountValues::default() };
        self.edit(|tx| accounts::change::revise(tx, account, &values));
    }

    fn state_rate(&mut self) {
        let input = RateInput {
            base: Some("USD".into()),
            quote: Some("EUR".into()),
            date: Some(self.dice.day().to_string()),
            rate: text(format!("0.{}", 80 + self.dice.below(20))),
        };
        self.edit(|tx| own::set(tx, &input));
    }

    /// What a provider reports of a position, and the fold that follows.
    fn report(&mut self) {
        let (on, shares, at) = (self.dice.day(), self.dice.below(30), self.dice.below(6));
        let day = on.since(date(1970, 1, 1)).unwrap().get_days();
        self.fixture.raw().script(&format!(
            "INSERT INTO position_statements (family_id, account_id, security_id, date, qty, price,
                    currency, cost_total, cost_qty)
                SELECT family_id, account_id, security_id, {day}, '{shares}.0', NULL, 'EUR',
                    {shares} * 20000, '1.0'
                FROM (SELECT * FROM holdings WHERE family_id = {family} ORDER BY id
                    LIMIT 1 OFFSET {at}) AS held
                WHERE family_id = {family} ON CONFLICT DO NOTHING",
            family = self.family.number(),
        ));
        self.edit(|tx| {
            let securities = positions::securities(tx)?;
            let mut executor = Executor::begin(tx, 0)?;
            executor.refold_securities(securities);
            executor.finish(tx, event())
        });
    }

    fn edit_much(&mut self) {
        let mut kept = 0;
        for _ in 0..90 {
            match self.dice.below(20) {
                0..=8 => self.add(),
                9..=10 => self.move_shares(),
                11..=13 => self.change(),
                14 => self.remove(),
                15..=16 => self.state_cost(),
                17 => self.choose_method(),
                18 => self.state_rate(),
                _ => self.report(),
            }
            kept += self.check();
        }
        assert!(self.edits > 60, "{} edits were not refused", self.edits);
        assert!(kept > 150, "{kept} states were kept");
        let account = self.accounts.remove(0);
        self.edit(|tx| accounts::removal::remove(tx, account));
        self.check();
    }

    /// How many states are kept; all that is derived follows from the trades.
    fn check(&self) -> usize {
        let read = |tx: &mut FamilyTx<'_>| {
            let mut kept = 0;
            for security in positions::securities(tx)? {
                let days = states_that_follow(tx, security)?;
                assert!(days.len() <= 3, "{days:?}");
                kept += days.len();
            }
            Ok(kept)
        };
        self.fixture.store.read_blocking(self.family, read).unwrap()
    }
}

#[test]
fn whatever_is_edited_comes_to_the_same_as_a_whole_fold() {
    on_both(|fixture| {
        for seed in 1..=4 {
            let mut family = Family::new(fixture, seed);
            keeping_after(1 + seed as usize, || family.edit_much());
        }
        let files = files::FileStore::open(&fixture.directory, &fixture.store).unwrap();
        for outcome in check::run(&fixture.store, &files, |_| {}) {
            assert!(outcome.holds(), "{outcome:?}");
        }
    });
}
