//! `purser export --format csv-zip`: the native file and tables, each of which is read again.

use std::fs::File;
use std::io::Read as _;

use purser_formats::archive::Archive;
use serde_json::{Value, json};

use super::export;
use crate::both;
use crate::command_line::works;
use crate::imports::{IMPORTS, publish, transactions};
use crate::support::{Family, Multipart, Server, Sql};
use crate::trades::{PATH as TRADES, broker, fields};

/// Texts that a spreadsheet would execute, and what looks like a separator.
const CSV: &str = "Date,Amount,Name,Category,Tags,Notes\n\
     2026-01-02,-12.50,\"=cmd|' /C calc'!A0\",Food:Bread,\"a,b\",\"-1+1; \"\"quoted\"\"\"\n\
     2026-01-03,1000.00,@pay,+Income,,\n\
     2026-01-03,-3.00,''=odd,,,\n\
     2026-01-03,-4.00,-1-2,,,\n\
     2026-01-04,0.00,Nothing,,,\n";

/// The parts of an archive that the command writes for the family of a user.
#[track_caller]
pub(super) fn tables(server: &Server, family: &Family, name: &str) -> Vec<(String, Vec<u8>)> {
    let path = server.data_folder().parent().expect("a folder").join(name);
    let path = path.to_str().expect("a path");
    works(server, &["export", "--force", "--format", "csv-zip", "--user", &family.email, path]);
    let mut archive = Archive::open(File::open(path).unwrap()).unwrap();
    let names: Vec<String> = archive.parts().iter().map(|part| part.name.clone()).collect();
    let read = |name: String| {
        let mut content = Vec::new();
        archive.read(&name, 1 << 24).unwrap().read_to_end(&mut content).unwrap();
        (name, content)
    };
    names.into_iter().map(read).collect()
}

pub(super) fn table(tables: &[(String, Vec<u8>)], name: &str) -> String {
    let found = tables.iter().find(|(its, _)| its == name).expect(name);
    String::from_utf8(found.1.clone()).unwrap()
}

#[track_caller]
fn facts(family: &Family) -> Vec<String> {
    let mut facts = transactions(family);
    for (path, noun, fields) in [
        ("/api/v1/accounts", "accounts", ["name", "account_type", "balance_decimal"]),
        (TRADES, "trades", ["date", "name", "amount_decimal"]),
        ("/api/v1/holdings", "holdings", ["date", "qty", "cost_basis"]),
    ] {
        let found = family.api.get(path).expect_status(200).json()[noun].clone();
        let shown = |one: &Value| fields.map(|field| one[field].to_string()).join(" ");
        facts.extend(found.as_array().expect(noun).iter().map(shown));
    }
    facts.sort();
    facts
}

fn filled(family: &Family) {
    let account = family.account_with(json!({
        "name": "=Giro", "account_type": "depository", "opening_balance": "-20.00",
    }));
    family.import(&account, CSV);
    family.account_with(json!({
        "name": "Box", "account_type": "depository", "opening_balance": "70.00",
        "opening_date": "2026-01-01",
    }));
    // A card that was paid too much, a debt, and another currency.
    for (name, account_type, currency, opening) in [
        ("Card", "credit_card", "USD", "-5.00"),
        ("Loan", "loan", "USD", "1000.00"),
        ("Abroad", "depository", "GBP", "12.00"),
    ] {
        let account = family.account_with(json!({
            "name": name, "account_type": account_type, "currency": currency,
            "opening_balance": opening,
        }));
        family.import(&account, "Date,Amount,Name\n2026-01-02,-1.00,Book\n2026-01-03,2.00,Back\n");
    }
    let depot = broker(family, "Depot", "10000");
    for (trade_type, date, more) in [
        ("buy", "2026-01-05", json!({ "qty": "10", "price": "12.34", "fee": "1.00" })),
        ("sell", "2026-01-06", json!({ "qty": "4", "price": "13.00", "fee": "0.50" })),
        // It costs more than it brings.
        ("sell", "2026-01-06", json!({ "qty": "1", "price": "0.10", "fee": "1.00" })),
        ("dividend", "2026-01-07", json!({ "amount": "5.50" })),
        ("reinvestment", "2026-01-08", json!({ "qty": "1", "price": "13.00" })),
        ("split", "2026-01-09", json!({ "split_to": 3, "split_from": 2 })),
        ("transfer_in", "2026-01-10", json!({ "qty": "2", "price": "9.00", "cost": "10.00" })),
        ("transfer_in", "2026-01-11", json!({ "qty": "1", "cost": "0.00", "name": "A gift" })),
    ] {
        family.api.post(TRADES, &fields(&depot, trade_type, date, more)).expect_status(201);
    }
    let category = json!({ "category": { "name": "@Fun", "color": "#336699" } });
    family.api.post("/api/v1/categories", &category).expect_status(201);
}

both! {
    fn what_is_exported_as_an_archive_comes_back_whole(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        filled(&family);
        let parts = tables(&server, &family, "family.zip");
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [
            "all.ndjson", "accounts.csv", "categories.csv", "merchants.csv", "rules.csv",
            "transactions.csv", "trades.csv",
        ]);
        let written = export(&family.api);
        let download = family.api.get(written["download_path"].as_str().unwrap());
        assert_eq!(table(&parts, "all.ndjson"), download.expect_status(200).text());
        let other = server.family();
        let archive = std::fs::read(server.data_folder().parent().unwrap().join("family.zip"));
        let form = Multipart::new().text("type", "NativeImport").text("publish", "true");
        let form = form.file("file", "family.zip", "application/zip", &archive.unwrap());
        let import = other.api.post_form(IMPORTS, &form).expect_status(201);
        let import = other.api.wait_for_import(&import.id());
        assert_eq!(import["verification"]["readback"]["status"], "matched", "{import}");
        assert_eq!(facts(&other), facts(&family));
    }

    fn each_table_is_read_again(server) {
        let family = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        filled(&family);
        let parts = tables(&server, &family, "family.zip");
        for (name, content) in &parts {
            let text = String::from_utf8(content.clone()).unwrap();
            let cells = text.lines().flat_map(|line| line.split(','));
            let is_formula = |cell: &&str| {
                let cell = cell.trim_start_matches('"');
                let is_number = cell.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
                let is_sum = cell.rfind('-').is_some_and(|at| at > 0) || !is_number;
                cell.starts_with(['=', '+', '@']) || cell.starts_with('-') && is_sum
            };
            let dangerous: Vec<&str> = cells.filter(is_formula).collect();
            assert!(name == "all.ndjson" || dangerous.is_empty(), "{name}: {dangerous:?}");
        }
        let other = server.family();
        Sql::open(&server).run("UPDATE families SET transfer_matching = 'off'");
        for (name, import_type) in [
            ("accounts.csv", "AccountImport"),
            ("categories.csv", "CategoryImport"),
            ("transactions.csv", "TransactionImport"),
            ("trades.csv", "TradeImport"),
        ] {
            publish(&other.api, &table(&parts, name), &json!({ "type": import_type }));
        }
        assert_eq!(facts(&other), facts(&family));
        let again = tables(&server, &other, "other.zip");
        for name in ["accounts.csv", "categories.csv", "transactions.csv", "trades.csv"] {
            assert_eq!(table(&again, name), table(&parts, name), "{name}");
        }
    }
}
