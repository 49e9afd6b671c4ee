//! Reports over HTTP show which exchange rates their figures were made with, and for which days.

use serde_json::{Value, json};

use super::{net_worth, series, trade};
use crate::both;
use crate::ledger::unlimited;
use crate::rates::used;
use crate::support::{Client, Family};
use crate::trades::{rate, trade as traded};

/// The euro rises on 20 January; a pound has a rate in euros only, a yen has one in the other
/// direction, and a franc has one although nobody has francs.
fn state_rates(api: &Client) {
    for (pair, date, number) in [
        (("EUR", "USD"), "2026-01-10", "1.25"),
        (("EUR", "USD"), "2026-01-20", "1.6"),
        (("EUR", "GBP"), "2026-01-10", "0.8"),
        (("USD", "JPY"), "2026-01-15", "160"),
        (("CHF", "USD"), "2026-01-10", "1.1"),
    ] {
        rate(api, pair, date, number);
    }
}

/// The stated rates as lists show them: the euro's before and from 20 January.
const EURO: [&str; 2] = ["EUR/USD 2026-01-10 1.25 manual", "EUR/USD 2026-01-20 1.6 manual"];
const POUND: &str = "1/EUR/GBP 2026-01-10 0.8 manual";
const YEN: &str = "1/USD/JPY 2026-01-15 160 manual";

fn account(family: &Family, account_type: &str, currency: &str, opening: &str) -> String {
    family.account_with(json!({ "name": currency, "account_type": account_type,
        "currency": currency, "opening_balance": opening }))
}

fn get(api: &Client, path: &str) -> Value {
    api.get(&format!("/api/v1/{path}")).expect_status(200).json()
}

