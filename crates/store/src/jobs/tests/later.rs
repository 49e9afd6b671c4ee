//! Jobs that wait for a time.

use super::*;

#[test]
fn a_job_for_later_waits_until_then_or_is_forgotten() {
    on_both(|fixture| {
        let family = fixture.family("f").0;
        let delay = SignedDuration::from_secs(10);
        let later = |key: &str| {
            write(fixture, |tx| enqueue_later(tx, family, "publish", &json!({}), key, delay))
        };
        later("a").unwrap();
        later("b").unwrap();
        write(fixture, |tx| forget(tx, family, "b")).unwrap();
        assert_eq!((counted(fixture), claim_one(fixture)), ((1, 0, 0), None));
        fixture.clock.advance(delay);
        let job = claim_one(fixture).unwrap();
        write(fixture, |tx| forget(tx, family, "a")).unwrap();
        assert_eq!(counted(fixture), (0, 1, 0), "the worker has it");
        write(fixture, |tx| complete(tx, &job)).unwrap();
    });
}

#[test]
fn a_job_for_later_does_not_wait_for_a_clock_that_was_ahead() {
    on_both(|fixture| {
        let family = fixture.family("f").0;
        let ahead = SignedDuration::from_hours(24);
        fixture.clock.advance(ahead);
        let delay = SignedDuration::from_secs(10);
        let add = |tx: &mut Tx<'_>| enqueue_later(tx, family, "publish", &json!({}), "a", delay);
        write(fixture, add).unwrap();
        fixture.clock.advance(-ahead);
        assert!(claim_one(fixture).is_some());
    });
}
