//! Jobs of which a statement runs into its time limit.

use super::*;

#[test]
fn time_limits_use_up_no_try_and_are_counted_while_the_waits_grow() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        let waits = [5, 20, 80].into_iter().chain([300; 9]);
        for (before, wait) in (0..JOB_DEATHS_MAX + 2).zip(waits) {
            let job = claim_one(fixture).unwrap();
            // Below the limit: it runs each time, in case the machine answers by now.
            assert_eq!((job.attempts, job.deaths), (0, before.min(JOB_DEATHS_MAX - 1)));
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
        assert_eq!((job.attempts, job.deaths), (0, 0));
    });
}
