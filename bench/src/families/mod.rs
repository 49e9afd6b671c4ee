//! What a request, a sign-in, a job and an idle server cost beside few and beside very many
//! families: none of it may depend on how many there are.

mod copies;
mod others;

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Result;
use crate::arguments::Arguments;
use crate::generate::{self, Size};
use crate::http::{Client, SignIn, upload_body};
use crate::server::{Data, PASSWORD, Server, scratch};
use crate::statistics::percentile;
use crate::table::Table;

const FAMILIES_DEFAULT: [u64; 3] = [1, 1_000, 100_000];
/// Families that are measured, one after the other.
const MEASURED: u64 = 20;
/// Rows in each of them.
const ROWS: u64 = 1_000;
/// Requests to each of them.
const ROUNDS: usize = 50;
/// How long the idle server is watched.
const IDLE: Duration = Duration::from_secs(60);

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let sizes = arguments.numbers("--families", &FAMILIES_DEFAULT)?;
    let database = arguments.text("--database")?;
    arguments.finish()?;
    let mut table = Table::new(&[
        "families",
        "read ms",
        "p99",
        "write ms",
        "p99",
        "sign-in ms",
        "import ms",
        "CPU s",
        "idle CPU ms/s",
        "idle MiB",
    ]);
    for size in sizes {
        let data = Data::fresh(database.as_deref())?;
        others::make(&data, size)?;
        let mut cells = vec![size.to_string()];
        cells.extend(measure(&data)?);
        let cells: Vec<&dyn std::fmt::Display> =
            cells.iter().map(|cell| cell as &dyn std::fmt::Display).collect();
        table.row(&cells);
    }
    table.print();
    Ok(())
}

/// A family that is measured.
struct Measured {
    email: String,
    client: Client,
    account: String,
}

fn measure(data: &Data) -> Result<Vec<String>> {
    let server = Server::start(data)?;
    let families = (0..MEASURED).map(|number| Measured::new(data, &server, number));
    let families: Vec<Measured> = families.collect::<Result<_>>()?;
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for family in &families {
            let started = Instant::now();
            family.client.get("/api/v1/transactions?per_page=25")?;
            reads.push(started.elapsed());
            let date = format!("2024-{:02}-{:02}", round / 28 % 12 + 1, round % 28 + 1);
            let valuation = json!({ "account_id": family.account, "date": date, "amount": round });
            let started = Instant::now();
            family.client.post("/api/v1/valuations", &json!({ "valuation": valuation }))?;
            writes.push(started.elapsed());
        }
    }
    let (mut sign_ins, mut imports) = (Vec::new(), Vec::new());
    for (number, family) in families.iter().enumerate() {
        let page = SignIn::open(&server.address)?;
        let started = Instant::now();
        page.enter(&family.email, PASSWORD)?;
        sign_ins.push(started.elapsed());
        let csv = format!(
            "date,amount,name,account\n2024-02-01,-{number}.01,A,Checking\n\
             2024-02-02,+{number}.02,B,Checking\n"
        );
        let started = Instant::now();
        let import = family.client.upload(&upload_body(csv.as_bytes(), true))?;
        family.client.wait_until_complete(&import)?;
        imports.push(started.elapsed());
    }
    // All that was asked of the server so far is the same, however many families there are.
    let before = server.cpu_time()?;
    sleep(IDLE);
    let idle = (server.cpu_time()? - before).as_secs_f64() * 1000.0 / IDLE.as_secs_f64();
    let milliseconds = |times: &mut Vec<Duration>, percent| {
        format!("{:.2}", percentile(times, percent).as_secs_f64() * 1000.0)
    };
    Ok(vec![
        milliseconds(&mut reads, 50),
        milliseconds(&mut reads, 99),
        milliseconds(&mut writes, 50),
        milliseconds(&mut writes, 99),
        milliseconds(&mut sign_ins, 50),
        milliseconds(&mut imports, 50),
        format!("{:.2}", before.as_secs_f64()),
        format!("{idle:.2}"),
        format!("{:.1}", server.memory_kib("VmRSS")? as f64 / 1024.0),
    ])
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
