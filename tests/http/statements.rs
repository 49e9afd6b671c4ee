//! How many statements requests send to the database. Each is a round trip to PostgreSQL, so a
//! request that reads something twice is slower on every network, whatever the machine.
//!
//! The numbers are upper bounds: a change that needs fewer lowers them. They include the six of
//! authentication (a transaction that reads the directory, and one that reads the family), `BEGIN`,
//! the lock of the family and `COMMIT`.

use serde_json::{Value, json};

use crate::both;
use crate::support::{Backend, Family, Server};

/// A route of the interface.
#[derive(Clone, Copy)]
struct Route(&'static str, &'static str);

const CREATE: Route = Route("POST", "/api/v1/transactions");
const LIST: Route = Route("GET", "/api/v1/transactions");
const SHOW: Route = Route("GET", "/api/v1/transactions/{id}");
const CHANGE: Route = Route("PATCH", "/api/v1/transactions/{id}");
const DELETE: Route = Route("DELETE", "/api/v1/transactions/{id}");
const REMOVE_CATEGORY: Route = Route("DELETE", "/api/v1/categories/{id}");
const MERGE_MERCHANT: Route = Route("POST", "/api/v1/merchants/{id}/merge");
const REMOVE_TAG: Route = Route("DELETE", "/api/v1/tags/{id}");

/// The statements that all requests of a route have sent so far.
fn sent(server: &Server, Route(method, route): Route) -> u64 {
    let name =
        format!("purser_http_request_statements_sum{{method=\"{method}\",route=\"{route}\"}} ");
    let text = server.client().get("/metrics").expect_status(200).text();
    let number = text.lines().find_map(|line| line.strip_prefix(&name));
    number.map_or(0, |number| number.parse().unwrap())
}

/// Sends a request that succeeds, with at most `most` statements.
#[track_caller]
fn request(
    (server, family): (&Server, &Family),
    route: Route,
    path: &str,
    body: &Value,
    most: u64,
) -> Value {
    let before = sent(server, route);
    let bytes = body.to_string();
    let content = (!body.is_null()).then_some(("application/json", bytes.as_bytes()));
    let answer = family.api.request(route.0, path, content);
    assert!(answer.status < 300, "{} {path}: {} {}", route.0, answer.status, answer.text());
    let statements = sent(server, route) - before;
    assert!(statements > 0, "{} {path} was not counted", route.0);
    assert!(statements <= most, "{} {path} {body}: {statements} statements", route.0);
    if answer.bytes.is_empty() { Value::Null } else { answer.json() }
}

both! {
    fn a_change_reads_each_thing_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let food = family.api.post("/api/v1/categories", &json!({ "name": "Food" })).id();
        let home = family.api.post("/api/v1/categories", &json!({ "name": "Home" })).id();
        let merchant = family.api.post("/api/v1/merchants", &json!({ "name": "Baker" })).id();
        let tag = family.api.post("/api/v1/tags", &json!({ "name": "Trip" })).id();
        let on = (&server, &family);
        let new = json!({ "account_id": account, "date": "2026-01-10", "amount": "10",
            "name": "Bread", "category_id": food });
        let made = request(on, CREATE, CREATE.1, &new, 23);
        let path = format!("{}/{}", CREATE.1, made["id"].as_str().unwrap());
        // The first change stores the origin too.
        for (fields, most) in [
            (json!({ "name": "Rolls" }), 20),
            (json!({ "name": "Buns" }), 19),
            (json!({ "notes": "Fresh" }), 19),
            (json!({ "category_id": home }), 20),
            (json!({ "merchant_id": merchant }), 20),
            (json!({ "tag_ids": [tag] }), 23),
            (json!({ "excluded": true }), 19),
            // They queue a matching, or widen the one that waits.
            (json!({ "amount": "11" }), 25),
            (json!({ "date": "2026-01-12" }), 25),
            (json!({ "date": "2026-02-12" }), 25),
            (json!({ "date": "2026-02-12" }), 13),
        ] {
            request(on, CHANGE, &path, &fields, most);
        }
        request(on, SHOW, &path, &Value::Null, 11);
        request(on, LIST, LIST.1, &Value::Null, 13);
        request(on, DELETE, &path, &Value::Null, 23);
    }
}

/// Creates transactions with labels, and as many rules that give them, and one budget line.
fn use_labels(family: &Family, account: &str, [category, merchant, tag]: &[String; 3], times: u32) {
    let make = |path: &str, fields: Value| family.api.post(path, &fields).id();
    let budget = json!({ "budget": { "month": format!("2026-{times:02}") } });
    let budget = make("/api/v1/budgets", budget);
    let line = json!({ "budget_id": budget, "category_id": category, "budgeted_spending": "5" });
    make("/api/v1/budget_categories", json!({ "budget_category": line }));
    let action = |action_type: &str, id: &str| json!({ "action_type": action_type, "value": id });
    let actions = [
        action("set_transaction_category", category),
        action("set_transaction_merchant", merchant),
        action("set_transaction_tags", tag),
    ];
    let bread = json!({ "account_id": account, "date": "2026-01-10", "amount": "10",
        "name": "Bread", "category_id": category, "merchant_id": merchant, "tag_ids": [tag] });
    let condition = json!({ "condition_type": "transaction_name", "operator": "like",
        "value": "Bread" });
    let rule = json!({ "name": "Bread", "conditions": [condition], "actions": actions });
    for _ in 0..times {
        make(CREATE.1, bread.clone());
        make("/api/v1/rules", json!({ "rule": rule }));
    }
}

both! {
    // What points to a label is read for the audit event, but never one by one.
    fn a_label_goes_with_few_statements_however_much_points_to_it(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let on = (&server, &family);
        // On SQLite, where no statement is a round trip, it is asked first how many entries there
        // are.
        let asked = if server.backend() == Backend::Sqlite { 3 } else { 0 };
        for (times, most) in [(0, [29, 21, 21]), (1, [39, 26, 27]), (9, [39, 26, 27])] {
            let label = |kind: &str, name: &str| {
                let named = json!({ "name": format!("{name} {times}") });
                family.api.post(&format!("/api/v1/{kind}"), &named).id()
            };
            let labels = [("categories", "Food"), ("merchants", "Baker"), ("tags", "Trip")]
                .map(|(kind, name)| label(kind, name));
            if times > 0 {
                use_labels(&family, &account, &labels, times);
            }
            let [food, baker, trip] = labels;
            let (home, grocer) = (label("categories", "Home"), label("merchants", "Grocer"));
            let path = |Route(_, path): Route, id: &str| path.replace("{id}", id);
            let replaced = format!("{}?replacement_id={home}", path(REMOVE_CATEGORY, &food));
            request(on, REMOVE_CATEGORY, &replaced, &Value::Null, asked + most[0]);
            let into = json!({ "into_id": grocer });
            request(on, MERGE_MERCHANT, &path(MERGE_MERCHANT, &baker), &into, asked + most[1]);
            request(on, REMOVE_TAG, &path(REMOVE_TAG, &trip), &Value::Null, asked + most[2]);
        }
    }
}
