//! Taking back a range of entries that trades stand in: at once, in parts, and around what a person
//! changed.

use jiff::civil::date;
use purser_core::ids::{ImportId, SecurityId};
use purser_core::ledger::entry::ValuationKind;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::security::Listing as SecurityListing;
use purser_core::ledger::trade::Terms;
use purser_core::plan::{
    Change, Target, TradeDraft, TradeRevision, TradeTerms, TransactionDraft, ValuationDraft,
};

use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::check;
use crate::files::FileStore;
use crate::ledger::checkpoints::keeping_after;
use crate::ledger::{self, Executor, HiddenLeft, balances, positions};
use crate::testing::{self, Fixture, event, security};

/// A family that traded by itself, before an import brings more.
struct Book<'a> {
    fixture: &'a Fixture,
    files: FileStore,
    family: FamilyId,
    depot: AccountId,
    vault: AccountId,
    security: SecurityId,
}

/// Everything that follows from entries, as text.
type State = Vec<String>;

impl<'a> Book<'a> {
    fn new(fixture: &'a Fixture) -> Self {
        let (family, _) = fixture.family("one");
        let vault = AccountInput {
            currency: Some("USD".to_owned()),
            ..input("Vault", "investment", "100")
        };
        let listing =
            SecurityListing { ticker: "VTI".to_owned(), exchange_operating_mic: String::new() };
        let made = |tx: &mut FamilyTx<'_>| security(tx, &listing, None);
        let book = Self {
            files: FileStore::open(&fixture.directory, &fixture.store).unwrap(),
            depot: make(fixture, family, &input("Depot", "investment", "1000")).summary.id,
            vault: make(fixture, family, &vault).summary.id,
            security: fixture.store.write_blocking(family, made).unwrap(),
            fixture,
            family,
        };
        book.carry_out(|tx, executor| {
            executor.apply(tx, &book.trade(TradeType::Buy, 2, "10", Currency::EUR, None))?;
            // What it leaves for cash depends on the holdings.
            let valuation = ValuationDraft {
                account: Target::Existing(book.depot.0),
                date: date(2024, 1, 20),
                amount: 9_000_000,
                kind: ValuationKind::Reconciliation,
                notes: None,
            };
            executor.apply(tx, &Change::SetValuation(valuation)).map(drop)
        });
        book
    }

    fn carry_out(
        &self,
        work: impl Fn(&mut FamilyTx<'_>, &mut Executor) -> Result<()>,
    ) -> Option<ledger::Range> {
        let written = self.fixture.store.write_blocking(self.family, |tx| {
            let mut executor = Executor::begin(tx, 10)?;
            work(tx, &mut executor)?;
            executor.finish(tx, event())
        });
        written.unwrap().range
    }

    /// A trade in the depot at 5 a share; in dollars at a rate.
    fn trade(
        &self,
        trade_type: TradeType,
        day: i8,
        quantity: &str,
        currency: Currency,
        to: Option<AccountId>,
    ) -> Change<'static> {
        let rate = (currency == Currency::USD || to.is_some()).then(|| Decimal::new(9, 1));
        Change::AddTrade(TradeDraft {
            account: Target::Existing(self.depot.0),
            security: self.security,
            to: to.map(|to| Target::Existing(to.0)),
            terms: terms(trade_type, day, quantity, currency, rate),
            source: None,
            external_id: None,
        })
    }

    /// What an import would add: trades of all kinds, and a deposit among them.
    fn import(&self) -> ledger::Range {
        let range = self.carry_out(|tx, executor| {
            let deposit = TransactionDraft {
                account: Target::Existing(self.depot.0),
                date: date(2024, 1, 5),
                amount: -500_000,
                currency: Currency::EUR,
                rate: None,
                name: "Deposit",
                source_name: None,
                notes: None,
                category: None,
                merchant: None,
                tags: &[],
                excluded: false,
                source: None,
                external_id: None,
            };
            for change in [
                self.trade(TradeType::Buy, 1, "3", Currency::USD, None),
                Change::AddTransaction(deposit),
                self.trade(TradeType::TransferOut, 6, "5", Currency::EUR, Some(self.vault)),
                self.trade(TradeType::Sell, 7, "2", Currency::EUR, None),
                self.trade(TradeType::Dividend, 25, "0", Currency::USD, None),
            ] {
                executor.apply(tx, &change)?;
            }
            Ok(())
        });
        range.unwrap()
    }

