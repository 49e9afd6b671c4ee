//! `Idempotency-Key`: a request that is sent again has its effect once.

use serde_json::{Value, json};

use crate::both;
use crate::openapi::document::operations;
use crate::support::{Answer, Client, Family, Multipart, Server, Sql};
use crate::usage::in_parallel;

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n2026-01-03,-4.50,Tea\n";

/// A route that takes the header: what to send, and how to count its effects.
struct Route {
    name: &'static str,
    path: String,
    /// What has an effect.
    body: Value,
    /// Something else that would have one too.
    other: Value,
    /// Something that is refused.
    invalid: Value,
    status: u16,
    /// The list that has another length after the effect.
    counted: &'static str,
}

impl Route {
    /// Whether the same twice makes two: a day has one valuation, a transaction one transfer.
    fn can_be_repeated(&self) -> bool {
        let once = [
            "POST /budget_categories",
            "POST /budgets",
            "POST /categories",
            "POST /merchants",
            "POST /recurring_transactions",
            "POST /tags",
            "POST /exchange_rates",
            "POST /securities",
            "POST /security_prices",
            "POST /transfers",
            "POST /valuations",
        ];
        !once.contains(&self.name)
    }
}

both! {
    fn every_post_of_the_interface_is_in_the_table(server) {
        let (_, routes) = family_with_routes(&server);
        let mut known: Vec<&str> = routes.iter().map(|route| route.name).collect();
        // Have no body: tests of their own.
        known.extend(["POST /imports/{id}/publish", "POST /imports/{id}/revert", "POST /sync"]);
        // Doing it again makes the same parts: a test of its own.
        known.extend(["POST /transactions/{id}/split", "POST /webhooks/{id}/test"]);
        known.extend(["POST /transfers/match", "POST /family_exports", "POST /webhooks"]);
        // Make nothing that has an id: tests of their own.
        known.extend(["POST /exchange_rates/import", "POST /security_prices/import"]);
        known.extend(["POST /categories/bootstrap", "POST /syncs/{id}/revert", "POST /rules/run"]);
        known.extend(["POST /merchants/{id}/merge", "POST /duplicates/{id}/merge"]);
        known.extend(["POST /recurring_transactions/detect", "POST /rules/{id}/run"]);
        for operation in operations(&server).iter().filter(|one| one.method == "POST") {
            if ["POST /imports/preflight", "POST /rules/preview"].contains(&operation.name().as_str())
            {
                // Has no effect that could happen twice.
                continue;
            }
            // What asks a provider, and what is sent in chunks, has tests of its own.
            let elsewhere = ["provider_", "sessions"].map(|part| operation.path.contains(part));
            let is_known = known.contains(&operation.name().as_str());
            assert!(is_known || elsewhere.contains(&true), "{}", operation.name());
            let headers = operation.parameters("header");
            assert!(headers.contains(&"Idempotency-Key".to_owned()), "{}", operation.name());
        }
    }

    fn the_same_again_is_answered_as_before_and_has_no_second_effect(server) {
        let (family, routes) = family_with_routes(&server);
        for route in &routes {
            let before = count(&family.api, route.counted);
            let client = keyed(&family.api, "same");
            let first = client.post(&route.path, &route.body).expect_status(route.status);
            assert!(first.header("Idempotency-Replayed").is_none(), "{}", route.name);
            for again in [&client, &keyed(&family.api, "\"same\"")] {
                let again = again.post(&route.path, &route.body);
                assert_replay(&again, &first, route.name);
            }
            assert_eq!(count(&family.api, route.counted), before + 1, "{}", route.name);
            let reused = client.post(&route.path, &route.other);
            reused.expect_error(422, "idempotency_key_reused");
            assert_eq!(count(&family.api, route.counted), before + 1, "{}", route.name);
        }
    }

    fn a_key_belongs_to_its_family_and_its_route(server) {
        let (family, routes) = family_with_routes(&server);
        let (other, other_routes) = family_with_routes(&server);
        for (route, same) in routes.iter().zip(&other_routes) {
            let first = keyed(&family.api, "shared").post(&route.path, &route.body);
            let first = first.expect_status(route.status);
            let before = count(&other.api, same.counted);
            let fresh = keyed(&other.api, "shared").post(&same.path, &same.body);
            let fresh = fresh.expect_status(same.status);
            assert!(fresh.header("Idempotency-Replayed").is_none(), "{}", route.name);
            assert_ne!(fresh.id(), first.id(), "{}", route.name);
            assert_eq!(count(&other.api, same.counted), before + 1, "{}", route.name);
        }
    }

    fn without_the_header_nothing_is_folded(server) {
        let (family, routes) = family_with_routes(&server);
        for route in routes.iter().filter(|route| route.can_be_repeated()) {
            let before = count(&family.api, route.counted);
            let ids = [0, 1].map(|_| {
                let answer = family.api.post(&route.path, &route.body).expect_status(route.status);
                assert!(answer.header("Idempotency-Replayed").is_none(), "{}", route.name);
                answer.id()
            });
            assert_ne!(ids[0], ids[1], "{}", route.name);
            assert_eq!(count(&family.api, route.counted), before + 2, "{}", route.name);
        }
    }

    fn a_refused_request_does_not_burn_its_key(server) {
        let (family, routes) = family_with_routes(&server);
        for route in &routes {
            let client = keyed(&family.api, "refused first");
            for _ in 0..2 {
                client.post(&route.path, &route.invalid).expect_error(400, "bad_request");
            }
            let client = keyed(&family.api, "refused-first");
            for _ in 0..2 {
                // The key is given back right after the answer.
                crate::support::until("the refusal", || {
                    let answer = client.post(&route.path, &route.invalid);
                    assert!([409, 422].contains(&answer.status), "{}", answer.text());
                    (answer.status == 422).then_some(())
                });
            }
            crate::support::until("the key to be free", || {
                let answer = client.post(&route.path, &route.body);
                assert!([409, 422, route.status].contains(&answer.status), "{}", answer.text());
                (answer.status == route.status).then_some(())
            });
        }
    }

    fn sixteen_at_once_have_one_effect(server) {
        let (family, routes) = family_with_routes(&server);
        for route in &routes {
            let before = count(&family.api, route.counted);
            let client = keyed(&family.api, "at-once");
            let answers = in_parallel(16, |_| client.post(&route.path, &route.body));
            let mut bodies = std::collections::BTreeSet::new();
            let mut firsts = 0;
            for answer in answers {
                if answer.status == 409 {
                    assert_eq!(answer.header("Retry-After"), Some("1"));
                    answer.expect_error(409, "idempotency_key_in_use");
                    continue;
                }
                let answer = answer.expect_status(route.status);
                firsts += usize::from(answer.header("Idempotency-Replayed").is_none());
                bodies.insert(answer.text());
            }
            assert_eq!((firsts, bodies.len()), (1, 1), "{}", route.name);
            assert_eq!(count(&family.api, route.counted), before + 1, "{}", route.name);
        }
    }

    fn answers_are_repeated_after_a_restart(server) {
        let (family, routes) = family_with_routes(&server);
        let answer = |route: &Route| {
            keyed(&family.api, "restart").post(&route.path, &route.body).expect_status(route.status)
        };
        let first: Vec<Answer> = routes.iter().map(answer).collect();
        assert!(server.stop().success());
        server.start_again();
        for (route, first) in routes.iter().zip(&first) {
            assert_replay(&answer(route), first, route.name);
        }
        server.kill();
        server.start_again();
        for (route, first) in routes.iter().zip(&first) {
            assert_replay(&answer(route), first, route.name);
        }
    }

    fn a_day_later_the_key_is_free_again(server) {
        let (family, routes) = family_with_routes(&server);
        let route = &routes[0];
        let client = keyed(&family.api, "yesterday");
        let first = client.post(&route.path, &route.body).expect_status(201).id();
        let microseconds = 24 * 3600 * 1_000_000_i64;
        let age = |by: i64| {
            let change = format!("UPDATE idempotency_keys SET created_at = created_at - {by}");
            Sql::open(&server).run(&change);
        };
        age(microseconds - 60_000_000);
        assert_eq!(client.post(&route.path, &route.body).expect_status(201).id(), first);
        age(120_000_000);
        assert_ne!(client.post(&route.path, &route.body).expect_status(201).id(), first);
    }

    fn an_undo_that_is_asked_for_twice_happens_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let id = family.import(&account, CSV)["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/imports/{id}/revert");
        let client = keyed(&family.api, "undo");
        let first = client.request("POST", &path, None).expect_status(202);
        assert_eq!(first.json()["data"]["status"], "reverting");
        crate::support::until("the end of the undo", || {
            let import = family.api.get(&format!("/api/v1/imports/{id}")).json();
            (import["data"]["status"] == "pending").then_some(())
        });
        assert_replay(&client.request("POST", &path, None), &first, "undo");
        let unkeyed = family.api.request("POST", &path, None);
        assert_eq!(unkeyed.expect_error(422, "not_revertable")["import_id"], id);
    }

    fn a_publish_that_is_asked_for_twice_happens_once(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let upload = json!({ "raw_file_content": CSV, "account_id": account });
        let id = family.api.post("/api/v1/imports", &upload).expect_status(201).id();
        let path = format!("/api/v1/imports/{id}/publish");
        let client = keyed(&family.api, "publish");
        let ask = || client.request("POST", &path, None);
        let first = ask().expect_status(202);
        assert_replay(&ask(), &first, "while it runs");
        family.api.wait_for_import(&id);
        assert_replay(&ask(), &first, "when it is done");
        let unkeyed = family.api.request("POST", &path, None);
        assert_eq!(unkeyed.expect_error(422, "not_publishable")["import_id"], id);
        let other = family.api.post("/api/v1/imports", &upload).expect_status(201).id();
        let other = format!("/api/v1/imports/{other}/publish");
        client.request("POST", &other, None).expect_error(422, "idempotency_key_reused");
        assert_eq!(count(&family.api, "/api/v1/transactions"), 2);
    }

    fn a_run_of_rules_that_is_asked_for_twice_happens_once(server) {
        let family = server.family();
        let rule = json!({ "actions": [{ "action_type": "exclude_transaction" }] });
        let rule = family.api.post("/api/v1/rules", &rule).expect_status(201).id();
        for path in [format!("/api/v1/rules/{rule}/run"), "/api/v1/rules/run".to_owned()] {
            let before = count(&family.api, "/api/v1/rule_runs");
            let client = keyed(&family.api, "run");
            let first = client.request("POST", &path, None).expect_status(202);
            assert_replay(&client.request("POST", &path, None), &first, &path);
            assert_eq!(count(&family.api, "/api/v1/rule_runs"), before + 1);
            family.api.request("POST", &path, None).expect_status(202);
            assert_eq!(count(&family.api, "/api/v1/rule_runs"), before + 2);
        }
    }

    fn a_split_that_is_asked_for_twice_happens_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let entered = json!({ "account_id": account, "date": "2026-01-02", "amount": 3,
            "name": "Tea" });
        let whole = family.api.post("/api/v1/transactions", &entered).expect_status(201).id();
        let path = format!("/api/v1/transactions/{whole}/split");
        let parts = json!({ "parts": [{ "amount": 1 }, { "amount": 2 }] });
        let client = keyed(&family.api, "split");
        let first = client.post(&path, &parts).expect_status(201);
        assert_replay(&client.post(&path, &parts), &first, "split");
        let again = family.api.post(&path, &parts).expect_status(201);
        assert_ne!(again.json()["parts"][0]["id"], first.json()["parts"][0]["id"]);
        let others = json!({ "parts": [{ "amount": 2 }, { "amount": 1 }] });
        client.post(&path, &others).expect_error(422, "idempotency_key_reused");
        assert_eq!(count(&family.api, "/api/v1/transactions"), 2);
    }

    fn the_same_form_with_another_boundary_is_the_same(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let form = Multipart::new()
            .text("account_id", &account)
            .file("file", "a.csv", "text/csv", CSV.as_bytes());
        let client = keyed(&family.api, "form");
        let first = client.post_form("/api/v1/imports", &form).expect_status(201);
        let (content_type, body) = form.encode();
        let boundary = content_type.split_once("boundary=").unwrap().1;
        let other = "another-boundary";
        let body = String::from_utf8(body).unwrap().replace(boundary, other);
        let content_type = content_type.replace(boundary, other);
        let send = |body: &str| {
            client.request("POST", "/api/v1/imports", Some((&content_type, body.as_bytes())))
        };
        let again = send(&body);
        assert_replay(&again, &first, "another boundary");
        let changed = send(&body.replace("Coffee", "Cocoa"));
        changed.expect_error(422, "idempotency_key_reused");
        assert_eq!(count(&family.api, "/api/v1/imports"), 1);
    }

    fn an_answer_is_not_repeated_to_a_key_that_may_not_see_it(server) {
        let family = server.family();
        family.account("Open", "depository");
        let hidden = family.account("Hidden", "depository");
        let made = server.run_json(
            &[
                "key", "add", "--user", &family.email, "--name", "k", "--scope", "read_write",
                "--account", "Open",
            ],
            "",
        );
        let restricted = server.client().with_key(made["key"].as_str().unwrap());
        let body = json!({
            "valuation": { "account_id": hidden, "amount": "1", "date": "2026-01-02" }
        });
        keyed(&family.api, "k").post("/api/v1/valuations", &body).expect_status(201);
        let answer = keyed(&restricted, "k").post("/api/v1/valuations", &body);
        assert!((400..500).contains(&answer.status), "{}", answer.text());
        assert!(!answer.text().contains("Hidden") && !answer.text().contains(&hidden));
    }
}

