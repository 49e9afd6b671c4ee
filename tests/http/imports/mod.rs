//! `/imports`: uploads and what is found in them, publishing, and what becomes of it.

mod accounts;
mod answers;
mod balance;
mod categories;
mod clients;
mod compared;
mod configure;
mod conformance;
mod contents;
mod direction;
mod disk;
mod duplicates;
mod events;
mod every_type;
mod failures;
mod fields;
mod file;
mod fills;
mod foreign;
mod in_parts;
mod large;
mod ledger;
mod left_out;
mod limits;
mod listing;
mod merchants;
mod mint;
mod names;
mod native;
mod native_in_parts;
pub(crate) mod native_large;
mod native_older;
pub(crate) mod native_sessions;
mod overlaps;
pub(crate) mod pdf;
mod pdf_accounts;
mod pdf_scans;
mod people_files;
mod plan;
mod positions;
mod preflight;
mod publishing;
mod qif;
mod qif_investments;
mod queue_faults;
mod reading;
mod reading_amounts;
mod reading_dates;
mod removed_account;
mod row_edits;
mod rows;
mod rules;
mod same_file;
mod spreadsheets;
mod statement;
mod statement_archives;
mod statement_comparisons;
pub(crate) mod statement_files;
mod statements;
mod templates;
mod trades;
pub(crate) mod undo;
mod undo_choices;
mod undo_others;
mod undo_state;
mod without_header;
mod ynab;
mod ynab_archive;

use serde_json::{Value, json};

pub(crate) use crate::support::sql;
use crate::support::{Answer, Client, Family, Server};

pub(crate) const IMPORTS: &str = "/api/v1/imports";

