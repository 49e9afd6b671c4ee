//! What a request, a sign-in, a job and an idle server cost beside few and beside very many
//! families: none of it may depend on how many there are. The times of the processors are compared
//! with the [`goals`]; beyond those the command fails.

mod copies;
mod goals;
mod others;

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use self::goals::{Costs, IDLE, OPERATIONS};
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, SignIn, upload_body};
use crate::server::{Data, PASSWORD, Server, scratch};
use crate::statistics::percentile;
use crate::table::Table;
use crate::{Result, processor_time};

const FAMILIES_DEFAULT: [u64; 3] = [1, 1_000, 100_000];
/// Families that are measured, one after the other.
const MEASURED: u64 = 20;
/// Rows in each of them.
const ROWS: u64 = 1_000;
/// Reads and writes of each of them.
const ROUNDS: usize = 50;
/// Imports into each of them.
const IMPORTS: usize = 5;

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--families", &FAMILIES_DEFAULT)?;
    let database = arguments.text("--database")?;
    arguments.finish()?;
    let mut columns = vec!["families".to_owned()];
    for step in OPERATIONS {
        columns.extend(["ms", "p99", "CPU ms"].map(|figure| format!("{step} {figure}")));
    }
    columns.extend(["idle CPU ms/s", "idle MiB"].map(str::to_owned));
    let mut table = Table::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut fewest, mut missed) = (None, Vec::new());
    for size in sizes {
        let data = Data::fresh(database.as_deref())?;
        others::make(&data, size)?;
        let mut cells = vec![size.to_string()];
        let (measured, costs) = measure(&data)?;
        cells.extend(measured);
        let apart = goals::missed(fewest.get_or_insert(costs), &costs);
        missed.extend(apart.iter().map(|goal| format!("{goal} beside {size} families")));
        let cells: Vec<&dyn std::fmt::Display> =
            cells.iter().map(|cell| cell as &dyn std::fmt::Display).collect();
        table.row(&cells);
    }
    table.print();
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("goals are missed: {}", missed.join("; ")).into())
}

/// A family that is measured.
struct Measured {
    email: String,
    client: Client,
    account: String,
}

/// The cells of one number of families, and the costs that are compared.
fn measure(data: &Data) -> Result<(Vec<String>, Costs)> {
    let server = Server::start(data)?;
    let families = (0..MEASURED).map(|number| Measured::new(data, &server, number));
    let families: Vec<Measured> = families.collect::<Result<_>>()?;
    let processors = Processors { server: &server, postgres: data.postgres_process()? };
    let read = processors.step(&families, ROUNDS, |family, _| {
        timed(|| family.client.get("/api/v1/transactions?per_page=25").map(drop))
    })?;
    let write = processors.step(&families, ROUNDS, |family, round| {
        let date = format!("2024-{:02}-{:02}", round / 28 % 12 + 1, round % 28 + 1);
        let valuation = json!({ "account_id": family.account, "date": date, "amount": round });
        let body = json!({ "valuation": valuation });
        timed(|| family.client.post("/api/v1/valuations", &body).map(drop))
    })?;
    let sign_in = processors.step(&families, 1, |family, _| {
        let page = SignIn::open(&server.address)?;
        timed(|| page.enter(&family.email, PASSWORD))
    })?;
    let import = processors.step(&families, IMPORTS, |family, round| {
        let csv = format!(
            "date,amount,name,account\n2024-02-01,-{round}.01,A,Checking\n\
             2024-02-02,+{round}.02,B,Checking\n"
        );
        timed(|| {
            let import = family.client.upload(&upload_body(csv.as_bytes(), true))?;
            family.client.wait_until_complete(&import).map(drop)
        })
    })?;
    let steps = [read, write, sign_in, import];
    let mut cells: Vec<String> = steps.iter().flatten().copied().map(milliseconds).collect();
    let before = processors.time()?;
    sleep(IDLE);
    let idle = processors.time()? - before;
    cells.push(milliseconds(idle.div_f64(IDLE.as_secs_f64())));
    cells.push(format!("{:.1}", server.memory_kib("VmRSS")? as f64 / 1024.0));
    Ok((cells, Costs { operations: steps.map(|[.., worked]| worked), idle }))
}

/// What works for the requests: the server, and PostgreSQL if that is the database.
struct Processors<'a> {
    server: &'a Server,
    postgres: Option<u32>,
}

impl Processors<'_> {
    fn time(&self) -> Result<Duration> {
        let postgres = self.postgres.map(processor_time::with_children).transpose()?;
        Ok(self.server.cpu_time()? + postgres.unwrap_or_default())
    }

    /// The same request to each family, so many times: its time by the clock, median and 99th
    /// percentile, and its time of the processors, the mean.
    fn step(
        &self,
        families: &[Measured],
        rounds: usize,
        request: impl Fn(&Measured, usize) -> Result<Duration>,
    ) -> Result<[Duration; 3]> {
        let before = self.time()?;
        let mut times = Vec::new();
        for round in 0..rounds {
            for family in families {
                times.push(request(family, round)?);
            }
        }
        let worked = (self.time()? - before).div_f64(times.len() as f64);
        let [median, high] = [50, 99].map(|percent| percentile(&mut times, percent));
        Ok([median, high, worked])
    }
}

/// How long something takes by the clock.
fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64() * 1000.0)
}

impl Measured {
    fn new(data: &Data, server: &Server, number: u64) -> Result<Self> {
        let email = format!("measured{number}@example.com");
        let client = Client::new(&server.address, &data.family_of(&email)?);
        let account = json!({ "name": "Other", "account_type": "depository", "currency": "USD" });
        let made = client.post("/api/v1/accounts", &account)?;
        let account = made["id"].as_str().ok_or("the account has no id")?.to_owned();
        let files = scratch()?;
        let csv = files.path().join("seed.csv");
        generate::write(&csv, Size::Rows(ROWS), generate::SEED)?;
        let import = client.upload(&upload_body(&fs::read(&csv)?, true))?;
        client.wait_until_complete(&import)?;
        Ok(Self { email, client, account })
    }
}
