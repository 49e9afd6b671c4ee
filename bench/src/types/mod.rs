//! Every type of import against `TransactionImport`: a file of at most 10 MiB, or of as many rows
//! as the type may have, and a bank's table of the same number of rows, each into an empty family.
//!
//! The two run in turn, after one pair that is not counted, from the first byte of the request to
//! `status: complete`. What a row is differs, so the goal is a ratio.

mod files;

use std::time::{Duration, Instant};

use serde_json::json;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body_of};
use crate::import::expect_valid;
use crate::server::{Data, Server, scratch};
use crate::statistics::median;
use crate::table::{Table, mebibytes, seconds};
use files::{File, TYPES, Type};

const PAIRS_DEFAULT: u64 = 5;
/// How much longer than a bank's table a file of another type may take.
const RATIO_MAX: f64 = 1.3;

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let pairs = arguments.number("--pairs")?.unwrap_or(PAIRS_DEFAULT).max(1);
    let rows_max = arguments.number("--rows")?.unwrap_or(u64::MAX);
    let only = arguments.text("--only")?;
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let header = ["type", "rows", "MiB", "s", "TransactionImport s", "ratio", "peak MiB"];
    let mut table = Table::new(&header);
    for one in TYPES.iter().filter(|one| only.as_deref().is_none_or(|it| it == one.name)) {
        let file = files::write(one, rows_max.min(one.rows_max));
        let bank = bank_table(file.rows)?;
        let mut measured = Vec::new();
        for pair in 0..=pairs {
            let (wall, peak) = measure(one, &file, database.as_deref())?;
            let (bank_wall, _) = measure(&files::BANK, &bank, database.as_deref())?;
            if pair > 0 {
                measured.push((wall, bank_wall, peak));
            }
        }
        let of = |value: fn(&(Duration, Duration, u64)) -> Duration| {
            median(&measured.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
        };
        let ratios: Vec<f64> =
            measured.iter().map(|one| one.0.as_secs_f64() / one.1.as_secs_f64()).collect();
        let ratio = median(&ratios).unwrap_or_default();
        let peak = measured.iter().map(|one| one.2).max().unwrap_or_default();
        table.row(&[
            &one.name,
            &file.rows,
            &mebibytes(file.text.len() as u64 / 1024),
            &seconds(of(|one| one.0)),
            &seconds(of(|one| one.1)),
            &format!("{ratio:.2}{}", if ratio > RATIO_MAX { " (!)" } else { "" }),
            &mebibytes(peak),
        ]);
    }
    table.print();
    Ok(())
}

/// A bank's table with so many rows.
fn bank_table(rows: u64) -> Result<File> {
    let folder = scratch()?;
    let path = folder.path().join("bank.csv");
    let rows = generate::write(&path, Size::Rows(rows), generate::SEED)?;
    Ok(File { text: std::fs::read_to_string(path)?, rows })
}

/// The time of an import into a family that has nothing, and the memory of the server.
fn measure(one: &Type, file: &File, database: Option<&str>) -> Result<(Duration, u64)> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let account = one.account_type.map(|account_type| {
        let account = json!({ "account": {
            "name": "All", "account_type": account_type, "currency": "USD",
        }});
        let made = client.post("/api/v1/accounts", &account)?;
        let id = made["id"].as_str().ok_or("the account has no id")?.to_owned();
        Ok::<_, Box<dyn std::error::Error>>(id)
    });
    let account = account.transpose()?;
    let body = upload_body_of(one.name, account.as_deref(), file.text.as_bytes(), true);
    let started = Instant::now();
    let import = client.wait_until_complete(&client.upload(&body)?)?;
    let wall = started.elapsed();
    expect_valid(&import, file.rows)?;
    Ok((wall, server.memory_kib("VmHWM")?))
}
