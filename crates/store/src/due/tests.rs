use std::time::Duration;

use purser_core::connection::outcome::RunResult;
use purser_core::export::ExportFormat;
use purser_core::ids::{ConnectionId, WebhookId};
use purser_core::webhook::WebhookEvent;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::connections::changes::{self, NewConnection};
use crate::connections::runs::{self, ClaimedRun, Runner};
use crate::driver::Sql;
use crate::families::removal;
use crate::imports::sessions;
use crate::store::Store;
use crate::testing::{Fixture, Raw, on_both, options, runtime};
use crate::webhooks::deliveries::{self, Attempt};
use crate::webhooks::{self, NewWebhook};
use crate::{family_exports, users};

mod put_off;

const LIMIT: Sql = Sql::new("SELECT current_setting('statement_timeout')", "");
const LEASE: Duration = Duration::from_secs(15);
const NODE: Runner<'_> = Runner { node: "node", is_alone: false };

fn write<T>(
    fixture: &Fixture,
    family: FamilyId,
    work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
) -> T {
    fixture.store.write_blocking(family, work).unwrap()
}

/// A family with a connection that is due at once, and a webhook for its runs.
fn planned(fixture: &Fixture, name: &str) -> (FamilyId, ConnectionId) {
    let (family, _) = fixture.family(name);
    let connection = write(fixture, family, |tx| {
        let (id, webhook) = (ConnectionId(tx.new_id()?), WebhookId(tx.new_id()?));
        let (provider, provider_type) = ("lunchflow", "aggregator");
        let new = NewConnection { id, provider, provider_type, name, credentials: b"sealed" };
        changes::create(tx, &new)?;
        let (url, events) = ("https://hooks.example", &[WebhookEvent::SyncFinished]);
        let new = NewWebhook { id: webhook, url, secret: b"sealed", events, is_active: true };
        webhooks::create(tx, &new).map(|_| id)
    });
    (family, connection)
}

fn due(store: &Store, kind: Kind) -> Vec<DueFamily> {
    store.read_directory_blocking(|tx| families(tx, kind)).unwrap()
}

fn numbers(fixture: &Fixture, kind: Kind) -> Vec<FamilyId> {
    due(&fixture.store, kind).iter().map(|due| due.access.family()).collect()
}

fn none_missed(fixture: &Fixture) -> bool {
    fixture.store.read_directory_blocking(missed).unwrap().is_empty()
}

fn claim(fixture: &Fixture, family: FamilyId) -> Option<ClaimedRun> {
    write(fixture, family, |tx| runs::claim(tx, NODE, LEASE))
}

fn finish(fixture: &Fixture, family: FamilyId, run: &ClaimedRun) -> Timestamp {
    let result = RunResult {
        error: None,
        accounts_synced: 1,
        accounts_failed: 0,
        accounts_incomplete: 0,
        requires_update: false,
    };
    write(fixture, family, |tx| runs::finish(tx, run, &result, None))
}

#[test]
fn a_connection_is_listed_whenever_it_is_due() {
    on_both(|fixture| {
        let (family, connection) = planned(fixture, "one");
        assert_eq!(numbers(fixture, Kind::Sync), [family]);
        let run = claim(fixture, family).unwrap();
        assert_eq!(numbers(fixture, Kind::Sync), [], "until the lease ends");
        fixture.clock.advance(SignedDuration::from_secs(10));
        write(fixture, family, |tx| runs::renew(tx, &run, LEASE));
        fixture.clock.advance(SignedDuration::from_secs(10));
        assert_eq!(numbers(fixture, Kind::Sync), [family], "a look may be too early");
        assert_eq!(claim(fixture, family), None);
        assert_eq!(numbers(fixture, Kind::Sync), [], "but only once");
        let next = finish(fixture, family, &run);
        assert!(none_missed(fixture));
        write(fixture, family, |tx| runs::request(tx, connection));
        assert_eq!(numbers(fixture, Kind::Sync), [family], "somebody asks for it");
        let run = claim(fixture, family).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(15));
        assert_eq!(numbers(fixture, Kind::Sync), [family], "its process is gone");
        let again = claim(fixture, family).unwrap();
        assert_ne!(again.sync, run.sync);
        finish(fixture, family, &again);
        let wait = next.duration_since(fixture.store.now());
        fixture.clock.advance(wait - SignedDuration::from_micros(1));
        assert_eq!(numbers(fixture, Kind::Sync), []);
        fixture.clock.advance(SignedDuration::from_micros(1));
        assert_eq!(numbers(fixture, Kind::Sync), [family], "by its schedule");
        write(fixture, family, |tx| changes::set_credentials(tx, connection, b"other", false));
        assert!(none_missed(fixture));
        write(fixture, family, |tx| changes::schedule_removal(tx, connection));
        assert_eq!(claim(fixture, family), None);
        fixture.clock.advance(SignedDuration::from_hours(24 * 365));
        assert_eq!(numbers(fixture, Kind::Sync), [], "never again");
        assert!(none_missed(fixture));
    });
}

