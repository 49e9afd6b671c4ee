//! Creating transactions: every field, both forms of the body, what names one for good.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{balance, text, unlimited};
use crate::support::Client;

const PATH: &str = "/api/v1/transactions";

#[track_caller]
fn create(api: &Client, fields: &Value) -> Value {
    let made = api.post(PATH, &json!({ "transaction": fields })).expect_status(201).json();
    let shown = api.get(&format!("{PATH}/{}", text(&made, "id"))).expect_status(200).json();
    assert_eq!(shown, made);
    made
}

fn plain(account: &str) -> Value {
    json!({ "account_id": account, "date": "2026-01-12", "amount": "12.50", "name": "Shop" })
}

fn with(account: &str, more: Value) -> Value {
    let mut fields = plain(account);
    for (name, value) in more.as_object().unwrap() {
        fields[name] = value.clone();
    }
    fields
}

both! {
    fn a_transaction_has_what_was_sent(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "100" }));
        let category = json!({ "category": { "name": "Food" } });
        let category = family.api.post("/api/v1/categories", &category).expect_status(201).id();
        let tag = family.api.post("/api/v1/tags", &json!({ "tag": { "name": "Trip" } }));
        let tag = tag.expect_status(201).id();
        let merchant = json!({ "merchant": { "name": "Corner shop" } });
        let merchant = family.api.post("/api/v1/merchants", &merchant).expect_status(201).id();
        let made = create(&family.api, &with(&account, json!({
            "notes": "Twice\nover", "category_id": category, "merchant_id": merchant,
            "tag_ids": [tag, tag], "excluded": true, "external_id": "a-1", "source": "shop" })));
        assert_eq!(made["amount_decimal"], "12.50");
        assert_eq!(made["signed_amount_cents"], -1250);
        assert_eq!(made["category"]["id"], category);
        assert_eq!(made["merchant"]["name"], "Corner shop");
        assert_eq!(made["tags"].as_array().unwrap().len(), 1);
        assert_eq!((&made["excluded"], &made["is_split"]), (&json!(true), &json!(false)));
        assert_eq!((&made["external_id"], &made["source"]), (&json!("a-1"), &json!("shop")));
        assert_eq!((&made["converted"], &made["parent_id"]), (&json!(null), &json!(null)));
        assert_eq!(balance(&family.api, &account), "87.50", "excluded counts in balances");

        let gift = json!({ "account_id": account, "date": "2026-01-13", "amount": 5,
            "nature": "income", "description": "Gift" });
        let gift = family.api.post(PATH, &gift).expect_status(201).json();
        assert_eq!((&gift["name"], &gift["amount_decimal"]), (&json!("Gift"), &json!("-5.00")));
        assert_eq!(balance(&family.api, &account), "92.50");
        let found = family.api.get(PATH).expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 2);
    }

    fn a_timestamp_stands_for_its_day_in_the_offset_that_it_names(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        for (sent, day) in [
            ("2024-06-15T12:00:00Z", "2024-06-15"),
            ("2024-06-15T23:30:00.000-05:00", "2024-06-15"),
            ("2024-06-16T00:30:00+02:00", "2024-06-16"),
        ] {
            let made = create(&family.api, &with(&account, json!({ "date": sent })));
            assert_eq!(made["date"], day, "{sent}");
            let path = format!("{PATH}/{}", text(&made, "id"));
            let later = json!({ "date": sent.replace("2024", "2025") });
            let moved = family.api.patch(&path, &later).expect_status(200).json();
            assert_eq!(moved["date"], day.replace("2024", "2025"), "{sent}");
        }
        for wrong in ["2024-06-15T12:00:00", "2024-06-15T25:00:00Z", "2023-02-29T12:00:00Z"] {
            let fields = json!({ "transaction": with(&account, json!({ "date": wrong })) });
            family.api.post(PATH, &fields).expect_error(422, "validation_failed");
        }
        let valuation = json!({ "account_id": account, "amount": "1", "date": "2024-06-15T12:00:00Z" });
        family.api.post("/api/v1/valuations", &valuation).expect_error(422, "validation_failed");
        let depot = family.account("Depot", "investment");
        let trade = json!({ "account_id": depot, "type": "buy", "ticker": "VTI", "qty": 1, "price": 1,
            "date": "2024-06-15T23:30:00-05:00" });
        let made = family.api.post("/api/v1/trades", &trade).expect_status(201).json();
        assert_eq!(made["date"], "2024-06-15");
    }

    fn an_id_of_the_caller_makes_it_safe_to_repeat(server = unlimited()) {
        let family = server.family();
        let (account, other) = (family.account("A", "depository"), family.account("B", "depository"));
        let keyed = with(&account, json!({ "external_id": "x1" }));
        let made = create(&family.api, &keyed);
        assert_eq!(made["source"], "api");
        let again = with(&account, json!({ "external_id": " x1 ", "name": "Other", "amount": 3 }));
        let answer = family.api.post(PATH, &json!({ "transaction": again })).expect_status(200);
        assert_eq!(answer.json(), made, "as it is");
        // Another source and another account have their own ids.
        create(&family.api, &with(&account, json!({ "external_id": "x1", "source": "shop" })));
        create(&family.api, &with(&other, json!({ "external_id": "x1" })));
        // A deleted transaction stays deleted, until it is restored on request.
        let path = format!("{PATH}/{}", text(&made, "id"));
        family.api.delete(&path).expect_status(200);
        let answer = family.api.post(PATH, &json!({ "transaction": keyed }));
        let error = answer.expect_error(409, "deleted_before");
        assert!(text(&error, "message").contains("x1"), "{error}");
        let restored = create(&family.api, &with(&account,
            json!({ "external_id": "x1", "restore": true })));
        assert_ne!(restored["id"], made["id"]);
        let answer = family.api.post(PATH, &json!({ "transaction": keyed })).expect_status(200);
        assert_eq!(answer.json()["id"], restored["id"]);
        let found = family.api.get(PATH).expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 3);
    }

    fn a_member_that_is_sent_twice_is_refused(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        let body = format!(
            r#"{{"account_id": "{account}", "date": "2026-01-12", "amount": 1, "name": "A", "amount": 2}}"#
        );
        let answer = family.api.request("POST", PATH, Some(("application/json", body.as_bytes())));
        let error = answer.expect_error(422, "validation_failed");
        assert_eq!(error["errors"], json!(["The amount is sent twice"]));
    }

    fn every_problem_is_reported_at_once(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        let wrong = json!({ "account_id": account, "date": "12.01.2026", "amount": "1,5",
            "name": " ", "notes": 5, "category_id": "x", "merchant_id": "x", "tag_ids": "x",
            "currency": "ZZZ", "exchange_rate": "-1", "source": "only", "excluded": "maybe" });
        let error = family.api.post(PATH, &json!({ "transaction": wrong }));
        let error = error.expect_error(422, "validation_failed");
        assert_eq!(error["errors"].as_array().unwrap().len(), 11, "{error}");
        for (fields, sentence) in [
            (json!({}), "Account ID is required"),
            (json!({ "account_id": "7" }), "The account_id is not an account of this family"),
            (with(&account, json!({ "category_id": "0190f5f0-7c00-7a10-8000-00000000000a" })),
                "The category_id is not a category of this family"),
            (with(&account, json!({ "merchant_id": account })),
                "The merchant_id is not a merchant of this family"),
            (with(&account, json!({ "tag_ids": [account] })), "The tag_ids must only name tags of this family"),
        ] {
            let error = family.api.post(PATH, &json!({ "transaction": fields }));
            let error = error.expect_error(422, "validation_failed");
            assert_eq!(error["errors"], json!([sentence]));
        }
        let idle = family.account("Idle", "depository");
        let disabled = json!({ "status": "disabled" });
        family.api.patch(&format!("/api/v1/accounts/{idle}"), &disabled).expect_status(200);
        let error = family.api.post(PATH, &plain(&idle)).expect_error(422, "validation_failed");
        assert!(text(&error, "message").contains("The account_id is an account that is disabled"));
        let client = crate::securities::restricted(&server, &family.email, &account);
        let error = client.post(PATH, &plain(&idle)).expect_error(422, "validation_failed");
        assert_eq!(error["message"], "The account_id is not an account of this family");
        let stranger = server.family();
        let foreign = family.api.post(PATH, &plain(&stranger.account("S", "depository")));
        foreign.expect_error(422, "validation_failed");
        let found = family.api.get(PATH).expect_status(200).json();
        assert_eq!(found["pagination"]["total_count"], 0);
    }

    fn what_a_person_enters_is_met_by_a_file_as_a_near_match(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        create(&family.api, &plain(&account));
        let csv = "Date,Description,Amount\n2026-01-13,SHOP 123,-12.50\n";
        let made = family.api.post("/api/v1/imports", &json!({ "raw_file_content": csv,
            "account_id": account })).expect_status(201).json();
        let rows = format!("/api/v1/imports/{}/rows", text(&made["data"], "id"));
        let rows = family.api.get(&rows).expect_status(200).json();
        assert_eq!(rows["data"][0]["verdict"], "possible_duplicate", "{rows}");
    }
}
