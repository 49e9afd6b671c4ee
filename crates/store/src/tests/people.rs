//! Families, users, keys, and the audit trail.

use std::collections::HashSet;

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, KeyId, UserId};
use serde_json::json;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::audit::{self, Actor, Event, Selection};
use crate::driver::{statements, vals};
use crate::families::{self, FamilyId};
use crate::installation;
use crate::keys::{self, KeyRecord, NewKey, Scope};
use crate::secret::Secret;
use crate::statement_count::on_this_thread;
use crate::testing::{Fixture, on_both, runtime};
use crate::users::{self, NewUser, Role};

statements! {
    ADD_ACCOUNT = "INSERT INTO accounts (family_id, id, name, name_key, account_type, currency,
            status, opening_amount, transactions_count, valuations_count, created_at, updated_at)
        VALUES ($1, $2, 'a', 'a', 'depository', 'EUR', 'active', 0, 0, 0, 0, 0)";
}

fn write<T>(
    fixture: &Fixture,
    family: FamilyId,
    work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
) -> Result<T> {
    fixture.store.write_blocking(family, work)
}

#[test]
fn families_that_are_made_at_once_get_numbers_of_their_own() {
    on_both(|fixture| {
        let next = || fixture.store.write_directory_blocking(installation::next_family_number);
        let first = next().unwrap();
        let several = || (0..5).map(|_| next().unwrap()).collect::<Vec<i64>>();
        let mut numbers: Vec<i64> = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..8).map(|_| scope.spawn(several)).collect();
            makers.into_iter().flat_map(|maker| maker.join().unwrap()).collect()
        });
        numbers.sort_unstable();
        assert_eq!(numbers, (first + 1..=first + 40).collect::<Vec<i64>>());
        let failed: Result<()> = fixture.store.found_blocking(|_, id| {
            assert_eq!(id.number(), first + 41);
            Err(Error::internal("made up"))
        });
        assert!(failed.is_err());
        // On PostgreSQL nobody waits to see whether a number is used after all.
        let left_out = i64::from(!fixture.store.is_sqlite());
        assert_eq!(next().unwrap(), first + 41 + left_out);
    });
}

/// A node of the version before the sequence counts in the row, and may still run.
#[test]
fn an_earlier_node_gives_no_number_that_the_sequence_gives() {
    let fixture = Fixture::postgres();
    fixture.family("a");
    let earlier = "UPDATE installation SET last_family = last_family + 1";
    let refused = fixture.store.write_directory_blocking(|tx| tx.script(earlier));
    assert!(format!("{refused:?}").contains("out of range"), "{refused:?}");
}

fn new_key<'a>(user: UserId, hash: &'a [u8; 32]) -> NewKey<'a> {
    NewKey { user, name: "laptop", scope: Scope::Read, accounts: None, expires_at: None, hash }
}

fn caller(fixture: &Fixture, hash: &[u8; 32]) -> Option<KeyRecord> {
    runtime().block_on(keys::authenticate(&fixture.store, *hash)).unwrap()
}

fn add_key(fixture: &Fixture, family: FamilyId, key: &NewKey<'_>) -> KeyId {
    write(fixture, family, |tx| keys::create(tx, key)).unwrap()
}

#[test]
fn families_are_numbered_and_found() {
    assert_eq!(STATEMENTS.len(), 1);
    on_both(|fixture| {
        assert!(!fixture.store.read_directory_blocking(users::is_any).unwrap());
        let (a, _) = fixture.family("a");
        let (b, _) = fixture.family("b");
        assert!(fixture.store.read_directory_blocking(users::is_any).unwrap());
        let all = fixture.store.read_directory_blocking(families::list).unwrap();
        assert_eq!(all.iter().map(|family| family.id).collect::<Vec<_>>(), [a, b]);
    });
}

