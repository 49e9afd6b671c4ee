//! What the tests of accounts and their entries share: short ways to write and to read them, and
//! rows of the database for what no route shows.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, Client, Family, Options, Sql};

/// More requests than a minute allows a key.
pub(crate) fn unlimited() -> Options {
    Options::new().env("PURSER_RATE_LIMIT", "0")
}

/// The server's day, in UTC, as its answers show it.
#[track_caller]
pub(crate) fn today(family: &Family) -> Date {
    let answer = family.api.get("/api/v1/usage").expect_status(200);
    let date = answer.header("Date").expect("a date");
    jiff::fmt::rfc2822::parse(date).expect("a date of HTTP").date()
}

/// Sends a body as it is written.
#[track_caller]
pub(crate) fn post_text(api: &Client, path: &str, body: &str) -> Answer {
    api.request("POST", path, Some(("application/json", body.as_bytes())))
}

/// Records a valuation of an account.
#[track_caller]
pub(crate) fn value(api: &Client, account: &str, date: &str, amount: &str) -> Value {
    let valuation = json!({ "account_id": account, "date": date, "amount": amount });
    let body = json!({ "valuation": valuation });
    api.post("/api/v1/valuations", &body).expect_status(201).json()
}

/// The account as it is listed and shown, which must be the same.
#[track_caller]
pub(crate) fn account(api: &Client, id: &str) -> Value {
    let shown = api.get(&format!("/api/v1/accounts/{id}")).expect_status(200).json();
    let list = api.get("/api/v1/accounts?include_disabled=true&per_page=100").expect_status(200);
    let list = list.json();
    let listed = list["accounts"].as_array().expect("accounts").iter().find(|one| one["id"] == id);
    assert_eq!(listed, Some(&shown));
    shown
}

/// The exact balance of an account today.
#[track_caller]
pub(crate) fn balance(api: &Client, id: &str) -> String {
    text(&account(api, id), "balance_decimal")
}

/// A member that is a text.
#[track_caller]
pub(crate) fn text(object: &Value, name: &str) -> String {
    object[name].as_str().unwrap_or_else(|| panic!("no text {name} in {object}")).to_owned()
}

/// The texts of a member of every item.
#[track_caller]
pub(crate) fn texts(items: &Value, name: &str) -> Vec<String> {
    items.as_array().expect("a list").iter().map(|item| text(item, name)).collect()
}

/// The names of an object's members, sorted.
#[track_caller]
pub(crate) fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<&str> =
        object.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// Reads a time and asserts that it is written as the API writes times.
#[track_caller]
pub(crate) fn time(object: &Value, name: &str) -> Timestamp {
    let text = text(object, name);
    assert_eq!((text.len(), &text[19..20], &text[23..]), (24, ".", "Z"), "{name}: {text}");
    text.parse().expect("a time")
}

/// Asserts that a body is an id.
#[track_caller]
pub(crate) fn is_id(object: &Value, name: &str) {
    let id = text(object, name);
    assert_eq!(Uuid::parse_str(&id).expect("an id").to_string(), id);
}

impl Sql {
    /// A truth value as this database writes it in a statement.
    pub(crate) fn flag(&self, flag: bool) -> &'static str {
        match (self, flag) {
            (Self::Sqlite(_), false) => "0",
            (Self::Sqlite(_), true) => "1",
            (Self::Postgres(_), false) => "false",
            (Self::Postgres(_), true) => "true",
        }
    }

    /// Rows of whole numbers.
    #[track_caller]
    pub(crate) fn integers(&self, query: &str) -> Vec<Vec<Option<i64>>> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(query).expect("a query");
                let columns = statement.column_count();
                let rows =
                    statement.query_map([], |row| (0..columns).map(|at| row.get(at)).collect());
                rows.expect("rows").collect::<Result<_, _>>().expect("whole numbers")
            }
            Self::Postgres(client) => {
                let rows = client.borrow_mut().query(query, &[]).expect("rows");
                rows.iter().map(|row| (0..row.len()).map(|at| row.get(at)).collect()).collect()
            }
        }
    }

    /// Sets the status of an account.
    pub(crate) fn set_status(&self, account: &str, status: &str) {
        let id = self.uuid(account);
        self.run(&format!("UPDATE accounts SET status = '{status}' WHERE id = {id}"));
    }

    /// Makes an entry look as if it had last changed an hour ago.
    pub(crate) fn age_entry(&self, entry: &str) {
        let (id, hour) = (self.uuid(entry), SignedDuration::from_hours(1).as_micros());
        self.run(&format!("UPDATE entries SET updated_at = updated_at - {hour} WHERE id = {id}"));
    }
}
