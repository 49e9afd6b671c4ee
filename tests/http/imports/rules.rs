//! `RuleImport`: rules as CSV with conditions and actions in JSON, previewed, published and undone
//! like categories.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{all, both_whole, merged, path, text};
use crate::support::{Client, Family};

const RULES: &str = "/api/v1/rules";
const HEADER: &str = "name,resource_type,active,effective_date,conditions,actions";

fn with_type(fields: &Value) -> Value {
    merged(&json!({ "type": "RuleImport" }), fields)
}

/// A file of rules: name, whether it is active, conditions and actions.
fn file(rows: &[(&str, &str, String, String)]) -> String {
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let lines = rows.iter().map(|(name, active, conditions, actions)| {
        format!("{name},transaction,{active},,{},{}", cell(conditions), cell(actions))
    });
    let lines: Vec<String> = [HEADER.to_owned()].into_iter().chain(lines).collect();
    lines.join("\n")
}

fn condition(kind: &str, operator: &str, value: &str) -> Value {
    json!({ "condition_type": kind, "operator": operator, "value": value })
}

fn action(kind: &str, value: &str) -> String {
    json!([{ "action_type": kind, "value": value }]).to_string()
}

fn rent() -> String {
    json!([condition("transaction_name", "like", "rent")]).to_string()
}

#[track_caller]
fn upload(api: &Client, csv: &str) -> Value {
    super::upload(api, csv, &with_type(&json!({})))
}

#[track_caller]
fn publish(api: &Client, csv: &str) -> Value {
    super::publish(api, csv, &with_type(&json!({})))
}

