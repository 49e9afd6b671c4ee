//! Shares that move between accounts of the family.

use serde_json::json;

use super::{PATH, broker, errors, exchange, fields, trade};
use crate::both;
use crate::support::{Client, Family, Server};

/// A client with a key that may do everything in one account.
pub(crate) fn restricted_to(server: &Server, family: &Family, account: &str) -> Client {
    let key = ["key", "add", "--user", &family.email, "--name", "one", "--scope", "read_write"];
    let made = server.run_json(&[&key[..], &["--account", account]].concat(), "");
    server.client().with_key(made["key"].as_str().unwrap())
}

both! {
    fn a_move_is_two_trades_that_change_together(server) {
        let family = server.family();
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let api = &family.api;
        exchange(api, &one, "buy", "2026-01-02", "10", "50");
        let more = json!({ "qty": "4", "to_account_id": other });
        let out = trade(api, &one, "transfer_out", "2026-01-03", more);
        assert_eq!(out["transfer"]["account"]["id"], other.as_str());
        let path = format!("{PATH}/{}", out["transfer"]["trade_id"].as_str().unwrap());
        let into = api.get(&path).expect_status(200).json();
        assert_eq!((&into["type"], &into["qty"]), (&json!("transfer_in"), &json!("4.0")));
        assert_eq!(into["transfer"]["trade_id"], out["id"]);
        let cost = |account: &str| {
            let list = format!("/api/v1/holdings?account_id={account}");
            api.get(&list).expect_status(200).json()["holdings"][0]["cost_basis_decimal"].clone()
        };
        assert_eq!((cost(&one), cost(&other)), (json!("300.00"), json!("200.00")));

        api.patch(&path, &json!({ "qty": "5", "date": "2026-01-04" })).expect_status(200);
        let moved = api.get(&format!("{PATH}/{}", out["id"].as_str().unwrap())).json();
        assert_eq!((&moved["qty"], &moved["date"]), (&json!("-5.0"), &json!("2026-01-04")));
        assert_eq!((cost(&one), cost(&other)), (json!("250.00"), json!("250.00")));
        assert_eq!(errors(api.patch(&path, &json!({ "type": "buy", "price": "1" }))).len(), 1);
        assert_eq!(errors(api.patch(&path, &json!({ "cost": "1" }))).len(), 1);

        let restricted = restricted_to(&server, &family, &other);
        let shown = restricted.get(&path).expect_status(200).json();
        assert_eq!(shown["transfer"], json!({ "trade_id": null, "account": null }));
        restricted.patch(&path, &json!({ "qty": "1" })).expect_error(403, "restricted_key");
        restricted.delete(&path).expect_error(403, "restricted_key");
        let hidden = json!({ "qty": "1", "to_account_id": one });
        let refused = restricted.post(PATH, &fields(&other, "transfer_out", "2026-01-05", hidden));
        assert_eq!(errors(refused), ["The to_account_id is not an account of this family"]);

        api.delete(&path).expect_status(200);
        assert_eq!(cost(&one), "500.00");
        let left = api.get(PATH).expect_status(200).json();
        assert_eq!(left["pagination"]["total_count"], 1);
    }

    fn days_begin_with_the_shares_whether_or_not_a_price_came_with_them(server) {
        let family = server.family();
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let api = &family.api;
        exchange(api, &one, "buy", "2026-01-02", "10", "5");
        trade(api, &one, "transfer_out", "2026-01-05", json!({ "qty": "4", "to_account_id": other }));
        let path = format!("/api/v1/balances?account_id={other}&end_date=2026-01-06");
        let days = api.get(&path).expect_status(200).json();
        let days: Vec<_> = days["balances"].as_array().unwrap().iter()
            .map(|day| (&day["date"], &day["start_balance_decimal"], &day["end_balance_decimal"]))
            .map(|(date, start, end)| format!("{date} {start} {end}").replace('"', ""))
            .collect();
        assert_eq!(days, ["2026-01-06 20.00 20.00", "2026-01-05 0.00 20.00"]);
    }

    fn a_price_of_a_move_counts(server) {
        let family = server.family();
        let broker = broker(&family, "One", "0");
        let more = json!({ "qty": "10", "price": "12", "cost": "100" });
        trade(&family.api, &broker, "transfer_in", "2026-01-02", more);
        let held = family.api.get("/api/v1/holdings").expect_status(200).json();
        let held = &held["holdings"][0];
        assert_eq!((&held["amount_decimal"], &held["price_source"]), (&json!("120.00"), &json!("trade")));
        let path = "/api/v1/balances?end_date=2026-01-02";
        let day = family.api.get(path).expect_status(200).json()["balances"][0].clone();
        assert_eq!((&day["end_balance_decimal"], &day["net_market_flows_decimal"]),
            (&json!("120.00"), &json!("0.00")), "{day}");
    }

    fn names_and_notes_are_of_one_side(server) {
        let family = server.family();
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let api = &family.api;
        let more = json!({
            "qty": "4", "to_account_id": other, "name": "To the children", "notes": "Mine alone",
        });
        let out = trade(api, &one, "transfer_out", "2026-01-03", more);
        let side = |id: &serde_json::Value| {
            let shown = api.get(&format!("{PATH}/{}", id.as_str().unwrap())).expect_status(200);
            let shown = shown.json();
            (shown["name"].clone(), shown["notes"].clone())
        };
        let (left, arrived) = (&out["id"], &out["transfer"]["trade_id"]);
        let texts = (json!("To the children"), json!("Mine alone"));
        assert_eq!(side(left), texts);
        let (name, notes) = side(arrived);
        assert_ne!(name, "To the children");
        assert_eq!(notes, json!(null));
        let path = format!("{PATH}/{}", arrived.as_str().unwrap());
        api.patch(&path, &json!({ "notes": "Theirs", "name": "Got" })).expect_status(200);
        assert_eq!(side(left), texts);
        assert_eq!(side(arrived), (json!("Got"), json!("Theirs")));
    }

    fn what_cannot_move_is_refused(server) {
        let family = server.family();
        let one = broker(&family, "One", "0");
        let euro = family.account_with(json!({
            "name": "Euro", "account_type": "investment", "currency": "EUR"
        }));
        let refuse = |trade_type: &str, to: &str| {
            let mut more = json!({ "qty": "4", "to_account_id": to });
            if trade_type == "buy" {
                more["price"] = json!("1");
            }
            errors(family.api.post(PATH, &fields(&one, trade_type, "2026-01-03", more)))
        };
        assert_eq!(refuse("transfer_out", &one), ["The to_account_id must name another account"]);
        let astray = json!({ "qty": "4", "to_account_id": euro, "currency": "EUR" });
        let astray = fields(&one, "transfer_out", "2026-01-03", astray);
        let astray = errors(family.api.post(PATH, &astray));
        assert_eq!(
            astray,
            ["The currency must be that of the account that the shares leave, USD"]
        );
        assert_eq!(refuse("transfer_out", "x"), ["The to_account_id is not an account of this family"]);
        assert_eq!(refuse("transfer_in", &euro).len(), 1);
        assert_eq!(refuse("buy", &euro).len(), 1);
    }
}
