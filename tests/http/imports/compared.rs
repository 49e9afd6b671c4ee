//! What accounts that exist hold before and after a file, beside the balances that it states: the
//! same in the answers to an upload, to a change and to a look.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::configure::patch;
use super::undo::{publish_again, undo};
use super::{IMPORTS, body, both_whole, path, publish, upload};
use crate::support::{Family, Server, until};

/// A file with balances in lines.
const LINES: &str = "Date,Name,Amount\n\
    ,Opening balance,50.00\n\
    2026-01-02,Salary,100.00\n\
    2026-01-03,Coffee,-3.50\n\
    ,Closing balance,146.50\n";
/// The same in a column.
const COLUMN: &str = "Date,Name,Amount,Balance\n\
    2026-01-02,Salary,100.00,150.00\n\
    2026-01-03,Coffee,-3.50,146.50\n";

/// An account that holds less than both files state, and has one of their rows.
fn account(server: &Server) -> (Family, Value) {
    let family = server.family();
    let into = json!({ "account_id": family.account("Main", "depository") });
    let before = "Date,Name,Amount\n2025-12-30,X,+49.00\n2026-01-02,Salary,+100.00\n";
    publish(&family.api, before, &into);
    (family, into)
}

/// What an answer has of the ledger.
fn ledger(import: &Value, place: &str) -> Value {
    import["source"][place]["ledger"].clone()
}

fn expected(after: &str, difference: &str) -> Value {
    json!([{ "account": "Main", "currency": "USD", "first_day": "2026-01-02",
        "balance_before": "49.00", "difference_before": "-1.00",
        "last_day": "2026-01-03", "balance_after": after, "difference_after": difference }])
}

both_whole! {
    fn every_answer_compares_balances_with_the_ledger(server) {
        let (family, into) = account(&server);
        for (csv, place) in [(LINES, "stated_balances"), (COLUMN, "balance")] {
            let import = upload(&family.api, csv, &into);
            let whole = expected("145.50", "-1.00");
            assert_eq!(ledger(&import, place), whole, "{place}: {import}");
            let look = || {
                until("a plan that is current", || {
                    let shown = family.api.get(&path(&import, "")).expect_status(200).json();
                    let shown = shown["data"].clone();
                    (shown["plan"]["current"] == true).then_some(shown)
                })
            };
            assert_eq!(ledger(&look(), place), whole);
            let preflight = format!("{IMPORTS}/preflight");
            let shown = family.api.post(&preflight, &body(csv, &into)).expect_status(200).json();
            assert_eq!(ledger(&shown["data"], place), whole);

            let changed = patch(&family.api, &import, &json!({ "date_format": "%Y-%m-%d" }));
            assert_eq!(ledger(&changed, place), whole);
            let again = json!({ "choice": "create" });
            let row = family.api.patch(&path(&import, "/rows/1"), &again).expect_status(200);
            let row = row.json()["import"].clone();
            assert_eq!(ledger(&row, place), expected("245.50", "99.00"));
            assert_eq!(look()["source"], row["source"]);

            // Once it is published there is nothing left to compare.
            publish_again(&family.api, &import);
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            assert_eq!(ledger(&shown["data"], place), Value::Null);
            assert!(shown["data"]["source"][place].is_object(), "{shown}");
            undo(&family.api, &import);
        }
    }

    fn rows_of_a_large_file_are_counted_as_they_are_planned(server) {
        let (family, into) = account(&server);
        let mut csv = "Date,Name,Amount\n,Opening balance,49.00\n".to_owned();
        for row in 0..10_500 {
            writeln!(csv, "2026-02-01,Stamp {row},-0.01").expect("a text");
        }
        writeln!(csv, "2026-02-01,Closing balance,-56.00").expect("a text");
        let some: String = csv.lines().filter(|line| line.ends_with("0,-0.01")).fold(
            "Date,Name,Amount\n".to_owned(),
            |all, line| all + line + "\n",
        );
        publish(&family.api, &some, &into);
        let import = upload(&family.api, &csv, &into);
        let one = ledger(&import, "stated_balances")[0].clone();
        assert_eq!(import["plan"]["create_count"], 9_450, "{import}");
        assert_eq!((&one["balance_before"], &one["balance_after"]),
            (&json!("149.00"), &json!("44.00")), "{one}");
        assert_eq!(one["difference_after"], "100.00");
    }
}
