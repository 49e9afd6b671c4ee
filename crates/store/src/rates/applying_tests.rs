//! A rate that many amounts wait for: they are converted again by a job, slice by slice.

use std::time::Duration;

use jiff::civil::{Date, date};
use purser_core::ids::AccountId;
use purser_core::ledger::input::AmountText;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_core::rates::RateInput;
use rust_decimal::Decimal;
use serde_json::json;

use super::{AT_ONCE_MAX, ApplyRates, CONVERTED_FROM, CONVERTED_TO, KIND, PER_COMMIT};
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::audit::Actor;
use crate::check;
use crate::driver::statements;
use crate::families::FamilyId;
use crate::files::FileStore;
use crate::jobs::{self, Counts};
use crate::ledger::{Event, Executor, balances};
use crate::rates::own;
use crate::testing::{Fixture, on_both};

statements! {
    /// What amounts are booked as, and how many of each.
    BOOKED = "SELECT COALESCE(booked, 0), CAST(COUNT(*) AS BIGINT) FROM entries
        WHERE family_id = $1 GROUP BY booked ORDER BY booked";
    /// As a publish in parts does.
    HIDE = "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
        VALUES ($1, $2, 'publish', $2, $2)";
}

const DAY: Date = date(2024, 5, 16);

/// Spends a penny `count` times; every tenth with a rate of its own.
fn spend(tx: &mut FamilyTx<'_>, account: AccountId, count: i64) {
    spend_each(tx, account, count, (100, Some(Decimal::TWO)));
}

/// Spends an amount `count` times; every tenth with a rate of its own, if there is one.
fn spend_each(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    count: i64,
    (amount, rate): (i64, Option<Decimal>),
) {
    let mut executor = Executor::begin(tx, count.unsigned_abs()).unwrap();
    for number in 0..count {
        let draft = TransactionDraft {
            account: Target::Existing(account.0),
            date: DAY.checked_add(jiff::Span::new().days(number % 50)).unwrap(),
            amount,
            currency: Currency::parse("GBP").unwrap(),
            rate: rate.filter(|_| number % 10 == 0),
            name: "Coffee",
            source_name: None,
            notes: None,
            category: None,
            merchant: None,
            tags: &[],
            excluded: false,
            source: None,
            external_id: None,
        };
        executor.apply(tx, &Change::AddTransaction(draft)).unwrap();
    }
    let event = Event {
        actor: Actor::System,
        action: "test",
        subject_kind: "test",
        subject_id: account.0,
        details: json!({}),
    };
    executor.finish(tx, event).unwrap();
}

fn state_rate(fixture: &Fixture, family: FamilyId, rate: &str) {
    let input = RateInput {
        base: Some("GBP".into()),
        quote: Some("EUR".into()),
        date: Some(DAY.to_string()),
        rate: Some(AmountText::Text(rate.into())),
    };
    let set = |tx: &mut FamilyTx<'_>| own::set(tx, &input).map(drop);
    fixture.store.write_blocking(family, set).unwrap();
}

fn booked(fixture: &Fixture, family: FamilyId) -> Vec<(i64, i64)> {
    let read = |tx: &mut FamilyTx<'_>| {
        tx.query(&BOOKED, &[family.into()], |row| Ok((row.int(0)?, row.int(1)?)))
    };
    fixture.store.read_blocking(family, read).unwrap()
}

fn queued(fixture: &Fixture) -> Counts {
    fixture.store.read_directory_blocking(jobs::counts).unwrap()
}

#[test]
fn many_amounts_are_converted_again_by_a_job() {
    assert_eq!(STATEMENTS.len(), 2);
    let counted = format!("LIMIT {})", AT_ONCE_MAX + 1);
    assert!([CONVERTED_FROM, CONVERTED_TO].iter().all(|sql| sql.text().contains(&counted)));
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let account = make(fixture, family, &input("Everyday", "depository", "0")).summary.id;
        // Those that came with their rate are not looked at.
        let count = AT_ONCE_MAX / 8 * 10;
        let (given, waiting) = (count / 10, count / 10 * 9);
        assert!(waiting > AT_ONCE_MAX && waiting > 2 * i64::try_from(PER_COMMIT).unwrap());
        let write = |tx: &mut FamilyTx<'_>| {
            spend(tx, account, count);
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
        let before = [(0, waiting), (200, given)];
        assert_eq!(booked(fixture, family), before);

        state_rate(fixture, family, "1.5");
        assert_eq!(booked(fixture, family), before, "not yet");
        let job = jobs::claim(&fixture.store, "test", Duration::from_secs(60)).unwrap().unwrap();
        assert_eq!(job.kind, KIND);
        let payload: ApplyRates = serde_json::from_value(job.payload.clone()).unwrap();
        payload.run(&fixture.store, &job).unwrap();
        assert_eq!(booked(fixture, family), [(150, waiting), (200, given)]);
        assert_eq!(queued(fixture), Counts::default());
        let days = |tx: &mut FamilyTx<'_>| balances::stored(tx, account.0);
        let days = fixture.store.read_blocking(family, days).unwrap();
        assert_eq!(days.last().unwrap().end, -(150 * waiting + 200 * given));
    });
}

#[test]
fn few_amounts_are_converted_in_the_transaction_that_states_the_rate() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let account = make(fixture, family, &input("Everyday", "depository", "0")).summary.id;
        let write = |tx: &mut FamilyTx<'_>| {
            spend(tx, account, 20);
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
        state_rate(fixture, family, "1.5");
        assert_eq!(booked(fixture, family), [(150, 18), (200, 2)]);
        assert_eq!(queued(fixture), Counts::default());
    });
}

#[test]
fn what_a_publish_still_hides_is_converted_after_it() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let hide = |tx: &mut FamilyTx<'_>| {
            let import = tx.new_id()?;
            tx.execute(&HIDE, &[family.into(), import.into()]).map(drop)
        };
        fixture.store.write_blocking(family, hide).unwrap();
        state_rate(fixture, family, "1.5");
        assert_eq!(queued(fixture).queued, 1);
    });
}

/// What was accepted while nobody knew a rate may come to more than balances hold.
#[test]
fn what_leaves_the_range_of_balances_keeps_nothing_else_from_being_converted() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let rich = make(fixture, family, &input("Rich", "depository", "0")).summary.id;
        let tea = make(fixture, family, &input("Tea", "depository", "0")).summary.id;
        let write = |tx: &mut FamilyTx<'_>| {
            for amount in [6_000_000_000_000_000_000; 2] {
                spend_each(tx, rich, 1, (amount, None));
            }
            spend_each(tx, tea, 1, (50_000, None));
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
        state_rate(fixture, family, "1.5");
        let one_fits = [(0, 1), (75_000, 1), (9_000_000_000_000_000_000, 1)];
        assert_eq!(booked(fixture, family), one_fits, "twice nine quintillions are too much");
        state_rate(fixture, family, "0.5");
        let halves = [(25_000, 1), (3_000_000_000_000_000_000, 2)];
        assert_eq!(booked(fixture, family), halves);
        state_rate(fixture, family, "1");
        let one_fits = [(0, 1), (50_000, 1), (6_000_000_000_000_000_000, 1)];
        assert_eq!(booked(fixture, family), one_fits);
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        for outcome in check::run(&fixture.store, &files, |_| {}) {
            assert_eq!(outcome.problems, [""; 0], "{}", outcome.rule);
        }
    });
}
