//! `GET /holdings/{id}`

use serde_json::{Value, json};

use super::PATH;
use crate::both;
use crate::ledger::{is_id, time, today};
use crate::support::{Client, Family, Scope, Server, Sql};
use crate::trades::{broker, exchange, fields, trade};

const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

/// A family with ten shares, and the id of the holding.
fn held(server: &Server) -> (Family, String, String) {
    let family = server.family();
    let account = broker(&family, "Broker", "0");
    let more = json!({ "qty": "10", "price": "150", "security_name": "Total Stock Market" });
    trade(&family.api, &account, "buy", "2026-01-05", more);
    let id = first(&family.api, "")["id"].as_str().unwrap().to_owned();
    (family, account, id)
}

/// The first holding of a list.
#[track_caller]
fn first(api: &Client, query: &str) -> Value {
    api.get(&format!("{PATH}?{query}")).expect_status(200).json()["holdings"][0].clone()
}

both! {
    fn a_holding_is_an_object_without_envelope(server) {
        let (family, account, id) = held(&server);
        let price = json!({ "security_price": {
            "security_id": first(&family.api, "")["security"]["id"], "date": "2026-01-06",
            "price": "187.1234", "currency": "USD" } });
        family.api.post("/api/v1/security_prices", &price).expect_status(201);
        let shown = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        assert_eq!(first(&family.api, ""), shown);
        is_id(&shown, "id");
        is_id(&shown["security"], "id");
        time(&shown, "created_at");
        time(&shown, "updated_at");
        assert_eq!(
            shown,
            json!({
                "id": id,
                "date": today(&family).to_string(),
                "qty": "10.0",
                "price": "$187.12",
                "price_decimal": "187.1234",
                "price_date": "2026-01-06",
                "price_source": "manual",
                "converted": null,
                "amount": "$1,871.23",
                "amount_decimal": "1871.234",
                "currency": "USD",
                "complete": true,
                "missing": null,
                "account": {
                    "id": account, "name": "Broker", "account_type": "investment",
                    "status": "active",
                },
                "security": {
                    "id": shown["security"]["id"], "ticker": "VTI",
                    "exchange_operating_mic": "XNAS", "name": "Total Stock Market",
                },
                "cost_basis_source": "calculated",
                "cost_basis_locked": false,
                "avg_cost": "$150.00",
                "avg_cost_decimal": "150.00",
                "cost_basis": "$1,500.00",
                "cost_basis_decimal": "1500.00",
                "unrealized_gain": "$371.23",
                "unrealized_gain_decimal": "371.234",
                "created_at": shown["created_at"],
                "updated_at": shown["updated_at"],
            })
        );
    }

    fn what_is_unknown_is_null_or_zero_and_marked(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let body = json!({
            "account_id": account, "type": "transfer_in", "date": "2026-01-05", "ticker": "X",
            "qty": "3",
        });
        family.api.post("/api/v1/trades", &body).expect_status(201);
        let shown = first(&family.api, "");
        for name in [
            "cost_basis_source", "avg_cost", "avg_cost_decimal", "cost_basis",
            "cost_basis_decimal", "unrealized_gain", "unrealized_gain_decimal", "price_date",
            "price_source", "converted",
        ] {
            assert_eq!(shown.get(name), Some(&json!(null)), "{name}");
        }
        for name in ["name", "exchange_operating_mic"] {
            assert_eq!(shown["security"].get(name), Some(&json!(null)), "{name}");
        }
        assert_eq!((&shown["complete"], &shown["missing"]), (&json!(false), &json!("price")));
        assert_eq!((&shown["price"], &shown["amount"]), (&json!(null), &json!("$0.00")));
    }

    fn quantities_are_plain_decimals(server) {
        let family = server.family();
        for (qty, shown) in [
            ("10", "10.0"),
            ("0.00000001", "0.00000001"),
            ("0.000000000000000001", "0.000000000000000001"),
            ("1.50", "1.5"),
            ("123456789012345.12345678", "123456789012345.12345678"),
        ] {
            let account = broker(&family, "Broker", "0");
            let price = "0.00001";
            exchange(&family.api, &account, "buy", "2026-01-05", qty, price);
            let of = format!("account_id={account}");
            assert_eq!(first(&family.api, &of)["qty"], shown);
            let day = "2026-01-06";
            exchange(&family.api, &account, "sell", day, qty, price);
            exchange(&family.api, &account, "sell", "2026-01-07", qty, price);
            assert_eq!(first(&family.api, &of)["qty"], format!("-{shown}"));
        }
    }

    fn a_price_below_the_smallest_unit_keeps_its_digits(server) {
        let family = server.family();
        for (currency, price, shown, decimal) in [
            ("USD", "0.000012", "$0.000012", "0.000012"),
            ("USD", "0.0099", "$0.0099", "0.0099"),
            ("USD", "0.015", "$0.02", "0.015"),
            ("USD", "1234.5", "$1,234.50", "1234.50"),
            ("USD", "0.0000000012", "$0.00", "0.0000000012"),
            ("EUR", "12.345", "€12.35", "12.345"),
            ("JPY", "0.5", "¥0.5", "0.5"),
            ("JPY", "1234.5", "¥1,235", "1234.5"),
            ("KWD", "1.2345", "KWD 1.235", "1.2345"),
            ("BTC", "0.000000012", "₿0.00000001", "0.000000012"),
        ] {
            let account = family.account_with(json!({
                "name": "Broker", "account_type": "crypto", "currency": currency
            }));
            let ticker = format!("P{}", &account[24..]);
            let more = json!({ "qty": "1", "price": price, "ticker": ticker });
            trade(&family.api, &account, "buy", "2026-01-05", more);
            let holding = first(&family.api, &format!("account_id={account}"));
            assert_eq!(holding["price"], shown, "{currency} {price}");
            assert_eq!(holding["price_decimal"], decimal, "{currency} {price}");
            assert_eq!(holding["currency"], currency);
        }
    }

    fn the_average_cost_is_rounded_only_as_text(server) {
        let family = server.family();
        for (qty, cost, average, shown) in [
            ("3", "100", "33.33333333", "$33.33"),
            ("3", "200", "66.66666667", "$66.67"),
            ("10", "0.0001", "0.00001", "$0.00001"),
            ("3000000", "0.0001", "0.00", "$0.00"),
            // Given for nothing, which is known; not the same as unknown.
            ("10", "0", "0.00", "$0.00"),
            ("0.5", "123456789.0123", "246913578.0246", "$246,913,578.02"),
        ] {
            let account = broker(&family, "Broker", "0");
            let more = json!({ "qty": qty, "cost": cost });
            trade(&family.api, &account, "transfer_in", "2026-01-05", more);
            let holding = first(&family.api, &format!("account_id={account}"));
            assert_eq!(holding["cost_basis_source"], "calculated");
            assert_eq!(holding["avg_cost"], shown, "{qty} for {cost}");
            assert_eq!(holding["avg_cost_decimal"], average, "{qty} for {cost}");
        }
    }

    fn a_cost_is_not_made_of_what_was_rounded_to_be_paid(server) {
        let family = server.family();
        let account = broker(&family, "Wallet", "0");
        let more = json!({ "qty": "0.00000001", "price": "42000", "ticker": "BTC" });
        trade(&family.api, &account, "buy", "2026-01-05", more);
        let holding = first(&family.api, &format!("account_id={account}"));
        assert_eq!(holding["avg_cost"], "$42,000.00");
        assert_eq!(holding["avg_cost_decimal"], "42000.00");
    }

    fn only_visible_accounts_show_their_holdings(server) {
        let (family, account, id) = held(&server);
        let sql = Sql::open(&server);
        let path = format!("{PATH}/{id}");
        for (status, expected) in
            [("draft", 200), ("disabled", 404), ("pending_deletion", 404), ("active", 200)]
        {
            sql.set_status(&account, status);
            let answer = family.api.get(&path);
            let listed = family.api.get(PATH).expect_status(200).json();
            if expected == 404 {
                let refused = answer.expect_error(404, "not_found");
                assert_eq!(refused["message"], "Holding not found", "{status}");
                assert_eq!(listed["pagination"]["total_count"], 0);
            } else {
                assert_eq!(answer.expect_status(200).json()["account"]["status"], status);
                assert_eq!(listed["pagination"]["total_count"], 1);
            }
        }
    }

    fn a_holding_is_its_familys(server) {
        let (family, account, id) = held(&server);
        let api = &family.api;
        let security = first(api, "")["security"]["id"].as_str().unwrap().to_owned();
        let missing = json!({ "error": "not_found", "message": "Holding not found" });
        let without_hyphens = id.replace('-', "");
        for wrong in [UNKNOWN, "5", &security, &account, &without_hyphens] {
            let refused = api.get(&format!("{PATH}/{wrong}")).expect_error(404, "not_found");
            assert_eq!(refused, missing, "{wrong}");
        }
        let path = format!("{PATH}/{id}");
        assert_eq!(server.family().api.get(&path).expect_error(404, "not_found"), missing);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        let shown = api.get(&path).expect_status(200).json();
        assert_eq!(reader.get(&path).expect_status(200).json(), shown);
        assert_eq!(reader.get(&format!("{PATH}/{}", id.to_uppercase())).status, 200);
        reader.patch(&path, &json!({})).expect_error(403, "insufficient_scope");
        server.client().get(&path).expect_error(401, "unauthorized");
    }

    fn the_id_survives_every_recomputation(server) {
        let (family, account, id) = held(&server);
        exchange(&family.api, &account, "buy", "2026-01-02", "5", "100");
        exchange(&family.api, &account, "sell", "2026-01-07", "15", "160");
        let shown = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        assert_eq!((&shown["qty"], &shown["avg_cost"]), (&json!("0.0"), &json!(null)));
        let again = fields(&account, "buy", "2026-01-09", json!({ "qty": "1", "price": "9" }));
        family.api.post("/api/v1/trades", &again).expect_status(201);
        assert_eq!(first(&family.api, "")["id"], id.as_str());
        let day = first(&family.api, "date=2026-01-05");
        assert_ne!(day["id"], id.as_str());
        assert_eq!(day["qty"], "15.0");
        let path = format!("{PATH}/{}", day["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), day);
    }
}
