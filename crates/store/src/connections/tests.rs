use jiff::SignedDuration;
use purser_core::connection::{SyncErrorCode, SyncStatus};

use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::syncs::SyncRecord;
use crate::testing::on_both;

fn record(name: &str, accounts: Vec<DiscoveredAccount>) -> ConnectionRecord<'_> {
    ConnectionRecord {
        provider: "lunchflow",
        provider_type: "aggregator",
        name,
        status: ConnectionStatus::Good,
        credentials: Some(b"sealed"),
        scheduled_for_deletion: false,
        institution: Institution::default(),
        consent_expires_at: None,
        next_attempt_at: None,
        accounts,
    }
}

#[test]
fn connections_are_listed_newest_first_with_their_newest_runs() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let account = make(fixture, family, &input("Checking", "depository", "0")).summary.id;
        let found = |external_id: &str, account| DiscoveredAccount {
            external_id: external_id.to_owned(),
            name: "x".to_owned(),
            account,
        };
        let write = |work: &dyn Fn(&mut FamilyTx<'_>) -> Result<ConnectionId>| {
            fixture.store.write_blocking(family, |tx| work(tx)).unwrap()
        };
        let first = write(&|tx| {
            let accounts = vec![found("a", Some(account)), found("b", None)];
            connection_put(tx, None, &record("first", accounts))
        });
        fixture.clock.advance(SignedDuration::from_secs(1));
        let second = write(&|tx| connection_put(tx, None, &record("second", Vec::new())));
        let run = |status, error, completed: bool| {
            fixture.clock.advance(SignedDuration::from_secs(1));
            fixture
                .store
                .write_blocking(family, |tx| {
                    let at = tx.now();
                    let run = SyncRecord {
                        connection: Some(first),
                        status,
                        accounts_synced: 1,
                        accounts_failed: 1,
                        error,
                        created_at: at,
                        syncing_at: Some(at),
                        completed_at: completed.then_some(at),
                        failed_at: (!completed).then_some(at),
                    };
                    syncs::put(tx, None, &run)
                })
                .unwrap()
        };
        run(SyncStatus::Completed, None, true);
        let failed = run(SyncStatus::Failed, Some(SyncErrorCode::RateLimited), false);

        let list = |family| fixture.store.read_blocking(family, list).unwrap();
        assert!(list(other).is_empty());
        let listed = list(family);
        assert_eq!(listed.iter().map(|one| one.id).collect::<Vec<_>>(), [second, first]);
        assert_eq!(listed[0].latest, None);
        assert_eq!(listed[0].coverage, Coverage::default());
        let first_listed = &listed[1];
        let expected = Coverage { total: 2, linked: 1, failed: 1, synced_once: true };
        assert_eq!(first_listed.coverage, expected);
        assert!(first_listed.credentials_stored && first_listed.last_synced_at.is_some());
        let latest = first_listed.latest.as_ref().unwrap();
        assert_eq!((latest.id, latest.error), (failed, Some(SyncErrorCode::RateLimited)));

        write(&|tx| connection_put(tx, Some(first), &record("renamed", Vec::new())));
        assert_eq!(list(family)[1].name, "renamed");
        assert_eq!(list(family)[1].coverage.total, 0);
        let foreign = fixture.store.write_blocking(other, |tx| {
            connection_put(tx, Some(first), &record("taken", Vec::new()))
        });
        assert_eq!(foreign.unwrap_err().code(), "not_found");
    });
}
