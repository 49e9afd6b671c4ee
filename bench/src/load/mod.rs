//! Much at a time by one key: the memory of the server, and what another family notices.
//!
//! One family has many entries. For each kind of load its key sends many requests at once, each on
//! a connection of its own; meanwhile a client of another family reads and writes, one request
//! after the other. Printed are the answers, the memory at most and some time after the last
//! answer, and the other family's latencies.

mod other;
mod requests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body};
use crate::server::{Data, Server, scratch};
use crate::table::{Table, mebibytes, seconds};
use other::{Latencies, OtherFamily};
use requests::{Answers, Request, send_all};

const ROWS_DEFAULT: u64 = 400_000;
const REQUESTS_DEFAULT: u64 = 500;
const REST_DEFAULT: u64 = 30;
/// How long the other family's client is watched while nothing else happens.
const QUIET: Duration = Duration::from_secs(3);
/// Rows of one import of the entries.
const ROWS_OF_IMPORT_MAX: u64 = 200_000;

/// The key that sends much, and what it knows.
struct Sender {
    client: Client,
    key: String,
    upload: Vec<u8>,
    import: String,
}

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let rows = arguments.number("--rows")?.unwrap_or(ROWS_DEFAULT).max(1);
    let count = arguments.number("--requests")?.unwrap_or(REQUESTS_DEFAULT).max(1);
    let rest = Duration::from_secs(arguments.number("--rest")?.unwrap_or(REST_DEFAULT));
    let database = arguments.text("--database")?;
    let only = arguments.text("--only")?;
    arguments.finish()?;

    let data = Data::fresh(database.as_deref())?;
    let server = Server::start(&data)?;
    let sender = Sender::new(&data, &server, rows)?;
    let other = OtherFamily::new(&data, &server)?;
    println!("{rows} entries, {count} requests at once, memory again after {} s\n", rest.as_secs());
    let header = [
        "load",
        "s",
        "200",
        "503",
        "other",
        "MiB at most",
        "MiB after",
        "read p50 ms",
        "read slowest",
        "write p50 ms",
        "write slowest",
    ];
    let mut table = Table::new(&header);
    let quiet = watched(&other, || {
        std::thread::sleep(QUIET);
        Ok(Answers::default())
    });
    row(&mut table, "nothing", &server, quiet?, Duration::ZERO)?;
    for (name, requests) in sender.loads(count) {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        server.forget_peak()?;
        let measured = watched(&other, || send_all(&server.address, requests))?;
        row(&mut table, name, &server, measured, rest)?;
    }
    if only.is_none() {
        server.forget_peak()?;
        let measured = watched(&other, || sender.publish_and_undo())?;
        row(&mut table, "a publish and its undo", &server, measured, rest)?;
    }
    table.print();
    Ok(())
}

/// The answers to a load, how long it took, and the other family's latencies meanwhile.
type Measured = (Answers, Duration, Latencies);

fn watched(other: &OtherFamily, work: impl FnOnce() -> Result<Answers>) -> Result<Measured> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| other.use_until(&stop).map_err(|error| error.to_string()));
        let started = Instant::now();
        let answers = work();
        let wall = started.elapsed();
        stop.store(true, Ordering::Relaxed);
        let latencies = watch.join().map_err(|_| "the other family's client panicked")??;
        Ok((answers?, wall, latencies))
    })
}

fn row(
    table: &mut Table,
    name: &str,
    server: &Server,
    (answers, wall, latencies): Measured,
    rest: Duration,
) -> Result<()> {
    let peak = server.memory_kib("VmHWM")?;
    std::thread::sleep(rest);
    let [read, slowest_read, write, slowest_write] = latencies.cells();
    table.row(&[
        &name,
        &seconds(wall),
        &answers.good,
        &answers.busy,
        &answers.other,
        &mebibytes(peak),
        &mebibytes(server.memory_kib("VmRSS")?),
        &read,
        &slowest_read,
        &write,
        &slowest_write,
    ]);
    Ok(())
}

impl Sender {
    fn new(data: &Data, server: &Server, rows: u64) -> Result<Self> {
        let key = data.family()?;
        let client = Client::new(&server.address, &key);
        let files = scratch()?;
        let csv = files.path().join("load.csv");
        let (mut left, mut number) = (rows, 0);
        while left > 0 {
            let part = left.min(ROWS_OF_IMPORT_MAX);
            // Equal files would be recognised.
            generate::write(&csv, Size::Rows(part), generate::SEED + 2 * number)?;
            client
                .wait_until_complete(&client.upload(&upload_body(&std::fs::read(&csv)?, true))?)?;
            (left, number) = (left - part, number + 1);
        }
        generate::write(&csv, generate::TEN_MEBIBYTES, generate::SEED + 2 * number)?;
        let upload = upload_body(&std::fs::read(&csv)?, false);
        let import = client.upload(&upload)?;
        Ok(Self { client, key, upload, import })
    }

    /// The kinds of load by name.
    fn loads(&self, count: u64) -> Vec<(&'static str, Vec<Request>)> {
        let get = |path: &str| Request::get(&self.key, path);
        let days = get("reports/net_worth?start_date=2016-01-01&end_date=2025-12-31&interval=day");
        let century =
            get("reports/net_worth?start_date=1926-01-01&end_date=2025-12-31&interval=day");
        let months =
            get("reports/net_worth?start_date=1926-01-01&end_date=2025-12-31&interval=month");
        let flow = get("reports/cash_flow?start_date=1926-01-01&end_date=2025-12-31");
        let page = get("transactions?per_page=100");
        let search = get("transactions?per_page=100&search=nothing+like+it");
        let balances = get("balances?per_page=100");
        let rule = json!({ "rule": { "name": "Load", "resource_type": "transaction",
            "conditions": [{ "condition_type": "transaction_name", "operator": "like",
                "value": "nothing like it" }],
            "actions": [{ "action_type": "exclude_transaction" }] } });
        let preview = Request::post(&self.key, "rules/preview", &rule);
        let table = Request::table(&self.key, 10 * 1024 * 1024 - 100);
        let upload = Request::upload(&self.key, &self.upload);
        let mixed = [&days, &page, &search, &months, &flow, &page, &balances, &century, &preview];
        let mut all = repeat(&mixed, count);
        let large = all.len() / 20;
        all.extend(repeat(&[&table, &upload], large as u64));
        vec![
            ("64 searches", repeat(&[&search], 64)),
            ("60 previews", repeat(&[&preview], 60)),
            ("net worth by day over a century", repeat(&[&century], count)),
            ("net worth by day over ten years", repeat(&[&days], count)),
            ("… that nobody reads", repeat(&[&days.clone().unread()], count)),
            ("pages of 100", repeat(&[&page], count)),
            ("a table of 10 MiB", repeat(&[&table], 32)),
            ("uploads of 10 MiB", repeat(&[&upload], 32)),
            ("all of it mixed", all),
        ]
    }

    fn publish_and_undo(&self) -> Result<Answers> {
        let path = format!("/api/v1/imports/{}/publish", self.import);
        self.client.post(&path, &json!({}))?;
        self.client.wait_until_complete(&self.import)?;
        self.client.undo(&self.import)?;
        Ok(Answers::default())
    }
}

/// So many requests, one kind after the other.
fn repeat(kinds: &[&Request], count: u64) -> Vec<Request> {
    kinds.iter().cycle().take(count as usize).map(|kind| (*kind).clone()).collect()
}
