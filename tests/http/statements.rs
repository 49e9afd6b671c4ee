//! How many statements requests send to the database. Each is a round trip to PostgreSQL, so a
//! request that reads the same thing twice is slower on every network, whatever the machine.

use serde_json::{Value, json};

use crate::both;
use crate::support::{Family, Server};

const TRANSACTION: &str = "/api/v1/transactions/{id}";

/// The statements that all requests of a method and a route have sent so far.
fn sent(server: &Server, method: &str, route: &str) -> u64 {
    let name =
        format!("purser_http_request_statements_sum{{method=\"{method}\",route=\"{route}\"}} ");
    let text = server.client().get("/metrics").expect_status(200).text();
    let number = text.lines().find_map(|line| line.strip_prefix(&name));
    number.map_or(0, |number| number.parse().unwrap())
}

/// The statements of one request that succeeds.
#[track_caller]
fn statements(
    server: &Server,
    family: &Family,
    (method, route): (&str, &str),
    path: &str,
    body: &Value,
) -> (u64, Value) {
    let before = sent(server, method, route);
    let bytes = body.to_string();
    let body = (!body.is_null()).then_some(("application/json", bytes.as_bytes()));
    let answer = family.api.request(method, path, body);
    assert!(answer.status < 300, "{method} {path}: {} {}", answer.status, answer.text());
    let answer = if answer.status == 204 { Value::Null } else { answer.json() };
    (sent(server, method, route) - before, answer)
}

both! {
    fn a_change_reads_each_thing_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let category = family.api.post("/api/v1/categories", &json!({ "name": "Food" })).id();
        let merchant = family.api.post("/api/v1/merchants", &json!({ "name": "Baker" })).id();
        let tag = family.api.post("/api/v1/tags", &json!({ "name": "Home" })).id();
        let new = json!({ "account_id": account, "date": "2026-01-10", "amount": "10",
            "name": "Bread", "category_id": category });
        let (count, _) =
            statements(&server, &family, ("POST", "/api/v1/transactions"), "/api/v1/transactions", &new);
        eprintln!("POST transaction: {count}");
        let (count, made) =
            statements(&server, &family, ("POST", "/api/v1/transactions"), "/api/v1/transactions", &new);
        eprintln!("POST transaction, second: {count}");
        let path = format!("/api/v1/transactions/{}", made["id"].as_str().unwrap());
        for fields in [
            json!({ "notes": "first" }),
            json!({ "notes": "second" }),
            json!({ "name": "Rolls" }),
            json!({ "category_id": null }),
            json!({ "category_id": category }),
            json!({ "merchant_id": merchant }),
            json!({ "tag_ids": [tag] }),
            json!({ "excluded": true }),
            json!({ "amount": "11" }),
            json!({ "date": "2026-01-12" }),
            json!({ "notes": "second" }),
        ] {
            let (count, _) = statements(&server, &family, ("PATCH", TRANSACTION), &path, &fields);
            eprintln!("PATCH {fields}: {count}");
        }
        let (count, _) = statements(&server, &family, ("GET", TRANSACTION), &path, &Value::Null);
        eprintln!("GET one: {count}");
        let list = ("GET", "/api/v1/transactions");
        let (count, _) = statements(&server, &family, list, list.1, &Value::Null);
        eprintln!("GET list: {count}");
        let (count, _) = statements(&server, &family, ("DELETE", TRANSACTION), &path, &Value::Null);
        eprintln!("DELETE: {count}");
    }

    fn other_nouns(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let broker = family.account("Broker", "investment");
        let one = format!("/api/v1/accounts/{account}");
        let route = "/api/v1/accounts/{id}";
        let (count, _) =
            statements(&server, &family, ("PATCH", route), &one, &json!({ "name": "Other" }));
        eprintln!("PATCH account name: {count}");
        let (count, _) = statements(&server, &family, ("GET", route), &one, &Value::Null);
        eprintln!("GET account: {count}");
        let trades = "/api/v1/trades";
        let new = json!({ "account_id": broker, "type": "buy", "date": "2024-01-02",
            "ticker": "VTI", "qty": "10", "price": "250" });
        let (count, made) = statements(&server, &family, ("POST", trades), trades, &new);
        eprintln!("POST trade: {count}");
        let path = format!("{trades}/{}", made["id"].as_str().unwrap());
        for fields in [json!({ "notes": "x" }), json!({ "price": "251" })] {
            let (count, _) =
                statements(&server, &family, ("PATCH", "/api/v1/trades/{id}"), &path, &fields);
            eprintln!("PATCH trade {fields}: {count}");
        }
        let (count, _) =
            statements(&server, &family, ("DELETE", "/api/v1/trades/{id}"), &path, &Value::Null);
        eprintln!("DELETE trade: {count}");
        let valuations = "/api/v1/valuations";
        let new = json!({ "account_id": account, "date": "2026-01-02", "amount": "10" });
        let (count, made) = statements(&server, &family, ("POST", valuations), valuations, &new);
        eprintln!("POST valuation: {count}");
        let path = format!("{valuations}/{}", made["id"].as_str().unwrap());
        for fields in [json!({ "notes": "x" }), json!({ "amount": "11" })] {
            let (count, _) =
                statements(&server, &family, ("PATCH", "/api/v1/valuations/{id}"), &path, &fields);
            eprintln!("PATCH valuation {fields}: {count}");
        }
        let (count, _) =
            statements(&server, &family, ("DELETE", "/api/v1/valuations/{id}"), &path, &Value::Null);
        eprintln!("DELETE valuation: {count}");
    }
}
