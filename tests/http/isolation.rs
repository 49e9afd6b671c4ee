//! Nobody sees or changes what isn't theirs: for every route of the description and every place in
//! it where an id can stand, somebody else's id is answered exactly as one that nothing has.
//!
//! The places come from the description. A path, a parameter or a body that the tables below don't
//! know makes the test fail, so a new route can't come without its case.

use serde_json::{Value, json};

use crate::both;
use crate::isolation_data::{Data, native_sessions};
use crate::isolation_paths::{ID_PARAMETERS, PATHS};
use crate::openapi::document::{Operation, UNKNOWN_ID, operations};
use crate::support::{Answer, Client, Family, Multipart, Options, Scope, Server};

/// Parameters of queries that don't.
const PLAIN_PARAMETERS: [&str; 34] = [
    "page",
    "per_page",
    "include_disabled",
    "resource_type",
    "active",
    "execution_type",
    "start_executed_at",
    "end_executed_at",
    "status",
    "type",
    "uncategorized",
    "start_date",
    "end_date",
    "min_amount",
    "max_amount",
    "search",
    "verdict",
    "date",
    "name",
    "roots_only",
    "replacement_id",
    "ticker",
    "exchange_operating_mic",
    "kind",
    "offline",
    "provisional",
    "currency",
    "source",
    "base",
    "quote",
    "interval",
    "year",
    "from",
    "to",
];
/// Headers that have no ids of data.
const PLAIN_HEADERS: [&str; 3] = ["Idempotency-Key", "If-None-Match", "X-Request-Id"];
const MALFORMED: [&str; 3] = ["1", "x", "0190f5f07c007a10800000000000dead"];
/// What the log must never show; the second is the password of every user that tests make.
const PASSWORD: &str = "correct horse battery staple";

both! {
    fn no_route_shows_or_changes_another_familys_data(
        server = Options::new().env("PURSER_RATE_LIMIT", "0").env("PURSER_LOG", "trace")
    ) {
        let (ours, theirs) = (server.family(), server.family());
        let our_data = Data::fill(&server, &ours, "opal");
        let their_data = Data::fill(&server, &theirs, "canary");
        let before = [our_data.state(&ours.api), their_data.state(&theirs.api)];
        assert!(before[0].contains("opal") && before[1].contains("canary"));
        let key = server.key(&ours.email, Scope::ReadWrite);
        let client = server.client().with_key(&key);
        matrix(&server, &client, &their_data);
        assert_eq!([our_data.state(&ours.api), their_data.state(&theirs.api)], before);
        let log = server.log();
        assert!(log.contains("DEBUG") && log.contains("route=\"/api/v1/imports/{id}\""));
        for secret in [key.as_str(), &key[7..], PASSWORD] {
            assert!(!log.contains(secret), "the log shows a secret");
        }
    }

    fn a_restricted_key_stays_inside_its_accounts(
        server = Options::new().env("PURSER_RATE_LIMIT", "0")
    ) {
        let family = server.family();
        let open = Data::fill(&server, &family, "opal");
        let hidden = Data::fill(&server, &family, "canary");
        let before = [open.state(&family.api), hidden.state(&family.api)];
        let client = restricted_to(&server, &family, &open.account);
        matrix(&server, &client, &hidden);
        assert_eq!([open.state(&family.api), hidden.state(&family.api)], before);
        reads_and_writes(&client, &open);
    }

    fn a_restricted_key_imports_only_into_its_accounts(server) {
        let family = server.family();
        let open = Data::fill(&server, &family, "opal");
        let hidden = Data::fill(&server, &family, "canary");
        let client = restricted_to(&server, &family, &open.account);
        // The file names the account that the key may not see; the key's own account wins.
        let csv = "date,amount,name,account\n2026-02-02,-1,Smuggled,canary account\n";
        let publish = |fields: Value| {
            let mut body = json!({ "raw_file_content": csv, "publish": "true" });
            body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            client.post("/api/v1/imports", &body)
        };
        publish(json!({})).expect_error(422, "validation_failed");
        publish(json!({ "account_col_label": "account" })).expect_error(422, "validation_failed");
        let fields = json!({ "account_id": open.account, "account_col_label": "account" });
        let answer = publish(fields);
        assert!([201, 422].contains(&answer.status), "{}", answer.text());
        if answer.status == 201 {
            client.wait_for_import(&answer.id());
        }
        let of_hidden = format!("/api/v1/transactions?account_id={}", hidden.account);
        let listed = family.api.get(&of_hidden).text();
        assert!(listed.contains("canary payee") && !listed.contains("Smuggled"), "{listed}");
    }
}

