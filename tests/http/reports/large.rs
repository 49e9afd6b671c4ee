//! Sums that are larger than any amount may be: reports show them to the last digit.

use serde_json::{Value, json};

use super::{net_worth, series, trade};
use crate::both;
use crate::ledger::{text, unlimited};
use crate::support::{Client, Family};
use crate::trades::rate;

/// The largest amount that an entry may have.
const MOST: &str = "900000000000000";
/// A rate by which it is more than 128 bits hold.
const ABSURD_RATE: &str = "1000000000000000000000000000";

fn get(api: &Client, path: &str) -> Value {
    api.get(&format!("/api/v1/{path}")).expect_status(200).json()
}

fn account(family: &Family, name: &str, account_type: &str, currency: &str) -> String {
    family.account_with(json!({ "name": name, "account_type": account_type,
        "currency": currency, "opening_balance": "0" }))
}

/// Spends so much of an account in January.
fn spend(api: &Client, account: &str, amount: &str, category: Option<&str>) {
    let mut transaction = json!({ "account_id": account, "date": "2026-01-12", "amount": amount,
        "name": "Spent" });
    if let Some(category) = category {
        transaction["category_id"] = json!(category);
    }
    let body = json!({ "transaction": transaction });
    api.post("/api/v1/transactions", &body).expect_status(201);
}

fn january(api: &Client) -> Value {
    get(api, "reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31")
}

/// The exact amounts of an object's members.
fn amounts<const N: usize>(object: &Value, names: [&str; N]) -> [String; N] {
    names.map(|name| text(&object[name], "amount"))
}

/// Buys and sells as many shares as a trade may have, twice, each time for a tenth of what they
/// are sold for later; what comes in is spent in between.
fn speculate(family: &Family, broker: &str) {
    let shares = "1000000000000000";
    for (date, kind, price) in [
        ("2026-01-10", "buy", "0.1"),
        ("2026-01-11", "sell", "0.9"),
        ("2026-01-13", "buy", "0.1"),
        ("2026-01-14", "sell", "0.9"),
    ] {
        let fields = json!({ "type": kind, "date": date, "qty": shares, "price": price });
        trade(family, broker, fields);
        if date == "2026-01-11" {
            spend(&family.api, broker, "800000000000000", None);
        }
    }
}

