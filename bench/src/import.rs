//! A 10 MiB CSV beside 100,000 entries of the same accounts, from the first byte of the request to
//! `status: complete`, against the `sqlite3` program on the same files.
//!
//! The two run in turn, each on a fresh database that first takes the existing entries (not
//! counted), after one pair that is not counted either. The server's time includes HTTP, the
//! stored original, detection, validation, the plan with its search for duplicates, the job and
//! the polling; the peer's is the wall time of its process. Then the server gets the same file
//! once more, of which nothing may be added. The share of detection is measured apart, in this
//! process, for three files: without balances, with them, and with amounts that have no signs, each
//! against the time of its own import. More than the goal fails.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body, upload_body_of};
use crate::peer::Peer;
use crate::server::{Data, Server, scratch};
use crate::statistics::median;
use crate::table::{Table, mebibytes, seconds};

const PAIRS_DEFAULT: u64 = 5;
/// What detection may take of an import.
const DETECTION_PERCENT_MAX: f64 = 10.0;
const IMPORTS_OF_AN_ACCOUNT: usize = 3;
pub(crate) const EXISTING_DEFAULT: u64 = 100_000;

/// The file that is measured, and what is there before it.
#[derive(Debug)]
pub(crate) struct Files {
    _folder: TempDir,
    pub(crate) csv: PathBuf,
    pub(crate) existing_csv: PathBuf,
    pub(crate) rows: u64,
    pub(crate) existing: u64,
}

impl Files {
    /// Writes both files and returns them with their sizes.
    pub(crate) fn write(size: Size, existing: u64) -> Result<Self> {
        let folder = scratch()?;
        let (csv, existing_csv) =
            (folder.path().join("bench.csv"), folder.path().join("existing.csv"));
        let rows = generate::write(&csv, size, generate::SEED)?;
        generate::write(&existing_csv, Size::Rows(existing), generate::EXISTING_SEED)?;
        let bytes = std::fs::metadata(&csv)?.len();
        println!("{rows} rows, {bytes} bytes, beside {existing} entries");
        Ok(Self { _folder: folder, csv, existing_csv, rows, existing })
    }

    /// The form of the measured file.
    pub(crate) fn body(&self, publish: bool) -> Result<Vec<u8>> {
        Ok(upload_body(&std::fs::read(&self.csv)?, publish))
    }

    /// Puts the existing entries into a database.
    pub(crate) fn fill(&self, client: &Client) -> Result<()> {
        if self.existing == 0 {
            return Ok(());
        }
        let body = upload_body(&std::fs::read(&self.existing_csv)?, true);
        client.wait_until_complete(&client.upload(&body)?)?;
        expect_count(client, self.existing)
    }
}

/// What one import took.
#[derive(Debug, Clone, Copy)]
struct Measured {
    wall: Duration,
    answered: Duration,
    again: Duration,
    peak_kib: u64,
    peer: Duration,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.wall.as_secs_f64() / self.peer.as_secs_f64()
    }

    fn cells(&self, name: &str) -> [String; 7] {
        [
            name.to_owned(),
            seconds(self.wall),
            seconds(self.answered),
            seconds(self.peer),
            format!("{:.2}", self.ratio()),
            seconds(self.again),
            mebibytes(self.peak_kib),
        ]
    }
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let pairs = arguments.number("--pairs")?.unwrap_or(PAIRS_DEFAULT).max(1);
    let size = arguments.number("--rows")?.map_or(generate::TEN_MEBIBYTES, Size::Rows);
    let existing = arguments.number("--existing")?.unwrap_or(EXISTING_DEFAULT);
    let database = arguments.text("--database")?;
    arguments.finish()?;

    let files = Files::write(size, existing)?;
    println!("peer: sqlite3 {}\n", crate::peer::version()?);
    let body = files.body(true)?;
    let header =
        ["pair", "purser s", "201 after s", "sqlite3 s", "ratio", "same again s", "peak MiB"];
    let mut table = Table::new(&header);
    let mut all = Vec::new();
    for pair in 0..=pairs {
        let measured = measure(&body, &files, database.as_deref())?;
        let name = if pair == 0 { "warm-up".to_owned() } else { pair.to_string() };
        table.row(&measured.cells(&name).each_ref().map(|cell| cell as _));
        if pair > 0 {
            all.push(measured);
        }
    }
    let duration = |value: fn(&Measured) -> Duration| {
        median(&all.iter().map(value).collect::<Vec<_>>()).unwrap_or_default()
    };
    let mut cells = Measured {
        wall: duration(|one| one.wall),
        answered: duration(|one| one.answered),
        again: duration(|one| one.again),
        peer: duration(|one| one.peer),
        peak_kib: median(&all.iter().map(|one| one.peak_kib).collect::<Vec<_>>())
            .unwrap_or_default(),
    }
    .cells("median");
    let ratio = median(&all.iter().map(Measured::ratio).collect::<Vec<_>>()).unwrap_or_default();
    cells[4] = format!("{ratio:.2}");
    table.row(&cells.each_ref().map(|cell| cell as _));
    table.print();
    let wall = duration(|one| one.wall);
    compare_detection(&std::fs::read(&files.csv)?, wall, database.as_deref())
}

