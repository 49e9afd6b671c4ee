//! `GET /holdings`

use serde_json::{Value, json};

use super::PATH;
use crate::both;
use crate::ledger::texts;
use crate::trades::{broker, exchange, trade};

both! {
    fn open_positions_are_listed_for_today_for_a_day_or_for_each_day(server) {
        let family = server.family();
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let api = &family.api;
        exchange(api, &one, "buy", "2026-01-02", "10", "50");
        exchange(api, &one, "sell", "2026-01-04", "10", "60");
        let more = json!({ "qty": "4", "price": "7", "ticker": "VXUS" });
        let vxus = trade(api, &other, "buy", "2026-01-03", more)["security"]["id"].clone();
        exchange(api, &one, "sell", "2026-01-06", "2", "70");
        let list = |query: &str| {
            let body = api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            let rows: Vec<Value> = body["holdings"].as_array().unwrap().clone();
            assert_eq!(body["pagination"]["total_count"], rows.len(), "{query}");
            rows
        };
        let shown = |query: &str| {
            let rows = Value::Array(list(query));
            let days = texts(&rows, "date").into_iter().zip(texts(&rows, "qty"));
            days.map(|(day, qty)| format!("{} {qty}", &day[8..])).collect::<Vec<_>>()
        };
        let quantities = |query: &str| texts(&Value::Array(list(query)), "qty");
        assert_eq!(quantities(""), ["-2.0", "4.0"]);
        assert_eq!(shown("date=2026-01-03"), ["03 10.0", "03 4.0"]);
        assert_eq!(quantities("date=2026-01-04"), ["4.0"]);
        assert!(quantities("date=2026-01-01").is_empty());
        assert!(quantities("date=2099-01-01").is_empty(), "nothing is known of it");
        let span = "start_date=2026-01-01&end_date=2026-01-06";
        assert_eq!(
            shown(span),
            ["02 10.0", "03 10.0", "03 4.0", "04 4.0", "05 4.0", "06 -2.0", "06 4.0"]
        );
        assert_eq!(shown(&format!("{span}&account_id={one}")), ["02 10.0", "03 10.0", "06 -2.0"]);
        let of = format!("{span}&security_id={}", vxus.as_str().unwrap());
        assert_eq!(shown(&of), ["03 4.0", "04 4.0", "05 4.0", "06 4.0"]);
        let both = format!("account_ids[]={one}&account_ids[]={other}");
        assert_eq!(quantities(&both).len(), 2);
        for row in list(span) {
            let path = format!("{PATH}/{}", row["id"].as_str().unwrap());
            assert_eq!(api.get(&path).expect_status(200).json(), row);
        }
        for wrong in ["date=x", "date=2026-01-01&start_date=2026-01-01", "security_id=x"] {
            api.get(&format!("{PATH}?{wrong}")).expect_error(422, "validation_failed");
        }
    }

    fn a_day_has_the_price_and_the_cost_of_that_day(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        exchange(&family.api, &account, "buy", "2026-01-02", "10", "50");
        exchange(&family.api, &account, "buy", "2026-01-05", "10", "80");
        let on = |day: &str| {
            let body = family.api.get(&format!("{PATH}?date={day}")).expect_status(200).json();
            let one = &body["holdings"][0];
            ["amount_decimal", "avg_cost_decimal", "price_date"].map(|name| one[name].clone())
        };
        assert_eq!(on("2026-01-04"), [json!("500.00"), json!("50.00"), json!("2026-01-02")]);
        assert_eq!(on("2026-01-05"), [json!("1600.00"), json!("65.00"), json!("2026-01-05")]);
    }

    fn long_spans_are_read_page_by_page(server) {
        let family = server.family();
        for name in ["One", "Other", "Third"] {
            let account = broker(&family, name, "0");
            exchange(&family.api, &account, "buy", "1950-01-01", "1", "1");
        }
        let query = "start_date=1900-01-01&end_date=2000-01-01&per_page=2";
        let last = family.api.get(&format!("{PATH}?{query}&page=27394")).expect_status(200).json();
        let total = 3 * (50 * 365 + 12 + 1);
        assert_eq!(last["pagination"]["total_count"], total);
        assert_eq!(last["pagination"]["total_pages"], 27_395);
        assert_eq!(texts(&last["holdings"], "date"), ["2000-01-01", "2000-01-01"]);
        let beyond = family.api.get(&format!("{PATH}?{query}&page=27396")).expect_status(200);
        assert_eq!(beyond.json()["holdings"], json!([]));
    }
}
