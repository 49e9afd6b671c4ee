//! Headers: conditional reads, compression, and headers for browsers.

use std::io::Read;

use serde_json::json;

use crate::both;
use crate::openapi::document::{UNKNOWN_ID, operations};
use crate::support::{Answer, Backend, Family, Scope, Server};

both! {
    /// A client that keeps answers itself, which no cache does: see `Cache-Control` below.
    fn what_a_client_has_already_is_not_sent_again(server) {
        let family = server.family();
        let path = "/api/v1/accounts";
        let empty = tag(&family.api.get(path).expect_status(200));
        let known = |tag: &str| family.api.with_header("If-None-Match", tag).get(path);
        let (listed, strong) = (format!("\"x\", {empty}"), empty.trim_start_matches("W/"));
        for list in [empty.as_str(), "*", &listed, strong] {
            let answer = known(list).expect_status(304);
            assert!(answer.bytes.is_empty());
            assert_eq!(answer.header("ETag"), Some(empty.as_str()), "{list}");
            assert!(answer.header("Content-Type").is_none());
        }
        known("\"other\"").expect_status(200);
        family.account("Checking", "depository");
        let answer = known(&empty).expect_status(200);
        assert_ne!(tag(&answer), empty);
        assert_eq!(answer.json()["accounts"][0]["name"], "Checking");
    }

    fn a_tag_gives_nothing_away_to_another_key(server) {
        let (family, other) = (server.family(), server.family());
        let account = format!("/api/v1/accounts/{}", family.account("Checking", "depository"));
        let tag = tag(&family.api.get(&account).expect_status(200));
        other.api.with_header("If-None-Match", &tag).get(&account).expect_error(404, "not_found");
        let anybody = server.client().with_header("If-None-Match", "*");
        anybody.get(&account).expect_error(401, "unauthorized");
    }
}

#[test]
fn only_complete_reads_have_a_tag() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for operation in operations(&server) {
        let answer = operation.send(&family.api, UNKNOWN_ID);
        let expected = answer.status == 200 && !operation.writes();
        assert_eq!(answer.header("ETag").is_some(), expected, "{}", operation.name());
    }
}

#[test]
fn long_answers_are_compressed_when_asked_for_and_never_chunked() {
    let server = Server::start(Backend::Sqlite);
    let (family, key) = family_with_accounts(&server);
    let get = |path: &str, accept: &str| {
        server.get_raw(path, &[("X-Api-Key", &key), ("Accept-Encoding", accept)])
    };
    let plain = family.api.get("/api/v1/accounts").expect_status(200);
    assert!(plain.bytes.len() > 4096);
    for (accept, compressed) in [
        ("gzip", true),
        ("GZIP;q=0.5, br", true),
        ("*", true),
        ("", false),
        ("identity", false),
        ("br, zstd", false),
        ("gzip;q=0, *", false),
    ] {
        for path in ["/api/v1/accounts", "/api/v1/openapi.json"] {
            let answer = get(path, accept);
            assert_eq!(answer.status, 200);
            assert!(answer.header("transfer-encoding").is_none(), "{path} {accept}");
            let length: usize = answer.header("content-length").unwrap().parse().unwrap();
            assert_eq!(length, answer.body.len(), "{path} {accept}");
            assert_eq!(answer.header("content-encoding") == Some("gzip"), compressed, "{accept}");
        }
    }
    let answer = get("/api/v1/accounts", "gzip");
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(answer.body.as_slice()).read_to_end(&mut text).unwrap();
    assert_eq!(text, plain.bytes);
    assert_eq!(answer.header("etag"), plain.header("ETag"), "the tag is of the content");
}

#[test]
fn every_answer_has_a_length() {
    let server = Server::start(Backend::Sqlite);
    let (_family, key) = family_with_accounts(&server);
    let paths = operations(&server).into_iter().filter(|one| !one.writes());
    for path in paths
        .map(|one| one.address(UNKNOWN_ID))
        .chain(["/healthz", "/readyz", "/metrics", "/nothing", "/api/docs/"].map(str::to_owned))
    {
        for (accept, known) in [("gzip", "\"x\""), ("identity", "\"x\""), ("gzip", "*")] {
            let headers = [
                ("X-Api-Key", key.as_str()),
                ("Accept-Encoding", accept),
                ("If-None-Match", known),
            ];
            let answer = server.get_raw(&path, &headers);
            assert!(answer.header("transfer-encoding").is_none(), "{path}");
            if answer.status == 304 {
                assert!(answer.body.is_empty(), "{path}");
                continue;
            }
            let length = answer.header("content-length").unwrap_or_else(|| panic!("{path}"));
            assert_eq!(length.parse(), Ok(answer.body.len()), "{path}");
        }
    }
}

