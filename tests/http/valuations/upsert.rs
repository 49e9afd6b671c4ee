//! One valuation per account and day: writing again replaces it in place. `upsert` decides about
//! the status of the answer and nothing else.

use jiff::ToSpan as _;
use jiff::civil::date;
use serde_json::{Value, json};

use crate::both;
use crate::ledger::{balance, time, unlimited, value};
use crate::support::Sql;

const PATH: &str = "/api/v1/valuations";

both! {
    fn upsert_decides_about_the_status_only(server = unlimited()) {
        let family = server.family();
        let house = family.account("House", "property");
        let outside = [
            None,
            Some(json!(true)),
            Some(json!(false)),
            Some(json!("true")),
            Some(json!("false")),
            Some(json!(null)),
        ];
        let inside = [
            None,
            Some(json!(true)),
            Some(json!(false)),
            Some(json!("true")),
            Some(json!("false")),
        ];
        let mut day = date(2020, 1, 1);
        for outer in &outside {
            for inner in &inside {
                day += 1.day();
                let mut body = json!({ "valuation": {
                    "account_id": house, "amount": 1, "date": day.to_string() } });
                if let Some(outer) = outer {
                    body["upsert"] = outer.clone();
                }
                if let Some(inner) = inner {
                    body["valuation"]["upsert"] = inner.clone();
                }
                let decides = outer.as_ref().or(inner.as_ref());
                let upsert = decides.is_some_and(|flag| *flag == true || *flag == "true");
                let first = family.api.post(PATH, &body).expect_status(201).json();
                body["valuation"]["amount"] = json!("2");
                let again = family.api.post(PATH, &body);
                let again = again.expect_status(if upsert { 200 } else { 201 }).json();
                assert_eq!(again["id"], first["id"], "{body}");
                assert_eq!(again["amount_decimal"], "2.00", "{body}");
                let mut other = body.clone();
                other["valuation"]["account_id"] = json!(family.account("Other", "vehicle"));
                family.api.post(PATH, &other).expect_status(201);
            }
        }
        let all = family.api.get(&format!("{PATH}?account_id={house}")).json();
        assert_eq!(all["pagination"]["total_count"], outside.len() * inside.len());
    }

    fn other_texts_are_no_flags(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let fields = json!({ "account_id": house, "amount": 1, "date": "2026-01-12" });
        for flag in [
            json!("yes"),
            json!("no"),
            json!("TRUE"),
            json!("1"),
            json!("t"),
            json!(1),
            json!(0),
            json!([]),
            json!({}),
            json!(" true"),
        ] {
            let mut inside = json!({ "valuation": fields });
            inside["valuation"]["upsert"] = flag.clone();
            for body in [json!({ "valuation": fields, "upsert": flag }), inside] {
                let refused = family.api.post(PATH, &body).expect_error(422, "validation_failed");
                assert_eq!(refused["errors"], json!(["The upsert must be true or false"]), "{body}");
            }
        }
        assert_eq!(family.api.get(PATH).json()["valuations"], json!([]));
    }

    fn a_replaced_valuation_keeps_its_id_and_kind(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "Savings", "account_type": "depository",
            "opening_balance": "100", "opening_date": "2026-01-01" }));
        let list = family.api.get(PATH).json();
        let anchor = &list["valuations"][0];
        assert_eq!(
            (&anchor["kind"], &anchor["amount"]),
            (&json!("opening_anchor"), &json!("$100.00"))
        );
        let made = value(&family.api, &account, "2026-01-05", "120");
        assert_eq!(made["kind"], "reconciliation");

        let sql = Sql::open(&server);
        let current = value(&family.api, &account, "2026-01-09", "130");
        sql.run(&format!(
            "UPDATE entries SET valuation_kind = 'current_anchor' WHERE id = {}",
            sql.uuid(current["id"].as_str().unwrap())
        ));
        for (before, date, kind) in [
            (anchor, "2026-01-01", "opening_anchor"),
            (&made, "2026-01-05", "reconciliation"),
            (&current, "2026-01-09", "current_anchor"),
        ] {
            let id = before["id"].as_str().unwrap();
            sql.age_entry(id);
            let aged: Value = family.api.get(&format!("{PATH}/{id}")).json();
            let after = value(&family.api, &account, date, "250");
            assert_eq!((&after["id"], &after["kind"]), (&before["id"], &json!(kind)));
            assert_eq!(after["created_at"], before["created_at"]);
            assert!(time(&after, "updated_at") > time(&aged, "updated_at"), "{after}");
            assert!(time(&after, "updated_at") >= time(before, "updated_at"), "{after}");
        }
        assert_eq!(balance(&family.api, &account), "250.00");
        assert_eq!(family.api.get(PATH).json()["pagination"]["total_count"], 3);
    }

    fn the_same_amount_again_is_a_write_too(server) {
        let family = server.family();
        let account = family.account("Savings", "depository");
        let made = value(&family.api, &account, "2026-01-05", "120");
        let sql = Sql::open(&server);
        sql.age_entry(made["id"].as_str().unwrap());
        let again = value(&family.api, &account, "2026-01-05", "120");
        assert!(time(&again, "updated_at") >= time(&made, "updated_at"));
    }
}
