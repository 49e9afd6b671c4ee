//! A connection member by member, its bank, its order in the list.

use serde_json::{Value, json};

use super::put::{Connection, Run, Table, at, list, new_id, soon};
use crate::both;
use crate::ledger::texts;
use crate::support::Scope;

const PATH: &str = "/api/v1/provider_connections";

both! {
    fn a_connection_has_every_member(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        let linked = family.account("Checking", "depository");
        let next = soon();
        let id = table.connection(&Connection {
            institution: [Some("Bank"), Some("bank.example"), Some("https://bank.example/x")],
            consent_expires_at: Some(5_000),
            next_attempt_at: Some(next),
            accounts: vec![Some(linked), None],
            ..Connection::default()
        });
        table.run(&id, Run::completed(2_000, 0));
        let run = table.run(&id, Run::failed(3_000, Some("rate_limited")));
        assert_eq!(
            list(&family),
            [json!({
                "id": id,
                "provider": "lunchflow",
                "provider_type": "aggregator",
                "name": "My banks",
                // Nobody could decrypt what the test put in.
                "status": "requires_update",
                "requires_update": true,
                "credentials_configured": false,
                "scheduled_for_deletion": false,
                "pending_account_setup": true,
                "institution": {
                    "name": "Bank", "domain": "bank.example", "url": "https://bank.example/x",
                },
                "accounts": { "total_count": 2, "linked_count": 1, "unlinked_count": 1 },
                "sync": {
                    "syncing": false,
                    "status_summary": "1 synced, 1 need setup",
                    "last_synced_at": at(2_002),
                    "next_attempt_at": at(next),
                    "latest": {
                        "id": run,
                        "status": "failed",
                        "created_at": at(3_000),
                        "syncing_at": at(3_001),
                        "completed_at": null,
                        "failed_at": at(3_003),
                        "error": {
                            "present": true,
                            "message": "The provider allows no more requests for now. The next try \
                                comes by itself.",
                            "code": "rate_limited",
                        },
                    },
                },
                "notices": [],
                "consent_expires_at": at(5_000),
                "created_at": at(1_000),
                "updated_at": at(1_000),
            })]
        );
    }

    fn what_is_unknown_is_null_or_has_a_fallback(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        table.connection(&Connection { has_credentials: false, ..Connection::default() });
        let [connection] = &list(&family)[..] else { panic!("one connection") };
        assert_eq!(connection["credentials_configured"], false);
        assert_eq!(connection["pending_account_setup"], false);
        assert_eq!(
            connection["institution"],
            json!({ "name": "My banks", "domain": null, "url": null })
        );
        assert_eq!(
            connection["accounts"],
            json!({ "total_count": 0, "linked_count": 0, "unlinked_count": 0 })
        );
        assert_eq!(connection["consent_expires_at"], json!(null));
        assert_eq!(
            connection["sync"],
            json!({
                "syncing": false, "status_summary": "No accounts found", "last_synced_at": null,
                "next_attempt_at": null, "latest": null,
            })
        );
    }

    fn a_bank_is_named_by_name_domain_or_connection(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        let names = [
            ([Some("Bank"), Some("bank.example"), None], "Bank"),
            ([None, Some("bank.example"), Some("https://bank.example")], "bank.example"),
            ([None, None, Some("https://bank.example")], "My banks"),
        ];
        for (created_at, (institution, _)) in (0..).zip(names) {
            table.connection(&Connection { institution, created_at, ..Connection::default() });
        }
        let shown: Vec<Value> =
            list(&family).iter().rev().map(|one| one["institution"]["name"].clone()).collect();
        assert_eq!(shown, names.map(|(_, name)| json!(name)));
    }

    fn the_newest_connection_comes_first(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        let ids: Vec<String> = (0..4).map(|_| new_id()).collect();
        // Two of one moment: the later id comes first.
        for (id, created_at) in [(&ids[2], 10), (&ids[0], 30), (&ids[1], 20), (&ids[3], 20)] {
            table.connection(&Connection { id: id.clone(), created_at, ..Connection::default() });
        }
        let listed = texts(&json!(list(&family)), "id");
        assert_eq!(listed, [&ids[0], &ids[3], &ids[1], &ids[2]].map(String::as_str));
        // No parameters, no pages.
        let body =
            family.api.get(&format!("{PATH}?page=7&per_page=1&x=y")).expect_status(200).json();
        assert_eq!(body["data"].as_array().map(Vec::len), Some(4));
    }

    fn every_key_of_the_family_may_read_and_no_other(server) {
        let family = server.family();
        let table = Table::of(&server, &family);
        table.connection(&Connection::default());
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        assert_eq!(reader.get(PATH).expect_status(200).json()["data"], json!(list(&family)));
        assert_eq!(server.family().api.get(PATH).expect_status(200).json(), json!({ "data": [] }));
        server.client().get(PATH).expect_error(401, "unauthorized");
    }
}