/// A family with an account, and every POST route with a body.
fn family_with_routes(server: &Server) -> (Family, Vec<Route>) {
    let family = server.family();
    let account = family.account("Checking", "depository");
    let valuation = |amount: &str| {
        let date = "2026-01-02";
        json!({ "valuation": { "account_id": account, "amount": amount, "date": date } })
    };
    let entered = |amount: &str| json!({ "account_id": account, "date": "2026-01-02", "amount": amount, "name": "Tea" });
    let (pair, other_pair) = pairs(&family, &account);
    let broker = family.account("Broker", "investment");
    let buy = |qty: &str| {
        json!({ "trade": { "account_id": broker, "type": "buy", "date": "2026-01-02",
            "ticker": "VTI", "qty": qty, "price": "1" } })
    };
    let rate =
        |rate: &str| json!({ "base": "EUR", "quote": "USD", "date": "2026-01-02", "rate": rate });
    let priced = crate::securities::security(&family.api, &json!({ "ticker": "PRICED" }));
    let price = |price: &str| json!({ "security_id": priced, "date": "2026-01-02", "price": price, "currency": "USD" });
    let routes = vec![
        Route {
            name: "POST /accounts",
            path: "/api/v1/accounts".to_owned(),
            body: json!({ "name": "Savings", "account_type": "depository" }),
            other: json!({ "name": "Savings", "account_type": "loan" }),
            invalid: json!({ "name": "Savings", "account_type": "nonsense" }),
            status: 201,
            counted: "/api/v1/accounts",
        },
        Route {
            name: "POST /transactions",
            path: "/api/v1/transactions".to_owned(),
            body: entered("12.50"),
            other: entered("12.51"),
            invalid: entered("much"),
            status: 201,
            counted: "/api/v1/transactions",
        },
        Route {
            name: "POST /imports",
            path: "/api/v1/imports".to_owned(),
            body: json!({ "raw_file_content": CSV, "account_id": account }),
            other: json!({ "raw_file_content": CSV.replace("Tea", "Mate"), "account_id": account }),
            invalid: json!({ "raw_file_content": CSV, "type": "Nonsense" }),
            status: 201,
            counted: "/api/v1/imports",
        },
        Route {
            name: "POST /trades",
            path: "/api/v1/trades".to_owned(),
            body: buy("1"),
            other: buy("2"),
            invalid: buy("0"),
            status: 201,
            counted: "/api/v1/trades",
        },
        Route {
            name: "POST /rules",
            path: "/api/v1/rules".to_owned(),
            body: json!({ "actions": [{ "action_type": "exclude_transaction" }] }),
            other: json!({ "actions": [{ "action_type": "set_transaction_name", "value": "x" }] }),
            invalid: json!({ "actions": [] }),
            status: 201,
            counted: "/api/v1/rules",
        },
        Route {
            name: "POST /exchange_rates",
            path: "/api/v1/exchange_rates".to_owned(),
            body: rate("1.1"),
            other: rate("1.2"),
            invalid: rate("much"),
            status: 201,
            counted: "/api/v1/exchange_rates",
        },
        Route {
            name: "POST /securities",
            path: "/api/v1/securities".to_owned(),
            body: json!({ "ticker": "NEW" }),
            other: json!({ "ticker": "NEWER" }),
            invalid: json!({ "ticker": "V T I" }),
            status: 201,
            counted: "/api/v1/securities",
        },
        Route {
            name: "POST /security_prices",
            path: "/api/v1/security_prices".to_owned(),
            body: price("1.1"),
            other: price("1.2"),
            invalid: price("much"),
            status: 201,
            counted: "/api/v1/security_prices",
        },
        Route {
            name: "POST /transfers",
            path: "/api/v1/transfers".to_owned(),
            invalid: json!({ "outflow_transaction_id": pair["inflow_transaction_id"],
                "inflow_transaction_id": pair["outflow_transaction_id"] }),
            body: pair,
            other: other_pair,
            status: 201,
            counted: "/api/v1/transfers",
        },
        Route {
            name: "POST /valuations",
            path: "/api/v1/valuations".to_owned(),
            body: valuation("12.50"),
            other: valuation("12.51"),
            invalid: valuation("much"),
            status: 201,
            counted: "/api/v1/valuations",
        },
    ];
    let routes = routes.into_iter().chain(label_routes(&family)).collect();
    (family, routes)
}