#[test]
fn a_delivery_is_listed_whenever_it_is_due() {
    on_both(|fixture| {
        let (family, _) = planned(fixture, "one");
        let raise = || {
            write(fixture, family, |tx| {
                deliveries::raise(tx, WebhookEvent::SyncFinished, Uuid::nil(), &json!({}))
            });
        };
        let claim = || write(fixture, family, |tx| deliveries::claim(tx, LEASE));
        assert_eq!(numbers(fixture, Kind::Webhook), []);
        raise();
        raise();
        assert_eq!(numbers(fixture, Kind::Webhook), [family]);
        let first = claim().unwrap();
        assert_eq!(numbers(fixture, Kind::Webhook), [family], "the second one");
        let second = claim().unwrap();
        assert_eq!(numbers(fixture, Kind::Webhook), []);
        let end = |claimed: &_, failure| {
            let attempt = Attempt { response_status: None, failure };
            write(fixture, family, |tx| deliveries::finish(tx, claimed, attempt));
        };
        let refused = purser_core::webhook::DeliveryFailure::Refused;
        end(&first, Some(refused));
        assert!(none_missed(fixture));
        fixture.clock.advance(SignedDuration::from_secs(15));
        assert_eq!(numbers(fixture, Kind::Webhook), [family], "the lease of the second is over");
        end(&second, None);
        assert_eq!(numbers(fixture, Kind::Webhook), []);
        fixture.clock.advance(SignedDuration::from_secs(60));
        assert_eq!(numbers(fixture, Kind::Webhook), [family], "the first one again");
        let again = claim().unwrap();
        assert_eq!((again.id, again.attempts), (first.id, 2));
        end(&again, None);
        fixture.clock.advance(SignedDuration::from_hours(24 * 365));
        assert_eq!(numbers(fixture, Kind::Webhook), []);
    });
}

#[test]
fn a_family_that_cannot_be_asked_waits_longer_each_time_and_behind_the_others() {
    on_both(|fixture| {
        let families = ["first", "second"].map(|name| {
            let (family, _) = planned(fixture, name);
            fixture.clock.advance(SignedDuration::from_secs(1));
            family
        });
        let [first, second] = families;
        assert_eq!(numbers(fixture, Kind::Sync), [first, second]);
        for wait in [5, 10, 20, 40, 80, 160, 300, 300] {
            let listed = due(&fixture.store, Kind::Sync);
            let lost = listed.into_iter().find(|due| due.access.family() == first).unwrap();
            for _ in 0..2 {
                // Two nodes find out at the same time.
                fixture.store.write_directory_blocking(|tx| put_off(tx, &lost)).unwrap();
            }
            assert!(none_missed(fixture), "it is late on purpose");
            fixture.clock.advance(SignedDuration::from_micros(wait * 1_000_000 - 1));
            assert_eq!(numbers(fixture, Kind::Sync), [second], "{wait}");
            fixture.clock.advance(SignedDuration::from_micros(1));
            assert_eq!(numbers(fixture, Kind::Sync), [second, first], "{wait}");
        }
        let run = claim(fixture, first).unwrap();
        finish(fixture, first, &run);
        fixture.clock.advance(SignedDuration::from_hours(72));
        assert!(due(&fixture.store, Kind::Sync).iter().all(|due| due.attempts == 0));
    });
}

