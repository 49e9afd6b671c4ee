//! `PATCH /holdings/{id}`: the cost basis that a person states.

use serde_json::{Value, json};

use super::PATH;
use crate::both;
use crate::support::{Client, Family, Server};
use crate::trades::{broker, errors, exchange, trade};

/// Ten shares at 50, and the address of the holding.
fn held(server: &Server) -> (Family, String, String) {
    let family = server.family();
    let account = broker(&family, "Broker", "0");
    exchange(&family.api, &account, "buy", "2026-01-02", "10", "50");
    let list = family.api.get(PATH).expect_status(200).json();
    let path = format!("{PATH}/{}", list["holdings"][0]["id"].as_str().unwrap());
    (family, account, path)
}

#[track_caller]
fn cost(api: &Client, path: &str) -> (Value, Value) {
    let shown = api.get(path).expect_status(200).json();
    (shown["cost_basis_source"].clone(), shown["avg_cost_decimal"].clone())
}

both! {
    fn a_person_is_believed_and_can_take_it_back(server) {
        let (family, account, path) = held(&server);
        let api = &family.api;
        let changed = api.patch(&path, &json!({ "avg_cost": "33.33333333" })).expect_status(200);
        assert_eq!(changed.json()["avg_cost_decimal"], "33.33333333");
        assert_eq!(changed.json()["cost_basis_decimal"], "333.3333");
        let manual = |text: &str| (json!("manual"), json!(text));
        exchange(api, &account, "buy", "2026-01-03", "10", "500");
        assert_eq!(cost(api, &path), manual("33.33333333"));
        let total = json!({ "holding": { "cost_basis": 100 } });
        api.put(&path, &total).expect_status(200);
        assert_eq!(cost(api, &path), manual("5.00"));
        api.patch(&path, &json!({ "avg_cost": "0" })).expect_status(200);
        assert_eq!(cost(api, &path), manual("0.00"));
        api.patch(&path, &json!({ "avg_cost": null })).expect_status(200);
        assert_eq!(cost(api, &path), (json!("calculated"), json!("275.00")));
        assert_eq!(errors(api.patch(&path, &json!({ "avg_cost": 1, "cost_basis": 1 }))).len(), 1);
        for wrong in ["x", "-1", "1e3", "0.0000000000000000001"] {
            assert_eq!(errors(api.patch(&path, &json!({ "avg_cost": wrong }))).len(), 1, "{wrong}");
        }
        assert_eq!(errors(api.patch(&path, &json!({ "cost_basis": "-1" }))).len(), 1);
        api.patch(&path, &json!({})).expect_status(200);
    }

    fn later_splits_count_for_a_stated_cost(server) {
        let (family, account, path) = held(&server);
        family.api.patch(&path, &json!({ "avg_cost": "60" })).expect_status(200);
        let today = crate::ledger::today(&family);
        let more = json!({ "split_to": 3, "split_from": 1 });
        let on = |day: &str| {
            let list = family.api.get(&format!("{PATH}?date={day}")).json();
            list["holdings"][0]["avg_cost_decimal"].clone()
        };
        // The split wasn't known when the cost was stated: the shares that were meant became more.
        trade(&family.api, &account, "split", "2026-01-05", more.clone());
        assert_eq!(cost(&family.api, &path).1, "20.00");
        assert_eq!(on("2026-01-04"), "50.00", "before the day that it is of");
        trade(&family.api, &account, "split", &today.to_string(), more);
        assert_eq!(cost(&family.api, &path).1, "6.66666667");
        // Stated again, with both known: it is of the shares as they are counted now.
        family.api.patch(&path, &json!({ "cost_basis": "900" })).expect_status(200);
        assert_eq!((cost(&family.api, &path).1, on("2026-01-04")), (json!("10.00"), json!("50.00")));
    }

    fn a_stated_sum_stays_whatever_splits_arrive(server) {
        let (family, account, path) = held(&server);
        let api = &family.api;
        let two = json!({ "split_to": 2, "split_from": 1 });
        trade(api, &account, "split", "2026-01-05", two.clone());
        api.patch(&path, &json!({ "cost_basis": "400" })).expect_status(200);
        let sum = || {
            let shown = api.get(&path).expect_status(200).json();
            (shown["qty"].clone(), shown["cost_basis_decimal"].clone())
        };
        let of = |qty: &str| (json!(qty), json!("400.00"));
        assert_eq!(sum(), of("20.0"));
        let listed = api.get("/api/v1/trades").expect_status(200).json();
        let split = listed["trades"].as_array().unwrap().iter().find(|one| one["type"] == "split");
        let split = format!("/api/v1/trades/{}", split.unwrap()["id"].as_str().unwrap());
        api.patch(&split, &json!({ "split_to": 4 })).expect_status(200);
        assert_eq!(sum(), of("40.0"));
        api.delete(&split).expect_status(200);
        assert_eq!(sum(), of("10.0"));
        trade(api, &account, "split", "2026-01-05", two.clone());
        assert_eq!(sum(), of("20.0"));
        // Before anything was held it is of no share.
        trade(api, &account, "split", "2026-01-01", two);
        assert_eq!(sum(), of("20.0"));
    }

    fn a_day_that_is_named_is_the_day_that_is_meant(server) {
        let (family, account, path) = held(&server);
        exchange(&family.api, &account, "sell", "2026-01-10", "6", "50");
        let list = family.api.get(&format!("{PATH}?date=2026-01-07")).expect_status(200).json();
        let of_day = format!("{PATH}/{}", list["holdings"][0]["id"].as_str().unwrap());
        let changed = family.api.patch(&of_day, &json!({ "cost_basis": "150" })).expect_status(200);
        let changed = changed.json();
        assert_eq!((&changed["date"], &changed["qty"]), (&json!("2026-01-07"), &json!("10.0")));
        assert_eq!((&changed["cost_basis_decimal"], &changed["avg_cost_decimal"]),
            (&json!("150.00"), &json!("15.00")));
        let now = family.api.get(&path).expect_status(200).json();
        assert_eq!((&now["qty"], &now["cost_basis_decimal"]), (&json!("4.0"), &json!("60.00")));
    }

    fn what_is_bought_after_a_stated_cost_adds_its_own(server) {
        let family = server.family();
        let api = &family.api;
        let account = broker(&family, "Broker", "0");
        exchange(api, &account, "buy", "2026-01-02", "10", "10");
        let list = api.get(&format!("{PATH}?date=2026-01-05")).expect_status(200).json();
        let of_day = format!("{PATH}/{}", list["holdings"][0]["id"].as_str().unwrap());
        api.patch(&of_day, &json!({ "cost_basis": "200" })).expect_status(200);
        exchange(api, &account, "buy", "2026-01-06", "10", "40");
        let now = || api.get(PATH).expect_status(200).json()["holdings"][0].clone();
        let shown = now();
        assert_eq!(
            (&shown["cost_basis_decimal"], &shown["cost_basis_source"]),
            (&json!("600.00"), &json!("manual"))
        );
        exchange(api, &account, "sell", "2026-01-07", "5", "50");
        assert_eq!(now()["cost_basis_decimal"], "450.00");
        let report = api.get("/api/v1/reports/gains").expect_status(200).json();
        assert_eq!(report["years"][0]["gain"]["amount"], "100.00", "{report}");
        api.patch(&of_day, &json!({ "cost_basis": null })).expect_status(200);
        assert_eq!(now()["cost_basis_decimal"], "375.00");
        crate::accounts::consistent(&server);
    }

    fn what_was_sold_stays_when_another_cost_is_stated(server) {
        let (family, account, _) = held(&server);
        let api = &family.api;
        let state = |path: &str, cost: Value| {
            api.patch(path, &json!({ "cost_basis": cost })).expect_status(200);
        };
        let of_day = |day: &str| {
            let list = api.get(&format!("{PATH}?date={day}")).expect_status(200).json();
            format!("{PATH}/{}", list["holdings"][0]["id"].as_str().unwrap())
        };
        let gain = || {
            let report = api.get("/api/v1/reports/gains").expect_status(200).json();
            report["years"][0]["gain"]["amount"].clone()
        };
        let fifth = of_day("2026-01-05");
        state(&fifth, json!("200"));
        exchange(api, &account, "sell", "2026-01-10", "5", "50");
        assert_eq!(gain(), "150.00");
        let later = of_day("2026-02-01");
        state(&later, json!("90"));
        assert_eq!(gain(), "150.00", "what was sold before");
        assert_eq!(cost(api, &later), (json!("manual"), json!("18.00")));
        assert_eq!(cost(api, &fifth), (json!("manual"), json!("20.00")));
        exchange(api, &account, "sell", "2026-02-10", "5", "50");
        assert_eq!(gain(), "310.00");

        // An earlier one is corrected, and the newest one stays.
        state(&fifth, json!("300"));
        assert_eq!(cost(api, &fifth), (json!("manual"), json!("30.00")));
        assert_eq!(cost(api, &later), (json!("manual"), json!("18.00")));
        crate::accounts::consistent(&server);
        // None is left when it is taken back.
        state(&fifth, json!(null));
        assert_eq!(cost(api, &fifth), (json!("calculated"), json!("50.00")));
        assert_eq!(gain(), "0.00");
        crate::accounts::consistent(&server);
    }

    fn a_locked_cost_is_not_replaced(server) {
        let (family, account, path) = held(&server);
        let api = &family.api;
        assert_eq!(errors(api.patch(&path, &json!({ "cost_basis_locked": true }))).len(), 1);
        let locked = json!({ "avg_cost": "7", "cost_basis_locked": true });
        let shown = api.patch(&path, &locked).expect_status(200).json();
        assert_eq!(shown["cost_basis_locked"], true);
        for change in [json!({ "avg_cost": "8" }), json!({ "avg_cost": null })] {
            let refused = errors(api.patch(&path, &change));
            assert!(refused[0].ends_with("the cost basis is locked"), "{refused:?}");
        }
        exchange(api, &account, "buy", "2026-01-03", "10", "500");
        assert_eq!(cost(api, &path), (json!("manual"), json!("7.00")));
        let unlocked = json!({ "avg_cost": "8", "cost_basis_locked": false });
        api.patch(&path, &unlocked).expect_status(200);
        assert_eq!(cost(api, &path), (json!("manual"), json!("8.00")));
    }

    fn a_position_can_turn_out_to_be_of_another_security(server) {
        let (family, account, path) = held(&server);
        let api = &family.api;
        let more = json!({ "qty": "10", "price": "70", "ticker": "VTSAX" });
        let other = trade(api, &account, "buy", "2026-01-03", more)["security"]["id"].clone();
        let shown = api.patch(&path, &json!({ "security_id": other })).expect_status(200).json();
        assert_eq!((&shown["qty"], &shown["avg_cost"]), (&json!("20.0"), &json!("$60.00")));
        assert_eq!(shown["security"]["ticker"], "VTSAX");
        let list = api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 1, "they are one position now");
        assert_eq!(list["holdings"][0], shown);
        let trades = api.get("/api/v1/trades").expect_status(200).json();
        let tickers = trades["trades"].as_array().unwrap().iter();
        assert!(tickers.clone().all(|trade| trade["security"]["ticker"] == "VTSAX"));
        let unknown = errors(api.patch(&path, &json!({ "security_id": account })));
        assert_eq!(unknown, ["The security_id is not a security of this family"]);
        let to = broker(&family, "Other", "0");
        let more = json!({ "qty": "1", "to_account_id": to, "security_id": other });
        trade(api, &account, "transfer_out", "2026-01-04", more);
        let bought = exchange(api, &account, "buy", "2026-01-05", "1", "1");
        let back = json!({ "security_id": bought["security"]["id"] });
        assert!(errors(api.patch(&path, &back))[0].contains("moved between accounts"));
    }
}
