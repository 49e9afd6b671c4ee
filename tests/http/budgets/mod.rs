//! Budgets, their categories, and what was spent.

mod large;

use serde_json::{Value, json};

use crate::both;
use crate::categories::category;
use crate::imports::assert_whole;
use crate::support::{Client, Family};

const PATH: &str = "/api/v1/budgets";
const LINES: &str = "/api/v1/budget_categories";

#[track_caller]
fn budget(client: &Client, fields: Value) -> Value {
    client.post(PATH, &json!({ "budget": fields })).expect_status(201).json()
}

#[track_caller]
fn line(client: &Client, budget: &str, category: &str, amount: &str) -> String {
    let fields = json!({
        "budget_id": budget, "category_id": category, "budgeted_spending": amount
    });
    client.post(LINES, &json!({ "budget_category": fields })).expect_status(201).id()
}

fn days(budget: &Value) -> [&str; 2] {
    ["start_date", "end_date"].map(|name| budget[name].as_str().unwrap())
}

fn id(value: &Value) -> String {
    value["id"].as_str().unwrap().to_owned()
}

/// January 2026: groceries, a refund, eating out, a salary, rent without a category.
fn january(family: &Family) {
    let account = family.account("Main", "depository");
    family.import(
        &account,
        "date,amount,name,category\n\
         2026-01-02,-120.50,a,Food:Groceries\n2026-01-05,20.50,b,Food:Groceries\n\
         2026-01-09,-50,c,Food:Bars\n2026-01-10,-7,d,Food\n2026-01-11,-30,e,Fun\n\
         2026-01-25,3000,f,Income:Salary\n2026-01-31,-900,g,\n2026-02-01,-1,h,Food\n",
    );
}

#[track_caller]
fn category_id(client: &Client, path: &str) -> String {
    let listed = client.get("/api/v1/categories?per_page=100").expect_status(200).json();
    let mut all = listed["categories"].as_array().unwrap().iter();
    id(all.find(|one| one["path"] == path).unwrap())
}

