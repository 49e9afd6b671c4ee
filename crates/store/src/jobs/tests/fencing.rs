//! A worker without its lease can't finish; the control is a queue that doesn't count its claims.

use super::*;
use crate::testing::Raw;

/// Claims leave the token as it was.
const SQLITE_UNFENCED: &str = "CREATE TRIGGER unfenced AFTER UPDATE OF lease_token ON jobs
    BEGIN UPDATE jobs SET lease_token = OLD.lease_token WHERE id = NEW.id; END";
const POSTGRES_UNFENCED: &str = "CREATE FUNCTION unfenced() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.lease_token := OLD.lease_token; RETURN NEW; END $$;
    CREATE TRIGGER unfenced BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION unfenced()";

/// Whether a worker can't finish its job any more once another one has it.
fn is_fenced(fixture: &Fixture, family: FamilyId) -> bool {
    enqueue_one(fixture, family, None).unwrap();
    let slow = claim_one(fixture).unwrap();
    fixture.clock.advance(SignedDuration::try_from(LEASE).unwrap());
    let heir = claim_one(fixture).unwrap();
    assert_eq!(heir.id, slow.id);
    match write(fixture, |tx| complete(tx, &slow)) {
        Ok(()) => false,
        Err(error) => {
            assert!(is_lease_lost(&error), "{error}");
            write(fixture, |tx| complete(tx, &heir)).unwrap();
            true
        }
    }
}

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

#[test]
fn claims_without_new_tokens_are_found() {
    on_both(|fixture| {
        let family = fixture.family("f").0;
        assert!(is_fenced(fixture, family), "nothing is wrong yet");
        let mut raw = fixture.raw();
        let unfenced = match raw {
            Raw::Sqlite(_) => SQLITE_UNFENCED,
            Raw::Postgres(_) => POSTGRES_UNFENCED,
        };
        raw.script(unfenced);
        assert!(!is_fenced(fixture, family), "a worker without a lease finished the job");
    });
}
