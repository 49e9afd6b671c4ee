//! Categories.

mod change;
mod remove;

use serde_json::{Value, json};

use crate::support::Client;

pub(crate) const PATH: &str = "/api/v1/categories";

/// Makes a category and returns its id.
#[track_caller]
pub(crate) fn category(client: &Client, name: &str, parent: Option<&str>) -> String {
    let fields = json!({ "category": { "name": name, "parent_id": parent } });
    client.post(PATH, &fields).expect_status(201).id()
}

/// The paths of a list.
#[track_caller]
pub(crate) fn paths(client: &Client, query: &str) -> Vec<String> {
    let body = client.get(&format!("{PATH}?per_page=100&{query}")).expect_status(200).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = body["categories"].as_array().unwrap();
    assert_eq!(body["pagination"]["total_count"], all.len());
    all.iter().map(|one| text(&one["path"])).collect()
}
