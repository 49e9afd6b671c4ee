//! The rate limit, what a key learns about itself, and what an operator learns about the server.

use std::collections::BTreeMap;
use std::thread;

use serde_json::{Value, json};

use crate::both;
use crate::support::{Answer, Backend, Multipart, Options, Scope, Server, until};

const USAGE: &str = "/api/v1/usage";

both! {
    fn the_fourth_request_of_three_is_refused(
        server = slowly_filled("3")
    ) {
        let family = server.family();
        for remaining in ["2", "1", "0"] {
            let answer = family.api.get(USAGE).expect_status(200);
            assert_eq!(answer.header("X-RateLimit-Remaining"), Some(remaining));
            assert_bucket(&answer, 3);
        }
        let refused = family.api.get(USAGE);
        assert_eq!(refused.header("X-RateLimit-Remaining"), Some("0"));
        let reset = assert_bucket(&refused, 3);
        assert_eq!(refused.header("Retry-After"), Some(reset.to_string().as_str()));
        let body = refused.expect_error(429, "rate_limit_exceeded");
        assert_eq!(
            body["details"],
            json!({ "limit": 3, "current": 3, "reset_in_seconds": reset })
        );
        // Another key has a bucket of its own.
        let other = server.client().with_key(&server.key(&family.email, Scope::Read));
        assert_eq!(other.get(USAGE).expect_status(200).header("X-RateLimit-Remaining"), Some("2"));
    }
}

#[test]
fn every_answer_to_a_key_counts_and_shows_it() {
    let options = slowly_filled("100");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
    let form = Multipart::new().text("type", "Nonsense");
    let answers: [(u16, Answer); 7] = [
        (200, reader.get("/api/v1/imports")),
        (403, reader.post("/api/v1/valuations", &json!({}))),
        (403, reader.post_form("/api/v1/imports", &form)),
        (404, reader.get("/api/v1/accounts/x")),
        (422, reader.get("/api/v1/imports?page=0")),
        (304, reader.with_header("If-None-Match", "*").get("/api/v1/imports")),
        (200, reader.request("HEAD", "/api/v1/imports", None)),
    ];
    for (already, (status, answer)) in answers.into_iter().enumerate() {
        let answer = answer.expect_status(status);
        let remaining = (99 - already).to_string();
        assert_eq!(answer.header("X-RateLimit-Remaining"), Some(remaining.as_str()), "{status}");
        assert_bucket(&answer, 100);
    }
}

#[test]
fn what_no_key_asked_is_not_counted() {
    let options = slowly_filled("2");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    for _ in 0..5 {
        server.client().with_key("nonsense").get(USAGE).expect_status(401);
        family.api.get("/api/v1/nothing").expect_status(404);
        family.api.delete("/api/v1/imports").expect_status(405);
        family.api.get("/api/v1/openapi.json").expect_status(200);
    }
    for remaining in ["1", "0"] {
        let answer = family.api.get(USAGE).expect_status(200);
        assert_eq!(answer.header("X-RateLimit-Remaining"), Some(remaining));
    }
}

#[test]
fn exactly_the_limit_gets_through_when_many_ask_at_once() {
    let options = slowly_filled("40");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let statuses =
        in_parallel(16, |_| (0..10).map(|_| family.api.get(USAGE).status).collect::<Vec<_>>());
    let mut counts = BTreeMap::new();
    for status in statuses.into_iter().flatten() {
        *counts.entry(status).or_insert(0) += 1;
    }
    assert_eq!(counts, BTreeMap::from([(200, 40), (429, 120)]));
}

#[test]
fn zero_means_no_limit() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    for _ in 0..50 {
        let answer = family.api.get(USAGE).expect_status(200);
        assert!(!answer.headers.keys().any(|name| name.as_str().starts_with("x-ratelimit")));
    }
    let limit = family.api.get(USAGE).json()["rate_limit"].clone();
    assert_eq!(limit["tier"], "unlimited");
    for unknown in ["limit", "current_count", "remaining"] {
        assert_eq!(limit[unknown], Value::Null, "{limit}");
    }
}

#[test]
fn a_key_learns_what_it_is_and_where_it_stands() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
    for (client, scope) in [(&family.api, "read_write"), (&reader, "read")] {
        let answer = client.get(USAGE).expect_status(200);
        let (body, reset) = (answer.json(), assert_bucket(&answer, 10_000));
        assert_eq!(body["api_key"]["name"], "test");
        assert_eq!(body["api_key"]["scopes"], json!([scope]));
        let created = body["api_key"]["created_at"].as_str().unwrap();
        assert!(created.len() == 24 && created.ends_with('Z'), "{created}");
        let limit = &body["rate_limit"];
        assert_eq!(limit["tier"], "standard");
        assert_eq!(limit["limit"], 10_000);
        assert_eq!(
            limit["current_count"].as_u64().unwrap() + limit["remaining"].as_u64().unwrap(),
            10_000
        );
        assert_eq!(limit["reset_in_seconds"], reset);
    }
}

