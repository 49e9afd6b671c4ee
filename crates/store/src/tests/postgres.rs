//! PostgreSQL alone: connections that go away or are all in use, servers that promise too little.

use std::sync::{Arc, Barrier, RwLock};
use std::time::Duration;

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;

use crate::access::FamilyTx;
use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::jobs;
use crate::store::{Store, StoreOptions};
use crate::testing::{Fixture, Raw, options, runtime};

statements! {
    ADD_TAG = "INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 0, 0)";
    PLANNED_ONCE = "SELECT CAST(SUM(generic_plans) AS BIGINT), CAST(SUM(custom_plans) AS BIGINT)
        FROM pg_prepared_statements WHERE statement LIKE 'SELECT r.%'";
    LIMIT = "SELECT current_setting('statement_timeout')";
    TAGS = "SELECT name FROM tags WHERE family_id = $1 ORDER BY name";
}

/// Ends every connection of the store.
const TERMINATE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'purser' AND datname = current_database()";

fn add_tag(tx: &mut Tx<'_>, family: FamilyId, name: &str) -> Result<()> {
    let id = tx.new_id()?;
    tx.execute(&ADD_TAG, vals![family, id, name, name]).map(|_| ())
}

fn tags(fixture: &Fixture, family: FamilyId) -> Vec<String> {
    fixture
        .store
        .read_blocking(family, |tx| tx.query(&TAGS, vals![family], |row| row.string(0)))
        .unwrap()
}

#[test]
fn a_lost_connection_is_replaced() {
    let fixture = Fixture::postgres();
    assert_eq!(STATEMENTS.len(), 4);
    let (family, _) = fixture.family("f");
    fixture.raw().script(TERMINATE);
    fixture.store.write_blocking(family, |tx| add_tag(tx, family, "a")).unwrap();
    assert_eq!(tags(&fixture, family), ["a"]);
}

#[test]
fn a_connection_that_is_lost_in_a_transaction_is_an_unavailable_database() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("f");
    let result = fixture.store.write_blocking(family, |tx| {
        add_tag(tx, family, "dropped")?;
        fixture.raw().script(TERMINATE);
        add_tag(tx, family, "late")
    });
    assert!(matches!(result, Err(Error::Unavailable { .. })), "{result:?}");
    assert_eq!(tags(&fixture, family), [""; 0]);
}

#[test]
fn a_lookup_is_planned_anew_five_times_at_most() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("f");
    let entry = EntryId(uuid::Uuid::nil());
    let plans = fixture.store.read_blocking(family, |tx| {
        for _ in 0..9 {
            let nothing = crate::transactions::get(tx, entry);
            assert!(matches!(nothing, Err(Error::NotFound { .. })), "{nothing:?}");
        }
        tx.query_one(&PLANNED_ONCE, &[], |row| Ok((row.int(0)?, row.int(1)?)))
    });
    let (generic, custom) = plans.unwrap();
    assert!(generic > 0, "{custom} plans were made");
    assert_eq!(custom * 4, generic * 5);
}

/// How many connections wait for a lock.
fn waiting(fixture: &Fixture) -> i64 {
    let Raw::Postgres(mut client) = fixture.raw() else { unreachable!() };
    let sql = "SELECT count(*) FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND datname = current_database()";
    client.query_one(sql, &[]).unwrap().get(0)
}

/// Longer than anything takes that doesn't wait, shorter than the wait for a lock.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn writes_of_a_family_that_is_locked_keep_no_other_family_waiting() {
    let fixture = Fixture::postgres();
    let (busy, other) = (fixture.family("busy").0, fixture.family("other").0);
    let mut elsewhere = fixture.raw();
    elsewhere.script("BEGIN; SELECT id FROM families WHERE name = 'busy' FOR UPDATE");
    let runtime = runtime();
    let writes: Vec<_> = (0..10)
        .flat_map(|number| {
            let (store, blocking) = (fixture.store.clone(), fixture.store.clone());
            let add =
                move |tx: &mut FamilyTx<'_>, kind| add_tag(tx, busy, &format!("{kind}{number}"));
            [
                runtime.spawn(async move { store.write(busy, move |tx| add(tx, "a")).await }),
                runtime.spawn_blocking(move || blocking.write_blocking(busy, |tx| add(tx, "b"))),
            ]
        })
        .collect();
    while waiting(&fixture) == 0 {
        std::thread::yield_now();
    }
    let others = async {
        for number in 0..50 {
            fixture.store.read_directory(crate::families::list).await.unwrap();
            let add = move |tx: &mut FamilyTx<'_>| add_tag(tx, other, &number.to_string());
            fixture.store.write(other, add).await.unwrap();
        }
    };
    let soon = runtime.block_on(async { tokio::time::timeout(SOON, others).await });
    let (waiting, unfinished) =
        (waiting(&fixture), writes.iter().all(|write| !write.is_finished()));
    elsewhere.script("COMMIT");
    assert!(soon.is_ok(), "another family had to wait");
    assert_eq!((waiting, unfinished), (1, true), "one connection for the family");
    for write in writes {
        runtime.block_on(write).unwrap().unwrap();
    }
    assert_eq!(tags(&fixture, busy).len(), 20);
}

