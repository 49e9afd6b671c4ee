//! The balances of a file before and after its rows: what is shown, what a new account opens
//! with, and how an account that is there compares.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{IMPORTS, assert_whole, balance, body, both_whole, path, publish, text, upload};
use crate::support::{Backend, Family, Options, Server, Sql, until};

const CSV: &str = "Date,Name,Amount,Account,Balance\n\
                   2026-01-04,D,-5.50,Main,1114.50\n\
                   2026-01-03,C,-20.00,Main,1120.00\n\
                   2026-01-02,B,50.00,Main,1140.00\n\
                   2026-01-01,A,-10.00,Main,1090.00\n";

const ENDS: &str = "$1,100.00 before 2026-01-01 → $1,114.50 after 2026-01-04";

/// The ids of the accounts with this name.
fn accounts(family: &Family, name: &str) -> Vec<String> {
    let listed = family.api.get("/api/v1/accounts?per_page=100").expect_status(200).json();
    let listed = listed["accounts"].as_array().expect("accounts").clone();
    let named = listed.iter().filter(|account| account["name"] == name);
    named.map(|account| text(&account["id"]).to_owned()).collect()
}

/// The balance of the only account with this name.
fn balance_of(family: &Family, name: &str) -> String {
    let found = accounts(family, name);
    assert_eq!(found.len(), 1, "{name}");
    balance(family, &found[0])
}

/// The file on the disk, for the command line.
fn file(server: &Server) -> String {
    let file = server.data_folder().parent().expect("a folder").join("statement.csv");
    std::fs::write(&file, CSV).expect("a file");
    file.to_str().expect("a path").to_owned()
}

