//! `NativeImport` in parts: a file of many records on SQLite, where the writer is shared.

use serde_json::{Value, json};

use super::in_parts::{begin, count, in_the_middle, seen, server, show};
use super::native::{CLEAN, exported, native, readback, state, without_ids};
use super::undo::undo;
use super::{all, assert_whole, publish, text};
use crate::support::{Backend, Family, Server, Sql};

const ROWS: u64 = 3_000;
/// Rows of which one is split, and one is in another currency.
const RARE: u64 = 50;

/// A file with records of all types, and many transactions.
fn file() -> String {
    let mut lines = CLEAN.to_owned();
    let mut add = |record: &str, data: Value| {
        lines.push_str(&format!("{}\n", json!({ "type": record, "data": data })));
    };
    for number in 0..7 {
        add("Merchant", json!({ "id": format!("n{number}"), "name": format!("Shop {number}") }));
    }
    for day in 1..=20 {
        let date = format!("2023-02-{day:02}");
        add(
            "Valuation",
            json!({ "id": format!("w{day}"), "account_id": "a3", "date": date,
            "amount": "199000", "currency": "EUR" }),
        );
    }
    add(
        "Trade",
        json!({ "id": "d2", "account_id": "a2", "date": "2024-01-11", "amount": "0",
        "qty": "0", "price": "0", "currency": "EUR", "ticker": "VTI", "trade_type": "split",
        "split_to": 2, "split_from": 1, "recorded_at": "2024-01-12T10:00:00Z" }),
    );
    for row in 0..ROWS {
        let date = format!("2024-01-{:02}", 1 + row % 28);
        let currency = if row % RARE == 1 { "USD" } else { "EUR" };
        let mut data = json!({ "id": format!("r{row}"), "account_id": "a1", "date": date,
            "amount": "0.50", "currency": currency, "name": format!("Row {row}"),
            "category_id": "c2", "merchant_id": format!("n{}", row % 7), "tag_ids": ["g1"] });
        if row % RARE == 0 {
            data["split_lines"] = json!([{ "amount": "0.25", "category_id": "c1" },
                { "amount": "0.25", "name": "Rest" }]);
        }
        add("Transaction", data);
    }
    // A pair of the first and the last part of the file.
    add(
        "Transaction",
        json!({ "id": "last", "account_id": "a2", "date": "2024-01-05",
        "amount": "-12.50", "currency": "EUR", "name": "Back" }),
    );
    let pair = json!({ "outflow_transaction_id": "t1", "inflow_transaction_id": "last",
        "status": "confirmed" });
    add("Transfer", pair);
    lines
}

fn names(family: &Family, path: &str, list: &str) -> usize {
    let answer = family.api.get(path).expect_status(200).json();
    answer.as_array().or_else(|| answer[list].as_array()).map_or(0, Vec::len)
}

/// What one commit makes of the file: its export and its verification.
fn in_one_commit() -> (Vec<String>, Value) {
    let server = Server::start(Backend::Sqlite);
    let family = server.family_in("EUR");
    let import = publish(&family.api, &file(), &native());
    (all_that_it_has(&family), readback(&family.api, &import))
}

/// The family's export without ids, and without the time at which something was deleted.
pub(super) fn all_that_it_has(family: &Family) -> Vec<String> {
    let lines = without_ids(&exported(&family.api));
    let timeless = |line: String| match line.split_once(",\"deleted_at\"") {
        Some((before, _)) => before.to_owned(),
        None => line,
    };
    lines.into_iter().map(timeless).collect()
}

#[track_caller]
fn assert_as_in_one_commit(server: &Server, family: &Family, import: &Value) {
    let (lines, verification) = in_one_commit();
    let found = all_that_it_has(family);
    for (found, expected) in found.iter().zip(&lines) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), lines.len());
    let read = readback(&family.api, import);
    assert_eq!(read["status"], "matched", "{read}");
    let maps =
        ["before_counts", "after_counts", "actual_delta_counts", "checked_counts", "mismatches"];
    for map in maps {
        assert_eq!(read[map], verification[map], "{map}");
    }
    let sql = Sql::open(server);
    assert_eq!((count(&sql, "hidden_entries"), count(&sql, "jobs")), (0, 0));
    assert_whole(server);
}

