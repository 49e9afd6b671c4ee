//! Answers have the form that is documented.

use serde_json::Value;
use ureq::http::HeaderName;

use super::document::{Operation, UNKNOWN_ID, document, operations};
use super::schema::Schemas;
use super::writes::writes;
use crate::both;
use crate::isolation_data::Data;
use crate::support::{Answer, Client, Options, Scope, Server};

both! {
    fn every_answer_has_the_form_that_is_documented(
        // There is a limit, so that its headers are there, which nothing here reaches.
        server = Options::new().env("PURSER_RATE_LIMIT", "1000000")
    ) {
        let family = server.family();
        let data = Data::fill(&server, &family, "opal");
        let checker = Checker { document: document(&server), operations: operations(&server) };
        let mut reads = 0;
        for operation in checker.operations.iter().filter(|one| !one.writes()) {
            let id = id_for(&operation.path, &data);
            let address = operation.address(id) + required_query(&operation.path);
            if operation.path.ends_with("/plan") {
                // It asks a provider with the stored key, which is none here.
                let refused = family.api.get(&address).expect_status(422);
                checker.check(operation, &refused);
                continue;
            }
            let answer = family.api.get(&address).expect_status(200);
            assert!(answer.bytes.len() > 40, "{} is empty", operation.name());
            checker.check(operation, &answer);
            if let Some(tag) = answer.header("ETag") {
                let again = family.api.with_header("If-None-Match", tag).get(&address);
                // What counts requests is the same again only if the bucket was filled meanwhile.
                let counts = operation.path.ends_with("/usage") && again.status == 200;
                checker.check(operation, &again.expect_status(if counts { 200 } else { 304 }));
            }
            reads += 1;
        }
        assert!(reads >= 12, "{reads}");
        let nobody = server.family();
        for operation in &checker.operations {
            for client in [&server.client(), &nobody.api, &reader(&server, &nobody.email)] {
                checker.check(operation, &operation.send(client, UNKNOWN_ID));
            }
            for query in ["page=0", "status=x", "account_id=x", "include_disabled=x"] {
                if !operation.writes() {
                    let address = format!("{}?{query}", operation.address(UNKNOWN_ID));
                    checker.check(operation, &nobody.api.get(&address));
                }
            }
        }
        writes(&checker, &family.api, &data);
    }
}

/// Headers of HTTP itself: how the bytes of an answer are framed and coded. A description has the
/// type of the content elsewhere.
const OTHER_HEADERS: [&str; 6] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "transfer-encoding",
];
/// Headers that are described as missing in some answers.
const MISSING_HEADERS: [&str; 2] = ["idempotency-replayed", "retry-after"];

/// The document, and answers held against it.
pub(super) struct Checker {
    document: Value,
    operations: Vec<Operation>,
}

impl Checker {
    pub(super) fn operation(&self, method: &str, path: &str) -> &Operation {
        let name = format!("{method} {path}");
        self.operations.iter().find(|one| one.name() == name).unwrap_or_else(|| panic!("{name}"))
    }

    #[track_caller]
    pub(super) fn check(&self, operation: &Operation, answer: &Answer) {
        let case = format!("{} {}", operation.name(), answer.status);
        let response = &operation.body["responses"][answer.status.to_string()];
        assert!(response.is_object(), "{case} is not documented: {}", answer.text());
        self.check_headers(&case, response, answer);
        if answer.bytes.is_empty() {
            return assert!(response["content"].is_null(), "{case} has no body");
        }
        let stream = &response["content"]["text/event-stream"]["schema"]["x-event-data"];
        if stream.is_object() {
            let text = answer.text();
            let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
            let events: Vec<Value> =
                events.map(|data| serde_json::from_str(data).expect(&case)).collect();
            assert!(events.len() >= 2, "{case}: {text}");
            return events.iter().for_each(|data| self.check_value(&case, data, stream));
        }
        if answer.status == 200 && response["content"]["application/x-ndjson"].is_object() {
            let is_object =
                |line: &str| serde_json::from_str::<Value>(line).expect(&case)["data"].is_object();
            return assert!(answer.text().lines().all(is_object), "{case}");
        }
        let schema = &response["content"]["application/json"]["schema"];
        self.check_value(&case, &answer.json(), schema);
    }

    /// No header is there that isn't described, but for those of HTTP itself; a
    /// described one is only missing where that is described.
    #[track_caller]
    fn check_headers(&self, case: &str, response: &Value, answer: &Answer) {
        let described = response["headers"].as_object().into_iter().flatten();
        let described: Vec<String> = described.map(|(name, _)| name.to_lowercase()).collect();
        for name in answer.headers.keys().map(HeaderName::as_str) {
            let is_known = OTHER_HEADERS.contains(&name) || described.iter().any(|one| one == name);
            assert!(is_known, "{case}: the header {name} is not documented");
        }
        for name in described.iter().filter(|name| !MISSING_HEADERS.contains(&name.as_str())) {
            assert!(answer.headers.contains_key(name.as_str()), "{case}: no header {name}");
        }
    }

    #[track_caller]
    fn check_value(&self, case: &str, value: &Value, schema: &Value) {
        let problems = Schemas(&self.document).problems(value, schema);
        assert!(problems.is_empty(), "{case}: {problems:#?}\n{value}");
    }
}

/// What must be asked for, where there is no default.
fn required_query(path: &str) -> &'static str {
    match path {
        "/api/v1/exchange_rates/lookup" => "?from=EUR&to=USD",
        _ => "",
    }
}

/// What is shown at the path.
pub(super) fn id_for<'d>(path: &str, data: &'d Data) -> &'d str {
    let noun = path.trim_start_matches("/api/v1/").split('/').next().unwrap();
    match noun {
        "accounts" => &data.account,
        "balances" => &data.balance,
        "budget_categories" => &data.budget_category,
        "budgets" => &data.budget,
        "categories" => &data.category,
        "merchants" => &data.merchant,
        "provider_connections" | "webhooks" => &data.connection,
        "recurring_transactions" => &data.recurring,
        "syncs" => &data.sync,
        "duplicates" => &data.duplicate,
        "statements" => &data.statement,
        "family_exports" => &data.family_export,
        "import_sessions" => &data.import_session,
        "tags" => &data.tag,
        "holdings" => &data.holding,
        "import_templates" => &data.import_template,
        "imports" => &data.import,
        "rejected_transfers" => &data.rejected_transfer,
        "exchange_rates" => &data.rate,
        "securities" => &data.security,
        "security_prices" => &data.price,
        "rule_runs" => &data.rule_run,
        "rules" => &data.rule,
        "trades" => &data.trade,
        "transactions" => &data.transaction,
        "transfers" => &data.transfer,
        "valuations" => &data.valuation,
        _ if !path.contains('{') => UNKNOWN_ID,
        unknown => panic!("no case for {unknown}"),
    }
}

fn reader(server: &Server, email: &str) -> Client {
    server.client().with_key(&server.key(email, Scope::Read))
}