/// Names, states, conditions and actions of all rules, in their order.
#[track_caller]
fn rules(api: &Client) -> Vec<Value> {
    let shown = |rule: &Value| {
        let values = |list: &Value, kind: &str| -> Vec<Value> {
            let list = list.as_array().unwrap().iter();
            list.map(|one| json!([one[kind], one["operator"], one["value"]])).collect()
        };
        json!({
            "name": rule["name"], "active": rule["active"],
            "conditions": values(&rule["conditions"], "condition_type"),
            "actions": values(&rule["actions"], "action_type"),
        })
    };
    all(api, RULES, "data").iter().map(shown).collect()
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

/// The paths of the categories, the names of tags and of merchants.
#[track_caller]
fn labels(family: &Family) -> [Vec<String>; 3] {
    let named = |path: &str, list: &str, name: &str| -> Vec<String> {
        let answer = family.api.get(path).expect_status(200).json();
        let items = if list.is_empty() { &answer } else { &answer[list] };
        items.as_array().unwrap().iter().map(|one| text(&one[name]).to_owned()).collect()
    };
    [
        named("/api/v1/categories?per_page=100", "categories", "path"),
        named("/api/v1/tags", "", "name"),
        named("/api/v1/merchants", "", "name"),
    ]
}

both_whole! {
    fn a_file_becomes_rules_with_what_they_name(server) {
        let family = server.family();
        let conditions = json!([condition("transaction_merchant", "=", "Landlord")]).to_string();
        let csv = file(&[
            ("Rent", "true", conditions, action("set_transaction_category", "Home: Rent")),
            ("Late", "false", rent(), action("set_transaction_tags", "late")),
        ]);
        let import = upload(&family.api, &csv);
        assert_eq!(import["type"], "RuleImport");
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let created = |what: &str| ("create".to_owned(), what.to_owned());
        assert_eq!(rows(&family.api, &import), [
            created("Also created: the merchant \"Landlord\", the category \"Home: Rent\""),
            created("Also created: the tag \"late\""),
        ]);
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[1]["fields"]["active"], "false");
        assert!(text(&listed[1]["fields"]["conditions"]).contains("transaction_name"));
        assert!(rules(&family.api).is_empty(), "nothing is there before the publish");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 2, "{done}");
        let now = rules(&family.api);
        assert_eq!((&now[0]["name"], &now[1]["active"]), (&json!("Rent"), &json!(false)));
        let [categories, tags, merchants] = labels(&family);
        assert_eq!(categories, ["Home", "Home: Rent"]);
        assert_eq!((tags, merchants), (vec!["late".to_owned()], vec!["Landlord".to_owned()]));
        let again = publish(&family.api, &csv);
        let counts = (&again["plan"]["created_count"], &again["plan"]["matched_count"]);
        assert_eq!(counts, (&json!(0), &json!(2)));
        assert_eq!(rules(&family.api), now);
        undo(&family.api, &again);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["rules"]["removed"].as_array().unwrap().len(), 2);
        undo(&family.api, &import);
        assert!(rules(&family.api).is_empty());
        assert_eq!(labels(&family), [const { Vec::<String>::new() }; 3]);
    }

    fn a_rule_of_the_name_is_changed_and_given_back(server) {
        let family = server.family();
        let rule = json!({ "rule": {
            "name": "Rent", "active": true,
            "conditions": [condition("transaction_name", "=", "Rent")],
            "actions": [{ "action_type": "exclude_transaction" }],
        }});
        family.api.post(RULES, &rule).expect_status(201);
        let before = rules(&family.api);
        let csv = file(&[
            ("RENT", "no", rent(), action("set_transaction_name", "The rent")),
            ("", "", rent(), action("set_transaction_tags", "x")),
        ]);
        let import = upload(&family.api, &csv);
        let expected = "The rule \"Rent\" changes: active: yes → no, other conditions, other \
                        actions";
        assert_eq!(rows(&family.api, &import)[0], ("change".to_owned(), expected.to_owned()));
        let done = publish_again(&family.api, &import);
        let now = rules(&family.api);
        assert_eq!((&now[0]["name"], &now[0]["active"]), (&json!("Rent"), &json!(false)));
        assert_eq!(now[1]["name"], Value::Null);
        assert!(rows(&family.api, &done)[0].1.contains("active: yes → no"));
        let again = publish(&family.api, &csv);
        assert_eq!(again["plan"]["matched_count"], 2, "{again}");
        undo(&family.api, &import);
        assert_eq!(rules(&family.api), before);
    }

    fn json_is_repaired_and_refused_with_the_reason(server) {
        let family = server.family();
        let wrapped = serde_json::to_string(&rent()).unwrap();
        let escaped = wrapped[1..wrapped.len() - 1].to_owned();
        let exclude = || json!([{ "action_type": "exclude_transaction" }]).to_string();
        let csv = file(&[
            ("Wrapped", "", wrapped, exclude()),
            ("Escaped", "", escaped, exclude().replace('"', "\\u0022")),
            ("Doubled", "", rent().replace('"', "\"\""), exclude()),
            ("Mail", "", rent(), action("send_email_notification", "a@b.example")),
            ("Guess", "", rent(), action("auto_categorize", "")),
            ("Nobody", "", "x".to_owned(), exclude()),
        ]);
        let import = upload(&family.api, &csv);
        let invalid = import["invalid_rows"].as_array().unwrap();
        let shown: Vec<(u64, &str)> =
            invalid.iter().map(|row| (row["line"].as_u64().unwrap(), text(&row["errors"][0]))).collect();
        assert_eq!(shown, [
            (5, "The actions[0].action_type can't be send_email_notification: no e-mail is sent"),
            (6, "The actions[0].action_type can't be auto_categorize: nothing is guessed"),
            (7, "conditions must be a JSON list of objects"),
        ]);
        let skipping = with_type(&json!({ "skip_invalid": true }));
        crate::imports::publish(&family.api, &csv, &skipping);
        let now = rules(&family.api);
        assert_eq!(now.len(), 3);
        assert!(now.iter().all(|rule| rule["conditions"] == now[0]["conditions"]), "{now:?}");
    }

    fn a_person_decides_on_accounts_that_nobody_knows(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        let conditions = json!([condition("transaction_account", "=", "Nowhere")]).to_string();
        let csv = file(&[("A", "", conditions, action("set_transaction_name", "B"))]);
        let import = upload(&family.api, &csv);
        let why = "There is no account \"Nowhere\"; accounts are not created for rules";
        assert_eq!(rows(&family.api, &import), [("needs_choice".to_owned(), why.to_owned())]);
        family.api.request("POST", &path(&import, "/publish"), None).expect_error(422, "undecided_rows");
        let corrected = json!([condition("transaction_account", "=", "giro")]).to_string();
        let edit = json!({ "cells": { "conditions": corrected } });
        family.api.patch(&path(&import, "/rows/1"), &edit).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(rules(&family.api)[0]["conditions"][0][2], json!(account));
    }

    fn an_undo_keeps_what_a_person_changed_since(server) {
        let family = server.family();
        let csv = file(&[("A", "", rent(), action("set_transaction_category", "Home"))]);
        let import = publish(&family.api, &csv);
        let id = text(&all(&family.api, RULES, "data")[0]["id"]).to_owned();
        family.api.patch(&format!("{RULES}/{id}"), &json!({ "name": "Mine" })).expect_status(200);
        let shown = preview(&family.api, &import);
        assert_eq!(shown["rules"]["kept"][0]["name"], "Mine");
        assert_eq!(shown["categories"]["kept"][0]["name"], "Home");
        undo(&family.api, &import);
        assert_eq!(rules(&family.api)[0]["name"], "Mine");
        assert_eq!(labels(&family)[0], ["Home"]);
    }
}