#[test]
fn no_cache_keeps_an_answer_of_the_interface() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for operation in operations(&server) {
        for client in [&family.api, &server.client()] {
            let answer = operation.send(client, UNKNOWN_ID);
            let name = operation.name();
            assert_eq!(answer.header("Cache-Control"), Some("no-store"), "{name}");
        }
    }
    for path in ["/healthz", "/metrics", "/nothing", "/sign-in"] {
        let answer = server.client().get(path);
        assert_eq!(answer.header("Cache-Control"), Some("no-store"), "{path}");
    }
    // What holds no data may be kept, but is asked for again.
    let docs = server.client().get("/api/docs");
    assert_eq!(docs.header("Cache-Control"), Some("private, no-cache"));
}

#[test]
fn caches_learn_what_an_answer_depends_on() {
    let server = Server::start(Backend::Sqlite);
    let (family, _) = family_with_accounts(&server);
    for answer in [
        family.api.get("/api/v1/accounts"),
        family.api.get("/api/v1/accounts/x"),
        family.api.with_header("If-None-Match", "*").get("/api/v1/accounts"),
        server.client().get("/api/v1/accounts"),
    ] {
        let vary = all(&answer, "vary");
        for name in ["X-Api-Key", "Authorization", "Accept-Encoding"] {
            assert!(vary.split(',').any(|one| one.trim() == name), "{}: {vary}", answer.status);
        }
        assert_eq!(answer.header("Cache-Control"), Some("no-store"));
    }
}

#[test]
fn every_origin_may_ask_and_read_without_credentials() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let origin = server.client().with_header("Origin", "https://app.example");
    for operation in operations(&server) {
        let asked = "x-api-key, content-type, idempotency-key";
        let preflight = origin
            .with_header("Access-Control-Request-Method", &operation.method)
            .with_header("Access-Control-Request-Headers", asked);
        let answer = preflight.request("OPTIONS", &operation.address(UNKNOWN_ID), None);
        let answer = answer.expect_status(204);
        assert!(answer.bytes.is_empty());
        assert_eq!(answer.header("Access-Control-Allow-Origin"), Some("*"));
        assert_eq!(answer.header("Access-Control-Allow-Headers"), Some(asked));
        let methods = answer.header("Access-Control-Allow-Methods").unwrap();
        assert!(methods.split(", ").any(|one| one == operation.method), "{methods}");
        assert!(answer.header("X-RateLimit-Limit").is_none(), "a preflight has no key");

        let real = operation.send(&family.api.with_header("Origin", "null"), UNKNOWN_ID);
        assert_open(&real);
        assert_open(&operation.send(&origin, UNKNOWN_ID));
    }
    assert_open(&origin.get("/api/v1/nothing"));
    assert_open(&origin.request("PUT", "/api/v1/usage", None));
    for path in ["/healthz", "/metrics"] {
        assert!(origin.get(path).header("Access-Control-Allow-Origin").is_none(), "{path}");
    }
}

#[test]
fn browsers_may_do_nothing_with_an_answer_but_show_it() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for answer in [
        family.api.get("/api/v1/accounts"),
        family.api.post("/api/v1/accounts", &json!({})),
        server.client().get("/api/v1/accounts"),
        server.client().get("/nothing"),
        server.client().get("/healthz"),
        server.client().get("/api/docs/"),
    ] {
        assert_eq!(answer.header("X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(answer.header("X-Frame-Options"), Some("DENY"));
        assert_eq!(answer.header("Referrer-Policy"), Some("no-referrer"));
        let policy = answer.header("Content-Security-Policy").unwrap();
        for rule in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.split("; ").any(|one| one == rule), "{policy}");
        }
        for loose in ["http:", "https:", "*", "unsafe-eval"] {
            assert!(!policy.contains(loose), "{policy}");
        }
        assert!(answer.header("Set-Cookie").is_none());
        assert!(answer.header("Server").is_none());
    }
}

#[track_caller]
fn assert_open(answer: &Answer) {
    assert_eq!(answer.header("Access-Control-Allow-Origin"), Some("*"));
    assert!(answer.header("Access-Control-Allow-Credentials").is_none());
    let exposed = answer.header("Access-Control-Expose-Headers").unwrap();
    for name in [
        "ETag",
        "Idempotency-Replayed",
        "Retry-After",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
        "X-Request-Id",
    ] {
        assert!(exposed.split(", ").any(|one| one == name), "{exposed}");
    }
}

/// Enough accounts for a long list, and a key in the plain.
fn family_with_accounts(server: &Server) -> (Family, String) {
    let family = server.family();
    for number in 0..12 {
        family.account(&format!("Account {number}"), "depository");
    }
    let key = server.key(&family.email, Scope::Read);
    (family, key)
}

fn tag(answer: &Answer) -> String {
    let tag = answer.header("ETag").expect("a tag").to_owned();
    assert!(tag.starts_with("W/\"") && tag.ends_with('"'), "{tag}");
    tag
}

/// All values of a header that may come several times.
fn all(answer: &Answer, name: &str) -> String {
    let values = answer.headers.get_all(name).iter();
    values.map(|value| value.to_str().unwrap()).collect::<Vec<_>>().join(", ")
}
