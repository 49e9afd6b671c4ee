//! The queue: one worker for a job, no effect without the lease, an end to every failure.

use std::{collections::HashSet, sync::Mutex};

use purser_core::limits::JOB_ATTEMPTS_MAX;
use serde_json::json;

use super::*;
use crate::access::FamilyTx;
use crate::testing::{Fixture, on_both};

mod fencing;
mod later;
mod time_limits;

const LEASE: Duration = Duration::from_secs(15);

fn enqueue_one(fixture: &Fixture, family: FamilyId, dedupe: Option<&str>) -> Option<JobId> {
    let payload = json!({"import_id": "x"});
    let add = |tx: &mut FamilyTx<'_>| enqueue(tx, family, "publish", &payload, dedupe);
    fixture.store.write_blocking(family, add).unwrap()
}

fn claim_one(fixture: &Fixture) -> Option<ClaimedJob> {
    claim(&fixture.store, "test", LEASE).unwrap()
}

fn write<T>(fixture: &Fixture, work: impl FnMut(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    fixture.store.write_directory_blocking(work)
}

fn counted(fixture: &Fixture) -> (u64, u64, u64) {
    let counts = fixture.store.read_directory_blocking(counts).unwrap();
    (counts.queued, counts.running, counts.failed)
}

#[test]
fn a_job_is_claimed_in_order_and_done_once() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        let first = enqueue_one(fixture, a, None);
        fixture.clock.advance(SignedDuration::from_secs(1));
        let second = enqueue_one(fixture, b, None);
        let job = claim_one(fixture).unwrap();
        assert_eq!((Some(job.id), job.family, job.attempts), (first, a, 0));
        assert_eq!(job.payload, json!({"import_id": "x"}));
        assert_eq!(counted(fixture), (1, 1, 0));
        write(fixture, |tx| complete(tx, &job)).unwrap();
        assert_eq!(claim_one(fixture).map(|job| job.id), second);
        assert_eq!(claim_one(fixture), None);
        assert!(is_lease_lost(&write(fixture, |tx| complete(tx, &job)).unwrap_err()));
    });
}

#[test]
fn a_family_has_one_running_job() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        let ids: Vec<_> = (0..2).map(|_| enqueue_one(fixture, a, None)).collect();
        let other = enqueue_one(fixture, b, None);
        let first = claim_one(fixture).unwrap();
        assert_eq!(Some(first.id), ids[0]);
        assert_eq!(claim_one(fixture).map(|job| job.id), other, "the second of a family waits");
        assert_eq!(claim_one(fixture), None);
        write(fixture, |tx| complete(tx, &first)).unwrap();
        assert_eq!(claim_one(fixture).map(|job| job.id), ids[1]);
    });
}

#[test]
fn families_take_turns_however_much_one_of_them_asks_for() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        let many: Vec<_> = (0..3).map(|_| enqueue_one(fixture, a, None)).collect();
        fixture.clock.advance(SignedDuration::from_secs(1));
        let other = enqueue_one(fixture, b, None);
        let next = || {
            fixture.clock.advance(SignedDuration::from_secs(1));
            claim_one(fixture).unwrap()
        };
        let long = next();
        assert_eq!(Some(long.id), many[0]);
        write(fixture, |tx| give_back(tx, &long)).unwrap();
        assert!(is_lease_lost(&write(fixture, |tx| complete(tx, &long)).unwrap_err()));
        let theirs = next();
        assert_eq!(Some(theirs.id), other, "the others of the first family wait");
        write(fixture, |tx| complete(tx, &theirs)).unwrap();
        // What was given back goes on before what came after it, with all of its tries.
        let again = next();
        assert_eq!((Some(again.id), again.attempts), (many[0], 0));
        write(fixture, |tx| complete(tx, &again)).unwrap();
        let last = next();
        assert_eq!(Some(last.id), many[1]);
        write(fixture, |tx| complete(tx, &last)).unwrap();
        assert_eq!(Some(next().id), many[2]);
    });
}

