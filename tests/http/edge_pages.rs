//! Pages: the same rules on every list.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::both;
use crate::openapi::document::operations;
use crate::support::{Client, Family, Server};

/// The lists with pages, and the name of their items; a list without a row here fails a test.
const LISTS: [(&str, &str); 20] = [
    ("/api/v1/accounts", "accounts"),
    ("/api/v1/import_sessions", "data"),
    ("/api/v1/import_templates", "data"),
    ("/api/v1/imports", "data"),
    ("/api/v1/imports/{id}/rows", "data"),
    ("/api/v1/rejected_transfers", "rejected_transfers"),
    ("/api/v1/exchange_rates", "exchange_rates"),
    ("/api/v1/rule_runs", "data"),
    ("/api/v1/rules", "data"),
    ("/api/v1/securities", "securities"),
    ("/api/v1/security_prices", "security_prices"),
    ("/api/v1/transactions", "transactions"),
    ("/api/v1/transfers", "transfers"),
    ("/api/v1/valuations", "valuations"),
    ("/api/v1/holdings", "holdings"),
    ("/api/v1/trades", "trades"),
    ("/api/v1/budget_categories", "budget_categories"),
    ("/api/v1/budgets", "budgets"),
    ("/api/v1/categories", "categories"),
    ("/api/v1/recurring_transactions", "recurring_transactions"),
];

/// Lists with tests of their own: balances are as many as there are days, tags and merchants have
/// no envelope, nothing but a request makes a sync or an export, nothing but a sync duplicates,
/// nothing but an import statements, and nothing but an event deliveries.
const ELSEWHERE: [&str; 8] = [
    "/api/v1/balances",
    "/api/v1/duplicates",
    "/api/v1/family_exports",
    "/api/v1/merchants",
    "/api/v1/statements",
    "/api/v1/syncs",
    "/api/v1/tags",
    "/api/v1/webhooks/{id}/deliveries",
];

/// What is not a whole number from 1, written once.
const WRONG: [&str; 13] =
    ["0", "-1", "abc", "1.5", "", "%20", "1e1", "%2B1", "0x1", "1,0", "%D9%A1", "null", "true"];
/// More than any page's number, and than 64 bits hold.
const LARGE: [&str; 2] = ["9007199254740992", "99999999999999999999999999"];

both! {
    fn pages_are_whole_numbers_from_one_on_every_list(server = crate::ledger::unlimited()) {
        let (family, import) = full(&server);
        let webhook = crate::webhooks::create(&family, "https://hooks.example/", &["sync.failed"]);
        for path in lists(&server, &import, &webhook) {
            for name in ["page", "per_page"] {
                for wrong in WRONG {
                    refuse(&family.api, &path, &format!("{name}={wrong}"), 1);
                }
                for form in ["N[]=1", "N%5B%5D=1", "N[0]=1", "N[a]=1", "N=1&N=1", "N=1&N=2"] {
                    refuse(&family.api, &path, &form.replace('N', name), 1);
                }
            }
            for large in LARGE {
                refuse(&family.api, &path, &format!("page={large}"), 1);
            }
            refuse(&family.api, &path, "page=0&per_page=0", 2);
        }
    }

    fn every_list_is_cut_into_pages_that_do_not_overlap(server = crate::ledger::unlimited()) {
        let (family, import) = full(&server);
        for (path, items) in LISTS {
            let path = path.replace("{id}", &import);
            let whole = list(&family.api, &path, items, "per_page=100");
            let total = whole.items.len();
            assert!(total >= 3, "{path}: {total}");
            let mut seen = Vec::new();
            for page in 1..=total {
                let one = list(&family.api, &path, items, &format!("page={page}&per_page=1"));
                assert_eq!(one.items.len(), 1, "{path}");
                one.assert_position(page, total, total, 1);
                seen.extend(one.items);
            }
            assert_eq!(seen, whole.items, "{path}");
            let ids: BTreeSet<String> = seen.iter().map(ToString::to_string).collect();
            assert_eq!(ids.len(), total, "{path}");
        }
    }

    fn the_ends_of_every_list_are_the_same(server = crate::ledger::unlimited()) {
        let (family, import) = full(&server);
        for (path, items) in LISTS {
            let path = path.replace("{id}", &import);
            let whole = list(&family.api, &path, items, "");
            let total = whole.items.len();
            whole.assert_position(1, 1, total, 25);
            for (query, page, per_page) in [
                ("per_page=101", 1, 100),
                ("per_page=9007199254740991", 1, 100),
                ("per_page=99999999999999999999999999", 1, 100),
                ("page=2", 2, 25),
                ("page=9007199254740991&per_page=100", 9_007_199_254_740_991, 100),
            ] {
                let far = list(&family.api, &path, items, query);
                assert_eq!(far.items.len(), if page == 1 { total } else { 0 }, "{path}?{query}");
                far.assert_position(page, 1, total, per_page);
            }
        }
        let nobody = server.family();
        for (path, items) in LISTS.iter().filter(|(path, _)| !path.contains("{id}")) {
            let empty = list(&nobody.api, path, items, "");
            assert!(empty.items.is_empty(), "{path}");
            empty.assert_position(1, 1, 0, 25);
        }
    }
}

/// A page of a list, read from either envelope.
struct List {
    items: Vec<Value>,
    position: Value,
    has_neighbours: bool,
}

impl List {
    #[track_caller]
    fn assert_position(&self, page: usize, total_pages: usize, total: usize, per_page: usize) {
        let position = &self.position;
        if !self.has_neighbours {
            let expected = json!({
                "page": page, "per_page": per_page, "total_count": total,
                "total_pages": total_pages,
            });
            return assert_eq!(*position, expected);
        }
        let next = (page < total_pages).then_some(page + 1);
        let prev = (page > 1).then(|| (page - 1).min(total_pages));
        let expected = json!({
            "current_page": page, "per_page": per_page, "total_count": total,
            "total_pages": total_pages, "next_page": next, "prev_page": prev,
        });
        assert_eq!(*position, expected);
    }
}