#[test]
fn a_clock_that_was_ahead_keeps_no_connection_waiting() {
    on_both(|fixture| {
        let year = SignedDuration::from_hours(24 * 365);
        fixture.clock.advance(year);
        let (family, _) = planned(fixture, "one");
        let run = claim(fixture, family).unwrap();
        finish(fixture, family, &run);
        fixture.clock.advance(-year);
        assert_eq!(numbers(fixture, Kind::Sync), [family]);
        assert!(claim(fixture, family).is_some());
    });
}

#[test]
fn what_the_directory_lacks_is_found_and_listed_again() {
    on_both(|fixture| {
        let (late, _) = planned(fixture, "late");
        let (missing, _) = planned(fixture, "missing");
        let (_right, _) = planned(fixture, "right");
        let hour = fixture.store.now() + SignedDuration::from_hours(1);
        fixture.raw().script(&format!(
            "UPDATE due SET due_at = {} WHERE family_id = {};
             DELETE FROM due WHERE family_id = {}",
            hour.as_microsecond(),
            late.number(),
            missing.number()
        ));
        let found = fixture.store.read_directory_blocking(missed).unwrap();
        let found: Vec<_> = found.iter().map(|one| (one.family, one.kind, one.at)).collect();
        let now = fixture.store.now();
        assert_eq!(found, [(late, Kind::Sync, now), (missing, Kind::Sync, now)]);
        let repaired = || runtime().block_on(repair(&fixture.store)).unwrap();
        assert_eq!(repaired(), 2);
        assert_eq!(numbers(fixture, Kind::Sync).len(), 3);
        assert_eq!(repaired(), 0);
    });
}

#[test]
fn what_is_removed_is_listed_when_its_time_is_over() {
    on_both(|fixture| {
        let (family, user) = fixture.family("one");
        let hour = SignedDuration::from_hours(1);
        let pause = |hours| move |tx: &mut FamilyTx<'_>| removal::schedule(tx, hour * hours);
        write(fixture, family, pause(2));
        write(fixture, family, |tx| users::removal::schedule(tx, user, hour));
        let both = || [numbers(fixture, Kind::Users), numbers(fixture, Kind::Family)];
        assert_eq!(both(), [[]; 2]);
        fixture.clock.advance(hour);
        assert_eq!(both(), [vec![family], vec![]]);
        assert_eq!(write(fixture, family, users::removal::due), [user]);
        write(fixture, family, |tx| {
            users::removal::take_back(tx, user)?;
            users::removal::note_next(tx)
        });
        assert_eq!(both(), [[]; 2]);
        write(fixture, family, removal::take_back);
        fixture.clock.advance(hour * 2);
        assert_eq!(both(), [[]; 2], "it was taken back");
        write(fixture, family, pause(1));
        assert!(none_missed(fixture));
        fixture.clock.advance(hour);
        assert_eq!(both(), [vec![], vec![family]]);
        write(fixture, family, removal::note_next);
        assert_eq!(both(), [[]; 2]);
        assert!(none_missed(fixture), "it is being removed");
        fixture.clock.advance(PUT_OFF);
        assert_eq!(both(), [vec![], vec![family]], "until it is gone");
        let week = SignedDuration::from_micros(604_800_000_000);
        assert_eq!([family_exports::KEPT_FOR, sessions::OPEN_FOR], [week; 2]);
    });
}

/// Takes the schema back to the step before the directory.
const BEFORE: &str = "ALTER TABLE connection_accounts DROP COLUMN listed_currency;
    ALTER TABLE connection_accounts DROP COLUMN other_currency;
    ALTER TABLE holdings DROP COLUMN earlier_costs;
    ALTER TABLE jobs DROP COLUMN time_limits;
    ALTER TABLE webhooks DROP COLUMN dropped;
    ALTER TABLE connections DROP COLUMN notices;
    ALTER TABLE connections DROP COLUMN accounts_incomplete;
    ALTER TABLE connections DROP COLUMN accounts_failed;
    DROP TABLE import_pages;
    ALTER TABLE imports DROP COLUMN plan_flows;
    DROP TABLE bank_statement_positions;
    ALTER TABLE bank_statements DROP COLUMN positions_day;
    DROP TABLE due;
    DROP INDEX webhook_deliveries_due;
    CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at);
    CREATE INDEX connections_due ON connections (next_attempt_at);
    DELETE FROM schema_version WHERE version > 30";