#[test]
fn a_lease_is_renewed_while_every_connection_is_in_use() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("f");
    let payload = serde_json::json!({});
    let add = |tx: &mut FamilyTx<'_>| jobs::enqueue(tx, family, "publish", &payload, None);
    fixture.store.write_blocking(family, add).unwrap();
    let lease = Duration::from_secs(15);
    let job = jobs::claim(&fixture.store, "node", lease).unwrap().unwrap();

    let few = StoreOptions { connections: Some(2), ..options(&fixture.target, &fixture.clock) };
    let store = Store::open(few).unwrap();
    let (taken, given_back) = (Barrier::new(3), Barrier::new(3));
    // A family may have half of them, and so may all that belongs to none.
    let hold = || {
        taken.wait();
        given_back.wait();
        Ok(())
    };
    let renewed = std::thread::scope(|scope| {
        scope.spawn(|| store.read_directory_blocking(|_| hold()).unwrap());
        scope.spawn(|| store.read_blocking(family, |_| hold()).unwrap());
        taken.wait();
        let renewal = store.write_urgent(move |tx| jobs::renew(tx, &job, lease));
        let renewed = runtime().block_on(async { tokio::time::timeout(SOON, renewal).await });
        given_back.wait();
        renewed
    });
    renewed.expect("the renewal had to wait").unwrap();
}

/// The machine that has the family may hang.
#[test]
fn statements_for_a_family_have_little_time() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("f");
    let (store, runtime) = (&fixture.store, runtime());
    let limit = |tx: &mut FamilyTx<'_>| tx.query_one(&LIMIT, &[], |row| row.string(0));
    let access = crate::Access::from(family);
    assert_eq!(runtime.block_on(store.read(family, limit)).unwrap(), "30s");
    assert_eq!(runtime.block_on(store.read_at_length(family, limit)).unwrap(), "30s");
    assert_eq!(runtime.block_on(store.write(family, limit)).unwrap(), "1min");
    assert_eq!(runtime.block_on(store.write_briefly(family, limit)).unwrap(), "2s");
    assert_eq!(runtime.block_on(store.write_aside(access, limit)).unwrap(), "2s");
    let founding = store.found(|tx, _| tx.query_one(&LIMIT, &[], |row| row.string(0)));
    assert_eq!(runtime.block_on(founding).unwrap(), "10s");
    let founding = store.found_blocking(|tx, _| tx.query_one(&LIMIT, &[], |row| row.string(0)));
    assert_eq!(founding.unwrap(), "10s");
    // Where families are spread over machines.
    fixture.raw().script("UPDATE installation SET is_distributed = TRUE");
    store.note_distributed().unwrap();
    assert_eq!(runtime.block_on(store.read(family, limit)).unwrap(), "10s");
    assert_eq!(runtime.block_on(store.read_at_length(family, limit)).unwrap(), "30s");
}

/// What a family writes aside may hang; so may that of several requests.
#[test]
fn leases_and_other_families_do_not_wait_for_what_a_family_writes_aside() {
    let fixture = Fixture::postgres();
    let [busy, other] = ["busy", "other"].map(|name| crate::Access::from(fixture.family(name).0));
    let (store, runtime) = (&fixture.store, runtime());
    let gate = Arc::new(RwLock::new(()));
    let closed = gate.write().unwrap();
    let hanging: Vec<_> = (0..5)
        .map(|_| {
            let (store, access, gate) = (store.clone(), busy.clone(), gate.clone());
            runtime.spawn(async move {
                let wait = move |_: &mut FamilyTx<'_>| {
                    drop(gate.read());
                    Ok(())
                };
                store.write_aside(access, wait).await
            })
        })
        .collect();
    let others = async {
        store.write_urgent(|_| Ok(())).await.unwrap();
        store.write_aside(other, |_| Ok(())).await.unwrap();
        store.require_writable().await.unwrap();
    };
    let soon = runtime.block_on(async { tokio::time::timeout(SOON, others).await });
    drop(closed);
    assert!(soon.is_ok(), "others had to wait");
    for one in hanging {
        // The database may have ended a session that was silent for so long.
        let _ = runtime.block_on(one).unwrap();
    }
}

#[test]
fn a_server_that_may_forget_commits_is_refused_unless_allowed() {
    let fixture = Fixture::postgres();
    let safe = match fixture.raw() {
        Raw::Postgres(mut client) => {
            client.query_one("SELECT current_setting('fsync')", &[]).unwrap().get::<_, String>(0)
                == "on"
        }
        Raw::Sqlite(_) => unreachable!(),
    };
    let strict = StoreOptions { allow_volatile: false, ..options(&fixture.target, &fixture.clock) };
    match Store::open(strict) {
        Ok(_) => assert!(safe, "a server with fsync off was accepted"),
        Err(error) => {
            assert!(!safe);
            assert!(error.to_string().contains("fsync is off"), "{error}");
        }
    }
}