    fn state(&self) -> State {
        let read = |tx: &mut FamilyTx<'_>| {
            let mut state = Vec::new();
            for account in [self.depot, self.vault] {
                state.push(format!("{:?}", balances::stored(tx, account.0)?));
            }
            let stored = positions::stored(tx, &[self.security])?;
            state.push(format!("{stored:?}"));
            state.push(format!(
                "{:?}",
                tx.query(&TRADE_COUNTS, &[self.family.into()], |row| {
                    Ok((row.id::<AccountId>(0)?, row.int(1)?))
                })?
            ));
            Ok(state)
        };
        self.fixture.store.read_blocking(self.family, read).unwrap()
    }

    /// Everything follows from what is there. The import itself is not.
    fn check(&self) {
        let outcomes = check::run(&self.fixture.store, &self.files, |_| {});
        for outcome in outcomes.iter().filter(|outcome| outcome.name != "import_entries") {
            assert!(outcome.holds(), "{outcome:?}");
        }
    }

    /// An undo in one transaction. Gives how many entries went.
    fn take_back(&self, range: ledger::Range) -> u64 {
        let written = self.fixture.store.write_blocking(self.family, |tx| {
            let mut executor = Executor::begin(tx, 0)?;
            executor.count_out_range(tx, range)?;
            let removed = executor.delete_range(tx, range, &|_| {})?;
            executor.settle(tx)?;
            executor.finish(tx, event())?;
            Ok(removed)
        });
        written.unwrap()
    }
}

/// Runs a test on both databases; the state of positions is kept for each day with trades.
fn on_both(test: impl Fn(&Fixture)) {
    testing::on_both(|fixture| keeping_after(1, || test(fixture)));
}

fn terms(
    trade_type: TradeType,
    day: i8,
    quantity: &str,
    currency: Currency,
    rate: Option<Decimal>,
) -> TradeTerms<'static> {
    let (price, amount) = if trade_type.is_money() { (0, 30_000) } else { (5, 0) };
    let (quantity, price) = (quantity.parse().unwrap(), Decimal::from(price));
    let stated = Terms { trade_type, quantity, price, fee: 0, amount };
    TradeTerms {
        date: date(2024, 1, day),
        trade_type,
        currency,
        rate,
        price,
        fee: 0,
        effect: stated.effect(currency.scale()).unwrap(),
        split: None,
        name: "",
        notes: None,
    }
}

#[test]
fn what_a_range_traded_is_taken_back() {
    on_both(|fixture| {
        let book = Book::new(fixture);
        let before = book.state();
        let range = book.import();
        assert_ne!(book.state(), before);
        book.check();
        // Six: of the move both sides.
        assert_eq!(book.take_back(range), 6);
        assert_eq!(book.state(), before);
        book.check();
    });
}

/// Only SQLite cuts an undo in parts.
#[test]
fn a_range_that_goes_in_parts_counts_no_more_from_the_first_on() {
    let fixture = Fixture::sqlite();
    keeping_after(1, || goes_in_parts(&fixture));
}

fn goes_in_parts(fixture: &Fixture) {
    let book = Book::new(fixture);
    let before = book.state();
    let range = book.import();
    let import = ImportId(fixture.store.new_id().unwrap());
    let hide = |tx: &mut FamilyTx<'_>| Executor::begin(tx, 0)?.hide_range(tx, import, range);
    fixture.store.write_blocking(book.family, hide).unwrap();
    assert_eq!(book.state(), before);
    let mut parts = Vec::new();
    loop {
        book.check();
        let part = |tx: &mut FamilyTx<'_>| ledger::remove_hidden(tx, 3);
        let left = fixture.store.write_blocking(book.family, part).unwrap();
        parts.push(left);
        if matches!(left, HiddenLeft::Nothing(_)) {
            break;
        }
    }
    assert_eq!(parts, [HiddenLeft::More(3), HiddenLeft::Nothing(3)], "a move is cut in two");
    assert_eq!(book.state(), before);
    book.check();
}

#[test]
fn a_trade_that_a_person_changed_stays() {
    on_both(|fixture| {
        let book = Book::new(fixture);
        let (first, last) = book.import();
        let entry = first;
        book.carry_out(|tx, executor| {
            let rate = Some(Decimal::new(9, 1));
            let terms = terms(TradeType::Buy, 1, "4", Currency::USD, rate);
            let revision = TradeRevision { entry, security: book.security, terms };
            executor.apply(tx, &Change::ReviseTrade(revision)).map(drop)
        });
        assert_eq!(book.take_back((first, last)), 5);
        let listing = Listing::default();
        let left = |tx: &mut FamilyTx<'_>| list(tx, listing, 10, 0);
        let (left, total) = fixture.store.read_blocking(book.family, left).unwrap();
        let quantities: Vec<Decimal> = left.iter().map(|trade| trade.quantity).collect();
        assert_eq!((quantities, total), (vec![Decimal::TEN, Decimal::from(4)], 2));
        assert_eq!(left[1].booked_value, 180_000, "4 × 5 × 0.9");
        book.check();
    });
}
