//! Changing and removing trades.

use serde_json::json;

use super::{PATH, broker, errors, exchange, trade};
use crate::both;
use crate::ledger::balance;

both! {
    fn what_is_missing_stays_and_everything_follows(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "1000");
        let made = trade(&family.api, &account, "buy", "2026-01-05", json!({
            "qty": "10", "price": "50", "fee": "1", "notes": "n",
        }));
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let changed = family.api.patch(&path, &json!({ "qty": "4" })).expect_status(200).json();
        assert_eq!((&changed["qty"], &changed["amount_decimal"]), (&json!("4.0"), &json!("201.00")));
        assert_eq!((&changed["notes"], &changed["fee_decimal"]), (&json!("n"), &json!("1.00")));
        assert_eq!(changed["name"], "Buy 4 VTI");
        let body = json!({ "trade": { "price": "60", "name": "Mine", "notes": null } });
        let changed = family.api.put(&path, &body).expect_status(200).json();
        assert_eq!((&changed["name"], &changed["notes"]), (&json!("Mine"), &json!(null)));
        assert_eq!(balance(&family.api, &account), "999.00");
        let day = json!({ "date": "2026-01-03", "ticker": "VXUS" });
        let changed = family.api.patch(&path, &day).expect_status(200).json();
        assert_eq!(changed["security"]["ticker"], "VXUS");
        let list = "/api/v1/holdings?date=2026-01-03";
        let holdings = family.api.get(list).expect_status(200).json()["holdings"].clone();
        assert_eq!(holdings.as_array().unwrap().len(), 1);
        assert_eq!(holdings[0]["security"]["ticker"], "VXUS");
        let same = family.api.patch(&path, &json!({ "qty": "4.0" })).expect_status(200).json();
        assert_eq!(same, changed, "nothing changed, so nothing was written");
        let dividend = json!({ "type": "dividend", "amount": "9" });
        let changed = family.api.patch(&path, &dividend).expect_status(200).json();
        assert_eq!((&changed["qty"], &changed["amount"]), (&json!("0.0"), &json!("-$8.00")));
        assert_eq!(balance(&family.api, &account), "1008.00");
    }

    /// A dividend of which the amount is only known later.
    fn a_dividend_of_nothing_can_be_redated(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "1000");
        for trade_type in ["dividend", "interest"] {
            let fields = json!({ "amount": "0", "notes": "n" });
            let made = trade(&family.api, &account, trade_type, "2026-01-05", fields);
            assert_eq!(made["amount_decimal"], "0.00", "{made}");
            let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
            let day = json!({ "date": "2026-02-28" });
            let changed = family.api.patch(&path, &day).expect_status(200).json();
            let mut expected = made;
            expected["date"] = "2026-02-28".into();
            expected["updated_at"] = changed["updated_at"].clone();
            assert_eq!(changed, expected, "only the day is another one");
            assert_eq!(family.api.get(&path).expect_status(200).json(), changed);
            assert_eq!(balance(&family.api, &account), "1000.00");
        }
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    }

    fn a_price_of_as_many_digits_as_there_can_be_is_kept(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "1000");
        let made = trade(&family.api, &account, "transfer_in", "2026-01-05", json!({
            "qty": "0.000000000000000001", "price": "7922816251426433759354395034",
        }));
        assert_eq!(made["qty"], "0.000000000000000001");
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        for price in ["79228162514264337593543950335", "12345678901.234567890123456789", "1"] {
            let change = json!({ "price": price });
            let changed = family.api.patch(&path, &change).expect_status(200).json();
            assert_eq!(family.api.get(&path).expect_status(200).json(), changed, "{price}");
            let shown = changed["price_decimal"].as_str().unwrap();
            assert!(shown.starts_with(price), "{shown}");
            // What was answered can be sent.
            let same = family.api.patch(&path, &json!({ "price": shown })).expect_status(200);
            assert_eq!(same.json(), changed);
            family.api.get(PATH).expect_status(200);
            family.api.get("/api/v1/holdings").expect_status(200);
        }
    }

    fn what_cannot_change_is_refused(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let other = broker(&family, "Other", "0");
        let made = exchange(&family.api, &account, "buy", "2026-01-05", "10", "50");
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let refuse = |body| errors(family.api.patch(&path, &body));
        assert_eq!(refuse(json!({ "account_id": other })), ["The account_id can't change"]);
        assert_eq!(refuse(json!({ "external_id": "x" })), ["The external_id can't change"]);
        assert_eq!(refuse(json!({ "amount": "5", "qty": "0" })).len(), 2);
        assert_eq!(refuse(json!({ "type": "split" })).len(), 2);
        family.api.patch(&path, &json!({ "account_id": account })).expect_status(200);
        let gone = format!("{PATH}/{account}");
        family.api.patch(&gone, &json!({})).expect_error(404, "not_found");
        family.api.delete(&gone).expect_error(404, "not_found");
    }

    fn a_trade_that_is_removed_leaves_nothing_but_the_id_of_its_holding(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "1000");
        let made = exchange(&family.api, &account, "buy", "2026-01-05", "10", "50");
        let list = "/api/v1/holdings";
        let holding = family.api.get(list).expect_status(200).json()["holdings"][0].clone();
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let gone = family.api.delete(&path).expect_status(200);
        assert_eq!(gone.json(), json!({ "message": "Trade deleted" }));
        family.api.get(&path).expect_error(404, "not_found");
        assert_eq!(balance(&family.api, &account), "1000.00");
        assert_eq!(family.api.get(list).json()["holdings"], json!([]));
        let id = holding["id"].as_str().unwrap();
        let shown = family.api.get(&format!("{list}/{id}")).expect_status(200).json();
        assert_eq!((&shown["qty"], &shown["amount_decimal"]), (&json!("0.0"), &json!("0.00")));
        exchange(&family.api, &account, "buy", "2026-01-06", "1", "1");
        assert_eq!(family.api.get(list).json()["holdings"][0]["id"], id);
    }
}
