//! What a request, a sign-in, a job and an idle server cost beside few and beside very many
//! families: none of it may depend on how many there are. All servers are measured in turn, and the
//! times of the processors are compared with the [`goals`]; beyond those the command fails.

mod copies;
mod goals;
mod others;

use std::fmt::Display;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use self::goals::{CATCHING_UP, Costs, IDLE, OPERATIONS};
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, SignIn, upload_body};
use crate::server::{Data, PASSWORD, Server, scratch};
use crate::statistics::percentile;
use crate::table::Table;
use crate::{Result, processor_time};

const FAMILIES_DEFAULT: [u64; 3] = [1, 1_000, 100_000];
/// Families that are measured beside the others.
const MEASURED: u64 = 20;
/// Rows in each of them.
const ROWS: u64 = 1_000;
/// Every cost is measured in so many parts, in turn beside few and beside many: so whatever else
/// the machine does costs all of them the same.
const PARTS: usize = 5;
/// Reads and writes of each family in a part.
const ROUNDS: usize = 10;
/// In which an import has come to its end, or nearly so.
const IMPORT_TIME: Duration = Duration::from_millis(250);

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--families", &FAMILIES_DEFAULT)?;
    let database = arguments.text("--database")?;
    arguments.finish()?;
    let all = sizes.iter().map(|size| Beside::new(*size, database.as_deref()));
    let all: Vec<Beside> = all.collect::<Result<_>>()?;
    let steps = steps(&all)?;
    let idle = idle(&all)?;
    let mut columns = vec!["families".to_owned()];
    for step in OPERATIONS {
        columns.extend(["ms", "p99", "CPU ms"].map(|figure| format!("{step} {figure}")));
    }
    columns.extend(["idle CPU ms/s", "idle MiB"].map(str::to_owned));
    let mut table = Table::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut fewest, mut missed) = (None, Vec::new());
    for (at, beside) in all.iter().enumerate() {
        let costs =
            Costs { operations: steps.each_ref().map(|step| step[at].worked()), idle: idle[at] };
        let mut cells = vec![beside.others.to_string()];
        for step in &steps {
            let [median, high] =
                [50, 99].map(|percent| percentile(&mut step[at].times.clone(), percent));
            cells.extend([median, high, step[at].worked()].map(milliseconds));
        }
        cells.push(milliseconds(idle[at].div_f64(IDLE.as_secs_f64())));
        cells.push(format!("{:.1}", beside.server.memory_kib("VmRSS")? as f64 / 1024.0));
        let cells: Vec<&dyn Display> = cells.iter().map(|cell| cell as &dyn Display).collect();
        table.row(&cells);
        let apart = goals::missed(fewest.get_or_insert(costs), &costs);
        let others = beside.others;
        missed.extend(apart.iter().map(|goal| format!("{goal} beside {others} families")));
    }
    table.print();
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("goals are missed: {}", missed.join("; ")).into())
}

/// Each operation, beside each number of families.
fn steps(all: &[Beside]) -> Result<[Vec<Step>; 4]> {
    let read = step(all, ROUNDS, |family, _| {
        timed(|| family.client.get("/api/v1/transactions?per_page=25").map(drop))
    })?;
    let write = step(all, ROUNDS, |family, round| {
        let date = format!("2024-{:02}-{:02}", round / 28 % 12 + 1, round % 28 + 1);
        let valuation = json!({ "account_id": family.account, "date": date, "amount": round });
        let body = json!({ "valuation": valuation });
        timed(|| family.client.post("/api/v1/valuations", &body).map(drop))
    })?;
    let sign_in = step(all, 1, |family, _| {
        let page = SignIn::open(&family.address)?;
        timed(|| page.enter(&family.email, PASSWORD))
    })?;
    let import = step(all, 1, |family, round| {
        let csv = format!(
            "date,amount,name,account\n2024-02-01,-{round}.01,A,Checking\n\
             2024-02-02,+{round}.02,B,Checking\n"
        );
        let mut import = String::new();
        let answered = timed(|| {
            import = family.client.upload(&upload_body(csv.as_bytes(), true))?;
            Ok(())
        })?;
        // Each time that is asked for its end costs as much as a read.
        sleep(IMPORT_TIME);
        family.client.wait_until_complete(&import)?;
        Ok(answered)
    })?;
    Ok([read, write, sign_in, import])
}

/// What an operation took beside one number of families.
#[derive(Debug, Default)]
struct Step {
    /// Times by the clock.
    times: Vec<Duration>,
    /// Time of the processors, of all together.
    total: Duration,
}

impl Step {
    /// Time of the processors, the mean.
    fn worked(&self) -> Duration {
        self.total.div_f64(self.times.len() as f64)
    }
}

/// The same request to each family, so many times in a part.
fn step(
    all: &[Beside],
    rounds: usize,
    request: impl Fn(&Measured, usize) -> Result<Duration>,
) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = all.iter().map(|_| Step::default()).collect();
    for part in 0..PARTS {
        for at in (0..all.len()).map(|at| (at + part) % all.len()) {
            let (beside, step) = (&all[at], &mut steps[at]);
            let before = beside.time()?;
            for round in part * rounds..(part + 1) * rounds {
                for family in &beside.families {
                    step.times.push(request(family, round)?);
                }
            }
            step.total += beside.time()? - before;
        }
    }
    Ok(steps)
}

/// What an idle server takes beside each number of families. The other servers stand still
/// meanwhile, because they may have the same PostgreSQL.
fn idle(all: &[Beside]) -> Result<Vec<Duration>> {
    let mut idle = vec![Duration::ZERO; all.len()];
    all.iter().try_for_each(|beside| beside.server.signal("STOP"))?;
    for _ in 0..PARTS {
        for (beside, idle) in all.iter().zip(&mut idle) {
            beside.server.signal("CONT")?;
            // What should have been done meanwhile.
            sleep(CATCHING_UP);
            let before = beside.time()?;
            sleep(IDLE.div_f64(PARTS as f64));
            *idle += beside.time()? - before;
            beside.server.signal("STOP")?;
        }
    }
    all.iter().try_for_each(|beside| beside.server.signal("CONT"))?;
    Ok(idle)
}

/// A server with so many families, and those that are measured.
struct Beside {
    others: u64,
    server: Server,
    /// The first process of PostgreSQL, if that is the database.
    postgres: Option<u32>,
    families: Vec<Measured>,
    _data: Data,
}

impl Beside {
    fn new(others: u64, database: Option<&str>) -> Result<Self> {
        let data = Data::fresh(database)?;
        others::make(&data, others)?;
        let server = Server::start(&data)?;
        let families = (0..MEASURED).map(|number| Measured::new(&data, &server, number));
        let families = families.collect::<Result<_>>()?;
        data.settle()?;
        let postgres = data.postgres_process()?;
        Ok(Self { others, server, postgres, families, _data: data })
    }

    /// The time of the processors of all that works for the requests.
    fn time(&self) -> Result<Duration> {
        let postgres = self.postgres.map(processor_time::with_children).transpose()?;
        Ok(self.server.cpu_time()? + postgres.unwrap_or_default())
    }
}

/// A family that is measured.
struct Measured {
    address: String,
    email: String,
    client: Client,
    account: String,
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
        Ok(Self { address: server.address.clone(), email, client, account })
    }
}
