//! Daily balances: every row explains itself, starts where the one before ended, and there is one
//! for every day up to today.

use std::collections::BTreeMap;

use jiff::Span;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::balances::consistent;
use crate::both;
use crate::ledger::{account, text, today, unlimited, value};
use crate::support::{Client, Family};

const PATH: &str = "/api/v1/balances";

/// All daily balances that a query finds, page by page, newest first.
fn daily(api: &Client, query: &str, per_page: u32) -> Vec<Value> {
    let mut rows = Vec::new();
    for page in 1.. {
        let path = format!("{PATH}?page={page}&per_page={per_page}&{query}");
        let answer = api.get(&path).expect_status(200).json();
        let found = answer["balances"].as_array().unwrap().clone();
        assert!(found.len() <= per_page as usize);
        rows.extend(found);
        if page >= answer["pagination"]["total_pages"].as_u64().unwrap() {
            assert_eq!(answer["pagination"]["total_count"], rows.len());
            return rows;
        }
    }
    unreachable!("pages end")
}

fn decimal(row: &Value, name: &str) -> i128 {
    let text = text(row, &format!("{name}_decimal"));
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction:0<8}");
    digits.parse().unwrap()
}

/// What must hold on every row, and between a row and the one of the day before.
fn assert_articulates(rows: &[Value]) {
    let mut ends: BTreeMap<String, (String, [i128; 3])> = BTreeMap::new();
    for row in rows.iter().rev() {
        let of = |name: &str| decimal(row, name);
        let factor = i128::from(row["flows_factor"].as_i64().unwrap());
        let cash = of("start_cash_balance")
            + (of("cash_inflows") - of("cash_outflows")) * factor
            + of("cash_adjustments");
        assert_eq!(cash, of("end_cash_balance"), "{row}");
        let rest = of("start_non_cash_balance")
            + (of("non_cash_inflows") - of("non_cash_outflows")) * factor
            + of("net_market_flows")
            + of("non_cash_adjustments");
        assert_eq!(rest, of("end_non_cash_balance"), "{row}");
        assert_eq!(of("start_cash_balance") + of("start_non_cash_balance"), of("start_balance"));
        assert_eq!(cash + rest, of("end_balance"));
        assert_eq!(of("balance"), of("end_balance"));
        let starts = [of("start_cash_balance"), of("start_non_cash_balance"), of("start_balance")];
        assert!(text(row, "created_at") <= text(row, "updated_at"), "{row}");
        let account = text(&row["account"], "id");
        let date = text(row, "date");
        if let Some((before, ends)) = ends.get(&account) {
            let next: Date = before.parse::<Date>().unwrap().tomorrow().unwrap();
            assert_eq!(next.to_string(), date, "no day is left out");
            assert_eq!(*ends, starts, "{row}");
        }
        ends.insert(account, (date, [cash, rest, cash + rest]));
    }
}

fn day(family: &Family, distance: i64) -> String {
    today(family).saturating_add(Span::new().days(distance)).to_string()
}

