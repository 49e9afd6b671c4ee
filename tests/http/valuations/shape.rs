//! The members of a valuation in answers, one by one.

use serde_json::json;

use crate::both;
use crate::ledger::{is_id, names, text, time};
use crate::support::Sql;

const PATH: &str = "/api/v1/valuations";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

both! {
    fn a_valuation_is_an_object_without_envelope(server) {
        let family = server.family();
        let card = family.account_with(
            json!({ "name": "Gold card", "account_type": "credit_card", "currency": "EUR" }),
        );
        let fields = json!({ "account_id": card, "amount": "1234.5", "date": "2026-01-12" });
        let body = json!({ "valuation": fields });
        let made = family.api.post(PATH, &body).expect_status(201).json();
        assert_eq!(
            names(&made),
            [
                "account",
                "amount",
                "amount_decimal",
                "created_at",
                "currency",
                "date",
                "id",
                "kind",
                "notes",
                "updated_at"
            ]
        );
        is_id(&made, "id");
        assert!(time(&made, "updated_at") >= time(&made, "created_at"));
        let mut rest = made.clone();
        for name in ["id", "created_at", "updated_at"] {
            rest.as_object_mut().unwrap().remove(name);
        }
        assert_eq!(
            rest,
            json!({
                "date": "2026-01-12",
                "amount": "€1,234.50",
                "amount_decimal": "1234.50",
                "currency": "EUR",
                "kind": "reconciliation",
                "notes": null,
                "account": {
                    "id": card, "name": "Gold card", "account_type": "credit_card",
                    "status": "active",
                },
            })
        );
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        assert_eq!(
            family.api.get(&path.to_uppercase().replace("/API/V1/VALUATIONS", PATH)).json(),
            made
        );
        assert_eq!(family.api.get(PATH).json()["valuations"], json!([made]));
    }

    fn a_valuation_may_be_sent_without_wrapper(server) {
        let family = server.family();
        let account = family.account("Old", "vehicle");
        let body = json!({ "account_id": account, "amount": 5, "date": "2026-01-12",
            "notes": "n", "upsert": true });
        let made = family.api.post(PATH, &body).expect_status(201).json();
        assert_eq!((&made["amount"], &made["notes"]), (&json!("$5.00"), &json!("n")));
        assert_eq!(family.api.post(PATH, &body).expect_status(200).json()["id"], made["id"]);
        // What is put stays where it isn't sent.
        let path = format!("{PATH}/{}", text(&made, "id"));
        for (body, amount) in [
            (json!({ "amount": "6" }), "$6.00"),
            (json!({ "valuation": { "amount": "7" } }), "$7.00"),
        ] {
            let put = family.api.put(&path, &body).expect_status(200).json();
            assert_eq!((&put["amount"], &put["notes"]), (&json!(amount), &json!("n")));
            assert_eq!(family.api.get(&path).expect_status(200).json(), put);
        }
        let wrong = json!({ "amount": "x" });
        family.api.put(&path, &wrong).expect_error(422, "validation_failed");
    }

    fn a_valuation_is_shown_whatever_the_status_of_its_account(server) {
        let family = server.family();
        let account = family.account("Old", "vehicle");
        let body =
            json!({ "valuation": { "account_id": account, "amount": 5, "date": "2026-01-12" } });
        let path = format!("{PATH}/{}", family.api.post(PATH, &body).expect_status(201).id());
        let sql = Sql::open(&server);
        for status in ["draft", "disabled", "pending_deletion", "active"] {
            sql.set_status(&account, status);
            let answer = family.api.post(PATH, &body);
            if status == "pending_deletion" {
                // What is going is shown, but nothing is added to it.
                answer.expect_error(404, "not_found");
                family.api.get(&path).expect_status(200);
                continue;
            }
            if status == "disabled" {
                let error = answer.expect_error(422, "validation_failed");
                assert!(text(&error, "message").contains("is disabled"), "{error}");
                let shown = family.api.get(&path).expect_status(200).json();
                assert_eq!(shown["account"]["status"], status);
                assert_eq!(family.api.get(PATH).json()["valuations"], json!([shown]));
                continue;
            }
            let again = answer.expect_status(201).json();
            assert_eq!(again["account"]["status"], status);
            assert_eq!(family.api.get(&path).expect_status(200).json(), again);
            assert_eq!(family.api.get(PATH).json()["valuations"], json!([again]));
        }
    }

    fn what_is_no_valuation_is_not_found(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(&account, "Date,Description,Amount\n2026-01-05,Shop,-5\n");
        let transaction = family.api.get("/api/v1/transactions").json();
        let transaction = transaction["transactions"][0]["id"].as_str().unwrap();
        let theirs = server.family();
        let other = theirs.account("Theirs", "depository");
        let body =
            json!({ "valuation": { "account_id": other, "amount": 5, "date": "2026-01-12" } });
        let other = theirs.api.post(PATH, &body).expect_status(201).id();
        for id in [UNKNOWN, "5", "%20", transaction, account.as_str(), other.as_str()] {
            let path = format!("{PATH}/{id}");
            for answer in [
                family.api.get(&path),
                family.api.delete(&path),
                family.api.patch(&path, &json!({ "amount": 1 })),
                // The id comes before the body.
                family.api.request("PATCH", &path, Some(("text/plain", b"{"))),
            ] {
                let refused = answer.expect_error(404, "not_found");
                assert_eq!(refused["message"], "Valuation not found", "{id}");
            }
        }
        theirs.api.get(&format!("{PATH}/{other}")).expect_status(200);
        family.api.get(&format!("/api/v1/transactions/{transaction}")).expect_status(200);
    }
}
