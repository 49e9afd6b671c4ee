use jiff::SignedDuration;

use super::*;
use crate::testing::on_both;

#[test]
fn the_newest_syncs_of_a_family_are_kept() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let request = |family| fixture.store.write_blocking(family, request).unwrap();
        let [oldest, second] = [request(family), request(family)];
        let of_others = request(other);
        // Runs of one moment are put in directly, because requests alone would take long.
        fixture.clock.advance(SignedDuration::from_secs(1));
        let fill = |tx: &mut FamilyTx<'_>| {
            let run = SyncRecord {
                connection: None,
                status: SyncStatus::Syncing,
                accounts_synced: 0,
                accounts_failed: 0,
                error: None,
                created_at: tx.now(),
                syncing_at: Some(tx.now()),
                completed_at: None,
                failed_at: None,
            };
            (2..SYNCS_KEPT_MAX).try_for_each(|_| put(tx, None, &run).map(drop))
        };
        fixture.store.write_blocking(family, fill).unwrap();
        let listed = |family| fixture.store.read_blocking(family, |tx| list(tx, 1_000, 0)).unwrap();
        let kept = u64::try_from(SYNCS_KEPT_MAX).unwrap();
        assert_eq!(listed(family).1, kept, "as many as are kept");
        assert_eq!(listed(family).0.last(), Some(&oldest));
        fixture.clock.advance(SignedDuration::from_secs(1));
        let newest = request(family);
        let (runs, total) = listed(family);
        assert_eq!((runs.len(), total), (500, kept));
        assert_eq!((runs.first(), runs.last()), (Some(&newest), Some(&second)));
        assert_eq!(fixture.store.read_blocking(family, latest).unwrap(), Some(newest));
        let gone = fixture.store.read_blocking(family, move |tx| get(tx, oldest.id));
        assert_eq!(gone.unwrap_err().code(), "not_found");
        assert_eq!(listed(other).0, [of_others]);
    });
}

#[test]
fn a_sync_is_completed_at_once_and_names_who_requested_it() {
    on_both(|fixture| {
        let (family, user) = fixture.family("one");
        let run = fixture
            .store
            .write_blocking(family, move |tx| tx.acting_as(Actor::User(user), request));
        let run = run.unwrap();
        assert_eq!((run.status, run.actor), (SyncStatus::Completed, Actor::User(user)));
        assert_eq!(run.completed_at, Some(run.updated_at()));
        let some = |tx: &mut FamilyTx<'_>| {
            tx.seeing(Some(&[]), |tx| {
                Ok((list(tx, 9, 0)?.1, latest(tx)?, get(tx, run.id).is_err()))
            })
        };
        assert_eq!(fixture.store.read_blocking(family, some).unwrap(), (0, None, true));
    });
}
