//! Keys: what is taken as one, what isn't, and that every route asks for one.

use serde_json::{Value, json};

use crate::both;
use crate::openapi::document::{UNKNOWN_ID, operations};
use crate::support::{Answer, Backend, Client, Scope, Server, Sql};

/// Well-formed, with a right checksum, and never given out by anybody.
const NEVER_GIVEN_OUT: &str = "purser_purserTestKeyThatNobodyWasEverGivenByAnyone4F6Pb9";

both! {
    fn every_route_refuses_every_unusable_credential_alike(server) {
        let unusable = unusable_credentials(&server);
        for operation in operations(&server) {
            for (case, client) in &unusable {
                let answer = operation.send(client, UNKNOWN_ID);
                assert_refused(answer, &format!("{}: {case}", operation.name()));
            }
        }
    }

    fn a_revoked_key_is_refused_from_the_next_request_on(server) {
        let family = server.family();
        let key = server.key(&family.email, Scope::Read);
        let client = server.client().with_key(&key);
        client.get("/api/v1/usage").expect_status(200);
        revoke(&server, &key);
        assert_refused(client.get("/api/v1/usage"), "revoked");
        family.api.get("/api/v1/usage").expect_status(200);
    }

    fn the_keys_of_a_deactivated_user_are_refused_and_those_of_others_are_not(server) {
        let family = server.family();
        let member = ["user", "add", "--email", "member@example.com", "--family-of", &family.email];
        server.run_json(&[&member[..], &["--password-stdin"]].concat(), "another password\n");
        let client = server.client().with_key(&server.key("member@example.com", Scope::Read));
        client.get("/api/v1/usage").expect_status(200);
        server.run_json(&["user", "deactivate", "member@example.com"], "");
        assert_refused(client.get("/api/v1/usage"), "deactivated");
        family.api.get("/api/v1/usage").expect_status(200);
    }

    fn a_key_ends_when_it_expires(server) {
        let family = server.family();
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "k", "--expires", "2999-12-31"],
            "",
        );
        let client = server.client().with_key(made["key"].as_str().unwrap());
        client.get("/api/v1/usage").expect_status(200);
        expire(&server, &made);
        assert_refused(client.get("/api/v1/usage"), "expired");
    }

    fn a_read_key_writes_nothing_on_any_route(server) {
        let family = server.family();
        let client = server.client().with_key(&server.key(&family.email, Scope::Read));
        let mut writes = 0;
        for operation in operations(&server).into_iter().filter(|one| one.needs_write_scope()) {
            let body = operation.send(&client, UNKNOWN_ID).expect_error(403, "insufficient_scope");
            assert_eq!(
                body,
                json!({
                    "error": "insufficient_scope",
                    "message": "This action requires the 'write' scope",
                }),
                "{}", operation.name()
            );
            writes += 1;
        }
        assert!(writes >= 6, "{writes}");
    }
}

#[test]
fn a_key_is_taken_from_its_own_header_or_as_a_bearer_token() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let key = &server.key(&family.email, Scope::Read);
    let bearer = &format!("Bearer {key}");
    for headers in [
        &[("X-Api-Key", key.as_str())][..],
        &[("x-api-key", key)],
        &[("Authorization", bearer)],
        &[("Authorization", &format!("bearer {key}"))],
        &[("Authorization", &format!("BEARER   {key} "))],
        &[("X-Api-Key", key), ("Authorization", "Bearer nonsense")],
        &[("X-Api-Key", key), ("Authorization", "Basic dXNlcjpwYXNz")],
    ] {
        with(&server.client(), headers).get("/api/v1/usage").expect_status(200);
    }
}

#[test]
fn the_description_health_and_docs_need_no_key() {
    let server = Server::start(Backend::Sqlite);
    for path in ["/api/v1/openapi.json", "/healthz", "/readyz", "/metrics", "/api/docs/"] {
        let answer = server.client().get(path).expect_status(200);
        assert!(answer.header("X-RateLimit-Limit").is_none(), "{path}");
    }
}

