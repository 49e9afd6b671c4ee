//! The description of the interface says what the server does, no more and no less.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::both;
use crate::isolation_data::Data;
use crate::openapi_document::{Operation, UNKNOWN_ID, document, operations};
use crate::openapi_schema::Schemas;
use crate::support::{Answer, Backend, Client, Options, Scope, Server};

/// Words that paths are made of, now and perhaps one day.
const WORDS: [&str; 51] = [
    "accounts",
    "balances",
    "balance_sheet",
    "cash_flow",
    "gains",
    "net_worth",
    "reports",
    "split",
    "categories",
    "docs",
    "events",
    "exchange_rates",
    "families",
    "family_settings",
    "feeds",
    "file",
    "holdings",
    "import_templates",
    "import",
    "imports",
    "keys",
    "link",
    "lookup",
    "match",
    "merchants",
    "preflight",
    "preview",
    "provider_connections",
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
    "tags",
    "trades",
    "transactions",
    "transfers",
    "usage",
    "users",
    "valuations",
    "bootstrap",
    "budget_categories",
    "budgets",
    "detect",
    "merge",
    "recurring_transactions",
];
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

#[test]
fn the_document_has_the_form_of_its_version() {
    let server = Server::start(Backend::Sqlite);
    let document = document(&server);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."), "{}", document["openapi"]);
    assert_eq!(document["info"]["version"], "v1");
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["api_key"]["name"], "X-Api-Key");
    assert_eq!(schemes["api_key"]["in"], "header");
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!(document["security"], json!([{ "api_key": [] }, { "bearer": [] }]));
    let mut names = BTreeSet::new();
    for operation in operations(&server) {
        let name = operation.body["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} is there twice");
        for text in ["summary", "tags"] {
            assert!(!operation.body[text].is_null(), "{} has no {text}", operation.name());
        }
        let in_path = operation.parameters("path");
        let named =
            ["id", "n"].into_iter().filter(|name| operation.path.contains(&format!("{{{name}}}")));
        assert_eq!(in_path, named.collect::<Vec<_>>());
    }
    assert_references_lead_somewhere(&document, &document);
}

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
        for method in METHODS {
            let answer = family.api.request(method, &path, None);
            let expected = match &methods {
                // `/accounts/events` is an account with a strange id.
                None if is_shadowed(&path) => continue,
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
    assert!(documented.is_empty(), "not tried: {documented:?}");
}

#[test]
fn every_operation_documents_its_errors() {
    let server = Server::start(Backend::Sqlite);
    for operation in operations(&server) {
        let mut expected = vec![401, 403, 429, 500, 503];
        if operation.has_id() {
            expected.push(404);
        }
        if !operation.parameters("query").is_empty() {
            expected.push(422);
        }
        if operation.body["requestBody"].is_object() {
            expected.extend([400, 408, 413, 415, 422]);
        }
        if !operation.parameters("header").is_empty() {
            expected.extend([400, 409, 422]);
        }
        let statuses = operation.statuses();
        for status in expected {
            assert!(statuses.contains(&status), "{} without {status}", operation.name());
        }
        for status in statuses.into_iter().filter(|status| *status >= 400) {
            let response = &operation.body["responses"][status.to_string()];
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()));
            let names = schema_names(&response["content"]["application/json"]["schema"]);
            let with_import = operation.name().starts_with("POST /imports")
                && operation.name() != "POST /imports/preflight";
            let expected = match status {
                422 | 500 if with_import => &["ErrorBody", "ImportErrorBody"][..],
                _ => &["ErrorBody"],
            };
            assert_eq!(names, expected, "{} {status}", operation.name());
        }
    }
}

