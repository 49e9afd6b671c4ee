//! The states of connections and runs, and the sentences that describe them.

use serde_json::{Value, json};

use super::put::{Connection, Run, Table, at, list};
use crate::both;
use crate::support::{Family, Server};

/// A family with one connection that has linked and unlinked accounts.
fn fixture(server: &Server, linked: usize, unlinked: usize) -> (Family, Table, String) {
    let family = server.family();
    let table = Table::of(server, &family);
    let links = (0..linked).map(|_| Some(family.account("Linked", "depository")));
    let accounts = links.chain((0..unlinked).map(|_| None)).collect();
    let id = table.connection(&Connection { accounts, ..Connection::default() });
    (family, table, id)
}

fn sync(family: &Family) -> Value {
    list(family)[0]["sync"].clone()
}

both! {
    fn a_run_is_queued_under_way_and_done(server) {
        let (family, table, id) = fixture(&server, 2, 0);
        assert_eq!(sync(&family)["status_summary"], "0 accounts synced");
        table.run(&id, Run::new("pending", 2_000));
        let pending = sync(&family);
        assert_eq!(
            (&pending["syncing"], &pending["latest"]["status"]),
            (&json!(true), &json!("pending"))
        );
        assert_eq!(pending["latest"]["syncing_at"], json!(null));

        table.run(&id, Run { syncing_at: Some(3_001), ..Run::new("syncing", 3_000) });
        let syncing = sync(&family);
        assert_eq!(
            (&syncing["syncing"], &syncing["latest"]["status"]),
            (&json!(true), &json!("syncing"))
        );
        assert_eq!(syncing["latest"]["syncing_at"], at(3_001));
        assert_eq!(syncing["last_synced_at"], json!(null));

        let run = table.run(&id, Run::completed(4_000, 0));
        let done = sync(&family);
        assert_eq!(done["syncing"], false);
        assert_eq!(done["status_summary"], "2 accounts synced");
        assert_eq!(done["last_synced_at"], at(4_002));
        assert_eq!(
            done["latest"],
            json!({ "id": run, "status": "completed", "created_at": at(4_000),
                "syncing_at": at(4_001), "completed_at": at(4_002), "failed_at": null,
                "error": null })
        );
        // A failure after it takes nothing away.
        table.run(&id, Run::failed(5_000, Some("provider_unavailable")));
        let failed = sync(&family);
        assert_eq!(
            (&failed["syncing"], &failed["latest"]["status"]),
            (&json!(false), &json!("failed"))
        );
        assert_eq!(failed["last_synced_at"], at(4_002));
        assert_eq!(failed["status_summary"], "2 accounts synced");
    }

    fn each_error_has_one_sentence(server) {
        let (family, table, id) = fixture(&server, 1, 0);
        let unavailable = "The provider could not be reached. The next try comes by itself.";
        let interrupted =
            "The sync was interrupted before it was done. The next try comes by itself.";
        for (at, (code, shown, sentence)) in (2_000..).step_by(10).zip([
            (
                "credentials_rejected",
                "credentials_rejected",
                "The provider rejected the stored key. Enter a valid one to go on.",
            ),
            (
                "consent_expired",
                "consent_expired",
                "The bank's consent has expired. Renew it at the provider to go on.",
            ),
            (
                "rate_limited",
                "rate_limited",
                "The provider allows no more requests for now. The next try comes by itself.",
            ),
            ("provider_unavailable", "provider_unavailable", unavailable),
            (
                "answer_not_understood",
                "answer_not_understood",
                "The provider''s answer could not be understood. Nothing was changed.",
            ),
            ("interrupted", "interrupted", interrupted),
            // What this version doesn't know is not shown.
            ("canary-7d1f", "interrupted", interrupted),
        ]) {
            let sentence = sentence.replace("''", "'");
            table.run(&id, Run::failed(at, Some(code)));
            let error = &sync(&family)["latest"]["error"];
            assert_eq!(
                *error,
                json!({ "present": true, "message": sentence, "code": shown }),
                "{code}"
            );
        }
        table.run(&id, Run::failed(9_000, None));
        assert_eq!(sync(&family)["latest"]["error"]["code"], "interrupted");
        // A run that never ended is shown as such even if it left no code; one that did well has no
        // error.
        table.run(&id, Run { syncing_at: Some(9_101), ..Run::new("stale", 9_100) });
        let stale = sync(&family);
        assert_eq!(
            (&stale["syncing"], &stale["latest"]["status"]),
            (&json!(false), &json!("stale"))
        );
        assert_eq!(stale["latest"]["error"]["message"], interrupted);
        table.run(&id, Run { error_code: Some("rate_limited"), ..Run::completed(9_200, 0) });
        assert_eq!(sync(&family)["latest"]["error"], json!(null));
    }

    fn the_summary_counts_those_that_failed_and_need_setup(server) {
        for (linked, unlinked, failed, summary) in [
            (1, 0, 0, "1 account synced"),
            (3, 0, 0, "3 accounts synced"),
            (3, 0, 1, "2 synced, 1 failed"),
            (2, 1, 2, "0 synced, 2 failed, 1 need setup"),
            (1, 2, 0, "1 synced, 2 need setup"),
            (0, 2, 0, "0 synced, 2 need setup"),
        ] {
            let (family, table, id) = fixture(&server, linked, unlinked);
            table.run(&id, Run::completed(2_000, failed));
            let connection = &list(&family)[0];
            assert_eq!(connection["sync"]["status_summary"], summary);
            assert_eq!(connection["sync"]["latest"]["status"], "completed");
            assert_eq!(connection["pending_account_setup"], unlinked > 0);
            assert_eq!(
                connection["accounts"],
                json!({
                    "total_count": linked + unlinked, "linked_count": linked,
                    "unlinked_count": unlinked,
                })
            );
        }
    }

    fn a_connection_may_need_a_person_or_go(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        table.connection(&Connection { status: "requires_update", ..Connection::default() });
        let connection = &list(&family)[0];
        assert_eq!(connection["status"], "requires_update");
        assert_eq!(connection["requires_update"], true);
        assert_eq!(connection["scheduled_for_deletion"], false);
        table.connection(&Connection {
            scheduled_for_deletion: true,
            created_at: 2_000,
            ..Connection::default()
        });
        let listed = list(&family);
        assert_eq!(listed.len(), 2, "listed until it is gone");
        assert_eq!(listed[0]["scheduled_for_deletion"], true);
        assert_eq!(listed[0]["status"], "good", "its key is gone on purpose");
    }

    fn the_latest_run_is_the_newest_of_its_own_connection(server) {
        let (family, table, id) = fixture(&server, 1, 0);
        let other = table.connection(&Connection { created_at: 2_000, ..Connection::default() });
        // Put in out of order; of one moment the later id is newer.
        table.run(&id, Run::completed(5_000, 0));
        table.run(&id, Run::completed(3_000, 1));
        let last = table.run(&id, Run::new("pending", 5_000));
        table.run(&other, Run::failed(9_000, Some("rate_limited")));
        let listed = list(&family);
        assert_eq!(listed[1]["sync"]["latest"]["id"], json!(last));
        assert_eq!(listed[1]["sync"]["last_synced_at"], at(5_002));
        assert_eq!(listed[1]["sync"]["status_summary"], "1 account synced");
        assert_eq!(listed[0]["id"], json!(other));
        assert_eq!(listed[0]["sync"]["latest"]["status"], "failed");
        assert_eq!(listed[0]["sync"]["last_synced_at"], json!(null));
    }
}
