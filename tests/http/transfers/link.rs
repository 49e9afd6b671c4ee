//! A transaction is linked with its counterpart by its own address.

use serde_json::{Value, json};

use super::{Accounts, listed, pair};
use crate::both;

/// The address of the link of the transaction with a name.
fn address(accounts: &Accounts, name: &str) -> String {
    format!("/api/v1/transactions/{}/transfer", accounts.id(name))
}

fn body(accounts: &Accounts, other: &str) -> Value {
    json!({ "transfer": { "other_transaction_id": accounts.id(other) } })
}

both! {
    fn two_transactions_are_linked_from_either_side_and_unlinked(server) {
        for (from, to) in [("out", "into"), ("into", "out")] {
            let accounts = Accounts::new(server.family());
            let api = &accounts.family.api;
            accounts.want("off");
            accounts.import(&accounts.checking, &[(5, "-50.00", "out"), (6, "-50.00", "rival")]);
            accounts.import(&accounts.savings, &[(9, "50.00", "into")]);
            let path = address(&accounts, from);
            let linked = api.patch(&path, &body(&accounts, to)).expect_status(200).json();
            assert_eq!(linked["name"], from);
            assert_eq!(linked["transfer"]["status"], "confirmed");
            assert_eq!(listed(api, ""), [pair("out", "into", "confirmed")]);
            let again = api.put(&path, &body(&accounts, to)).expect_status(200).json();
            assert_eq!(again, linked, "linking the same two again changes nothing");
            let taken = api.patch(&address(&accounts, "rival"), &body(&accounts, "into"));
            taken.expect_error(409, "already_in_transfer");
            let none = json!({ "other_transaction_id": null });
            for _ in 0..2 {
                let alone = api.patch(&path, &none).expect_status(200).json();
                assert_eq!(alone["transfer"], Value::Null);
            }
            assert_eq!(listed(api, ""), []);
            let rival = api.patch(&address(&accounts, "rival"), &body(&accounts, "into"));
            rival.expect_status(200);
            assert_eq!(listed(api, ""), [pair("rival", "into", "confirmed")]);
            server.run_json(&["check"], "");
        }
    }

    fn a_proposal_and_what_the_matching_made_become_the_persons(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (5, "-50.00", "b"), (7, "-8", "c")]);
        accounts.import(&accounts.savings, &[(5, "50.00", "d"), (5, "50.00", "e"), (7, "8", "f")]);
        accounts.settled(5);
        for (from, to) in [("d", "b"), ("c", "f")] {
            api.patch(&address(&accounts, from), &body(&accounts, to)).expect_status(200);
        }
        let expected = [pair("a", "e", "pending"), pair("b", "d", "confirmed"), pair("c", "f", "confirmed")];
        assert_eq!(listed(api, ""), expected);
        let confirmed = api.get("/api/v1/transfers?status=confirmed").json();
        for one in confirmed["transfers"].as_array().unwrap() {
            assert_eq!(one["made_by"], "person");
        }
        // A proposal is no link: it stays until somebody decides about it.
        api.patch(&address(&accounts, "a"), &json!({ "other_transaction_id": null })).expect_status(200);
        assert_eq!(listed(api, ""), expected);
    }

    fn what_is_no_pair_is_refused(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.want("off");
        accounts.import(&accounts.checking, &[(5, "-50.00", "a"), (5, "-50.00", "b"), (6, "50", "c")]);
        accounts.import(&accounts.savings, &[(5, "51.00", "d"), (5, "-2.00", "whole")]);
        let split = json!({ "parts": [{ "amount": "1.00" }, { "amount": "1.00" }] });
        let whole = format!("/api/v1/transactions/{}/split", accounts.id("whole"));
        let parts = api.post(&whole, &split).expect_status(201).json();
        let whole = parts["transaction"]["id"].as_str().unwrap();
        for (from, to, problem) in [
            (accounts.id("a"), json!(accounts.id("b")), "of money in"),
            (accounts.id("c"), json!(accounts.id("c")), "of money out"),
            (accounts.id("a"), json!(accounts.id("c")), "different accounts"),
            (accounts.id("a"), json!(accounts.id("d")), "equal and opposite"),
            (accounts.id("a"), json!(whole), "other_transaction_id"),
            (accounts.id("a"), json!("x"), "other_transaction_id"),
            (whole.to_owned(), json!(accounts.id("c")), "is split"),
        ] {
            let body = json!({ "transfer": { "other_transaction_id": to } });
            let path = format!("/api/v1/transactions/{from}/transfer");
            let refused = api.patch(&path, &body).expect_error(422, "validation_failed");
            assert!(refused.to_string().contains(problem), "{refused}");
        }
        for body in [json!({}), json!({ "transfer": {} })] {
            let refused = api.patch(&address(&accounts, "a"), &body);
            let refused = refused.expect_error(422, "validation_failed");
            assert_eq!(refused["errors"], json!(["Other transaction ID is required"]));
        }
        assert_eq!(listed(api, ""), []);
    }
}
