//! Holdings that have a price in another currency than their account, and the balances of such
//! days.

use serde_json::{Value, json};

use super::PATH;
use crate::both;
use crate::ledger::{texts, unlimited};
use crate::rates::{legs, used};
use crate::support::{Client, Server};
use crate::trades::{rate, trade};

/// An account in euros with five euros and ten shares from 5 January on; the only price of a share
/// is 8 pounds, on the sixth. There are rates of the fifth and the eighth. Returns the account's
/// id, too.
fn held(server: &Server) -> (Client, String) {
    let family = server.family();
    let api = family.api;
    rate(&api, ("EUR", "GBP"), "2026-01-05", "0.8");
    rate(&api, ("EUR", "GBP"), "2026-01-08", "0.5");
    let account = json!({ "account": { "name": "Broker", "account_type": "investment",
        "currency": "EUR" } });
    let account = api.post("/api/v1/accounts", &account).expect_status(201).id();
    let paid_in = json!({ "account_id": account, "date": "2026-01-05", "amount": -5,
        "currency": "EUR", "name": "Paid in" });
    api.post("/api/v1/transactions", &json!({ "transaction": paid_in })).expect_status(201);
    let made = trade(&api, &account, "transfer_in", "2026-01-05", json!({ "qty": "10" }));
    let price = json!({ "security_id": made["security"]["id"], "date": "2026-01-06",
        "price": "8", "currency": "GBP" });
    api.post("/api/v1/security_prices", &price).expect_status(201);
    (api, account)
}

fn held_on(api: &Client, day: &str) -> Value {
    api.get(&format!("{PATH}?date={day}")).expect_status(200).json()["holdings"][0].clone()
}

both! {
    fn a_price_in_another_currency_is_shown_with_its_rate(server = unlimited()) {
        let (api, _) = held(&server);
        let shown = held_on(&api, "2026-01-07");
        assert_eq!((&shown["price_decimal"], &shown["amount_decimal"], &shown["currency"]),
            (&json!("10.00"), &json!("100.00"), &json!("EUR")));
        assert_eq!(shown["converted"], json!({
            "price": "£8.00",
            "price_decimal": "8.00",
            "currency": "GBP",
            "exchange_rate": "1.25",
            "rates": [{
                "base": "EUR", "quote": "GBP", "date": "2026-01-05", "rate": "0.8",
                "source": "manual", "inverted": true,
            }],
        }));
        let path = format!("{PATH}/{}", shown["id"].as_str().unwrap());
        assert_eq!(api.get(&path).expect_status(200).json(), shown);
        let later = held_on(&api, "2026-01-08");
        assert_eq!((&later["price_decimal"], &later["converted"]["exchange_rate"]),
            (&json!("16.00"), &json!("2")));
        // A price in the account's own currency needs none.
        let price = json!({ "security_id": shown["security"]["id"], "date": "2026-01-09",
            "price": "9", "currency": "EUR" });
        api.post("/api/v1/security_prices", &price).expect_status(201);
        let own = held_on(&api, "2026-01-09");
        assert_eq!((&own["price_decimal"], own.get("converted")),
            (&json!("9.00"), Some(&json!(null))));
    }

    fn a_price_takes_the_way_through_a_third_currency_or_waits_for_one(server = unlimited()) {
        let (api, _) = held(&server);
        let security = held_on(&api, "2026-01-07")["security"]["id"].clone();
        let price = json!({ "security_id": security, "date": "2026-01-10", "price": "160",
            "currency": "JPY" });
        api.post("/api/v1/security_prices", &price).expect_status(201);
        let waiting = held_on(&api, "2026-01-10");
        assert_eq!((&waiting["complete"], &waiting["missing"]),
            (&json!(false), &json!("rate JPY/EUR")));
        assert_eq!(waiting["converted"], json!({ "price": "¥160", "price_decimal": "160",
            "currency": "JPY", "exchange_rate": null, "rates": [] }));
        rate(&api, ("GBP", "JPY"), "2026-01-09", "200");
        let known = held_on(&api, "2026-01-10");
        assert_eq!((&known["complete"], &known["price_decimal"]), (&json!(true), &json!("1.60")));
        assert_eq!(known["converted"]["exchange_rate"], "0.01");
        assert_eq!(legs(&known["converted"]["rates"]),
            ["1/GBP/JPY 2026-01-09 200 manual", "1/EUR/GBP 2026-01-08 0.5 manual"]);
    }

    fn balances_list_what_holdings_were_converted_with(server = unlimited()) {
        let (api, account) = held(&server);
        let path = format!("/api/v1/balances?account_id={account}&end_date=2026-01-09");
        let body = api.get(&path).expect_status(200).json();
        let rows = body["balances"].as_array().unwrap();
        let ends = texts(&body["balances"], "end_balance_decimal");
        assert_eq!(ends, ["165.00", "165.00", "105.00", "105.00", "105.00"], "{body}");
        let leg = |day: u8, number: &str| format!("1/EUR/GBP 2026-01-{day:02} {number} manual");
        let first = |days: &str| format!("GBP/EUR 1.25 {days}: {}", leg(5, "0.8"));
        let second = |days: &str| format!("GBP/EUR 2 {days}: {}", leg(8, "0.5"));
        // The start of a day is the end of the one before.
        assert_eq!(rows.iter().map(used).collect::<Vec<_>>(), [
            vec![second("2026-01-08..2026-01-09")],
            vec![first("2026-01-07..2026-01-07"), second("2026-01-08..2026-01-08")],
            vec![first("2026-01-06..2026-01-07")],
            vec![first("2026-01-05..2026-01-06")],
            vec![first("2026-01-05..2026-01-05")],
        ]);
        // A page that begins within the days, and a row by itself, show the same.
        let page = api.get(&format!("{path}&page=2&per_page=2")).expect_status(200).json();
        assert_eq!(page["balances"].as_array().unwrap().as_slice(), &rows[2..4]);
        let row = format!("/api/v1/balances/{}", rows[1]["id"].as_str().unwrap());
        assert_eq!(api.get(&row).expect_status(200).json(), rows[1]);
    }

    fn balances_in_one_currency_list_no_rate(server = unlimited()) {
        let family = server.family();
        rate(&family.api, ("EUR", "USD"), "2026-01-05", "1.25");
        let broker = crate::trades::broker(&family, "Broker", "0");
        crate::trades::exchange(&family.api, &broker, "buy", "2026-01-05", "1", "50");
        let path = format!("/api/v1/balances?account_id={broker}&end_date=2026-01-06");
        let body = family.api.get(&path).expect_status(200).json();
        let rows = body["balances"].as_array().unwrap();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row["rates"] == json!([])), "{body}");
    }
}
