//! From the snapshots of a provider to the ledger.

use jiff::civil::date;
use purser_core::connection::SyncStatus;
use purser_core::ledger::account::Classification;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;
use purser_core::sync::ReportedRows;
use purser_providers::snapshot::{
    Completeness, HoldingSnapshot, RowProblem, SecurityClues, StatedCurrency, TransactionSnapshot,
    UnreadableRow,
};
use purser_store::audit::Actor;
use purser_store::syncs::{self, SyncRecord};
use purser_store::{Access, accounts, balances, families, jobs};
use serde_json::json;

use super::reported::{Home, balance, rows};
use super::*;
use crate::testing::TestStore;

fn settings(sync: SyncId) -> RunSettings {
    RunSettings {
        sync,
        today: date(2024, 5, 20),
        time_zone: TimeZone::get("Europe/Berlin").unwrap(),
        include_pending: true,
        provider: ProviderKind::Lunchflow,
        first_days: 90,
        planner: reconcile,
    }
}

fn no_run() -> RunSettings {
    settings(SyncId(uuid::Uuid::nil()))
}

fn home(classification: Classification) -> Home {
    Home { currency: Currency::EUR, is_stated: true, classification, holds_securities: false }
}

fn row(id: &str, amount: &str, day: i8, payee: &str, pending: bool) -> TransactionSnapshot {
    TransactionSnapshot {
        id: (!id.is_empty()).then(|| id.to_owned()),
        amount: amount.parse().unwrap(),
        currency: StatedCurrency::Absent,
        date: date(2024, 5, day),
        moment: None,
        payee: Some(payee.to_owned()),
        description: Some(format!("CARD 0423\n {payee}")),
        pending,
    }
}

fn snapshot(rows: Vec<TransactionSnapshot>) -> TransactionsSnapshot {
    TransactionsSnapshot { rows, ..TransactionsSnapshot::default() }
}

fn days() -> Window {
    Window::new(date(2024, 5, 1), date(2024, 5, 21)).unwrap()
}

fn read(snapshot: &TransactionsSnapshot, run: &RunSettings) -> ReportedRows {
    rows((days(), snapshot), home(Classification::Asset), run)
}

#[test]
fn rows_have_the_signs_the_currency_and_the_days_of_the_ledger() {
    let known = TransactionSnapshot {
        currency: StatedCurrency::Known(Currency::USD),
        moment: Some("2024-05-09T22:30:00Z".parse().unwrap()),
        payee: None,
        ..row("a", "-12.34", 9, "", false)
    };
    let reported =
        read(&snapshot(vec![row("", "5", 2, " Green  Grocer ", true), known]), &no_run());
    let [one, other] = &reported.rows[..] else { panic!("{reported:?}") };
    assert_eq!((one.row.amount, one.row.currency), (-50_000, Currency::EUR));
    assert_eq!((one.row.id.as_deref(), &*one.row.name), (None, "Green Grocer"));
    assert_eq!(one.notes.as_deref(), Some("CARD 0423 Green Grocer"));
    assert_eq!((other.row.amount, other.row.currency), (123_400, Currency::USD));
    assert_eq!(other.row.date, date(2024, 5, 10), "half past midnight in Berlin");
    assert_eq!((&*other.row.name, &other.notes), ("CARD 0423", &None));
    assert!(reported.is_whole && reported.has_pending);
}

#[test]
fn what_cannot_be_read_makes_an_answer_incomplete() {
    let mut answer = snapshot(vec![row("a", "1.23456", 2, "Kiosk", false)]);
    let reported = read(&answer, &no_run());
    assert_eq!((reported.rows.len(), reported.unreadable, reported.is_whole), (0, 1, false));
    answer.rows.clear();
    answer.unreadable = vec![UnreadableRow { position: 0, id: None, problem: RowProblem::Amount }];
    assert!(!read(&answer, &no_run()).is_whole);
    answer.unreadable.clear();
    answer.completeness = Completeness::Partial;
    assert!(!read(&answer, &no_run()).is_whole);
    answer.completeness = Completeness::Whole;
    answer.rows = vec![row("a", "1", 22, "Kiosk", false), row("b", "1", 2, "Kiosk", true)];
    let booked_only = RunSettings { include_pending: false, ..no_run() };
    let reported = read(&answer, &booked_only);
    assert!(reported.rows.is_empty() && reported.is_whole, "outside, and pending");
    // Of the days that were asked for nothing can be read.
    answer.rows.push(row("c", "1.23456", 2, "Kiosk", false));
    assert!(!read(&answer, &booked_only).is_whole);
    answer.rows.truncate(2);
    answer.completeness = Completeness::Doubtful;
    let reported = read(&answer, &no_run());
    assert_eq!((reported.rows.len(), reported.is_whole), (1, false), "used, and some may lack");
    answer.completeness = Completeness::NumberDiffers;
    assert!(read(&answer, &no_run()).is_whole);
}

