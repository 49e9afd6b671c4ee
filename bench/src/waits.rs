//! How long another family's writes take while a file is published.
//!
//! One family uploads and publishes a file; from the first byte to `complete` a client of another
//! family writes one valuation after the other. A round before shows what such a write takes when
//! nothing else happens. The last column is the largest size of SQLite's log that was seen.

use std::fs::metadata;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::Size;
use crate::http::Client;
use crate::import::{Files, expect_valid};
use crate::native;
use crate::server::{Data, Server};
use crate::statistics::percentile;
use crate::table::{Table, seconds};

const ROWS_DEFAULT: [u64; 2] = [135_000, 1_000_000];
const QUIET: Duration = Duration::from_secs(2);

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--rows", &ROWS_DEFAULT)?;
    let database = arguments.text("--database")?;
    let format = arguments.text("--format")?.unwrap_or_else(|| "csv".to_owned());
    arguments.finish()?;

    let header = ["rows", "import s", "writes", "p50 ms", "p99 ms", "slowest ms", "log MiB"];
    let mut table = Table::new(&header);
    for rows in sizes {
        let files = Files::write(Size::Rows(rows), 0)?;
        let (body, rows) = match format.as_str() {
            "csv" => (files.body(true)?, rows),
            "native" => native::body(&files)?,
            other => return Err(format!("--format: '{other}' is neither csv nor native").into()),
        };
        let data = Data::fresh(database.as_deref())?;
        let server = Server::start(&data)?;
        let client = Client::new(&server.address, &data.family()?);
        let other = Other::new(&data, &server)?;

        let stop = AtomicBool::new(false);
        let quiet = std::thread::scope(|scope| {
            let writes = scope.spawn(|| other.write_until(&stop).map_err(|e| e.to_string()));
            std::thread::sleep(QUIET);
            stop.store(true, Ordering::Relaxed);
            writes.join().map_err(|_| "the other family's client panicked")?
        })?;
        table.row(&cells("nothing", None, quiet).each_ref().map(|cell| cell as _));

        let stop = AtomicBool::new(false);
        let (wall, busy) = std::thread::scope(|scope| -> Result<_> {
            let writes = scope.spawn(|| other.write_until(&stop).map_err(|e| e.to_string()));
            let started = Instant::now();
            let import = client.upload(&body).and_then(|id| client.wait_until_complete(&id));
            let wall = started.elapsed();
            stop.store(true, Ordering::Relaxed);
            let writes = writes.join().map_err(|_| "the other family's client panicked")??;
            expect_valid(&import?, rows)?;
            Ok((wall, writes))
        })?;
        let name = rows.to_string();
        table.row(&cells(&name, Some(wall), busy).each_ref().map(|cell| cell as _));
    }
    println!();
    table.print();
    Ok(())
}

fn cells(name: &str, wall: Option<Duration>, seen: ObservedWrites) -> [String; 7] {
    let ObservedWrites { mut writes, log_bytes } = seen;
    let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
    [
        name.to_owned(),
        wall.map(seconds).unwrap_or_default(),
        writes.len().to_string(),
        milliseconds(percentile(&mut writes, 50)),
        milliseconds(percentile(&mut writes, 99)),
        milliseconds(percentile(&mut writes, 100)),
        format!("{:.1}", log_bytes as f64 / f64::from(1024 * 1024)),
    ]
}

/// Another family with an account.
struct Other {
    client: Client,
    account: String,
    log: PathBuf,
}

/// What the other family sees while it writes.
struct ObservedWrites {
    /// How long each write took.
    writes: Vec<Duration>,
    /// The largest size of SQLite's log; 0 without one.
    log_bytes: u64,
}

impl Other {
    fn new(data: &Data, server: &Server) -> Result<Self> {
        let client = Client::new(&server.address, &data.family_of("other@example.com")?);
        let account = json!({ "name": "Other", "account_type": "depository", "currency": "USD" });
        let made = client.post("/api/v1/accounts", &account)?;
        let account = made["id"].as_str().ok_or("the account has no id")?.to_owned();
        let log = data.sqlite_file().with_extension("db-wal");
        Ok(Self { client, account, log })
    }

    /// Writes valuations of different days until it is to stop.
    fn write_until(&self, stop: &AtomicBool) -> Result<ObservedWrites> {
        let (mut taken, mut log_bytes) = (Vec::new(), 0);
        while !stop.load(Ordering::Relaxed) {
            let number = taken.len();
            let date = format!("2024-{:02}-{:02}", number / 28 % 12 + 1, number % 28 + 1);
            let valuation = json!({ "account_id": self.account, "date": date, "amount": number });
            let started = Instant::now();
            self.client.post("/api/v1/valuations", &json!({ "valuation": valuation }))?;
            taken.push(started.elapsed());
            log_bytes = metadata(&self.log).map_or(0, |log| log.len()).max(log_bytes);
        }
        Ok(ObservedWrites { writes: taken, log_bytes })
    }
}
