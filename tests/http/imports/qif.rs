//! `QifImport`: accounts, split transactions and transfers of a QIF file.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, errors, merged, path, post, rows, text, transactions, upload};
use crate::support::Sql;

/// Two accounts, an opening balance, a transfer of which both sides are there, and a split one.
const FILE: &str = "!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\nNCash\nTCash\n^\n\
     !Clear:AutoSwitch\n!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\n!Type:Bank\n\
     D1/31'06\nT1,000.00\nPOpening Balance\nL[Giro]\n^\n\
     D2/1'06\nT-12.50\nPBakery\nLFood:Bread/Kids\nCX\nN12\n^\n\
     D2/2'06\nT-6.00\nPMarket\nLFood\nSFood:Bread\n$-2.00\nSFood:Fruit\nEapples\n$-4.00\n^\n\
     D2/13'06\nT-50.00\nPMove\nL[Cash]\n^\n\
     !Account\nNCash\nTCash\n^\n!Type:Cash\nD2/13'06\nT50.00\nPMove\nL[Giro]\n^\n";

/// Lists, of which one has nothing that could be made of it, and an account that is a debt.
const LISTS: &str = "!Type:Cat\nNFood\nDEating\nE\n^\nNFood:Bread\nE\n^\n!Type:Class\nNKids\n^\n\
     !Type:Security\nNAcme\nSACM\n^\n!Option:AutoSwitch\n!Account\nNVisa\nTCCard\n^\n\
     NHouse\nTOth A\n^\n!Clear:AutoSwitch\n!Account\nNVisa\nTCCard\n^\n!Type:CCard\n\
     D1/1/2006\nT-80.00\nPOpening Balance\nL[Visa]\n^\nD1/20/2006\nT-25.00\nPShop\n\
     LFood:Bread/Kids\n^\n!Type:Memorized\nKP\nT-5.00\nPRent\n^\n";

fn qif(fields: &Value) -> Value {
    merged(&json!({ "type": "QifImport" }), fields)
}