#[test]
fn r2616_r2617_a_balance_never_changes_the_currency_and_has_the_sign_of_the_account() {
    let stated = |amount: &str, currency| BalanceSnapshot {
        amount: amount.parse().unwrap(),
        available: None,
        currency,
        as_of: Some("2024-05-18T23:30:00Z".parse().unwrap()),
    };
    let euros = StatedCurrency::Known(Currency::EUR);
    let read = |snapshot: &BalanceSnapshot, classification| {
        balance(snapshot, home(classification), &no_run()).map(|one| (one.date, one.amount))
    };
    let owed = stated("-250.5", euros);
    let day = date(2024, 5, 19);
    assert_eq!(read(&owed, Classification::Liability), Ok((day, 2_505_000)));
    assert_eq!(read(&owed, Classification::Asset), Ok((day, -2_505_000)), "overdrawn");
    let overpaid = stated("10", StatedCurrency::Absent);
    assert_eq!(read(&overpaid, Classification::Liability), Ok((day, -100_000)));
    let dollars = stated("1", StatedCurrency::Known(Currency::USD));
    assert_eq!(read(&dollars, Classification::Asset), Err(Warning::BalanceCurrencyDiffers));
    let odd = stated("0.00001", euros);
    assert_eq!(read(&odd, Classification::Asset), Err(Warning::BalanceUnreadable));
}

#[test]
fn the_currency_of_a_new_account_is_that_of_the_balance_or_of_most_rows() {
    let in_currency = |code: &str| TransactionSnapshot {
        currency: StatedCurrency::Known(Currency::parse(code).unwrap()),
        ..row("", "1", 2, "Kiosk", false)
    };
    let rows = snapshot(vec![in_currency("USD"), in_currency("CHF"), in_currency("CHF")]);
    let answers = Answers { transactions: Some((days(), &rows)), ..Answers::default() };
    assert_eq!(currency_of(&answers), Currency::parse("CHF"));
    let balance = BalanceSnapshot {
        amount: 0.into(),
        available: None,
        currency: StatedCurrency::Known(Currency::EUR),
        as_of: None,
    };
    assert_eq!(currency_of(&Answers { balance: Some(&balance), ..answers }), Some(Currency::EUR));
    assert_eq!(currency_of(&Answers::default()), None, "a person is asked");
}

fn run(tx: &mut FamilyTx<'_>) -> Result<RunSettings> {
    let record = SyncRecord {
        connection: None,
        status: SyncStatus::Completed,
        accounts_synced: 1,
        accounts_failed: 0,
        error: None,
        created_at: tx.now(),
        syncing_at: None,
        completed_at: Some(tx.now()),
        failed_at: None,
    };
    Ok(settings(syncs::put(tx, None, &record)?))
}