/// Labels and plans: each is there once.
fn label_routes(family: &Family) -> Vec<Route> {
    let label = |name: &'static str, path: &'static str| Route {
        name,
        path: path.to_owned(),
        body: json!({ "name": "One" }),
        other: json!({ "name": "Another" }),
        invalid: json!({ "name": "" }),
        status: 201,
        counted: path,
    };
    let month = json!({ "month": "2025-01" });
    let budget = family.api.post("/api/v1/budgets", &month).expect_status(201).id();
    let line = |number: u8| {
        let name = json!({ "name": format!("Category {number}") });
        let category = family.api.post("/api/v1/categories", &name).expect_status(201).id();
        json!({ "budget_id": budget, "category_id": category, "budgeted_spending": 1 })
    };
    let rent = |name: &str| json!({ "name": name, "amount": 1, "expected_day_of_month": 1 });
    vec![
        label("POST /categories", "/api/v1/categories"),
        label("POST /merchants", "/api/v1/merchants"),
        label("POST /tags", "/api/v1/tags"),
        Route {
            name: "POST /budgets",
            path: "/api/v1/budgets".to_owned(),
            body: json!({ "month": "2026-01" }),
            other: json!({ "month": "2026-02" }),
            invalid: json!({ "month": "January" }),
            status: 201,
            counted: "/api/v1/budgets",
        },
        Route {
            name: "POST /budget_categories",
            path: "/api/v1/budget_categories".to_owned(),
            body: line(1),
            other: line(2),
            invalid: json!({}),
            status: 201,
            counted: "/api/v1/budget_categories",
        },
        Route {
            name: "POST /recurring_transactions",
            path: "/api/v1/recurring_transactions".to_owned(),
            body: rent("Rent"),
            other: rent("Gym"),
            invalid: rent(""),
            status: 201,
            counted: "/api/v1/recurring_transactions",
        },
    ]
}

