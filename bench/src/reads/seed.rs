//! Entries by imports, and one holding.

use serde_json::{Value, json};

use crate::Result;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body};
use crate::server::{Data, Server, scratch};

/// Rows of one import; several make a list of imports worth reading.
const ROWS_OF_IMPORT_MAX: u64 = 250_000;

/// What there is to read.
#[derive(Debug)]
pub(crate) struct Seeded {
    pub(crate) key: String,
    account: String,
    category: String,
    transaction: String,
    holding: String,
    middle_page: u64,
}

impl Seeded {
    /// A name and a path for each request that is measured.
    pub(crate) fn requests(&self) -> Vec<(&'static str, String)> {
        let Self { account, category, transaction, holding, middle_page, .. } = self;
        let list = "/api/v1/transactions";
        vec![
            ("health", "/healthz".to_owned()),
            ("holding", format!("/api/v1/holdings/{holding}")),
            ("imports", "/api/v1/imports".to_owned()),
            ("transaction", format!("{list}/{transaction}")),
            ("transactions", list.to_owned()),
            ("… of an account", format!("{list}?account_id={account}")),
            ("… of a month", format!("{list}?start_date=2023-05-01&end_date=2023-05-31")),
            ("… a page in the middle", format!("{list}?page={middle_page}")),
            ("… of a category", format!("{list}?category_id={category}")),
            ("… with a text", format!("{list}?search=harbor")),
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
    let newest = &first["transactions"][0];
    let id = |value: &Value| value["id"].as_str().unwrap_or_default().to_owned();
    let (account, category) = (id(&newest["account"]), id(&newest["category"]));
    let (transaction, holding) = (id(newest), add_holding(&client)?);
    let middle_page = entries.div_ceil(25).div_ceil(2);
    Ok(Seeded { key, account, category, transaction, holding, middle_page })
}

/// Buys shares; the id of the position.
fn add_holding(client: &Client) -> Result<String> {
    let account = json!({ "name": "Broker", "account_type": "investment" });
    let account = client.post("/api/v1/accounts", &account)?["id"].clone();
    let trade = json!({ "account_id": account, "type": "buy", "date": "2024-01-02",
        "ticker": "VTI", "qty": "10", "price": "250" });
    client.post("/api/v1/trades", &trade)?;
    let holdings = client.get("/api/v1/holdings")?;
    Ok(holdings["holdings"][0]["id"].as_str().ok_or("no holding was made")?.to_owned())
}
