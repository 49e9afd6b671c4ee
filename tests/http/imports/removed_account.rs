//! Imports into an account that is removed: a person must choose another before they are published.

use std::thread;

use serde_json::{Value, json};

use super::undo::undo;
use super::{both_whole, errors, path, publish, text, transactions, upload};
use crate::support::{Client, Family};

const CSV: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n";
/// More rows than are removed together with their account.
const MANY: usize = 5_001;

/// The account is removed, or hidden until it is.
#[track_caller]
fn remove(api: &Client, account: &str) {
    let status = api.delete(&format!("/api/v1/accounts/{account}")).status;
    assert!((200..300).contains(&status), "{status}");
}

/// Nobody can publish the import until it goes to another account.
#[track_caller]
fn assert_account_is_missing(family: &Family, import: &Value) {
    let shown = family.api.get(&path(import, "")).expect_status(200).json()["data"].clone();
    assert_eq!(shown["account_id"], Value::Null, "{shown}");
    assert_eq!(shown["status_detail"]["publishable"], false, "{shown}");
    assert_eq!(shown["stats"]["unassigned_mappings_count"], 1, "{shown}");
    assert_eq!(shown["unassigned_mappings"].as_array().unwrap().len(), 1, "{shown}");
    let refused = family.api.request("POST", &path(import, "/publish"), None);
    let refused = refused.expect_error(422, "unassigned_mappings");
    assert_eq!(refused["import_id"], import["id"]);
    assert_eq!(errors(&refused), ["The account that all rows were to go into was deleted"]);
}

