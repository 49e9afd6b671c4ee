//! `MerchantImport`: merchants as CSV, previewed, published and undone like categories.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{all, both_whole, merged, path, post, text};
use crate::support::{Client, Server, Sql};

const MERCHANTS: &str = "/api/v1/merchants";

fn with_type(fields: &Value) -> Value {
    merged(&json!({ "type": "MerchantImport" }), fields)
}

#[track_caller]
fn upload(api: &Client, csv: &str) -> Value {
    super::upload(api, csv, &with_type(&json!({})))
}

#[track_caller]
fn publish(api: &Client, csv: &str) -> Value {
    super::publish(api, csv, &with_type(&json!({})))
}

/// The merchants as lines: `Shop #aabbcc shop.example`.
fn merchants(server: &Server) -> Vec<String> {
    let lines = Sql::open(server).query(
        "SELECT name || COALESCE(' ' || color, '') || COALESCE(' ' || website, '')
        FROM merchants ORDER BY 1",
    );
    lines.into_iter().map(|row| row[0].clone()).collect()
}

#[track_caller]
fn create(api: &Client, fields: &Value) -> String {
    api.post(MERCHANTS, fields).expect_status(201).id()
}

/// Verdict and reason of each row.
#[track_caller]
fn rows(api: &Client, import: &Value) -> Vec<(String, String)> {
    let shown = |row: &Value| {
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (text(&row["verdict"]).to_owned(), reason)
    };
    all(api, &path(import, "/rows"), "data").iter().map(shown).collect()
}

const CSV: &str = "name*,color,website_url\nShop,#E07A3F,shop.example\nCafe,,\n";

both_whole! {
    fn a_file_becomes_merchants_and_twice_is_once(server) {
        let family = server.family();
        let import = upload(&family.api, CSV);
        assert_eq!(import["type"], "MerchantImport");
        assert_eq!(import["source"]["columns"], json!({
            "name": "name*", "color": "color", "website": "website_url",
        }));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[1]["fields"], json!({ "name": "Cafe", "color": null, "website": null }));
        assert!(merchants(&server).is_empty(), "nothing is there before the publish");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 2, "{done}");
        let expected = ["Cafe", "Shop #e07a3f shop.example"];
        assert_eq!(merchants(&server), expected);
        let again = publish(&family.api, CSV);
        let counts = (&again["plan"]["created_count"], &again["plan"]["matched_count"]);
        assert_eq!(counts, (&json!(0), &json!(2)));
        assert_eq!(merchants(&server), expected);
    }

    fn what_changes_is_shown_and_taken_back(server) {
        let family = server.family();
        create(&family.api, &json!({ "name": "Shop", "color": "#111111" }));
        create(&family.api, &json!({ "name": "Cafe", "website": "cafe.example" }));
        let before = merchants(&server);
        let csv = "name,color,website\nSHOP,#222222,shop.example\ncafe,,\nNew,,\nnew,#333333,\n";
        let import = upload(&family.api, csv);
        let listed = rows(&family.api, &import);
        let verdicts: Vec<&str> = listed.iter().map(|(verdict, _)| verdict.as_str()).collect();
        assert_eq!(verdicts, ["change", "matched_by_name", "create", "repeats"]);
        let what = "The merchant \"Shop\" changes: color: #111111 → #222222, website: none → \
                    shop.example";
        assert_eq!(listed[0].1, what);
        let done = publish_again(&family.api, &import);
        let counts = (&done["plan"]["created_count"], &done["plan"]["changed_count"]);
        assert_eq!(counts, (&json!(1), &json!(1)));
        let now = ["Cafe cafe.example", "New #333333", "Shop #222222 shop.example"];
        assert_eq!(merchants(&server), now);
        assert!(rows(&family.api, &done)[0].1.contains("website: none → shop.example"));
        let shown = preview(&family.api, &import);
        assert_eq!(shown["changes"], json!({ "restored_count": 1, "kept": [] }));
        assert_eq!(shown["merchants"]["removed"][0]["name"], "New");
        undo(&family.api, &import);
        assert_eq!(merchants(&server), before);
        publish_again(&family.api, &import);
        assert_eq!(merchants(&server), now);
    }

    fn an_undo_keeps_what_a_person_changed_since(server) {
        let family = server.family();
        let shop = create(&family.api, &json!({ "name": "Shop", "color": "#111111" }));
        let import = publish(&family.api, "name,color,website\nShop,#222222,a.example\nMine,,\n");
        let change = json!({ "color": "#333333" });
        family.api.patch(&format!("{MERCHANTS}/{shop}"), &change).expect_status(200);
        let listed = family.api.get(MERCHANTS).expect_status(200).json();
        let made = listed.as_array().unwrap().iter().find(|one| one["name"] == "Mine");
        let mine = text(&made.expect("the new one")["id"]).to_owned();
        let account = family.account("Main", "depository");
        family.api.post("/api/v1/transactions", &json!({ "transaction": {
            "account_id": account, "date": "2024-01-02", "amount": "5.00", "name": "Kiosk",
            "merchant_id": mine,
        }})).expect_status(201);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["changes"]["kept"], json!([
            { "kind": "merchant", "id": shop, "name": "Shop", "fields": ["color"] },
        ]));
        assert_eq!(shown["merchants"]["kept"][0]["name"], "Mine");
        undo(&family.api, &import);
        assert_eq!(merchants(&server), ["Mine", "Shop #333333"]);
    }

    fn problems_have_line_and_reason(server) {
        let family = server.family();
        let csv = "name,color,website\nA,blue,\nB,,javascript:alert(1)\n,#111111,\nC,,c.example\n";
        let import = upload(&family.api, csv);
        let invalid = import["invalid_rows"].as_array().unwrap();
        let lines: Vec<&Value> = invalid.iter().map(|row| &row["line"]).collect();
        assert_eq!(lines, [2, 3, 4]);
        assert_eq!(invalid[0]["errors"], json!(["color must be written #rrggbb"]));
        family.api.request("POST", &path(&import, "/publish"), None).expect_error(422, "invalid_rows");
        let edit = |row: u64, change: Value| {
            family.api.patch(&path(&import, &format!("/rows/{row}")), &change).expect_status(200);
        };
        edit(1, json!({ "cells": { "color": "#aabbcc" } }));
        edit(2, json!({ "choice": "leave_out" }));
        edit(3, json!({ "choice": "leave_out" }));
        publish_again(&family.api, &import);
        assert_eq!(merchants(&server), ["A #aabbcc", "C c.example"]);
    }

    fn labels_and_templates_are_as_for_every_type(server) {
        let family = server.family();
        let csv = "Who;Tint;Where\nShop;#112233;shop.example\n";
        let wrong = with_type(&json!({ "website_col_label": "Nowhere" }));
        post(&family.api, csv, &wrong).expect_error(422, "validation_failed");
        let fields = with_type(&json!({
            "name_col_label": "who", "color_col_label": "Tint", "website_col_label": "Where",
        }));
        crate::imports::publish(&family.api, csv, &fields);
        let again = upload(&family.api, "Who;Tint;Where\nCafe;;\n");
        assert_eq!(again["status_detail"]["publishable"], true, "{again}");
        let nameless = upload(&family.api, "color,website\n#112233,x.example\n");
        assert_eq!(nameless["status_detail"]["configured"], false);
    }
}
