//! What is exported comes back: the native file of random families, and the tables of lists.

use serde_json::{Value, json};

use super::archive::{table, tables};
use super::{export, without_ids};
use crate::both;
use crate::imports::publish;
use crate::journals::family_with;
use crate::random_family::random_family;
use crate::support::{Client, Family, Server};

/// The families of a test on one database.
const FAMILIES: u64 = 4;

/// Everything that a family has.
#[track_caller]
pub(crate) fn exported(api: &Client) -> String {
    let export = export(api);
    api.get(export["download_path"].as_str().unwrap()).expect_status(200).text()
}

const LISTS: [(&str, &str); 3] = [
    ("categories.csv", "CategoryImport"),
    ("merchants.csv", "MerchantImport"),
    ("rules.csv", "RuleImport"),
];

/// The lists of a family as tables.
#[track_caller]
fn lists(server: &Server, family: &Family) -> Vec<String> {
    let parts = tables(server, family, &format!("{}.zip", family.email));
    LISTS.iter().map(|(name, _)| table(&parts, name)).collect()
}

/// A family with lists that have something of everything.
#[track_caller]
fn with_lists(server: &Server) -> Family {
    let family = family_with(server, &random_family(3));
    let post = |path: &str, body| family.api.post(path, &body).expect_status(201);
    post(
        "/api/v1/categories",
        json!({ "category": {
            "name": "-Fun", "color": "#aabbcc", "icon": "beer",
        }}),
    );
    post(
        "/api/v1/merchants",
        json!({ "merchant": {
            "name": "@Baker, \"Zoë\"", "color": "#336699", "website_url": "baker.example",
        }}),
    );
    let under = |operator: &str, value: &str| {
        json!({
            "condition_type": "transaction_name", "operator": operator, "value": value,
        })
    };
    post(
        "/api/v1/rules",
        json!({ "rule": {
            "name": "+both; \"quoted\"", "resource_type": "transaction", "active": true,
            "effective_date": "2024-01-01",
            "conditions": [
                {
                    "condition_type": "compound", "operator": "or",
                    "sub_conditions": [under("like", "a,b"), under("=", "=x")],
                },
                { "condition_type": "transaction_amount", "operator": ">", "value": "12.50" },
                { "condition_type": "transaction_category", "operator": "=", "value": "-Fun" },
            ],
            "actions": [
                { "action_type": "set_transaction_merchant", "value": "@Baker, \"Zoë\"" },
                { "action_type": "exclude_transaction" },
            ],
        }}),
    );
    post(
        "/api/v1/rules",
        json!({ "rule": {
            "resource_type": "transaction", "active": false,
            "conditions": [under("not_like", "'=")],
            "actions": [{ "action_type": "set_transaction_tags", "value": "kids ü" }],
        }}),
    );
    family
}

/// An export without the openings of accounts that have nothing but transactions, and how many
/// these are.
fn without_openings(file: &str) -> (String, usize) {
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_other =
        |line: &&Value| ["Valuation", "Trade", "Holding"].contains(&line["type"].as_str().unwrap());
    let others = lines.iter().filter(is_other).map(|line| line["data"]["account_id"].clone());
    let others: Vec<Value> = others.collect();
    let mut count = 0;
    let stripped = lines.into_iter().map(|mut line| {
        if line["type"] == "Account" && !others.contains(&line["data"]["id"]) {
            line["data"].as_object_mut().unwrap().remove("opening_balance");
            count += 1;
        }
        format!("{line}\n")
    });
    (stripped.collect(), count)
}

both! {
    fn a_random_family_is_exported_imported_and_exported_again(server) {
        for seed in 0..FAMILIES {
            eprintln!("seed {seed}");
            let first = family_with(&server, &random_family(seed));
            let file = exported(&first.api);
            let second = family_with(&server, &file);
            let again = exported(&second.api);
            let (file, again) = (without_ids(&file), without_ids(&again));
            for (before, after) in file.iter().zip(&again) {
                assert_eq!(after, before);
            }
            assert_eq!(file.len(), again.len());
            assert!(file.len() > 60, "{}", file.len());
        }
        server.run_json(&["check"], "");
    }

    fn an_opening_that_a_file_leaves_out_follows_from_the_rest(server) {
        for seed in 0..FAMILIES {
            eprintln!("seed {seed}");
            let first = family_with(&server, &random_family(seed));
            let file = exported(&first.api);
            let (file_without, count) = without_openings(&file);
            assert!(count > 2, "{count}");
            let second = family_with(&server, &file_without);
            let again = exported(&second.api);
            let (file, again) = (without_ids(&file), without_ids(&again));
            for (before, after) in file.iter().zip(&again) {
                assert_eq!(after, before);
            }
        }
        server.run_json(&["check"], "");
    }

    fn tables_of_lists_come_back_to_the_byte_and_change_nothing_twice(server) {
        let family = with_lists(&server);
        let before = lists(&server, &family);
        assert!(before[2].contains("'+both"), "{}", before[2]);
        let other = server.family();
        for _ in 0..2 {
            for ((_, kind), table) in LISTS.iter().zip(&before) {
                publish(&other.api, table, &json!({ "type": kind }));
            }
            let after = lists(&server, &other);
            for (before, after) in before.iter().zip(&after) {
                assert_eq!(after, before);
            }
        }
        server.run_json(&["check"], "");
    }
}
