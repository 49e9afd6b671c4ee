//! Folds that go on from kept states: they read what is later and nothing else, and come to the
//! same as a whole fold, whatever is edited.

mod edits;

use jiff::civil::{Date, date};
use purser_core::ids::SecurityId;
use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::security::Listing as SecurityListing;
use purser_core::ledger::trade::{Terms, TradeType};
use purser_core::money::Currency;
use purser_core::plan::{TradeDraft, TradeTerms};
use rust_decimal::Decimal;

use super::*;
use crate::accounts::tests::{input, make};
use crate::migrations::{MIGRATIONS, run_steps};
use crate::statement_count::rows_read;
use crate::testing::{Fixture, event, on_both, security};
use crate::{accounts, trades};

fn text(text: impl ToString) -> Option<AmountText> {
    Some(AmountText::Text(text.to_string()))
}

/// A broker with so many purchases of one security, one on each day.
struct Purchases<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    account: AccountId,
    security: SecurityId,
}

impl<'f> Purchases<'f> {
    fn new(fixture: &'f Fixture, name: &str, count: u64) -> Self {
        let (family, _) = fixture.family(name);
        let broker = input("Broker", "investment", "1000");
        let account = make(fixture, family, &broker).summary.id;
        let method = AccountValues { cost_method: Some("fifo".into()), ..AccountValues::default() };
        let listing =
            SecurityListing { ticker: "VTI".to_owned(), exchange_operating_mic: String::new() };
        let security = fixture.store.write_blocking(family, |tx| {
            accounts::change::revise(tx, account, &method)?;
            let security = security(tx, &listing, None)?;
            let mut executor = Executor::begin(tx, count)?;
            for number in 0..count {
                executor.apply(tx, &purchase(account, security, number))?;
            }
            executor.finish(tx, event())?;
            Ok(security)
        });
        Self { fixture, family, account, security: security.unwrap() }
    }

    /// Adds a sale of three shares, and returns how many rows were read for it.
    fn sell(&self, on: Date) -> u64 {
        let values = TradeValues {
            trade_type: Some(TradeType::Sell),
            date: Some(on.to_string()),
            quantity: text(3),
            price: text(7),
            ..TradeValues::default()
        };
        let (account, security) = (self.account.to_string(), self.security.to_string());
        let (account, security) = (Some(account), Some(security));
        let sale = TradeInput { account, security, values, ..TradeInput::default() };
        let sell =
            || self.fixture.store.write_blocking(self.family, |tx| trades::create(tx, &sale));
        let (sold, rows) = rows_read(sell);
        sold.unwrap();
        rows
    }

    /// The days of the kept states, which follow from the trades as the segments do.
    fn kept(&self) -> Vec<Date> {
        let read = |tx: &mut FamilyTx<'_>| states_that_follow(tx, self.security);
        self.fixture.store.read_blocking(self.family, read).unwrap()
    }
}

fn purchase(account: AccountId, security: SecurityId, number: u64) -> Change<'static> {
    let (trade_type, quantity, price) = (TradeType::Buy, Decimal::ONE, Decimal::from(5));
    let stated = Terms { trade_type, quantity, price, fee: 0, amount: 0 };
    let terms = TradeTerms {
        date: day(number),
        trade_type,
        currency: Currency::EUR,
        rate: None,
        price,
        fee: 0,
        effect: stated.effect(Currency::EUR.scale()).unwrap(),
        split: None,
        name: "",
        notes: None,
    };
    let account = Target::Existing(account.0);
    let (to, source, external_id) = (None, None, None);
    Change::AddTrade(TradeDraft { account, security, to, terms, source, external_id })
}

fn day(number: u64) -> Date {
    date(2015, 1, 1).checked_add(jiff::Span::new().days(number as i64)).unwrap()
}

/// The days of the states of a security; they and its segments are those of a whole fold.
fn states_that_follow(tx: &mut FamilyTx<'_>, security: SecurityId) -> Result<Vec<Date>> {
    let kept = checkpoints::stored(tx, security)?;
    let days: Vec<Date> = kept.iter().map(|(date, _)| *date).collect();
    let (folded, states) = positions::folded_with_states(tx, security, &days)?;
    let stored = positions::stored(tx, &[security])?.remove(&security).unwrap_or_default();
    assert_eq!(stored, folded.segments);
    for ((date, kept), state) in kept.into_iter().zip(states) {
        assert_eq!(kept, Some(state), "{date}");
    }
    Ok(days)
}

#[test]
fn a_trade_at_the_end_reads_what_is_later_than_a_kept_state() {
    on_both(|fixture| {
        let (few, many) = (3 * 128 + 50, 15 * 128 + 50);
        let [few, many] = [("few", few), ("many", many)].map(|(name, count)| {
            let purchases = Purchases::new(fixture, name, count);
            let kept: Vec<Date> =
                (1..=3).map(|part| day(count - 50 - 128 * (3 - part) - 1)).collect();
            assert_eq!(purchases.kept(), kept, "the newest three");
            // The first sale prepares what only has to be read once.
            purchases.sell(day(count));
            let rows = purchases.sell(day(count + 1));
            assert_eq!(purchases.kept(), kept);
            rows
        });
        assert_eq!(few, many, "it doesn't depend on the number of trades");
        assert!(many < 4 * 51 + 50, "trades, entries and segments of 51 days: {many} rows");
    });
}

#[test]
fn states_of_a_day_that_changed_and_of_later_ones_are_made_again() {
    on_both(|fixture| {
        let purchases = Purchases::new(fixture, "one", 5 * 128);
        let end = |part: u64| day(part * 128 - 1);
        assert_eq!(purchases.kept(), [3, 4, 5].map(end));
        // After the third there are 128 trades up to a day before the fourth.
        purchases.sell(day(3 * 128));
        let earlier = |part: u64| day(part * 128 - 2);
        assert_eq!(purchases.kept(), [end(3), earlier(4), earlier(5)]);
        // Before all of them: there is nothing to go on from.
        purchases.sell(day(0));
        assert_eq!(purchases.kept(), [earlier(3), day(4 * 128 - 3), day(5 * 128 - 3)]);
        let all = purchases.sell(day(1));
        assert!(all > 3 * 5 * 128, "everything was read: {all} rows");
    });
}

#[test]
fn trades_of_older_versions_get_the_day_of_their_entries() {
    on_both(|fixture| {
        let purchases = Purchases::new(fixture, "one", 150);
        fixture.raw().script(
            "DROP TABLE position_checkpoints; DROP INDEX trades_by_day;
             ALTER TABLE trades DROP COLUMN date",
        );
        let at = MIGRATIONS.iter().position(|step| step.name == "position_checkpoints").unwrap();
        let version = MIGRATIONS[at].version;
        fixture.raw().script(&format!("DELETE FROM schema_version WHERE version >= {version}"));
        run_steps(&fixture.store, &MIGRATIONS[at..=at]).unwrap();
        assert_eq!(purchases.kept(), []);
        let whole = purchases.sell(day(150));
        assert_eq!(purchases.kept(), [day(127)], "the first change folds everything");
        let rows = purchases.sell(day(151));
        assert_eq!(purchases.kept(), [day(127)]);
        assert!(rows < whole - 2 * 128, "{rows} rows instead of {whole}");
    });
}