#[track_caller]
fn list(client: &Client, path: &str, items: &str, query: &str) -> List {
    let body = client.get(&format!("{path}?{query}")).expect_status(200).json();
    let has_neighbours = items == "data";
    let position = if has_neighbours { &body["meta"] } else { &body["pagination"] };
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    List {
        items: body[items].as_array().unwrap().clone(),
        position: position.clone(),
        has_neighbours,
    }
}

#[track_caller]
fn refuse(client: &Client, path: &str, query: &str, problems: usize) {
    let answer = client.get(&format!("{path}?{query}"));
    assert_eq!(answer.status, 422, "{path}?{query}: {}", answer.text());
    let body = answer.expect_error(422, "validation_failed");
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(problems), "{query}: {body}");
}

/// The addresses of all lists with pages; the table above has each of them.
fn lists(server: &Server, import: &str, webhook: &str) -> Vec<String> {
    let operations = operations(server).into_iter();
    let paged = operations.filter(|one| one.parameters("query").iter().any(|name| name == "page"));
    let paths: BTreeSet<String> = paged.map(|one| one.path).collect();
    let mut walked = paths.clone();
    for path in ELSEWHERE {
        assert!(walked.remove(path), "{path} has no pages");
    }
    assert_eq!(walked, LISTS.iter().map(|(path, _)| (*path).to_owned()).collect());
    let with_id = |path: &String| {
        let id = if path.contains("/webhooks/") { webhook } else { import };
        path.replace("{id}", id)
    };
    paths.iter().map(with_id).collect()
}

/// A family with at least three of everything, and an import with three rows.
fn full(server: &Server) -> (Family, String) {
    let family = server.family();
    // Pairs are made below; what the matching would find is another test's.
    let off = json!({ "transfer_matching": "off" });
    family.api.patch("/api/v1/family_settings", &off).expect_status(200);
    let other = family.account("Other", "depository");
    let mut import = String::new();
    for number in 1..=3 {
        let account = family.account(&format!("Account {number}"), "depository");
        // Each header is a template of its own.
        let header = format!("date,amount,name,column {number}");
        let day = format!("2026-01-0{number}");
        let csv = format!("{header}\n{day},-1.5,a,\n{day},-1.5,b,\n2026-01-05,-2,c,\n");
        import = family.import(&account, &csv)["id"].as_str().unwrap().to_owned();
        family.import(&other, &format!("date,amount,name\n{day},1.5,d\n{day},1.5,e\n"));
        pair(&family, &day, ["a", "d"]);
        let pair = pair(&family, &day, ["b", "e"]);
        let body = json!({ "status": "rejected" });
        family.api.patch(&format!("/api/v1/transfers/{pair}"), &body).expect_status(200);
        let name = format!("Label {number}");
        crate::imports::native_sessions::begun(&family.api, &name);
        let category = family.api.post("/api/v1/categories", &json!({ "name": name }));
        let category = category.expect_status(201).id();
        let month = json!({ "month": format!("2026-0{number}") });
        let budget = family.api.post("/api/v1/budgets", &month).expect_status(201).id();
        let line = json!({ "budget_id": budget, "category_id": category, "budgeted_spending": 1 });
        family.api.post("/api/v1/budget_categories", &line).expect_status(201);
        let rent = json!({ "name": name, "amount": number, "expected_day_of_month": 1 });
        family.api.post("/api/v1/recurring_transactions", &rent).expect_status(201);
        let valuation = json!({ "account_id": account, "amount": "10", "date": "2026-01-09" });
        let valuation = json!({ "valuation": valuation });
        family.api.post("/api/v1/valuations", &valuation).expect_status(201);
        let rate = json!({ "base": "EUR", "quote": "USD", "date": day, "rate": "1.1" });
        family.api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        let ticker = json!({ "ticker": format!("T{number}") });
        let security = crate::securities::security(&family.api, &ticker);
        let price =
            json!({ "security_id": security, "date": day, "price": "1", "currency": "USD" });
        family.api.post("/api/v1/security_prices", &price).expect_status(201);
        let broker = family.account(&format!("Broker {number}"), "investment");
        let trade = json!({ "account_id": broker, "type": "buy", "date": day, "ticker": "VTI",
            "qty": "1", "price": "1" });
        family.api.post("/api/v1/trades", &trade).expect_status(201);
        let rule = json!({ "actions": [{ "action_type": "exclude_transaction" }] });
        let rule = family.api.post("/api/v1/rules", &rule).expect_status(201).id();
        let run = format!("/api/v1/rules/{rule}/run");
        let run = family.api.request("POST", &run, None).expect_status(202).id();
        crate::support::until("the run to end", || {
            let run = family.api.get(&format!("/api/v1/rule_runs/{run}")).json();
            (run["data"]["status"] == "success").then_some(())
        });
    }
    (family, import)
}

/// Makes a transfer of two transactions of a day.
fn pair(family: &Family, day: &str, names: [&str; 2]) -> String {
    let list = format!("/api/v1/transactions?start_date={day}&end_date={day}");
    let listed = family.api.get(&list).expect_status(200).json();
    let [out, into] = names.map(|name| {
        let mut all = listed["transactions"].as_array().unwrap().iter();
        all.find(|one| one["name"] == name).unwrap()["id"].clone()
    });
    let ids = json!({ "outflow_transaction_id": out, "inflow_transaction_id": into });
    family.api.post("/api/v1/transfers", &json!({ "transfer": ids })).expect_status(201).id()
}
