//! How fast the server is ready on a database that holds something, what it needs when idle, and
//! how large the binary is.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate;
use crate::http::{Client, upload_body};
use crate::server::{Data, Server, binary, scratch};
use crate::statistics::{median, percentile};
use crate::table::Table;

const STARTS_DEFAULT: u64 = 10;
/// Long enough for what a start leaves to the background.
const SETTLE: Duration = Duration::from_secs(1);

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let starts = arguments.number("--starts")?.unwrap_or(STARTS_DEFAULT).max(1);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let data = Data::fresh(database.as_deref())?;
    let key = fill(&data)?;
    let (mut ready, mut idle) = (Vec::new(), Vec::new());
    for _ in 0..starts {
        let server = Server::start(&data)?;
        ready.push(server.ready_after);
        Client::new(&server.address, &key).get("/api/v1/imports")?;
        sleep(SETTLE);
        idle.push(server.memory_kib("VmRSS")?);
    }

    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let mebibytes = |kib: u64| format!("{:.1} MiB", kib as f64 / 1024.0);
    let mut table = Table::new(&["what", "value"]);
    table.row(&[&"ready, median", &milliseconds(percentile(&mut ready, 50))]);
    table.row(&[&"ready, slowest", &milliseconds(percentile(&mut ready, 100))]);
    table.row(&[&"idle memory, median", &mebibytes(median(&idle).unwrap_or_default())]);
    table.row(&[&"binary", &mebibytes(fs::metadata(binary()?)?.len() / 1024)]);
    table.print();
    Ok(())
}

fn fill(data: &Data) -> Result<String> {
    let files = scratch()?;
    let csv = files.path().join("bench.csv");
    generate::write(&csv, generate::TEN_MEBIBYTES, generate::SEED)?;
    let server = Server::start(data)?;
    let key = data.family()?;
    let client = Client::new(&server.address, &key);
    let id = client.upload(&upload_body(&fs::read(&csv)?, true))?;
    client.wait_until_complete(&id)?;
    Ok(key)
}
