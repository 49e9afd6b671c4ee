//! What holds for every type of import, walked as a table: a file that is published twice is there
//! once, and after the undo everything is as it was before.

use purser_core::import::import_type::ImportType;
use serde_json::json;

use super::pdf::statement;
use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{IMPORTS, both_whole, path};
use crate::support::{Multipart, Sql};

/// A file of a type, and whether it goes into the account with money or into the depot.
fn sample(import_type: ImportType) -> (Vec<u8>, Option<&'static str>) {
    let (text, account) = match import_type {
        ImportType::Transaction => (
            "Date,Amount,Name,Category,Tags\n2026-01-02,-1.50,A,Food:Bread,x\n\
             2026-01-02,-1.50,A,Food:Bread,x\n2026-01-03,2.00,B,,\n",
            Some("Main"),
        ),
        ImportType::Trade => (
            "Date,Action,Symbol,Quantity,Price,Fees,Amount\n\
             2026-01-02,Buy,ACM,10,15.00,1.00,-151.00\n2026-01-03,Deposit,,,,,20.00\n",
            Some("Depot"),
        ),
        ImportType::Account => ("Account type,Name,Balance\nsavings,Box,7.00\n", None),
        ImportType::Mint => (
            "Date,Description,Original Description,Amount,Transaction Type,Category,\
             Account Name,Labels,Notes\n1/2/2026,Shop,SHOP 1,3.00,debit,Food,Cash,a b,\n",
            None,
        ),
        ImportType::Actual => (
            "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT INTO 2) all,,,0,-3.00,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 1 OF 2) one,Food,Bread,-1.00,0,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 2 OF 2) two,Food,Fruit,-2.00,0,Cleared\n",
            None,
        ),
        ImportType::Ynab => (
            "Account,Flag,Date,Payee,Category Group,Category,Memo,Outflow,Inflow,Cleared\n\
             Cash,,13/02/2026,Starting Balance,,,,0.00,5.00,Cleared\n\
             Cash,,13/02/2026,Transfer : Box,,,,2.00,0.00,Cleared\n\
             Box,Red,13/02/2026,Transfer : Cash,,,,0.00,2.00,Cleared\n",
            None,
        ),
        ImportType::Category => ("name,color,parent\nFun,#336699,\nGames,,Fun\n", None),
        ImportType::Rule => (
            "name,conditions,actions\nR,\"[{\"\"condition_type\"\":\"\"transaction_name\"\",\
             \"\"operator\"\":\"\"like\"\",\"\"value\"\":\"\"x\"\"}]\",\
             \"[{\"\"action_type\"\":\"\"set_transaction_category\"\",\"\"value\"\":\"\"New\"\"}]\"\n",
            None,
        ),
        ImportType::Merchant => ("name,color,website_url\nShop,#336699,shop.example\n", None),
        ImportType::Pdf => return (statement(true), Some("Main")),
        ImportType::Qif => (
            "!Account\nNDepot 2\nTInvst\n^\n!Type:Invst\nD2/13/2026\nNBuyX\nYAcme\nI10.00\nQ5\n\
             T50.00\nL[Cash]\n^\n!Account\nNCash\nTCash\n^\n!Type:Cash\nD2/13/2026\nT-50.00\n\
             L[Depot 2]\n^\n!Type:Prices\n\"Acme\",11.00,\"2/14/2026\"\n^\n",
            None,
        ),
        ImportType::Native => (include_str!("native_clean.ndjson"), None),
    };
    (text.as_bytes().to_vec(), account)
}

fn form(import_type: ImportType, ids: &[(&str, String)]) -> Multipart {
    let (content, account) = sample(import_type);
    let form = Multipart::new().text("type", import_type.as_str());
    let id = account.and_then(|name| ids.iter().find(|(its, _)| *its == name));
    let form = match id {
        Some((_, id)) => form.text("account_id", id),
        None => form,
    };
    form.file("file", "file", "application/octet-stream", &content)
}

both_whole! {
    fn twice_is_once_and_the_undo_is_exact(server) {
        let family = server.family_in("EUR");
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let account = |name: &str, account_type: &str| {
            family.account_with(json!({
                "name": name, "account_type": account_type, "currency": "EUR",
            }))
        };
        let ids =
            [("Main", account("Main", "depository")), ("Depot", account("Depot", "investment"))];
        let before = State::read(&sql, &family);
        for import_type in ImportType::ALL.iter().copied() {
            let name = import_type.as_str();
            let send = || {
                let form = form(import_type, &ids);
                family.api.post_form(IMPORTS, &form).expect_status(201).json()["data"].clone()
            };
            let import = publish_again(&family.api, &send());
            let made = &import["plan"];
            assert_ne!(made["create_count"], 0, "{name}: {import}");
            assert!(State::read(&sql, &family) != before, "{name} does nothing");
            let again = publish_again(&family.api, &send());
            // Rejected pairs are stated again, and stay as they are.
            let created = if name == "NativeImport" { "created_count" } else { "create_count" };
            let counts = [created, "changed_count"].map(|count| again["plan"][count].clone());
            assert_eq!(counts, [json!(0), json!(0)], "{name}: {again}");
            undo(&family.api, &again);
            family.api.delete(&path(&again, "")).expect_status(200);
            undo(&family.api, &import);
            assert_eq!(State::read(&sql, &family), before, "{name}");
            family.api.delete(&path(&import, "")).expect_status(200);
        }
    }
}
