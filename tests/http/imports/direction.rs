//! Amounts of which nothing in the file shows the direction: a person is asked once.

use serde_json::{Value, json};

use super::configure::patch;
use super::undo::publish_again;
use super::{
    IMPORTS, balance, body, both_whole, errors, path, publish, rows, transactions, upload,
};

const CSV: &str = "Date,Amount,Name\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n";
/// Both ways, the newest first: only the balance shows which.
const BOTH_WAYS: &str = "Date,Name,Amount,Balance\n\
    2026-01-04,D,5.50,114.50\n\
    2026-01-03,C,20.00,120.00\n\
    2026-01-02,B,50.00,140.00\n\
    2026-01-01,A,10.00,90.00\n";
const QUESTION: &str = "All amounts in \"Amount\" are unsigned: are they money out \
    (inflows_negative), money in (inflows_positive), or does a column have the direction?";

both_whole! {
    fn unsigned_amounts_are_a_question_that_is_asked_once(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        let import = upload(&family.api, CSV, &into);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        assert_eq!(import["configuration"]["signage_convention"], Value::Null);
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        assert_eq!(errors(&refused.expect_error(422, "not_configured")), [QUESTION]);
        let visitor = server.signed_in(&family);
        let page = format!("/imports/{}/mapping", import["id"].as_str().unwrap());
        visitor.get(&page).expect_page(200, "No amount has a sign: are they money out or money in?");

        let import = patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        assert_eq!(import["configuration"]["signage_convention"], "inflows_negative");
        assert_eq!(rows(&family.api, &import), ["2024-01-02 1.50 USD A", "2024-01-03 0.25 USD B"]);
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let id = import["id"].as_str().unwrap();
        assert_eq!(family.api.wait_for_import(id)["status"], "complete");

        // The next file of the kind is read as this one was.
        let next = "Date,Amount,Name\n2024-02-02,3.00,C\n";
        publish(&family.api, next, &into);
        assert_eq!(transactions(&family)[2], "2024-02-02 -3.00 USD C @Main");
    }

    fn purchases_of_a_card_never_become_income(server) {
        let family = server.family();
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let csv = "Date,Amount,Text\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n2024-01-04,-1.75,Paid\n";
        let import = upload(&family.api, csv, &card);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_configured");
        assert!(errors(&refused)[0].contains("inflows_negative, which is likely"), "{refused}");
        let charges = csv.replace(",1.50", ",-1.50").replace(",0.25", ",-0.25").replace(",-1.75", ",1.75");
        let import = upload(&family.api, &charges, &card);
        assert_eq!(import["status_detail"]["configured"], true, "{import}");
        assert_eq!(rows(&family.api, &import)[0], "2024-01-02 1.50 USD A");
    }

    fn a_balance_shows_which_way_amounts_without_signs_went(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let into = json!({ "account_id": account });
        let import = upload(&family.api, BOTH_WAYS, &into);
        let amount = json!({ "strategy": "by_balance", "amount_col_label": "Amount" });
        assert_eq!(import["source"]["amount"], amount);
        assert_eq!(import["stats"]["invalid_rows_count"], 1);
        let oldest = "line 5: Amount has no sign, and what \"Balance\" was before this row isn't \
                      known, so that it doesn't show the direction: correct this row of the \
                      import to an amount with a sign, such as -12.50 for money out";
        let known = ["2026-01-04 5.50 USD D", "2026-01-03 20.00 USD C", "2026-01-02 -50.00 USD B"];
        assert_eq!(rows(&family.api, &import), [&known[..], &[oldest]].concat());
        // Each row alone has the same direction, and nobody books the oldest without an answer.
        let page = family.api.get(&path(&import, "/rows?per_page=1&page=3")).json();
        assert_eq!(page["data"][0]["valid"], true, "{page}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        refused.expect_error(422, "invalid_rows");
        let visitor = server.signed_in(&family);
        let page = format!("/imports/{}/mapping", import["id"].as_str().unwrap());
        visitor.get(&page).expect_page(200, "the balance");

        let file = server.data_folder().parent().expect("a folder").join("both.csv");
        std::fs::write(&file, BOTH_WAYS).expect("a file");
        let arguments = ["import", "--dry-run", "--account", "Main", file.to_str().expect("a path")];
        let shown = server.run(&arguments, "").stdout;
        assert!(shown.contains("Amount as 1,234.56, in or out by the balance\n"), "{shown}");
        let edit = |change: &Value| {
            family.api.patch(&path(&import, "/rows/4"), change).expect_status(200).json()
        };
        assert_eq!(edit(&json!({ "choice": "create" }))["data"]["valid"], false);
        let answered = edit(&json!({ "cells": { "Amount": "-10.00" }, "choice": "plan" }));
        assert_eq!(answered["data"]["valid"], true, "{answered}");
        let ends = &answered["import"]["source"]["balance"]["accounts"][0];
        assert_eq!((&ends["opening_balance"], &ends["difference"]), (&json!("100.00"), &json!("0.00")));
        publish_again(&family.api, &import);
        let expected = [
            "2026-01-01 -10.00 USD A @Main",
            "2026-01-02 50.00 USD B @Main",
            "2026-01-03 -20.00 USD C @Main",
            "2026-01-04 -5.50 USD D @Main",
        ];
        assert_eq!(transactions(&family), expected);
        assert_eq!(balance(&family, &account), "14.50");

        // The next file states what was before, and overlaps with this one.
        let next = "Date,Name,Amount,Balance\n\
            2026-01-06,F,1.00,130.50\n\
            2026-01-05,E,15.00,129.50\n\
            2026-01-04,D,5.50,114.50\n\
            2026-01-03,C,20.00,120.00\n\
            2026-01-03,Opening balance,,140.00\n";
        let import = publish(&family.api, next, &into);
        assert_eq!(import["stats"]["invalid_rows_count"], 0, "{import}");
        assert_eq!(transactions(&family).len(), 6);
        assert_eq!(balance(&family, &account), "30.50");

        // What decided there decides nothing where no balance shows the direction.
        let alone = "Date,Name,Amount,Balance\n2026-01-07,G,2.00,128.50\n";
        let import = upload(&family.api, alone, &into);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
    }

    fn an_answer_never_changes_its_meaning(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        let import = upload(&family.api, BOTH_WAYS, &into);
        let answer = json!({ "cells": { "Amount": "+10.00", "Name": "Z" } });
        family.api.patch(&path(&import, "/rows/4"), &answer).expect_status(200);
        assert_eq!(rows(&family.api, &import)[3], "2026-01-01 -10.00 USD Z");
        // Another setting leaves it alone.
        patch(&family.api, &import, &json!({ "date_format": "%Y-%m-%d" }));
        assert_eq!(rows(&family.api, &import)[3], "2026-01-01 -10.00 USD Z");
        let other = json!({ "balance_check": "ignore", "signage_convention": "inflows_negative" });
        let changed = family.api.patch(&path(&import, ""), &other).expect_status(200).json();
        let note = "The corrections of amounts of single rows were dropped: their signs would mean \
                    something else now";
        assert_eq!(changed["notes"], json!([note]), "{changed}");
        let shown = family.api.get(&path(&import, "/rows")).expect_status(200).json();
        assert_eq!(shown["data"][3]["corrected_cells"], json!({ "Name": "Z" }), "{shown}");
        assert_eq!(rows(&family.api, &import)[3], "2026-01-01 10.00 USD Z");
    }

    fn whether_such_a_balance_is_money_or_a_debt_is_asked(server) {
        let family = server.family();
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let preflight = |fields: &Value| {
            let sent = body(BOTH_WAYS, fields);
            let path = format!("{IMPORTS}/preflight");
            family.api.post(&path, &sent).expect_status(200).json()["data"].clone()
        };
        for fields in [&card, &json!({})] {
            let shown = preflight(fields);
            let question = &shown["questions"][0];
            let sentence = "The amounts have no signs, and \"Balance\" shows the direction";
            assert!(question.to_string().contains(&sentence.replace('"', "\\\"")), "{shown}");
        }
        let answer = json!({
            "account_id": card["account_id"],
            "signage_convention": "inflows_negative",
            "balance_check": "compare",
        });
        let import = upload(&family.api, BOTH_WAYS, &answer);
        assert_eq!(import["source"]["balance"]["sense"], "debt", "{import}");
        let known = ["2026-01-04 -5.50 USD D", "2026-01-03 -20.00 USD C", "2026-01-02 50.00 USD B"];
        assert_eq!(rows(&family.api, &import)[..3], known);
    }
}
