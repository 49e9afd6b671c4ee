//! `YnabImport` and `ActualImport`: split transactions, transfers and starting balances.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, merged, path, rows, text, transactions, upload};
use crate::support::{Family, Sql};

const HEADER: &str = "\u{feff}\"Account\",\"Flag\",\"Date\",\"Payee\",\
     \"Category Group/Category\",\"Category Group\",\"Category\",\"Memo\",\"Outflow\",\"Inflow\",\
     \"Cleared\"\n";

/// Two accounts, with a starting balance, a transfer, a split transaction, and a split one of which
/// a part is a transfer. Days come before months, decimals behind a comma.
const ROWS: &str = "\
Giro,,01/02/2026,Starting Balance,Inflow: Ready to Assign,Inflow,Ready to Assign,,\"0,00 €\",\"1.000,00 €\",Reconciled
Giro,Red,13/02/2026,Bakery,Food: Bread,Food,Bread,fresh,\"3,50 €\",\"0,00 €\",Cleared
Giro,,14/02/2026,Market,Food: Bread,Food,Bread,Split (1/2) rolls,\"2,00 €\",\"0,00 €\",Uncleared
Giro,,14/02/2026,Market,Food: Fruit,Food,Fruit,Split (2/2),\"4,00 €\",\"0,00 €\",Uncleared
Giro,,15/02/2026,Transfer : Savings,,,,,\"50,00 €\",\"0,00 €\",Cleared
Savings,,15/02/2026,Transfer : Giro,,,,,\"0,00 €\",\"50,00 €\",Cleared
Giro,,16/02/2026,Employer,Work: Pay,Work,Pay,Split (1/3),\"0,00 €\",\"900,00 €\",Uncleared
Giro,,16/02/2026,Employer,Work: Bonus,Work,Bonus,Split (2/3),\"0,00 €\",\"100,00 €\",Uncleared
Giro,,16/02/2026,Transfer : Savings,,,,Split (3/3),\"200,00 €\",\"0,00 €\",Uncleared
Savings,,16/02/2026,Transfer : Giro,,,,,\"0,00 €\",\"200,00 €\",Uncleared
Empty,,01/02/2026,Starting Balance,,,,,\"0,00 €\",\"7,00 €\",Cleared
";

fn ynab(fields: &Value) -> Value {
    merged(&json!({ "type": "YnabImport" }), fields)
}

fn export() -> String {
    format!("{HEADER}{ROWS}")
}

/// The accounts with their balances.
#[track_caller]
fn balances(family: &Family) -> Vec<String> {
    let accounts = all(&family.api, "/api/v1/accounts", "accounts");
    let shown = |one: &Value| format!("{} {}", text(&one["name"]), text(&one["balance_decimal"]));
    let mut shown: Vec<String> = accounts.iter().map(shown).collect();
    shown.sort();
    shown
}

/// The transfers: what they moved, their status and who made them.
#[track_caller]
fn transfers(family: &Family) -> Vec<String> {
    let found = all(&family.api, "/api/v1/transfers", "transfers");
    let shown = |one: &Value| {
        let (from, to) = (&one["outflow_transaction"], &one["inflow_transaction"]);
        format!(
            "{} {}→{} {} {}",
            text(&from["date"]),
            text(&from["account"]["name"]),
            text(&to["account"]["name"]),
            text(&one["status"]),
            text(&one["made_by"])
        )
    };
    let mut shown: Vec<String> = found.iter().map(shown).collect();
    shown.sort();
    shown
}

const MADE: [&str; 9] = [
    "2026-02-13 -3.50 EUR Bakery #Bread [Cleared] [Red] @Giro",
    "2026-02-14 -2.00 EUR Market #Bread @Giro",
    "2026-02-14 -4.00 EUR Market #Fruit @Giro",
    "2026-02-15 -50.00 EUR Transfer : Savings [Cleared] @Giro",
    "2026-02-15 50.00 EUR Transfer : Giro [Cleared] @Savings",
    "2026-02-16 -200.00 EUR Transfer : Savings @Giro",
    "2026-02-16 100.00 EUR Employer #Bonus @Giro",
    "2026-02-16 200.00 EUR Transfer : Giro @Savings",
    "2026-02-16 900.00 EUR Employer #Pay @Giro",
];