#[test]
fn threads_never_share_a_job_or_a_family() {
    on_both(|fixture| {
        let families: Vec<_> = (0..4).map(|n| fixture.family(&format!("f{n}")).0).collect();
        let total = 24;
        for n in 0..total {
            enqueue_one(fixture, families[n % 4], None);
        }
        let (done, busy) = (Mutex::new(Vec::new()), Mutex::new(HashSet::new()));
        let work = || {
            while done.lock().unwrap().len() < total {
                let Some(job) = claim_one(fixture) else { continue };
                assert!(busy.lock().unwrap().insert(job.family), "two jobs of one family run");
                std::thread::sleep(Duration::from_millis(2));
                busy.lock().unwrap().remove(&job.family);
                write(fixture, |tx| complete(tx, &job)).unwrap();
                done.lock().unwrap().push(job.id);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
            workers.into_iter().for_each(|worker| worker.join().unwrap());
        });
        let done = done.into_inner().unwrap();
        assert_eq!(done.len(), total);
        assert_eq!(done.iter().collect::<HashSet<_>>().len(), total, "none was done twice");
    });
}

#[test]
fn failures_are_tried_again_later_and_then_stay() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, Some("k"));
        let waits = [1, 4, 16, 64, 256];
        assert_eq!(waits.len() as u32, JOB_ATTEMPTS_MAX - 1);
        for (attempt, wait) in (1..JOB_ATTEMPTS_MAX).zip(waits) {
            let job = claim_one(fixture).unwrap();
            assert_eq!(job.attempts, attempt - 1);
            let at = fixture.store.now() + SignedDuration::from_secs(wait);
            let outcome = write(fixture, |tx| fail(tx, &job, "broken")).unwrap();
            assert_eq!(outcome, Failure::Retry { at });
            fixture.clock.advance(SignedDuration::from_micros(wait * 1_000_000 - 1));
            assert_eq!(claim_one(fixture), None, "not before its time");
            fixture.clock.advance(SignedDuration::from_micros(1));
        }
        let last = claim_one(fixture).unwrap();
        assert_eq!(write(fixture, |tx| fail(tx, &last, "broken")).unwrap(), Failure::Final);
        assert_eq!(counted(fixture), (0, 0, 1));
        fixture.clock.advance(SignedDuration::from_hours(24));
        assert_eq!(claim_one(fixture), None);
        assert!(enqueue_one(fixture, family, Some("k")).is_some(), "a failed job doesn't block");
    });
}

#[test]
fn workers_that_die_use_up_no_tries() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        for _ in 0..2 * JOB_ATTEMPTS_MAX {
            assert_eq!(claim_one(fixture).unwrap().attempts, 0);
            fixture.clock.advance(SignedDuration::from_secs(15));
            assert_eq!(claim_one(fixture).unwrap().attempts, 0);
            assert_eq!(write(fixture, release_all).unwrap(), 1);
            // It waits after a start if that happened often.
            fixture.clock.advance(SignedDuration::from_secs(60));
        }
    });
}

#[test]
fn what_the_environment_stops_waits_for_seconds_and_shows_for_what() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| fail(tx, &job, "broken")).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(1));
        for _ in 0..2 * JOB_ATTEMPTS_MAX {
            let job = claim_one(fixture).unwrap();
            assert_eq!(job.attempts, 1);
            write(fixture, |tx| wait(tx, &job, "There is no space.")).unwrap();
            assert_eq!(claim_one(fixture), None);
            let listed = fixture.store.read_directory_blocking(list).unwrap();
            assert_eq!(listed[0].state, State::Queued);
            assert_eq!(listed[0].last_error.as_deref(), Some("There is no space."));
            fixture.clock.advance(SignedDuration::from_secs(ENVIRONMENT_SECONDS));
        }
    });
}