#[test]
fn nobody_sees_half_of_it() {
    let server = server();
    let (family, other) = (server.family_in("EUR"), server.family());
    let id = begin(&family, &file(), &native());
    in_the_middle(&server, "publish", |sql| {
        assert!(count(sql, "merchants") > 0 && count(sql, "securities") > 0);
        for table in ["security_prices", "transfers", "budgets", "rules", "family_rates"] {
            assert_eq!(count(sql, table), 0, "{table}");
        }
        assert_eq!(seen(&family), (vec![], vec![]));
        for (path, list) in [
            ("/api/v1/merchants", "merchants"),
            ("/api/v1/securities", "securities"),
            ("/api/v1/categories", "categories"),
            ("/api/v1/tags", "tags"),
        ] {
            assert_eq!(names(&family, path, list), 0, "{path}");
        }
        let export = server.run(&["export", "--user", &family.email, "-"], "");
        assert_eq!(export.stdout.lines().count(), 1, "the family alone: {}", export.stdout);
        let not_verified = readback(&family.api, &show(&family, &id))["status"].clone();
        assert_eq!(not_verified, "not_verified");
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{}{}", checked.stdout, checked.stderr);
    });
    other.account("Main", "depository");
    assert_eq!(show(&family, &id)["status"], "importing", "the other family did not wait for it");
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    assert_as_in_one_commit(&server, &family, &show(&family, &id));
}

#[test]
fn kills_leave_it_whole_and_once_and_an_undo_takes_all_of_it() {
    let mut server = server();
    let family = server.family_in("EUR");
    let now = |server: &Server| state(&Sql::open(server)).without(&["family_exports"]);
    let before = now(&server);
    let id = begin(&family, &file(), &native());
    for _ in 0..3 {
        in_the_middle(&server, "publish", |_| server.signal("KILL"));
        server.kill();
        assert_whole(&server);
        server.start_again();
        assert!(!matches!(text(&show(&family, &id)["status"]), "failed" | "complete"));
    }
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    let import = show(&family, &id);
    assert_as_in_one_commit(&server, &family, &import);
    undo(&family.api, &import);
    assert_eq!(readback(&family.api, &import)["status"], "reverted");
    now(&server).assert_is(&before, "the undo");
    assert_whole(&server);
}

#[test]
fn what_a_person_states_meanwhile_stays() {
    let server = server();
    let family = server.family_in("EUR");
    publish(&family.api, CLEAN, &native());
    let before = all_that_it_has(&family);
    let accounts = all(&family.api, "/api/v1/accounts", "accounts");
    let house = accounts.iter().find(|one| one["name"] == "House").expect("it is there");
    let id = begin(&family, &file(), &native());
    in_the_middle(&server, "publish", |sql| {
        assert_eq!(count(sql, "entries WHERE kind = 1"), 1, "valuations of it wait for the end");
    });
    let stated = json!({ "valuation": { "account_id": house["id"], "date": "2023-02-03",
        "amount": "5" } });
    family.api.post("/api/v1/valuations", &stated).expect_status(201);
    assert_eq!(show(&family, &id)["status"], "importing");
    let import = family.api.wait_for_import(&id);
    assert_eq!(import["status"], "complete", "{import}");
    let read = readback(&family.api, &import);
    assert_eq!(read["status"], "matched", "{read}");
    assert_eq!(read["actual_delta_counts"]["valuations"], 19);
    let entries = exported(&family.api);
    assert!(entries.contains("\"date\":\"2023-02-03\",\"amount\":\"5.00\""), "the person's");
    assert_whole(&server);
    undo(&family.api, &import);
    let after = all_that_it_has(&family);
    assert_eq!(after.len(), before.len() + 1, "and the person's valuation: {after:#?}");
    assert_whole(&server);
}
