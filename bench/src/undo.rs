//! Publishing a 10 MiB CSV beside 100,000 entries, undoing it, publishing it again.
//!
//! Both are measured from the request to the status that reports the end; the file was read and
//! planned before. An undo ends with the status `pending`, with nothing of the file left in the
//! ledger.

use std::time::Instant;

use serde_json::json;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::Client;
use crate::import::{EXISTING_DEFAULT, Files, expect_count};
use crate::server::{Data, Server};
use crate::statistics::median;
use crate::table::{Table, mebibytes, seconds};

const ROUNDS_DEFAULT: u64 = 5;

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rounds = arguments.number("--rounds")?.unwrap_or(ROUNDS_DEFAULT).max(1);
    let size = arguments.number("--rows")?.map_or(generate::TEN_MEBIBYTES, Size::Rows);
    let existing = arguments.number("--existing")?.unwrap_or(EXISTING_DEFAULT);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let files = Files::write(size, existing)?;
    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    files.fill(&client)?;
    let id = client.upload(&files.body(false)?)?;

    let mut table = Table::new(&["round", "publish s", "undo s", "ratio"]);
    let mut all = Vec::new();
    for round in 0..=rounds {
        let started = Instant::now();
        client.post(&format!("/api/v1/imports/{id}/publish"), &json!({}))?;
        client.wait_until_complete(&id)?;
        let publish = started.elapsed();
        expect_count(&client, files.existing + files.rows)?;

        let started = Instant::now();
        client.undo(&id)?;
        let undo = started.elapsed();
        expect_count(&client, files.existing)?;

        let ratio = undo.as_secs_f64() / publish.as_secs_f64();
        let name = if round == 0 { "warm-up".to_owned() } else { round.to_string() };
        table.row(&[&name, &seconds(publish), &seconds(undo), &format!("{ratio:.2}")]);
        if round > 0 {
            all.push((publish, undo, ratio));
        }
    }
    let publish = median(&all.iter().map(|one| one.0).collect::<Vec<_>>()).unwrap_or_default();
    let undo = median(&all.iter().map(|one| one.1).collect::<Vec<_>>()).unwrap_or_default();
    let ratio = median(&all.iter().map(|one| one.2).collect::<Vec<_>>()).unwrap_or_default();
    table.row(&[&"median", &seconds(publish), &seconds(undo), &format!("{ratio:.2}")]);
    println!();
    table.print();
    println!("\nserver memory: at most {} MiB", mebibytes(server.memory_kib("VmHWM")?));
    Ok(())
}