both_whole! {
    fn a_new_account_opens_with_the_balance_before_the_file(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        assert_eq!(balance_of(&family, "Main"), "1114.50");
        let opening = "SELECT opening_amount, valuations_count FROM accounts WHERE name = 'Main'";
        assert_eq!(Sql::open(&server).query(opening), [["11000000", "0"]]);
        // The undo removes the account, and what is published again opens it again.
        undo(&family.api, &import);
        assert!(accounts(&family, "Main").is_empty());
        publish_again(&family.api, &import);
        assert_eq!(balance_of(&family, "Main"), "1114.50");
    }

    fn each_new_account_has_its_own_opening(server) {
        let family = server.family();
        let csv = "Date,Name,Amount,Currency,Account,Balance\n\
            2026-01-01,A,-10.00,USD,One,90.00\n\
            2026-01-01,C,5.00,EUR,Two,-995.00\n\
            2026-01-03,D,-20.00,USD,One,70.00\n\
            2026-01-04,F,5.00,EUR,Two,-990.00\n\
            2026-01-05,G,-1.00,USD,One,69.00\n";
        publish(&family.api, csv, &json!({}));
        assert_eq!(balance_of(&family, "One"), "69.00");
        assert_eq!(balance_of(&family, "Two"), "-990.00");
    }

    fn a_debt_is_what_a_new_account_with_money_owes(server) {
        let family = server.family();
        let csv = "Date,Name,Debit,Credit,Balance,Account\n\
            2026-01-01,A,10.00,,110.00,Card\n2026-01-02,B,20.00,,130.00,Card\n\
            2026-01-03,Payment,,100.00,30.00,Card\n";
        let import = publish(&family.api, csv, &json!({ "balance_check": "compare" }));
        assert_eq!(import["source"]["balance"]["sense"], "debt");
        assert_eq!(balance_of(&family, "Card"), "-30.00");
    }

    fn an_account_that_is_there_keeps_its_opening(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        publish(&family.api, CSV, &json!({}));
        assert_eq!(balance(&family, &account), "14.50");
    }

    fn an_account_opens_with_nothing_only_without_a_balance(server) {
        let family = server.family();
        let plain = CSV.replace("Balance", "Other");
        publish(&family.api, &plain, &json!({ "balance_check": "ignore" }));
        assert_eq!(balance_of(&family, "Main"), "14.50");
        // The oldest row can't be read: what counts is the balance before the next one.
        let unread = CSV.replace("Main", "Second").replace("2026-01-01", "never");
        publish(&family.api, &unread, &json!({ "skip_invalid": "true" }));
        assert_eq!(balance_of(&family, "Second"), "1114.50");
    }

    fn the_ends_of_the_file_are_shown(server) {
        let family = server.family();
        family.account("Main", "depository");
        let visitor = server.signed_in(&family);
        let import = upload(&family.api, CSV, &json!({}));
        let ends = &import["source"]["balance"]["accounts"][0];
        assert_eq!((&ends["rows_sum"], &ends["difference"]), (&json!("14.50"), &json!("0.00")));
        let page = visitor.get(&path(&import, "").replace("/api/v1", "")).expect_status(200);
        let sentence = "Balance in the file: Main: $1,100.00 before 1 Jan 2026 → $1,114.50 after \
                        4 Jan 2026; the rows add up to it.";
        assert!(page.text().contains(sentence), "{}", page.text());

        let shown = server.run(&["import", &file(&server), "--dry-run"], "").stdout;
        assert!(shown.contains(&format!("  Main: {ENDS}; the rows add up to it\n")), "{shown}");

        // A row that is left out is missing.
        let row = path(&import, "/rows/2");
        family.api.patch(&row, &json!({ "choice": "leave_out" })).expect_status(200);
        let import = family.api.get(&path(&import, "")).expect_status(200).json()["data"].clone();
        let ends = &import["source"]["balance"]["accounts"][0];
        assert_eq!((&ends["rows_sum"], &ends["difference"]), (&json!("34.50"), &json!("20.00")));
    }

    fn an_account_that_is_there_is_compared_with_the_file(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let plain = json!({ "account_id": account });
        let before = "Date,Name,Amount\n2025-12-30,X,+1000.00\n2025-12-31,Y,+100.00\n";
        publish(&family.api, before, &plain);
        let show = |import: &Value| {
            until("a plan that is current", || {
                let shown = family.api.get(&path(import, "")).expect_status(200).json();
                let is_current = shown["data"]["plan"]["current"] == true;
                is_current.then(|| shown["data"]["source"]["balance"].clone())
            })
        };
        let import = upload(&family.api, CSV, &json!({}));
        let own = json!([{ "account": "Main", "currency": "USD", "first_day": "2026-01-01",
            "balance_before": "1100.00", "difference_before": "0.00",
            "last_day": "2026-01-04", "balance_after": "1114.50", "difference_after": "0.00" }]);
        assert_eq!(show(&import)["ledger"], own);
        let preflight = format!("{IMPORTS}/preflight");
        let shown = family.api.post(&preflight, &body(CSV, &json!({}))).expect_status(200).json();
        assert_eq!(shown["data"]["source"]["balance"]["ledger"], own);

        // One of the rows is there already, and another one that the file doesn't have.
        let other = "Date,Name,Amount\n2026-01-02,B,50.00\n2026-01-03,Q,-7.00\n";
        publish(&family.api, other, &plain);
        let balance = show(&import);
        let now = &balance["ledger"][0];
        assert_eq!(now["difference_before"], "0.00");
        assert_eq!(now["balance_after"], "1107.50");
        assert_eq!(now["difference_after"], "-7.00");
        let visitor = server.signed_in(&family);
        let page = visitor.get(&path(&import, "").replace("/api/v1", "")).expect_status(200);
        let sentence = "Main has $1,100.00 before 1 Jan 2026, as in the file, and will have \
                        $1,107.50 after 4 Jan 2026, $7.00 less than in the file.";
        assert!(page.text().contains(sentence), "{}", page.text());
        let file = file(&server);
        let shown = server.run(&["import", &file, "--dry-run"], "").stdout;
        assert!(shown.contains("$1,107.50 after 2026-01-04, $7.00 less than in the file"), "{shown}");

        // What a valuation decides doesn't follow from the rows.
        let valuation = json!({ "account_id": account, "date": "2026-01-02", "amount": "5.00" });
        family.api.post("/api/v1/valuations", &valuation).expect_status(201);
        assert_eq!(show(&import)["ledger"][0]["balance_after"], Value::Null);
        assert_eq!(show(&import)["ledger"][0]["balance_before"], "1100.00");
        // Once it is published there is nothing left to compare.
        publish_again(&family.api, &import);
        assert_eq!(show(&import)["ledger"], Value::Null);
    }
}

#[test]
fn a_publish_in_parts_opens_the_account_too() {
    let options = Options::new().env("PURSER_PUBLISH_PART_ROWS", 2);
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let import = publish(&family.api, CSV, &json!({}));
    assert_eq!(balance_of(&family, "Main"), "1114.50");
    undo(&family.api, &import);
    assert!(accounts(&family, "Main").is_empty());
    assert_whole(&server);
}
