//! A large first sync against the import of the same rows from a file.

use std::time::{Duration, Instant};

use purser_bank_simulator::API_KEY;
use serde_json::{Value, json};

use super::{Banks, DAYS, world};
use crate::Result;
use crate::http::{Client, upload_body_of};
use crate::server::{Data, Server};
use crate::statistics::median;
use crate::table::{Table, seconds};

/// How often it is looked whether the run has ended.
const LOOK: Duration = Duration::from_millis(5);
/// A first sync may take so many times what the import of the same rows takes.
const RATIO_MAX: f64 = 1.5;
const TIME_MAX: Duration = Duration::from_secs(600);
const PATH: &str = "/api/v1/provider_connections";

pub(super) fn measure(rows: u64, pairs: u64, database: Option<&str>) -> Result<()> {
    let mut table =
        Table::new(&["rows", "sync s", "CPU s", "import s", "CPU s", "ratio", "CPU ratio"]);
    let (mut ratios, mut cpu_ratios) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let mut world = world();
        world.accounts.truncate(1);
        world.purchases_per_day = Some(rows.div_ceil(u64::try_from(DAYS)?));
        let banks = Banks::start(world)?;
        let data = Data::fresh(database)?;
        let key = data.family()?;
        let server = Server::start_with(&data, &banks.variables())?;
        let client = Client::new(&server.address, &key);
        let before = server.cpu_time()?;
        let (found, sync) = sync(&client, &banks)?;
        let after_sync = server.cpu_time()?;
        let import = import(&client, &banks)?;
        let cpu = [(before, after_sync), (after_sync, server.cpu_time()?)];
        let cpu = cpu.map(|(from, to)| to.saturating_sub(from).as_secs_f64());
        ratios.push(sync.as_secs_f64() / import.as_secs_f64());
        cpu_ratios.push(cpu[0] / cpu[1]);
        let last = |all: &[f64]| format!("{:.2}", all.last().copied().unwrap_or_default());
        table.row(&[
            &found,
            &seconds(sync),
            &format!("{:.2}", cpu[0]),
            &seconds(import),
            &format!("{:.2}", cpu[1]),
            &last(&ratios),
            &last(&cpu_ratios),
        ]);
    }
    println!("a first sync without the time at the banks, and the import of the same rows");
    table.print();
    let [ratio, cpu_ratio] = [&ratios, &cpu_ratios].map(|all| median(all).unwrap_or_default());
    println!("ratio: {ratio:.2}, of the processors' time {cpu_ratio:.2}");
    // What else the machine does makes the clock's ratio any number, and hardly changes the other.
    if cpu_ratio > RATIO_MAX {
        return Err(format!("the goal is {RATIO_MAX} of the processors' time").into());
    }
    Ok(())
}

/// How many transactions came, and how long that took beside the time at the banks.
fn sync(client: &Client, banks: &Banks) -> Result<(u64, Duration)> {
    let made = client.post(PATH, &json!({ "provider": "lunchflow", "key": API_KEY }))?;
    let id = made["id"].as_str().or(made["data"]["id"].as_str()).ok_or("no connection")?;
    until_synced(client, id)?;
    banks.simulator.take_requests();
    let found = client.get(&format!("{PATH}/{id}/accounts"))?;
    let account = found["data"][0]["id"].as_str().ok_or("no account")?;
    client.post(&format!("{PATH}/{id}/accounts/{account}/link"), &json!({}))?;
    until_synced(client, id)?;
    let ended = Instant::now();
    let (began, at_banks) = banks.simulator.times();
    let took = ended - began.ok_or("the banks weren't asked")?;
    Ok((client.transactions_count()?, took.saturating_sub(at_banks)))
}

fn until_synced(client: &Client, id: &str) -> Result<()> {
    let started = Instant::now();
    while started.elapsed() < TIME_MAX {
        let connection = client.get(&format!("{PATH}/{id}"))?;
        let run = &connection["sync"];
        if run["syncing"] == Value::Bool(false) && run["latest"]["status"] == "completed" {
            return Ok(());
        }
        if run["latest"]["status"] == "failed" {
            return Err(format!("the run failed: {connection}").into());
        }
        std::thread::sleep(LOOK);
    }
    Err("the run doesn't end".into())
}

/// How long the same rows take from a file.
fn import(client: &Client, banks: &Banks) -> Result<Duration> {
    let account = json!({ "name": "File", "account_type": "depository", "currency": "EUR" });
    let account = client.post("/api/v1/accounts", &account)?;
    let account = account["id"].as_str().ok_or("the account has no id")?;
    let world = banks.simulator.world();
    let first = world.today.saturating_sub(jiff::Span::new().days(DAYS));
    let mut csv = String::from("date,amount,name,notes\n");
    for row in world.rows(&world.accounts[0], false).iter().filter(|row| row.date >= first) {
        let (sign, cents) = (if row.amount < 0 { "-" } else { "" }, row.amount.unsigned_abs());
        let amount = format!("{sign}{}.{:02}", cents / 100, cents % 100);
        csv.push_str(&format!("{},{amount},{},{}\n", row.date, row.payee, row.description));
    }
    let body = upload_body_of("TransactionImport", Some(account), csv.as_bytes(), true);
    let started = Instant::now();
    let import = client.upload(&body)?;
    client.wait_until_complete(&import)?;
    Ok(started.elapsed())
}
