use jiff::{SignedDuration, Timestamp};
use purser_core::connection::outcome::{RunResult, StepFailure, StepOutcome, SyncStep};
use purser_core::connection::{FoundAccountState, SyncErrorCode, SyncStatus};
use purser_core::ids::FoundAccountId;
use purser_core::money::Currency;
use std::time::Duration;

use super::changes::NewConnection;
use super::found::ListedAccount;
use super::runs::{ClaimedRun, Runner};
use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::driver::Tx;
use crate::due;
use crate::families::FamilyId;
use crate::sync_outcomes;
use crate::testing::{Fixture, on_both};

pub(super) const LEASE: Duration = Duration::from_secs(15);

pub(super) fn write<T>(
    fixture: &Fixture,
    family: FamilyId,
    work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
) -> Result<T> {
    fixture.store.write_blocking(family, work)
}

pub(crate) fn connect(fixture: &Fixture, family: FamilyId, name: &str) -> ConnectionId {
    write(fixture, family, |tx| {
        let id = ConnectionId(tx.new_id()?);
        let new = NewConnection {
            id,
            provider: "lunchflow",
            provider_type: "aggregator",
            name,
            credentials: b"sealed",
        };
        changes::create(tx, &new).map(|()| id)
    })
    .unwrap()
}

pub(crate) fn listed(external_id: &str) -> ListedAccount {
    ListedAccount {
        external_id: external_id.to_owned(),
        name: format!("Account {external_id}"),
        institution_name: None,
        state: FoundAccountState::Active,
        upstream: None,
        currency: None,
    }
}

pub(super) fn list_of(fixture: &Fixture, family: FamilyId) -> Vec<Connection> {
    fixture.store.read_blocking(family, list).unwrap()
}

/// What a node takes, if anything is due.
pub(super) fn claim(fixture: &Fixture, node: &str) -> Option<ClaimedRun> {
    let runner = Runner { node, is_alone: false };
    let due = |tx: &mut Tx<'_>| due::families(tx, due::Kind::Sync);
    let access = fixture.store.read_directory_blocking(due).unwrap().into_iter().next()?.access;
    fixture.store.write_blocking(access, |tx| runs::claim(tx, runner, LEASE)).unwrap()
}

pub(super) fn finish(
    fixture: &Fixture,
    run: &ClaimedRun,
    error: Option<SyncErrorCode>,
) -> Result<Timestamp> {
    let result = RunResult {
        error,
        accounts_synced: 1,
        accounts_failed: 1,
        accounts_incomplete: 1,
        requires_update: false,
    };
    fixture.store.write_blocking(run.access.clone(), |tx| runs::finish(tx, run, &result, None))
}

fn put_outcome(fixture: &Fixture, run: &ClaimedRun, account: FoundAccountId) {
    let (step, failure, rows, unreadable) = (SyncStep::Balance, None, 0, 0);
    let outcome = StepOutcome { account: account.0, step, failure, rows, unreadable };
    let put =
        |tx: &mut FamilyTx<'_>| sync_outcomes::put(tx, run.sync, std::slice::from_ref(&outcome));
    fixture.store.write_blocking(run.access.clone(), put).unwrap();
}