#[test]
fn the_last_use_of_a_key_survives_a_stop() {
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    assert_eq!(family.api.get(USAGE).json()["api_key"]["last_used_at"], Value::Null);
    assert!(server.stop().success());
    server.start_again();
    assert!(family.api.get(USAGE).json()["api_key"]["last_used_at"].is_string());
}

#[test]
fn the_numbers_count_requests_by_route_and_status() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for _ in 0..3 {
        family.api.get("/api/v1/accounts/x").expect_status(404);
    }
    server.send_raw(b"CANARY /made-up-canary HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    family.account("Checking", "depository");
    let answer = server.client().get("/metrics").expect_status(200);
    assert_eq!(answer.header("Content-Type"), Some("text/plain; version=0.0.4"));
    let text = answer.text();
    for line in [
        r#"purser_http_requests_total{method="GET",route="/api/v1/accounts/{id}",status="404"} 3"#,
        r#"purser_http_requests_total{method="POST",route="/api/v1/accounts",status="201"} 1"#,
        r#"purser_http_requests_total{method="other",route="none",status="404"} 1"#,
        "# TYPE purser_http_requests_total counter",
        "# TYPE purser_http_request_duration_seconds histogram",
        "# TYPE purser_http_connections gauge",
    ] {
        assert!(text.lines().any(|known| known == line), "no {line} in\n{text}");
    }
    assert!(!text.contains("canary"), "a client made up a label\n{text}");
    assert_open_metrics_form(&text);
}

#[test]
fn the_numbers_count_jobs_and_their_duration() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Checking", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-02,-1.00,A\n");
    // The job's end is committed before it is counted.
    until("the numbers", || {
        let text = server.client().get("/metrics").expect_status(200).text();
        let known = |line| text.lines().any(|known| known == line);
        let counted = known(r#"purser_jobs_total{kind="import.publish",result="done"} 1"#)
            && known(r#"purser_job_duration_seconds_count{kind="import.publish"} 1"#);
        counted.then_some(())
    });
}

#[test]
fn the_numbers_are_for_the_machine_itself_by_default() {
    let loopback = Server::start(Backend::Sqlite);
    loopback.client().get("/metrics").expect_status(200);
    let passed_on = loopback.client().with_header("X-Forwarded-For", "127.0.0.1");
    passed_on.get("/metrics").expect_error(404, "not_found");
    for header in ["Forwarded", "X-Real-IP", "Via"] {
        let passed_on = loopback.client().with_header(header, "127.0.0.1");
        passed_on.get("/metrics").expect_error(404, "not_found");
    }
    let off = Server::start_with(Backend::Sqlite, Options::new().env("PURSER_METRICS", "off"));
    off.client().get("/metrics").expect_error(404, "not_found");
    let open = Server::start_with(Backend::Sqlite, Options::new().env("PURSER_METRICS", "open"));
    open.client().with_header("X-Forwarded-For", "127.0.0.1").get("/metrics").expect_status(200);
}

#[test]
fn a_first_import_without_waiting_goes_through() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let statuses =
        in_parallel(4, |_| (0..200).map(|_| family.api.get(USAGE).status).collect::<Vec<_>>());
    assert!(statuses.into_iter().flatten().all(|status| status == 200));
}

both! {
    fn health_and_readiness_are_plain_answers(server) {
        let health = server.client().get("/healthz").expect_status(200).json();
        assert_eq!(health, json!({ "status": "ok" }));
        let ready = server.client().get("/readyz").expect_status(200).json();
        assert_eq!(ready, json!({ "status": "ready" }));
        server.client().request("HEAD", "/healthz", None).expect_status(200);
        server.client().post("/healthz", &json!({})).expect_error(405, "method_not_allowed");
    }
}

/// Every line is a comment, or a name with labels and a number.
fn assert_open_metrics_form(text: &str) {
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let (name, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
        assert!(name.starts_with("purser_"), "{line}");
        assert!(value.parse::<f64>().is_ok(), "{line}");
    }
}

/// A bucket of so many requests that gets one more in a minute.
fn slowly_filled(burst: &'static str) -> Options {
    Options::new().env("PURSER_RATE_LIMIT", "1").env("PURSER_RATE_BURST", burst)
}

/// The headers of the bucket; the seconds until it holds one more.
#[track_caller]
fn assert_bucket(answer: &Answer, limit: u64) -> u64 {
    assert_eq!(answer.header("X-RateLimit-Limit"), Some(limit.to_string().as_str()));
    let reset: u64 = answer.header("X-RateLimit-Reset").unwrap().parse().expect("whole seconds");
    assert!((1..=60).contains(&reset), "{reset}");
    reset
}

/// Runs the clients at once and collects what they return.
pub(crate) fn in_parallel<T: Send>(clients: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = std::sync::Barrier::new(clients);
    thread::scope(|scope| {
        let start = |number| {
            let (barrier, work) = (&barrier, &work);
            scope.spawn(move || {
                barrier.wait();
                work(number)
            })
        };
        let threads: Vec<_> = (0..clients).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("a client")).collect()
    })
}
