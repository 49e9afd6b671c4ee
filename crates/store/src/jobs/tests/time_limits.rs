//! Jobs of which a statement runs into its time limit.

use purser_core::limits::JOB_DEATHS_MAX;

use super::*;
use crate::families::removal::{self, Removed};

/// Ends as many tries of the one job by the time limit, and waits each time.
fn meet_limits(fixture: &Fixture, count: u32) {
    for _ in 0..count {
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| wait_longer(tx, &job, "slow")).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(BACKOFF_SECONDS_MAX));
    }
}

#[test]
fn time_limits_use_up_no_try_and_are_counted_while_the_waits_grow() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        let waits = [5, 20, 80].into_iter().chain([300; 9]);
        for (before, wait) in (0..JOB_DEATHS_MAX + 2).zip(waits) {
            let job = claim_one(fixture).unwrap();
            assert_eq!((job.attempts, job.deaths), (0, 0));
            assert_eq!(write(fixture, |tx| time_limits(tx, &job)).unwrap(), before);
            write(fixture, |tx| wait_longer(tx, &job, "slow")).unwrap();
            fixture.clock.advance(SignedDuration::from_micros(wait * 1_000_000 - 1));
            assert_eq!(claim_one(fixture), None, "not before its time");
            fixture.clock.advance(SignedDuration::from_micros(1));
        }
        // Anything else begins the count anew.
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| super::wait(tx, &job, "a lock")).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(5));
        let job = claim_one(fixture).unwrap();
        assert_eq!(write(fixture, |tx| time_limits(tx, &job)).unwrap(), 0);
    });
}

#[test]
fn time_limits_and_deaths_do_not_add_up() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        meet_limits(fixture, JOB_DEATHS_MAX);
        claim_one(fixture).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(15));
        let heir = claim(&fixture.store, "other", LEASE).unwrap().unwrap();
        assert_eq!(heir.deaths, 1, "the first one");
        assert_eq!(write(fixture, |tx| time_limits(tx, &heir)).unwrap(), JOB_DEATHS_MAX);
        // The other way round: the process lives, so the deaths before aren't in a row.
        write(fixture, |tx| wait_longer(tx, &heir, "slow")).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(BACKOFF_SECONDS_MAX));
        assert_eq!(claim_one(fixture).unwrap().deaths, 0);
    });
}

#[test]
fn time_limits_before_a_part_that_is_done_do_not_count() {
    on_both(|fixture| {
        let [family, other] = ["f", "g"].map(|name| fixture.family(name).0);
        let both = [family, other].map(|family| enqueue_one(fixture, family, None));
        for _ in 0..2 {
            let claims = both.map(|_| claim_one(fixture).unwrap());
            for job in claims {
                write(fixture, |tx| wait_longer(tx, &job, "slow")).unwrap();
            }
            fixture.clock.advance(SignedDuration::from_secs(BACKOFF_SECONDS_MAX));
        }
        let claims = both.map(|_| claim_one(fixture).unwrap());
        let count = |job: &ClaimedJob| write(fixture, |tx| time_limits(tx, job)).unwrap();
        for job in &claims {
            if job.family == family {
                write(fixture, |tx| end_part(tx, job)).unwrap();
            }
            assert_eq!(count(job), if job.family == family { 0 } else { 2 });
            let lost = ClaimedJob { token: job.token - 1, ..job.clone() };
            let ended = write(fixture, |tx| end_part(tx, &lost));
            assert!(is_lease_lost(&ended.unwrap_err()));
        }
    });
}

#[test]
fn a_look_that_removes_nothing_gets_on_with_nothing() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        meet_limits(fixture, 3);
        let job = claim_one(fixture).unwrap();
        let remove = |tx: &mut FamilyTx<'_>| removal::remove_slice(tx, &job);
        let slice = || fixture.store.write_blocking(family, remove).unwrap();
        let count = || write(fixture, |tx| time_limits(tx, &job)).unwrap();
        assert_eq!((slice(), count()), (Removed::Some, 0));
        while slice() == Removed::Some {}
        fixture.raw().script("UPDATE jobs SET time_limits = 3");
        assert_eq!((slice(), count()), (Removed::AllButItself, 3));
    });
}

#[test]
fn the_longest_wait_holds_on_a_node_with_a_clock_behind() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        meet_limits(fixture, 3);
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| wait_longer(tx, &job, "slow")).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(-1));
        assert_eq!(claim_one(fixture), None);
        fixture.clock.advance(SignedDuration::from_secs(-CLOCKS_APART_SECONDS));
        assert!(claim_one(fixture).is_some(), "it was queued by a clock that was ahead");
    });
}