#[test]
fn connections_are_listed_newest_first_with_their_newest_runs() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let account = make(fixture, family, &input("Checking", "depository", "0")).summary.id;
        let first = connect(fixture, family, "first");
        fixture.clock.advance(SignedDuration::from_secs(1));
        let second = connect(fixture, family, "second");
        let found = write(fixture, family, |tx| {
            found::put(tx, first, &[listed("a"), listed("b"), listed("c")])?;
            found::list(tx, first)
        })
        .unwrap();
        write(fixture, family, |tx| {
            found::link(tx, first, found[0].id, account)?;
            found::unlink(tx, first, found[1].id, true)
        })
        .unwrap();
        let run = claim(fixture, "node").unwrap();
        assert_eq!(run.connection, first, "the one that waits longest");
        put_outcome(fixture, &run, found[0].id);
        finish(fixture, &run, None).unwrap();
        let run = claim(fixture, "node").unwrap();
        assert_eq!(run.connection, second);
        finish(fixture, &run, Some(SyncErrorCode::RateLimited)).unwrap();

        assert!(list_of(fixture, other).is_empty());
        let all = list_of(fixture, family);
        assert_eq!(all.iter().map(|one| one.id).collect::<Vec<_>>(), [second, first]);
        let latest = all[0].latest.as_ref().unwrap();
        assert_eq!((latest.id, latest.error), (run.sync, Some(SyncErrorCode::RateLimited)));
        assert_eq!(all[0].coverage, Coverage::default());
        let expected = Coverage {
            total: 3,
            linked: 1,
            ignored: 1,
            failed: 1,
            incomplete: 1,
            covered: 1,
            synced_once: true,
        };
        assert_eq!(all[1].coverage, expected);
        assert!(all[1].last_synced_at.is_some() && all[1].next_attempt_at.is_some());
        // Another one is linked in its place, which no run has come to.
        write(fixture, family, |tx| {
            found::unlink(tx, first, found[0].id, false)?;
            found::link(tx, first, found[2].id, account)
        })
        .unwrap();
        let summary = list_of(fixture, family)[1].coverage.summary();
        assert_eq!(summary, "0 synced, 1 not synced yet, 1 need setup");
        let foreign = write(fixture, other, |tx| changes::rename(tx, first, "taken"));
        assert_eq!(foreign.unwrap_err().code(), "not_found");
    });
}

#[test]
fn a_connection_runs_once_at_a_time_and_only_its_runner_ends_it() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let first = claim(fixture, "a").unwrap();
        assert_eq!(claim(fixture, "b"), None, "it has a runner");
        let hold = |run: &ClaimedRun| {
            fixture.store.write_blocking(run.access.clone(), |tx| runs::hold(tx, run))
        };
        fixture.clock.advance(SignedDuration::from_secs(10));
        let renewed = |run: &ClaimedRun| {
            fixture.store.write_blocking(run.access.clone(), |tx| runs::renew(tx, run, LEASE))
        };
        renewed(&first).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(10));
        assert_eq!(claim(fixture, "b"), None, "the lease was renewed");
        hold(&first).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(10));
        assert_eq!(list_of(fixture, family)[0].latest.as_ref().unwrap().status, SyncStatus::Stale);

        let second = claim(fixture, "b").unwrap();
        assert_ne!(second.sync, first.sync);
        for error in [hold(&first), renewed(&first), finish(fixture, &first, None).map(drop)] {
            assert!(runs::is_over(&error.unwrap_err()));
        }
        hold(&second).unwrap();
        finish(fixture, &second, None).unwrap();
        assert_eq!(claim(fixture, "a"), None, "the next one is planned");
        let died = fixture.store.read_blocking(family, |tx| syncs::get(tx, first.sync)).unwrap();
        assert_eq!(
            (died.status, died.error),
            (SyncStatus::Stale, Some(SyncErrorCode::Interrupted))
        );
        assert_eq!(list_of(fixture, family)[0].id, connection);
    });
}

#[test]
fn requests_are_one_run_and_a_link_gets_another() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let request = || write(fixture, family, |tx| runs::request(tx, connection)).unwrap();
        let asked = request();
        assert_eq!(request().id, asked.id);
        let run = claim(fixture, "a").unwrap();
        assert_eq!(run.sync, asked.id, "the run that was requested");
        assert_eq!(request().id, asked.id, "it is under way");
        write(fixture, family, |tx| runs::request_another(tx, connection)).unwrap();
        write(fixture, family, |tx| runs::request_another(tx, connection)).unwrap();
        finish(fixture, &run, None).unwrap();
        let another = claim(fixture, "a").unwrap();
        assert_ne!(another.sync, run.sync);
        finish(fixture, &another, None).unwrap();
        assert_eq!(claim(fixture, "a"), None);
    });
}

