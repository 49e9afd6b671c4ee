//! Trades in another currency than their account's, and moves between two currencies.

use serde_json::{Value, json};

use super::{PATH, broker, cost, errors, fields, rate, trade};
use crate::accounts::consistent;
use crate::both;
use crate::ledger::{account, balance, text, unlimited};
use crate::support::{Client, Family};

const EURO: (&str, &str) = ("EUR", "USD");

fn shown(api: &Client, trade: &Value) -> Value {
    api.get(&format!("{PATH}/{}", text(trade, "id"))).expect_status(200).json()
}

/// What moved in cash, and what went into the holdings, in the account's currency.
fn booked(trade: &Value) -> (String, String) {
    (text(&trade["converted"], "amount_decimal"), text(trade, "converted_value_decimal"))
}

fn pair(amount: &str, value: &str) -> (String, String) {
    (amount.to_owned(), value.to_owned())
}

/// An account in euros, in a family that counts in dollars.
fn euros(family: &Family) -> String {
    family.account_with(json!({
        "name": "Euros", "account_type": "investment", "currency": "EUR"
    }))
}

both! {
    fn a_trade_follows_the_best_rate_of_its_day(server = unlimited()) {
        let family = server.family();
        let (api, id) = (&family.api, broker(&family, "Broker", "10000"));
        let bought = trade(api, &id, "buy", "2026-01-05", json!({
            "qty": "10", "price": "100.005", "fee": "1", "currency": "EUR",
        }));
        for (name, value) in [
            ("currency", "EUR"),
            ("price_decimal", "100.005"),
            ("amount_decimal", "1001.05"),
            ("value_decimal", "1000.05"),
        ] {
            assert_eq!(bought[name], value, "{name}");
        }
        // Without any rate its worth in dollars isn't known, and it is shown as incomplete.
        assert_eq!(booked(&bought), pair("0.00", "0.00"));
        assert_eq!(bought["converted"]["exchange_rate"], json!(null));
        assert_eq!(cost(api, &id), json!(null));
        let state = |api| {
            let shown = account(api, &id);
            (shown["balance_decimal"].clone(), shown["complete"].clone())
        };
        assert_eq!(state(api), (json!("10000.00"), json!(false)));
        consistent(&server);

        let earlier = rate(api, EURO, "2026-01-04", "1.1");
        assert_eq!(booked(&shown(api, &bought)), pair("1101.155", "1100.055"));
        assert_eq!(cost(api, &id), json!("1101.155"));
        assert_eq!(state(api), (json!("9998.90"), json!(true)));
        let sold = trade(api, &id, "sell", "2026-01-06", json!({
            "qty": "4", "price": "110", "fee": "2", "currency": "EUR",
        }));
        assert_eq!(booked(&sold), pair("-481.80", "-484.00"));
        consistent(&server);

        // A rate of the very day is better; the sale takes the nearest earlier one.
        let exact = rate(api, EURO, "2026-01-05", "1.2");
        assert_eq!(booked(&shown(api, &bought)), pair("1201.26", "1200.06"));
        assert_eq!(booked(&shown(api, &sold)), pair("-525.60", "-528.00"));
        assert_eq!(cost(api, &id), json!("720.756"));
        let gains = api.get("/api/v1/reports/gains?start_date=2026-01-01&end_date=2026-12-31");
        let gains = gains.expect_status(200).text();
        assert!(gains.contains("\"45.096\""), "525.60 − 480.504: {gains}");
        let leg = &shown(api, &sold)["converted"]["rates"][0];
        assert_eq!((&leg["date"], &leg["source"]), (&json!("2026-01-05"), &json!("manual")));
        consistent(&server);
        for (gone, expected) in [(exact, json!("660.693")), (earlier, json!(null))] {
            api.delete(&format!("/api/v1/exchange_rates/{gone}")).expect_status(200);
            assert_eq!(cost(api, &id), expected);
            consistent(&server);
        }
        for one in [&bought, &sold] {
            api.delete(&format!("{PATH}/{}", text(one, "id"))).expect_status(200);
        }
        assert_eq!(state(api), (json!("10000.00"), json!(true)));
        consistent(&server);
    }

    fn a_value_is_rounded_once(server) {
        let family = server.family();
        let id = broker(&family, "Broker", "10");
        let made = trade(&family.api, &id, "buy", "2026-01-05", json!({
            "qty": "3", "price": "0.00005", "currency": "EUR", "exchange_rate": "0.3",
        }));
        // 0.00015 € are paid as 0.0002 €; what is held is worth $0.000045.
        assert_eq!(text(&made, "amount_decimal"), "0.0002");
        assert_eq!(booked(&made), pair("0.0001", "0.00"));
        consistent(&server);
    }

    fn a_rate_that_no_amount_can_bear_leaves_the_trade_unknown(server) {
        let family = server.family();
        let (api, id) = (&family.api, broker(&family, "Broker", "1000"));
        let made = trade(api, &id, "buy", "2026-01-05", json!({
            "qty": "1000000", "price": "1000000", "currency": "EUR",
        }));
        let stated = rate(api, EURO, "2026-01-05", "1000000");
        let unknown = shown(api, &made);
        assert_eq!(booked(&unknown), pair("0.00", "0.00"));
        assert_eq!(unknown["converted"]["exchange_rate"], json!(null));
        assert_eq!(cost(api, &id), json!(null));
        consistent(&server);
        api.delete(&format!("/api/v1/exchange_rates/{stated}")).expect_status(200);
        rate(api, EURO, "2026-01-05", "0.5");
        assert_eq!(cost(api, &id), json!("500000000000.00"));
        consistent(&server);
    }

    fn a_rate_that_was_given_stays(server = unlimited()) {
        let family = server.family();
        let (api, id) = (&family.api, broker(&family, "Broker", "1000"));
        let made = trade(api, &id, "buy", "2026-01-05", json!({
            "qty": "2", "price": "50", "currency": "EUR", "exchange_rate": 1.25,
        }));
        assert_eq!(made["converted"]["given"], true);
        rate(api, EURO, "2026-01-05", "2");
        assert_eq!(booked(&shown(api, &made)), pair("125.00", "125.00"));
        let path = format!("{PATH}/{}", text(&made, "id"));
        let change = |body: Value| api.patch(&path, &body).expect_status(200).json();
        let moved = change(json!({ "qty": "4", "date": "2026-01-07" }));
        assert_eq!(booked(&moved), pair("250.00", "250.00"));
        assert_eq!(booked(&change(json!({ "exchange_rate": "1.5" }))), pair("300.00", "300.00"));
        let same = change(json!({ "exchange_rate": "1.50", "currency": "eur" }));
        assert_eq!(same, shown(api, &made));
        let looked_up = change(json!({ "exchange_rate": null }));
        assert_eq!(booked(&looked_up), pair("400.00", "400.00"));
        assert_eq!(looked_up["converted"]["given"], false);
        assert_eq!(cost(api, &id), json!("400.00"));
        consistent(&server);
        assert_eq!(errors(api.patch(&path, &json!({ "currency": "USD" }))).len(), 1);
        let split = json!({ "type": "split", "split_to": 2, "split_from": 1 });
        assert_eq!(errors(api.patch(&path, &split)).len(), 1);
        let home = json!({ "qty": "1", "price": "1", "exchange_rate": "2" });
        let home = errors(api.post(PATH, &fields(&id, "buy", "2026-01-05", home)));
        assert_eq!(home, ["The exchange_rate is only for a trade in another currency"]);
    }

    fn every_type_is_converted(server = unlimited()) {
        let family = server.family();
        let (api, id) = (&family.api, broker(&family, "Broker", "1000"));
        let buy = json!({ "qty": "10", "price": "5", "fee": "1" });
        let reinvest = json!({ "qty": "2", "price": "5", "fee": "0.5" });
        for (day, trade_type, more, amount, value, basis) in [
            (1, "buy", buy, "102.00", "100.00", "102.00"),
            (2, "dividend", json!({ "amount": "7", "fee": "2" }), "-10.00", "0.00", "102.00"),
            (3, "interest", json!({ "amount": "1.5" }), "-3.00", "0.00", "102.00"),
            (4, "fee", json!({ "amount": "0.5" }), "1.00", "0.00", "102.00"),
            (5, "reinvestment", reinvest, "0.00", "20.00", "123.00"),
            (6, "transfer_in", json!({ "qty": "8", "cost": "30" }), "0.00", "0.00", "183.00"),
            (7, "transfer_out", json!({ "qty": "10", "price": "6" }), "0.00", "-120.00", "91.50"),
        ] {
            let mut more = more;
            more["currency"] = json!("EUR");
            let made = trade(api, &id, trade_type, &format!("2026-01-0{day}"), more.clone());
            assert_eq!(booked(&made), pair("0.00", "0.00"), "{trade_type}");
            let stated = rate(api, EURO, &format!("2026-01-0{day}"), "2");
            assert_eq!(booked(&shown(api, &made)), pair(amount, value), "{trade_type}");
            assert_eq!(cost(api, &id), json!(basis), "{trade_type}");
            consistent(&server);
            // The next one finds no rate either; this one keeps what it has.
            api.delete(&format!("/api/v1/exchange_rates/{stated}")).expect_status(200);
            let kept = json!({ "exchange_rate": "2" });
            api.patch(&format!("{PATH}/{}", text(&made, "id")), &kept).expect_status(200);
        }
        let cash_flow = "/api/v1/reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31";
        let flows = api.get(cash_flow).expect_status(200).text();
        // Dividend, interest, and what was reinvested with its fee.
        assert!(flows.contains("\"34.00\""), "{flows}");
        assert!(flows.contains("\"complete\":true"), "{flows}");
    }

    fn what_is_reinvested_is_rounded_once(server) {
        let family = server.family();
        let dong = family.account_with(json!({
            "name": "Dong", "account_type": "investment", "currency": "VND"
        }));
        rate(&family.api, ("USD", "VND"), "2026-01-05", "25000");
        let more = json!({ "qty": "0.33333", "price": "1.1111", "currency": "USD" });
        let made = trade(&family.api, &dong, "reinvestment", "2026-01-05", more);
        assert_eq!(made["converted_value_decimal"], "9259.0741");
        let held = family.api.get("/api/v1/holdings").expect_status(200).json();
        assert_eq!(held["holdings"][0]["cost_basis_decimal"], "9259.0741");
    }

    fn shares_that_move_into_another_currency_take_their_cost_along(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let (one, other) = (broker(&family, "One", "1000"), euros(&family));
        trade(api, &one, "buy", "2026-01-02", json!({ "qty": "3", "price": "100" }));
        let moved = json!({ "qty": "2", "price": "110", "to_account_id": other });
        let out = trade(api, &one, "transfer_out", "2026-01-05", moved);
        assert_eq!((&out["converted"], &out["currency"]), (&json!(null), &json!("USD")));
        let path = format!("{PATH}/{}", text(&out["transfer"], "trade_id"));
        let into = || api.get(&path).expect_status(200).json();
        assert_eq!(into()["currency"], "USD");
        assert_eq!(into()["value_decimal"], "220.00");
        assert_eq!(cost(api, &other), json!(null), "never one to one");
        assert_eq!(account(api, &other)["complete"], false);
        consistent(&server);
        rate(api, EURO, "2026-01-01", "1.25");
        assert_eq!((cost(api, &one), cost(api, &other)), (json!("100.00"), json!("160.00")));
        assert_eq!(text(&into(), "converted_value_decimal"), "176.00");
        consistent(&server);
        // The rate belongs to the move, whichever side it is sent for.
        let given = json!({ "exchange_rate": "0.75" });
        api.patch(&format!("{PATH}/{}", text(&out, "id")), &given).expect_status(200);
        assert_eq!(cost(api, &other), json!("150.00"));
        rate(api, EURO, "2026-01-05", "2");
        api.patch(&path, &json!({ "qty": "1" })).expect_status(200);
        assert_eq!((cost(api, &one), cost(api, &other)), (json!("200.00"), json!("75.00")));
        consistent(&server);
        api.patch(&path, &json!({ "exchange_rate": null })).expect_status(200);
        assert_eq!(cost(api, &other), json!("50.00"));
        let sold = json!({ "qty": "1", "price": "70", "currency": "EUR" });
        trade(api, &other, "sell", "2026-01-06", sold);
        let gains = api.get("/api/v1/reports/gains?start_date=2026-01-01&end_date=2026-12-31");
        let gains = gains.expect_status(200).text();
        assert!(gains.contains("\"20.00\""), "70 − 50: {gains}");
        consistent(&server);
        api.delete(&path).expect_status(200);
        assert_eq!(balance(api, &one), "1120.00", "700 in cash, three at 70 €");
        consistent(&server);
    }
}
