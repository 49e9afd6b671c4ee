//! What families have that takes several requests to make.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::support::{Family, until};

/// A budget of a month that no other has, with a line for the category, and something that comes
/// every month.
pub(crate) fn planned(
    family: &Family,
    account: &str,
    category: &str,
    mark: &str,
) -> (String, String, String) {
    static MONTHS: AtomicU32 = AtomicU32::new(0);
    let number = MONTHS.fetch_add(1, Ordering::Relaxed);
    let month = format!("{}-{:02}", 1990 + number / 12 % 30, number % 12 + 1);
    let budget = family.api.post("/api/v1/budgets", &json!({ "month": month }));
    let budget = budget.expect_status(201).id();
    let line = json!({ "budget_id": budget, "category_id": category, "budgeted_spending": "9" });
    let line = family.api.post("/api/v1/budget_categories", &line).expect_status(201).id();
    let rent = json!({ "account_id": account, "name": format!("{mark} rent"), "amount": "9",
        "category_id": category, "expected_day_of_month": 1 });
    let rent = family.api.post("/api/v1/recurring_transactions", &rent).expect_status(201).id();
    (budget, line, rent)
}

/// Another account with transactions that cancel two of the first one's: one pair is a transfer,
/// the other is none.
pub(crate) fn pairs(family: &Family, account: &str, mark: &str) -> (String, String, String) {
    let other = family.account(&format!("{mark} other account"), "depository");
    let csv = format!("date,amount,name\n2026-01-02,+2.50,{mark} in\n2026-01-03,+3.50,{mark} in\n");
    family.import(&other, &csv);
    let of = |account: &str| {
        let list = format!("/api/v1/transactions?account_id={account}");
        family.api.get(&list).expect_status(200).json()["transactions"].clone()
    };
    let find = |transactions: &Value, date: &str| {
        let mut all = transactions.as_array().unwrap().iter();
        all.find(|one| one["date"] == date).unwrap()["id"].clone()
    };
    let (out, into) = (of(account), of(&other));
    let made = ["2026-01-02", "2026-01-03"].map(|date| {
        let pair = json!({ "outflow_transaction_id": find(&out, date),
            "inflow_transaction_id": find(&into, date) });
        family.api.post("/api/v1/transfers", &pair).expect_status(201).id()
    });
    let [transfer, rejected] = made;
    let body = json!({ "status": "rejected" });
    family.api.patch(&format!("/api/v1/transfers/{rejected}"), &body).expect_status(200);
    let listed = family.api.get("/api/v1/rejected_transfers").expect_status(200).json();
    let rejected = listed["rejected_transfers"][0]["id"].as_str().unwrap().to_owned();
    (other, transfer, rejected)
}

/// Buys shares and sells some of them; the first trade, its security and the holding.
pub(crate) fn bought(family: &Family, account: &str, mark: &str) -> (String, String, String) {
    let trade = json!({
        "account_id": account, "type": "buy", "date": "2026-01-05", "ticker": mark,
        "exchange_operating_mic": "XNAS", "security_name": format!("{mark} fund"),
        "qty": "10", "price": "18.71", "notes": format!("{mark} notes"),
    });
    let trade = family.api.post("/api/v1/trades", &trade).expect_status(201);
    let sale = json!({ "account_id": account, "type": "sell", "date": "2026-01-06", "ticker": mark,
        "exchange_operating_mic": "XNAS", "qty": "3", "price": "19" });
    family.api.post("/api/v1/trades", &sale).expect_status(201);
    let list = format!("/api/v1/holdings?account_id={account}");
    let holding = family.api.get(&list).expect_status(200).json()["holdings"][0]["id"].clone();
    let security = trade.json()["security"]["id"].clone();
    let text = |value: Value| value.as_str().unwrap().to_owned();
    (trade.id(), text(security), text(holding))
}

/// A rule that is switched off, so that it leaves imports alone, and a run of it.
pub(crate) fn ruled(family: &Family, account: &str, mark: &str) -> (String, String) {
    let rule = json!({
        "name": format!("{mark} rule"), "active": false,
        "conditions": [
            { "condition_type": "transaction_account", "operator": "=", "value": account }
        ],
        "actions": [{ "action_type": "set_transaction_tags", "value": format!("{mark} tag") }],
    });
    let rule = family.api.post("/api/v1/rules", &rule).expect_status(201).id();
    let run = family.api.request("POST", &format!("/api/v1/rules/{rule}/run"), None);
    let run = run.expect_status(202).id();
    until("the end of the run", || {
        let shown = family.api.get(&format!("/api/v1/rule_runs/{run}")).expect_status(200).json();
        (shown["data"]["status"] == "success").then_some(())
    });
    (rule, run)
}
