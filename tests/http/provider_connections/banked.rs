//! What banks have and what the ledger has of it, to be compared.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_bank_simulator::world::{ACCOUNTS, Account};
use serde_json::{Value, json};

use super::managing::{PATH, connect};
use super::syncing::{link_all, synced};
use crate::support::{Banks, Family, Options, Server};

/// Days that a first sync asks for.
pub(super) const FIRST_DAYS: i64 = 90;

/// A transaction as both sides have it: day, cents of money in, name, whether it is pending.
pub(super) type Line = (String, i64, String, bool);

/// Settings of a server that asks these banks for pending transactions, too, and that cuts up
/// what it books.
pub(super) fn with_pending(banks: &Banks) -> Options {
    banks.options().env("PROVIDER_INCLUDE_PENDING", "1").env("PURSER_PUBLISH_PART_ROWS", "7")
}

/// A family with a connection, all accounts of which are linked and synced.
#[track_caller]
pub(super) fn linked(server: &Server) -> (Family, String) {
    let family = server.family();
    let id = connect(&family);
    // The first run asks for the currencies that the list doesn't state.
    synced(&family, &id);
    link_all(&family, &id);
    synced(&family, &id);
    (family, id)
}

/// The simulated account with a name.
pub(super) fn at_bank(name: &str) -> &'static Account {
    ACCOUNTS.iter().find(|account| account.name == name).expect("an account")
}

/// The accounts at the provider.
#[track_caller]
pub(super) fn found(family: &Family, connection: &str) -> Vec<Value> {
    let path = format!("{PATH}/{connection}/accounts");
    family.api.get(&path).expect_status(200).json()["data"].as_array().expect("a list").clone()
}

/// The family's account that is linked to one with a name at the provider.
#[track_caller]
pub(super) fn account_of(family: &Family, connection: &str, name: &str) -> String {
    let found = found(family, connection);
    let one = found.iter().find(|one| one["name"] == name).expect("an account");
    one["account_id"].as_str().expect("a link").to_owned()
}

/// The transactions of an account of the family.
#[track_caller]
pub(super) fn transactions(family: &Family, account: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for page in 1.. {
        let path = format!("/api/v1/transactions?account_id={account}&per_page=100&page={page}");
        let body = family.api.get(&path).expect_status(200).json();
        found.extend(body["transactions"].as_array().expect("a list").iter().cloned());
        if body["pagination"]["total_pages"].as_u64().expect("a number") <= page {
            return found;
        }
    }
    found
}

/// The same, as both sides have them, sorted.
#[track_caller]
pub(super) fn booked_lines(family: &Family, account: &str) -> Vec<Line> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let line = |one: &Value| {
        let cents = one["signed_amount_cents"].as_i64().expect("a number");
        (text(&one["date"]), cents, text(&one["name"]), one["pending"] == json!(true))
    };
    let mut lines: Vec<Line> = transactions(family, account).iter().map(line).collect();
    lines.sort();
    lines
}

/// What the bank has of an account today, as far as a first sync on a day asks for it, sorted.
pub(super) fn bank_lines(banks: &Banks, name: &str, pending: bool, on: Date) -> Vec<Line> {
    let first = on.saturating_sub(FIRST_DAYS.days());
    let rows = banks.world().rows(at_bank(name), pending).into_iter();
    let rows = rows.filter(|row| row.date >= first);
    let mut lines: Vec<Line> = rows
        .map(|row| (row.date.to_string(), row.amount, row.payee.to_owned(), row.pending))
        .collect();
    lines.sort();
    lines
}

/// What the newest run changed in an account of the family.
#[track_caller]
pub(super) fn changes(family: &Family, account: &str) -> Value {
    let latest = family.api.get("/api/v1/syncs/latest").expect_status(200).json();
    let changes = latest["data"]["changes"].as_array().expect("a list");
    let one = changes.iter().find(|one| one["account_id"] == account);
    one.unwrap_or_else(|| panic!("nothing of {account} in {latest}")).clone()
}
