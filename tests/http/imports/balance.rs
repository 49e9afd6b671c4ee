//! The running balance of a file: what it decides, and rows that contradict it.

use serde_json::{Value, json};

use super::configure::patch;
use super::{both_whole, path, post, publish, rows, transactions, upload};

const CSV: &str = "Date,Name,Amount,Balance\n\
                   2026-01-04,D,-5.50,114.50\n\
                   2026-01-03,C,-20.00,120.00\n\
                   2026-01-02,B,50.00,140.00\n\
                   2026-01-01,A,-10.00,90.00\n";

const QUESTION: &str = "Which way money went is not certain: the balance in \"Balance\" may be money \
                        that the account holds, or a debt that grows with each purchase";

both_whole! {
    fn a_row_that_breaks_the_balance_is_invalid_until_somebody_decides(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let import = upload(&family.api, CSV, &fields);
        assert_eq!(
            import["source"]["balance"],
            json!({ "balance_col_label": "Balance", "order": "newest_first", "sense": "money",
                "proofs": 3, "breaks": 0, "accounts": [{ "account": "", "currency": "USD",
                "first_day": "2026-01-01", "opening_balance": "100.00",
                "last_day": "2026-01-04", "closing_balance": "114.50",
                "rows_sum": "14.50", "difference": "0.00" }],
                "ledger": [{ "account": "Main", "currency": "USD",
                "first_day": "2026-01-01", "balance_before": "0.00",
                "difference_before": "-100.00",
                "last_day": "2026-01-04", "balance_after": "14.50",
                "difference_after": "-100.00" }] })
        );
        assert_eq!(import["stats"]["invalid_rows_count"], 0);

        let wrong = CSV.replace("-20.00", "-21.00");
        let import = upload(&family.api, &wrong, &fields);
        let reason = "line 3: Balance is 120.00 USD, but by the row before and the amount it \
                      should be 119.00 USD";
        assert_eq!(import["stats"]["invalid_rows_count"], 1);
        assert_eq!(import["source"]["balance"]["breaks"], 1);
        let broken = rows(&family.api, &import);
        assert_eq!(broken[1], reason);
        // Each page of rows gives the same verdict.
        let page = family.api.get(&path(&import, "/rows?per_page=1&page=2")).json();
        assert_eq!(page["data"][0]["valid"], false);
        let edit = |change: &Value| {
            family.api.patch(&path(&import, "/rows/2"), change).expect_status(200).json()
        };
        let corrected = edit(&json!({ "cells": { "Amount": "-20.00" } }));
        assert_eq!(corrected["data"]["valid"], true);
        assert_eq!(corrected["import"]["stats"]["invalid_rows_count"], 0);
        edit(&json!({ "cells": null }));
        assert_eq!(rows(&family.api, &import)[1], reason);
        let accepted = edit(&json!({ "choice": "create" }));
        assert_eq!(accepted["import"]["stats"]["invalid_rows_count"], 0);
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(import["id"].as_str().unwrap());
        assert_eq!(transactions(&family)[2], "2026-01-03 -21.00 USD C @Main");
    }

    fn a_card_that_owes_is_a_question_with_its_setting(server) {
        let family = server.family();
        let card = "Date,Name,Amount,Balance\n\
                    2026-01-01,A,10.00,110.00\n2026-01-02,B,20.00,130.00\n\
                    2026-01-03,Payment,-100.00,30.00\n2026-01-04,D,5.50,35.50\n";
        let account = family.account("Card", "credit_card");
        let fields = json!({ "account_id": account });
        // More amounts raise the balance than lower it: that proves nothing.
        let import = upload(&family.api, card, &fields);
        assert_eq!(import["source"]["problems"], json!([QUESTION]));
        let fields = json!({ "account_id": account, "signage_convention": "inflows_negative" });
        let import = publish(&family.api, card, &fields);
        assert_eq!(import["source"]["balance"]["sense"], "debt");
        assert_eq!(transactions(&family)[0], "2026-01-01 -10.00 USD A @Card");
        assert_eq!(transactions(&family)[2], "2026-01-03 100.00 USD Payment @Card");
    }

    fn a_doubt_is_a_question_with_its_setting(server) {
        let family = server.family();
        let inverted = "Date,Name,Amount,Balance\n\
                        2026-01-01,A,10.00,90.00\n2026-01-02,B,-50.00,140.00\n\
                        2026-01-03,C,20.00,120.00\n";
        let import = upload(&family.api, inverted, &json!({}));
        assert_eq!(import["source"]["problems"], json!([QUESTION]));
        let import = patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        assert_eq!(import["source"]["problems"], json!([]));
        assert_eq!(import["source"]["balance"]["sense"], "money");
        assert_eq!(rows(&family.api, &import)[0], "2026-01-01 10.00 USD A");

        let nonsense = CSV.replace("140", "7").replace("120", "8").replace("114", "9");
        let import = upload(&family.api, &nonsense, &json!({}));
        let problem = import["source"]["problems"][0].as_str().unwrap();
        assert!(problem.starts_with("The balances in \"Balance\" do not follow"), "{problem}");
        let import = patch(&family.api, &import, &json!({ "balance_check": "ignore" }));
        assert_eq!(import["source"]["balance"], Value::Null);
        assert_eq!(import["stats"]["valid_rows_count"], 4);
        let import = patch(&family.api, &import, &json!({ "balance_check": null }));
        assert_ne!(import["source"]["problems"], json!([]));
        let fields = json!({ "balance_col_label": "Nothing" });
        let answer = post(&family.api, CSV, &fields).expect_status(422);
        assert!(answer.text().contains("balance_col_label"), "{}", answer.text());
        let fields = json!({ "balance_check": "perhaps" });
        post(&family.api, CSV, &fields).expect_status(422);
    }

    fn a_confirmed_balance_is_not_confirmed_for_the_next_account(server) {
        let family = server.family();
        let csv = "Date,Name,Debit,Credit,Balance\n\
                   2026-01-01,A,10.00,,110.00\n2026-01-02,B,20.00,,130.00\n\
                   2026-01-03,Payment,,100.00,30.00\n";
        let one = family.account("One", "depository");
        let fields = json!({ "account_id": one, "balance_check": "compare" });
        publish(&family.api, csv, &fields);
        let other = family.account("Other", "depository");
        let import = upload(&family.api, csv, &json!({ "account_id": other }));
        assert_ne!(import["source"]["template"], Value::Null);
        let problem = import["source"]["problems"][0].as_str().unwrap_or_default();
        assert!(problem.contains("may be the wrong way round"), "{import}");
    }
}
