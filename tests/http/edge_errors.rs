//! Every refusal is JSON with a code and a sentence, the same for the same mistake on every route,
//! and reveals nothing of the inside.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::both;
use crate::isolation_data::Data;
use crate::openapi::document::{Operation, UNKNOWN_ID, operations};
use crate::support::{Answer, Backend, Multipart, Scope, Server};

/// Ids that are none, as they are in an address.
const MALFORMED_IDS: [&str; 12] = [
    "1",
    "x",
    "%20",
    "%00",
    "%FF",
    "%F0%9F%92%B0",
    "%2e%2e%2fimports",
    "0190f5f07c007a10800000000000dead",
    "%7B0190f5f0-7c00-7a10-8000-00000000dead%7D",
    "urn:uuid:0190f5f0-7c00-7a10-8000-00000000dead",
    "0190f5f0-7c00-7a10-8000-00000000deag",
    "' OR 1=1 --",
];

/// Words that would reveal something of the inside: of the language, the database, the folders.
const INTERNALS: [&str; 15] = [
    "rusqlite",
    "sqlite",
    "postgres",
    "SELECT",
    "INSERT",
    "UPDATE ",
    "src/",
    ".rs:",
    "panicked",
    "unwrap",
    "struct ",
    "serde",
    "/tmp",
    "purser_app",
    "purser_store",
];