#[test]
fn a_process_that_stops_gives_its_leases_back() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        let jobs = [a, b].map(|family| enqueue_one(fixture, family, None));
        let stopped = claim_one(fixture).unwrap();
        assert!(claim(&fixture.store, "other", LEASE).unwrap().is_some());
        assert_eq!(write(fixture, |tx| release_of(tx, "test")).unwrap(), 1);
        assert!(is_lease_lost(&write(fixture, |tx| complete(tx, &stopped)).unwrap_err()));
        assert_eq!(claim_one(fixture).map(|job| job.id), jobs[0], "without a wait");
        assert_eq!(claim_one(fixture), None, "the other process keeps its own");
    });
}

#[test]
fn what_was_given_up_is_tried_again_when_somebody_asks() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let id = enqueue_one(fixture, family, Some("k")).unwrap();
        let ask = || fixture.store.write_blocking(family, |tx| retry(tx, id));
        for _ in 0..JOB_ATTEMPTS_MAX {
            let job = claim_one(fixture).unwrap();
            assert!(ask().is_err(), "it runs");
            write(fixture, |tx| fail(tx, &job, "broken")).unwrap();
            fixture.clock.advance(SignedDuration::from_secs(BACKOFF_SECONDS_MAX));
        }
        assert_eq!(counted(fixture), (0, 0, 1));
        let twin = enqueue_one(fixture, family, Some("k")).unwrap();
        assert_eq!(ask().unwrap_err().to_string(), "Another job does the same");
        let job = claim_one(fixture).unwrap();
        assert_eq!(job.id, twin);
        write(fixture, |tx| complete(tx, &job)).unwrap();
        ask().unwrap();
        let job = claim_one(fixture).unwrap();
        assert_eq!((job.id, job.attempts), (id, 0));
        write(fixture, |tx| fail(tx, &job, "broken")).unwrap();
        ask().unwrap();
        assert_eq!(claim_one(fixture).map(|job| job.id), Some(id), "without its back-off");
        let missing =
            fixture.store.read_directory_blocking(|tx| find(tx, JobId(uuid::Uuid::nil())));
        assert_eq!(missing.unwrap_err().to_string(), "Job not found");
    });
}

#[test]
fn a_waiting_job_is_widened_until_it_looks() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let add = |number: i64| {
            let sum = |waiting: &serde_json::Value| Ok(json!(waiting.as_i64().unwrap() + number));
            let add =
                |tx: &mut FamilyTx<'_>| enqueue_or_widen(tx, "sum", &json!(number), "sum", sum);
            fixture.store.write_blocking(family, add).unwrap();
        };
        add(1);
        add(2);
        let job = claim_one(fixture).unwrap();
        add(4);
        let payload = write(fixture, |tx| forget_dedupe_key(tx, &job)).unwrap();
        assert_eq!((&job.payload, payload), (&json!(3), json!(7)));
        add(8);
        write(fixture, |tx| complete(tx, &job)).unwrap();
        assert_eq!(claim_one(fixture).unwrap().payload, json!(8));
    });
}

#[test]
fn one_live_job_for_a_dedupe_key_of_a_family() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        assert!(enqueue_one(fixture, a, Some("k")).is_some());
        assert_eq!(enqueue_one(fixture, a, Some("k")), None);
        assert!(enqueue_one(fixture, b, Some("k")).is_some(), "families don't meet");
        assert!(enqueue_one(fixture, a, Some("other")).is_some());
        let job = claim_one(fixture).unwrap();
        assert_eq!(enqueue_one(fixture, a, Some("k")), None, "running is live");
        write(fixture, |tx| complete(tx, &job)).unwrap();
        assert!(enqueue_one(fixture, a, Some("k")).is_some());
    });
}

#[test]
fn a_start_releases_what_a_dead_server_held() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        let dead = claim_one(fixture).unwrap();
        assert_eq!(write(fixture, release_all).unwrap(), 1);
        let job = claim_one(fixture).unwrap();
        assert_eq!((job.id, job.attempts), (dead.id, 0));
        assert!(is_lease_lost(&write(fixture, |tx| complete(tx, &dead)).unwrap_err()));
    });
}

