//! `CategoryImport`: categories as CSV, previewed, published and undone like transactions.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{all, body, both_whole, merged, path, post, text};
use crate::support::{Client, Server, Sql, until};

const CATEGORIES: &str = "/api/v1/categories";

fn with_type(fields: &Value) -> Value {
    merged(&json!({ "type": "CategoryImport" }), fields)
}

/// Uploads categories; the import.
#[track_caller]
fn upload(api: &Client, csv: &str) -> Value {
    super::upload(api, csv, &with_type(&json!({})))
}

/// Uploads and publishes categories; the import at its end.
#[track_caller]
fn publish(api: &Client, csv: &str) -> Value {
    super::publish(api, csv, &with_type(&json!({})))
}

/// The categories as lines: `Food: Bars #aabbcc icon`, colors and icons where a category has its
/// own.
fn categories(server: &Server) -> Vec<String> {
    let lines = Sql::open(server).query(
        "SELECT COALESCE(p.name || ': ', '') || c.name || COALESCE(' ' || c.color, '')
            || COALESCE(' ' || c.icon, '') FROM categories c
        LEFT JOIN categories p ON p.family_id = c.family_id AND p.id = c.parent_id ORDER BY 1",
    );
    lines.into_iter().map(|row| row[0].clone()).collect()
}

#[track_caller]
fn create(api: &Client, fields: &Value) -> String {
    api.post(CATEGORIES, &json!({ "category": fields })).expect_status(201).id()
}

#[track_caller]
fn id_of(api: &Client, path: &str) -> String {
    let found = all(api, CATEGORIES, "categories");
    let one = found.iter().find(|one| one["path"] == path);
    text(&one.unwrap_or_else(|| panic!("{path} in {found:?}"))["id"]).to_owned()
}

/// Verdict and reason of each row.
#[track_caller]
fn rows(api: &Client, import: &Value) -> Vec<(String, String)> {
    let rows = all(api, &path(import, "/rows"), "data");
    let shown = |row: &Value| {
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (text(&row["verdict"]).to_owned(), reason)
    };
    rows.iter().map(shown).collect()
}

fn verdicts(api: &Client, import: &Value) -> Vec<String> {
    rows(api, import).into_iter().map(|(verdict, _)| verdict).collect()
}

#[track_caller]
fn import(api: &Client, import: &Value) -> Value {
    api.get(&path(import, "")).expect_status(200).json()["data"].clone()
}

const CSV: &str = "name*,color,parent_category,lucide_icon,classification\n\
    Groceries,,Food,shopping-basket,expense\n\
    Food,#E07A3F,,utensils,expense\n\
    Salary,,Income,,income\n\
    Income,#3f9b57,,,income\n";

