//! Accounts share securities: prices and splits that one reports count in the others, once, and
//! only as long as it is there.

use jiff::civil::date;
use purser_core::ledger::entry::ValuationKind;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::trade::TradeType;
use purser_core::plan::{Change, Target, ValuationDraft};

use super::*;
use crate::access::FamilyTx;
use crate::accounts::get;
use crate::accounts::tests::{input, make};
use crate::check;
use crate::families::FamilyId;
use crate::files::FileStore;
use crate::ledger::balances;
use crate::ledger::checkpoints::keeping_after;
use crate::testing::{self, Fixture};
use crate::trades;

const ACTOR: Actor = Actor::CommandLine;

/// Two brokers of one family.
struct Brokers<'f> {
    fixture: &'f Fixture,
    files: FileStore,
    family: FamilyId,
    a: AccountId,
    b: AccountId,
}

impl<'f> Brokers<'f> {
    fn new(fixture: &'f Fixture) -> Self {
        let (family, _) = fixture.family("one");
        let [a, b] = ["A", "B"]
            .map(|name| make(fixture, family, &input(name, "investment", "1000")).summary.id);
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        Self { fixture, files, family, a, b }
    }

    /// Shares that come or go, at a price if it is a buy.
    fn shares(&self, account: AccountId, trade_type: &str, day: &str, quantity: &str, price: &str) {
        let amount = |text: &str| Some(AmountText::Text(text.to_owned()));
        self.trade(
            account,
            TradeValues {
                trade_type: TradeType::parse(trade_type),
                date: Some(day.to_owned()),
                quantity: amount(quantity),
                price: if price.is_empty() { None } else { amount(price) },
                ..TradeValues::default()
            },
        );
    }

    /// A split of two shares for one.
    fn split(&self, account: AccountId, day: &str) {
        self.trade(
            account,
            TradeValues {
                trade_type: Some(TradeType::Split),
                date: Some(day.to_owned()),
                split_to: Some("2".into()),
                split_from: Some("1".into()),
                ..TradeValues::default()
            },
        );
    }

    /// Shares move from A to B.
    fn shares_to_b(&self, day: &str, quantity: &str) {
        let values = TradeValues {
            trade_type: Some(TradeType::TransferOut),
            date: Some(day.to_owned()),
            quantity: Some(AmountText::Text(quantity.to_owned())),
            ..TradeValues::default()
        };
        let to_account = Some(self.b.to_string());
        let input = TradeInput { to_account, ..trade_input(self.a, values) };
        self.create(&input);
    }

    fn trade(&self, account: AccountId, values: TradeValues) {
        self.create(&trade_input(account, values));
    }

    fn create(&self, input: &TradeInput) {
        let write = |tx: &mut FamilyTx<'_>| trades::create(tx, input);
        self.fixture.store.write_blocking(self.family, write).unwrap();
    }

    /// B is worth 5000 on January 15.
    fn value(&self) {
        let valuation = ValuationDraft {
            account: Target::Existing(self.b.0),
            date: date(2024, 1, 15),
            amount: 50_000_000,
            kind: ValuationKind::Reconciliation,
            notes: None,
        };
        let write = |tx: &mut FamilyTx<'_>| {
            let mut executor = Executor::begin(tx, 1)?;
            executor.apply(tx, &Change::SetValuation(valuation.clone()))?;
            let (subject_kind, subject_id) = ("test", self.b.0);
            let event = Event {
                actor: ACTOR,
                action: "test",
                subject_kind,
                subject_id,
                details: json!({}),
            };
            executor.finish(tx, event)
        };
        self.fixture.store.write_blocking(self.family, write).unwrap();
    }

    /// What B has in cash at the end of the day of the valuation.
    fn cash(&self) -> i64 {
        let read = |tx: &mut FamilyTx<'_>| balances::stored(tx, self.b.0);
        let days = self.fixture.store.read_blocking(self.family, read).unwrap();
        days.iter().find(|day| day.date == date(2024, 1, 15)).unwrap().end
    }

    /// What an account is worth today.
    fn balance(&self, account: AccountId) -> i64 {
        let read = |tx: &mut FamilyTx<'_>| get(tx, account);
        self.fixture.store.read_blocking(self.family, read).unwrap().balance
    }

    fn remove_a(&self) {
        let write = |tx: &mut FamilyTx<'_>| remove(tx, self.a);
        assert!(self.fixture.store.write_blocking(self.family, write).unwrap());
    }

    fn check(&self) {
        for outcome in check::run(&self.fixture.store, &self.files, |_| {}) {
            assert!(outcome.holds(), "{outcome:?}");
        }
    }
}

