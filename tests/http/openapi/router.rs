//! What the description names is there, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{UNKNOWN_ID, operations};
use crate::support::{Backend, Options, Server};

/// Words that paths are made of, now and perhaps one day.
const WORDS: [&str; 68] = [
    "accounts",
    "balances",
    "balance_sheet",
    "cash_flow",
    "gains",
    "net_worth",
    "reports",
    "split",
    "categories",
    "chunks",
    "deliveries",
    "docs",
    "download",
    "events",
    "exchange_rates",
    "families",
    "family_exports",
    "family_settings",
    "feeds",
    "file",
    "holdings",
    "icons",
    "import_sessions",
    "import_templates",
    "import",
    "imports",
    "keys",
    "latest",
    "link",
    "lookup",
    "match",
    "me",
    "outcomes",
    "merchants",
    "preflight",
    "plan",
    "preview",
    "provider_connections",
    "providers",
    "publish",
    "rejected_transfers",
    "revert",
    "rows",
    "rule_runs",
    "rules",
    "run",
    "securities",
    "security_prices",
    "sync",
    "syncs",
    "tags",
    "test",
    "trades",
    "transactions",
    "transfer",
    "transfers",
    "usage",
    "users",
    "valuations",
    "webhooks",
    "bootstrap",
    "budget_categories",
    "budgets",
    "detect",
    "duplicates",
    "statements",
    "merge",
    "recurring_transactions",
];
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

#[test]
fn the_router_knows_what_is_documented_and_nothing_else() {
    let server = Server::start_with(Backend::Sqlite, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let family = server.family();
    let mut documented = BTreeMap::<String, BTreeSet<String>>::new();
    for operation in operations(&server) {
        documented.entry(operation.path).or_default().insert(operation.method);
    }
    for path in possible_paths() {
        let template = path.replace(UNKNOWN_ID, "{id}").replace("/1", "/{n}");
        let methods = documented.remove(&template);
        // A path that is not documented is tried with one method: a route for others would
        // answer that it knows the path.
        let tried = if methods.is_some() { &METHODS[..] } else { &METHODS[..1] };
        for &method in tried {
            let answer = family.api.request(method, &path, None);
            let expected = match &methods {
                // `/accounts/events` is an account with a strange id.
                None if is_shadowed(&path) => continue,
                // It is answered with what to do instead.
                Some(_) if (method, path.as_str()) == ("DELETE", "/api/v1/users/me") => continue,
                None => (404, Some("not_found")),
                Some(known) if known.contains(method) => (0, None),
                Some(_) => (405, Some("method_not_allowed")),
            };
            if let (status, Some(code)) = expected {
                let body = answer.expect_error(status, code);
                let known = body["message"].as_str().unwrap().starts_with("There is nothing");
                assert_eq!(known, status == 404, "{method} {path}: {body}");
            } else {
                let text = answer.text();
                assert!(![405, 501].contains(&answer.status), "{method} {path}: {text}");
                assert!(!text.contains("There is nothing at this address"), "{method} {path}");
            }
        }
    }
    // The only paths with two ids; what the tests of connections do with them would fail.
    documented.retain(|path, _| !path.contains("{account}"));
    assert!(documented.is_empty(), "not tried: {documented:?}");
}

/// Every path of up to three of the words and an id.
fn possible_paths() -> Vec<String> {
    let mut paths = vec!["/api/v1".to_owned()];
    for noun in WORDS {
        paths.push(format!("/api/v1/{noun}"));
        paths.push(format!("/api/v1/{noun}/{UNKNOWN_ID}"));
        for verb in WORDS {
            paths.push(format!("/api/v1/{noun}/{verb}"));
            paths.push(format!("/api/v1/{noun}/{UNKNOWN_ID}/{verb}"));
            paths.push(format!("/api/v1/{noun}/{UNKNOWN_ID}/{verb}/1"));
        }
    }
    paths
}

/// Whether a word stands where an id is expected.
fn is_shadowed(path: &str) -> bool {
    let segments: Vec<&str> = path.trim_start_matches("/api/v1/").split('/').collect();
    let shown = [
        "accounts",
        "balances",
        "budget_categories",
        "budgets",
        "categories",
        "duplicates",
        "exchange_rates",
        "family_exports",
        "holdings",
        "import_sessions",
        "import_templates",
        "imports",
        "merchants",
        "provider_connections",
        "recurring_transactions",
        "rejected_transfers",
        "rule_runs",
        "rules",
        "securities",
        "security_prices",
        "statements",
        "syncs",
        "tags",
        "trades",
        "transactions",
        "transfers",
        "valuations",
        "webhooks",
    ];
    segments.len() == 2 && shown.contains(&segments[0])
}
