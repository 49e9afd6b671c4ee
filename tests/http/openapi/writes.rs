//! Writes that succeed, and some that are refused, held against the description.

use serde_json::json;

use super::answers::Checker;
use crate::isolation_data::Data;
use crate::support::Client;

/// Writes that succeed, and refusals that name an import.
pub(super) fn writes(checker: &Checker, client: &Client, data: &Data) {
    let account = &data.account;
    let valuation = json!({ "valuation": {
        "account_id": account, "amount": "1", "date": "2026-03-01", "upsert": true } });
    for (status, method, path, body) in [
        (201, "POST", "/accounts", json!({ "name": "New", "account_type": "loan" })),
        (201, "POST", "/valuations", valuation.clone()),
        (200, "POST", "/valuations", valuation),
        (201, "POST", "/imports", json!({ "raw_file_content": "date,amount\n2026-01-02,+1\n" })),
        (422, "POST", "/imports", json!({ "type": "Nonsense" })),
        (
            200,
            "POST",
            "/imports/preflight",
            json!({ "raw_file_content": "date,amount\n2026-01-02,+1\n2026-01-03,x\n" }),
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
    client.delete(&path).expect_status(200);
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
    delete(checker, client, &import, "/imports/{id}");
    let path = format!("/api/v1/valuations/{}", data.valuation);
    for method in ["PATCH", "PUT"] {
        let body = Some(("application/json", br#"{"notes": null}"#.as_slice()));
        let answer = client.request(method, &path, body).expect_status(200);
        checker.check(checker.operation(method, "/valuations/{id}"), &answer);
    }
    delete(checker, client, &path, "/valuations/{id}");
}

/// Deletes what is at the path; the answer has a body, but for tags.
fn delete(checker: &Checker, client: &Client, path: &str, operation: &str) {
    let status = if operation == "/tags/{id}" { 204 } else { 200 };
    let answer = client.delete(path).expect_status(status);
    checker.check(checker.operation("DELETE", operation), &answer);
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
    delete(checker, client, &split, "/transactions/{id}/split");
    delete(checker, client, &path, "/accounts/{id}");
}

/// Changes of an import after its upload, and of templates.
fn import_changes(checker: &Checker, client: &Client, data: &Data) {
    session_writes(checker, client, data);
    let import = format!("/api/v1/imports/{}", data.pending_import);
    let content = "date,amount,name,notes,category,tags\n2026-01-02,+1,opal,,,\n";
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
    delete(checker, client, &path, "/import_templates/{id}");
}

/// A file that is sent in chunks.
fn session_writes(checker: &Checker, client: &Client, data: &Data) {
    let path = format!("/import_sessions/{}", data.import_session);
    let tag = "{\"type\":\"Tag\",\"data\":{\"id\":\"t2\",\"name\":\"Second\"}}\n";
    let chunk = json!({ "sequence": 2, "raw_file_content": tag });
    let mut other = chunk.clone();
    other["client_chunk_id"] = json!("other");
    let new = json!({ "client_session_id": "new", "expected_chunks": 1 });
    for (status, method, below, body) in [
        (201, "POST", None, new),
        (409, "POST", None, json!({ "client_session_id": "new", "expected_chunks": 2 })),
        (422, "POST", None, json!({})),
        (422, "POST", Some("/publish"), json!({})),
        (201, "POST", Some("/chunks"), chunk.clone()),
        (409, "POST", Some("/chunks"), other),
        (422, "POST", Some("/chunks"), json!({ "sequence": 2 })),
        (200, "DELETE", Some("/chunks/2"), json!({})),
        (404, "DELETE", Some("/chunks/2"), json!({})),
        (201, "POST", Some("/chunks"), chunk),
        (202, "POST", Some("/publish"), json!({})),
        (202, "POST", Some("/publish"), json!({})),
        (409, "DELETE", Some("/chunks/2"), json!({})),
        (200, "DELETE", Some(""), json!({})),
    ] {
        let place = below.map_or("/import_sessions".to_owned(), |below| format!("{path}{below}"));
        let body = body.to_string();
        let sent = Some(("application/json", body.as_bytes()));
        let answer = client.request(method, &format!("/api/v1{place}"), sent);
        let operation =
            place.replace(&data.import_session, "{id}").replace("chunks/2", "chunks/{n}");
        checker.check(checker.operation(method, &operation), &answer.expect_status(status));
    }
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
    client.delete(&format!("/api/v1/security_prices/{}", data.price)).expect_status(200);
    client.delete(&format!("/api/v1/exchange_rates/{}", data.rate)).expect_status(200);
}

/// Writes of trades and of cost bases.
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
    client.delete(&path).expect_status(200);
}

/// Labels and plans are made, changed and removed.
fn label_writes(checker: &Checker, client: &Client, data: &Data) {
    let line = |category: &str| json!({ "budget_id": data.budget, "category_id": category, "budgeted_spending": 1 });
    let category = client.post("/api/v1/categories", &json!({ "name": "N" })).id();
    for (noun, new, change) in [
        ("categories", json!({ "name": "M", "parent_id": category }), json!({ "icon": "x" })),
        ("tags", json!({ "name": "M" }), json!({ "color": "#aabbcc" })),
        ("merchants", json!({ "name": "M" }), json!({ "website": "m.example" })),
        (
            "webhooks",
            json!({ "url": "https://hooks.example/", "events": ["sync.failed"],
                "secret": "0123456789abcdef" }),
            json!({ "active": false }),
        ),
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
        delete(checker, client, &path, &format!("/{noun}/{{id}}"));
    }
    for path in ["/categories/bootstrap", "/recurring_transactions/detect"] {
        let body = Some(("application/json", b"[]".as_slice()));
        let refused = client.request("POST", &format!("/api/v1{path}"), body).expect_status(422);
        checker.check(checker.operation("POST", path), &refused);
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
    client.delete(&path).expect_status(200);
}

/// A transfer is rejected, made again, refused; then the family wants others to be looked for, and
/// everything to be synced.
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
        if status == 201 {
            let path = format!("/api/v1/transfers/{}", answer.id());
            let confirmed = client.put(&path, &json!({ "status": "confirmed" })).expect_status(200);
            checker.check(checker.operation("PUT", "/transfers/{id}"), &confirmed);
        }
    }
    let out = side("outflow_transaction");
    let path = format!("/api/v1/transactions/{}/transfer", out.as_str().expect("an id"));
    let link = json!({ "other_transaction_id": side("inflow_transaction") });
    let linked = client.patch(&path, &link).expect_status(200);
    checker.check(checker.operation("PATCH", "/transactions/{id}/transfer"), &linked);
    let unlinked = client.put(&path, &json!({ "other_transaction_id": null })).expect_status(200);
    checker.check(checker.operation("PUT", "/transactions/{id}/transfer"), &unlinked);
    let path = format!("/api/v1/rejected_transfers/{}", data.rejected_transfer);
    client.delete(&path).expect_status(200);
    for (wanted, status) in [("off", 409), ("propose", 202)] {
        let settings = json!({ "transfer_matching": wanted });
        let answer = client.patch("/api/v1/family_settings", &settings).expect_status(200);
        checker.check(checker.operation("PATCH", "/family_settings"), &answer);
        let answer = client.put("/api/v1/family_settings", &settings).expect_status(200);
        checker.check(checker.operation("PUT", "/family_settings"), &answer);
        let answer = client.request("POST", "/api/v1/transfers/match", None);
        checker.check(checker.operation("POST", "/transfers/match"), &answer.expect_status(status));
    }
    let path = format!("/api/v1/syncs/{}/revert", data.sync);
    let undone = client.request("POST", &path, None).expect_status(200);
    checker.check(checker.operation("POST", "/syncs/{id}/revert"), &undone);
    let path = format!("/api/v1/webhooks/{}/test", data.connection);
    let tested = client.request("POST", &path, None).expect_status(202);
    checker.check(checker.operation("POST", "/webhooks/{id}/test"), &tested);
    let path = format!("/api/v1/duplicates/{}/merge", data.duplicate);
    let merged = client.request("POST", &path, None).expect_status(200);
    checker.check(checker.operation("POST", "/duplicates/{id}/merge"), &merged);
    let requested = client.request("POST", "/api/v1/sync", None).expect_status(202);
    checker.check(checker.operation("POST", "/sync"), &requested);
    let requested = client.request("POST", "/api/v1/family_exports", None).expect_status(202);
    checker.check(checker.operation("POST", "/family_exports"), &requested);
}
