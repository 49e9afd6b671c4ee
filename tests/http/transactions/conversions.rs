//! Amounts in another currency than their account's.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{account, balance, text, unlimited};
use crate::support::Client;

const PATH: &str = "/api/v1/transactions";
const RATES: &str = "/api/v1/exchange_rates";

fn create(api: &Client, account: &str, date: &str, amount: &str, more: &Value) -> Value {
    let mut fields = json!({ "account_id": account, "date": date, "amount": amount,
        "currency": "EUR", "name": "Café" });
    for (name, value) in more.as_object().unwrap() {
        fields[name] = value.clone();
    }
    api.post(PATH, &json!({ "transaction": fields })).expect_status(201).json()
}

fn rate(api: &Client, base: &str, quote: &str, date: &str, rate: &str) -> String {
    let fields = json!({ "base": base, "quote": quote, "date": date, "rate": rate });
    let body = json!({ "exchange_rate": fields });
    api.post(RATES, &body).expect_status(201).id()
}

both! {
    fn a_rate_can_be_sent_later_and_taken_back(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD", "opening_balance": "1000" }));
        rate(&family.api, "EUR", "USD", "2026-01-10", "1.2");
        let made = create(&family.api, &id, "2026-01-10", "500", &json!({}));
        assert_eq!(balance(&family.api, &id), "400.00");
        let path = format!("{PATH}/{}", text(&made, "id"));
        let parts = json!({ "parts": [{ "amount": "200" }, { "amount": "300" }] });
        family.api.post(&format!("{path}/split"), &parts).expect_status(201);
        let with_rate = |rate: Value| {
            let body = json!({ "transaction": { "exchange_rate": rate } });
            let shown = family.api.patch(&path, &body).expect_status(200).json();
            (text(&shown["converted"], "amount_decimal"), shown["converted"]["exchange_rate"].clone())
        };
        assert_eq!(with_rate(json!("1.1")), ("550.00".to_owned(), json!("1.1")));
        assert_eq!(balance(&family.api, &id), "450.00");
        // A better rate doesn't replace one that was sent.
        rate(&family.api, "EUR", "USD", "2026-01-09", "1.3");
        assert_eq!(balance(&family.api, &id), "450.00");
        crate::imports::assert_whole(&server);
        assert_eq!(with_rate(Value::Null), ("600.00".to_owned(), json!("1.2")));
        assert_eq!(balance(&family.api, &id), "400.00");
        crate::imports::assert_whole(&server);
        let refused = |body: Value, sentence: &str| {
            let refused = family.api.patch(&path, &body).expect_status(422).json();
            assert_eq!(refused["message"], sentence);
        };
        refused(json!({ "exchange_rate": "0" }),
            "The exchange_rate must be more than 0");
        let home = create(&family.api, &id, "2026-01-10", "5", &json!({ "currency": "USD" }));
        let path = format!("{PATH}/{}", text(&home, "id"));
        let refused = family.api.patch(&path, &json!({ "exchange_rate": "1.5" })).expect_status(422);
        assert_eq!(refused.json()["message"], "The exchange_rate is only for an amount in another currency");
    }

    fn an_amount_is_booked_at_the_best_rate_and_shows_which(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD", "opening_balance": "1000" }));
        let none = json!({});
        // No rate at all: never one to one, and not hidden.
        let made = create(&family.api, &id, "2026-01-10", "-500", &none);
        assert_eq!(made["currency"], "EUR");
        assert_eq!(made["amount_decimal"], "-500.00");
        assert_eq!(made["converted"]["amount_decimal"], "0.00");
        assert_eq!(made["converted"]["exchange_rate"], json!(null));
        let shown = account(&family.api, &id);
        assert_eq!((&shown["balance_decimal"], &shown["complete"]), (&json!("1000.00"), &json!(false)));
        let path = format!("{PATH}/{}", text(&made, "id"));
        let booked = || {
            let shown = family.api.get(&path).expect_status(200).json();
            let converted = &shown["converted"];
            (text(converted, "amount_decimal"), converted["rates"].clone())
        };
        // A later rate is better than none, an earlier one better than it, the day's own the best.
        let later = rate(&family.api, "EUR", "USD", "2026-01-12", "1.5");
        assert_eq!(balance(&family.api, &id), "1750.00");
        assert_eq!(account(&family.api, &id)["complete"], true);
        let earlier = rate(&family.api, "USD", "EUR", "2026-01-08", "0.8");
        let (amount, rates) = booked();
        assert_eq!(amount, "-625.00");
        assert_eq!(rates, json!([{ "base": "USD", "quote": "EUR", "date": "2026-01-08",
            "rate": "0.8", "source": "manual", "inverted": true }]));
        let exact = rate(&family.api, "EUR", "USD", "2026-01-10", "1.2");
        assert_eq!(balance(&family.api, &id), "1600.00");
        crate::accounts::consistent(&server);
        // What is taken back leaves the next best.
        for (rate, expected) in [(exact, "1625.00"), (earlier, "1750.00"), (later, "1000.00")] {
            family.api.delete(&format!("{RATES}/{rate}")).expect_status(200);
            assert_eq!(balance(&family.api, &id), expected);
        }
        // Through a third currency.
        rate(&family.api, "EUR", "GBP", "2026-01-10", "0.5");
        rate(&family.api, "USD", "GBP", "2026-01-10", "0.25");
        let (amount, rates) = booked();
        assert_eq!(amount, "-1000.00");
        assert_eq!(rates.as_array().unwrap().len(), 2);
        crate::accounts::consistent(&server);
    }

    fn a_rate_that_came_with_it_stays(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD" }));
        let made = create(&family.api, &id, "2026-01-10", "3", &json!({ "exchange_rate": "1.1" }));
        assert_eq!(made["converted"]["amount_decimal"], "3.30");
        assert_eq!(made["converted"]["given"], true);
        rate(&family.api, "EUR", "USD", "2026-01-10", "2");
        assert_eq!(balance(&family.api, &id), "-3.30");
        let path = format!("{PATH}/{}", text(&made, "id"));
        let changed = family.api.patch(&path, &json!({ "amount": "4", "date": "2026-02-01" }));
        let changed = changed.expect_status(200).json();
        assert_eq!(changed["converted"]["amount_decimal"], "4.40");
        assert_eq!(balance(&family.api, &id), "-4.40");
        family.api.delete(&path).expect_status(200);
        assert_eq!(balance(&family.api, &id), "0.00");
        crate::accounts::consistent(&server);
    }

    fn a_new_name_leaves_what_is_booked_alone(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD" }));
        rate(&family.api, "EUR", "USD", "2026-01-10", "1.1");
        let made = create(&family.api, &id, "2026-01-10", "100", &json!({}));
        // A rate that the feed has stored, before the job of the family has run.
        let sql = crate::support::Sql::open(&server);
        sql.run("UPDATE family_rates SET rate = '1.2'");
        let path = format!("{PATH}/{}", text(&made, "id"));
        let renamed = family.api.patch(&path, &json!({ "name": "Other" })).expect_status(200);
        assert_eq!(renamed.json()["converted"]["amount_decimal"], "110.00");
        assert_eq!(balance(&family.api, &id), "-110.00");
        family.api.patch(&path, &json!({ "amount": "50" })).expect_status(200);
        assert_eq!(balance(&family.api, &id), "-60.00");
        crate::accounts::consistent(&server);
    }

    fn an_amount_that_no_sum_holds_keeps_no_other_from_being_converted(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD" }));
        create(&family.api, &id, "2026-01-10", "890000000000000", &json!({}));
        create(&family.api, &id, "2026-01-10", "10", &json!({}));
        rate(&family.api, "EUR", "USD", "2026-01-10", "1.1");
        let shown = account(&family.api, &id);
        assert_eq!((&shown["balance_decimal"], &shown["complete"]), (&json!("-11.00"), &json!(false)));
        crate::accounts::consistent(&server);
    }

    fn parts_are_booked_so_that_they_add_up(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "currency": "USD" }));
        rate(&family.api, "EUR", "USD", "2026-01-10", "1.11113");
        let made = create(&family.api, &id, "2026-01-10", "10", &json!({}));
        let split = format!("{PATH}/{}/split", text(&made, "id"));
        let thirds = json!({ "parts": [{ "amount": "3.33" }, { "amount": "3.33" },
            { "amount": "3.34" }] });
        let answer = family.api.post(&split, &thirds).expect_status(201).json();
        assert_eq!(answer["transaction"]["converted"]["amount_decimal"], "11.1113");
        let digits = |answer: &Value| -> Vec<String> {
            let parts = answer["parts"].as_array().unwrap().iter();
            parts.map(|part| text(&part["converted"], "amount_decimal")).collect()
        };
        assert_eq!(digits(&answer), ["3.7001", "3.70", "3.7112"]);
        let anew = json!({ "exchange_rate": { "base": "EUR", "quote": "USD",
            "date": "2026-01-10", "rate": "2" } });
        family.api.post(RATES, &anew).expect_status(200);
        let answer = family.api.get(&split).expect_status(200).json();
        assert_eq!(digits(&answer), ["6.66", "6.66", "6.68"]);
        assert_eq!(balance(&family.api, &id), "-20.00");
        crate::accounts::consistent(&server);
    }
}
