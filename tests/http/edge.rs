//! What holds for every request, whatever its noun.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::both;
use crate::support::{Answer, Backend, Options, Server};

both! {
    fn health_and_readiness_are_public(server) {
        for path in ["/healthz", "/readyz"] {
            server.client().get(path).expect_status(200);
        }
    }

    fn an_unknown_route_is_a_json_404(server) {
        for path in ["/api/v1/nothing", "/nothing"] {
            server.client().get(path).expect_error(404, "not_found");
        }
    }

    fn a_wrong_method_is_a_json_405_that_names_the_right_ones(server) {
        let answer = server.client().delete("/api/v1/imports");
        let allowed = answer.header("Allow").unwrap_or_default().to_owned();
        answer.expect_error(405, "method_not_allowed");
        for method in ["GET", "POST"] {
            assert!(allowed.split(',').any(|one| one.trim() == method), "Allow: {allowed}");
        }
    }

    fn the_description_covers_the_specified_operations(server) {
        let description = description(&server);
        assert_eq!(description["info"]["version"], "v1");
        for (path, method) in [
            ("/api/v1/imports", "post"),
            ("/api/v1/imports", "get"),
            ("/api/v1/valuations", "post"),
            ("/api/v1/holdings/{id}", "get"),
            ("/api/v1/provider_connections", "get"),
        ] {
            let operation = &description["paths"][path][method];
            assert!(operation["responses"].is_object(), "{method} {path}: {operation}");
        }
    }

    fn only_a_key_opens_the_api(server) {
        let refused = server.client().get("/api/v1/imports");
        assert!(refused.header("WWW-Authenticate").is_some());
        refused.expect_error(401, "unauthorized");
        let body = server.family().api.get("/api/v1/imports").expect_status(200).json();
        assert_eq!(body["data"], json!([]));
    }

    fn every_answer_names_its_request(server) {
        let own: Answer = server.client().with_header("X-Request-Id", "mine-1").get("/healthz");
        assert_eq!(own.header("X-Request-Id"), Some("mine-1"));
        let first = server.client().get("/healthz");
        let second = server.client().get("/healthz");
        assert!(first.header("X-Request-Id").is_some_and(|id| !id.is_empty()));
        assert_ne!(first.header("X-Request-Id"), second.header("X-Request-Id"));
    }

    fn every_answer_is_in_the_log(server = Options::new().env("PURSER_LOG_FORMAT", "json")) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        family.api.with_header("X-Request-Id", "of-a-key").get("/api/v1/usage").expect_status(200);
        let logged = |text: &str| {
            let line: Value = serde_json::from_str(&server.wait_for_log(text)).unwrap();
            assert_eq!((&line["level"], &line["status"]), (&json!("INFO"), &json!(200)), "{line}");
            assert!(line["ms"].is_u64(), "{line}");
            line["span"].clone()
        };
        let span = logged("of-a-key");
        assert_eq!((&span["method"], &span["route"]), (&json!("GET"), &json!("/api/v1/usage")));
        assert!(span["key"].is_string(), "{span}");
        visitor.get("/accounts").expect_status(200);
        let of_page = logged("\"route\":\"/accounts\"");
        assert_eq!(of_page["user"], span["user"]);
        assert!(of_page["user"].is_string() && of_page["key"].is_null(), "{of_page}");
    }
}

/// The log of a start at an address.
fn log_of_start(listen: &str, trusted_proxies: &str) -> String {
    let server = Server::prepared(Backend::Sqlite, Options::new());
    let mut command = server.command();
    command.args(["serve", "--listen", listen]).env("PURSER_TRUSTED_PROXIES", trusted_proxies);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut ready = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut ready).unwrap();
    assert!(ready.contains("listening"), "{ready}");
    process.kill().unwrap();
    process.wait().unwrap();
    let mut log = String::new();
    process.stderr.unwrap().read_to_string(&mut log).unwrap();
    log
}

#[test]
fn a_server_that_others_can_reach_without_a_proxy_warns_at_its_start() {
    for (listen, trusted_proxies, warns) in
        [("0.0.0.0:0", "", true), ("0.0.0.0:0", "127.0.0.1", false), ("127.0.0.1:0", "", false)]
    {
        let log = log_of_start(listen, trusted_proxies);
        let count = log.matches("no proxy is trusted").count();
        assert_eq!(count, usize::from(warns), "{listen} {trusted_proxies}: {log}");
    }
}

fn description(server: &Server) -> Value {
    server.client().get("/api/v1/openapi.json").expect_status(200).json()
}