#[test]
fn families_that_sign_up_together_get_their_own_numbers() {
    on_both(|fixture| {
        let numbers: HashSet<_> = std::thread::scope(|scope| {
            let sign_up = |n: u32| fixture.family(&format!("f{n}")).0;
            let threads: Vec<_> = (0..6).map(|n| scope.spawn(move || sign_up(n))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(numbers.len(), 6);
    });
}

#[test]
fn a_sign_in_name_belongs_to_one_user_of_all_families() {
    on_both(|fixture| {
        let (a, admin) = fixture.family("a");
        let (b, _) = fixture.family("b");
        let hash = Secret::new("first");
        let user =
            |email| NewUser { email, name: " Bob ", role: Role::Member, password_hash: &hash };
        let bob = write(fixture, a, |tx| users::add(tx, a, &user(" Bob@Example.ORG"))).unwrap();
        let again =
            write(fixture, b, |tx| users::add(tx, b, &user("bob@example.org"))).unwrap_err();
        assert_eq!(again.code(), "email_taken");
        assert_eq!(fixture.store.read_blocking(b, users::list).unwrap().len(), 1);
        for bad in ["", "bob", "@host", "a b@host", "bob@", "a@b@host"] {
            assert_eq!(users::check_email(bad).unwrap_err().code(), "validation_failed", "{bad}");
            let refused = write(fixture, a, |tx| users::add(tx, a, &user(bad))).unwrap_err();
            assert_eq!(refused.code(), "validation_failed", "{bad}");
        }

        let set = |family, hash: &str| {
            let hash = Secret::new(hash);
            write(fixture, family, |tx| users::set_password_hash(tx, bob, &hash))
        };
        set(a, "second").unwrap();
        assert!(matches!(set(b, "third"), Err(Error::NotFound { .. })), "another family's user");
        let found = fixture
            .store
            .read_directory_blocking(|tx| users::find_by_email(tx, "BOB@example.org"))
            .unwrap()
            .unwrap();
        assert_eq!((found.family, found.user.id, found.user.name.as_str()), (a, bob, "Bob"));
        assert_eq!(found.password_hash.reveal(), "second");
        let listed = fixture.store.read_blocking(a, users::list).unwrap();
        let roles: Vec<_> = listed.iter().map(|user| (user.id, user.role)).collect();
        assert_eq!(roles, [(admin, Role::Admin), (bob, Role::Member)]);
    });
}

#[test]
fn names_cannot_steer_a_terminal() {
    on_both(|fixture| {
        let (family, user) = fixture.family("a");
        let hash = Secret::new("hash");
        let currency = purser_core::money::Currency::USD;
        for bad in ["a\u{1b}[2J", "a\u{7}b", "a\nb", "a\0b"] {
            let person =
                |email, name| NewUser { email, name, role: Role::Admin, password_hash: &hash };
            let made = families::NewFamily { name: bad, currency, time_zone: "UTC" };
            let key = NewKey { name: bad, ..new_key(user, &[7; 32]) };
            let refused = [
                write(fixture, family, |tx| {
                    families::create(tx, family, &made, &person("b@b.org", "b")).map(drop)
                }),
                write(fixture, family, |tx| {
                    users::add(tx, family, &person("c@c.org", bad)).map(drop)
                }),
                write(fixture, family, |tx| keys::create(tx, &key).map(drop)),
            ];
            for refused in refused {
                let message = refused.unwrap_err().to_string();
                assert!(message.ends_with("must not contain control characters"), "{message}");
            }
        }
        assert_eq!(fixture.store.read_directory_blocking(families::list).unwrap().len(), 1);
    });
}

#[test]
fn a_key_opens_its_family_until_it_ends() {
    on_both(|fixture| {
        let (family, user) = fixture.family("f");
        let (ends, revoked, deactivated) = ([1; 32], [2; 32], [3; 32]);
        let expires_at = Some(fixture.store.now() + SignedDuration::from_secs(60));
        add_key(fixture, family, &NewKey { expires_at, ..new_key(user, &ends) });
        let id = add_key(
            fixture,
            family,
            &NewKey { scope: Scope::ReadWrite, ..new_key(user, &revoked) },
        );
        add_key(fixture, family, &new_key(user, &deactivated));

        let found = caller(fixture, &revoked).unwrap();
        assert_eq!((found.family, found.id, found.user), (family, id, user));
        assert_eq!((found.scope, found.accounts), (Scope::ReadWrite, None));
        assert_eq!(
            (found.family_currency.code(), found.time_zone.as_str()),
            ("EUR", "Europe/Berlin")
        );
        assert_eq!(caller(fixture, &[9; 32]), None);

        assert!(caller(fixture, &ends).is_some());
        fixture.clock.advance(SignedDuration::from_secs(60));
        assert_eq!(caller(fixture, &ends), None, "expired");

        let (other, _) = fixture.family("other");
        let foreign = write(fixture, other, |tx| keys::revoke(tx, id));
        assert!(matches!(foreign, Err(Error::NotFound { .. })));
        assert!(caller(fixture, &revoked).is_some());
        let begun = caller(fixture, &revoked).unwrap();
        for _ in 0..2 {
            write(fixture, family, |tx| keys::revoke(tx, id)).unwrap();
            assert_eq!(caller(fixture, &revoked), None, "revoked");
        }
        // Whatever a request of it still writes: nothing but its own access reaches the family.
        let written = fixture.store.write_blocking(begun.access(), |_| Ok(()));
        assert_eq!(written.unwrap_err().code(), keys::UNAUTHORIZED);
        let listed = fixture.store.read_blocking(family, keys::list).unwrap();
        assert_eq!(listed.iter().filter(|key| key.revoked_at.is_some()).count(), 1);

        assert!(caller(fixture, &deactivated).is_some());
        for _ in 0..2 {
            write(fixture, family, |tx| users::deactivate(tx, user)).unwrap();
        }
        assert_eq!(caller(fixture, &deactivated), None, "its user is deactivated");
    });
}

#[test]
fn a_key_can_be_restricted_to_accounts_of_its_family() {
    on_both(|fixture| {
        let (family, user) = fixture.family("f");
        let (other, _) = fixture.family("other");
        let add_account = |family: FamilyId| {
            write(fixture, family, |tx| {
                let id = tx.new_id()?;
                tx.execute(&ADD_ACCOUNT, vals![family, id])?;
                Ok(AccountId(id))
            })
            .unwrap()
        };
        let (own, second, foreign) = (add_account(family), add_account(family), add_account(other));
        let add_restricted = |hash, accounts: &[AccountId]| {
            let key = NewKey { accounts: Some(accounts), ..new_key(user, &hash) };
            write(fixture, family, |tx| keys::create(tx, &key))
        };
        add_restricted([1; 32], &[own, own]).unwrap();
        add_restricted([2; 32], &[]).unwrap();
        assert_eq!(caller(fixture, &[1; 32]).unwrap().accounts, Some(HashSet::from([own])));
        assert_eq!(caller(fixture, &[2; 32]).unwrap().accounts, Some(HashSet::new()));
        add_restricted([4; 32], &[own, second]).unwrap();
        let (found, statements) = on_this_thread(|| caller(fixture, &[4; 32]));
        assert_eq!(found.unwrap().accounts, Some(HashSet::from([own, second])));
        assert!(statements <= 4, "{statements}: two between BEGIN and COMMIT");
        let refused = add_restricted([3; 32], &[foreign]);
        assert!(matches!(refused, Err(Error::NotFound { what: "Account" })));
        assert_eq!(caller(fixture, &[3; 32]), None);
    });
}

#[test]
fn the_last_use_only_moves_forward() {
    on_both(|fixture| {
        let (family, user) = fixture.family("f");
        let key = add_key(fixture, family, &new_key(user, &[1; 32]));
        let now = fixture.store.now();
        let earlier = now - SignedDuration::from_secs(5);
        for uses in [[(family, key, now), (family, key, earlier)], [(family, key, earlier); 2]] {
            let touched = keys::touch_last_used(&fixture.store, uses.to_vec());
            assert_eq!(runtime().block_on(touched).unwrap(), []);
            assert_eq!(caller(fixture, &[1; 32]).unwrap().last_used_at, Some(now));
        }
    });
}

#[test]
fn the_audit_trail_is_listed_newest_first_and_by_family() {
    on_both(|fixture| {
        let (family, user) = fixture.family("f");
        let (other, _) = fixture.family("other");
        let subject = Uuid::from_u128(7);
        let event = |actor, subject_id| Event {
            actor,
            action: "account.create",
            subject_kind: "account",
            subject_id,
            details: json!({"name": "a"}),
        };
        let foreign = event(Actor::CommandLine, Some(subject));
        write(fixture, other, |tx| audit::record(tx, &foreign)).unwrap();
        let ids = write(fixture, family, |tx| {
            Ok([
                audit::record(tx, &event(Actor::User(user), Some(subject)))?,
                audit::record(tx, &event(Actor::System, None))?,
                audit::record(tx, &event(Actor::CommandLine, Some(subject)))?,
            ])
        })
        .unwrap();
        let list = |selection, limit| {
            fixture.store.read_blocking(family, |tx| audit::list(tx, selection, limit)).unwrap()
        };
        let all = list(Selection::default(), 10);
        assert_eq!(all.iter().map(|event| event.id).collect::<Vec<_>>(), [ids[2], ids[1], ids[0]]);
        assert_eq!(all[2].actor, Actor::User(user));
        assert_eq!(all[0].details, json!({"name": "a"}));
        assert_eq!(list(Selection::default(), 1).len(), 1);
        let selection = Selection { subject_id: Some(subject), before: Some(ids[2]) };
        assert_eq!(list(selection, 10).iter().map(|event| event.id).collect::<Vec<_>>(), [ids[0]]);
    });
}