#[test]
fn a_list_that_lacks_accounts_forgets_only_those_without_a_decision() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let account = make(fixture, family, &input("Checking", "depository", "0")).summary.id;
        let put = |listed: &[ListedAccount]| {
            write(fixture, family, |tx| {
                found::put(tx, connection, listed)?;
                found::list(tx, connection)
            })
            .unwrap()
        };
        let all = ["a", "b", "c"].map(listed);
        let ids: Vec<FoundAccountId> = put(&all).iter().map(|one| one.id).collect();
        write(fixture, family, |tx| {
            found::link(tx, connection, ids[0], account)?;
            found::unlink(tx, connection, ids[1], true)
        })
        .unwrap();
        assert_eq!(put(&[]).len(), 3, "an empty list removes nothing");
        let stated = ListedAccount { currency: Currency::parse("USD"), ..listed("d") };
        let left = put(std::slice::from_ref(&stated));
        let states: Vec<(&str, bool)> =
            left.iter().map(|one| (one.external_id.as_str(), one.is_listed)).collect();
        assert_eq!(states, [("a", false), ("d", true), ("b", false)]);
        // A currency that was stated once stays, and ids stay.
        let again = put(&[listed("a"), listed("d")]);
        assert_eq!(again[0].id, ids[0]);
        assert!(again[0].is_listed);
        assert_eq!(again[1].currency, Currency::parse("USD"));
    });
}

#[test]
fn a_connection_goes_with_its_runs_and_their_outcomes() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let run = claim(fixture, "a").unwrap();
        let outcome = StepOutcome {
            account: run.sync.0,
            step: SyncStep::Balance,
            failure: Some(StepFailure::Network),
            rows: 0,
            unreadable: 0,
        };
        for _ in 0..2 {
            write(fixture, family, |tx| {
                sync_outcomes::put(tx, run.sync, std::slice::from_ref(&outcome))
            })
            .unwrap();
        }
        let stored = fixture.store.read_blocking(family, |tx| sync_outcomes::list(tx, run.sync));
        let stored: Vec<_> = stored.unwrap().into_iter().map(|named| named.outcome).collect();
        assert_eq!(stored, [outcome]);
        let schedule = || write(fixture, family, |tx| changes::schedule_removal(tx, connection));
        assert!(schedule().unwrap());
        assert!(!schedule().unwrap(), "once");
        let listed = &list_of(fixture, family)[0];
        assert!(listed.scheduled_for_deletion && listed.credentials.is_none());
        assert!(runs::is_over(&finish(fixture, &run, None).unwrap_err()), "the run is over");
        assert_eq!(claim(fixture, "a"), None);
        while !write(fixture, family, |tx| changes::remove_more(tx, connection)).unwrap() {}
        assert!(list_of(fixture, family).is_empty());
        let error = fixture.store.read_blocking(family, |tx| syncs::get(tx, run.sync)).unwrap_err();
        assert_eq!(error.code(), "not_found");
    });
}

/// The first currency stays, and what the provider states since is noted beside it, until it states
/// the first one again: in a balance, or in a list that named another one before.
#[test]
fn another_currency_is_noted_beside_the_first_one() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "Bank");
        let euros = ListedAccount { currency: Some(Currency::EUR), ..listed("a") };
        let listed_in = |currency| {
            let list = [ListedAccount { currency, ..euros.clone() }];
            write(fixture, family, |tx| found::put(tx, connection, &list)).unwrap();
        };
        let found = || fixture.store.read_blocking(family, |tx| found::list(tx, connection));
        let reports = |currency| {
            let id = found().unwrap()[0].id;
            let note = |tx: &mut FamilyTx<'_>| found::note_balance(tx, id, 5.into(), currency);
            write(fixture, family, note).unwrap();
        };
        let require = |other: Option<Currency>, balance: Option<i64>| {
            let one = found().unwrap().remove(0);
            let stated = (one.currency, one.other_currency, one.reported_balance);
            assert_eq!(stated, (Some(Currency::EUR), other, balance.map(Into::into)));
        };
        let (euros, dollars) = (Some(Currency::EUR), Some(Currency::USD));
        listed_in(euros);
        reports(dollars);
        require(dollars, Some(5));
        reports(None);
        listed_in(euros);
        require(dollars, Some(5));
        reports(euros);
        require(None, Some(5));
        listed_in(dollars);
        require(dollars, None);
        listed_in(euros);
        require(None, None);
        // Balances without a currency don't keep what the list takes back.
        listed_in(dollars);
        reports(None);
        require(dollars, Some(5));
        listed_in(euros);
        require(None, None);
        // A list that differs from the balances for good is no news after the first time.
        listed_in(dollars);
        reports(euros);
        listed_in(dollars);
        require(None, Some(5));
    });
}
