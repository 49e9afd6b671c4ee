//! Budgets with sums that are larger than any amount may be, and their lists of missing rates.

use serde_json::{Value, json};

use super::{LINES, PATH, budget, id, line};
use crate::both;
use crate::categories::category;
use crate::openapi::document::document;
use crate::support::{Client, Family};

/// The largest amount that an entry may have.
const MOST: &str = "900000000000000";

fn account(family: &Family, name: &str, currency: &str) -> String {
    family.account_with(json!({ "name": name, "account_type": "depository",
        "currency": currency, "opening_balance": "0" }))
}

/// Spends so much of an account in January.
fn spend(api: &Client, account: &str, amount: &str, category: &str) {
    let transaction = json!({ "account_id": account, "date": "2026-01-12", "amount": amount,
        "name": "Spent", "category_id": category });
    let body = json!({ "transaction": transaction });
    api.post("/api/v1/transactions", &body).expect_status(201);
}

/// The names of an object's members.
fn members(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

both! {
    fn a_budget_adds_up_more_than_an_amount_holds(server) {
        let family = server.family();
        let api = &family.api;
        let [food, fun] = ["Food", "Fun"].map(|name| category(api, name, None));
        for name in ["One", "Other"] {
            spend(api, &account(&family, name, "USD"), MOST, &food);
        }
        let made = budget(api, json!({ "month": "2026-01", "budgeted_spending": "100" }));
        let path = format!("{PATH}/{}", id(&made));
        // No line names what was spent.
        let seen = api.get(&path).expect_status(200).json();
        assert_eq!(seen["unbudgeted"][0]["actual_spending_decimal"], "1800000000000000.00");
        let lines = [&food, &fun].map(|category| line(api, &id(&made), category, MOST));
        let seen = api.get(&path).expect_status(200).json();
        for (name, expected) in [
            ("actual_spending", json!("$1,800,000,000,000,000.00")),
            ("actual_spending_decimal", json!("1800000000000000.00")),
            ("actual_spending_cents", json!(180_000_000_000_000_000_i64)),
            ("allocated_spending", json!("$1,800,000,000,000,000.00")),
            ("remaining", json!("-$1,799,999,999,999,900.00")),
            ("remaining_decimal", json!("-1799999999999900.00")),
            ("is_over", json!(true)),
            ("unbudgeted", json!([])),
        ] {
            assert_eq!(seen[name], expected, "{name}: {seen}");
        }
        let shown = api.get(&format!("{LINES}/{}", lines[0])).expect_status(200).json();
        assert_eq!(shown["actual_spending_decimal"], "1800000000000000.00");
        assert_eq!(shown["remaining"], "-$900,000,000,000,000.00");
        assert_eq!(shown["is_over"], true);
        assert_eq!(seen["budget_categories"][0], shown);
    }

    fn the_smallest_units_of_a_sum_are_shown_to_the_last_digit(server) {
        let family = server.family();
        let api = &family.api;
        let food = category(api, "Food", None);
        for name in ["One", "Two", "Three"] {
            spend(api, &account(&family, name, "BTC"), "90000000000", &food);
        }
        let made = budget(api, json!({ "month": "2026-01", "currency": "BTC",
            "budgeted_spending": "0" }));
        let made = id(&made);
        let food = line(api, &made, &food, "0");
        // Compared as text: these are more than 64 bits, and readers of JSON may round them.
        for path in [format!("{PATH}/{made}"), format!("{LINES}/{food}")] {
            let answer = api.get(&path).expect_status(200).text();
            for member in [
                r#""actual_spending_cents":27000000000000000000,"#,
                r#""actual_spending_decimal":"270000000000.00000000","#,
                r#""remaining_cents":-27000000000000000000,"#,
            ] {
                assert!(answer.contains(member), "{member} in {answer}");
            }
        }
    }

    fn what_no_sum_holds_once_converted_is_missing(server) {
        let family = server.family();
        let api = &family.api;
        let food = category(api, "Food", None);
        spend(api, &account(&family, "Pounds", "GBP"), MOST, &food);
        spend(api, &account(&family, "Dollars", "USD"), "7", &food);
        let stated = json!({ "base": "GBP", "quote": "USD", "date": "2026-01-05",
            "rate": "1000000000000000000000000000" });
        api.post("/api/v1/exchange_rates", &stated).expect_status(201);
        let made = id(&budget(api, json!({ "month": "2026-01" })));
        let food = line(api, &made, &food, "60");
        let seen = api.get(&format!("{PATH}/{made}")).expect_status(200).json();
        assert_eq!(seen["actual_spending"], "$7.00");
        let missing = json!({ "from_currency": "GBP", "to_currency": "USD",
            "first_date": "2026-01-12", "last_date": "2026-01-12", "transactions_count": 1 });
        assert_eq!(seen["missing_rates"], json!([missing]));
        let shown = api.get(&format!("{LINES}/{food}")).expect_status(200).json();
        assert_eq!(shown["is_incomplete"], true);
        // Budgets and cash flow have different texts for it, each as documented.
        let path = "/api/v1/reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31";
        let flow = api.get(path).expect_status(200).json();
        let document = document(&server);
        let schemas = &document["components"]["schemas"];
        let documented = |name: &str| members(&schemas[name]["properties"]);
        assert_eq!(members(&seen["missing_rates"][0]), documented("BudgetMissingRate"));
        assert_eq!(members(&flow["missing"][0]), documented("MissingRate"));
    }
}
