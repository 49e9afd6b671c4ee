//! Files in the server's own format against a CSV with the same transactions: wall time and memory.
//!
//! Each file gets a fresh database and a fresh server, so that the most memory there ever was is
//! that of its own import. The CSV is read as a bank's, without the search for its formats.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use purser_formats::csv::Reader;
use serde_json::{Value, json};

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::Size;
use crate::http::{Client, upload_body_of};
use crate::import::{Files, expect_count};
use crate::server::{Data, Server};
use crate::table::{Table, mebibytes, seconds};

const ROWS_DEFAULT: [u64; 3] = [10_000, 100_000, 1_000_000];

/// What one import took.
struct Measured {
    wall: Duration,
    answered: Duration,
    undone: Duration,
    idle_kib: u64,
    peak_kib: u64,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--rows", &ROWS_DEFAULT)?;
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let header = [
        "rows",
        "format",
        "MiB",
        "s",
        "201 after s",
        "µs a row",
        "ratio",
        "undo s",
        "idle MiB",
        "peak MiB",
    ];
    let mut table = Table::new(&header);
    for rows in sizes {
        let files = Files::write(Size::Rows(rows), 0)?;
        let mut csv = None;
        for format in ["CSV", "NDJSON"] {
            let body = match format {
                "CSV" => files.body(true)?,
                _ => body(&files)?.0,
            };
            let bytes = body.len() as u64;
            let its = measure(&body, rows, database.as_deref())?;
            let first = *csv.get_or_insert(its.wall);
            table.row(&[
                &rows,
                &format,
                &mebibytes(bytes / 1024),
                &seconds(its.wall),
                &seconds(its.answered),
                &format!("{:.2}", its.wall.as_secs_f64() * 1e6 / rows.max(1) as f64),
                &format!("{:.2}", its.wall.as_secs_f64() / first.as_secs_f64()),
                &seconds(its.undone),
                &mebibytes(its.idle_kib),
                &mebibytes(its.peak_kib),
            ]);
        }
    }
    println!();
    table.print();
    Ok(())
}

fn measure(body: &[u8], rows: u64, database: Option<&str>) -> Result<Measured> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let idle_kib = server.memory_kib("VmRSS")?;
    let started = Instant::now();
    let id = client.upload(body)?;
    let answered = started.elapsed();
    let import = client.wait_until_complete(&id)?;
    let wall = started.elapsed();
    expect_count(&client, rows)?;
    let status = &import["verification"]["readback"]["status"];
    if !import["verification"].is_null() && status != "matched" {
        return Err(format!("it is not what the file has: {import}").into());
    }
    let peak_kib = server.memory_kib("VmHWM")?;
    let started = Instant::now();
    client.undo(&id)?;
    let undone = started.elapsed();
    expect_count(&client, 0)?;
    Ok(Measured { wall, answered, undone, idle_kib, peak_kib })
}

/// The form of a file in the server's own format that is to be published, and its records.
pub(crate) fn body(files: &Files) -> Result<(Vec<u8>, u64)> {
    let content = ndjson(&files.csv)?;
    let records = content.lines().count() as u64;
    Ok((upload_body_of("NativeImport", None, content.as_bytes(), true), records))
}

/// The transactions of a CSV in the server's own format, with what they name.
pub(crate) fn ndjson(csv: &Path) -> Result<String> {
    let mut names = Names::default();
    let mut lines = String::new();
    let mut reader = Reader::new(File::open(csv)?, b',');
    reader.read()?.ok_or("the file has no header")?;
    let mut row = 0;
    while let Some(record) = reader.read()? {
        let cell = |at| record.cells.get(at);
        let amount = match cell(1).strip_prefix('-') {
            Some(out) => out.to_owned(),
            None => format!("-{}", cell(1)),
        };
        let tags: Vec<String> = cell(4)
            .split(',')
            .filter(|tag| !tag.is_empty())
            .map(|tag| names.id("Tag", tag))
            .collect();
        let mut data = json!({ "id": format!("t{row}"), "account_id": names.id("Account", cell(6)),
            "date": cell(0), "amount": amount, "currency": cell(7), "name": cell(2),
            "category_id": names.id("Category", cell(3)) });
        if !tags.is_empty() {
            data["tag_ids"] = json!(tags);
        }
        if !cell(5).is_empty() {
            data["notes"] = json!(cell(5));
        }
        writeln!(lines, "{{\"type\":\"Transaction\",\"data\":{data}}}")?;
        row += 1;
    }
    Ok(names.lines()? + &lines)
}

/// What the transactions name, with the ids that it gets.
#[derive(Default)]
struct Names(BTreeMap<(&'static str, String), String>);

impl Names {
    fn id(&mut self, of: &'static str, name: &str) -> String {
        let next = format!("{}{}", &of[..1], self.0.len());
        self.0.entry((of, name.to_owned())).or_insert(next).clone()
    }

    fn lines(&self) -> Result<String> {
        let mut lines = String::new();
        for ((of, name), id) in &self.0 {
            let mut data: Value = json!({ "id": id, "name": name });
            if *of == "Account" {
                data["accountable_type"] = json!("Depository");
                data["balance"] = json!("0");
                data["opening_balance"] = json!("0");
                data["currency"] = json!("USD");
            }
            writeln!(lines, "{{\"type\":\"{of}\",\"data\":{data}}}")?;
        }
        Ok(lines)
    }
}
