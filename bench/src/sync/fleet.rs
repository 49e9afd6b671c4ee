//! Many connections on one node, and what another family notices of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use purser_app::secrets::{SecretKeys, SecretOwner};
use purser_bank_simulator::world::Account;
use purser_core::connection::FoundAccountState;
use purser_core::ids::ConnectionId;
use purser_core::ledger::new_account::AccountInput;
use purser_core::money::Currency;
use purser_store::audit::Actor;
use purser_store::connections::changes::{self, NewConnection};
use purser_store::connections::found::{self, ListedAccount};
use purser_store::families::{self, NewFamily};
use purser_store::users::{NewUser, Role};
use purser_store::{FamilyTx, Secret, accounts};

use super::{Banks, world};
use crate::Result;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body};
use crate::server::{Data, Server, scratch};
use crate::statistics::percentile;
use crate::table::{Table, mebibytes, seconds};

/// The pause between two reads of the other family.
const PAUSE: Duration = Duration::from_millis(20);
/// How often it is looked whether everything is synced.
const LOOK: Duration = Duration::from_millis(500);
/// Everything must be synced within the hour.
const TIME_MAX: Duration = Duration::from_secs(3_600);
/// 99 of 100 reads of the other family must be as fast meanwhile.
const READ_MAX: Duration = Duration::from_millis(20);
/// Transactions of the other family.
const ROWS: u64 = 10_000;

/// Connections, each with five accounts and ninety days.
pub(super) struct Fleet {
    pub(super) connections: u64,
    pub(super) families: u64,
    /// How long the provider takes to answer.
    pub(super) answer: Duration,
}

impl Fleet {
    pub(super) fn measure(&self, database: Option<&str>) -> Result<()> {
        let data = Data::fresh(database)?;
        let banks = Banks::start(world())?;
        let keys: Vec<String> =
            (0..self.connections).map(|number| format!("key-{number}")).collect();
        banks.simulator.set_keys(&keys.iter().map(String::as_str).collect::<Vec<_>>());
        let reader = data.family_of("reader@example.com")?;
        self.fill(&data, &keys)?;
        // PostgreSQL would do it by itself, but at a time that nobody knows.
        data.analyse()?;
        let variables = banks.variables();
        let mut table = Table::new(&[
            "runs", "seconds", "requests", "CPU s", "peak MiB", "reads", "read ms", "p99",
        ]);
        let (answer, mut slowest) = (self.answer, Duration::ZERO);
        for name in ["first", "nothing new"] {
            banks.simulator.set_delay(Duration::ZERO);
            let server = Server::start_with(&data, &[])?;
            let client = Client::new(&server.address, &reader);
            if name == "first" {
                seed(&client)?;
            }
            drop(server);
            self.make_due(&data)?;
            banks.simulator.set_delay(answer);
            banks.simulator.take_requests();
            let server = Server::start_with(&data, &variables)?;
            let client = Client::new(&server.address, &reader);
            let (took, mut reads) = self.until_synced(&client)?;
            let requests = banks.simulator.take_requests().len();
            let milliseconds = |reads: &mut [Duration], percent| {
                format!("{:.2}", percentile(reads, percent).as_secs_f64() * 1000.0)
            };
            table.row(&[
                &name,
                &seconds(took),
                &requests,
                &format!("{:.1}", server.cpu_time()?.as_secs_f64()),
                &mebibytes(server.memory_kib("VmHWM")?),
                &reads.len(),
                &milliseconds(&mut reads, 50),
                &milliseconds(&mut reads, 99),
            ]);
            slowest = slowest.max(percentile(&mut reads, 99));
            if took > TIME_MAX {
                return Err("not everything was synced within the hour".into());
            }
        }
        println!("{} connections, each answer takes {:?}", self.connections, self.answer);
        table.print();
        self.require_all(&data, &banks)?;
        if slowest > READ_MAX {
            return Err(format!("99 of 100 reads are to take {READ_MAX:?} at most").into());
        }
        Ok(())
    }

    /// Makes families with connections of which the accounts are linked.
    fn fill(&self, data: &Data, keys: &[String]) -> Result<()> {
        let store = data.store()?;
        let secrets = SecretKeys::in_directory(&data.folder().join("data"));
        let accounts = world().accounts;
        let hash = Secret::new("nobody signs in with this".to_owned());
        let each = keys.len().div_ceil(usize::try_from(self.families)?).max(1);
        for (number, keys) in keys.chunks(each).enumerate() {
            let email = format!("admin{number}@example.com");
            let made = store.found_blocking(|tx, id| {
                let family = NewFamily { name: "F", currency: Currency::EUR, time_zone: "UTC" };
                let (role, password_hash) = (Role::Admin, &hash);
                let admin = NewUser { email: &email, name: "Admin", role, password_hash };
                families::create(tx, id, &family, &admin)
            });
            let access = made?.0.access(Actor::CommandLine);
            store.write_blocking(access, |tx| {
                keys.iter().try_for_each(|key| connect(tx, &secrets, key, &accounts))
            })?;
        }
        Ok(())
    }

