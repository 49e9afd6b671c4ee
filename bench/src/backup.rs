//! Backup, verification and restore of a database with many entries, against the time of copying
//! the database file and of the import that made the entries.
//!
//! All are commands of the release binary on the same data, while no server runs. The copy reads
//! and writes the file and syncs it, as `purser backup` does. On PostgreSQL there is no file to
//! copy: there the peer is the import alone.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

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

/// What the commands of a round took.
#[derive(Debug, Clone, Copy)]
struct Round {
    backup: Duration,
    peak_kib: u64,
    copy: Option<Duration>,
    verify: Duration,
    restore: Duration,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT);
    let rounds = arguments.number("--rounds")?.unwrap_or(ROUNDS_DEFAULT).max(1);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let files = Files::write(Size::Rows(rows), 0)?;
    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    let body = files.body(true)?;
    let started = Instant::now();
    let id = client.upload(&body)?;
    client.wait_until_complete(&id)?;
    let import = started.elapsed();
    expect_count(&client, rows)?;
    drop(server);

    let header = [
        "round",
        "backup s",
        "peak MiB",
        "copy s",
        "ratio",
        "verify s",
        "restore s",
        "of the import",
    ];
    let mut table = Table::new(&header);
    let mut all = Vec::new();
    for round in 0..=rounds {
        let measured = measure(&data)?;
        if round > 0 {
            all.push(measured);
        }
        let name = if round == 0 { "warm-up".to_owned() } else { round.to_string() };
        print_row(&mut table, &name, measured, import);
    }
    let of = |value: fn(&Round) -> Duration| {
        median(&all.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
    };
    let copies: Vec<Duration> = all.iter().filter_map(|round| round.copy).collect();
    let middle = Round {
        backup: of(|round| round.backup),
        peak_kib: all.iter().map(|round| round.peak_kib).max().unwrap_or_default(),
        copy: median(&copies),
        verify: of(|round| round.verify),
        restore: of(|round| round.restore),
    };
    print_row(&mut table, "median", middle, import);
    println!("\nthe import of {rows} rows took {} s", seconds(import));
    table.print();
    Ok(())
}

fn print_row(table: &mut Table, name: &str, round: Round, import: Duration) {
    let ratio = |of: Duration, to: Duration| format!("{:.2}", of.as_secs_f64() / to.as_secs_f64());
    let copy = round.copy.map_or_else(String::new, seconds);
    let to_copy = round.copy.map_or_else(String::new, |copy| ratio(round.backup, copy));
    table.row(&[
        &name,
        &seconds(round.backup),
        &mebibytes(round.peak_kib),
        &copy,
        &to_copy,
        &seconds(round.verify),
        &seconds(round.restore),
        &ratio(round.verify, import),
    ]);
}

fn measure(data: &Data) -> Result<Round> {
    let backup = data.folder().join("backup.tar.gz");
    let target = Data::fresh(None)?;
    let (made, peak_kib) = timed(data.command()?.arg("backup").arg(&backup))?;
    let copy = match data.database_url() {
        None => Some(copy(&data.sqlite_file(), &data.folder().join("copy.db"))?),
        Some(_) => None,
    };
    let scratch = data.folder().join("scratch");
    fs::create_dir_all(&scratch)?;
    let mut verify = data.command()?;
    verify.env("TMPDIR", &scratch).args(["backup", "--verify"]).arg(&backup);
    let (verify, _) = timed(&mut verify)?;
    let (restore, _) = timed(target.command()?.arg("restore").arg(&backup))?;
    fs::remove_file(&backup)?;
    Ok(Round { backup: made, peak_kib, copy, verify, restore })
}

/// Copies a file and syncs the copy.
fn copy(from: &Path, to: &Path) -> Result<Duration> {
    let started = Instant::now();
    let (mut from, mut to_file) = (File::open(from)?, File::create(to)?);
    // Through memory: a file system may share the blocks instead of copying them.
    let mut buffer = vec![0; 1024 * 1024];
    loop {
        match from.read(&mut buffer)? {
            0 => break,
            length => to_file.write_all(&buffer[..length])?,
        }
    }
    to_file.sync_all()?;
    let took = started.elapsed();
    fs::remove_file(to)?;
    Ok(took)
}