both! {
    fn every_day_up_to_today_explains_itself(server = unlimited()) {
        let family = server.family();
        let lines = |flows: &[(i64, &str)]| {
            let lines: String = flows
                .iter()
                .map(|(at, amount)| format!("{},Flow,{amount}\n", day(&family, *at)))
                .collect();
            format!("Date,Description,Amount\n{lines}")
        };
        let mut expected = Vec::new();
        for (account_type, opening) in
            [("depository", "100"), ("credit_card", "50"), ("loan", "900"), ("investment", "10")]
        {
            let id = family.account_with(json!({ "name": account_type,
                "account_type": account_type, "opening_balance": opening }));
            let flows = [(-40, "10.01"), (-39, "-3"), (-20, "7"), (-20, "-8"), (5, "1000")];
            family.import(&id, &lines(&flows));
            value(&family.api, &id, &day(&family, -10), "77.7777");
            value(&family.api, &id, &day(&family, 3), "5");
            let rows = daily(&family.api, &format!("account_id={id}"), 100);
            assert_eq!(rows.len(), 41, "from the first entry to today");
            assert_eq!(rows[0]["date"], day(&family, 0));
            assert_eq!(rows[0]["balance"], account(&family.api, &id)["balance"]);
            assert_eq!(rows[10]["valued"], true);
            assert_eq!(rows[10]["balance_decimal"], "77.7777");
            assert_articulates(&rows);
            for row in &rows {
                let shown = family.api.get(&format!("{PATH}/{}", text(row, "id")));
                assert_eq!(&shown.expect_status(200).json(), row);
            }
            expected.extend(rows);
        }
        // All accounts together, in pages that share a day.
        let all = daily(&family.api, "", 7);
        assert_eq!(all.len(), expected.len());
        let order: Vec<_> =
            all.iter().map(|row| (text(row, "date"), text(&row["account"], "id"))).collect();
        let mut sorted = order.clone();
        sorted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        assert_eq!(order, sorted);
        assert_articulates(&all);
        expected.iter().for_each(|row| assert!(all.contains(row)));
    }

    fn a_debt_has_its_flows_turned(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "Loan", "account_type": "loan",
            "opening_balance": "20000", "opening_date": day(&family, -2) }));
        let line = format!("Date,Description,Amount\n{},Repayment,2000\n", day(&family, -1));
        family.import(&id, &line);
        let rows = daily(&family.api, &format!("account_id={id}"), 25);
        let row = &rows[1];
        assert_eq!(row["flows_factor"], -1);
        assert_eq!(row["non_cash_inflows"], "$2,000.00");
        assert_eq!((&row["cash_inflows"], &row["end_cash_balance"]), (&json!("$0.00"), &json!("$0.00")));
        assert_eq!(row["start_non_cash_balance_cents"], 2_000_000);
        assert_eq!(row["end_non_cash_balance_decimal"], "18000.00");
    }

    fn a_banks_balance_derives_the_days_before(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "Giro", "account_type": "depository",
            "current_balance": "1000" }));
        assert_eq!(account(&family.api, &id)["balance_decimal"], "1000.00");
        let flows = format!(
            "Date,Description,Amount\n{},a,250\n{},b,-40\n{},c,90\n",
            day(&family, -9), day(&family, -5), day(&family, 0)
        );
        family.import(&id, &flows);
        let rows = daily(&family.api, &format!("account_id={id}"), 100);
        assert_eq!(rows.len(), 10);
        assert_articulates(&rows);
        // The oldest day starts with what follows: 1000 − 90 + 40 − 250.
        assert_eq!(rows[9]["start_balance_decimal"], "700.00");
        assert_eq!(rows[0]["balance_decimal"], "1000.00");
        assert!(rows.iter().all(|row| row["cash_adjustments_cents"] == 0), "all is explained");
        let anchors = family.api.get(&format!("/api/v1/valuations?account_id={id}"));
        let anchors = anchors.expect_status(200).json();
        assert_eq!(anchors["valuations"][0]["kind"], "current_anchor");

        // A known balance in between: what flows don't explain stands on the day after it.
        value(&family.api, &id, &day(&family, -7), "900");
        let rows = daily(&family.api, &format!("account_id={id}"), 100);
        assert_articulates(&rows);
        assert_eq!(rows[7]["balance_decimal"], "900.00");
        assert_eq!(rows[6]["cash_adjustments_decimal"], "50.00");
        assert_eq!(rows[9]["start_balance_decimal"], "650.00");
        assert_eq!(rows[0]["balance_decimal"], "1000.00");

        // What the bank reported on another day is kept as a valuation; here it reports the same
        // day again.
        let body = json!({ "account": { "current_balance": "1100" } });
        let path = format!("/api/v1/accounts/{id}");
        let changed = family.api.patch(&path, &body).expect_status(200).json();
        assert_eq!(changed["balance_decimal"], "1100.00");
        let rows = daily(&family.api, &format!("account_id={id}"), 100);
        assert_articulates(&rows);
        assert_eq!(rows[6]["cash_adjustments_decimal"], "150.00");

        // Without it the series is folded forward again.
        let anchors = family.api.get(&format!("/api/v1/valuations?account_id={id}"));
        let anchor = text(&anchors.expect_status(200).json()["valuations"][0], "id");
        family.api.delete(&format!("/api/v1/valuations/{anchor}")).expect_status(200);
        let rows = daily(&family.api, &format!("account_id={id}"), 100);
        assert_articulates(&rows);
        assert_eq!(rows[9]["start_balance_decimal"], "0.00");
        assert_eq!(rows[0]["balance_decimal"], "950.00");
        consistent(&server);
    }

    fn filters_choose_and_nonsense_is_refused(server = unlimited()) {
        let family = server.family();
        let dollars = family.account("A", "depository");
        let euros = family.account_with(json!({ "name": "E", "account_type": "depository",
            "currency": "EUR", "opening_balance": "5" }));
        let start = day(&family, -3);
        family.import(&dollars, &format!("Date,Description,Amount\n{start},a,1\n"));
        let dates = |query: &str| {
            let rows = daily(&family.api, query, 100);
            rows.iter().map(|row| text(row, "date")).collect::<Vec<_>>()
        };
        assert_eq!(dates("currency=eur"), [day(&family, 0)], "nothing happened: only today");
        assert_eq!(dates(&format!("account_id={euros}")).len(), 1);
        let range = format!("start_date={}&end_date={}", day(&family, -2), day(&family, -1));
        assert_eq!(dates(&range), [day(&family, -1), day(&family, -2)]);
        assert_eq!(dates("start_date=2099-01-01"), [""; 0]);
        let wrong = family.api.get(&format!("{PATH}?account_id=1&currency=X&start_date=a&end_date=b"));
        let errors = wrong.expect_error(422, "validation_failed");
        assert_eq!(errors["errors"].as_array().unwrap().len(), 4);
        for id in ["1", &dollars, "0190f5f0-7c00-8a10-8000-00000000000a"] {
            family.api.get(&format!("{PATH}/{id}")).expect_error(404, "not_found");
        }
        let stranger = server.family();
        let row = text(&daily(&family.api, "", 100)[0], "id");
        stranger.api.get(&format!("{PATH}/{row}")).expect_error(404, "not_found");
        assert_eq!(daily(&stranger.api, "", 100).len(), 0);
    }

    fn a_day_is_complete_exactly_if_nothing_that_it_needs_is_missing(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let euros = |id: &str, days: i64, amount: &str| {
            let fields = json!({ "account_id": id, "date": day(&family, days), "amount": amount,
                "currency": "EUR", "name": "a" });
            api.post("/api/v1/transactions", &json!({ "transaction": fields })).expect_status(201);
        };
        let incomplete = |id: &str| -> Vec<i64> {
            let rows = daily(api, &format!("account_id={id}"), 100);
            let lacking = rows.iter().rev().filter(|row| row["complete"] == false);
            let days_of = |row: &Value| {
                let date: Date = text(row, "date").parse().unwrap();
                i64::from((date - today(&family)).get_days())
            };
            lacking.map(days_of).collect()
        };
        let giro = |fields: Value| {
            let mut all = json!({ "name": "Giro", "account_type": "depository" });
            all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            family.account_with(all)
        };
        // Forward: from the amount on, until a valuation.
        let forward = giro(json!({ "opening_balance": "1000" }));
        euros(&forward, -8, "0");
        assert_eq!(account(api, &forward)["complete"], true, "zero needs no rate");
        euros(&forward, -6, "5");
        assert_eq!(incomplete(&forward), (-6..=0).collect::<Vec<_>>());
        assert_eq!(account(api, &forward)["complete"], false);
        value(api, &forward, &day(&family, -3), "900");
        assert_eq!(incomplete(&forward), [-6, -5, -4, -3], "the start of its day isn't known");
        assert_eq!(account(api, &forward)["complete"], true);
        // Backward: what is derived from the bank's balance.
        let backward = giro(json!({ "current_balance": "1000" }));
        euros(&backward, -6, "0");
        euros(&backward, -4, "5");
        assert_eq!(incomplete(&backward), [-6, -5, -4]);
        assert_eq!(account(api, &backward)["complete"], true);
        let report = |days: i64| {
            let (from, to) = (day(&family, days), day(&family, 0));
            let path = format!("reports/net_worth?start_date={from}&end_date={to}&interval=day");
            api.get(&format!("/api/v1/{path}")).expect_status(200).json()["complete"].clone()
        };
        assert_eq!((report(-3), report(-4), report(-5)), (json!(true), json!(false), json!(false)));
        consistent(&server);
    }

    fn a_day_that_starts_with_shares_without_a_price_is_incomplete(server = unlimited()) {
        let family = server.family();
        let id = family.account("Broker", "investment");
        for (kind, date) in [("transfer_in", day(&family, -5)), ("transfer_out", day(&family, -3))] {
            let fields = json!({ "account_id": id, "ticker": "VTI", "type": kind, "date": date,
                "qty": "1" });
            family.api.post("/api/v1/trades", &json!({ "trade": fields })).expect_status(201);
        }
        let rows = daily(&family.api, &format!("account_id={id}"), 100);
        let complete: Vec<&Value> = rows.iter().rev().map(|row| &row["complete"]).collect();
        assert_eq!(complete, [false, false, false, true, true, true]);
    }

    fn shares_that_move_are_a_flow_and_no_market_movement(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let (one, other) = (family.account("One", "investment"), family.account("Two", "investment"));
        let trade = |kind: &str, date: String, more: Value| {
            let mut fields = json!({ "account_id": one, "ticker": "VTI", "type": kind,
                "date": date });
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let made = api.post("/api/v1/trades", &json!({ "trade": fields })).expect_status(201);
            text(&made.json()["security"], "id")
        };
        let bought = json!({ "qty": "10", "price": "100" });
        let security = trade("buy", day(&family, -5), bought);
        let price = json!({ "security_id": security, "date": day(&family, -3), "price": "110",
            "currency": "USD" });
        api.post("/api/v1/security_prices", &price).expect_status(201);
        // Whatever price is stated with them: it isn't the one of the day.
        for price in [json!(null), json!("90")] {
            let part = json!({ "qty": "5", "price": price, "to_account_id": other });
            trade("transfer_out", day(&family, -3), part);
        }
        let of_day = |id: &str| {
            let date = day(&family, -3);
            let query = format!("account_id={id}&start_date={date}&end_date={date}");
            let row = daily(api, &query, 5).remove(0);
            ["non_cash_inflows", "non_cash_outflows", "net_market_flows", "end_balance"]
                .map(|name| text(&row, &format!("{name}_decimal")))
        };
        // The price of the day moved the shares where they were in the morning.
        assert_eq!(of_day(&one), ["0.00", "1100.00", "100.00", "-1000.00"]);
        assert_eq!(of_day(&other), ["1100.00", "0.00", "0.00", "1100.00"]);
        for id in [&one, &other] {
            assert_articulates(&daily(api, &format!("account_id={id}"), 100));
        }
        consistent(&server);
    }
}
