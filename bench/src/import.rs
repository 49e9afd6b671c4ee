//! A 10 MiB CSV from the first byte of the request to `status: complete`, against the `sqlite3`
//! program on the same file.
//!
//! The two run in turn, each on a fresh database, after one pair that is not counted. The server's
//! time includes HTTP, the stored original, detection, validation, the job and the polling; the
//! peer's is the wall time of its process.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body};
use crate::peer;
use crate::server::{Data, Server, scratch};
use crate::statistics::median;
use crate::table::Table;

const PAIRS_DEFAULT: u64 = 5;

/// What one import took.
#[derive(Debug, Clone, Copy)]
struct Measured {
    wall: Duration,
    answered: Duration,
    peak_kib: u64,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let pairs = arguments.number("--pairs")?.unwrap_or(PAIRS_DEFAULT).max(1);
    let size = arguments.number("--rows")?.map_or(generate::TEN_MEBIBYTES, Size::Rows);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let sqlite3 = peer::version()?;
    let files = scratch()?;
    let csv = files.path().join("bench.csv");
    let rows = generate::write(&csv, size)?;
    let content = std::fs::read(&csv)?;
    println!("{rows} rows, {} bytes; peer: sqlite3 {sqlite3}\n", content.len());
    let body = upload_body(&content);

    let mut table =
        Table::new(&["pair", "purser s", "201 after s", "sqlite3 s", "ratio", "peak MiB"]);
    let mut all = Vec::new();
    for pair in 0..=pairs {
        let own = measure(&body, rows, database.as_deref())?;
        let peer = measure_peer(&csv, rows)?;
        let ratio = own.wall.as_secs_f64() / peer.as_secs_f64();
        let name = if pair == 0 { "warm-up".to_owned() } else { pair.to_string() };
        table.row(&cells(&name, own, peer, ratio).each_ref().map(|cell| cell as _));
        if pair > 0 {
            all.push((own, peer, ratio));
        }
    }
    let middle = |value: fn(&(Measured, Duration, f64)) -> f64| {
        median(&all.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
    };
    let own = Measured {
        wall: Duration::from_secs_f64(middle(|(own, ..)| own.wall.as_secs_f64())),
        answered: Duration::from_secs_f64(middle(|(own, ..)| own.answered.as_secs_f64())),
        peak_kib: median(&all.iter().map(|(own, ..)| own.peak_kib).collect::<Vec<_>>())
            .unwrap_or_default(),
    };
    let peer = Duration::from_secs_f64(middle(|(_, peer, _)| peer.as_secs_f64()));
    let ratio = middle(|(.., ratio)| *ratio);
    table.row(&cells("median", own, peer, ratio).each_ref().map(|cell| cell as _));
    table.print();
    Ok(())
}

fn cells(name: &str, own: Measured, peer: Duration, ratio: f64) -> [String; 6] {
    [
        name.to_owned(),
        format!("{:.3}", own.wall.as_secs_f64()),
        format!("{:.3}", own.answered.as_secs_f64()),
        format!("{:.3}", peer.as_secs_f64()),
        format!("{ratio:.2}"),
        format!("{:.1}", own.peak_kib as f64 / 1024.0),
    ]
}

fn measure(body: &[u8], rows: u64, database: Option<&str>) -> Result<Measured> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let started = Instant::now();
    let id = client.upload(body)?;
    let answered = started.elapsed();
    let import = client.wait_until_complete(&id)?;
    let wall = started.elapsed();
    if import["stats"]["valid_rows_count"] != rows {
        return Err(format!("{rows} rows were sent: {import}").into());
    }
    Ok(Measured { wall, answered, peak_kib: server.memory_kib("VmHWM")? })
}

fn measure_peer(csv: &Path, rows: u64) -> Result<Duration> {
    let folder = scratch()?;
    let (wall, stored) = peer::run(folder.path(), csv)?;
    if stored.entries != rows {
        return Err(format!("{rows} rows were there, sqlite3 stored {stored:?}").into());
    }
    Ok(wall)
}