both! {
    fn cash_flow_adds_up_more_than_an_amount_holds(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let food = crate::categories::category(api, "Food", None);
        for name in ["One", "Other"] {
            let account = account(&family, name, "depository", "USD");
            spend(api, &account, MOST, Some(&food));
        }
        let broker = account(&family, "Broker", "investment", "USD");
        for date in ["2026-01-10", "2026-01-11"] {
            trade(&family, &broker, json!({ "type": "reinvestment", "date": date,
                "qty": "1000000000000000", "price": "0.9" }));
        }
        let report = january(api);
        let names = ["income", "expense", "net"];
        let twice = "1800000000000000.00";
        assert_eq!(amounts(&report["months"][0], names), [twice, twice, "0.00"], "{report}");
        let lines = report["months"][0]["categories"].as_array().unwrap();
        let lines: Vec<_> = lines.iter().map(|line| {
            (line["category"].clone(), amounts(line, ["income", "expense"]))
        }).collect();
        assert_eq!(lines, [
            (json!(null), [twice, "0.00"].map(str::to_owned)),
            (json!("Food"), ["0.00", twice].map(str::to_owned)),
        ]);
        let expense = &report["months"][0]["expense"];
        assert_eq!(expense["formatted"], "$1,800,000,000,000,000.00");
        assert_eq!(report["complete"], true);
        // The value of the shares is more than a balance holds, and is shown all the same.
        let holding = &get(api, "holdings")["holdings"][0];
        assert_eq!(holding["amount_decimal"], twice);
        assert_eq!(holding["cost_basis"], "$1,800,000,000,000,000.00");
        assert_eq!((&holding["unrealized_gain_decimal"], &holding["complete"]),
            (&json!("0.00"), &json!(true)));
        assert_eq!(get(api, &format!("accounts/{broker}"))["complete"], false);
        crate::accounts::consistent(&server);
    }

    fn net_worth_and_the_balance_sheet_leave_no_account_out(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        for (name, account_type) in [("One", "depository"), ("Two", "depository"),
            ("Three", "property"), ("Four", "loan"), ("Five", "loan")]
        {
            family.account_with(json!({ "name": name, "account_type": account_type,
                "opening_balance": MOST }));
        }
        let broker = account(&family, "Broker", "investment", "USD");
        trade(&family, &broker, json!({ "type": "reinvestment", "date": "2026-01-10",
            "qty": "1000000000000000", "price": "0.9" }));
        let euros = family.account_with(json!({ "name": "Euros", "account_type": "depository",
            "currency": "EUR", "opening_balance": MOST }));
        rate(api, ("EUR", "USD"), "2026-01-05", "1000000000");
        let sheet = get(api, "balance_sheet?date=2026-01-31");
        let names = ["assets", "liabilities", "net_worth"];
        let expected =
            ["900000003600000000000000.00", "1800000000000000.00", "900000001800000000000000.00"];
        assert_eq!(amounts(&sheet, names), expected, "{sheet}");
        assert_eq!((&sheet["complete"], &sheet["incomplete_accounts"]), (&json!(true), &json!([])));
        let types = sheet["account_types"].as_array().unwrap().iter();
        let loans = types.clone().find(|one| one["account_type"] == "loan").unwrap();
        assert_eq!(loans["balance"]["formatted"], "$1,800,000,000,000,000.00");
        let report = net_worth(api, "start_date=2026-01-09&end_date=2026-01-31");
        assert_eq!(series(&report), [("2026-01-31".to_owned(), expected[2].to_owned())]);
        assert_eq!(report["complete"], true);
        // What leaves even 128 bits counts as what no rate is known for.
        rate(api, ("EUR", "USD"), "2026-02-05", ABSURD_RATE);
        let sheet = get(api, "balance_sheet?date=2026-02-28");
        assert_eq!(amounts(&sheet, ["assets"]), ["3600000000000000.00"]);
        assert_eq!(sheet["complete"], false);
        assert_eq!(sheet["incomplete_accounts"].as_array().map(Vec::len), Some(1));
        assert_eq!(sheet["incomplete_accounts"][0]["id"], euros);
    }

    fn gains_add_up_more_than_an_amount_holds(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        for name in ["One", "Other"] {
            speculate(&family, &account(&family, name, "investment", "USD"));
        }
        let report = get(api, "reports/gains");
        let year = &report["years"][0];
        assert_eq!((&year["year"], &year["complete"]), (&json!(2026), &json!(true)));
        assert_eq!(year["gain"]["formatted"], "$3,200,000,000,000,000.00");
        let lines = year["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 2, "{report}");
        for line in lines {
            let sums = amounts(line, ["proceeds", "cost", "gain"]);
            let expected = ["1800000000000000.00", "200000000000000.00", "1600000000000000.00"];
            assert_eq!(sums, expected, "{line}");
        }
        crate::accounts::consistent(&server);
    }

    fn what_no_sum_holds_once_converted_is_missing(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        rate(api, ("GBP", "USD"), "2026-01-05", ABSURD_RATE);
        rate(api, ("EUR", "USD"), "2026-01-05", "1000000000");
        let [pounds, euros, dollars] = ["GBP", "EUR", "USD"]
            .map(|currency| account(&family, currency, "depository", currency));
        spend(api, &pounds, MOST, None);
        spend(api, &euros, MOST, None);
        spend(api, &dollars, "7", None);
        let report = january(api);
        assert_eq!(amounts(&report["months"][0], ["expense"]), ["900000000000000000000007.00"]);
        assert_eq!(report["complete"], false);
        assert_eq!(report["missing"], json!([{ "from": "GBP", "to": "USD",
            "first_date": "2026-01-12", "last_date": "2026-01-12", "entries": 1 }]));
        let used: Vec<_> = report["rates"].as_array().unwrap().iter()
            .map(|rate| rate["from"].clone()).collect();
        assert_eq!(used, ["EUR"], "only what was counted was converted");
        speculate(&family, &account(&family, "Broker", "investment", "GBP"));
        let gains = get(api, "reports/gains");
        let year = &gains["years"][0];
        assert_eq!((&year["gain"]["amount"], &year["complete"]), (&json!("0.00"), &json!(false)));
        assert_eq!(amounts(&year["lines"][0], ["gain"]), ["1600000000000000.00"]);
        assert_eq!(gains["rates"], json!([]));
    }
}
