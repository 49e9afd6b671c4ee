//! Who calls is looked up in the directory, and then among the family's rows, which waits for a
//! connection. What ended meanwhile lets nobody in.

use jiff::SignedDuration;
use purser_core::error::Result;

use crate::FamilyTx;
use crate::families::FamilyId;
use crate::keys::{self, KeyRecord, NewKey, Scope};
use crate::sessions::{self, IDLE_DAYS, Session};
use crate::testing::{Fixture, on_both, runtime};

const HASH: [u8; 32] = [1; 32];

/// What ends a session, and how.
type End = (&'static str, fn(&Fixture));

/// Does something while a request waits for a connection of its family; returns what it found.
fn found_after<T: Send + 'static>(
    fixture: &Fixture,
    family: FamilyId,
    request: impl Future<Output = Result<Option<T>>> + Send + 'static,
    meanwhile: impl FnOnce(&Fixture),
) -> Option<T> {
    let runtime = runtime();
    let connections = fixture.store.take_connections(family);
    let request = runtime.spawn(request);
    while fixture.store.waiting(family) == 0 {
        std::thread::yield_now();
    }
    meanwhile(fixture);
    drop(connections);
    runtime.block_on(request).unwrap().unwrap()
}

#[test]
fn a_session_that_ends_while_its_request_waits_is_not_found() {
    let ends: [End; 3] = [
        ("sign-out", |fixture| {
            fixture.store.write_directory_blocking(|tx| sessions::end_one(tx, &HASH)).unwrap();
        }),
        ("a new password", |fixture| fixture.raw().script("DELETE FROM sessions")),
        ("its time", |fixture| fixture.clock.advance(SignedDuration::from_hours(24 * IDLE_DAYS))),
    ];
    on_both(|fixture| {
        let (family, user) = fixture.family("a");
        let find = |meanwhile: fn(&Fixture)| -> Option<Session> {
            let begin = |tx: &mut FamilyTx<'_>| {
                sessions::end_one(tx, &HASH)?;
                sessions::begin(tx, family, user, &HASH, "form")
            };
            fixture.store.write_blocking(family, begin).unwrap();
            let store = fixture.store.clone();
            let request = async move { sessions::find(&store, HASH).await };
            found_after(fixture, family, request, meanwhile)
        };
        assert!(find(|_| {}).is_some());
        for (end, meanwhile) in ends {
            assert_eq!(find(meanwhile), None, "{end}");
        }
        let require = || fixture.store.write_blocking(family, |tx| sessions::require(tx, &HASH));
        assert!(require().unwrap_err().to_string().contains("Sign in again"));
        let begin = |tx: &mut FamilyTx<'_>| {
            sessions::end_one(tx, &HASH)?;
            sessions::begin(tx, family, user, &HASH, "form")
        };
        fixture.store.write_blocking(family, begin).unwrap();
        require().unwrap();
        fixture.raw().script("UPDATE families SET deletion_at = 1");
        assert!(require().unwrap_err().to_string().contains("Sign in again"));
    });
}

#[test]
fn a_key_that_ends_while_its_request_waits_is_not_found() {
    let hour = SignedDuration::from_hours(1);
    on_both(|fixture| {
        let (family, user) = fixture.family("a");
        let expires_at = Some(fixture.store.now() + hour);
        let create = |tx: &mut FamilyTx<'_>| {
            let (scope, accounts, hash) = (Scope::Read, None, &HASH);
            keys::create(tx, &NewKey { user, name: "a", scope, accounts, expires_at, hash })
        };
        fixture.store.write_blocking(family, create).unwrap();
        let find = |meanwhile: &dyn Fn(&Fixture)| -> Option<KeyRecord> {
            let store = fixture.store.clone();
            let request = async move { keys::authenticate(&store, HASH).await };
            found_after(fixture, family, request, meanwhile)
        };
        assert!(find(&|_| {}).is_some());
        assert_eq!(find(&|fixture| fixture.clock.advance(hour)), None, "it expired");
        fixture.clock.advance(-hour);
        let revoke = |fixture: &Fixture| fixture.raw().script("UPDATE api_keys SET revoked_at = 1");
        assert_eq!(find(&revoke), None, "it was revoked");
    });
}