#[test]
fn answers_become_entries_and_pending_ones_go_when_they_are_not_wanted() {
    let fixture = TestStore::new();
    let family = fixture.whole_family("ann@example.org");
    let story = |tx: &mut FamilyTx<'_>| {
        let input = AccountInput {
            name: Some("Giro".to_owned()),
            account_type: Some("depository".to_owned()),
            opening_balance: Some(AmountText::Text("0".to_owned())),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input).unwrap().summary.id;
        let linked = LinkedAccount { account, watermark: None, stated: None };
        let run = run(tx).unwrap();
        assert_eq!(window(tx, &linked, &run).unwrap().from(), date(2024, 2, 20));
        let rows =
            snapshot(vec![row("a", "-5", 2, "Kiosk", false), row("", "-7", 3, "Bakery", true)]);
        let balance = BalanceSnapshot {
            amount: 100.into(),
            available: None,
            currency: StatedCurrency::Absent,
            as_of: None,
        };
        let answers = Answers {
            transactions: Some((days(), &rows)),
            balance: Some(&balance),
            holdings: None,
        };
        let shown = preview(tx, &linked, &answers, &run).unwrap();
        assert_eq!(changes_of(tx, run.sync).unwrap(), []);
        let done = apply(tx, &linked, &answers, &run).unwrap();
        assert_eq!((&shown, done.watermark), (&done, Some(date(2024, 5, 21))));
        assert_eq!((done.counts.added, done.lines.len()), (2, 2));
        let kept = changes_of(tx, run.sync).unwrap();
        assert_eq!((kept.len(), kept[0].counts), (1, done.counts));
        let at = |tx: &mut FamilyTx<'_>| balances::at_end_of(tx, account, run.today).unwrap();
        assert_eq!(at(tx), 1_000_000);

        let linked = LinkedAccount { watermark: Some(date(2024, 5, 19)), ..linked };
        assert_eq!(window(tx, &linked, &run).unwrap().from(), date(2024, 5, 2));
        let failed = Answers { balance: Some(&balance), ..Answers::default() };
        let plan = preview(tx, &linked, &failed, &run).unwrap();
        assert_eq!((plan.counts, plan.watermark), (Counts::default(), None), "r1796");
        let unwanted = RunSettings { include_pending: false, ..run };
        let plan = preview(tx, &linked, &Answers::default(), &unwanted).unwrap();
        assert_eq!((plan.counts.removed, plan.lines[0].reason), (1, Reason::NotAsked));
        Ok(())
    };
    fixture.store.write_blocking(family.access(Actor::System), story).unwrap();
}

/// A balance that fails once doesn't make euros of rows that are in dollars.
#[test]
fn rows_without_a_currency_are_not_booked_in_another_one_than_the_bank_states() {
    let fixture = TestStore::new();
    let family = fixture.whole_family("ann@example.org");
    let story = |tx: &mut FamilyTx<'_>| {
        let input = AccountInput {
            name: Some("Giro".to_owned()),
            account_type: Some("depository".to_owned()),
            currency: Some("EUR".to_owned()),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input).unwrap().summary.id;
        let run = run(tx).unwrap();
        let rows = snapshot(vec![row("a", "-5", 2, "Kiosk", false)]);
        let in_dollars = BalanceSnapshot {
            amount: 100.into(),
            available: None,
            currency: StatedCurrency::Known(Currency::USD),
            as_of: None,
        };
        let mut counts = |stated, balance| {
            let linked = LinkedAccount { account, watermark: None, stated };
            let answers = Answers { transactions: Some((days(), &rows)), balance, holdings: None };
            let counts = preview(tx, &linked, &answers, &run).unwrap().counts;
            (counts.added, counts.unreadable)
        };
        assert_eq!(counts(None, Some(&in_dollars)), (0, 1));
        assert_eq!(counts(Some(Currency::USD), None), (0, 1), "the balance failed");
        assert_eq!(counts(Some(Currency::EUR), None), (1, 0));
        assert_eq!(counts(None, None), (1, 0));
        Ok(())
    };
    fixture.store.write_blocking(family.access(Actor::System), story).unwrap();
}

/// What is going to be matched, after which nothing waits any more.
fn taken_matchings(fixture: &TestStore, access: Access) -> Vec<serde_json::Value> {
    let waiting = fixture.store.read_directory_blocking(jobs::list).unwrap();
    let forget = |tx: &mut FamilyTx<'_>| {
        let family = tx.family();
        jobs::forget(tx, family, "transfers.match")
    };
    fixture.store.write_blocking(access, forget).unwrap();
    let matchings = waiting.into_iter().filter(|one| one.kind == "transfers.match");
    matchings.map(|one| one.payload).collect()
}