/// What it takes to find out how a file is written, beside the time of its own import; fails above
/// the goal.
fn compare_detection(csv: &[u8], wall: Duration, database: Option<&str>) -> Result<()> {
    println!();
    let mut above = Vec::new();
    let mut compare = |what: &str, csv: &[u8], wall: Duration, is_of_an_account: bool| {
        let detection = crate::detection::measure(csv, is_of_an_account)?;
        let share = detection.as_secs_f64() * 100.0 / wall.as_secs_f64();
        println!("{what}: {} s of {} s, {share:.1} %", seconds(detection), seconds(wall));
        if share > DETECTION_PERCENT_MAX {
            above.push(what.to_owned());
        }
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    compare("detection without a balance", csv, wall, false)?;
    for (what, has_signs) in
        [("detection with a balance", true), ("detection without signs, by the balance", false)]
    {
        let (csv, rows) = crate::detection::file_with_balances(csv.len(), has_signs)?;
        compare(what, &csv, import_of_an_account(&csv, rows, database)?, true)?;
    }
    if above.is_empty() {
        return Ok(());
    }
    let above = above.join(", ");
    Err(format!("more than {DETECTION_PERCENT_MAX} % of the import: {above}").into())
}

/// The time of an import into one account of a fresh family, the median of several.
fn import_of_an_account(csv: &[u8], rows: u64, database: Option<&str>) -> Result<Duration> {
    let mut all = Vec::new();
    for _ in 0..IMPORTS_OF_AN_ACCOUNT {
        let data = Data::fresh(database)?;
        let server = Server::start(&data)?;
        let client = Client::new(&server.address, &data.family()?);
        let account = json!({ "account": {
            "name": "Main", "account_type": "depository", "currency": "USD",
        }});
        let account = client.post("/api/v1/accounts", &account)?;
        let account = account["id"].as_str().ok_or("the account has no id")?.to_owned();
        let body = upload_body_of("TransactionImport", Some(&account), csv, true);
        let started = Instant::now();
        let import = client.wait_until_complete(&client.upload(&body)?)?;
        all.push(started.elapsed());
        expect_valid(&import, rows)?;
        expect_count(&client, rows)?;
    }
    Ok(median(&all).unwrap_or_default())
}

fn measure(body: &[u8], files: &Files, database: Option<&str>) -> Result<Measured> {
    let data = Data::fresh(database)?;
    let server = Server::start(&data)?;
    let client = Client::new(&server.address, &data.family()?);
    files.fill(&client)?;

    let started = Instant::now();
    let id = client.upload(body)?;
    let answered = started.elapsed();
    let import = client.wait_until_complete(&id)?;
    let wall = started.elapsed();
    expect_valid(&import, files.rows)?;
    expect_count(&client, files.existing + files.rows)?;
    let peak_kib = server.memory_kib("VmHWM")?;

    let started = Instant::now();
    let import = client.wait_until_complete(&client.upload(body)?)?;
    let again = started.elapsed();
    expect_valid(&import, files.rows)?;
    expect_count(&client, files.existing + files.rows)?;
    drop(server);
    Ok(Measured { wall, answered, again, peak_kib, peer: measure_peer(files)? })
}

fn measure_peer(files: &Files) -> Result<Duration> {
    let folder = scratch()?;
    let peer = Peer::new(folder.path());
    if files.existing > 0 {
        peer.fill(&files.existing_csv)?;
    }
    let (wall, stored) = peer.import(&files.csv)?;
    if stored.entries != files.existing + files.rows {
        return Err(format!("{} rows were there, sqlite3 stored {stored:?}", files.rows).into());
    }
    Ok(wall)
}

pub(crate) fn expect_valid(import: &Value, rows: u64) -> Result<()> {
    if import["stats"]["valid_rows_count"] == rows {
        Ok(())
    } else {
        Err(format!("{rows} rows were sent: {import}").into())
    }
}

pub(crate) fn expect_count(client: &Client, expected: u64) -> Result<()> {
    match client.transactions_count()? {
        found if found == expected => Ok(()),
        found => Err(format!("{expected} transactions should be there, not {found}").into()),
    }
}
