//! Accounts at a provider are linked, unlinked and ignored.

use serde_json::{Value, json};

use super::managing::{PATH, connect, show};
use crate::both;
use crate::support::{Banks, Family};

#[track_caller]
fn accounts(family: &Family, connection: &str) -> Vec<Value> {
    let path = format!("{PATH}/{connection}/accounts");
    let body = family.api.get(&path).expect_status(200).json();
    body["data"].as_array().expect("a list").clone()
}

/// The account at the provider with a name.
#[track_caller]
fn named(family: &Family, connection: &str, name: &str) -> Value {
    let found = accounts(family, connection).into_iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

fn path(connection: &str, account: &Value, verb: &str) -> String {
    let account = account["id"].as_str().expect("an id");
    format!("{PATH}/{connection}/accounts/{account}/{verb}")
}

both! {
    fn a_new_account_is_what_the_provider_and_its_name_suggest(server = Banks::shared().options()) {
        let family = server.family();
        let id = connect(&family);
        let proposed: Vec<(String, String, Value)> = accounts(&family, &id)
            .iter()
            .map(|one| {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let proposal = &one["proposal"];
                (text(&one["name"]), text(&proposal["account_type"]), proposal["subtype"].clone())
            })
            .collect();
        let expected = [
            ("Credit card", "credit_card", Value::Null),
            ("Current account", "depository", json!("checking")),
            ("Checking", "depository", json!("checking")),
            ("Brokerage", "investment", json!("brokerage")),
        ];
        let expected = expected.map(|(name, kind, sub)| (name.to_owned(), kind.to_owned(), sub));
        assert_eq!(proposed, expected, "by bank and name");

        let checking = named(&family, &id, "Checking");
        let linked = family
            .api
            .post(&path(&id, &checking, "link"), &json!({ "currency": "USD" }))
            .expect_status(200)
            .json();
        let account = linked["account_id"].as_str().expect("an account");
        assert_eq!(linked["account_name"], "Checking");
        let made = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200).json();
        assert_eq!((&made["currency"], &made["subtype"]), (&json!("USD"), &json!("checking")));
        assert_eq!(made["institution_name"], "Prairie Credit Union");
        let connection = show(&family, &id);
        assert_eq!(
            connection["accounts"],
            json!({ "total_count": 4, "linked_count": 1, "unlinked_count": 3 })
        );

        // Its currency is known by now, and isn't taken for another.
        let wrong = json!({ "currency": "CHF" });
        let brokerage = named(&family, &id, "Brokerage");
        let wrong = family.api.post(&path(&id, &brokerage, "link"), &wrong);
        if brokerage["currency"].is_string() {
            wrong.expect_error(422, "validation_failed");
        }
    }

    fn an_account_has_one_link(server = Banks::shared().options()) {
        let family = server.family();
        let id = connect(&family);
        let [card, current, ..] = &accounts(&family, &id)[..] else { panic!("four accounts") };
        let own = family.account_with(
            json!({ "name": "Giro", "account_type": "depository", "currency": "EUR" })
        );
        let house = family.account_with(
            json!({ "name": "House", "account_type": "property", "currency": "EUR" })
        );
        let link = |account: &Value, body: Value| family.api.post(&path(&id, account, "link"), &body);
        link(current, json!({ "account_id": house })).expect_error(422, "validation_failed");
        let unknown = "0190f5f0-7c00-7a10-8000-00000000dead";
        link(current, json!({ "account_id": unknown })).expect_error(422, "validation_failed");
        link(current, json!({ "account_id": own, "name": "x" })).expect_error(422, "validation_failed");
        link(current, json!({ "account_type": "property" })).expect_error(422, "validation_failed");

        let linked = link(current, json!({ "account_id": own })).expect_status(200).json();
        assert_eq!((&linked["account_id"], &linked["account_name"]), (&json!(own), &json!("Giro")));
        link(current, json!({ "account_id": own })).expect_error(409, "already_linked");
        link(card, json!({ "account_id": own })).expect_error(409, "account_linked");
        let unlinked = family.api.post(&path(&id, current, "unlink"), &json!({}));
        assert_eq!(unlinked.expect_status(200).json()["account_id"], Value::Null);
        family.api.get(&format!("/api/v1/accounts/{own}")).expect_status(200);
        link(card, json!({ "account_id": own })).expect_status(200);
        // An account that goes takes its link along.
        family.api.delete(&format!("/api/v1/accounts/{own}")).expect_status(200);
        assert_eq!(named(&family, &id, "Credit card")["account_id"], Value::Null);
        server.run_json(&["check"], "");
    }

    fn what_is_ignored_needs_no_setup(server = Banks::shared().options()) {
        let family = server.family();
        let id = connect(&family);
        for account in accounts(&family, &id) {
            assert_eq!(show(&family, &id)["pending_account_setup"], true);
            let ignored = family.api.post(&path(&id, &account, "ignore"), &json!({}));
            assert_eq!(ignored.expect_status(200).json()["ignored"], true);
        }
        let connection = show(&family, &id);
        assert_eq!(connection["pending_account_setup"], false);
        assert_eq!(connection["accounts"]["unlinked_count"], 4);
        let account = &accounts(&family, &id)[0];
        let back = family.api.post(&path(&id, account, "unlink"), &json!({}));
        assert_eq!(back.expect_status(200).json()["ignored"], false);
        assert_eq!(show(&family, &id)["pending_account_setup"], true);
    }
}
