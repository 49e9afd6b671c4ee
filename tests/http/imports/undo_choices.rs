//! What a person chose before a publish, and what becomes of it when the import is undone.

use serde_json::{Value, json};

use super::configure::patch;
use super::undo::{preview, publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, path, publish, rows, text, transactions, upload};
use crate::support::{Client, Family, Sql};

const CSV: &str = "Date,Amount,Name,Category,Tags,Account\n\
    2024-01-02,-1.00,Apples,Shop,h,Giro\n\
    2024-01-03,-2.00,Books,,,Giro\n";
const NEXT: &str = "Date,Amount,Name,Category,Tags,Account\n\
    2024-02-02,-3.00,Cherries,Shop,h,Giro\n";

/// An upload with choices for its names: they are to be created.
#[track_caller]
fn chosen(api: &Client) -> Value {
    let import = upload(api, CSV, &json!({}));
    let create = |kind: &str, key: &str, name: &str| json!({ "kind": kind, "key": key, "create": true, "name": name });
    patch(
        api,
        &import,
        &json!({ "mappings": [
        create("account", "Giro", "My Giro"),
        create("category", "Shop", "Food:Fresh"),
        create("tag", "h", "Home"),
    ] }),
    )
}

/// The names of the family's accounts.
#[track_caller]
fn accounts(family: &Family) -> Vec<String> {
    let listed = all(&family.api, "/api/v1/accounts", "accounts");
    listed.iter().map(|one| text(&one["name"]).to_owned()).collect()
}

/// The only template of the family.
#[track_caller]
fn template(api: &Client) -> Value {
    let listed = api.get("/api/v1/import_templates").expect_status(200).json();
    assert_eq!(listed["meta"]["total_count"], 1, "{listed}");
    listed["data"][0].clone()
}

/// The choice of the template for a kind of names: whether it is created, and under which name.
fn choice_of(template: &Value, kind: &str) -> (bool, Value) {
    let choices = template["choices"].as_array().unwrap();
    let one = choices.iter().find(|one| one["kind"] == kind).unwrap();
    assert_eq!(one["id"].is_null(), one["create"] == true, "{one}");
    (one["create"] == true, one["name"].clone())
}

/// Sends an edit of a row.
#[track_caller]
fn edit_row(api: &Client, import: &Value, row: u64, change: &Value) {
    api.patch(&path(import, &format!("/rows/{row}")), change).expect_status(200);
}

/// Choices of the rows of an import, and which of them have corrected cells.
#[track_caller]
fn edits(api: &Client, import: &Value) -> Vec<(String, bool)> {
    let listed = all(api, &path(import, "/rows"), "data");
    let one = |row: &Value| (text(&row["choice"]).to_owned(), row["corrected_cells"] != json!({}));
    listed.iter().map(one).collect()
}

#[track_caller]
fn found(family: &Family, name: &str) -> String {
    let listed = all(&family.api, &format!("/api/v1/transactions?search={name}"), "transactions");
    assert_eq!(listed.len(), 1, "{listed:?}");
    format!("/api/v1/transactions/{}", text(&listed[0]["id"]))
}

/// Two rows that a person wants as transactions whatever they resemble, one of them corrected.
#[track_caller]
fn insisted(family: &Family) -> Value {
    let account = family.account("Main", "depository");
    let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n2024-01-04,-3.00,C\n";
    let import = upload(&family.api, csv, &json!({ "account_id": account }));
    edit_row(&family.api, &import, 1, &json!({ "choice": "create" }));
    edit_row(
        &family.api,
        &import,
        2,
        &json!({ "choice": "create", "cells": { "Amount": "-2.50" } }),
    );
    publish_again(&family.api, &import);
    import
}