both_whole! {
    fn a_file_with_its_accounts_is_imported_and_taken_back(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let before = State::read(&sql, &family);
        let import = upload(&family.api, FILE, &qif(&json!({})));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2006-02-01 -12.50 USD Bakery #Bread [Kids] [Reconciled] @Giro",
            "2006-02-02 -2.00 USD Market #Bread @Giro",
            "2006-02-02 -4.00 USD Market #Fruit @Giro",
            "2006-02-13 -50.00 USD Move @Giro",
            "2006-02-13 50.00 USD Move @Cash",
        ]);
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let mut held: Vec<String> = accounts
            .iter()
            .map(|one| format!("{} {}", text(&one["name"]), text(&one["balance_decimal"])))
            .collect();
        held.sort();
        assert_eq!(held, ["Cash 50.00", "Giro 931.50"]);
        let transfers = all(&family.api, "/api/v1/transfers", "transfers");
        assert_eq!(transfers.len(), 1, "paired once");
        assert_eq!(transfers[0]["status"], "confirmed");
        let again = crate::imports::publish(&family.api, FILE, &qif(&json!({})));
        assert_eq!(again["plan"]["created_count"], 0, "{again}");
        undo(&family.api, &again);
        family.api.delete(&crate::imports::path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
    }

    fn a_file_without_accounts_goes_into_the_one_that_is_named(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let file = "!Type:Bank\nD15.01.2006\nT-1.234,56\nPRent\n^\nD16.01.2006\nT12,50\nPBack\n^\n";
        let open = upload(&family.api, file, &qif(&json!({})));
        assert_eq!(open["stats"]["unassigned_mappings_count"], 1, "{open}");
        let import = upload(&family.api, file, &qif(&json!({ "account_id": account })));
        assert_eq!(rows(&family.api, &import), [
            "2006-01-15 1234.56 USD Rent",
            "2006-01-16 -12.50 USD Back",
        ]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 2);
    }

    fn parts_beside_transfers_have_to_come_to_the_amount(server) {
        let family = server.family();
        let file = |total: &str| {
            format!(
                "!Account\nNGiro\n^\n!Type:Bank\nD1/31'06\nT{total}\nPLoan\nS[Loan]\n$-60.00\n\
                 SInterest\n$-30.00\n^\n"
            )
        };
        let wrong = upload(&family.api, &file("-100.00"), &qif(&json!({})));
        assert_eq!(wrong["stats"]["valid_rows_count"], 1, "{wrong}");
        let listed = all(&family.api, &crate::imports::path(&wrong, "/rows"), "data");
        let reason = text(&listed[2]["errors"][0]);
        assert!(reason.contains("come to $90.00, but the transaction to $100.00"), "{reason}");
        let import = upload(&family.api, &file("-90.00"), &qif(&json!({})));
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2006-01-31 -30.00 USD Loan #Interest @Giro",
            "2006-01-31 -60.00 USD Loan @Giro",
        ]);
    }

    fn corrections_that_an_opening_has_are_not_added_to_it(server) {
        let family = server.family();
        // As earlier versions made it: the opening of 100.00 with both corrections.
        family.account_with(json!({ "name": "Box", "account_type": "depository",
            "currency": "USD", "opening_balance": "75.00" }));
        let corrected = |day, amount| format!("D{day}\nT{amount}\nPBalance Adjustment\nL[Box]\n^\n");
        let file = "!Account\nNBox\nTCash\n^\n!Type:Cash\nD1/13/2006\nT100.00\nPOpening Balance\n\
            L[Box]\n^\n".to_owned()
            + &corrected("3/13/2006", "-20.00") + &corrected("4/13/2006", "-5.00")
            + "D4/14/2006\nT-1.00\nPBakery\n^\n";
        let first = upload(&family.api, &file, &qif(&json!({})));
        assert_eq!(first["plan"]["create_count"], 1, "{first}");
        let listed = all(&family.api, &path(&first, "/rows"), "data");
        let open = listed.iter().find(|row| row["reason"].to_string().contains("opening balance of"));
        assert!(open.is_some_and(|row| row["verdict"] == "left_out"), "{listed:?}");
        crate::imports::publish(&family.api, &file, &qif(&json!({})));
        // One that came later is a movement of money, and so is each in a new account.
        let grown = file.clone() + &corrected("5/13/2006", "-2.00");
        let second = crate::imports::publish(&family.api, &grown, &qif(&json!({})));
        assert_eq!(second["plan"]["create_count"], 1, "{second}");
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        assert_eq!(accounts[0]["balance_decimal"], "72.00", "{accounts:?}");
        let other = grown.replace("Box", "Tin");
        let fresh = crate::imports::publish(&family.api, &other, &qif(&json!({})));
        assert_eq!(fresh["plan"]["create_count"], 4, "{fresh}");
        let again = crate::imports::publish(&family.api, &other, &qif(&json!({})));
        assert_eq!(again["plan"]["create_count"], 0, "{again}");
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let balances: Vec<&str> =
            accounts.iter().map(|one| one["balance_decimal"].as_str().unwrap()).collect();
        assert_eq!(balances, ["72.00", "72.00"]);
    }

    fn what_the_file_leaves_open_is_asked(server) {
        let family = server.family();
        family.account("Main", "depository");
        let file = "!Account\nNMain\n^\n!Type:Bank\nD01/02/2006\nT-1,234\nPRent\n^\n";
        let import = upload(&family.api, file, &qif(&json!({})));
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].as_array().expect("problems");
        assert_eq!(problems.len(), 2, "{problems:?}");
        let formats = json!({ "date_format": "%d/%m/%Y", "number_format": "1,234" });
        let import = upload(&family.api, file, &qif(&formats));
        assert_eq!(rows(&family.api, &import), [
            "account Main",
            "2006-02-01 1234.00 USD Rent @Main",
        ]);
    }

    fn every_record_is_counted(server) {
        let family = server.family();
        let file = "!Type:Cat\nNFood\nE\n^\n!Account\nNDepot\nTInvst\n^\n!Type:Invst\nD1/15/2006\n\
             NRtrnCap\nYACME\nT50.00\n^\n!Account\nNGiro\n^\n!Type:Bank\n\
             T-5.00\nPNo day\n^\n\
             D1/32/2006\nT-5.00\nPNo such day\n^\nD1/16/2006\nT-5.00\nPFine\n^\n";
        let import = upload(&family.api, file, &qif(&json!({})));
        let listed = rows(&family.api, &import);
        assert_eq!(listed[..3], ["account Depot", "account Giro", "Category Food"]);
        let lines: Vec<&str> =
            listed.iter().filter_map(|row| Some(row.split_once(':')?.0)).collect();
        assert_eq!(lines, ["line 10", "line 19", "line 22"], "{listed:?}");
        assert!(listed[6].starts_with("2006-01-16 5.00"), "{listed:?}");
        let refused = post(&family.api, file, &qif(&json!({ "publish": "true" })))
            .expect_error(422, "invalid_rows");
        assert_eq!(errors(&refused).len(), 3, "{refused}");
        let skipped = qif(&json!({ "skip_invalid": true }));
        crate::imports::publish(&family.api, file, &skipped);
        assert_eq!(transactions(&family), ["2006-01-16 -5.00 USD Fine @Giro"]);
    }

    fn lists_become_records_and_accounts_what_they_are(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let before = State::read(&sql, &family);
        let import = upload(&family.api, LISTS, &qif(&json!({})));
        assert_eq!(import["source"]["account_types"], json!([
            { "account": "Visa", "account_type": "credit_card", "subtype": null },
            { "account": "House", "account_type": "other_asset", "subtype": null },
        ]));
        assert_eq!(rows(&family.api, &import)[..5], [
            "account Visa", "account House", "Category Food", "Category Food:Bread", "Tag Kids",
        ]);
        let left_out = import["source"]["left_out_rows"].as_array().expect("reasons");
        let counted: u64 = left_out.iter().map(|one| one["rows"].as_u64().unwrap()).sum();
        assert_eq!(counted, 5, "two accounts, a security, an opening, a memorized one: {import}");
        publish_again(&family.api, &import);
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        assert_eq!(accounts.len(), 1, "a house of which nothing else is known isn't made");
        let visa = &accounts[0];
        assert_eq!((&visa["account_type"], &visa["balance_decimal"]),
            (&json!("credit_card"), &json!("105.00")), "what is owed is positive: {visa}");
        let categories = family.api.get("/api/v1/categories?per_page=100").expect_status(200);
        let categories = categories.json()["categories"].clone();
        let paths: Vec<&str> =
            categories.as_array().unwrap().iter().map(|one| text(&one["path"])).collect();
        assert_eq!(paths, ["Food", "Food: Bread"]);
        let again = crate::imports::publish(&family.api, LISTS, &qif(&json!({})));
        assert_eq!(again["plan"]["create_count"], 0, "{again}");
        undo(&family.api, &again);
        family.api.delete(&crate::imports::path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
    }

    fn lists_alone_need_no_account(server) {
        let family = server.family();
        let file = "!Type:Cat\nNFood\nE\n^\n!Type:Class\nNKids\n^\n\
             !Type:Prices\n\"ACM\",10.50,\"1/15'06\"\n^\n";
        let import = crate::imports::publish(&family.api, file, &qif(&json!({})));
        assert_eq!(import["plan"]["create_count"], 3, "{import}");
        // Into one account go its entries and nothing else.
        let account = family.account("Main", "depository");
        let mixed = "!Type:Cat\nNHome\nE\n^\n!Type:Bank\nD1/20/2006\nT2.00\nPB\n^\n";
        let import = upload(&family.api, mixed, &qif(&json!({ "account_id": account })));
        assert_eq!(import["plan"]["left_out_count"], 1, "{import}");
        assert_eq!(import["plan"]["create_count"], 1, "{import}");
    }

    fn a_return_of_capital_can_be_booked_as_money(server) {
        let family = server.family();
        let file = "!Account\nNDepot\nTInvst\n^\n!Type:Invst\nD1/15/2006\nNRtrnCap\nYACME\n\
             T50.00\n^\n";
        let import = upload(&family.api, file, &qif(&json!({})));
        let refused = rows(&family.api, &import);
        assert!(refused[1].contains("with a blank Problem"), "{refused:?}");
        let taken = json!({ "cells": { "Problem": "" } });
        let row = crate::imports::path(&import, "/rows/2");
        family.api.patch(&row, &taken).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), ["2006-01-15 50.00 USD Return of capital @Depot"]);
    }
}