    /// All connections are due at once, and those that had a run before, too.
    fn make_due(&self, data: &Data) -> Result<()> {
        let statement = "UPDATE connections SET next_attempt_at = 0, not_before = NULL;
            UPDATE due SET due_at = 0";
        match data.database_url() {
            None => rusqlite::Connection::open(data.sqlite_file())?.execute_batch(statement)?,
            Some(url) => {
                let mut client = postgres::Client::connect(&url, postgres::NoTls)?;
                client.batch_execute(&format!("SET purser.family = 'all'; {statement}"))?;
            }
        }
        Ok(())
    }

    /// Waits until each connection had a run; meanwhile another family reads.
    fn until_synced(&self, client: &Client) -> Result<(Duration, Vec<Duration>)> {
        let (started, is_over) = (Instant::now(), AtomicBool::new(false));
        let mut reads = Vec::new();
        let took = scope(|scope| {
            let reading = scope.spawn(|| read(client, &is_over).map_err(|error| error.to_string()));
            let took = self.watch(client, started);
            is_over.store(true, Ordering::SeqCst);
            reads = reading.join().map_err(|_| "the reader failed")??;
            took.map_err(|error| error.to_string())
        })?;
        Ok((took, reads))
    }

    fn watch(&self, client: &Client, started: Instant) -> Result<Duration> {
        loop {
            let metrics = client.get_text("/metrics")?;
            let of = |result: &str| {
                let lines = metrics.lines().filter(|line| line.starts_with("purser_syncs_total"));
                let lines = lines.filter(|line| line.contains(result));
                let numbers = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
                numbers.sum::<u64>()
            };
            let (completed, failed) = (of("completed"), of("failed"));
            if failed > 0 {
                return Err(format!("{failed} runs failed").into());
            }
            if completed >= self.connections || started.elapsed() > TIME_MAX {
                return Ok(started.elapsed());
            }
            sleep(LOOK);
        }
    }

    /// Each account has every transaction of its bank.
    fn require_all(&self, data: &Data, banks: &Banks) -> Result<()> {
        if data.database_url().is_some() {
            return Ok(());
        }
        let world = banks.simulator.world();
        let first = world.today.saturating_sub(jiff::Span::new().days(super::DAYS));
        let rows = world.accounts.iter().flat_map(|account| world.rows(account, false));
        let each = rows.filter(|row| row.date >= first).count() as u64;
        let (found, wanted) = (data.count_transactions()?, each * self.connections + ROWS);
        if found == wanted {
            println!("{found} transactions, as many as the banks have");
            return Ok(());
        }
        Err(format!("{found} transactions instead of {wanted}").into())
    }
}

fn connect(
    tx: &mut FamilyTx<'_>,
    secrets: &SecretKeys,
    key: &str,
    at_bank: &[Account],
) -> purser_core::error::Result<()> {
    let id = ConnectionId(tx.new_id()?);
    let owner = SecretOwner { family: families::get(tx)?.public_id, connection: id.0 };
    let credentials = secrets.seal(&owner, &Secret::new(key.to_owned()))?;
    let new = NewConnection {
        id,
        provider: "lunchflow",
        provider_type: "aggregator",
        name: "Banks",
        credentials: &credentials,
    };
    changes::create(tx, &new)?;
    let listed = at_bank.iter().map(|account| ListedAccount {
        external_id: account.id.to_string(),
        name: account.name.to_owned(),
        institution_name: Some(account.bank.to_owned()),
        state: FoundAccountState::Active,
        upstream: Some(account.upstream.to_owned()),
        currency: Currency::parse(account.currency),
    });
    found::put(tx, id, &listed.collect::<Vec<_>>())?;
    for one in found::list(tx, id)? {
        let input = AccountInput {
            name: Some(one.name.clone()),
            account_type: Some("depository".to_owned()),
            currency: one.currency.map(|currency| currency.code().to_owned()),
            ..AccountInput::default()
        };
        let account = accounts::create(tx, &input)?.summary.id;
        found::link(tx, id, one.id, account)?;
    }
    Ok(())
}

/// Gives the reading family something to read.
fn seed(client: &Client) -> Result<()> {
    let files = scratch()?;
    let csv = files.path().join("seed.csv");
    generate::write(&csv, Size::Rows(ROWS), generate::SEED)?;
    let import = client.upload(&upload_body(&std::fs::read(&csv)?, true))?;
    client.wait_until_complete(&import).map(drop)
}

/// Reads until it is over; how long each read took.
fn read(client: &Client, is_over: &AtomicBool) -> Result<Vec<Duration>> {
    let mut reads = Vec::new();
    while !is_over.load(Ordering::SeqCst) {
        let started = Instant::now();
        client.get("/api/v1/transactions?per_page=25")?;
        reads.push(started.elapsed());
        sleep(PAUSE);
    }
    Ok(reads)
}
