//! `QifImport`: accounts, split transactions and transfers of a QIF file.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, errors, merged, post, rows, text, transactions, upload};
use crate::support::Sql;

/// Two accounts, an opening balance, a transfer of which both sides are there, and a split one.
const FILE: &str = "!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\nNCash\nTCash\n^\n\
     !Clear:AutoSwitch\n!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\n!Type:Bank\n\
     D1/31'06\nT1,000.00\nPOpening Balance\nL[Giro]\n^\n\
     D2/1'06\nT-12.50\nPBakery\nLFood:Bread/Kids\nCX\nN12\n^\n\
     D2/2'06\nT-6.00\nPMarket\nLFood\nSFood:Bread\n$-2.00\nSFood:Fruit\nEapples\n$-4.00\n^\n\
     D2/13'06\nT-50.00\nPMove\nL[Cash]\n^\n\
     !Account\nNCash\nTCash\n^\n!Type:Cash\nD2/13'06\nT50.00\nPMove\nL[Giro]\n^\n";

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
        let reason = text(&listed[1]["errors"][0]);
        assert!(reason.contains("come to $90.00, but the transaction to $100.00"), "{reason}");
        let import = upload(&family.api, &file("-90.00"), &qif(&json!({})));
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2006-01-31 -30.00 USD Loan #Interest @Giro",
            "2006-01-31 -60.00 USD Loan @Giro",
        ]);
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
        assert_eq!(rows(&family.api, &import), ["2006-02-01 1234.00 USD Rent @Main"]);
    }

    fn every_record_is_counted(server) {
        let family = server.family();
        let file = "!Type:Cat\nNFood\nE\n^\n!Account\nNDepot\nTInvst\n^\n!Type:Invst\nD1/15/2006\n\
             NRtrnCap\nYACME\nT50.00\n^\n!Account\nNGiro\n^\n!Type:Bank\n\
             T-5.00\nPNo day\n^\n\
             D1/32/2006\nT-5.00\nPNo such day\n^\nD1/16/2006\nT-5.00\nPFine\n^\n";
        let import = upload(&family.api, file, &qif(&json!({})));
        let listed = rows(&family.api, &import);
        let lines: Vec<&str> =
            listed.iter().map(|row| row.split_once(':').map_or("", |(line, _)| line)).collect();
        assert_eq!(lines[..3], ["line 10", "line 19", "line 22"], "{listed:?}");
        assert!(listed[3].starts_with("2006-01-16 5.00"), "{listed:?}");
        let refused = post(&family.api, file, &qif(&json!({ "publish": "true" })))
            .expect_error(422, "invalid_rows");
        assert_eq!(errors(&refused).len(), 3, "{refused}");
        let skipped = qif(&json!({ "skip_invalid": true }));
        crate::imports::publish(&family.api, file, &skipped);
        assert_eq!(transactions(&family), ["2006-01-16 -5.00 USD Fine @Giro"]);
    }
}