both! {
    fn malformed_and_unknown_ids_get_the_same_404_bytes(server = crate::ledger::unlimited()) {
        let family = server.family();
        let mut compared = 0;
        for operation in operations(&server).iter().filter(|one| one.has_id()) {
            let unknown = operation.send(&family.api, UNKNOWN_ID);
            let uppercase = operation.send(&family.api, &UNKNOWN_ID.to_uppercase());
            assert_eq!(uppercase.bytes, unknown.bytes, "{}", operation.name());
            for id in MALFORMED_IDS {
                let answer = operation.send(&family.api, &id.replace(' ', "%20"));
                assert_eq!(answer.status, 404, "{} {id}: {}", operation.name(), answer.text());
                assert_eq!(answer.bytes, unknown.bytes, "{} {id}", operation.name());
                compared += 1;
            }
            let body = unknown.expect_error(404, "not_found");
            let message = body["message"].as_str().unwrap();
            assert!(message.ends_with(" not found"), "{message}");
        }
        assert!(compared > 0);
    }

    fn bodies_are_refused_for_what_is_wrong_with_them_on_every_route(
        server = crate::ledger::unlimited()
    ) {
        let family = server.family();
        let data = Data::fill(&server, &family, "opal");
        let mut routes = 0;
        for operation in operations(&server).iter().filter(|one| takes_json(one)) {
            let is_required = operation.body["requestBody"]["required"] == true;
            for (status, code, headers, body) in wrong_bodies() {
                if body.is_empty() && !is_required {
                    continue;
                }
                let content_type = headers.first().map_or("", |(_, value)| value);
                let mut client = family.api.clone();
                for (name, value) in headers.iter().skip(1) {
                    client = client.with_header(name, value);
                }
                let address = data.address(operation);
                let sent = Some((content_type, body.as_slice()));
                let answer = client.request(&operation.method, &address, sent);
                let text = format!("{} {headers:?}: {}", operation.name(), answer.text());
                assert_eq!(answer.status, status, "{text}");
                let error = answer.expect_error(status, code);
                assert_plain(&error, &text);
                let is_empty = error["message"] == "The request body is empty";
                assert_eq!(is_empty, status == 400 && body.is_empty(), "{text}");
            }
            routes += 1;
        }
        assert!(routes >= 4, "{routes}");
    }

    fn a_nul_in_a_filter_is_refused_with_the_name_of_the_filter(
        server = crate::ledger::unlimited()
    ) {
        let family = server.family();
        let data = Data::fill(&server, &family, "opal");
        let mut filters = 0;
        for operation in operations(&server).iter().filter(|one| one.method == "GET") {
            let address = operation.address(data.id_for(&operation.path));
            for name in operation.parameters("query") {
                for value in ["%00", "a%00"] {
                    let answer = family.api.get(&format!("{address}?{name}={value}"));
                    let case = format!("{} {name}={value}", operation.name());
                    assert_eq!(answer.status, 422, "{case}: {}", answer.text());
                    // Of several ids each is an id.
                    let noun = name.trim_end_matches("[]").trim_end_matches('s');
                    let text = answer.text();
                    assert!(text.to_lowercase().contains(noun), "{case}: {text}");
                    filters += 1;
                }
            }
        }
        assert!(filters > 100, "{filters}");
    }

    fn a_name_inside_of_an_object_that_is_no_text_is_refused_with_its_place(server) {
        let family = server.family();
        for (path, object) in [
            ("/api/v1/transactions", "transaction"),
            ("/api/v1/trades", "trade"),
            ("/api/v1/recurring_transactions", "recurring_transaction"),
        ] {
            let body = format!(r#"{{"{object}": {{"\ud800": 1}}}}"#);
            let sent = Some(("application/json", body.as_bytes()));
            let answer = family.api.request("POST", path, sent);
            let body = answer.expect_error(422, "validation_failed");
            let message = body["message"].as_str().unwrap();
            assert!(message.starts_with(&format!("The {object} is not valid JSON")), "{message}");
            assert_plain(&body, path);
        }
    }
}

both! {
    fn a_declared_length_over_the_cap_is_refused_before_a_byte_of_it(server) {
        let family = server.family();
        let key = server.key(&family.email, Scope::ReadWrite);
        let data = Data::fill(&server, &family, "opal");
        for operation in operations(&server).iter().filter(|one| takes_json(one)) {
            let request = format!(
                "{} {} HTTP/1.1\r\nHost: h\r\nX-Api-Key: {key}\r\n\
                 Content-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n",
                operation.method, data.address(operation)
            );
            let answer = server.send_raw(request.as_bytes());
            assert_eq!(answer.status, 413, "{}", operation.name());
            assert_eq!(answer.header("connection"), Some("close"), "{}", operation.name());
            let body: Value = serde_json::from_slice(&answer.body).unwrap();
            assert_eq!(body["error"], "content_too_large", "{body}");
            assert_plain(&body, &operation.name());
        }
    }
}

#[test]
fn a_method_that_nobody_knows_is_answered_like_any_other() {
    let server = Server::start(Backend::Sqlite);
    for (path, status, code) in [
        ("/api/v1/imports", 405, "method_not_allowed"),
        ("/api/v1/nothing", 404, "not_found"),
        ("/healthz", 405, "method_not_allowed"),
    ] {
        for method in ["BREW", "PROPFIND", "get", "CONNECT"] {
            let request =
                format!("{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            let answer = server.send_raw(request.as_bytes());
            // The parser refuses an address that CONNECT can't have.
            if method == "CONNECT" && answer.status == 400 {
                continue;
            }
            assert_eq!(answer.status, status, "{method} {path}");
            assert_eq!(answer.header("allow").is_some(), status == 405, "{method} {path}");
            let body: Value = serde_json::from_slice(&answer.body).unwrap();
            assert_eq!(body["error"], code);
        }
    }
    let connect = b"CONNECT example.org:443 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";
    let answer = server.send_raw(connect);
    assert!((400..500).contains(&answer.status), "{}", answer.status);
}

#[test]
fn a_method_that_a_route_does_not_know_is_answered_with_those_it_knows() {
    let server = Server::start(Backend::Sqlite);
    let known = operations(&server);
    let paths: BTreeSet<&str> = known.iter().map(|one| one.path.as_str()).collect();
    for path in paths {
        let of_path = || known.iter().filter(|one| one.path == path);
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] {
            // A person is removed elsewhere: the answer to who has a key names it.
            let is_left_out = (method, path) == ("DELETE", "/api/v1/users/me");
            if is_left_out || of_path().any(|one| one.method == method) {
                continue;
            }
            let address = path.replace("{id}", UNKNOWN_ID);
            let answer = server.client().request(method, &address, None);
            let allow = answer.header("Allow").unwrap_or_default().to_owned();
            answer.expect_error(405, "method_not_allowed");
            for operation in of_path() {
                assert!(
                    allow.split(',').any(|one| one.trim() == operation.method),
                    "{path}: {allow}"
                );
            }
        }
    }
}

#[test]
fn addresses_that_do_not_exist_are_all_alike() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let expected = server.client().get("/api/v1/nothing").expect_status(404).bytes;
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v2/imports",
        "/api/v1/imports/",
        "/api/v1//imports",
        "/API/V1/imports",
        "/api/v1/imports/x/y/z",
        "/api/v1/%69mports%00",
        "/favicon.ico",
        "/api/v1/accounts/../imports",
        "/.env",
        "/api/v1/imports%2Fx",
    ] {
        for method in ["GET", "POST", "DELETE", "TRACE"] {
            let answer = family.api.request(method, path, None);
            assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text());
            assert_eq!(answer.bytes, expected, "{method} {path}");
        }
    }
}

#[test]
fn sentences_reveal_nothing_of_the_inside() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Checking", "depository");
    let refused: Vec<Answer> = vec![
        family.api.get("/api/v1/transactions?account_id=%00&min_amount=NaN&search=%00"),
        family.api.get("/api/v1/imports?status=%27&type=%22"),
        family.api.get("/api/v1/imports?page=99999999999999999999999999"),
        family.api.get("/api/v1/valuations?start_date=9999-99-99"),
        family.api.post("/api/v1/accounts", &json!({ "account": 7 })),
        family.api.post("/api/v1/accounts", &json!({ "name": "\u{0}", "account_type": "x" })),
        family.api.post("/api/v1/accounts", &json!([])),
        family.api.post(
            "/api/v1/valuations",
            &json!({ "valuation": {
            "account_id": account, "amount": "1e999999999", "date": "2026-02-30" } }),
        ),
        family.api.post("/api/v1/imports", &json!({ "type": "\u{0}", "raw_file_content": 5 })),
        family.api.post(
            "/api/v1/imports",
            &json!({ "raw_file_content": "\u{0}\u{1}\u{2}",
            "account_id": account, "publish": "true" }),
        ),
        family.api.request("POST", "/api/v1/imports", Some(("multipart/form-data", b"x"))),
        family.api.request(
            "POST",
            "/api/v1/imports",
            Some(("multipart/form-data; boundary=a", b"--a\r\nnonsense")),
        ),
    ];
    for answer in refused {
        assert!((400..500).contains(&answer.status), "{}", answer.text());
        let text = answer.text();
        assert_plain(&answer.json(), &text);
    }
}