both_whole! {
    fn a_register_is_imported_whole_and_taken_back_whole(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off', currency = 'EUR'");
        let before = State::read(&sql, &family);
        let import = upload(&family.api, &export(), &ynab(&json!({})));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(import["configuration"]["date_format"], "%d/%m/%Y");
        assert_eq!(import["source"]["openings"], json!([
            { "account": "Giro", "currency": "EUR", "amount": "1000.00" },
            { "account": "Empty", "currency": "EUR", "amount": "7.00" },
        ]));
        let listed = rows(&family.api, &import);
        assert_eq!(listed[2], "2026-02-14 6.00 EUR Market @Giro", "{listed:?}");
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), MADE);
        assert_eq!(balances(&family), ["Empty 7.00", "Giro 1740.50", "Savings 250.00"]);
        let stated = ["2026-02-15 Giro→Savings confirmed import",
            "2026-02-16 Giro→Savings confirmed import"];
        assert_eq!(transfers(&family), stated);
        let again = crate::imports::publish(&family.api, &export(), &ynab(&json!({})));
        assert_eq!(again["plan"]["created_count"], 0, "twice is once: {again}");
        assert_eq!((transactions(&family).len(), transfers(&family).len()), (9, 2));
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), MADE);
        assert_eq!(transfers(&family), stated);
    }

    fn what_a_person_changed_of_a_split_stays_whole(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off', currency = 'EUR'");
        let import = crate::imports::publish(&family.api, &export(), &ynab(&json!({})));
        let found = all(&family.api, "/api/v1/transactions", "transactions");
        let part = found.iter().find(|one| text(&one["signed_amount_decimal"]) == "-4.00");
        let id = text(&part.expect("the part")["id"]).to_owned();
        let change = json!({ "transaction": { "name": "Apples" } });
        family.api.patch(&format!("/api/v1/transactions/{id}"), &change).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2026-02-14 -2.00 EUR Market #Bread @Giro",
            "2026-02-14 -4.00 EUR Apples #Fruit @Giro",
        ]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 9, "nothing comes twice");
    }

    fn an_account_that_is_there_keeps_its_opening(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off', currency = 'EUR'");
        family.account_with(json!({
            "name": "Giro", "account_type": "depository", "currency": "EUR",
            "opening_balance": "10.00",
        }));
        let import = upload(&family.api, &export(), &ynab(&json!({})));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[0]["verdict"], "left_out", "{}", listed[0]);
        publish_again(&family.api, &import);
        assert!(balances(&family).contains(&"Giro 750.50".to_owned()), "{:?}", balances(&family));
    }

    fn a_side_that_was_there_before_becomes_part_of_the_transfer(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off', currency = 'EUR'");
        let lines: Vec<&str> = ROWS.lines().collect();
        let one_side = format!("{HEADER}{}\n{}\n", lines[1], lines[4]);
        crate::imports::publish(&family.api, &one_side, &ynab(&json!({})));
        assert!(transfers(&family).is_empty());
        let both = format!("{HEADER}{}\n{}\n{}\n", lines[1], lines[4], lines[5]);
        let import = crate::imports::publish(&family.api, &both, &ynab(&json!({})));
        assert_eq!(transfers(&family), ["2026-02-15 Giro→Savings confirmed import"]);
        undo(&family.api, &import);
        assert!(transfers(&family).is_empty());
        assert_eq!(transactions(&family).len(), 2);
    }

    fn what_cannot_be_read_of_a_split_is_a_reason(server) {
        let family = server.family();
        let text = format!(
            "{HEADER}Giro,,13/02/2026,Market,,,,Split (1/2),$2.00,$0.00,\n\
             Giro,,13/02/2026,Market,,,,Split (2/2),two,$0.00,\n\
             Giro,,14/02/2026,Market,,,,,$-2.00,$0.00,\n\
             Giro,,15/02/2026,Starting Balance,,,,,,,\n"
        );
        let import = upload(&family.api, &text, &ynab(&json!({})));
        let listed = rows(&family.api, &import);
        let lines: Vec<&str> =
            listed.iter().map(|row| row.split_once(':').map_or("", |(line, _)| line)).collect();
        assert_eq!(lines, ["line 2", "line 4", "line 5"], "{listed:?}");
        assert!(listed[1].contains("minus"), "{listed:?}");
    }

    fn actual_states_sums_and_names_accounts_as_payees(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        let text = "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n\
             Cash,2026-01-01,Starting Balance,,,Starting Balances,100.00,0,Reconciled\n\
             Cash,2026-01-02,Shop,(SPLIT INTO 2) all,,,0,-3.00,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 1 OF 2) one,Food,Fruit,-1.00,0,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 2 OF 2),Food,Bread,-2.00,0,Cleared\n\
             Cash,2026-01-03,Bank,,,,-5.00,0,Not cleared\n\
             Bank,2026-01-03,Cash,,,,5.00,0,Not cleared\n";
        let actual = json!({ "type": "ActualImport" });
        let import = crate::imports::publish(&family.api, text, &actual);
        assert_eq!(transactions(&family), [
            "2026-01-02 -1.00 USD Shop #Fruit [Cleared] @Cash",
            "2026-01-02 -2.00 USD Shop #Bread [Cleared] @Cash",
            "2026-01-03 -5.00 USD Bank @Cash",
            "2026-01-03 5.00 USD Cash @Bank",
        ]);
        assert_eq!(balances(&family), ["Bank 5.00", "Cash 92.00"]);
        assert_eq!(transfers(&family), ["2026-01-03 Cash→Bank confirmed import"]);
        undo(&family.api, &import);
        assert!(transactions(&family).is_empty() && balances(&family).is_empty());
        let wrong = text.replace(",-3.00,Cleared", ",-4.00,Cleared");
        let import = upload(&family.api, &wrong, &actual);
        let errors = rows(&family.api, &import).join("\n");
        assert!(errors.contains("line 3: Parts come to -$3.00, but"), "{errors}");
    }
}
