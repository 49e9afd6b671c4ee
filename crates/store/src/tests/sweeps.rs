//! What is done for many families goes on if one of them can't be reached.

use std::sync::mpsc;

use jiff::SignedDuration;
use purser_core::error::Error;

use crate::due::{self, Kind};
use crate::idempotency::{self, Claimed};
use crate::keys::{self, NewKey, Scope};
use crate::store::Turn;
use crate::testing::{Fixture, Raw, runtime};

/// Two families with a key of the API each and with an old idempotency key, of which the first is
/// locked by somebody who doesn't end.
struct Scene {
    fixture: Fixture,
    locked: Raw,
}

impl Scene {
    fn new() -> Self {
        let fixture = Fixture::postgres();
        for (name, hash) in [("locked", [1; 32]), ("other", [2; 32])] {
            let (family, user) = fixture.family(name);
            let work = |tx: &mut crate::FamilyTx<'_>| {
                let (scope, accounts, expires_at) = (Scope::Read, None, None);
                keys::create(tx, &NewKey { user, name, scope, accounts, expires_at, hash: &hash })?;
                let claimed = idempotency::claim(tx, "POST /x", "key", b"one")?;
                let Claimed::Fresh(claim) = claimed else { panic!("{claimed:?}") };
                idempotency::save(tx, &claim, 200, "{}")
            };
            fixture.store.write_blocking(family, work).unwrap();
        }
        let mut locked = fixture.raw();
        locked.script("BEGIN; SELECT id FROM families WHERE name = 'locked' FOR UPDATE");
        Self { fixture, locked }
    }

    /// What a query counts of each family.
    fn of_each(&self, table: &str, condition: &str) -> [i64; 2] {
        let Raw::Postgres(mut client) = self.fixture.raw() else { panic!("PostgreSQL") };
        ["locked", "other"].map(|name| {
            let sql = format!(
                "SELECT count(*) FROM {table} t JOIN families f ON f.id = t.family_id
                 WHERE f.name = '{name}' AND {condition}"
            );
            client.query_one(&sql, &[]).unwrap().get(0)
        })
    }
}

#[test]
fn old_idempotency_keys_of_the_others_are_forgotten() {
    let scene = Scene::new();
    scene.fixture.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(scene.of_each("idempotency_keys", "TRUE"), [1, 1]);
    let left = runtime().block_on(idempotency::purge(&scene.fixture.store)).unwrap();
    assert_eq!((left, scene.of_each("idempotency_keys", "TRUE")), (1, [1, 0]));
}

/// The uses of both keys, noted now; returns what is left.
fn note_uses(scene: &Scene) -> (Vec<keys::KeyUse>, [keys::KeyUse; 2]) {
    let (store, runtime) = (&scene.fixture.store, runtime());
    let now = store.now();
    let used = [[1; 32], [2; 32]].map(|hash| {
        let key = runtime.block_on(keys::authenticate(store, hash)).unwrap().unwrap();
        (key.family, key.id, now)
    });
    (runtime.block_on(keys::touch_last_used(store, used.to_vec())).unwrap(), used)
}

const USED: &str = "last_used_at IS NOT NULL";

#[test]
fn the_last_use_of_keys_needs_no_lock_of_their_families_and_one_commit() {
    let scene = Scene::new();
    assert_eq!(note_uses(&scene).0, []);
    assert_eq!(scene.of_each("api_keys", USED), [1, 1]);
    let Raw::Postgres(mut client) = scene.fixture.raw() else { panic!("PostgreSQL") };
    let commits = "SELECT count(DISTINCT xmin::text) FROM api_keys";
    assert_eq!(client.query_one(commits, &[]).unwrap().get::<_, i64>(0), 1);
}

/// Whoever revokes a key waits until the uses are noted.
#[test]
fn the_last_use_of_keys_waits_for_the_next_time_if_a_key_is_locked() {
    let mut scene = Scene::new();
    scene.locked.script("SELECT id FROM api_keys FOR UPDATE");
    let (left, used) = note_uses(&scene);
    let sorted = |mut uses: Vec<keys::KeyUse>| {
        uses.sort_unstable();
        uses
    };
    assert_eq!(sorted(left), sorted(used.to_vec()));
    scene.locked.script("ROLLBACK");
    assert_eq!(note_uses(&scene).0, []);
    assert_eq!(scene.of_each("api_keys", USED), [1, 1]);
}

#[test]
fn the_last_use_of_keys_on_other_machines_is_noted() {
    let mut scene = Scene::new();
    let mut raw = scene.fixture.raw();
    raw.script("UPDATE installation SET is_distributed = TRUE");
    scene.fixture.store.note_distributed().unwrap();
    // The machine that has the first of them doesn't answer.
    scene.locked.script(
        "SELECT 1 FROM api_keys k JOIN families f ON f.id = k.family_id
         WHERE f.name = 'locked' FOR UPDATE OF k",
    );
    let (left, used) = note_uses(&scene);
    assert_eq!(left, [used[0]]);
    assert_eq!(scene.of_each("api_keys", USED), [0, 1]);
    scene.locked.script("ROLLBACK");
    assert_eq!(note_uses(&scene).0, []);
    assert_eq!(scene.of_each("api_keys", USED), [1, 1]);
    // What would fail again isn't kept.
    raw.script(
        "CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
         CREATE TRIGGER fails BEFORE UPDATE ON api_keys EXECUTE FUNCTION fails()",
    );
    assert_eq!(note_uses(&scene).0, []);
}

/// A write of the process lasts when the sweep comes to the family, and ends after that.
#[test]
fn a_family_that_is_busy_is_tried_again_at_the_end() {
    let fixture = Fixture::postgres();
    let [busy, other] = ["busy", "other"].map(|name| fixture.family(name).0);
    let ((begun, has_begun), (end, is_end)) = (mpsc::channel(), mpsc::channel());
    let store = &fixture.store;
    let swept = std::thread::scope(|scope| {
        scope.spawn(move || {
            let wait = |_: &mut crate::FamilyTx<'_>| {
                begun.send(()).unwrap();
                is_end.recv().map_err(Error::internal)
            };
            store.write_blocking(busy, wait).unwrap();
        });
        has_begun.recv().unwrap();
        let work = move |tx: &mut crate::FamilyTx<'_>, (): &()| {
            if tx.family() == other {
                end.send(()).map_err(Error::internal)?;
            }
            Ok(())
        };
        let families = [busy, other].map(|family| (family.into(), ())).to_vec();
        runtime().block_on(store.sweep("", families, Turn::Take, work))
    });
    assert_eq!((swept.done, swept.left.len()), (2, 0));
}

#[test]
fn what_is_due_of_the_others_is_listed() {
    let scene = Scene::new();
    let store = &scene.fixture.store;
    scene.fixture.raw().script("UPDATE users SET deletion_at = 1; DELETE FROM due");
    assert_eq!(runtime().block_on(due::repair(store)).unwrap(), 1);
    let due = store.read_directory_blocking(|tx| due::families(tx, Kind::Users)).unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!(scene.of_each("due", "kind = 'users'"), [0, 1]);
}
