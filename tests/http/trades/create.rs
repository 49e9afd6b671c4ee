//! `POST /trades`: each type, and what is refused.

use serde_json::json;

use super::{PATH, broker, errors, exchange, fields, trade};
use crate::accounts::consistent;
use crate::both;
use crate::ledger::{balance, names, unlimited};

both! {
    fn a_trade_is_an_object_with_every_field(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let made = trade(&family.api, &account, "buy", "2026-01-15", json!({
            "qty": "10", "price": 187.1234, "fee": "1.50", "security_name": "Total Market",
            "notes": "n", "external_id": "t-1",
        }));
        assert_eq!(
            names(&made),
            [
                "account", "amount", "amount_cents", "amount_decimal", "converted",
                "converted_value", "converted_value_decimal", "cost", "cost_decimal", "created_at",
                "currency", "date", "external_id", "fee", "fee_decimal", "id",
                "investment_activity_label", "name", "notes", "price", "price_decimal", "qty",
                "security", "source", "split_from", "split_to", "transfer", "type", "updated_at",
                "value", "value_decimal",
            ]
        );
        let shown = family.api.get(&format!("{PATH}/{}", made["id"].as_str().unwrap()));
        assert_eq!(shown.expect_status(200).json(), made);
        for (name, value) in [
            ("type", json!("buy")),
            ("investment_activity_label", json!("Buy")),
            ("name", json!("Buy 10 VTI")),
            ("notes", json!("n")),
            ("qty", json!("10.0")),
            ("price", json!("$187.12")),
            ("price_decimal", json!("187.1234")),
            ("fee_decimal", json!("1.50")),
            ("amount", json!("$1,872.73")),
            ("amount_cents", json!(187_273)),
            ("amount_decimal", json!("1872.734")),
            ("value_decimal", json!("1871.234")),
            ("currency", json!("USD")),
            ("external_id", json!("t-1")),
            ("source", json!("api")),
            ("converted", json!(null)),
            ("converted_value", json!(null)),
            ("cost", json!(null)),
            ("split_to", json!(null)),
            ("transfer", json!(null)),
        ] {
            assert_eq!(made[name], value, "{name}");
        }
        assert_eq!(made["account"]["id"], account.as_str());
        assert_eq!(made["security"]["ticker"], "VTI");
        assert_eq!(made["security"]["name"], "Total Market");
    }

    fn each_type_moves_money_and_shares_its_own_way(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "1000");
        for (day, trade_type, more, qty, amount, left) in [
            (1, "buy", json!({ "qty": "10", "price": "50", "fee": 1 }), "10.0", "501.00", "999.00"),
            (2, "split", json!({ "split_to": 2, "split_from": 1 }), "0.0", "0.00", "999.00"),
            (3, "sell", json!({ "qty": 5, "price": 40, "fee": 1 }), "-5.0", "-199.00", "1298.00"),
            (4, "dividend", json!({ "amount": "7", "fee": "2" }), "0.0", "-5.00", "1303.00"),
            (5, "interest", json!({ "amount": "1.5" }), "0.0", "-1.50", "1304.50"),
            (6, "fee", json!({ "amount": "0.5" }), "0.0", "0.50", "1304.00"),
            (7, "reinvestment", json!({ "qty": "1", "price": "40" }), "1.0", "0.00", "1344.00"),
            (8, "transfer_in", json!({ "qty": "2", "cost": "0" }), "2.0", "0.00", "1424.00"),
            (9, "transfer_out", json!({ "qty": "3" }), "-3.0", "0.00", "1304.00"),
        ] {
            let made =
                trade(&family.api, &account, trade_type, &format!("2026-01-0{day}"), more);
            assert_eq!((&made["qty"], &made["amount_decimal"]), (&json!(qty), &json!(amount)));
            let is_priced = ["buy", "sell", "reinvestment"].contains(&trade_type);
            assert_eq!((made["price"].is_null(), made["price_decimal"].is_null()), (!is_priced, !is_priced));
            assert_eq!(balance(&family.api, &account), left, "{trade_type}");
        }
    }

    fn the_order_of_arrival_does_not_matter(server) {
        let family = server.family();
        let mut shown = Vec::new();
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let account = family.account_with(json!({
                "name": "Broker", "account_type": "investment", "cost_method": "fifo"
            }));
            for at in order {
                let (trade_type, date, qty, price) = [
                    ("buy", "2026-01-02", "10", "50"),
                    ("buy", "2026-01-04", "10", "70"),
                    ("sell", "2026-01-03", "5", "60"),
                    ("sell", "2026-01-05", "10", "80"),
                ][at];
                exchange(&family.api, &account, trade_type, date, qty, price);
            }
            let list = format!("/api/v1/holdings?account_id={account}");
            let holding = family.api.get(&list).expect_status(200).json()["holdings"][0].clone();
            let value = |name: &str| holding[name].clone();
            shown.push((value("qty"), value("cost_basis_decimal"), value("amount_decimal")));
        }
        // Five of the second lot are left.
        assert_eq!(shown[0], (json!("5.0"), json!("350.00"), json!("400.00")));
        assert!(shown.iter().all(|one| *one == shown[0]), "{shown:?}");
    }

    fn a_security_is_found_or_made(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let buy = |more: serde_json::Value| {
            let mut body = json!({
                "account_id": account, "type": "buy", "date": "2026-01-02", "qty": "1",
                "price": "1",
            });
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            family.api.post(PATH, &body)
        };
        let security = |more| buy(more).expect_status(201).json()["security"]["id"].clone();
        let vti = security(json!({ "ticker": " vti ", "exchange_operating_mic": "xnas" }));
        assert_eq!(security(json!({ "ticker": "VTI" })), vti, "the only one of the ticker");
        assert_eq!(security(json!({ "security_id": vti })), vti);
        let other = security(json!({ "ticker": "VTI", "exchange_operating_mic": "XLON" }));
        assert_ne!(other, vti);
        let several = errors(buy(json!({ "ticker": "VTI" })));
        assert_eq!(several.len(), 1, "{several:?}");
        assert!(several[0].contains("several exchanges"), "{several:?}");
        let unknown = json!({ "security_id": account });
        assert_eq!(errors(buy(unknown)), ["The security_id is not a security of this family"]);
        let wrong = errors(buy(json!({ "ticker": "a b", "exchange_operating_mic": "x" })));
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        let both = errors(buy(json!({ "security_id": account, "ticker": "a b" })));
        assert_eq!(both.len(), 2, "{both:?}");
    }

    fn market_and_name_of_a_security_come_with_its_ticker(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let made = exchange(&family.api, &account, "buy", "2026-01-02", "1", "1");
        let security = &made["security"]["id"];
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        for name in ["exchange_operating_mic", "security_name"] {
            let refused = [format!("The {name} can only be sent together with a ticker")];
            for value in ["XLON", "~"] {
                let new = json!({ "account_id": account, "type": "buy", "date": "2026-01-02",
                    "qty": "1", "price": "1", "security_id": security, name: value });
                assert_eq!(errors(family.api.post(PATH, &new)), refused);
                assert_eq!(errors(family.api.patch(&path, &json!({ name: value }))), refused);
            }
            for nothing in [json!(null), json!(" ")] {
                family.api.patch(&path, &json!({ name: nothing })).expect_status(200);
            }
            let money = json!({ "account_id": account, "type": "deposit", "date": "2026-01-02",
                "amount": "1", name: "XLON" });
            let refused = [format!("The {name} is not for a deposit")];
            assert_eq!(errors(family.api.post(PATH, &money)), refused);
        }
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        let answered = json!({ "security_id": security, "security": made["security"] });
        family.api.patch(&path, &answered).expect_status(200);
    }

    fn every_problem_is_reported_at_once(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let cash = family.account("Cash", "depository");
        assert_eq!(
            errors(family.api.post(PATH, &json!({}))),
            [
                "Account ID is required",
                "Date is required",
                "The type is required",
                "The security_id or the ticker is required",
            ]
        );
        let refuse = |account: &str, trade_type, more| {
            errors(family.api.post(PATH, &fields(account, trade_type, "2026-01-02", more)))
        };
        let wrong = refuse(&account, "buy", json!({
            "qty": "-1", "price": "x", "fee": "0.00001", "amount": 5, "currency": "EURO",
            "name": 5, "source": "s",
        }));
        assert_eq!(wrong.len(), 7, "{wrong:?}");
        let one = json!({ "qty": "1", "price": "1" });
        assert_eq!(
            refuse(&cash, "buy", one.clone()),
            ["The account_id must name an account of type investment or crypto"]
        );
        assert_eq!(refuse(&account, "gift", one.clone()).len(), 1);
        let far = fields(&account, "buy", "2099-01-01", one.clone());
        assert_eq!(errors(family.api.post(PATH, &far)).len(), 1);
        for qty in ["0", "1e3", "1000000000000001", "0.0000000000000000001"] {
            assert_eq!(refuse(&account, "buy", json!({ "qty": qty, "price": "1" })).len(), 1);
        }
        // Together the shares would leave what can be written.
        exchange(&family.api, &account, "buy", "2026-01-02", "1000000000000", "0.000001");
        let tiny = json!({ "qty": "0.000000000000000001", "price": "1" });
        assert_eq!(refuse(&account, "buy", tiny), ["The number of shares is out of range"]);
    }

    fn sums_that_clients_made_in_floats_are_read_without_their_noise(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "100");
        let sums = json!({ "qty": 0.30000000000000004, "price": 0.00030000000000000003,
            "fee": 30.299999999999997 });
        let made = trade(&family.api, &account, "buy", "2026-01-02", sums);
        assert_eq!(made["name"], "Buy 0.3 VTI");
        assert_eq!(made["price_decimal"], "0.0003");
        assert_eq!(made["fee_decimal"], "30.30");
        let text = json!({ "qty": "1", "price": "1", "fee": "30.299999999999997" });
        let refused = errors(family.api.post(PATH, &fields(&account, "buy", "2026-01-02", text)));
        assert_eq!(refused, ["The fee must have at most 4 decimals"]);
    }

    fn the_same_external_id_is_the_same_trade(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let body = |qty: &str| {
            let more = json!({ "qty": qty, "price": "1", "external_id": "x", "source": "broker" });
            fields(&account, "buy", "2026-01-02", more)
        };
        let first = family.api.post(PATH, &body("1")).expect_status(201).json();
        assert_eq!(family.api.post(PATH, &body("2")).expect_status(200).json(), first);
        let list = family.api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 1);
    }

    fn what_was_deleted_comes_again_only_on_request(server = unlimited()) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let body = |more: serde_json::Value| {
            let mut all = json!({ "qty": "1", "price": "1", "external_id": "x" });
            all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            fields(&account, "buy", "2026-01-02", all)
        };
        let send = |more| family.api.post(PATH, &body(more));
        let first = send(json!({})).expect_status(201).id();
        family.api.delete(&format!("{PATH}/{first}")).expect_status(200);
        let refused = send(json!({ "qty": "2" })).expect_error(409, "deleted_before");
        assert!(refused["message"].as_str().unwrap().contains("\"x\""), "{refused}");
        assert_eq!(errors(send(json!({ "qty": "0" }))).len(), 1, "what is wrong comes first");
        assert_eq!(errors(send(json!({ "restore": "perhaps" }))).len(), 1);
        // Another source has ids of its own, and so have transactions.
        send(json!({ "source": "shop" })).expect_status(201);
        let transaction = json!({
            "account_id": account, "name": "Fee", "date": "2026-01-02", "amount": "1",
            "external_id": "x", "source": "api",
        });
        let paid = family.api.post("/api/v1/transactions", &transaction).expect_status(201).id();
        family.api.delete(&format!("/api/v1/transactions/{paid}")).expect_status(200);
        let again = send(json!({ "restore": true })).expect_status(201).id();
        assert_ne!(again, first);
        assert_eq!(send(json!({})).expect_status(200).id(), again);
        family.api.delete(&format!("{PATH}/{again}")).expect_status(200);
        send(json!({})).expect_error(409, "deleted_before");
        let list = family.api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 1);
        consistent(&server);
    }
}