/// Everything that is no usable key, with a name for messages.
fn unusable_credentials(server: &Server) -> Vec<(&'static str, Client)> {
    let family = server.family();
    let key = &server.key(&family.email, Scope::ReadWrite);
    let (revoked, expired, closed) = ended_keys(server);
    let last = if key.ends_with('0') { "1" } else { "0" };
    let wrong_checksum = format!("{}{last}", &key[..key.len() - 1]);
    let bearer = format!("Bearer {key}");
    let cases: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("missing", vec![]),
        ("empty", vec![("X-Api-Key", "")]),
        ("garbage", vec![("X-Api-Key", "letmein")]),
        ("a cut key", vec![("X-Api-Key", &key[..key.len() - 1])]),
        ("the key twice", vec![("X-Api-Key", key), ("X-Api-Key", key)]),
        ("wrong checksum", vec![("X-Api-Key", &wrong_checksum)]),
        ("never given out", vec![("X-Api-Key", NEVER_GIVEN_OUT)]),
        ("revoked", vec![("X-Api-Key", &revoked)]),
        ("expired", vec![("X-Api-Key", &expired)]),
        ("deactivated user", vec![("X-Api-Key", &closed)]),
        (
            "a bad X-Api-Key beside a good token",
            vec![("X-Api-Key", NEVER_GIVEN_OUT), ("Authorization", &bearer)],
        ),
        (
            "an empty X-Api-Key beside a good token",
            vec![("X-Api-Key", ""), ("Authorization", &bearer)],
        ),
        ("two tokens", vec![("Authorization", &bearer), ("Authorization", &bearer)]),
        ("no scheme", vec![("Authorization", key)]),
        ("another scheme", vec![("Authorization", "Basic dXNlcjpwYXNz")]),
        ("as a cookie", vec![("Cookie", &bearer)]),
    ];
    let plain = server.client();
    cases.into_iter().map(|(case, headers)| (case, with(&plain, &headers))).collect()
}

#[test]
fn a_key_in_the_address_is_no_key() {
    let server = Server::start(Backend::Sqlite);
    let key = server.key(&server.family().email, Scope::ReadWrite);
    for operation in operations(&server).iter().filter(|one| !one.writes()) {
        for name in ["api_key", "X-Api-Key", "x-api-key", "key", "access_token"] {
            let path = format!("{}?{name}={key}", operation.address(UNKNOWN_ID));
            assert_refused(server.client().get(&path), &path);
        }
    }
}

/// A key of each kind that worked once: revoked, expired, of a deactivated user.
fn ended_keys(server: &Server) -> (String, String, String) {
    let family = server.family();
    let revoked = server.key(&family.email, Scope::ReadWrite);
    revoke(server, &revoked);
    let made = server.run_json(
        &["key", "add", "--user", &family.email, "--name", "k", "--expires", "2999-12-31"],
        "",
    );
    expire(server, &made);
    let closed = server.family();
    let closed_key = server.key(&closed.email, Scope::ReadWrite);
    server.run_json(&["user", "deactivate", &closed.email, "--force"], "");
    (revoked, made["key"].as_str().unwrap().to_owned(), closed_key)
}

/// Revokes the newest key that is still active; the list never shows keys themselves.
fn revoke(server: &Server, key: &str) {
    let listed = server.run_json(&["key", "list"], "");
    assert!(!listed.to_string().contains(key), "the list shows a key");
    let keys = listed["keys"].as_array().unwrap();
    let active = keys.iter().filter(|one| one["state"] == "active");
    let newest = active.max_by_key(|one| one["id"].as_str().unwrap().to_owned()).unwrap();
    server.run_json(&["key", "revoke", newest["id"].as_str().unwrap()], "");
}

/// Moves the end of a key into the past; the command line makes none that ended already.
fn expire(server: &Server, made: &Value) {
    let sql = Sql::open(server);
    let id = sql.uuid(made["id"].as_str().unwrap());
    sql.run(&format!("UPDATE api_keys SET expires_at = 1 WHERE id = {id}"));
}

fn with(client: &Client, headers: &[(&str, &str)]) -> Client {
    headers.iter().fold(client.clone(), |client, (name, value)| client.with_header(name, value))
}

#[track_caller]
fn assert_refused(answer: Answer, case: &str) {
    assert_eq!(answer.status, 401, "{case}: {}", answer.text());
    assert_eq!(answer.header("WWW-Authenticate"), Some("Bearer realm=\"purser\""), "{case}");
    assert!(answer.header("X-RateLimit-Limit").is_none(), "{case}");
    assert_eq!(
        answer.text(),
        concat!(
            r#"{"error":"unauthorized","#,
            r#""message":"The API key is missing, unknown, expired or revoked"}"#
        ),
        "{case}"
    );
}