/// Runs a test on both databases; the state of positions is kept for each day with trades.
fn on_both(test: impl Fn(&Fixture)) {
    testing::on_both(|fixture| keeping_after(1, || test(fixture)));
}

fn trade_input(account: AccountId, values: TradeValues) -> TradeInput {
    TradeInput {
        account: Some(account.to_string()),
        ticker: Some("VTI".to_owned()),
        values,
        ..TradeInput::default()
    }
}

#[test]
fn a_price_goes_with_the_account_that_reported_it() {
    on_both(|fixture| {
        let brokers = Brokers::new(fixture);
        brokers.shares(brokers.b, "transfer_in", "2024-01-05", "10", "");
        brokers.shares(brokers.a, "buy", "2024-01-10", "1", "200");
        brokers.value();
        assert_eq!(brokers.cash(), 30_000_000);
        brokers.check();
        brokers.remove_a();
        assert_eq!(brokers.cash(), 50_000_000, "nobody knows what the shares are worth");
        brokers.check();
    });
}

#[test]
fn a_split_goes_with_the_account_that_reported_it() {
    on_both(|fixture| {
        let brokers = Brokers::new(fixture);
        brokers.shares(brokers.a, "transfer_in", "2024-01-05", "10", "");
        brokers.shares(brokers.b, "buy", "2024-01-05", "10", "100");
        brokers.split(brokers.a, "2024-01-12");
        brokers.value();
        assert_eq!(brokers.cash(), 45_000_000);
        brokers.check();
        brokers.remove_a();
        assert_eq!(brokers.cash(), 40_000_000);
        brokers.check();
    });
}

/// The move between the accounts ends, too; what is parted first was moved before the price.
#[test]
fn a_price_goes_with_an_account_that_shares_moved_from() {
    on_both(|fixture| {
        let brokers = Brokers::new(fixture);
        brokers.shares(brokers.a, "buy", "2024-01-03", "10", "50");
        brokers.shares_to_b("2024-01-05", "10");
        brokers.shares(brokers.a, "buy", "2024-01-10", "1", "200");
        brokers.value();
        assert_eq!(brokers.cash(), 30_000_000);
        brokers.check();
        brokers.remove_a();
        assert_eq!(brokers.cash(), 50_000_000);
        brokers.check();
    });
}

/// Ten shares at 100 each: twenty at 50, whichever broker books the split first.
#[test]
fn a_split_that_two_brokers_report_on_two_days_divides_the_price_once() {
    on_both(|fixture| {
        let brokers = Brokers::new(fixture);
        for account in [brokers.a, brokers.b] {
            brokers.shares(account, "buy", "2024-01-05", "10", "100");
        }
        brokers.value();
        brokers.split(brokers.a, "2024-02-10");
        brokers.split(brokers.b, "2024-02-11");
        assert_eq!(brokers.balance(brokers.a), 10_000_000);
        assert_eq!(brokers.balance(brokers.b), 50_000_000);
        brokers.check();
        // A broker's second one is another split.
        brokers.split(brokers.a, "2024-02-12");
        brokers.split(brokers.b, "2024-02-12");
        assert_eq!(brokers.balance(brokers.a), 10_000_000);
        assert_eq!(brokers.balance(brokers.b), 50_000_000);
        brokers.check();
        brokers.remove_a();
        assert_eq!(brokers.balance(brokers.b), 50_000_000);
        brokers.check();
    });
}

#[test]
fn what_still_moved_into_an_account_that_is_going_is_parted() {
    on_both(|fixture| {
        let brokers = Brokers::new(fixture);
        brokers.shares(brokers.a, "buy", "2024-01-02", "10", "50");
        brokers.shares_to_b("2024-01-03", "4");
        let write = |tx: &mut FamilyTx<'_>| {
            account_removal::mark(tx, brokers.a)?;
            remove_more(tx, brokers.a)
        };
        assert!(fixture.store.write_blocking(brokers.family, write).unwrap());
        let read = |tx: &mut FamilyTx<'_>| trades::list(tx, trades::Listing::default(), 10, 0);
        let (left, total) = fixture.store.read_blocking(brokers.family, read).unwrap();
        assert_eq!((left.len(), total), (1, 1));
        assert_eq!((&left[0].counterpart, left[0].cost), (&None, None));
        brokers.check();
    });
}
