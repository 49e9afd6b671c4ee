//! Random files, random changes in between: an import and its undo leave a family as it was, but
//! for what a person did meanwhile.
//!
//! States are read from the tables themselves, ids included. Left out are times, versions, the
//! audit trail, jobs, and what is kept of the import itself and of its file. What counts as a
//! change is noted when it is made and not read from the ledger. A failing case prints its seed;
//! `PURSER_TEST_SEED` runs it again.

mod files;
mod person;
mod rules;
mod tables;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{all, assert_whole, balance, path, publish, text, transactions, upload};
use crate::both;
use crate::support::{Backend, Dice, Family, Options, Server, Sql, rounds};
use person::Person;
pub(super) use tables::State;
use tables::assert_survived;

/// Families for each database: as part of the tests, or at length.
const CASES: (u64, u64) = (8, 500);
/// Imports that are published, undone and published again in each.
const ROUNDS: u64 = 4;

both! {
    fn an_undo_leaves_a_family_as_it_was(
        server = Options::new().env("PURSER_RATE_LIMIT", "100000")
    ) {
        let mut dice = Dice::seeded();
        for _ in rounds(CASES.0, CASES.1) {
            one_family(&server, &mut dice.next_case());
        }
        assert_whole(&server);
    }
}

/// The control: what an undo left changed elsewhere is seen.
#[test]
fn a_change_that_an_undo_left_is_found() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let sql = Sql::open(&server);
    let fields = json!({ "account_id": family.account("Giro", "depository") });
    publish(&family.api, "Date,Amount,Name\n2024-01-02,-1.00,Kiosk\n", &fields);
    let import = upload(&family.api, "Date,Amount,Name\n2024-01-03,-2.00,Bar\n", &fields);
    let before = State::read(&sql, &family);
    publish_again(&family.api, &import);
    assert_ne!(State::read(&sql, &family), before);
    undo(&family.api, &import);
    assert_eq!(State::read(&sql, &family), before, "nothing is wrong yet");
    for (defect, end_of_it) in [
        ("UPDATE entries SET notes = 'left'", "UPDATE entries SET notes = NULL"),
        ("UPDATE entries SET amount = amount + 1", "UPDATE entries SET amount = amount - 1"),
        ("UPDATE accounts SET name = 'Mine'", "UPDATE accounts SET name = 'Giro'"),
    ] {
        sql.run(defect);
        assert_ne!(State::read(&sql, &family), before, "{defect}");
        sql.run(end_of_it);
        assert_eq!(State::read(&sql, &family), before, "{end_of_it}");
    }
}

fn one_family(server: &Server, dice: &mut Dice) {
    let family = server.family();
    let sql = Sql::open(server);
    // Pairs are found by a job of its own, at any time.
    sql.run("UPDATE families SET transfer_matching = 'off'");
    if dice.one_in(2) {
        family.account("Giro", "depository");
    }
    // Every other family has rules, which are no person: an undo takes away what they changed.
    if dice.one_in(2) {
        rules::make(&family.api, dice);
    }
    for _ in 0..ROUNDS {
        let csv = files::csv(dice);
        let import = upload(&family.api, &csv, &json!({}));
        files::prepare(&family.api, &import, &csv, dice);
        one_import(&family, &sql, &import, dice);
        if dice.one_in(3) {
            undo(&family.api, &import);
            family.api.delete(&path(&import, "")).expect_status(200);
        }
    }
}

fn one_import(family: &Family, sql: &Sql, import: &Value, dice: &mut Dice) {
    let api = &family.api;
    let mut edits = files::edits(api, import);
    let before = State::read(sql, family);
    publish_again(api, import);
    let published = State::read(sql, family);
    let lines = ledger(family);
    undo(api, import);
    assert_eq!(State::read(sql, family), before, "nobody did anything in between");
    assert_eq!(files::edits(api, import), edits, "nobody said anything else to the rows");

    publish_again(api, import);
    assert_eq!(ledger(family), lines, "published again");
    let again = State::read(sql, family);
    assert_eq!(published.table("entries").len(), again.table("entries").len());
    let mut person = Person { family, sql, changed: again.changed() };
    for _ in 0..dice.below(7) {
        person.does_something(dice);
    }
    let (changed, lines, was) = (State::read(sql, family), ledger(family), compared(family));
    let there: BTreeSet<String> = changed.entries();
    let expected: BTreeSet<String> = person.changed.intersection(&there).cloned().collect();
    assert_eq!(changed.changed(), expected, "what counts as changed");
    undo(api, import);
    let after = State::read(sql, family);
    assert_survived(&before, &again, &changed, &after);

    // Once a person touched what it made, no row is made whatever it resembles.
    let (made, old) = (again.entries(), before.entries());
    let mut made = made.difference(&old);
    let is_touched = made.any(|id| expected.contains(id) || !there.contains(id));
    let mut insisted = 0;
    for (choice, _) in edits.iter_mut().filter(|(choice, _)| is_touched && choice == "create") {
        *choice = "plan".to_owned();
        insisted += 1;
    }
    assert_eq!(files::edits(api, import), edits, "what was said to the rows");
    publish_again(api, import);
    match insisted {
        0 => assert_eq!(ledger(family), lines, "published again after changes"),
        _ => assert_not_twice(was, compared(family), insisted),
    }
}

/// The ledger without ids: transactions with every field of a file, and balances.
fn ledger(family: &Family) -> Vec<String> {
    let mut lines = transactions(family);
    let shown = all(&family.api, "/api/v1/transactions", "transactions");
    lines.extend(
        shown.iter().map(|one| format!("{} {} {}", one["date"], one["name"], one["notes"])),
    );
    for account in all(&family.api, "/api/v1/accounts", "accounts") {
        let id = text(&account["id"]);
        lines.push(format!("{} {}", text(&account["name"]), balance(family, id)));
    }
    lines.sort();
    lines
}

/// The transactions as a plan compares them.
fn compared(family: &Family) -> Vec<String> {
    let shown = all(&family.api, "/api/v1/transactions", "transactions");
    let one = |one: &Value| {
        let account = text(&one["account"]["name"]);
        format!("{} {} {} {account}", one["date"], one["signed_amount_decimal"], one["name"])
    };
    shown.iter().map(one).collect()
}

/// Nothing comes twice or comes back; of the rows that were wanted whatever they resemble, some may
/// stand for what they resemble now.
fn assert_not_twice(mut was: Vec<String>, now: Vec<String>, insisted: usize) {
    for line in now {
        let found = was.iter().position(|other| *other == line);
        was.swap_remove(found.unwrap_or_else(|| panic!("{line} is there once too often")));
    }
    assert!(was.len() <= insisted, "{was:?} are missing");
}