both_whole! {
    fn a_file_of_categories_becomes_categories(server) {
        let family = server.family();
        let import = upload(&family.api, CSV);
        assert_eq!(import["type"], "CategoryImport");
        assert_eq!(import["configuration"]["name_col_label"], "name*");
        assert_eq!(import["configuration"]["signage_convention"], Value::Null);
        assert_eq!(import["source"]["columns"], json!({
            "name": "name*", "color": "color", "parent": "parent_category", "icon": "lucide_icon",
        }));
        assert_eq!(import["source"]["unused_headers"], json!(["classification"]));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(
            (&import["stats"]["rows_count"], &import["stats"]["mappings_count"]),
            (&json!(4), &json!(0))
        );
        assert_eq!((&import["plan"]["create_count"], &import["plan"]["current"]), (&json!(4), &json!(true)));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[0]["fields"], json!({
            "name": "Groceries", "parent": "Food", "color": null, "icon": "shopping-basket",
        }));
        assert!(categories(&server).is_empty(), "nothing is there before the publish");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 4, "{done}");
        assert_eq!(categories(&server), [
            "Food #e07a3f utensils",
            "Food: Groceries shopping-basket",
            "Income #3f9b57",
            "Income: Salary",
        ]);
    }

    fn the_same_again_adds_and_changes_nothing(server) {
        let family = server.family();
        publish(&family.api, CSV);
        let before = all(&family.api, CATEGORIES, "categories");
        let again = publish(&family.api, CSV);
        assert_eq!(
            (&again["plan"]["created_count"], &again["plan"]["matched_count"]),
            (&json!(0), &json!(4))
        );
        assert_eq!(all(&family.api, CATEGORIES, "categories"), before);
        let doubled = "name,parent,color\nfood,,\nFOOD,,\nFood: groceries,,\nFood,,#E07A3F\n";
        let import = upload(&family.api, doubled);
        assert_eq!(
            verdicts(&family.api, &import),
            ["matched_by_name", "repeats", "matched_by_name", "repeats"]
        );
    }

    fn omission_takes_nothing_away(server) {
        let family = server.family();
        publish(&family.api, CSV);
        let before = categories(&server);
        for csv in ["name\nGroceries\nFood\nIncome\nSalary\n",
            "name,color,parent,icon\nGroceries,,,\nFood,,,\n"] {
            let import = publish(&family.api, csv);
            assert_eq!(import["plan"]["changed_count"], 0, "{import}");
            assert_eq!(categories(&server), before, "{csv}");
        }
    }

    fn what_changes_is_shown_and_taken_back(server) {
        let family = server.family();
        create(&family.api, &json!({ "name": "Food", "color": "#111111" }));
        create(&family.api, &json!({ "name": "Groceries", "icon": "cart" }));
        let before = all(&family.api, CATEGORIES, "categories");
        let csv = "name,parent,color,icon\nGroceries,Food,,basket\nfood,,#222222,\nNew,Food,,\n";
        let import = upload(&family.api, csv);
        assert_eq!(rows(&family.api, &import), [
            ("change".to_owned(), "The category \"Groceries\" changes: parent: none → Food, icon: \
                cart → basket".to_owned()),
            ("change".to_owned(),
                "The category \"Food\" changes: color: #111111 → #222222".to_owned()),
            ("create".to_owned(), String::new()),
        ]);
        let listed = all(&family.api, &path(&import, "/rows?verdict=change"), "data");
        assert_eq!(listed[1]["record_id"], id_of(&family.api, "Food").as_str());
        assert_eq!(listed[1]["entry_id"], Value::Null);
        let done = publish_again(&family.api, &import);
        assert_eq!(
            (&done["plan"]["created_count"], &done["plan"]["changed_count"]),
            (&json!(1), &json!(2))
        );
        assert_eq!(
            categories(&server),
            ["Food #222222", "Food: Groceries basket", "Food: New"]
        );
        assert!(rows(&family.api, &done)[1].1.contains("#111111 → #222222"));
        let shown = preview(&family.api, &import);
        assert_eq!(shown["changes"], json!({ "restored_count": 2, "kept": [] }));
        assert_eq!(shown["categories"]["removed"][0]["name"], "New");
        undo(&family.api, &import);
        let after = all(&family.api, CATEGORIES, "categories");
        for (was, is) in before.iter().zip(&after) {
            for field in ["id", "path", "color", "icon"] {
                assert_eq!(was[field], is[field], "{field}");
            }
        }
        assert_eq!(before.len(), after.len());
        let sql = Sql::open(&server);
        for table in ["import_changes", "import_created"] {
            assert_eq!(sql.query(&format!("SELECT COUNT(*) FROM {table}")), [["0"]], "{table}");
        }
        let again = publish_again(&family.api, &import);
        assert_eq!(again["plan"]["changed_count"], 2);
    }

    fn an_undo_keeps_what_a_person_changed_since(server) {
        let family = server.family();
        let food = create(&family.api, &json!({ "name": "Food", "color": "#111111" }));
        let cafe = create(&family.api, &json!({ "name": "Cafe" }));
        let csv = "name,parent,color,icon\nFood,,#222222,fork\nCafe,Food,,\nMine,,,\n";
        let import = publish(&family.api, csv);
        let patch = |id: &str, fields: Value| {
            family.api.patch(&format!("{CATEGORIES}/{id}"), &fields).expect_status(200);
        };
        patch(&food, json!({ "color": "#333333" }));
        let mine = id_of(&family.api, "Mine");
        patch(&mine, json!({ "icon": "star" }));
        create(&family.api, &json!({ "name": "cafe" }));
        let shown = preview(&family.api, &import);
        assert_eq!(shown["changes"], json!({
            "restored_count": 1,
            "kept": [
                { "kind": "category", "id": food, "name": "Food", "fields": ["color"] },
                { "kind": "category", "id": cafe, "name": "Cafe", "fields": ["parent"] },
            ],
        }));
        assert_eq!(shown["categories"]["kept"][0]["reason"], "it was changed since");
        undo(&family.api, &import);
        assert_eq!(
            categories(&server),
            ["Food #333333", "Food: Cafe", "Mine star", "cafe"]
        );
    }

    fn problems_have_line_and_reason(server) {
        let family = server.family();
        create(&family.api, &json!({ "name": "Untouched" }));
        let csv = "name,parent,color\nA,B,\nB,A,\nC,,blue\nD,E,\nE,F,\nF,,\n,,\nG,,#111111\n\
            g,,#222222\nH,H,\nI:J:K,,\n";
        let import = upload(&family.api, csv);
        let invalid: Vec<(u64, String)> = import["invalid_rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| {
                let reasons: Vec<&str> = row["errors"].as_array().unwrap().iter().map(text).collect();
                (row["line"].as_u64().unwrap(), reasons.join("; "))
            })
            .collect();
        let expected = [
            (2, "its parent \"B\" is below it"),
            (3, "its parent \"A\" is below it"),
            (4, "color must be written #rrggbb"),
            (5, "its parent \"E\" is itself below \"f\": there are only two levels"),
            (9, "Line 10 has the same category with another color"),
            (10, "Line 9 has the same category with another color"),
            (11, "parent is the category itself"),
            (12, "name has more than two levels, or a colon without a name"),
        ];
        let expected: Vec<(u64, String)> =
            expected.iter().map(|(line, why)| (*line, (*why).to_owned())).collect();
        assert_eq!(invalid, expected, "{import}");
        let refused = family.api.request("POST", &path(&import, "/publish"), None);
        refused.expect_error(422, "invalid_rows");
        let skipping = crate::imports::publish(&family.api, csv, &with_type(&json!({ "skip_invalid": true })));
        assert_eq!(skipping["plan"]["created_count"], 2, "{skipping}");
        assert_eq!(categories(&server), ["F", "F: E", "Untouched"]);
    }

    fn a_parent_that_nobody_knows_is_chosen(server) {
        let family = server.family();
        create(&family.api, &json!({ "name": "Transport" }));
        let import = upload(&family.api, "name,parent\nFuel,Car\nTickets,transport\n");
        assert_eq!(import["unassigned_mappings"][0]["kind"], "parent");
        assert_eq!(import["unassigned_mappings"][0]["key"], "Car");
        let why = "Neither the file nor the family has a category \"Car\" on the first level";
        assert_eq!(import["unassigned_mappings"][0]["reason"], why);
        assert_eq!(
            rows(&family.api, &import),
            [("needs_choice".to_owned(), why.to_owned()), ("create".to_owned(), String::new())]
        );
        let refused = family.api.request("POST", &path(&import, "/publish"), None);
        refused.expect_error(422, "unassigned_mappings");
        let choose = |fields: Value| {
            let choice = merged(&json!({ "kind": "parent", "key": "Car" }), &fields);
            family.api.patch(&path(&import, ""), &json!({ "mappings": [choice] }))
        };
        let transport = id_of(&family.api, "Transport");
        choose(json!({ "id": transport })).expect_status(200);
        assert_eq!(verdicts(&family.api, &import), ["create", "create"]);
        choose(json!({ "create": true })).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(
            categories(&server),
            ["Car", "Car: Fuel", "Transport", "Transport: Tickets"]
        );
        undo(&family.api, &import);
        assert_eq!(categories(&server), ["Transport"]);
    }

    fn a_row_can_be_corrected_left_out_or_made_new(server) {
        let family = server.family();
        create(&family.api, &json!({ "name": "Fun" }));
        let fun = id_of(&family.api, "Fun");
        create(&family.api, &json!({ "name": "Other", "parent_id": fun }));
        let import = upload(&family.api, "name,parent,color\nOther,Income,\nIncome,,red\nBad,,\n");
        assert_eq!(import["stats"]["invalid_rows_count"], 1);
        let edit = |row: u64, change: Value| {
            let path = path(&import, &format!("/rows/{row}"));
            family.api.patch(&path, &change).expect_status(200).json()
        };
        let fixed = edit(2, json!({ "cells": { "color": "#aabbcc" } }));
        assert_eq!(fixed["import"]["stats"]["invalid_rows_count"], 0);
        edit(3, json!({ "choice": "leave_out" }));
        assert_eq!(verdicts(&family.api, &import), ["change", "create", "left_out"]);
        edit(1, json!({ "choice": "create" }));
        assert_eq!(verdicts(&family.api, &import), ["create", "create", "left_out"]);
        publish_again(&family.api, &import);
        assert_eq!(
            categories(&server),
            ["Fun", "Fun: Other", "Income #aabbcc", "Income: Other"]
        );
    }

    fn one_with_others_below_it_stays_on_the_first_level(server) {
        let family = server.family();
        publish(&family.api, CSV);
        let import = upload(&family.api, "name,parent\nFood,Home\nHome,\n");
        assert_eq!(verdicts(&family.api, &import), ["needs_choice", "create"]);
        let refused = family.api.request("POST", &path(&import, "/publish"), None);
        refused.expect_error(422, "undecided_rows");
        let groceries = id_of(&family.api, "Food: Groceries");
        family.api.delete(&format!("{CATEGORIES}/{groceries}")).expect_status(200);
        family.api.get(&path(&import, "")).expect_status(200);
        until("a new plan", || {
            (self::import(&family.api, &import)["plan"]["current"] == true).then_some(())
        });
        assert_eq!(verdicts(&family.api, &import), ["change", "create"]);
        publish_again(&family.api, &import);
        assert_eq!(categories(&server)[..2], ["Home", "Home: Food #e07a3f utensils"]);
    }

    fn labels_and_preflight_are_as_for_every_type(server) {
        let family = server.family();
        let csv = "What;Group;How\nFood;;#112233\nBars;Food;\n";
        let fields = with_type(&json!({
            "name_col_label": "what", "parent_col_label": "Group", "color_col_label": "How",
        }));
        let tried = family.api.post(&format!("{}/preflight", crate::imports::IMPORTS), &body(csv, &fields));
        let tried = tried.expect_status(200).json()["data"].clone();
        assert_eq!((&tried["plan"]["create_count"], &tried["obstacle"]), (&json!(2), &Value::Null));
        assert_eq!(tried["rows"][1]["fields"]["parent"], "Food");
        crate::imports::publish(&family.api, csv, &fields);
        assert_eq!(categories(&server), ["Food #112233", "Food: Bars"]);
        // The next file with this header is read in the same way.
        let again = upload(&family.api, "What;Group;How\nCafe;Food;\n");
        assert_eq!(again["status_detail"]["publishable"], true, "{again}");
        let wrong = with_type(&json!({ "icon_col_label": "Nowhere" }));
        post(&family.api, csv, &wrong).expect_error(422, "validation_failed");
        let nameless = upload(&family.api, "color,icon\n#112233,x\n");
        assert_eq!(nameless["status_detail"]["configured"], false);
        let listed = family.api.get("/api/v1/imports?type=CategoryImport").expect_status(200);
        assert_eq!(listed.json()["meta"]["total_count"], 3);
    }

    fn rules_entries_and_budgets_see_no_difference(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        publish(&family.api, CSV);
        let file = "Date,Amount,Name,Category\n2024-01-02,-1.00,A,Groceries\n";
        crate::imports::publish(&family.api, file, &json!({ "account_id": account }));
        let import = publish(&family.api, "name,color,parent\nGroceries,#010203,Income\n");
        let path = "/api/v1/transactions?search=A";
        let shown = family.api.get(path).expect_status(200).json();
        assert_eq!(shown["transactions"][0]["category"]["name"], "Groceries");
        undo(&family.api, &import);
        assert_eq!(categories(&server)[1], "Food: Groceries shopping-basket");
    }
}
