//! `MintImport`: transactions of several accounts in one file, with labels.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, merged, path, post, rows, text, transactions, upload};
use crate::support::Sql;

const HEADER: &str = "\"Date\",\"Description\",\"Original Description\",\"Amount\",\
     \"Transaction Type\",\"Category\",\"Account Name\",\"Labels\",\"Notes\"\n";

/// Two accounts; amounts without signs; a type in another case; labels with spaces between them.
const ROWS: &str = "\"5/26/2014\",\"Coffee\",\"SQ *COFFEE\",\"4.50\",\"debit\",\"Coffee Shops\",\
     \"Checking\",\"work travel\",\"with Ann\"\n\
     \"5/27/2014\",\"Employer\",\"EMPLOYER\",\"1,200.00\",\"Credit\",\"Paycheck\",\"Checking\",\"\",\
     \"\"\n\
     \"5/28/2014\",\"Shoes\",\"SHOES\",\"80.00\",\"debit\",\"Uncategorized\",\"Card\",\"work\",\"\"\n";

fn mint(fields: &Value) -> Value {
    merged(&json!({ "type": "MintImport" }), fields)
}

fn export(rows: &str) -> String {
    format!("{HEADER}{rows}")
}

both_whole! {
    fn several_accounts_come_out_of_one_file_and_go_again(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        family.account("Checking", "depository");
        let before = State::read(&sql, &family);
        let import = upload(&family.api, &export(ROWS), &mint(&json!({})));
        assert_eq!(import["type"], "MintImport");
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(import["configuration"]["date_format"], "%m/%d/%Y");
        assert_eq!(rows(&family.api, &import), [
            "2014-05-26 4.50 USD Coffee | with Ann; SQ *COFFEE #Coffee Shops @Checking [work] \
             [travel]",
            "2014-05-27 -1200.00 USD Employer #Paycheck @Checking",
            "2014-05-28 80.00 USD Shoes @Card [work]",
        ]);
        publish_again(&family.api, &import);
        let made = [
            "2014-05-26 -4.50 USD Coffee #Coffee Shops [travel] [work] @Checking",
            "2014-05-27 1200.00 USD Employer #Paycheck @Checking",
            "2014-05-28 -80.00 USD Shoes [work] @Card",
        ];
        assert_eq!(transactions(&family), made);
        let again = crate::imports::publish(&family.api, &export(ROWS), &mint(&json!({})));
        let counts = (&again["plan"]["created_count"], &again["plan"]["matched_count"]);
        assert_eq!(counts, (&json!(0), &json!(3)), "twice is once");
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), made);
    }

    fn accounts_are_chosen_made_or_left_to_the_file(server) {
        let family = server.family();
        let mine = family.account("Main", "depository");
        let import = upload(&family.api, &export(ROWS), &mint(&json!({})));
        let change = json!({ "mappings": [
            { "kind": "account", "key": "Checking", "id": mine },
        ]});
        family.api.patch(&path(&import, ""), &change).expect_status(200);
        publish_again(&family.api, &import);
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let mut names: Vec<&str> = accounts.iter().map(|one| text(&one["name"])).collect();
        names.sort_unstable();
        assert_eq!(names, ["Card", "Main"]);
        let into_one = upload(&family.api, &export(ROWS), &mint(&json!({ "account_id": mine })));
        assert_eq!(into_one["status_detail"]["configured"], false);
        let problems = into_one["source"]["problems"].to_string();
        assert!(problems.contains("several accounts"), "{problems}");
        let only = export(ROWS.lines().next().unwrap());
        let one = upload(&family.api, &only, &mint(&json!({ "account_id": mine })));
        assert_eq!(one["status_detail"]["publishable"], true, "{one}");
    }

    fn what_cannot_be_read_is_named_with_its_line(server) {
        let family = server.family();
        let wrong = "Mint\n\n".to_owned()
            + &export(
                "2/30/2014,A,A,1.00,debit,,Cash,,\n\
                 3/1/2014,B,B,1.00,pending,,Cash,,\n\
                 3/2/2014,C,C,\"1.234,56\",debit,,Cash,,\n\
                 3/3/2014,D,D,12.00,debit,,,,\n\
                 3/4/2014,Total,Total,12.00,debit,,Cash,,\n",
            );
        let import = upload(&family.api, &wrong, &mint(&json!({})));
        let shown = rows(&family.api, &import);
        let lines: Vec<&str> =
            shown.iter().map(|row| row.split_once(':').map_or("", |(line, _)| line)).collect();
        assert_eq!(lines[..4], ["line 4", "line 5", "line 6", "line 7"], "{shown:?}");
        assert!(shown[4].ends_with("Total @Cash"), "a payee is a payee: {shown:?}");
        let fixed = json!({ "cells": { "Direction": "debit" } });
        family.api.patch(&path(&import, "/rows/2"), &fixed).expect_status(200);
        assert!(rows(&family.api, &import)[1].starts_with("2014-03-01 1.00"));
        let foreign = post(&family.api, "Date,Amount\n1/2/2024,1\n", &mint(&json!({})));
        let refused = foreign.expect_error(422, "invalid_file_type");
        assert!(refused["message"].as_str().unwrap().contains("no export of Mint"), "{refused}");
    }
}