/// Two pairs of transactions that nobody has matched.
fn pairs(family: &Family, account: &str) -> (Value, Value) {
    let off = json!({ "transfer_matching": "off" });
    family.api.patch("/api/v1/family_settings", &off).expect_status(200);
    let savings = family.account("Pot", "depository");
    family.import(account, "date,amount,name\n2026-03-01,-7,a\n2026-03-02,-8,b\n");
    family.import(&savings, "date,amount,name\n2026-03-01,7,c\n2026-03-02,8,d\n");
    let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
    let id = |name: &str| {
        let mut all = listed["transactions"].as_array().unwrap().iter();
        all.find(|one| one["name"] == name).unwrap()["id"].clone()
    };
    let pair = |out: &str, into: &str| json!({ "outflow_transaction_id": id(out), "inflow_transaction_id": id(into) });
    (pair("a", "c"), pair("b", "d"))
}

fn keyed(client: &Client, key: &str) -> Client {
    client.with_header("Idempotency-Key", key)
}

#[track_caller]
fn count(client: &Client, list: &str) -> u64 {
    let body = client.get(list).expect_status(200).json();
    let total = body["meta"]["total_count"].as_u64().or(body["pagination"]["total_count"].as_u64());
    // Some lists have no envelope.
    let total = total.or(body.as_array().map(|all| all.len() as u64));
    total.unwrap_or_else(|| panic!("{list}: {body}"))
}

#[track_caller]
fn assert_replay(again: &Answer, first: &Answer, case: &str) {
    assert_eq!(again.status, first.status, "{case}: {}", again.text());
    assert_eq!(again.text(), first.text(), "{case}");
    assert_eq!(again.header("Content-Type"), first.header("Content-Type"), "{case}");
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"), "{case}");
}
