//! Syncs over HTTP: requested, listed, and hidden from keys that see only some accounts.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::both;
use crate::support::{Client, Family, Scope, Server};

const PATH: &str = "/api/v1/syncs";

#[track_caller]
fn request(api: &Client) -> Value {
    api.request("POST", "/api/v1/sync", None).expect_status(202).json()
}

fn restricted(server: &Server, family: &Family) -> Client {
    let account = family.account("Checking", "depository");
    let made = server.run_json(
        &[
            "key",
            "add",
            "--user",
            &family.email,
            "--name",
            "one account",
            "--scope",
            "read_write",
            "--account",
            &account,
        ],
        "",
    );
    server.client().with_key(made["key"].as_str().unwrap())
}

both! {
    fn a_sync_that_is_requested_again_with_its_key_is_the_same(server) {
        let family = server.family();
        let client = family.api.with_header("Idempotency-Key", "once");
        let first = request(&client);
        assert_eq!(request(&client), first);
        assert_ne!(request(&family.api)["id"], first["id"]);
        assert_eq!(family.api.get(PATH).json()["meta"]["total_count"], 2);
    }

    fn a_sync_is_requested_and_stays_in_the_list(server) {
        let family = server.family();
        let api = &family.api;
        assert_eq!(api.get(&format!("{PATH}/latest")).expect_status(200).json(), json!({ "data": null }));
        let none = api.get(PATH).expect_status(200).json();
        assert_eq!(none, json!({ "data": [], "meta":
            { "page": 1, "per_page": 25, "total_count": 0, "total_pages": 1 } }));

        let first = request(api);
        let members = first.as_object().unwrap().keys();
        let members: BTreeSet<&str> = members.map(String::as_str).collect();
        let expected = ["id", "status", "syncable_type", "syncable_id", "syncing_at",
            "completed_at", "window_start_date", "window_end_date", "message"];
        assert_eq!(members, BTreeSet::from(expected), "a known client refuses other members");
        assert_eq!(first["status"], "completed");
        assert_eq!(first["syncable_type"], "Family");
        let settings = api.get("/api/v1/family_settings").expect_status(200).json();
        assert_eq!(first["syncable_id"], settings["id"]);

        let second = request(api);
        let shown = api.get(&format!("{PATH}/{}", second["id"].as_str().unwrap()));
        let shown = shown.expect_status(200).json();
        for (member, value) in second.as_object().unwrap() {
            if member != "message" {
                assert_eq!(&shown["data"][member], value, "{member}");
            }
        }
        assert_eq!(shown["data"]["requested_by"]["type"], "key");
        assert_eq!(shown["data"]["error"], Value::Null);
        assert_eq!(api.get(&format!("{PATH}/latest")).expect_status(200).json(), shown);
        let listed = api.get(&format!("{PATH}?per_page=1&page=2")).expect_status(200).json();
        assert_eq!(listed["data"][0]["id"], first["id"]);
        assert_eq!(listed["meta"],
            json!({ "page": 2, "per_page": 1, "total_count": 2, "total_pages": 2 }));
        server.run_json(&["check"], "");
    }

    fn a_repeated_request_with_a_key_is_one_sync(server) {
        let family = server.family();
        let api = family.api.with_header("Idempotency-Key", "once");
        assert_eq!(request(&api), request(&api));
        let listed = family.api.get(PATH).expect_status(200).json();
        assert_eq!(listed["meta"]["total_count"], 1);
    }

    fn who_may_request_and_see_syncs(server) {
        let (family, other) = (server.family(), server.family());
        let sync = format!("{PATH}/{}", request(&family.api)["id"].as_str().unwrap());
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.request("POST", "/api/v1/sync", None).expect_error(403, "insufficient_scope");
        reader.get(&sync).expect_status(200);
        let restricted = restricted(&server, &family);
        restricted.request("POST", "/api/v1/sync", None).expect_error(403, "restricted_key");
        for client in [&restricted, &other.api] {
            client.get(&sync).expect_error(404, "not_found");
            assert_eq!(client.get(PATH).expect_status(200).json()["data"], json!([]));
            let latest = client.get(&format!("{PATH}/latest")).expect_status(200).json();
            assert_eq!(latest, json!({ "data": null }));
        }
    }
}
