//! Families that couldn't be asked, and those that are gone.

use std::sync::mpsc;

use super::*;
use crate::is_busy;
use crate::store::Turn;

/// Notes a time of connections, and looks in vain, for a family without rows.
fn put(fixture: &Fixture, family: i64, at: Timestamp, attempts: i64) {
    let at = at.as_microsecond();
    fixture.raw().script(&format!("INSERT INTO due VALUES ({family}, 'sync', {at}, {attempts})"));
}

fn attempts(fixture: &Fixture) -> Vec<i64> {
    due(&fixture.store, Kind::Sync).iter().map(|due| due.attempts).collect()
}

#[test]
fn a_part_of_each_look_is_for_families_that_were_put_off() {
    on_both(|fixture| {
        let now = fixture.store.now();
        let number = |family: &FamilyId| family.number();
        let list = |count: i64, at: Timestamp, attempts: i64, first: i64| {
            let at = at.as_microsecond();
            let rows: Vec<String> = (first..first + count)
                .map(|family| format!("({family}, 'sync', {at}, {attempts})"))
                .collect();
            fixture.raw().script(&format!("INSERT INTO due VALUES {}", rows.join(", ")));
        };
        list(220, now - SignedDuration::from_mins(9), 0, 1_000);
        list(60, now - SignedDuration::from_mins(4), 3, 2_000);
        let listed: Vec<i64> = numbers(fixture, Kind::Sync).iter().map(number).collect();
        assert_eq!(listed, (1_000..1_150).chain(2_000..2_050).collect::<Vec<_>>());
        // One that waits in vain comes before all, and only one.
        fixture.clock.advance(SignedDuration::from_mins(2));
        let listed: Vec<i64> = numbers(fixture, Kind::Sync).iter().map(number).collect();
        let expected = [2_000].into_iter().chain(1_000..1_150).chain(2_001..2_050);
        assert_eq!(listed, expected.collect::<Vec<_>>());
    });
}

#[test]
fn a_clock_that_was_ahead_keeps_no_family_put_off() {
    on_both(|fixture| {
        let now = fixture.store.now();
        put(fixture, 1_000, now + PUT_OFF_MAX, 2);
        put(fixture, 1_001, now + PUT_OFF_MAX + SignedDuration::from_secs(1), 2);
        put(fixture, 1_002, now + PUT_OFF_MAX + SignedDuration::from_secs(1), 0);
        assert_eq!(numbers(fixture, Kind::Sync), [FamilyId::from_number(1_001)]);
    });
}

#[test]
fn whoever_notes_something_has_reached_the_family() {
    on_both(|fixture| {
        let (family, connection) = planned(fixture, "one");
        let run = claim(fixture, family).unwrap();
        let next = finish(fixture, family, &run);
        let wait = next.duration_since(fixture.store.now());
        fixture.clock.advance(wait);
        for _ in 0..3 {
            let lost = due(&fixture.store, Kind::Sync).remove(0);
            fixture.store.write_directory_blocking(|tx| put_off(tx, &lost)).unwrap();
            fixture.clock.advance(PUT_OFF_MAX);
        }
        assert_eq!(attempts(fixture), [3]);
        let lost = due(&fixture.store, Kind::Sync).remove(0);
        write(fixture, family, |tx| runs::request(tx, connection));
        assert_eq!(attempts(fixture), [0]);
        // Somebody who has just tried in vain changes nothing about that.
        fixture.store.write_directory_blocking(|tx| put_off(tx, &lost)).unwrap();
        assert_eq!(attempts(fixture), [0]);
    });
}

#[test]
fn a_family_that_is_busy_waits_only_a_moment() {
    on_both(|fixture| {
        let (family, _) = planned(fixture, "one");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let ask = |family: FamilyId| {
            let claim = |tx: &mut FamilyTx<'_>| runs::claim(tx, NODE, LEASE);
            runtime.block_on(fixture.store.write_briefly(family, claim))
        };
        let ((begun, has_begun), (done, is_done)) = (mpsc::channel(), mpsc::channel());
        std::thread::scope(|scope| {
            let store = &fixture.store;
            scope.spawn(move || {
                let wait = |_: &mut FamilyTx<'_>| {
                    begun.send(()).unwrap();
                    is_done.recv().map_err(Error::internal)
                };
                store.write_blocking(family, wait).unwrap();
            });
            has_begun.recv().unwrap();
            let refused = ask(family).unwrap_err();
            done.send(()).unwrap();
            assert!(is_busy(&refused), "{refused:?}");
        });
        for _ in 0..3 {
            let busy = due(&fixture.store, Kind::Sync).remove(0);
            fixture.store.write_directory_blocking(|tx| put_off_busy(tx, &busy)).unwrap();
            assert_eq!(numbers(fixture, Kind::Sync), []);
            fixture.clock.advance(PUT_OFF);
            assert_eq!(attempts(fixture), [0]);
        }
        assert!(ask(family).unwrap().is_some());
    });
}

#[test]
fn nothing_is_noted_for_a_family_that_is_gone() {
    on_both(|fixture| {
        let gone = FamilyId::from_number(1_000);
        let note_missed = || {
            let access = Access::whole(gone, Actor::System);
            let now = fixture.store.now();
            let work = move |tx: &mut FamilyTx<'_>, (): &()| note(tx, Kind::Sync, now);
            let families = vec![(access, ())];
            let swept = fixture.store.sweep("", families, Turn::Take, work);
            let swept = runtime().block_on(swept);
            assert!(swept.left.is_empty(), "it isn't tried again");
            assert_eq!(swept.done, 0, "and it isn't counted");
        };
        note_missed();
        assert_eq!(numbers(fixture, Kind::Sync), []);
        put(fixture, 1_000, fixture.store.now(), 0);
        note_missed();
        fixture.store.write_directory_blocking(|tx| forget(tx, gone)).unwrap();
        assert_eq!(numbers(fixture, Kind::Sync), []);
    });
}

#[test]
fn clocks_of_nodes_may_differ_a_little() {
    on_both(|fixture| {
        let (family, _) = planned(fixture, "one");
        let latest = fixture.store.now() + PUT_OFF_MAX + CLOCKS_APART;
        for (more, is_fine) in [(0, true), (1, false)] {
            let at = latest.as_microsecond() + more;
            let family = family.number();
            let statement = format!("UPDATE due SET due_at = {at} WHERE family_id = {family}");
            fixture.raw().script(&statement);
            assert_eq!(none_missed(fixture), is_fine);
        }
    });
}

#[test]
fn a_start_ends_leases_that_a_clock_ahead_has_made() {
    on_both(|fixture| {
        let (family, _) = planned(fixture, "one");
        let day = SignedDuration::from_hours(24);
        fixture.clock.advance(day);
        let before = claim(fixture, family).unwrap();
        fixture.clock.advance(-day);
        assert_eq!(numbers(fixture, Kind::Sync), [], "it is under way for a day");
        let with_leases = fixture.store.read_directory_blocking(runs::with_leases).unwrap();
        assert_eq!(with_leases.len(), 1);
        fixture.store.write_blocking(with_leases[0].clone(), runs::end_leases).unwrap();
        assert_eq!(numbers(fixture, Kind::Sync), [family]);
        assert_ne!(claim(fixture, family).unwrap().sync, before.sync);
    });
}