both_whole! {
    fn what_was_created_by_choice_goes_although_a_template_names_it(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        let import = chosen(&family.api);
        let before = State::read(&sql, &family);
        publish_again(&family.api, &import);
        let published = transactions(&family);
        assert_eq!(published[0], "2024-01-02 -1.00 USD Apples #Fresh [Home] @My Giro");
        let kept = template(&family.api);
        for kind in ["account", "category", "tag"] {
            assert!(!choice_of(&kept, kind).0, "{kept}");
        }
        let shown = preview(&family.api, &import);
        for (noun, count) in [("accounts", 1), ("categories", 2), ("tags", 1)] {
            assert_eq!(shown[noun]["removed"].as_array().unwrap().len(), count, "{shown}");
            assert_eq!(shown[noun]["kept"], json!([]));
        }
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        let kept = template(&family.api);
        for (kind, name) in [("account", "My Giro"), ("category", "Food:Fresh"), ("tag", "Home")] {
            assert_eq!(choice_of(&kept, kind), (true, json!(name)));
        }
        // Once more, and back once more.
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), published);
        assert!(!choice_of(&template(&family.api), "account").0);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        // The next file has the same things created.
        let next = upload(&family.api, NEXT, &json!({}));
        assert_eq!(next["source"]["template"]["id"], kept["id"], "{next}");
        let row = family.api.get(&path(&next, "/rows")).expect_status(200).json()["data"][0].clone();
        assert_eq!(row["mappings"]["account"]["create"], true, "{row}");
        publish_again(&family.api, &next);
        assert_eq!(
            transactions(&family),
            ["2024-02-02 -3.00 USD Cherries #Fresh [Home] @My Giro"]
        );
        assert_eq!(accounts(&family), ["My Giro"]);
        // Both levels, as before.
        let sql_rows = sql.query("SELECT name FROM categories ORDER BY name");
        assert_eq!(sql_rows, [["Food"], ["Fresh"]]);
        undo(&family.api, &next);
        assert_eq!(State::read(&sql, &family), before);
    }

    fn published_again_the_next_file_finds_what_was_created(server) {
        let family = server.family();
        let import = chosen(&family.api);
        publish_again(&family.api, &import);
        undo(&family.api, &import);
        publish_again(&family.api, &import);
        publish(&family.api, NEXT, &json!({}));
        assert_eq!(accounts(&family), ["My Giro"]);
        assert_eq!(transactions(&family)[2], "2024-02-02 -3.00 USD Cherries #Fresh [Home] @My Giro");
        // The next import needs the account: it stays, and so does its choice in the template.
        let shown = preview(&family.api, &import);
        assert_eq!(shown["accounts"]["kept"][0]["reason"], "it has other transactions");
        undo(&family.api, &import);
        assert!(!choice_of(&template(&family.api), "account").0);
    }

    fn an_account_that_only_a_template_suggests_goes(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let giro = all(&family.api, "/api/v1/accounts", "accounts")[0]["id"].clone();
        let into = json!({ "account_id": giro });
        let other = publish(&family.api, "Date,Amount,Payee\n2024-03-01,+1,X\n", &into);
        let suggested = || -> Vec<Value> {
            let listed = family.api.get("/api/v1/import_templates").expect_status(200).json();
            let data = listed["data"].as_array().unwrap();
            data.iter().map(|one| one["account_id"].clone()).collect()
        };
        assert!(suggested().contains(&giro));
        undo(&family.api, &other);
        family.api.delete(&path(&other, "")).expect_status(200);
        undo(&family.api, &import);
        assert!(accounts(&family).is_empty());
        assert_eq!(suggested(), [Value::Null, Value::Null]);
        // A file of that kind can still be uploaded.
        let next = upload(&family.api, "Date,Amount,Payee\n2024-03-02,+1,Y\n", &json!({}));
        assert_eq!(next["source"]["template"]["account_id"], Value::Null);
    }

    fn a_row_that_stayed_changed_is_not_made_twice(server) {
        let family = server.family();
        let import = insisted(&family);
        assert_eq!(preview(&family.api, &import)["rows"]["choices_reset_count"], 0);
        let renamed = json!({ "name": "Renamed" });
        family.api.patch(&found(&family, "A"), &renamed).expect_status(200);
        let before = transactions(&family);
        assert_eq!(preview(&family.api, &import)["rows"]["choices_reset_count"], 2);
        let page = server.signed_in(&family).get(&format!("/imports/{}/undo", text(&import["id"])));
        let page = page.expect_status(200).text();
        assert!(page.contains("2 rows were to be imported in spite of a match"), "{page}");
        undo(&family.api, &import);
        let plan = |corrected| ("plan".to_owned(), corrected);
        assert_eq!(edits(&family.api, &import), [plan(false), plan(true), plan(false)]);
        assert_eq!(rows(&family.api, &import)[1], "2024-01-03 2.50 USD B", "corrections stay");
        let sql = Sql::open(&server);
        assert_eq!(sql.query("SELECT row_number FROM import_row_edits"), [["2"]]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), before);
    }

    fn a_row_that_was_deleted_stays_deleted(server) {
        let family = server.family();
        let import = insisted(&family);
        for name in ["A", "B"] {
            family.api.delete(&found(&family, name)).expect_status(200);
        }
        let left = transactions(&family);
        assert_eq!(left, ["2024-01-04 -3.00 USD C @Main"]);
        assert_eq!(preview(&family.api, &import)["rows"]["choices_reset_count"], 2);
        undo(&family.api, &import);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), left);
    }

    fn choices_stay_if_nobody_changed_what_came_of_them(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n";
        let fields = json!({ "account_id": account });
        publish(&family.api, csv, &fields);
        let import = upload(&family.api, csv, &fields);
        edit_row(&family.api, &import, 1, &json!({ "choice": "create" }));
        publish_again(&family.api, &import);
        let twice = transactions(&family);
        assert_eq!(twice.len(), 2);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["rows"]["choices_reset_count"], 0, "{shown}");
        undo(&family.api, &import);
        assert_eq!(edits(&family.api, &import), [("create".to_owned(), false)]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), twice);
    }
}
