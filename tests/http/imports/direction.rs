//! Amounts of which nothing in the file shows the direction: a person is asked once.

use serde_json::{Value, json};

use super::configure::patch;
use super::undo::publish_again;
use super::{
    IMPORTS, balance, body, both_whole, errors, merged, path, publish, rows, transactions, upload,
};
use crate::support::Server;

const CSV: &str = "Date,Amount,Name\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n";
/// Both ways, the newest first: only the balance shows which.
const BOTH_WAYS: &str = "Date,Name,Amount,Balance\n\
    2026-01-04,D,5.50,114.50\n\
    2026-01-03,C,20.00,120.00\n\
    2026-01-02,B,50.00,140.00\n\
    2026-01-01,A,10.00,90.00\n";
const QUESTION: &str = "All amounts in \"Amount\" are unsigned: are they money out \
    (inflows_negative), money in (inflows_positive), or does a column have the direction?";

/// The flags of the command line answer which way the money of line 5 went, and of no other line.
#[track_caller]
fn assert_flags_answer(server: &Server, arguments: &[&str]) {
    let with = |more: &[&str]| server.run(&[arguments, more].concat(), "");
    for (flag, amount) in [("--money-out", "-$10.00"), ("--money-in", "$10.00")] {
        let answered = with(&[flag, "5"]);
        assert!(answered.status.success(), "{answered:?}");
        let row = format!("line 5: 2026-01-01  {amount}  A\n");
        assert!(answered.stdout.contains("rows      4 valid, 0 invalid\n"), "{answered:?}");
        assert!(answered.stdout.contains(&row), "{answered:?}");
    }
    for (more, why) in [
        (&["--money-out", "4"][..], "Line 4 has no row of which only the direction is missing"),
        (&["--money-out", "5", "--money-in", "5"], "line 5 can't be both"),
    ] {
        let refused = with(more);
        assert!(!refused.status.success() && refused.stderr.contains(why), "{refused:?}");
    }
}

