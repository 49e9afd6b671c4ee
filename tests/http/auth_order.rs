//! Which check comes first when a request is wrong in several ways: 401, 429, 403, 404 for the id
//! in the path, 400/413/415 for the body as such, 422 for its fields.

use serde_json::json;

use crate::both;
use crate::openapi::document::{UNKNOWN_ID, operations};
use crate::support::{Answer, Backend, Client, Options, Scope, Server};

const JSON: &str = "application/json";
/// More than an ordinary body may have.
const TOO_LARGE: &[u8] = &[b' '; 1024 * 1024 + 1];

both! {
    fn without_a_key_nothing_else_is_looked_at(
        server = Options::new().env("PURSER_RATE_LIMIT", "1")
    ) {
        let family = server.family();
        family.api.get("/api/v1/usage").expect_status(200);
        family.api.get("/api/v1/usage").expect_error(429, "rate_limit_exceeded");
        for operation in operations(&server) {
            for body in wrong_bodies() {
                let address = operation.address("x");
                let answer = send(&server.client(), &operation.method, &address, body);
                answer.expect_error(401, "unauthorized");
            }
        }
    }

    fn an_empty_bucket_comes_before_the_scope(server = Options::new().env("PURSER_RATE_LIMIT", "1")) {
        let family = server.family();
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.post("/api/v1/valuations", &json!({})).expect_error(403, "insufficient_scope");
        for operation in operations(&server) {
            let answer = operation.send(&reader, UNKNOWN_ID);
            answer.expect_error(429, "rate_limit_exceeded");
        }
    }

    fn the_scope_comes_before_the_id_and_the_body(server) {
        let family = server.family();
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        for operation in operations(&server).into_iter().filter(|one| one.needs_write_scope()) {
            for body in wrong_bodies() {
                let reader = reader.with_header("Idempotency-Key", "not a key");
                let answer = send(&reader, &operation.method, &operation.address("x"), body);
                answer.expect_error(403, "insufficient_scope");
            }
        }
    }

    fn a_restricted_key_makes_no_account_whatever_the_body(server) {
        let family = server.family();
        family.account("Checking", "depository");
        let key = server.run_json(
            &[
                "key", "add", "--user", &family.email, "--name", "k", "--scope", "read_write",
                "--account", "Checking",
            ],
            "",
        );
        let restricted = server.client().with_key(key["key"].as_str().unwrap());
        for body in wrong_bodies() {
            let restricted = restricted.with_header("Idempotency-Key", "not a key");
            let answer = send(&restricted, "POST", "/api/v1/accounts", body);
            answer.expect_error(403, "restricted_key");
        }
    }

    fn the_id_comes_before_the_body(server) {
        let family = server.family();
        let named = operations(&server).into_iter().filter(|one| one.writes() && one.has_id());
        let mut tried = 0;
        for operation in named {
            for id in ["x", UNKNOWN_ID] {
                for body in wrong_bodies() {
                    let client = family.api.with_header("Idempotency-Key", "not a key");
                    let answer = send(&client, &operation.method, &operation.address(id), body);
                    answer.expect_error(404, "not_found");
                    tried += 1;
                }
            }
        }
        assert!(tried > 0);
    }

    fn the_form_of_a_body_comes_before_its_fields(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let wrong = json!({ "valuation": { "amount": "y", "date": "z" } });
        let made = family.api.post("/api/v1/valuations", &json!({
            "valuation": { "account_id": account, "amount": 1, "date": "2026-01-02" }
        }));
        let valuation = format!("/api/v1/valuations/{}", made.expect_status(201).id());
        for (method, path) in [
            ("POST", "/api/v1/accounts"),
            ("POST", "/api/v1/valuations"),
            ("PATCH", &valuation),
        ] {
            let wrong = wrong.to_string();
            let cut = &wrong.as_bytes()[..wrong.len() - 1];
            for (status, code, content_type, body) in [
                (400, "bad_request", JSON, cut),
                (413, "content_too_large", JSON, TOO_LARGE),
                (415, "unsupported_media_type", "text/plain", wrong.as_bytes()),
                (422, "validation_failed", JSON, wrong.as_bytes()),
            ] {
                let answer = family.api.request(method, path, Some((content_type, body)));
                answer.expect_error(status, code);
            }
            let bad_key = family.api.with_header("Idempotency-Key", "not a key");
            if method == "POST" {
                let answer = bad_key.request(method, path, Some((JSON, wrong.as_bytes())));
                answer.expect_error(400, "bad_request");
            }
        }
    }
}

#[test]
fn an_address_that_does_not_exist_needs_no_key() {
    let server = Server::start(Backend::Sqlite);
    server.client().post("/api/v1/nothing", &json!({})).expect_error(404, "not_found");
    let answer = server.client().request("PUT", "/api/v1/usage", None);
    answer.expect_error(405, "method_not_allowed");
}

/// Bodies that are wrong as such, and one with only a wrong field.
fn wrong_bodies() -> [Option<(&'static str, &'static [u8])>; 5] {
    [
        None,
        Some((JSON, b"{")),
        Some(("text/plain", b"{}")),
        Some((JSON, TOO_LARGE)),
        Some((JSON, br#"{"valuation": 7}"#)),
    ]
}

#[track_caller]
fn send(client: &Client, method: &str, path: &str, body: Option<(&str, &[u8])>) -> Answer {
    // A GET has no body.
    client.request(method, path, body.filter(|_| method != "GET"))
}