both! {
    fn every_answer_has_the_form_that_is_documented(
        server = Options::new().env("PURSER_RATE_LIMIT", "0")
    ) {
        let family = server.family();
        let data = Data::fill(&server, &family, "opal");
        let checker = Checker { document: document(&server), operations: operations(&server) };
        let mut reads = 0;
        for operation in checker.operations.iter().filter(|one| !one.writes()) {
            let id = id_for(&operation.path, &data);
            let address = operation.address(id) + required_query(&operation.path);
            let answer = family.api.get(&address).expect_status(200);
            assert!(answer.bytes.len() > 40, "{} is empty", operation.name());
            checker.check(operation, &answer);
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

/// Writes that succeed, and refusals that name an import.
fn writes(checker: &Checker, client: &Client, data: &Data) {
    let account = &data.account;
    let valuation = json!({ "valuation": {
        "account_id": account, "amount": "1", "date": "2026-03-01", "upsert": true } });
    for (status, method, path, body) in [
        (201, "POST", "/accounts", json!({ "name": "New", "account_type": "loan" })),
        (201, "POST", "/valuations", valuation.clone()),
        (200, "POST", "/valuations", valuation),
        (201, "POST", "/imports", json!({ "raw_file_content": "date,amount\n2026-01-02,1\n" })),
        (422, "POST", "/imports", json!({ "type": "Nonsense" })),
        (
            200,
            "POST",
            "/imports/preflight",
            json!({ "raw_file_content": "date,amount\n2026-01-02,1\n2026-01-03,x\n" }),
        ),
        (422, "POST", "/imports", json!({ "raw_file_content": "a\nb\n", "publish": "true" })),
        (
            422,
            "POST",
            "/imports",
            json!({
            "raw_file_content": "date,amount\n2026-01-02,x\n", "publish": "true",
            "account_id": account }),
        ),
    ] {
        let answer = client.post(&format!("/api/v1{path}"), &body).expect_status(status);
        if status == 422 {
            let stored = body["publish"] == "true";
            assert_eq!(answer.json()["import_id"].is_string(), stored, "{}", answer.text());
        }
        checker.check(checker.operation(method, path), &answer);
    }
    import_changes(checker, client, data);
    for (status, import) in [(202, &data.pending_import), (422, &data.import)] {
        let path = format!("/api/v1/imports/{import}/publish");
        let answer = client.request("POST", &path, None).expect_status(status);
        checker.check(checker.operation("POST", "/imports/{id}/publish"), &answer);
    }
    transfer_writes(checker, client, data);
    rule_writes(checker, client, data);
    label_writes(checker, client, data);
    price_writes(checker, client, data);
    trade_writes(checker, client, data);
    let path = format!("/api/v1/transactions/{}", data.transaction);
    for (method, fields) in [("PATCH", r#"{"notes": null}"#), ("PUT", r#"{"name": "New"}"#)] {
        let body = Some(("application/json", fields.as_bytes()));
        let answer = client.request(method, &path, body).expect_status(200);
        checker.check(checker.operation(method, "/transactions/{id}"), &answer);
    }
    client.delete(&path).expect_status(204);
    account_writes(checker, client, data);
    // With something of every kind in the preview.
    let path = format!("/api/v1/imports/{}/revert", data.import);
    let preview = client.get(&path).expect_status(200);
    checker.check(checker.operation("GET", "/imports/{id}/revert"), &preview);
    for status in [202, 422] {
        let answer = client.request("POST", &path, None).expect_status(status);
        checker.check(checker.operation("POST", "/imports/{id}/revert"), &answer);
    }
    let import = format!("/api/v1/imports/{}", data.pending_import);
    client.wait_for_import(&data.pending_import);
    assert!(client.delete(&import).expect_status(204).bytes.is_empty());
    let path = format!("/api/v1/valuations/{}", data.valuation);
    let answer = client.patch(&path, &json!({ "notes": null })).expect_status(200);
    checker.check(checker.operation("PATCH", "/valuations/{id}"), &answer);
    let answer = client.delete(&path).expect_status(204);
    assert!(answer.bytes.is_empty());
}

/// An account is changed, gets a transaction that is split and put together, and goes.
fn account_writes(checker: &Checker, client: &Client, data: &Data) {
    let path = format!("/api/v1/accounts/{}", data.other_account);
    for (status, method, body) in [
        (200, "PATCH", json!({ "name": "Changed", "current_balance": "5" })),
        (422, "PATCH", json!({ "status": "x" })),
        (200, "PUT", json!({ "subtype": null })),
    ] {
        let body = body.to_string();
        let body = Some(("application/json", body.as_bytes()));
        let answer = client.request(method, &path, body).expect_status(status);
        checker.check(checker.operation(method, "/accounts/{id}"), &answer);
    }
    let entered = json!({ "account_id": data.other_account, "date": "2026-01-02", "amount": "3",
        "name": "Tea", "currency": "EUR", "exchange_rate": "2", "external_id": "tea" });
    let mut whole = String::new();
    for status in [201, 200] {
        let answer = client.post("/api/v1/transactions", &entered).expect_status(status);
        checker.check(checker.operation("POST", "/transactions"), &answer);
        whole = answer.id();
    }
    let split = format!("/api/v1/transactions/{whole}/split");
    let parts = json!({ "parts": [{ "amount": 1, "name": "Green" }, { "amount": 2 }] });
    let answer = client.post(&split, &parts).expect_status(201);
    checker.check(checker.operation("POST", "/transactions/{id}/split"), &answer);
    let answer = client.get(&split).expect_status(200);
    checker.check(checker.operation("GET", "/transactions/{id}/split"), &answer);
    client.delete(&split).expect_status(204);
    client.delete(&path).expect_status(204);
}

/// What a person says to an import after its upload, and to templates.
fn import_changes(checker: &Checker, client: &Client, data: &Data) {
    let import = format!("/api/v1/imports/{}", data.pending_import);
    let content = "date,amount,name,notes,category,tags\n2026-01-02,1,opal,,,\n";
    for (status, method, below, body) in [
        (200, "PATCH", "", json!({ "signage_convention": "inflows_negative" })),
        (422, "PATCH", "", json!({ "date_format": "x" })),
        (200, "PATCH", "/rows/1", json!({ "cells": { "name": "other" }, "choice": "create" })),
        (422, "PATCH", "/rows/1", json!({ "choice": "x" })),
        (200, "PUT", "/file", json!({ "raw_file_content": content })),
        (422, "PUT", "/file", json!({})),
    ] {
        let body = body.to_string();
        let body = Some(("application/json", body.as_bytes()));
        let answer = client.request(method, &format!("{import}{below}"), body);
        let operation = format!("/imports/{{id}}{}", below.replace("/1", "/{n}"));
        checker.check(checker.operation(method, &operation), &answer.expect_status(status));
    }
    let path = format!("/api/v1/import_templates/{}", data.import_template);
    let answer = client.patch(&path, &json!({ "name": "Mine" })).expect_status(200);
    checker.check(checker.operation("PATCH", "/import_templates/{id}"), &answer);
    assert!(client.delete(&path).expect_status(204).bytes.is_empty());
}

/// Securities, their prices, and exchange rates.
fn price_writes(checker: &Checker, client: &Client, data: &Data) {
    let price = |date| json!({ "security_id": data.security, "date": date, "price": "7", "currency": "USD" });
    let rate = |date| json!({ "base": "EUR", "quote": "USD", "date": date, "rate": 1.5 });
    let table = |text| json!({ "raw_file_content": text });
    let prices = format!("date,ticker,price,currency\n2026-02-03,{},7,USD\n", data.mark);
    for (status, path, body) in [
        (201, "/securities", json!({ "ticker": "NEW" })),
        (422, "/securities", json!({ "ticker": "NEW" })),
        (201, "/security_prices", price("2026-02-02")),
        (200, "/security_prices", price("2026-02-02")),
        (422, "/security_prices", json!({})),
        (201, "/security_prices/import", table(prices.as_str())),
        (422, "/security_prices/import", table("x")),
        (201, "/exchange_rates", rate("2026-02-02")),
        (200, "/exchange_rates", rate("2026-02-02")),
        (201, "/exchange_rates/import", table("date,base,quote,rate\n2026-02-03,EUR,USD,2\n")),
        (422, "/exchange_rates/import", table("x")),
    ] {
        let answer = client.post(&format!("/api/v1{path}"), &body).expect_status(status);
        checker.check(checker.operation("POST", path), &answer);
    }
    for (path, id, body) in [
        ("/securities", &data.security, json!({ "name": null })),
        ("/security_prices", &data.price, json!({ "price": "8" })),
    ] {
        let address = format!("/api/v1{path}/{id}");
        let operation = format!("{path}/{{id}}");
        for method in ["PATCH", "PUT"] {
            let text = body.to_string();
            let sent = Some(("application/json", text.as_bytes()));
            let answer = client.request(method, &address, sent).expect_status(200);
            checker.check(checker.operation(method, &operation), &answer);
        }
    }
    let refused = client.delete(&format!("/api/v1/securities/{}", data.security));
    checker.check(checker.operation("DELETE", "/securities/{id}"), &refused.expect_status(409));
    client.delete(&format!("/api/v1/security_prices/{}", data.price)).expect_status(204);
    client.delete(&format!("/api/v1/exchange_rates/{}", data.rate)).expect_status(204);
}

/// Trades and what a person says of holdings.
fn trade_writes(checker: &Checker, client: &Client, data: &Data) {
    let trade = json!({ "account_id": data.account, "security_id": data.security, "type": "split",
        "date": "2026-03-01", "split_to": 2, "split_from": 1, "external_id": "x" });
    for status in [201, 200] {
        let answer = client.post("/api/v1/trades", &trade).expect_status(status);
        checker.check(checker.operation("POST", "/trades"), &answer);
    }
    let path = format!("/api/v1/trades/{}", data.trade);
    for (method, fields) in [("PATCH", r#"{"notes": null}"#), ("PUT", r#"{"qty": "9"}"#)] {
        let body = Some(("application/json", fields.as_bytes()));
        let answer = client.request(method, &path, body).expect_status(200);
        checker.check(checker.operation(method, "/trades/{id}"), &answer);
    }
    let holding = format!("/api/v1/holdings/{}", data.holding);
    for (method, fields) in
        [("PATCH", r#"{"avg_cost": "9.50"}"#), ("PUT", r#"{"cost_basis_locked": true}"#)]
    {
        let body = Some(("application/json", fields.as_bytes()));
        let answer = client.request(method, &holding, body).expect_status(200);
        checker.check(checker.operation(method, "/holdings/{id}"), &answer);
    }
    client.delete(&path).expect_status(204);
}

/// Labels and plans are made, changed and removed.
fn label_writes(checker: &Checker, client: &Client, data: &Data) {
    let line = |category: &str| json!({ "budget_id": data.budget, "category_id": category, "budgeted_spending": 1 });
    let category = client.post("/api/v1/categories", &json!({ "name": "N" })).id();
    for (noun, new, change) in [
        ("categories", json!({ "name": "M", "parent_id": category }), json!({ "icon": "x" })),
        ("tags", json!({ "name": "M" }), json!({ "color": "#aabbcc" })),
        ("merchants", json!({ "name": "M" }), json!({ "website": "m.example" })),
        ("budgets", json!({ "month": "2020-01" }), json!({ "budgeted_spending": 5 })),
        ("budget_categories", line(&category), json!({ "budgeted_spending": 5 })),
        (
            "recurring_transactions",
            json!({ "name": "M", "amount": 5, "expected_day_of_month": 31 }),
            json!({ "status": "inactive" }),
        ),
    ] {
        let path = format!("/api/v1/{noun}");
        let made = client.post(&path, &new).expect_status(201);
        checker.check(checker.operation("POST", &format!("/{noun}")), &made);
        let path = format!("{path}/{}", made.id());
        let change = change.to_string();
        for method in ["PATCH", "PUT"] {
            let body = Some(("application/json", change.as_bytes()));
            let changed = client.request(method, &path, body).expect_status(200);
            checker.check(checker.operation(method, &format!("/{noun}/{{id}}")), &changed);
        }
        client.delete(&path).expect_status(204);
    }
    for path in ["/categories/bootstrap", "/recurring_transactions/detect"] {
        let made = client.request("POST", &format!("/api/v1{path}"), None).expect_status(201);
        checker.check(checker.operation("POST", path), &made);
    }
    let other = client.post("/api/v1/merchants", &json!({ "name": "O" })).expect_status(201).id();
    let path = format!("/api/v1/merchants/{other}/merge");
    let merged = client.post(&path, &json!({ "into_id": data.merchant })).expect_status(200);
    checker.check(checker.operation("POST", "/merchants/{id}/merge"), &merged);
    let form = crate::support::Multipart::new().file("file", "a.csv", "text/csv", b"name\nP\n");
    let several = client.post_form("/api/v1/merchants", &form).expect_status(201);
    checker.check(checker.operation("POST", "/merchants"), &several);
}

/// Rules are looked at, made, changed, run and deleted.
fn rule_writes(checker: &Checker, client: &Client, data: &Data) {
    let rule = json!({ "rule": {
        "name": "Rent", "effective_date": "2026-01-01",
        "conditions": [{ "condition_type": "compound", "operator": "or", "sub_conditions": [
            { "condition_type": "transaction_amount", "operator": ">", "value": "1" },
            { "condition_type": "transaction_category", "operator": "is_null" },
        ] }],
        "actions": [{ "action_type": "set_transaction_merchant", "value": "Landlord" },
            { "action_type": "set_transaction_name", "value": "Rent" }],
    } });
    let preview = client.post("/api/v1/rules/preview", &rule).expect_status(200);
    checker.check(checker.operation("POST", "/rules/preview"), &preview);
    assert_ne!(preview.json()["data"]["transactions"], json!([]));
    let made = client.post("/api/v1/rules", &rule).expect_status(201);
    checker.check(checker.operation("POST", "/rules"), &made);
    for (status, path, operation) in [
        (202, format!("/api/v1/rules/{}/run", data.rule), "/rules/{id}/run"),
        (202, "/api/v1/rules/run".to_owned(), "/rules/run"),
    ] {
        let answer = client.request("POST", &path, None).expect_status(status);
        checker.check(checker.operation("POST", operation), &answer);
    }
    let path = format!("/api/v1/rules/{}", made.id());
    for (method, fields) in [("PATCH", r#"{"name": null}"#), ("PUT", r#"{"position": 7}"#)] {
        let body = Some(("application/json", fields.as_bytes()));
        let answer = client.request(method, &path, body).expect_status(200);
        checker.check(checker.operation(method, "/rules/{id}"), &answer);
    }
    client.delete(&path).expect_status(204);
}

/// A transfer is rejected, made again, refused; then the family wants others to be looked for.
fn transfer_writes(checker: &Checker, client: &Client, data: &Data) {
    let path = format!("/api/v1/transfers/{}", data.transfer);
    let rejected = client.patch(&path, &json!({ "status": "rejected" })).expect_status(200);
    checker.check(checker.operation("PATCH", "/transfers/{id}"), &rejected);
    let side = |name: &str| rejected.json()[name]["id"].clone();
    let pair = json!({ "outflow_transaction_id": side("outflow_transaction"),
        "inflow_transaction_id": side("inflow_transaction") });
    for status in [201, 409] {
        let answer = client.post("/api/v1/transfers", &pair).expect_status(status);
        checker.check(checker.operation("POST", "/transfers"), &answer);
    }
    let path = format!("/api/v1/rejected_transfers/{}", data.rejected_transfer);
    client.delete(&path).expect_status(204);
    for (wanted, status) in [("off", 409), ("propose", 202)] {
        let settings = json!({ "transfer_matching": wanted });
        let answer = client.patch("/api/v1/family_settings", &settings).expect_status(200);
        checker.check(checker.operation("PATCH", "/family_settings"), &answer);
        let answer = client.request("POST", "/api/v1/transfers/match", None);
        checker.check(checker.operation("POST", "/transfers/match"), &answer.expect_status(status));
    }
}

#[test]
fn the_page_of_the_description_loads_nothing_from_elsewhere() {
    let server = Server::start(Backend::Sqlite);
    let page = server.client().get("/api/docs/").expect_status(200);
    assert!(page.header("Content-Type").unwrap().starts_with("text/html"));
    let html = page.text();
    let mut loaded = references(&html);
    loaded.sort();
    assert!(loaded.len() >= 4, "{loaded:?}");
    let mut own_script = String::new();
    for reference in &loaded {
        assert!(!reference.contains("//") && !reference.starts_with("data:"), "{reference}");
        let path = format!("/api/docs/{}", reference.trim_start_matches("./"));
        let asset = server.client().get(&path).expect_status(200);
        assert!(!asset.bytes.is_empty(), "{path}");
        if reference.ends_with("initializer.js") {
            own_script = asset.text();
        }
    }
    assert!(own_script.contains("/api/v1/openapi.json"), "{own_script}");
    for elsewhere in ["http://", "https://", "petstore"] {
        assert!(!own_script.contains(elsewhere), "{own_script}");
        assert!(!html.contains(elsewhere), "{html}");
    }
    // Whatever the bundle holds, the browser loads nothing from elsewhere.
    let policy = page.header("Content-Security-Policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'"] {
        assert!(policy.split("; ").any(|one| one == rule), "{policy}");
    }
    server.client().get("/api/docs/../../etc/passwd").expect_status(404);
    server.client().get("/api/docs/nothing.js").expect_status(404);
}

/// The document, and answers held against it.
struct Checker {
    document: Value,
    operations: Vec<Operation>,
}

impl Checker {
    fn operation(&self, method: &str, path: &str) -> &Operation {
        let name = format!("{method} {path}");
        self.operations.iter().find(|one| one.name() == name).unwrap_or_else(|| panic!("{name}"))
    }

    #[track_caller]
    fn check(&self, operation: &Operation, answer: &Answer) {
        let case = format!("{} {}", operation.name(), answer.status);
        let response = &operation.body["responses"][answer.status.to_string()];
        assert!(response.is_object(), "{case} is not documented: {}", answer.text());
        let stream = &response["content"]["text/event-stream"]["schema"];
        if stream.is_object() {
            // The schema is that of the data of each event.
            let text = answer.text();
            let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
            let events: Vec<Value> =
                events.map(|data| serde_json::from_str(data).expect(&case)).collect();
            assert!(events.len() >= 2, "{case}: {text}");
            return events.iter().for_each(|data| self.check_value(&case, data, stream));
        }
        let schema = &response["content"]["application/json"]["schema"];
        self.check_value(&case, &answer.json(), schema);
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
fn id_for<'d>(path: &str, data: &'d Data) -> &'d str {
    let noun = path.trim_start_matches("/api/v1/").split('/').next().unwrap();
    match noun {
        "accounts" => &data.account,
        "balances" => &data.balance,
        "budget_categories" => &data.budget_category,
        "budgets" => &data.budget,
        "categories" => &data.category,
        "merchants" => &data.merchant,
        "recurring_transactions" => &data.recurring,
        "tags" => &data.tag,
        "holdings" => &data.holding,
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
        "exchange_rates",
        "holdings",
        "import_templates",
        "imports",
        "merchants",
        "recurring_transactions",
        "rejected_transfers",
        "rule_runs",
        "rules",
        "securities",
        "security_prices",
        "tags",
        "trades",
        "transactions",
        "transfers",
        "valuations",
    ];
    segments.len() == 2 && shown.contains(&segments[0])
}

/// The names of the schemas that a body may have.
#[track_caller]
fn schema_names(schema: &Value) -> Vec<&str> {
    let variants = schema["oneOf"].as_array().map_or(std::slice::from_ref(schema), Vec::as_slice);
    let names =
        variants.iter().map(|one| one["$ref"].as_str().and_then(|path| path.rsplit('/').next()));
    names.collect::<Option<_>>().unwrap_or_else(|| panic!("{schema}"))
}

#[track_caller]
fn assert_references_lead_somewhere(document: &Value, value: &Value) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').expect("inside the document");
                assert!(document.pointer(pointer).is_some(), "{reference}");
            }
            members.values().for_each(|one| assert_references_lead_somewhere(document, one));
        }
        Value::Array(items) => {
            items.iter().for_each(|one| assert_references_lead_somewhere(document, one));
        }
        _ => {}
    }
}

/// What a page loads: the values of `src` and `href`.
fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in ["src=\"", "href=\"", "src='", "href='"] {
        let quote = attribute.chars().last().unwrap();
        for rest in html.split(attribute).skip(1) {
            found.push(rest.split(quote).next().unwrap().to_owned());
        }
    }
    found
}