#[test]
fn a_sane_request_id_comes_back_and_any_other_is_replaced() {
    let server = Server::start(Backend::Sqlite);
    let longest = "x".repeat(128);
    for own in ["a", "mine-1", "0190f5f0-7c00-7a10-8000-00000000dead", "a/b;c=\"d\"", &longest] {
        for path in ["/healthz", "/api/v1/usage", "/api/v1/nothing", "/api/v1/openapi.json"] {
            let answer = server.client().with_header("X-Request-Id", own).get(path);
            assert_eq!(answer.header("X-Request-Id"), Some(own), "{path}");
        }
    }
    let mut seen = BTreeSet::new();
    let too_long = "x".repeat(129);
    for hostile in ["", " ", "two words", "tab\tbed", "caf\u{e9}", "\u{1b}[31m", &too_long] {
        let request = format!(
            "GET /api/v1/usage HTTP/1.1\r\nHost: h\r\nX-Request-Id: {hostile}\r\n\
             Connection: close\r\n\r\n"
        );
        let answer = server.send_raw(request.as_bytes());
        // The parser refuses some bytes itself, before there is a request to name.
        if answer.status == 400 && answer.body.is_empty() {
            continue;
        }
        assert_eq!(answer.status, 401, "{hostile:?}");
        let id = answer.header("x-request-id").unwrap_or_else(|| panic!("{hostile:?}: no id"));
        assert!(id.len() == 20 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(seen.insert(id.to_owned()), "{id} came twice");
    }
    assert!(seen.len() >= 5, "{seen:?}");
}

#[test]
fn what_a_client_sends_can_not_write_lines_into_the_log() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let forged = "x\n2026-01-01T00:00:00Z ERROR forged";
    let body = json!({ "account": { "name": forged, "account_type": forged } });
    family.api.post("/api/v1/accounts", &body).expect_status(422);
    family.api.get("/api/v1/imports?status=%0A2026-01-01T00:00:00Z%20ERROR%20forged");
    let form = Multipart::new().part("nonsense\nERROR forged", b"x");
    family.api.post_form("/api/v1/imports", &form);
    server.wait_for_log("status=422");
    let log = server.log();
    assert!(!log.lines().any(|line| line.contains("ERROR")), "{log}");
}

/// Status, code, the content type and other headers, body.
type WrongBody = (u16, &'static str, Vec<(&'static str, &'static str)>, Vec<u8>);

fn wrong_bodies() -> Vec<WrongBody> {
    let json = ("Content-Type", "application/json");
    let encoded = |encoding| vec![json, ("Content-Encoding", encoding)];
    let unsupported = "unsupported_media_type";
    vec![
        (400, "bad_request", vec![json], vec![]),
        (400, "bad_request", vec![json], b"{".to_vec()),
        (400, "bad_request", vec![json], b"{\"a\": 1} x".to_vec()),
        (400, "bad_request", vec![json], b"{\"a\": \xff\xfe}".to_vec()),
        (400, "bad_request", vec![json], b"{'a': 1}".to_vec()),
        // A name that is JSON, but no text.
        (400, "bad_request", vec![json], br#"{"\ud800": 1}"#.to_vec()),
        (415, unsupported, vec![("Content-Type", "text/plain")], b"{}".to_vec()),
        (415, unsupported, vec![("Content-Type", "")], b"{}".to_vec()),
        (
            415,
            unsupported,
            vec![("Content-Type", "application/x-www-form-urlencoded")],
            b"a=b".to_vec(),
        ),
        (415, unsupported, encoded("gzip"), b"{}".to_vec()),
        (415, unsupported, encoded("br"), b"{}".to_vec()),
        (415, unsupported, encoded("identity, gzip"), b"{}".to_vec()),
    ]
}

fn takes_json(operation: &Operation) -> bool {
    operation.body["requestBody"]["content"]["application/json"].is_object()
}

#[track_caller]
fn assert_plain(body: &Value, case: &str) {
    let known = ["error", "message", "errors", "details", "import_id"];
    let fields = body.as_object().expect("an object");
    assert!(fields.keys().all(|name| known.contains(&name.as_str())), "{case}");
    for inside in INTERNALS {
        assert!(!body.to_string().contains(inside), "{inside} in {case}");
    }
}
