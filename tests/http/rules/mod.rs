//! Rules: kept, previewed, run on imports and on demand.

mod imports;
mod kept;
mod locks;
mod runs;

use serde_json::{Value, json};

use crate::support::{Client, until};

const PATH: &str = "/api/v1/rules";
const RUNS: &str = "/api/v1/rule_runs";

/// Creates a rule with a condition on the name and the given actions.
#[track_caller]
fn make(api: &Client, like: &str, actions: Value) -> Value {
    let body = json!({ "rule": {
        "name": format!("On {like}"),
        "conditions": [
            { "condition_type": "transaction_name", "operator": "like", "value": like }
        ],
        "actions": actions,
    } });
    api.post(PATH, &body).expect_status(201).json()["data"].clone()
}

fn rename(name: &str) -> Value {
    json!([{ "action_type": "set_transaction_name", "value": name }])
}

fn categorise(name: &str) -> Value {
    json!([{ "action_type": "set_transaction_category", "value": name }])
}

fn path(rule: &Value, below: &str) -> String {
    format!("{PATH}/{}{below}", rule["id"].as_str().unwrap())
}

/// Runs a rule and waits for the end; the run.
#[track_caller]
fn run(api: &Client, rule: &Value) -> Value {
    let begun = api.request("POST", &path(rule, "/run"), None).expect_status(202).json();
    assert_eq!(begun["data"]["status"], "pending");
    wait(api, begun["data"]["id"].as_str().unwrap())
}

#[track_caller]
fn wait(api: &Client, run: &str) -> Value {
    until("the end of the run", || {
        let run = api.get(&format!("{RUNS}/{run}")).expect_status(200).json()["data"].clone();
        (run["status"] != "pending").then_some(run)
    })
}

/// The transaction that is called so, or the one with that text in its notes.
#[track_caller]
fn named(api: &Client, search: &str) -> Value {
    let listed = api.get(&format!("/api/v1/transactions?search={search}")).expect_status(200);
    let listed = listed.json();
    assert_eq!(listed["pagination"]["total_count"], 1, "{search}: {listed}");
    listed["transactions"][0].clone()
}

/// Names of all transactions, in order.
#[track_caller]
fn names(api: &Client) -> Vec<String> {
    let listed = api.get("/api/v1/transactions?per_page=100").expect_status(200).json();
    let listed = listed["transactions"].as_array().unwrap().clone();
    let mut names: Vec<String> =
        listed.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}