#[test]
fn transfers_are_matched_after_each_part_whether_another_follows_or_not() {
    let fixture = TestStore::new();
    let family = fixture.whole_family("ann@example.org");
    let access = || family.access(Actor::System);
    let prepared = |tx: &mut FamilyTx<'_>| {
        let input = AccountInput {
            name: Some("Giro".to_owned()),
            account_type: Some("depository".to_owned()),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input)?.summary.id;
        let linked = LinkedAccount { account, watermark: None, stated: None };
        let rows = (2..5).map(|day| row(&day.to_string(), "-5", day, "Kiosk", false));
        let rows = snapshot(rows.collect());
        let answers = Answers { transactions: Some((days(), &rows)), ..Answers::default() };
        let run = run(tx)?;
        Ok(prepare(tx, &linked, &answers, &run)?.to_execute())
    };
    let plan = fixture.store.write_blocking(access(), prepared).unwrap();
    assert!(taken_matchings(&fixture, access()).is_empty());
    let around = json!({ "scope": "around", "first": days().from(), "last": days().to() });
    let mut progress = Progress::default();
    for part in 1..=3 {
        let execute = |tx: &mut FamilyTx<'_>| plan.execute_part(tx, &progress, 1);
        progress = fixture.store.write_blocking(access(), execute).unwrap();
        assert_eq!(progress.is_done(), part == 3);
        assert_eq!(
            taken_matchings(&fixture, access()),
            std::slice::from_ref(&around),
            "part {part}"
        );
    }
}

/// A holding in euros with an ISIN.
fn held(quantity: &str, value: &str, cost: &str) -> HoldingSnapshot {
    let decimal = |text: &str| Some(text.parse().unwrap());
    let euros = StatedCurrency::Known(Currency::EUR);
    HoldingSnapshot {
        id: None,
        security: SecurityClues {
            isin: Some("DE0007164600".to_owned()),
            ticker: Some("SAP".to_owned()),
            currency: euros,
            ..SecurityClues::default()
        },
        quantity: quantity.parse().unwrap(),
        price: None,
        value: decimal(value),
        stated_cost: decimal(cost),
        purchase_price: None,
        currency: euros,
    }
}

#[test]
fn a_day_on_which_nothing_changes_writes_nothing() {
    let fixture = TestStore::new();
    let family = fixture.whole_family("ann@example.org");
    let story = |tx: &mut FamilyTx<'_>| {
        let input = AccountInput {
            name: Some("Depot".to_owned()),
            account_type: Some("investment".to_owned()),
            opening_balance: Some(AmountText::Text("0".to_owned())),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input).unwrap().summary.id;
        let linked = LinkedAccount { account, watermark: None, stated: None };
        let balance = |amount: i64| BalanceSnapshot {
            amount: amount.into(),
            available: None,
            currency: StatedCurrency::Absent,
            as_of: None,
        };
        let holdings = |row: HoldingSnapshot| HoldingsSnapshot {
            rows: vec![row],
            ..HoldingsSnapshot::default()
        };
        let mut day = run(tx).unwrap();
        let mut book = |tx: &mut FamilyTx<'_>, row: HoldingSnapshot, amount: i64| {
            let (balance, holdings) = (balance(amount), holdings(row));
            let answers =
                Answers { transactions: None, balance: Some(&balance), holdings: Some(&holdings) };
            let before = families::version(tx).unwrap();
            let record = run(tx).unwrap().sync;
            day = RunSettings { sync: record, today: day.today.tomorrow().unwrap(), ..day.clone() };
            let done = apply(tx, &linked, &answers, &day).unwrap();
            let worth = balances::worth_at_end_of(tx, account, day.today).unwrap();
            assert_eq!(worth, Some(amount * 10_000), "cash is what the holdings leave over");
            (done.counts.holdings, families::version(tx).unwrap() != before)
        };
        let row = || held("10", "1000", "900");
        let (first, _) = book(tx, row(), 1_500);
        assert_eq!(first, HoldingCounts { opened: 1, priced: 1, ..HoldingCounts::default() });
        for _ in 0..3 {
            let (same, writes) = book(tx, row(), 1_500);
            assert_eq!(same, HoldingCounts { known: 1, ..HoldingCounts::default() });
            assert!(!writes, "nothing is written");
        }
        // The price has moved, and the balance with it: only the price is new.
        let (moved, writes) = book(tx, held("10", "1100", "900"), 1_600);
        assert_eq!(moved, HoldingCounts { known: 1, priced: 1, ..HoldingCounts::default() });
        assert!(writes);
        let cash = balances::at_end_of(tx, account, day.today).unwrap();
        assert_eq!(cash, 5_000_000, "what the price moved is no money");
        Ok(())
    };
    fixture.store.write_blocking(family.access(Actor::System), story).unwrap();
}
