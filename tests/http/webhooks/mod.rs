//! Webhooks: managed over HTTP, sent signed, again after failures, and never to inner addresses.

pub(crate) mod receiver;
mod sending;

use serde_json::{Value, json};

use crate::both;
use crate::support::{Family, Scope, Sql};

pub(super) const PATH: &str = "/api/v1/webhooks";
pub(super) const SECRET: &str = "canary-0123456789abcdef";

/// A body that makes a webhook.
pub(crate) fn body(url: &str) -> Value {
    json!({ "url": url, "events": ["sync.failed"], "secret": SECRET })
}

/// A webhook for some events; its id.
#[track_caller]
pub(crate) fn create(family: &Family, url: &str, events: &[&str]) -> String {
    let body = json!({ "url": url, "events": events, "secret": SECRET });
    family.api.post(PATH, &body).expect_status(201).id()
}

#[track_caller]
pub(crate) fn deliveries(family: &Family, id: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for page in 1.. {
        let path = format!("{PATH}/{id}/deliveries?per_page=100&page={page}");
        let body = family.api.get(&path).expect_status(200).json();
        all.extend(body["data"].as_array().expect("a list").iter().cloned());
        if body["meta"]["total_pages"].as_u64().expect("a number") <= page {
            break;
        }
    }
    all
}

both! {
    fn webhooks_are_made_changed_and_deleted(server) {
        let family = server.family();
        assert_eq!(family.api.get(PATH).expect_status(200).json(), json!({ "data": [] }));
        let url = "https://hooks.example/a?b=c";
        let body = json!({
            "url": url, "events": ["sync.failed", "import.finished", "sync.failed"],
            "secret": SECRET,
        });
        let once = family.api.with_header("Idempotency-Key", "once");
        let made = once.post(PATH, &body).expect_status(201).json();
        assert_eq!(once.post(PATH, &body).expect_status(201).json(), made);
        assert_eq!(made["url"], url);
        assert_eq!(made["events"], json!(["import.finished", "sync.failed"]), "each once");
        assert_eq!(made["active"], true);
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        let change = json!({ "active": false, "events": ["sync.finished"] });
        let changed = family.api.patch(&path, &change).expect_status(200).json();
        assert_eq!((&changed["active"], &changed["url"]), (&json!(false), &json!(url)));
        assert_eq!(changed["events"], json!(["sync.finished"]));
        let other = json!({ "secret": "another-secret-of-ours" });
        family.api.patch(&path, &other).expect_status(200);
        assert_eq!(deliveries(&family, made["id"].as_str().unwrap()), [Value::Null; 0]);

        // The secret is nowhere in clear.
        let stored = Sql::open(&server).query("SELECT COALESCE(body, '') FROM idempotency_keys");
        assert!(stored.iter().flatten().all(|body| !body.contains(SECRET)), "{stored:?}");
        let column = match server.database_url() {
            Some(_) => "encode(secret, 'hex')",
            None => "lower(hex(secret))",
        };
        let digits: String = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
        let stored = Sql::open(&server).query(&format!("SELECT {column} FROM webhooks"));
        assert!(stored.iter().flatten().all(|secret| !secret.contains(&digits)));
        assert!(!server.log().contains(SECRET));
        assert_eq!(server.run_json(&["secrets", "rotate"], "")["resealed"], 1);
        server.run_json(&["check"], "");
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
    }

    fn addresses_of_inner_services_are_refused(server) {
        let family = server.family();
        for url in [
            "", "hooks.example", "ftp://hooks.example/", "http://hooks.example/",
            "https://127.0.0.1/", "https://2130706433/", "https://[::1]/", "https://10.0.0.1/",
            "https://169.254.169.254/latest", "https://localhost/", "https://a:b@hooks.example/",
        ] {
            family.api.post(PATH, &body(url)).expect_error(422, "validation_failed");
        }
        let post = |body: Value| family.api.post(PATH, &body).expect_error(422, "validation_failed");
        let url = "https://hooks.example/";
        post(json!({ "url": url, "events": [], "secret": SECRET }));
        post(json!({ "url": url, "events": ["rain"], "secret": SECRET }));
        post(json!({ "url": url, "events": ["sync.failed"], "secret": "short" }));
        post(json!({ "url": url, "events": ["sync.failed"] }));
        let id = create(&family, url, &["sync.failed"]);
        let change = json!({ "url": "https://127.0.0.1/" });
        family.api.patch(&format!("{PATH}/{id}"), &change).expect_error(422, "validation_failed");
    }

    fn a_family_sees_its_own_and_has_a_few(server) {
        let (family, other) = (server.family(), server.family());
        let id = create(&family, "https://hooks.example/", &["sync.failed"]);
        let path = format!("{PATH}/{id}");
        for below in ["", "/deliveries"] {
            other.api.get(&format!("{path}{below}")).expect_error(404, "not_found");
        }
        other.api.patch(&path, &json!({ "active": false })).expect_error(404, "not_found");
        other.api.delete(&path).expect_error(404, "not_found");
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.delete(&path).expect_error(403, "insufficient_scope");
        for _ in 1..20 {
            create(&family, "https://hooks.example/", &["sync.failed"]);
        }
        let one_more = body("https://hooks.example/");
        family.api.post(PATH, &one_more).expect_error(409, "too_many_webhooks");
    }
}
