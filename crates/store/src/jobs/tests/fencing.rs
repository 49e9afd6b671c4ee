//! A worker without its lease can't finish.

use super::*;

#[test]
fn a_worker_that_lost_its_lease_can_not_finish() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        enqueue_one(fixture, family, None);
        let slow = claim_one(fixture).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(10));
        write(fixture, |tx| renew(tx, &slow, LEASE)).unwrap();
        fixture.clock.advance(SignedDuration::from_secs(14));
        assert_eq!(claim_one(fixture), None, "the renewed lease still holds");
        fixture.clock.advance(SignedDuration::from_secs(1));
        let heir = claim_one(fixture).unwrap();
        assert_eq!((heir.id, heir.token, heir.attempts), (slow.id, slow.token + 1, 0));

        let lost = |result: Result<()>| is_lease_lost(&result.unwrap_err());
        assert!(lost(write(fixture, |tx| renew(tx, &slow, LEASE))));
        assert!(lost(write(fixture, |tx| fail(tx, &slow, "late").map(|_| ()))));
        let version = |fixture: &Fixture| {
            fixture.store.read_blocking(family, crate::families::version).unwrap()
        };
        let before = version(fixture);
        assert!(lost(write(fixture, |tx| {
            tx.of_family(family, |tx| crate::families::bump_version(tx))?;
            complete(tx, &slow)
        })));
        assert_eq!(version(fixture), before, "its effects are rolled back");
        write(fixture, |tx| complete(tx, &heir)).unwrap();
    });
}

/// The row of a job is held by its worker's commit, which waits for a machine that hangs. On the
/// one connection for renewals those of other jobs come next.
#[test]
fn a_renewal_waits_for_no_commit() {
    let fixture = Fixture::postgres();
    let both = ["a", "b"].map(|name| {
        let family = fixture.family(name).0;
        enqueue_one(&fixture, family, None);
        claim_one(&fixture).unwrap()
    });
    let mut held = fixture.raw();
    held.script(&format!("BEGIN; UPDATE jobs SET deaths = deaths WHERE id = '{}'", both[0].id));
    let renewed = both.each_ref().map(|job| {
        write(&fixture, |tx| {
            tx.script("SET LOCAL lock_timeout = '100ms'")?;
            renew(tx, job, LEASE)
        })
    });
    assert!(is_lease_lost(renewed[0].as_ref().unwrap_err()), "{renewed:?}");
    renewed[1].as_ref().unwrap();
    held.script("COMMIT");
    write(&fixture, |tx| renew(tx, &both[0], LEASE)).unwrap();
}
