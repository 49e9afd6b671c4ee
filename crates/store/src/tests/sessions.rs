//! Sessions: who is found by a token, and what ends it.

use jiff::SignedDuration;
use purser_core::ids::UserId;

use crate::families::FamilyId;
use crate::secret::Secret;
use crate::sessions::{self, IDLE_DAYS, Session};
use crate::testing::{Fixture, on_both, runtime};
use crate::users;

fn begin(fixture: &Fixture, family: FamilyId, user: UserId, hash: [u8; 32]) {
    let begun = |tx: &mut crate::FamilyTx<'_>| sessions::begin(tx, family, user, &hash, "form");
    fixture.store.write_blocking(family, begun).unwrap();
}

fn find(fixture: &Fixture, hash: [u8; 32]) -> Option<Session> {
    runtime().block_on(sessions::find(&fixture.store, hash)).unwrap()
}

#[test]
fn a_session_is_of_one_user_until_nobody_uses_it() {
    on_both(|fixture| {
        let (a, ann) = fixture.family("a");
        let (b, bob) = fixture.family("b");
        begin(fixture, a, ann, [1; 32]);
        begin(fixture, b, bob, [2; 32]);
        let found = find(fixture, [1; 32]).unwrap();
        assert_eq!((found.family, found.user, found.form_token.as_str()), (a, ann, "form"));
        assert_eq!((found.family_name.as_str(), found.email.as_str()), ("a", "a@example.org"));
        assert_eq!(find(fixture, [3; 32]), None);

        let days = |days| SignedDuration::from_hours(24 * days);
        fixture.clock.advance(days(IDLE_DAYS - 1));
        fixture.store.write_directory_blocking(|tx| sessions::touch(tx, &[1; 32])).unwrap();
        fixture.clock.advance(days(2));
        assert!(find(fixture, [1; 32]).is_some(), "it was used in between");
        assert_eq!(find(fixture, [2; 32]), None);
        fixture.store.write_directory_blocking(sessions::purge).unwrap();
        fixture.clock.advance(-days(2));
        assert_eq!(find(fixture, [2; 32]), None, "it is gone for good");
        assert!(find(fixture, [1; 32]).is_some());
    });
}

#[test]
fn a_use_is_worth_writing_once_a_minute() {
    on_both(|fixture| {
        let (family, user) = fixture.family("a");
        begin(fixture, family, user, [1; 32]);
        let session = find(fixture, [1; 32]).unwrap();
        let at = |seconds| fixture.store.now() + SignedDuration::from_secs(seconds);
        assert!(!session.is_due(at(0)) && !session.is_due(at(60)) && session.is_due(at(61)));
    });
}

#[test]
fn sign_out_a_new_password_and_deactivation_end_sessions() {
    on_both(|fixture| {
        let (family, user) = fixture.family("a");
        let (other, somebody) = fixture.family("b");
        begin(fixture, other, somebody, [9; 32]);
        let write = |work: &dyn Fn(&mut crate::FamilyTx<'_>) -> purser_core::error::Result<()>| {
            fixture.store.write_blocking(family, |tx| work(tx)).unwrap();
        };
        begin(fixture, family, user, [1; 32]);
        begin(fixture, family, user, [2; 32]);
        write(&|tx| sessions::end_one(tx, &[1; 32]));
        assert!(find(fixture, [1; 32]).is_none() && find(fixture, [2; 32]).is_some());
        let hash = Secret::new("another");
        write(&|tx| users::set_password_hash(tx, user, &hash));
        assert!(find(fixture, [2; 32]).is_none());
        begin(fixture, family, user, [3; 32]);
        write(&|tx| users::deactivate(tx, user));
        assert!(find(fixture, [3; 32]).is_none());
        begin(fixture, family, user, [4; 32]);
        assert!(find(fixture, [4; 32]).is_none(), "nobody deactivated comes in");
        assert!(find(fixture, [9; 32]).is_some(), "of another family");
    });
}