/// Every place for an id × every foreign id, one that nothing has, malformed ones.
fn matrix(server: &Server, client: &Client, foreign: &Data) {
    let mut compared = 0;
    for operation in operations(server) {
        require_known(&operation);
        if !operation.writes() && !operation.has_id() {
            assert_clean(&operation.send(client, UNKNOWN_ID), foreign, &operation.name());
        }
        for place in places(&operation) {
            let missing = place.ask(client, &operation, UNKNOWN_ID);
            assert_clean(&missing, foreign, &operation.name());
            for id in foreign.ids() {
                for id in [id.to_owned(), id.to_uppercase()] {
                    let case = format!("{} {place:?} {id}", operation.name());
                    let answer = place.ask(client, &operation, &id);
                    assert_same(&answer, &missing, &case);
                    assert_clean(&answer, foreign, &case);
                    compared += 1;
                }
            }
            for id in MALFORMED {
                let case = format!("{} {place:?} {id}", operation.name());
                let answer = place.ask(client, &operation, id);
                if matches!(place, IdPosition::Query(_)) && missing.status != 403 {
                    answer.expect_error(422, "validation_failed");
                } else {
                    assert_same(&answer, &missing, &case);
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
    let found = client.get(&format!("/api/v1/transactions?search={}", foreign.mark));
    assert_eq!(found.expect_status(200).json()["pagination"]["total_count"], 0);
}

/// Where an id can stand.
#[derive(Debug, Clone)]
enum IdPosition {
    Path,
    Query(String),
    Body,
    Form,
}

impl IdPosition {
    #[track_caller]
    fn ask(&self, client: &Client, operation: &Operation, id: &str) -> Answer {
        match self {
            Self::Path => {
                let body = body(operation, UNKNOWN_ID).map(|body| body.to_string());
                let sent = body.as_ref().map(|text| ("application/json", text.as_bytes()));
                client.request(&operation.method, &operation.address(id), sent)
            }
            Self::Query(name) => {
                client.get(&format!("{}?{name}={id}", operation.address(UNKNOWN_ID)))
            }
            Self::Body => {
                let body = body(operation, id).expect("a body");
                let address = operation.address(UNKNOWN_ID);
                let sent = Some(("application/json", body.to_string().into_bytes()));
                let sent = sent.as_ref().map(|(content_type, bytes)| (*content_type, &bytes[..]));
                client.request(&operation.method, &address, sent)
            }
            Self::Form => {
                let form = Multipart::new().text("account_id", id).file(
                    "file",
                    "a.csv",
                    "text/csv",
                    b"date,amount\n2026-01-02,+1\n",
                );
                client.post_form(&operation.path, &form)
            }
        }
    }
}

/// The places of an operation.
fn places(operation: &Operation) -> Vec<IdPosition> {
    let mut places = Vec::new();
    if operation.has_id() {
        places.push(IdPosition::Path);
    }
    let query = operation.parameters("query").into_iter();
    let ids = query.filter(|name| ID_PARAMETERS.contains(&name.as_str()));
    // A query is asked for where the path itself names nothing that could be missing.
    assert!(!operation.has_id() || ids.clone().next().is_none(), "{}", operation.name());
    places.extend(ids.map(IdPosition::Query));
    if body_has_account(operation) {
        places.push(IdPosition::Body);
    }
    if ["POST /imports", "POST /imports/preflight"].contains(&operation.name().as_str()) {
        places.push(IdPosition::Form);
    }
    places
}

const CSV: &str = "date,amount\n2026-01-02,+1\n";

/// A body that would have an effect, with an account; `None` where there is no body.
#[track_caller]
fn body(operation: &Operation, account: &str) -> Option<Value> {
    if !operation.body["requestBody"].is_object() {
        return None;
    }
    // PUT takes what PATCH takes.
    Some(match operation.name().replace("PUT ", "PATCH ").as_str() {
        "POST /accounts" => json!({ "name": "New", "account_type": "depository" }),
        "POST /imports" | "POST /imports/preflight" => {
            json!({ "raw_file_content": CSV, "account_id": account, "publish": "true" })
        }
        // Here it is the id of a transaction.
        "POST /transfers" => json!({
            "transfer": { "outflow_transaction_id": account, "inflow_transaction_id": UNKNOWN_ID }
        }),
        "PATCH /transfers/{id}" => json!({ "status": "rejected" }),
        "POST /budgets" => json!({ "month": "2024-01" }),
        "POST /budget_categories" => json!({
            "budget_id": UNKNOWN_ID, "category_id": account, "budgeted_spending": "1"
        }),
        "PATCH /budgets/{id}" | "PATCH /budget_categories/{id}" => {
            json!({ "budgeted_spending": "7" })
        }
        "POST /categories" => json!({ "category": { "name": "taken", "parent_id": account } }),
        "POST /tags" | "POST /merchants" => json!({ "name": "taken" }),
        "PATCH /categories/{id}"
        | "PATCH /tags/{id}"
        | "PATCH /merchants/{id}"
        | "PATCH /accounts/{id}"
        | "PATCH /provider_connections/{id}"
        | "PATCH /import_templates/{id}"
        | "PATCH /securities/{id}" => json!({ "name": "taken" }),
        "POST /merchants/{id}/merge" => json!({ "into_id": account }),
        "POST /recurring_transactions" => json!({ "recurring_transaction": {
            "account_id": account, "name": "taken", "amount": "1", "expected_day_of_month": 1
        } }),
        "PATCH /recurring_transactions/{id}" => json!({ "amount": "7" }),
        "PATCH /family_settings" => json!({ "transfer_matching": "propose" }),
        "PATCH /imports/{id}" | "POST /provider_connections/{id}/accounts/{account}/link" => {
            json!({ "account_id": account })
        }
        "PATCH /imports/{id}/file" => json!({ "raw_file_content": CSV }),
        session if session.starts_with("POST /import_sessions") => native_sessions::body(session),
        "PATCH /imports/{id}/rows/{n}" => json!({ "choice": "leave_out" }),
        "POST /provider_connections" => json!({ "provider": "lunchflow", "key": "taken" }),
        "POST /trades" => json!({ "trade": {
            "account_id": account, "type": "buy", "date": "2026-01-05", "ticker": "NEW",
            "qty": "1", "price": "1"
        } }),
        "PATCH /trades/{id}" => json!({ "trade": { "qty": "7" } }),
        "PATCH /holdings/{id}" => json!({ "holding": { "avg_cost": "7.00" } }),
        "POST /rules" | "POST /rules/preview" => json!({
            "conditions": [
                { "condition_type": "transaction_account", "operator": "=", "value": account }
            ],
            "actions": [{ "action_type": "exclude_transaction" }],
        }),
        "PATCH /rules/{id}" => json!({ "rule": { "name": "taken" } }),
        "POST /valuations" => json!({
            "valuation": { "account_id": account, "amount": "1.00", "date": "2026-01-09" }
        }),
        "POST /transactions" => json!({ "transaction": {
            "account_id": account, "date": "2026-01-09", "amount": "1.00", "name": "taken"
        } }),
        "POST /transactions/{id}/split" => {
            json!({ "parts": [{ "amount": "1.00" }, { "amount": "2.00" }] })
        }
        "PATCH /transactions/{id}" | "PATCH /transactions/{id}/transfer" => {
            json!({ "transaction": { "amount": "1.00", "notes": null } })
        }
        "PATCH /valuations/{id}" => json!({ "valuation": { "amount": "1.00", "notes": null } }),
        "POST /webhooks" => crate::webhooks::body("https://hooks.example/taken"),
        "PATCH /webhooks/{id}" => json!({ "active": false }),
        "POST /securities" => json!({ "ticker": "NEW" }),
        "POST /family_exports" => json!({ "format": "hledger" }),
        "POST /security_prices" => json!({
            "security_id": account, "date": "2026-01-05", "price": "1", "currency": "USD"
        }),
        "POST /security_prices/import" => {
            json!({ "raw_file_content": "date,ticker,price\n2026-01-05,NEW,1\n" })
        }
        "PATCH /security_prices/{id}" => json!({ "price": "7" }),
        "POST /exchange_rates" => {
            json!({ "base": "EUR", "quote": "USD", "date": "2026-01-05", "rate": "7" })
        }
        "POST /exchange_rates/import" => {
            json!({ "raw_file_content": "date,base,quote,rate\n2026-01-06,EUR,USD,7\n" })
        }
        unknown => panic!("{unknown} has a body that no case knows"),
    })
}

fn body_has_account(operation: &Operation) -> bool {
    body(operation, "marker").is_some_and(|body| body.to_string().contains("marker"))
}

/// Fails for what the tables don't know.
fn require_known(operation: &Operation) {
    let name = operation.name();
    assert!(!operation.has_id() || PATHS.contains(&operation.path.as_str()), "no case for {name}");
    for parameter in operation.parameters("query") {
        let known = ID_PARAMETERS.iter().chain(&PLAIN_PARAMETERS).any(|known| *known == parameter);
        assert!(known, "no case for {parameter} of {name}");
    }
    for place in ["cookie", "header"] {
        for parameter in operation.parameters(place) {
            assert!(PLAIN_HEADERS.contains(&&*parameter), "no case for {parameter} of {name}");
        }
    }
    body(operation, UNKNOWN_ID);
}

/// Equal in everything but the time, the request's own id, and what follows from them.
#[track_caller]
fn assert_same(answer: &Answer, missing: &Answer, case: &str) {
    assert_eq!(answer.status, missing.status, "{case}: {}", answer.text());
    assert_eq!(answer.text(), missing.text(), "{case}");
    let headers = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        for own in ["date", "x-request-id"] {
            headers.remove(own);
        }
        headers
    };
    assert_eq!(headers(answer), headers(missing), "{case}");
}

/// Nothing of the foreign data is in the answer.
#[track_caller]
fn assert_clean(answer: &Answer, foreign: &Data, case: &str) {
    let whole = format!("{:?}\n{}", answer.headers, answer.text()).to_lowercase();
    assert!(!whole.contains(&foreign.mark), "{case}: {whole}");
    for id in foreign.ids() {
        assert!(!whole.contains(id), "{case}: {whole}");
    }
}

/// A client with a key that may do everything in one account.
fn restricted_to(server: &Server, family: &Family, account: &str) -> Client {
    let made = server.run_json(
        &[
            "key",
            "add",
            "--user",
            &family.email,
            "--name",
            "restricted",
            "--scope",
            "read_write",
            "--account",
            account,
        ],
        "",
    );
    server.client().with_key(made["key"].as_str().unwrap())
}

/// What a restricted key may do, it can: else the matrix would show nothing.
fn reads_and_writes(client: &Client, open: &Data) {
    client.get(&format!("/api/v1/imports/{}", open.import)).expect_status(200);
    for path in [
        format!("accounts/{}", open.account),
        format!("balances/{}", open.balance),
        format!("holdings/{}", open.holding),
        format!("categories/{}", open.category),
        format!("tags/{}", open.tag),
        format!("merchants/{}", open.merchant),
        format!("recurring_transactions/{}", open.recurring),
        format!("imports/{}/rows", open.import),
        format!("trades/{}", open.trade),
        format!("securities/{}", open.security),
        format!("security_prices/{}", open.price),
        format!("transactions/{}", open.transaction),
        format!("valuations/{}", open.valuation),
    ] {
        let answer = client.get(&format!("/api/v1/{path}")).expect_status(200);
        assert!(answer.text().contains(&open.mark), "{path}: {}", answer.text());
    }
    for (list, items) in [
        ("accounts", "accounts"),
        ("balances", "balances"),
        ("categories", "categories"),
        ("recurring_transactions", "recurring_transactions"),
        ("imports", "data"),
        ("holdings", "holdings"),
        ("trades", "trades"),
        ("securities", "securities"),
        ("security_prices", "security_prices"),
        ("transactions", "transactions"),
        ("valuations", "valuations"),
    ] {
        let body = client.get(&format!("/api/v1/{list}")).expect_status(200).json();
        assert!(!body[items].as_array().unwrap().is_empty(), "{list}");
    }
    let pending = format!("/api/v1/imports/{}", open.pending_import);
    let change = json!({ "signage_convention": "inflows_positive" });
    client.patch(&pending, &change).expect_status(200);
    client.patch(&format!("{pending}/rows/1"), &json!({ "choice": "create" })).expect_status(200);
    let template = format!("/api/v1/import_templates/{}", open.import_template);
    client.patch(&template, &json!({ "name": "mine" })).expect_status(200);
    let publish = format!("/api/v1/imports/{}/publish", open.pending_import);
    client.request("POST", &publish, None).expect_status(202);
    client.wait_for_import(&open.pending_import);
    let transaction = format!("/api/v1/transactions/{}", open.transaction);
    client.patch(&transaction, &json!({ "notes": "mine" })).expect_status(200);
    client.delete(&transaction).expect_status(200);
    let revert = format!("/api/v1/imports/{}/revert", open.pending_import);
    client.get(&revert).expect_status(200);
    client.request("POST", &revert, None).expect_status(202);
    crate::support::until("the undo to let go of the import", || {
        let path = format!("/api/v1/imports/{}", open.pending_import);
        (client.delete(&path).status == 200).then_some(())
    });
    let holding = format!("/api/v1/holdings/{}", open.holding);
    client.patch(&holding, &json!({ "avg_cost": "3.00" })).expect_status(200);
    let trade = format!("/api/v1/trades/{}", open.trade);
    client.patch(&trade, &json!({ "qty": "3" })).expect_status(200);
    client.delete(&trade).expect_status(200);
    let recurring = format!("/api/v1/recurring_transactions/{}", open.recurring);
    client.patch(&recurring, &json!({ "amount": "3.00" })).expect_status(200);
    client.delete(&recurring).expect_status(200);
    let valuation = format!("/api/v1/valuations/{}", open.valuation);
    client.patch(&valuation, &json!({ "amount": "3.00" })).expect_status(200);
    client.delete(&valuation).expect_status(200);
}
