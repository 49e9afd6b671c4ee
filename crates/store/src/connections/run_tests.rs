use std::time::Duration;

use jiff::SignedDuration;
use purser_core::connection::{SyncErrorCode, SyncStatus};

use super::tests::{claim, connect, finish, list_of, write};
use super::{changes, rests, runs};
use crate::access::FamilyTx;
use crate::testing::on_both;

/// Runs that die again and again are reported, and wait longer each time, unless somebody waits.
#[test]
fn a_connection_with_runs_that_die_is_left_alone() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        claim(fixture, "a").unwrap();
        fixture.clock.advance(SignedDuration::from_secs(20));
        let second = claim(fixture, "b").unwrap();
        assert_eq!(second.failures, 1, "the first may have died by chance");
        fixture.clock.advance(SignedDuration::from_secs(20));
        assert_eq!(claim(fixture, "c"), None, "the second died, too");
        let shown = &list_of(fixture, family)[0];
        let wait = shown.next_attempt_at.unwrap().duration_since(fixture.store.now());
        assert!((2..=3).contains(&wait.as_hours()), "{wait}");
        assert_eq!(shown.latest.as_ref().unwrap().status, SyncStatus::Stale);
        write(fixture, family, |tx| runs::request(tx, connection)).unwrap();
        let requested = claim(fixture, "c").unwrap();
        assert_eq!(requested.failures, 2);
        finish(fixture, &requested, None).unwrap();
    });
}

/// A restart in the middle of a run is no reason to wait, whatever failed before.
#[test]
fn one_run_that_died_after_failures_is_taken_up_at_once() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        connect(fixture, family, "only");
        let hours = |hours| fixture.clock.advance(SignedDuration::from_hours(hours));
        for _ in 0..3 {
            let run = claim(fixture, "a").unwrap();
            finish(fixture, &run, Some(SyncErrorCode::ProviderUnavailable)).unwrap();
            hours(30);
        }
        claim(fixture, "a").unwrap();
        fixture.clock.advance(SignedDuration::from_secs(20));
        assert!(claim(fixture, "b").is_some());
    });
}

/// Each run that died is reported.
#[test]
fn webhooks_are_sent_runs_that_died() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let webhook = crate::webhooks::tests::make(fixture, family);
        connect(fixture, family, "only");
        for node in ["a", "b"] {
            claim(fixture, node).unwrap();
            fixture.clock.advance(SignedDuration::from_secs(20));
        }
        assert_eq!(claim(fixture, "c"), None);
        let sent = fixture
            .store
            .read_blocking(family, |tx| crate::webhooks::deliveries::list(tx, webhook, 10, 0));
        assert_eq!(sent.unwrap().1, 2);
    });
}

/// A rest that somebody else finds out about holds runs up, too, under way or dead.
#[test]
fn a_rest_that_is_noted_during_a_run_holds_after_it() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let note = |seconds| {
            let rest = Duration::from_secs(seconds);
            write(fixture, family, |tx| rests::note_rest(tx, connection, rest)).unwrap();
            write(fixture, family, |tx| rests::rest_of(tx, connection)).unwrap().unwrap()
        };
        let run = claim(fixture, "a").unwrap();
        let until = note(80_000);
        assert!(finish(fixture, &run, None).unwrap() >= until);
        let rest = || write(fixture, family, |tx| rests::rest_of(tx, connection)).unwrap();
        assert_eq!(rest(), Some(until));
        fixture.clock.advance(SignedDuration::from_hours(60));
        claim(fixture, "a").unwrap();
        let until = note(7_200);
        fixture.clock.advance(SignedDuration::from_secs(20));
        assert_eq!(claim(fixture, "b"), None, "its process died");
        assert_eq!(list_of(fixture, family)[0].next_attempt_at, Some(until));
        fixture.clock.advance(SignedDuration::from_hours(3));
        assert!(claim(fixture, "b").is_some());
    });
}

/// A clock that was ahead when a rest was noted holds nobody up.
#[test]
fn a_rest_is_never_longer_than_a_day() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        fixture.clock.advance(SignedDuration::from_hours(10_000));
        let note = || {
            let rest = Duration::from_secs(7_200);
            write(fixture, family, |tx| rests::note_rest(tx, connection, rest)).unwrap();
        };
        note();
        fixture.clock.advance(SignedDuration::from_hours(-10_000));
        let rest = || write(fixture, family, |tx| rests::rest_of(tx, connection)).unwrap();
        assert_eq!(rest(), None);
        note();
        assert!(rest().is_some());
        let note_ahead = || {
            fixture.clock.advance(SignedDuration::from_hours(40));
            note();
            fixture.clock.advance(SignedDuration::from_hours(-40));
            assert_eq!(rest(), None);
        };
        note_ahead();
        write(fixture, family, |tx| runs::request(tx, connection)).unwrap();
        let run = claim(fixture, "a").expect("what somebody has requested");
        finish(fixture, &run, None).unwrap();
        note_ahead();
        write(fixture, family, |tx| changes::set_credentials(tx, connection, b"key", true))
            .unwrap();
        assert!(claim(fixture, "a").is_some(), "and with the key entered again");
    });
}

/// A provider that wants a rest gets it from whoever asks, and a key entered again changes nothing.
#[test]
fn a_rest_is_kept_by_the_key_that_it_is_of() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let connection = connect(fixture, family, "only");
        let rest = || write(fixture, family, |tx| rests::rest_of(tx, connection)).unwrap();
        assert_eq!(rest(), None);
        write(fixture, family, |tx| {
            rests::note_rest(tx, connection, Duration::from_secs(7_200))?;
            rests::note_rest(tx, connection, Duration::from_secs(60))
        })
        .unwrap();
        let until = rest().unwrap();
        assert_eq!(list_of(fixture, family)[0].next_attempt_at, Some(until));
        assert_eq!(claim(fixture, "a"), None);
        let enter = |is_same| {
            let enter = |tx: &mut FamilyTx<'_>| {
                changes::set_credentials(tx, connection, b"sealed", is_same)
            };
            write(fixture, family, enter).unwrap();
        };
        enter(true);
        assert_eq!((rest(), claim(fixture, "a")), (Some(until), None));
        enter(false);
        assert_eq!(rest(), None);
        assert!(claim(fixture, "a").is_some());
    });
}