both_whole! {
    fn a_person_must_choose_another(server) {
        let family = server.family();
        let [main, other] = ["Main", "Other"].map(|name| family.account(name, "depository"));
        let import = upload(&family.api, CSV, &json!({ "account_id": main }));
        remove(&family.api, &main);
        assert_account_is_missing(&family, &import);
        let chosen = json!({ "account_id": other });
        let changed = family.api.patch(&path(&import, ""), &chosen).expect_status(200).json();
        assert_eq!(changed["data"]["status_detail"]["publishable"], true, "{changed}");
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        assert_eq!(family.api.wait_for_import(text(&import["id"]))["status"], "complete");
        let expected = ["2024-01-02 -1.00 USD A @Other", "2024-01-03 -2.00 USD B @Other"];
        assert_eq!(transactions(&family), expected);
    }

    fn one_of_several_accounts_of_a_file_is_missing_too(server) {
        let family = server.family();
        let [main, _] = ["Main", "Other"].map(|name| family.account(name, "depository"));
        let csv = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Main\n2024-01-03,-2.00,B,Other\n";
        // Once the names were found, and once a person has chosen the account.
        let found = upload(&family.api, csv, &json!({}));
        let named = csv.replace("Main", "Giro");
        let chosen = upload(&family.api, &named, &json!({}));
        let choice = json!({ "kind": "account", "key": "Giro", "id": main });
        let change = json!({ "mappings": [choice] });
        family.api.patch(&path(&chosen, ""), &change).expect_status(200);
        for import in [&found, &chosen] {
            let shown = family.api.get(&path(import, "")).expect_status(200).json();
            assert_eq!(shown["data"]["status_detail"]["publishable"], true, "{shown}");
        }
        remove(&family.api, &main);
        for import in [&found, &chosen] {
            let shown = family.api.get(&path(import, "")).expect_status(200).json()["data"].clone();
            assert_eq!(shown["status_detail"]["publishable"], false, "{shown}");
            assert_eq!(shown["unassigned_mappings"].as_array().unwrap().len(), 1, "{shown}");
            let refused = family.api.request("POST", &path(import, "/publish"), None);
            refused.expect_error(422, "unassigned_mappings");
        }
    }

    /// Whatever else is changed, the name doesn't come to stand for a new account by itself.
    fn a_missing_account_stays_a_question_until_it_is_answered(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Main\n2024-01-03,-2.00,B,Other\n";
        let [main, other, third] =
            ["Main", "Other", "Third"].map(|name| family.account(name, "depository"));
        let import = upload(&family.api, csv, &json!({}));
        remove(&family.api, &main);
        remove(&family.api, &other);
        let left = || -> Vec<String> {
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            // Nothing is listed if none is left.
            let left = shown["data"]["unassigned_mappings"].as_array().into_iter().flatten();
            let mut names: Vec<_> = left.map(|one| text(&one["key"]).to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert_eq!(left(), ["Main", "Other"]);
        let change = |address: &str, fields: Value| {
            family.api.patch(&path(&import, address), &fields).expect_status(200);
        };
        change("", json!({ "skip_invalid": true }));
        change("/rows/1", json!({ "cells": { "Name": "C" } }));
        assert_eq!(left(), ["Main", "Other"]);
        let choose = |key: &str| {
            json!({ "mappings": [{ "kind": "account", "key": key, "id": third }] })
        };
        change("", choose("Main"));
        assert_eq!(left(), ["Other"]);
        let refused = family.api.request("POST", &path(&import, "/publish"), None);
        refused.expect_error(422, "unassigned_mappings");
        change("", choose("Other"));
        assert!(left().is_empty());
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        assert_eq!(family.api.wait_for_import(text(&import["id"]))["status"], "complete");
        assert_eq!(transactions(&family).len(), 2);
    }

    /// Nobody has looked at the names of the file while all rows went into one account.
    fn names_in_the_file_make_no_accounts_in_the_place_of_the_one_that_was_chosen(server) {
        let family = server.family();
        let [main, other] = ["Main", "Other"].map(|name| family.account(name, "depository"));
        let csv = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Giro\n2024-01-03,-2.00,B,Card\n";
        let import = upload(&family.api, csv, &json!({ "account_id": main }));
        remove(&family.api, &main);
        let format = json!({ "date_format": "%Y-%m-%d" });
        // Names that can't be read for a moment are no answer either.
        let hidden = json!({ "rows_to_skip": 2 });
        for change in [json!({}), json!({ "skip_invalid": true }), format, hidden] {
            family.api.patch(&path(&import, ""), &change).expect_status(200);
            family.api.patch(&path(&import, ""), &json!({ "rows_to_skip": 0 })).expect_status(200);
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            assert_eq!(shown["data"]["status_detail"]["publishable"], false, "{change}: {shown}");
            let refused = family.api.request("POST", &path(&import, "/publish"), None);
            refused.expect_error(422, "unassigned_mappings");
        }
        family.api.patch(&path(&import, ""), &json!({ "account_id": other })).expect_status(200);
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        assert_eq!(family.api.wait_for_import(text(&import["id"]))["status"], "complete");
        assert_eq!(transactions(&family).len(), 2);
    }

    fn a_large_account_is_missing_from_the_first_commit_on(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let rows = (0..MANY).map(|row| format!("2024-01-02,-1.00,Row {row}\n"));
        publish(&family.api, &format!("Date,Amount,Name\n{}", rows.collect::<String>()), &json!({ "account_id": main }));
        let import = upload(&family.api, CSV, &json!({ "account_id": main }));
        remove(&family.api, &main);
        assert_account_is_missing(&family, &import);
    }

    fn an_import_that_was_undone_needs_another_too(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let import = publish(&family.api, CSV, &json!({ "account_id": main }));
        remove(&family.api, &main);
        undo(&family.api, &import);
        assert_account_is_missing(&family, &import);
    }

    fn a_publish_and_a_removal_at_once_exclude_each_other(server) {
        let family = server.family();
        for round in 0..6 {
            let main = family.account(&format!("Main {round}"), "depository");
            let import = upload(&family.api, CSV, &json!({ "account_id": main }));
            let (published, removed) = thread::scope(|scope| {
                let publish =
                    scope.spawn(|| family.api.request("POST", &path(&import, "/publish"), None));
                let path = format!("/api/v1/accounts/{main}");
                let removed = family.api.delete(&path).status;
                (publish.join().unwrap(), removed)
            });
            if published.status == 202 {
                let done = family.api.wait_for_import(text(&import["id"]));
                assert_eq!(done["status"], "complete", "{done}");
            } else {
                assert_ne!(removed, 409);
                published.expect_error(422, "unassigned_mappings");
            }
        }
    }
}
