//! Exports of a family with many entries, in every format, against the goal of entries in a second
//! and of memory. They are commands of the release binary while no server runs.

use std::fs;
use std::time::Duration;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::Size;
use crate::http::Client;
use crate::import::{Files, expect_count};
use crate::server::{Data, Server};
use crate::statistics::median;
use crate::table::{Table, mebibytes, seconds};
use crate::timed::timed;

const ROWS_DEFAULT: u64 = 1_000_000;
const ROUNDS_DEFAULT: u64 = 3;
const FORMATS: [&str; 4] = ["ndjson", "csv-zip", "hledger", "beancount"];

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT);
    let rounds = arguments.number("--rounds")?.unwrap_or(ROUNDS_DEFAULT).max(1);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let files = Files::write(Size::Rows(rows), 0)?;
    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let id = client.upload(&files.body(true)?)?;
    client.wait_until_complete(&id)?;
    expect_count(&client, rows)?;
    drop(server);

    let header = ["format", "median s", "entries/s", "peak MiB", "file MiB"];
    let mut table = Table::new(&header);
    for format in FORMATS {
        let path = data.folder().join("export");
        let (mut times, mut peak) = (Vec::new(), 0);
        // The first one is left out of the median.
        for round in 0..=rounds {
            let mut command = data.command()?;
            command.args(["export", "--force", "--format", format]).arg(&path);
            let (took, most) = timed(&mut command)?;
            peak = peak.max(most);
            if round > 0 {
                times.push(took);
            }
        }
        let took: Duration = median(&times).unwrap_or_default();
        table.row(&[
            &format,
            &seconds(took),
            &format!("{:.0}", rows as f64 / took.as_secs_f64()),
            &mebibytes(peak),
            &mebibytes(fs::metadata(&path)?.len() / 1024),
        ]);
    }
    println!();
    table.print();
    Ok(())
}