/// As `both!`, and at the end of each test `purser check` must find nothing.
macro_rules! both_whole {
    ($($(#[$meta:meta])* fn $name:ident($server:ident $(= $options:expr)?) $body:block)*) => {
        crate::both! {$(
            $(#[$meta])*
            fn $name($server $(= $options)?) {
                $body
                crate::imports::assert_whole(&$server);
            }
        )*}
    };
}
pub(crate) use both_whole;

/// `purser check` finds nothing.
#[track_caller]
pub(crate) fn assert_whole(server: &Server) {
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
}

/// The body of an upload: the content and any fields.
pub(crate) fn body(csv: &str, fields: &Value) -> Value {
    let mut body = json!({ "raw_file_content": csv });
    let (Value::Object(all), Value::Object(more)) = (&mut body, fields) else {
        panic!("not an object: {fields}");
    };
    all.extend(more.clone());
    body
}

/// Uploads content as JSON.
#[track_caller]
pub(crate) fn post(api: &Client, csv: &str, fields: &Value) -> Answer {
    api.post(IMPORTS, &body(csv, fields))
}

/// Uploads content that is accepted; the import.
#[track_caller]
pub(crate) fn upload(api: &Client, csv: &str, fields: &Value) -> Value {
    post(api, csv, fields).expect_status(201).json()["data"].clone()
}

/// Uploads and publishes content that is accepted; the import at its end.
#[track_caller]
pub(crate) fn publish(api: &Client, csv: &str, fields: &Value) -> Value {
    let answer = post(api, csv, &merged(fields, &json!({ "publish": "true" }))).expect_status(201);
    assert_eq!(answer.json()["data"]["status"], "importing");
    let import = api.wait_for_import(&answer.id());
    assert_eq!(import["status"], "complete", "{import}");
    import
}

/// The fields of both.
pub(crate) fn merged(fields: &Value, more: &Value) -> Value {
    let (Value::Object(all), Value::Object(more)) = (fields.clone(), more.clone()) else {
        panic!("not objects: {fields} {more}");
    };
    Value::Object(all.into_iter().chain(more).collect())
}

/// The path of an import, or of something below it.
pub(crate) fn path(import: &Value, below: &str) -> String {
    format!("{IMPORTS}/{}{below}", import["id"].as_str().expect("an id"))
}

/// Every item of a list, page by page.
#[track_caller]
pub(crate) fn all(api: &Client, path: &str, items: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let glue = if path.contains('?') { '&' } else { '?' };
    for page in 1.. {
        let path = format!("{path}{glue}per_page=100&page={page}");
        let answer = api.get(&path).expect_status(200).json();
        let part = answer[items].as_array().expect("items").clone();
        if part.is_empty() {
            break;
        }
        found.extend(part);
    }
    found
}

/// The rows of an import as lines: `2024-01-02 12.50 USD Coffee | notes #category [tag] @account`
/// with money out positive, or `line 3: why not; why else not`.
#[track_caller]
pub(crate) fn rows(api: &Client, import: &Value) -> Vec<String> {
    all(api, &path(import, "/rows"), "data").iter().map(row).collect()
}

fn row(row: &Value) -> String {
    if row["valid"] == false {
        assert!(row["fields"].is_null() && row["mappings"].is_null(), "{row}");
        let errors: Vec<&str> = row["errors"].as_array().unwrap().iter().map(text).collect();
        return format!("line {}: {}", row["line"], errors.join("; "));
    }
    assert_eq!(row["errors"], json!([]), "{row}");
    let fields = &row["fields"];
    if fields["date"].is_null() {
        // A record of the family, or of a list.
        return format!("{} {}", text(&fields["type"]), text(&fields["name"]));
    }
    let mut line = format!(
        "{} {} {} {}",
        text(&fields["date"]),
        text(&fields["amount_decimal"]),
        text(&fields["currency"]),
        text(&fields["name"])
    );
    for (field, mark) in [("notes", " | "), ("category", " #"), ("account", " @")] {
        if let Some(value) = fields[field].as_str() {
            line.push_str(mark);
            line.push_str(value);
        }
    }
    for tag in fields["tags"].as_str().into_iter().flat_map(|tags| tags.split(", ")) {
        line.push_str(&format!(" [{tag}]"));
    }
    line
}

/// The rows of an import, but for their ids, which no other import has.
#[track_caller]
pub(crate) fn plain_rows(api: &Client, import: &Value) -> Vec<Value> {
    let mut rows = all(api, &path(import, "/rows"), "data");
    rows.iter_mut().for_each(|row| assert!(row["id"].take().is_string(), "{row}"));
    rows
}

/// A text that must be there.
#[track_caller]
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// The transactions of the family as lines, the oldest first: `2024-01-02 -12.50 USD Coffee
/// #category [tag] @account`, with money in positive.
#[track_caller]
pub(crate) fn transactions(family: &Family) -> Vec<String> {
    let found = all(&family.api, "/api/v1/transactions", "transactions");
    let mut lines: Vec<String> = found.iter().map(transaction).collect();
    lines.sort();
    lines
}

fn transaction(shown: &Value) -> String {
    let mut line = format!(
        "{} {} {} {}",
        text(&shown["date"]),
        text(&shown["signed_amount_decimal"]),
        text(&shown["currency"]),
        text(&shown["name"])
    );
    if let Some(category) = shown["category"]["name"].as_str() {
        line.push_str(&format!(" #{category}"));
    }
    for tag in shown["tags"].as_array().unwrap() {
        line.push_str(&format!(" [{}]", text(&tag["name"])));
    }
    line.push_str(&format!(" @{}", text(&shown["account"]["name"])));
    line
}

/// The exact balance of an account.
#[track_caller]
pub(crate) fn balance(family: &Family, account: &str) -> String {
    let shown = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200).json();
    text(&shown["balance_decimal"]).to_owned()
}

/// How many imports the family has.
#[track_caller]
pub(crate) fn count(api: &Client) -> u64 {
    let listed = api.get(IMPORTS).expect_status(200).json();
    listed["meta"]["total_count"].as_u64().expect("a count")
}

/// The texts of `errors`.
#[track_caller]
pub(crate) fn errors(refused: &Value) -> Vec<String> {
    let errors = refused["errors"].as_array().unwrap_or_else(|| panic!("no errors: {refused}"));
    errors.iter().map(|error| text(error).to_owned()).collect()
}
