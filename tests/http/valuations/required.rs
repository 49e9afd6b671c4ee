//! What must be there, and the order in which it is checked: the key's scope, what is missing one
//! by one, the account, then all values at once.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::post_text;
use crate::support::{Answer, Scope};

const PATH: &str = "/api/v1/valuations";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

both! {
    fn what_is_missing_is_named_in_order(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let other = server.family().account("Theirs", "property");
        for (body, sentence) in [
            ("{}".to_owned(), "Account ID is required"),
            (valuation("null"), "Account ID is required"),
            (valuation("{}"), "Account ID is required"),
            (valuation(r#"{"amount": "abc", "date": "abc"}"#), "Account ID is required"),
            (
                valuation(r#"{"account_id": null, "amount": 1, "date": "2026-01-12"}"#),
                "Account ID is required",
            ),
            (
                valuation(r#"{"account_id": "", "amount": 1, "date": "2026-01-12"}"#),
                "Account ID is required",
            ),
            (valuation(r#"{"account_id": "  "}"#), "Account ID is required"),
            // What stands outside of the object doesn't count beside it.
            (
                format!(r#"{{"valuation": {{}}, "account_id": "{house}", "amount": 1}}"#),
                "Account ID is required",
            ),
            (format!(r#"{{"account_id": "{house}"}}"#), "Amount is required"),
            (valuation(&format!(r#"{{"account_id": "{house}"}}"#)), "Amount is required"),
            (valuation(r#"{"account_id": "nonsense"}"#), "Amount is required"),
            (
                valuation(&format!(r#"{{"account_id": "{UNKNOWN}", "amount": null}}"#)),
                "Amount is required",
            ),
            (
                valuation(&format!(r#"{{"account_id": "{house}", "amount": "", "date": "abc"}}"#)),
                "Amount is required",
            ),
            (
                valuation(&format!(
                    r#"{{"account_id": "{house}", "amount": " ", "upsert": "no"}}"#
                )),
                "Amount is required",
            ),
            (
                valuation(&format!(r#"{{"account_id": "{house}", "amount": "abc"}}"#)),
                "Date is required",
            ),
            (
                valuation(&format!(r#"{{"account_id": "{house}", "amount": 0, "date": null}}"#)),
                "Date is required",
            ),
            (
                valuation(&format!(r#"{{"account_id": "{other}", "amount": 1, "date": ""}}"#)),
                "Date is required",
            ),
            (valuation(r#"{"account_id": 5, "amount": 1, "date": " "}"#), "Date is required"),
            ("[]".to_owned(), "The body must be an object"),
            ("null".to_owned(), "The body must be an object"),
            ("\"valuation\"".to_owned(), "The body must be an object"),
            ("5".to_owned(), "The body must be an object"),
            ("true".to_owned(), "The body must be an object"),
            (valuation("\"770639.10\""), "The valuation must be an object"),
            (valuation("[1]"), "The valuation must be an object"),
            (valuation("5"), "The valuation must be an object"),
            (valuation("false"), "The valuation must be an object"),
        ] {
            let refused =
                post_text(&family.api, PATH, &body).expect_error(422, "validation_failed");
            assert_eq!(refused["message"], sentence, "{body}");
            assert_eq!(refused["errors"], json!([sentence]), "{body}");
        }
        for account in [UNKNOWN, "nonsense", "5", &other, &house.replace('-', ""), &house[..35]] {
            let fields = json!({ "account_id": account, "amount": "abc", "date": "abc" });
            let refused = family.api.post(PATH, &json!({ "valuation": fields }));
            let refused = refused.expect_error(404, "not_found");
            assert_eq!(refused, json!({ "error": "not_found", "message": "Account not found" }));
        }
        let fields = json!({ "account_id": house, "amount": "abc", "date": "abc", "notes": 7,
            "upsert": "maybe" });
        let refused = family.api.post(PATH, &json!({ "valuation": fields, "upsert": 1 }));
        let refused = refused.expect_error(422, "validation_failed");
        assert_eq!(refused["errors"].as_array().map(Vec::len), Some(5), "{refused}");
        assert_eq!(total(&family.api.get(PATH)), json!(0));
    }

    fn what_is_not_json_is_refused_before(server) {
        let api = server.family().api;
        for body in [
            "",
            "{",
            "{\"valuation\": }",
            "{'valuation': {}}",
            "NaN",
            "{} {}",
            "{\"valuation\": {\"amount\": NaN}}",
            "{\"valuation\": {\"amount\": 01}}",
            "{\"valuation\": {\"amount\": .5}}",
            "{\"valuation\": {\"amount\": +5}}",
        ] {
            post_text(&api, PATH, body).expect_error(400, "bad_request");
        }
        for content_type in ["text/plain", "application/x-www-form-urlencoded", "text/json"] {
            let body: (&str, &[u8]) = (content_type, b"{}");
            api.request("POST", PATH, Some(body)).expect_error(415, "unsupported_media_type");
        }
        // A charset changes nothing.
        let body: (&str, &[u8]) = ("application/json; charset=utf-8", b"{}");
        api.request("POST", PATH, Some(body)).expect_error(422, "validation_failed");
    }

    fn the_scope_comes_before_everything(server) {
        let family = server.family();
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        let house = family.account("House", "property");
        let fields = json!({ "account_id": house, "amount": 1, "date": "2026-01-12" });
        let whole = json!({ "valuation": fields }).to_string();
        for body in [whole.as_str(), "{}", "{", "[]", ""] {
            let refused = post_text(&reader, PATH, body).expect_error(403, "insufficient_scope");
            assert_eq!(refused["message"], "This action requires the 'write' scope");
        }
        let made = post_text(&family.api, PATH, &whole).expect_status(201).id();
        for path in [format!("{PATH}/{made}"), format!("{PATH}/{UNKNOWN}"), format!("{PATH}/5")] {
            reader.patch(&path, &json!({ "amount": 2 })).expect_error(403, "insufficient_scope");
            reader.delete(&path).expect_error(403, "insufficient_scope");
        }
        assert_eq!(total(&reader.get(PATH)), json!(1));
        server.client().post(PATH, &json!({})).expect_error(401, "unauthorized");
    }

    fn what_nobody_asks_for_is_ignored(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let body = json!({
            "valuation": {
                "account_id": house.to_uppercase(), "amount": "5", "date": "2026-01-12",
                "currency": "EUR", "kind": "opening_anchor", "id": UNKNOWN, "format": [1],
            },
            "format": "json", "source": "cli", "amount": "6", "notes": "outside",
        });
        let made = family.api.post(PATH, &body).expect_status(201).json();
        assert_eq!(made["currency"], "USD");
        assert_eq!(made["kind"], "reconciliation");
        assert_eq!(made["amount"], "$5.00");
        assert_eq!(made["notes"], json!(null));
        assert_ne!(made["id"], UNKNOWN);
    }
}

fn valuation(fields: &str) -> String {
    format!(r#"{{"valuation": {fields}}}"#)
}

fn total(answer: &Answer) -> Value {
    answer.json()["pagination"]["total_count"].clone()
}
