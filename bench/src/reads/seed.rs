//! Entries by imports, and one holding.

use crate::Result;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body};
use crate::server::{Data, Server, scratch};

/// Rows of one import; several make a list of imports worth reading.
const ROWS_OF_IMPORT_MAX: u64 = 250_000;
const HOLDING_ID: &str = "018f0000-0000-7000-8000-00000000000b";
const SECURITY_ID: &str = "018f0000-0000-7000-8000-00000000000a";

/// What there is to read.
#[derive(Debug)]
pub(crate) struct Seeded {
    pub(crate) key: String,
    pub(crate) entries: u64,
    pub(crate) imports: u64,
    account: String,
    middle_page: u64,
}

impl Seeded {
    /// A name and a path for each request that is measured.
    pub(crate) fn requests(&self) -> Vec<(&'static str, String)> {
        let (account, page) = (&self.account, self.middle_page);
        vec![
            ("health", "/healthz".to_owned()),
            ("holding", format!("/api/v1/holdings/{HOLDING_ID}")),
            ("imports", "/api/v1/imports".to_owned()),
            ("transactions", "/api/v1/transactions".to_owned()),
            ("transactions, account", format!("/api/v1/transactions?account_id={account}")),
            ("transactions, middle page", format!("/api/v1/transactions?page={page}")),
        ]
    }
}

/// Fills the database through the server.
pub(crate) fn fill(data: &Data, server: &Server, rows: u64) -> Result<Seeded> {
    let key = data.family()?;
    let client = Client::new(&server.address, &key);
    let files = scratch()?;
    let csv = files.path().join("seed.csv");
    let (mut left, mut imports) = (rows, 0);
    while left > 0 {
        let part = left.min(ROWS_OF_IMPORT_MAX);
        // Equal files would be recognised.
        generate::write(&csv, Size::Rows(part), generate::SEED + 2 * imports)?;
        let id = client.upload(&upload_body(&std::fs::read(&csv)?, true))?;
        client.wait_until_complete(&id)?;
        left -= part;
        imports += 1;
    }
    let first = client.get("/api/v1/transactions?per_page=1")?;
    let entries = first["pagination"]["total_count"].as_u64().ok_or("no total_count")?;
    if entries != rows {
        return Err(format!("{rows} rows were imported, {entries} are there").into());
    }
    let account = first["transactions"][0]["account"]["id"].as_str().unwrap_or_default().to_owned();
    add_holding(data, &account)?;
    let holding = client.get(&format!("/api/v1/holdings/{HOLDING_ID}"))?;
    if holding["id"] != HOLDING_ID {
        return Err(format!("the holding is not there: {holding}").into());
    }
    Ok(Seeded { key, entries, imports, account, middle_page: entries.div_ceil(25).div_ceil(2) })
}

/// No request makes holdings yet, so this writes its rows as the schema has them.
fn add_holding(data: &Data, account: &str) -> Result<()> {
    let family = "SELECT min(id) FROM families";
    let id = |text: &str| match data.database_url() {
        Some(_) => format!("'{text}'"),
        None => format!("x'{}'", text.replace('-', "")),
    };
    let no = if data.database_url().is_some() { "FALSE" } else { "0" };
    let (security, holding, account) = (id(SECURITY_ID), id(HOLDING_ID), id(account));
    data.execute(&format!(
        "INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, name, created_at,
             updated_at)
         VALUES (({family}), {security}, 'VTI', 'ARCX', 'Total Market', 0, 0);
         INSERT INTO holdings (family_id, id, account_id, security_id, date, qty, price, amount,
             currency, cost_basis_locked, created_at, updated_at)
         VALUES (({family}), {holding}, {account}, {security}, 19000, '10.0', '250.0', 25000000,
             'USD', {no}, 0, 0);"
    ))
}