both! {
    fn a_budget_shows_what_was_spent(server) {
        let family = server.family();
        january(&family);
        let made = budget(&family.api, json!({
            "month": "2026-01", "budgeted_spending": "1200", "expected_income": 3000.5 }));
        assert_eq!(days(&made), ["2026-01-01", "2026-01-31"]);
        assert_eq!(made["budgeted_spending"], "$1,200.00");
        assert_eq!(made["expected_income_decimal"], "3000.50");
        assert_eq!(made["expected_income_cents"], 300_050);
        let id = id(&made);
        let food = line(&family.api, &id, &category_id(&family.api, "Food"), "150");
        let bars = line(&family.api, &id, &category_id(&family.api, "Food: Bars"), "50");
        let seen = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        assert_eq!(seen["actual_spending_decimal"], "1087.00");
        assert_eq!(seen["actual_income"], "$3,000.00");
        assert_eq!((&seen["remaining_cents"], &seen["is_over"]), (&json!(11_300), &json!(false)));
        assert_eq!(seen["allocated_spending_decimal"], "150.00");
        let lines = seen["budget_categories"].as_array().unwrap();
        let shown: Vec<Value> = lines.iter().map(|line| json!([
            line["category"]["path"], line["actual_spending_decimal"], line["remaining_decimal"],
            line["is_over"] ])).collect();
        let expected = [
            json!(["Food", "157.00", "-7.00", true]),
            json!(["Food: Bars", "50.00", "0.00", false]),
        ];
        assert_eq!(shown, expected);
        let unbudgeted: Vec<Value> = seen["unbudgeted"].as_array().unwrap().iter().map(|one| {
            json!([one["category"]["path"], one["actual_spending_cents"]])
        }).collect();
        assert_eq!(unbudgeted, [json!([null, 90_000]), json!(["Fun", 3_000])]);
        assert_eq!(seen["missing_rates"], json!([]));
        let shown = family.api.get(&format!("{LINES}/{food}")).expect_status(200).json();
        assert_eq!(shown["actual_spending"], "$157.00");
        assert_eq!(shown["budget_id"], id.as_str());
        assert_eq!(made["name"], "January 2026");
        // Every answer about the line names its budget and shows its category.
        let bars_id = category_id(&family.api, "Food: Bars");
        let category = family.api.get(&format!("/api/v1/categories/{bars_id}")).json();
        let path = format!("{LINES}/{bars}");
        let list = family.api.get(&format!("{LINES}?category_id={bars_id}")).expect_status(200);
        let same = json!({ "budgeted_spending": "50" });
        for one in [
            list.json()["budget_categories"][0].clone(),
            family.api.patch(&path, &same).expect_status(200).json(),
            family.api.get(&path).expect_status(200).json(),
            seen["budget_categories"][1].clone(),
        ] {
            assert_eq!((&one["id"], &one["budget_name"]), (&json!(bars), &made["name"]));
            assert_eq!(one["category_id"], bars_id);
            let expected = json!({ "id": bars_id, "name": "Bars", "path": "Food: Bars",
                "parent_id": category["parent"]["id"], "color": category["color"],
                "icon": "shapes", "lucide_icon": "shapes" });
            assert_eq!(one["category"], expected);
            assert_eq!((&one["subcategory"], &one["inherits_parent_budget"]), (&json!(true), &json!(false)));
        }
        let nothing = json!({ "budgeted_spending": 0 });
        let inherits = family.api.patch(&path, &nothing).expect_status(200).json();
        assert_eq!(inherits["inherits_parent_budget"], true);
        let food = family.api.patch(&format!("{LINES}/{food}"), &nothing).expect_status(200).json();
        assert_eq!((&food["subcategory"], &food["inherits_parent_budget"]), (&json!(false), &json!(false)));
        family.api.delete(&format!("{LINES}/{bars}")).expect_status(200);
        family.api.get(&format!("{LINES}/{bars}")).expect_error(404, "not_found");
        assert_whole(&server);
    }

    fn transfers_and_excluded_ones_are_not_spent(server) {
        let family = server.family();
        let off = json!({ "transfer_matching": "off" });
        family.api.patch("/api/v1/family_settings", &off).expect_status(200);
        let [main, pot] = ["Main", "Pot"].map(|name| family.account(name, "depository"));
        family.import(&main, "date,amount,name\n2026-01-02,-70,out\n2026-01-03,-5,spent\n");
        family.import(&pot, "date,amount,name\n2026-01-02,70,in\n");
        let made = budget(&family.api, json!({ "start_date": "2026-01-20" }));
        assert_eq!(made["start_date"], "2026-01-01");
        let path = format!("{PATH}/{}", id(&made));
        let sums = || {
            let seen = family.api.get(&path).expect_status(200).json();
            (seen["actual_spending_cents"].clone(), seen["actual_income_cents"].clone())
        };
        assert_eq!(sums(), (json!(7_500), json!(7_000)));
        let listed = family.api.get("/api/v1/transactions").json();
        let find = |name: &str| {
            let mut all = listed["transactions"].as_array().unwrap().iter();
            all.find(|one| one["name"] == name).unwrap()["id"].clone()
        };
        let pair = json!({
            "outflow_transaction_id": find("out"), "inflow_transaction_id": find("in")
        });
        family.api.post("/api/v1/transfers", &pair).expect_status(201);
        assert_eq!(sums(), (json!(500), json!(0)));
        let seen = family.api.get(&path).json();
        assert_eq!((&seen["remaining"], &seen["is_over"]), (&json!(null), &json!(null)));
    }

    fn a_month_has_one_budget(server) {
        let family = server.family();
        let first = budget(&family.api, json!({ "month": "2026-01" }));
        for again in [json!({ "month": "2026-01" }), json!({ "start_date": "2026-01-31" })] {
            family.api.post(PATH, &again).expect_error(409, "budget_exists");
        }
        let settings = json!({ "month_start_day": 25 });
        family.api.patch("/api/v1/family_settings", &settings).expect_status(200);
        // The old month reaches into the new one.
        family.api.post(PATH, &json!({ "month": "2026-01" })).expect_error(409, "budget_exists");
        let next = budget(&family.api, json!({ "start_date": "2026-02-26", "currency": "EUR" }));
        assert_eq!(days(&next), ["2026-02-25", "2026-03-24"]);
        assert_eq!(next["name"], "25 Feb – 24 Mar 2026");
        assert_eq!(next["currency"], "EUR");
        let listed = |query: &str| -> Vec<Value> {
            let body = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            body["budgets"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect()
        };
        assert_eq!(listed(""), [next["id"].clone(), first["id"].clone()]);
        assert_eq!(listed("start_date=2026-01-02"), [next["id"].clone()]);
        assert_eq!(listed("end_date=2026-02-01"), [first["id"].clone()]);
        for wrong in [
            json!({}),
            json!({ "month": "1/2026" }),
            json!({ "month": "2026-01", "start_date": "2026-01-01" }),
            json!({ "month": "2026-05", "budgeted_spending": -1 }),
            json!({ "month": "2026-05", "copy_from": "x" }),
            json!({ "month": "2026-05", "copy_from": category(&family.api, "A", None) }),
            json!({ "month": "2026-05", "copy_from": next["id"], "currency": "USD" }),
        ] {
            family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        }
    }

    fn a_budget_is_current_in_its_month_and_initialized_by_its_plan(server) {
        let family = server.family();
        let today = crate::ledger::today(&family);
        let now = budget(&family.api, json!({ "start_date": today, "budgeted_spending": 5 }));
        let past = budget(&family.api, json!({ "month": "2020-01", "expected_income": 5 }));
        for (made, expected) in [(now, true), (past, false)] {
            let path = format!("{PATH}/{}", id(&made));
            let same = json!({ "expected_income": 5 });
            let listed = family.api.get(PATH).expect_status(200).json();
            let mut listed = listed["budgets"].as_array().unwrap().iter();
            for one in [
                made.clone(),
                family.api.get(&path).expect_status(200).json(),
                family.api.patch(&path, &same).expect_status(200).json(),
                listed.find(|one| one["id"] == made["id"]).unwrap().clone(),
            ] {
                assert_eq!((&one["current"], &one["initialized"]), (&json!(expected), &json!(expected)));
            }
        }
    }

    fn a_budget_is_copied_changed_and_removed(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        let first = budget(&family.api, json!({ "month": "2026-01", "budgeted_spending": 100 }));
        let first = id(&first);
        let old_line = line(&family.api, &first, &food, "60");
        let second = budget(&family.api, json!({
            "month": "2026-02", "copy_from": first, "expected_income": "9" }));
        assert_eq!(second["budgeted_spending_cents"], 10_000);
        assert_eq!(second["expected_income_cents"], 900);
        let second = id(&second);
        let lines = |query: &str| {
            let body = family.api.get(&format!("{LINES}?{query}")).expect_status(200).json();
            body["budget_categories"].as_array().unwrap().clone()
        };
        assert_eq!(lines(&format!("category_id={food}")).len(), 2);
        let copied = lines(&format!("budget_id={second}"));
        assert_eq!((copied.len(), &copied[0]["budgeted_spending"]), (1, &json!("$60.00")));
        let path = format!("{LINES}/{}", id(&copied[0]));
        let changed = family.api.patch(&path, &json!({ "budgeted_spending": 61.25 }));
        assert_eq!(changed.expect_status(200).json()["budgeted_spending_decimal"], "61.25");
        let wrong = family.api.patch(&path, &json!({ "budgeted_spending": "-1" }));
        wrong.expect_error(422, "validation_failed");
        let again = json!({ "budget_id": second, "category_id": food, "budgeted_spending": 1 });
        family.api.post(LINES, &again).expect_error(409, "budget_category_exists");
        let strange = category(&server.family().api, "Food", None);
        let wrong = json!({ "budget_id": strange, "category_id": strange, "budgeted_spending": 1 });
        let wrong = family.api.post(LINES, &wrong).expect_error(422, "validation_failed");
        assert_eq!(wrong["errors"].as_array().unwrap().len(), 2);
        let path = format!("{PATH}/{second}");
        let cleared = family.api.patch(&path, &json!({ "budgeted_spending": null }));
        let cleared = cleared.expect_status(200).json();
        assert_eq!(cleared["budgeted_spending"], json!(null));
        assert_eq!(cleared["expected_income_cents"], 900);
        family.api.delete(&path).expect_status(200);
        assert_eq!(lines("").len(), 1);
        // The category takes its line along, or leaves it to another.
        let fun = category(&family.api, "Fun", None);
        line(&family.api, &first, &fun, "5");
        let path = format!("/api/v1/categories/{food}?replacement_id={fun}");
        family.api.delete(&path).expect_status(200);
        let left = lines("");
        assert_eq!((left.len(), &left[0]["budgeted_spending"]), (1, &json!("$65.00")));
        family.api.get(&format!("{LINES}/{old_line}")).expect_error(404, "not_found");
        family.api.delete(&format!("/api/v1/categories/{fun}")).expect_status(200);
        assert!(lines("").is_empty());
        assert_whole(&server);
    }

    fn a_restricted_key_gets_no_budgets(server) {
        let family = server.family();
        family.account("Own", "depository");
        let made = id(&budget(&family.api, json!({ "month": "2026-01" })));
        let key = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "r", "--scope", "read_write",
                "--account", "Own"],
            "",
        );
        let key = server.client().with_key(key["key"].as_str().unwrap());
        for path in [PATH, LINES, &format!("{PATH}/{made}")] {
            key.get(path).expect_error(403, "restricted_key");
        }
        key.post(PATH, &json!({ "month": "2026-02" })).expect_error(403, "restricted_key");
        key.delete(&format!("{PATH}/{made}")).expect_error(403, "restricted_key");
    }

    fn an_undo_keeps_a_category_that_a_budget_names(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "date,amount,name,category\n2026-01-02,-5,a,Food\n2026-01-02,-6,b,Fun\n";
        let import = id(&family.import(&account, csv));
        let made = id(&budget(&family.api, json!({ "month": "2026-01" })));
        line(&family.api, &made, &category_id(&family.api, "Food"), "60");
        let revert = format!("/api/v1/imports/{import}/revert");
        family.api.request("POST", &revert, None).expect_status(202);
        crate::support::until("the end of the undo", || {
            let import = family.api.get(&format!("/api/v1/imports/{import}")).json();
            assert_ne!(import["data"]["status"], "revert_failed");
            (import["data"]["status"] == "pending").then_some(())
        });
        assert_eq!(crate::categories::paths(&family.api, ""), ["Food"]);
        let seen = family.api.get(&format!("{PATH}/{made}")).expect_status(200).json();
        assert_eq!(seen["actual_spending_cents"], 0);
        assert_whole(&server);
    }
}