#[test]
fn a_job_of_a_rolled_back_transaction_was_never_there() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let result: Result<()> = write(fixture, |tx| {
            enqueue(tx, family, "publish", &json!({}), None)?;
            Err(Error::invalid("no"))
        });
        assert!(result.is_err());
        assert_eq!(counted(fixture), (0, 0, 0));
    });
}

#[test]
fn a_running_job_can_let_go_of_its_key() {
    on_both(|fixture| {
        let family = fixture.family("a").0;
        enqueue_one(fixture, family, Some("match")).unwrap();
        let job = claim_one(fixture).unwrap();
        assert_eq!(enqueue_one(fixture, family, Some("match")), None);
        write(fixture, |tx| forget_dedupe_key(tx, &job)).unwrap();
        let next = enqueue_one(fixture, family, Some("match"));
        assert!(next.is_some(), "who asks now is not answered by what began before");
        assert_eq!(enqueue_one(fixture, family, Some("match")), None);
        write(fixture, |tx| complete(tx, &job)).unwrap();
        let lost = write(fixture, |tx| forget_dedupe_key(tx, &job)).unwrap_err();
        assert!(is_lease_lost(&lost));
        assert_eq!(claim_one(fixture).map(|job| job.id), next);
    });
}

#[test]
fn a_clock_that_was_ahead_keeps_no_job_waiting() {
    on_both(|fixture| {
        let (a, b) = (fixture.family("a").0, fixture.family("b").0);
        let ahead = SignedDuration::from_hours(24 * 365);
        fixture.clock.advance(ahead);
        let queued = enqueue_one(fixture, a, None);
        let failing = enqueue_one(fixture, b, None);
        let leased = claim_one(fixture).unwrap();
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| fail(tx, &job, "broken")).unwrap();
        fixture.clock.advance(-ahead);
        let due = |family| fixture.store.read_blocking(family, |tx| is_due(tx, family)).unwrap();
        assert_eq!((Some(leased.id), due(a)), (queued, false));
        assert!(due(b), "the back-off of that year is over");
        let mut again = [claim_one(fixture).unwrap().id, claim_one(fixture).unwrap().id];
        again.sort();
        assert_eq!(again.map(Some), [queued, failing], "the worker that had the lease is gone");
    });
}

#[test]
fn deaths_of_the_process_are_counted_apart_from_tries() {
    on_both(|fixture| {
        let family = fixture.family("a").0;
        enqueue_one(fixture, family, None);
        // The next claim is by another process, after the lease.
        let next = |owner: &str| {
            fixture.clock.advance(SignedDuration::from_secs(15));
            claim(&fixture.store, owner, LEASE).unwrap().unwrap()
        };
        assert_eq!(next("first").deaths, 0);
        assert_eq!(next("second").deaths, 1);
        let same = next("second");
        assert_eq!((same.deaths, same.attempts), (1, 0), "it lives, but lost the lease");
        write(fixture, |tx| wait(tx, &same, "no room")).unwrap();
        assert_eq!(next("third").deaths, 0, "it ended in order");
        assert_eq!(write(fixture, |tx| release_of(tx, "third")).unwrap(), 1);
        assert_eq!(next("fourth").deaths, 0, "a process that stops gives it back");
        let deadly = next("fifth");
        write(fixture, |tx| give_up(tx, &deadly, "the process ended")).unwrap();
        assert_eq!(counted(fixture), (0, 0, 1));
    });
}

#[test]
fn a_job_that_dies_often_waits_after_a_start() {
    let fixture = Fixture::sqlite();
    enqueue_one(&fixture, fixture.family("a").0, None);
    for deaths in 0..5 {
        assert_eq!(claim_one(&fixture).unwrap().deaths, deaths);
        assert_eq!(write(&fixture, release_all).unwrap(), 1);
    }
    assert_eq!(claim_one(&fixture), None);
    fixture.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(claim_one(&fixture).unwrap().deaths, 5);
}