both! {
    fn what_is_nothing_needs_no_rate_and_what_is_missing_is_counted_once(server) {
        let family = server.family();
        let api = &family.api;
        let cash = account(&family, "depository", "EUR", "0");
        let nothing = json!({ "account_id": cash, "date": "2026-01-05", "amount": "0",
            "name": "Nothing" });
        api.post("/api/v1/transactions", &nothing).expect_status(201);
        let flow = || get(api, "reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31");
        assert_eq!((&flow()["complete"], &flow()["rates"]), (&json!(true), &json!([])));
        let depot = account(&family, "investment", "EUR", "0");
        let more = json!({ "qty": "2", "price": "5", "fee": "1" });
        traded(api, &depot, "reinvestment", "2026-01-06", more);
        let missing = flow()["missing"].clone();
        assert_eq!((missing.as_array().unwrap().len(), &missing[0]["entries"]), (1, &json!(1)));
        // Money without any known rate moves nothing, but its day is there and incomplete.
        let fee = json!({ "amount": "9", "currency": "KWD" });
        traded(api, &depot, "fee", "2026-01-02", fee);
        let days = get(api, &format!("balances?account_id={depot}&end_date=2026-01-02"));
        let days = days["balances"].as_array().unwrap();
        assert_eq!(days.len(), 1);
        assert_eq!((&days[0]["date"], &days[0]["complete"]), (&json!("2026-01-02"), &json!(false)));
    }

    fn net_worth_lists_each_rate_once_with_its_days(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        state_rates(api);
        for (currency, opening) in
            [("EUR", "100"), ("GBP", "100"), ("JPY", "16000"), ("USD", "5"), ("CHF", "0")]
        {
            account(&family, "depository", currency, opening);
        }
        // A second account by the same rates adds none.
        account(&family, "credit_card", "EUR", "0.01");
        let report = net_worth(api, "start_date=2026-01-09&end_date=2026-01-21&interval=day");
        assert_eq!(used(&report), [
            format!("EUR/USD 1.25 2026-01-09..2026-01-19: {}", EURO[0]),
            format!("EUR/USD 1.6 2026-01-20..2026-01-21: {}", EURO[1]),
            format!("GBP/USD 1.5625 2026-01-09..2026-01-19: {POUND}, {}", EURO[0]),
            format!("GBP/USD 2 2026-01-20..2026-01-21: {POUND}, {}", EURO[1]),
            format!("JPY/USD 0.00625 2026-01-09..2026-01-21: {YEN}"),
        ]);
        assert_eq!(report["rates"][1], json!({
            "from": "EUR", "to": "USD", "rate": "1.6",
            "first_date": "2026-01-20", "last_date": "2026-01-21",
            "legs": [{
                "base": "EUR", "quote": "USD", "date": "2026-01-20", "rate": "1.6",
                "source": "manual", "inverted": false,
            }],
        }));
        // 125 + 156.25 + 100 + 5, less a cent in euros.
        assert_eq!(series(&report)[10], ("2026-01-19".to_owned(), "386.2375".to_owned()));
        let months = net_worth(api, "start_date=2026-01-09&end_date=2026-02-28");
        assert_eq!(used(&months), [
            format!("EUR/USD 1.6 2026-01-31..2026-02-28: {}", EURO[1]),
            format!("GBP/USD 2 2026-01-31..2026-02-28: {POUND}, {}", EURO[1]),
            format!("JPY/USD 0.00625 2026-01-31..2026-02-28: {YEN}"),
        ]);
        let sheet = get(api, "balance_sheet?date=2026-01-19");
        assert_eq!(used(&sheet), [
            format!("EUR/USD 1.25 2026-01-19..2026-01-19: {}", EURO[0]),
            format!("GBP/USD 1.5625 2026-01-19..2026-01-19: {POUND}, {}", EURO[0]),
            format!("JPY/USD 0.00625 2026-01-19..2026-01-19: {YEN}"),
        ]);
        assert_eq!((&sheet["net_worth"]["amount"], &sheet["complete"]),
            (&json!("386.2375"), &json!(true)));
        // What isn't known is missing, as before, and is no rate.
        let crowns = account(&family, "depository", "SEK", "10");
        let incomplete = get(api, "balance_sheet?date=2026-01-19");
        assert_eq!(incomplete["rates"], sheet["rates"]);
        assert_eq!(incomplete["incomplete_accounts"][0]["id"], crowns);
        // A family that counts in another currency takes the same rates the other way.
        let euros = server.family_in("EUR");
        rate(&euros.api, ("EUR", "USD"), "2026-01-10", "1.25");
        account(&euros, "depository", "USD", "10");
        let sheet = get(&euros.api, "balance_sheet?date=2026-01-11");
        assert_eq!(used(&sheet), [format!("USD/EUR 0.8 2026-01-11..2026-01-11: 1/{}", EURO[0])]);
    }

    fn hidden_accounts_use_no_rate(server = unlimited()) {
        let family = server.family();
        state_rates(&family.api);
        account(&family, "depository", "EUR", "1");
        let pounds = account(&family, "depository", "GBP", "1");
        assert_eq!(used(&get(&family.api, "balance_sheet")).len(), 2);
        let path = format!("/api/v1/accounts/{pounds}");
        family.api.patch(&path, &json!({ "status": "disabled" })).expect_status(200);
        let left = get(&family.api, "balance_sheet")["rates"].clone();
        assert_eq!((left.as_array().map(Vec::len), &left[0]["from"]), (Some(1), &json!("EUR")));
    }

    fn holdings_are_converted_into_their_account_and_then_into_the_report(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        for (pair, date, number) in [
            (("EUR", "GBP"), "2026-01-05", "0.8"),
            (("EUR", "GBP"), "2026-01-08", "0.5"),
            (("EUR", "USD"), "2026-01-05", "1.25"),
        ] {
            rate(api, pair, date, number);
        }
        let broker = account(&family, "investment", "EUR", "0");
        let arrived = json!({ "type": "transfer_in", "date": "2026-01-05", "qty": "10" });
        trade(&family, &broker, arrived);
        let security = get(api, "holdings")["holdings"][0]["security"]["id"].clone();
        let price = json!({ "security_id": security, "date": "2026-01-06", "price": "8",
            "currency": "GBP" });
        api.post("/api/v1/security_prices", &price).expect_status(201);
        let report = net_worth(api, "start_date=2026-01-03&end_date=2026-01-09&interval=day");
        let amounts: Vec<String> = series(&report).into_iter().map(|(_, amount)| amount).collect();
        assert_eq!(amounts, ["0.00", "0.00", "125.00", "125.00", "125.00", "200.00", "200.00"]);
        // Nothing is held before the fifth, so nothing is converted.
        let expected = [
            "EUR/USD 1.25 2026-01-05..2026-01-09: EUR/USD 2026-01-05 1.25 manual",
            "GBP/EUR 1.25 2026-01-05..2026-01-07: 1/EUR/GBP 2026-01-05 0.8 manual",
            "GBP/EUR 2 2026-01-08..2026-01-09: 1/EUR/GBP 2026-01-08 0.5 manual",
        ];
        assert_eq!(used(&report), expected);
    }

    fn cash_flow_lists_the_rates_of_its_days(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        state_rates(api);
        let spend = |account: &str, date: &str, amount: i64| {
            let transaction = json!({ "account_id": account, "date": date, "amount": amount,
                "name": "Spent" });
            let body = json!({ "transaction": transaction });
            api.post("/api/v1/transactions", &body).expect_status(201);
        };
        let [euros, pounds, yen, dollars, crowns] = ["EUR", "GBP", "JPY", "USD", "SEK"]
            .map(|currency| account(&family, "depository", currency, "0"));
        for (account, date, amount) in [
            (&euros, "2026-01-05", 10), (&euros, "2026-01-12", 20), (&euros, "2026-01-25", 30),
            (&pounds, "2026-01-12", 100), (&yen, "2026-01-12", 1600), (&yen, "2026-02-03", 800),
            (&dollars, "2026-01-12", 1), (&crowns, "2026-01-12", 7),
        ] {
            spend(account, date, amount);
        }
        let path = "reports/cash_flow?start_date=2026-01-01&end_date=2026-02-28";
        let report = get(api, path);
        let months = &report["months"];
        let expenses = [0_usize, 1].map(|month| months[month]["expense"]["amount"].clone());
        assert_eq!(expenses, ["252.75", "5.00"], "{report}");
        assert_eq!(used(&report), [
            format!("EUR/USD 1.25 2026-01-05..2026-01-12: {}", EURO[0]),
            format!("EUR/USD 1.6 2026-01-25..2026-01-25: {}", EURO[1]),
            format!("GBP/USD 1.5625 2026-01-12..2026-01-12: {POUND}, {}", EURO[0]),
            format!("JPY/USD 0.00625 2026-01-12..2026-02-03: {YEN}"),
        ]);
        assert_eq!((&report["complete"], &report["missing"][0]["from"]),
            (&json!(false), &json!("SEK")));
        let of_yen = get(api, &format!("{path}&account_id={yen}"));
        assert_eq!(used(&of_yen), [format!("JPY/USD 0.00625 2026-01-12..2026-02-03: {YEN}")]);
        let later = get(api, "reports/cash_flow?start_date=2026-02-01&end_date=2026-02-28");
        assert_eq!(used(&later), [format!("JPY/USD 0.00625 2026-02-03..2026-02-03: {YEN}")]);
    }

    fn gains_list_the_rates_of_their_sales(server = unlimited()) {
        let family = server.family();
        state_rates(&family.api);
        for (currency, bought, sales) in [
            ("EUR", "10", vec![("2026-01-12", "4", "20"), ("2026-01-25", "1", "20")]),
            ("GBP", "100", vec![("2026-01-12", "1", "200")]),
            ("JPY", "100", vec![("2026-01-12", "10", "260")]),
            ("USD", "1", vec![("2026-01-12", "1", "2")]),
        ] {
            let id = account(&family, "investment", currency, "0");
            let fields = |kind: &str, date: &str, qty: &str, price: &str| json!({ "type": kind,
                "date": date, "qty": qty, "price": price, "currency": currency });
            trade(&family, &id, fields("buy", "2026-01-05", "10", bought));
            for (date, qty, price) in sales {
                trade(&family, &id, fields("sell", date, qty, price));
            }
        }
        let report = get(&family.api, "reports/gains");
        // 50 + 16 + 156.25 + 10 + 1.
        assert_eq!(report["years"][0]["gain"]["amount"], "233.25");
        assert_eq!(used(&report), [
            format!("EUR/USD 1.25 2026-01-12..2026-01-12: {}", EURO[0]),
            format!("EUR/USD 1.6 2026-01-25..2026-01-25: {}", EURO[1]),
            format!("GBP/USD 1.5625 2026-01-12..2026-01-12: {POUND}, {}", EURO[0]),
            format!("JPY/USD 0.00625 2026-01-12..2026-01-12: {YEN}"),
        ]);
        assert!(used(&get(&family.api, "reports/gains?year=2025")).is_empty());
    }

    fn reports_in_one_currency_list_no_rate(server = unlimited()) {
        let family = server.family();
        state_rates(&family.api);
        let broker = account(&family, "investment", "USD", "100");
        for (kind, date, price) in [("buy", "2026-01-05", "10"), ("sell", "2026-01-12", "20")] {
            let fields = json!({ "type": kind, "date": date, "qty": "1", "price": price });
            trade(&family, &broker, fields);
        }
        family.import(&broker, "Date,Description,Amount\n2026-01-06,Market,-8\n");
        for path in [
            "balance_sheet?date=2026-01-06",
            "reports/net_worth?start_date=2026-01-01&end_date=2026-01-31&interval=day",
            "reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31",
            "reports/gains",
        ] {
            assert_eq!(get(&family.api, path)["rates"], json!([]), "{path}");
        }
    }
}