both_whole! {
    fn unsigned_amounts_are_a_question_for_each_file(server) {
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

        // Without signs the answer was one about that file: this one may be of incomes.
        let next = "Date,Amount,Name\n2024-02-02,3.00,C\n";
        let import = upload(&family.api, next, &into);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let sent = body(next, &into);
        let shown = family.api.post(&format!("{IMPORTS}/preflight"), &sent).expect_status(200).json();
        let answers = shown["data"]["questions"][0]["answers"].to_string();
        assert!(answers.contains("money out, as in the last such file"), "{answers}");
        // And it turns no sign of a later file.
        let signed = "Date,Amount,Name\n2024-02-02,-3.00,C\n2024-02-03,2000.00,D\n";
        let import = upload(&family.api, signed, &into);
        assert_eq!(rows(&family.api, &import), ["2024-02-02 3.00 USD C", "2024-02-03 -2000.00 USD D"]);
    }

    fn which_column_the_amount_is_shows_nothing_of_its_signs(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        let csv = "Date,Description,Spend\n2026-01-02,Grocer,12.50\n2026-01-13,Rent,900.00\n";
        let label = json!({ "amount_col_label": "Spend" });
        let import = patch(&family.api, &upload(&family.api, csv, &into), &label);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        assert!(problems.contains("unsigned: are they money out"), "{problems}");
        let sign = json!({ "signage_convention": "inflows_negative" });
        let import = patch(&family.api, &import, &sign);
        assert_eq!(rows(&family.api, &import)[1], "2026-01-13 900.00 USD Rent");
        // Nor does it for a caller who names at once what isn't known as an amount.
        let import = upload(&family.api, csv, &merged(&into, &label));
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        // The name of an amount is one of which the convention of the interface is known.
        let csv = csv.replace("Spend", "Amount");
        let label = json!({ "amount_col_label": "Amount" });
        let import = upload(&family.api, &csv, &merged(&into, &label));
        assert_eq!(rows(&family.api, &import)[1], "2026-01-13 -900.00 USD Rent");
        let import = patch(&family.api, &import, &json!({ "notes_col_label": "Description" }));
        assert_eq!(import["status_detail"]["configured"], true, "{import}");
    }

    fn incomes_with_a_plus_show_nothing_of_amounts_without(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        publish(&family.api, "Date,Amount,Text\n2024-01-02,+2000.00,Salary\n", &into);
        for next in ["2024-02-02,50.00,Grocer", "2024-02-02,+7.00,Interest\n2024-02-03,50.00,Grocer"] {
            let import = upload(&family.api, &format!("Date,Amount,Text\n{next}\n"), &into);
            assert_eq!(import["status_detail"]["configured"], false, "{import}");
        }
    }

    fn the_convention_of_a_card_is_asked_once(server) {
        let family = server.family();
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let csv = "Date,Amount,Text\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n2024-01-04,-1.75,Paid\n";
        publish(&family.api, csv, &merged(&card, &json!({ "signage_convention": "inflows_negative" })));
        // A month without a payment has no sign, but the convention is known by now.
        let next = "Date,Amount,Text\n2024-02-02,1.00,C\n";
        let import = upload(&family.api, next, &card);
        assert_eq!(rows(&family.api, &import), ["2024-02-02 1.00 USD C"]);
    }

    fn the_sign_of_another_account_is_never_taken_over(server) {
        let family = server.family();
        let main = json!({ "account_id": family.account("Main", "depository") });
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let money = |month: u8| {
            format!("Date,Description,Amount\n2026-0{month}-02,Grocer,-50.00\n2026-0{month}-03,Salary,2000.00\n")
        };
        let charges = |month: u8| {
            format!(
                "Date,Description,Amount\n2026-0{month}-05,Hotel,450.00\n2026-0{month}-08,Shop,30.00\n\
                 2026-0{month}-20,Payment,-480.00\n"
            )
        };
        publish(&family.api, &money(1), &main);
        let import = upload(&family.api, &charges(1), &card);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        // Nor without an account; once that is chosen, it is known what counts.
        let open = upload(&family.api, &charges(1), &json!({}));
        let chosen = patch(&family.api, &open, &card);
        assert_eq!(chosen["status_detail"]["configured"], false, "{chosen}");
        patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        publish_again(&family.api, &import);
        // The answer about the card is none about the other account, with the same header.
        let import = publish(&family.api, &money(2), &main);
        assert_eq!(import["source"]["template"]["settings_taken"], json!([]), "{import}");
        let expected = ["2026-02-02 50.00 USD Grocer", "2026-02-03 -2000.00 USD Salary"];
        assert_eq!(rows(&family.api, &import), expected);
        // Each account keeps its own, whichever came last.
        for fields in [&card, &json!({})] {
            let mut import = upload(&family.api, &charges(3), fields);
            if fields.get("account_id").is_none() {
                import = patch(&family.api, &import, &card);
            }
            assert_eq!(rows(&family.api, &import)[0], "2026-03-05 450.00 USD Hotel", "{import}");
            assert_eq!(rows(&family.api, &import)[2], "2026-03-20 -480.00 USD Payment");
            let moved = patch(&family.api, &import, &main);
            assert_eq!(moved["source"]["template"]["settings_taken"], json!([]), "{moved}");
        }
    }

    fn what_came_back_is_asked_once_for_each_direction(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        let csv = |rows: &[&str]| {
            let rows: Vec<String> = rows.iter().map(|row| format!("2026-01-05,X,{row}\n")).collect();
            format!("Date,Text,Debit,Credit,Balance\n{}", rows.concat())
        };
        let amounts = |import: &Value| -> Vec<String> {
            let all = rows(&family.api, import);
            all.iter().map(|row| row.split(' ').nth(1).unwrap().to_owned()).collect()
        };
        let first = upload(&family.api, &csv(&["5.00,,", "6.00,,", "-2.00,,", ",9.00,"]), &into);
        assert_eq!(first["status_detail"]["configured"], false, "{first}");
        let answer = json!({ "amount_type_strategy": "minus_is_reversal" });
        let first = patch(&family.api, &first, &answer);
        assert_eq!(amounts(&first), ["5.00", "6.00", "-2.00", "-9.00"]);
        publish_again(&family.api, &first);
        // A balance proves the next one, in which nothing came back.
        let proven = ["7.00,,93.00", "1.00,,92.00", ",8.00,100.00", "3.00,,97.00"];
        let proven = publish(&family.api, &csv(&proven), &into);
        assert_eq!(proven["source"]["balance"]["balance_col_label"], "Balance", "{proven}");
        let third = upload(&family.api, &csv(&["-4.00,,", ",9.50,"]), &into);
        assert_eq!(amounts(&third), ["-4.00", "-9.50"], "as decided for the first file");
        // Nobody has decided yet what an amount of money in is that has another sign.
        let fourth = upload(&family.api, &csv(&["4.10,,", ",-9.60,", ",-9.70,", ",1.00,"]), &into);
        assert_eq!(fourth["status_detail"]["configured"], false, "{fourth}");
        let taken = &fourth["source"]["template"]["settings_taken"];
        assert_eq!(taken, &json!(["amount_type_strategy"]));
        for (strategy, expected) in [
            ("minus_is_reversal", ["4.10", "9.60", "9.70", "-1.00"]),
            ("direction_and_sign", ["4.10", "-9.60", "-9.70", "1.00"]),
        ] {
            let fourth = patch(&family.api, &fourth, &json!({ "amount_type_strategy": strategy }));
            assert_eq!(amounts(&fourth), expected, "{strategy}");
        }
    }

    fn days_and_numbers_of_another_account_decide_nothing(server) {
        let family = server.family();
        let one = json!({ "account_id": family.account("One", "depository") });
        let other = json!({ "account_id": family.account("Other", "depository") });
        publish(&family.api, "Date,Text,Amount\n13/04/2026,A,-1.00\n14/04/2026,B,\"-1,000.50\"\n", &one);
        for tie in ["03/04/2026,A,-1.00", "2026-04-03,A,\"-1,234\""] {
            let csv = format!("Date,Text,Amount\n{tie}\n");
            for (fields, is_known) in [(&one, true), (&other, false), (&json!({}), false)] {
                let import = upload(&family.api, &csv, fields);
                assert_eq!(import["status_detail"]["configured"], is_known, "{tie} {import}");
            }
            let open = upload(&family.api, &csv, &json!({}));
            assert_eq!(patch(&family.api, &open, &one)["status_detail"]["configured"], true, "{open}");
        }
    }

    fn a_file_that_names_known_accounts_is_read_as_the_last_one(server) {
        let family = server.family();
        for name in ["One", "Two", "Three"] {
            family.account(name, "depository");
        }
        let csv = |day: &str, account: &str| {
            format!("Date,Text,Amount,Account\n{day},A,-1.00,{account}\n{day},B,-2.00,One\n")
        };
        publish(&family.api, &csv("13/04/2026", "Two"), &json!({}));
        let known = upload(&family.api, &csv("03/04/2026", "Two"), &json!({}));
        assert_eq!(known["configuration"]["date_format"], "%d/%m/%Y", "{known}");
        let another = upload(&family.api, &csv("03/04/2026", "Three"), &json!({}));
        assert_eq!(another["status_detail"]["configured"], false, "{another}");
    }

    fn purchases_of_a_card_never_become_income(server) {
        let family = server.family();
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let csv = "Date,Amount,Text\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n2024-01-04,-1.75,Paid\n";
        let import = upload(&family.api, csv, &card);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_configured");
        assert!(errors(&refused)[0].contains("(purchases: inflows_negative)"), "{refused}");
        // Nearly all have a minus: purchases are far more than payments.
        let charges = csv.replace(",1.50", ",-1.50").replace(",0.25", ",-0.25").replace(",-1.75", ",1.75");
        let charges = format!("{charges}2024-01-05,-3.00,D\n");
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
        assert!(shown.contains("for money out\n    --money-out 5  or --money-in 5\n"), "{shown}");
        assert_flags_answer(&server, &arguments);
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

    fn the_command_line_states_the_direction_of_a_row(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let file = server.data_folder().parent().expect("a folder").join("stated.csv");
        std::fs::write(&file, BOTH_WAYS).expect("a file");
        let arguments = ["import", "--account", "Main", "--money-in", "5"];
        let import = server.run_json(&[&arguments[..], &[file.to_str().expect("a path")]].concat(), "");
        assert_eq!(import["created_count"], 4, "{import}");
        assert_eq!(transactions(&family)[0], "2026-01-01 10.00 USD A @Main");
        assert_eq!(balance(&family, &account), "34.50");
        // It is a correction of the row like any other.
        let shown = family.api.get(&path(&import, "/rows")).expect_status(200).json();
        assert_eq!(shown["data"][3]["corrected_cells"], json!({ "Amount": "+10.00" }), "{shown}");
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
        // Directions of single rows come after it.
        let file = server.data_folder().parent().expect("a folder").join("asked.csv");
        std::fs::write(&file, BOTH_WAYS).expect("a file");
        let file = file.to_str().expect("a path");
        let arguments = ["import", "--dry-run", "--account", "Card", "--money-out", "5", file];
        let shown = server.run(&arguments, "");
        assert!(shown.stdout.contains("The amounts have no signs"), "{shown:?}");
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