/// What of that PostgreSQL alone has.
const BEFORE_ON_POSTGRES: &str = "DROP SEQUENCE family_numbers;
    UPDATE installation SET last_family = (SELECT MAX(id) FROM families)";

#[test]
fn everything_of_an_earlier_database_is_due_as_before() {
    on_both(|fixture| {
        let (running, _) = planned(fixture, "running");
        let run = claim(fixture, running).unwrap();
        let (ended, _) = planned(fixture, "ended");
        let other = claim(fixture, ended).unwrap();
        let next = finish(fixture, ended, &other);
        let (removed, connection) = planned(fixture, "removed");
        write(fixture, removed, |tx| changes::schedule_removal(tx, connection));
        let (new, _) = planned(fixture, "new");
        write(fixture, removed, |tx| {
            family_exports::request(tx, ExportFormat::Ndjson)?;
            sessions::create(tx, None, 2)?;
            removal::schedule(tx, SignedDuration::from_secs(1))
        });
        fixture.raw().script(BEFORE);
        if !fixture.store.is_sqlite() {
            fixture.raw().script(BEFORE_ON_POSTGRES);
        }
        let store = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
        assert!(store.read_directory_blocking(missed).unwrap().is_empty());
        let listed = |kind| {
            let due = due(&store, kind).into_iter();
            due.map(|due| due.access.family()).collect::<Vec<_>>()
        };
        assert_eq!(listed(Kind::Sync), [new]);
        assert_eq!(listed(Kind::Webhook), [ended]);
        fixture.clock.advance(SignedDuration::from_secs(15));
        assert_eq!(listed(Kind::Sync), [new, running]);
        assert_ne!(claim(fixture, running).unwrap().sync, run.sync);
        let wait = next.duration_since(fixture.store.now());
        fixture.clock.advance(wait);
        assert!(listed(Kind::Sync).contains(&ended));
        assert!(!listed(Kind::Sync).contains(&removed));
        assert_eq!(listed(Kind::Family), [removed]);
        fixture.clock.advance(sessions::OPEN_FOR);
        assert_eq!([listed(Kind::Exports), listed(Kind::Sessions)], [[removed]; 2]);
    });
}

#[test]
fn a_family_of_which_the_rows_are_locked_is_given_up_soon() {
    let fixture = Fixture::postgres();
    let (family, _) = planned(&fixture, "one");
    let (other, _) = planned(&fixture, "two");
    let Raw::Postgres(mut client) = fixture.raw() else { panic!("another database") };
    let mut transaction = client.transaction().unwrap();
    let lock = format!("UPDATE families SET name = name WHERE id = {}", family.number());
    transaction.batch_execute(&lock).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = |family: FamilyId| {
        let claim = |tx: &mut FamilyTx<'_>| runs::claim(tx, NODE, LEASE);
        runtime.block_on(fixture.store.write_briefly(family, claim))
    };
    assert!(matches!(ask(family), Err(Error::Unavailable { .. })), "its rows are locked");
    let lost = due(&fixture.store, Kind::Sync).remove(0);
    fixture.store.write_directory_blocking(|tx| put_off(tx, &lost)).unwrap();
    assert_eq!(numbers(&fixture, Kind::Sync), [other]);
    assert!(ask(other).unwrap().is_some());
    // The limit ends with its transaction.
    let limit =
        fixture.store.write_blocking(other, |tx| tx.query_one(&LIMIT, &[], |row| row.string(0)));
    assert_eq!(limit.unwrap(), "1min");
    transaction.rollback().unwrap();
    assert!(ask(family).unwrap().is_some());
}
