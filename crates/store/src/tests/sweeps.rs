//! What is done for many families goes on if one of them can't be reached.

use jiff::SignedDuration;

use crate::due::{self, Kind};
use crate::idempotency::{self, Claimed};
use crate::keys::{self, NewKey, Scope};
use crate::testing::{Fixture, Raw, runtime};

/// Two families with a key of the API each and with an old idempotency key, of which the first is
/// locked by somebody who doesn't end.
struct Scene {
    fixture: Fixture,
    _locked: Raw,
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
        Self { fixture, _locked: locked }
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

#[test]
fn the_last_use_of_keys_of_the_others_is_noted() {
    let scene = Scene::new();
    let store = &scene.fixture.store;
    let runtime = runtime();
    let now = store.now();
    let used = [[1; 32], [2; 32]].map(|hash| {
        let key = runtime.block_on(keys::authenticate(store, hash)).unwrap().unwrap();
        (key.family, key.id, now)
    });
    let left = runtime.block_on(keys::touch_last_used(store, used.to_vec())).unwrap();
    assert_eq!(left, [used[0]]);
    assert_eq!(scene.of_each("api_keys", "last_used_at IS NOT NULL"), [0, 1]);
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
