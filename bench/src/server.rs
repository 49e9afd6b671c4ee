//! The release binary as a process, in a folder (and database) that goes away with it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use postgres::NoTls;
use purser_store::{Secret, Store, StoreOptions, Target};
use serde_json::Value;
use tempfile::TempDir;

use crate::{Result, processor_time};

const READY: &str = "purser listening on http://";
const READY_SECONDS_MAX: u64 = 60;
/// Where the program keeps its SQLite database, below the folder of a measurement.
const SQLITE_FILE: &str = "data/purser.db";
/// The password of every admin that the command line makes.
pub(crate) const PASSWORD: &str = "correct horse battery";
const BINARY_VARIABLE: &str = "PURSER_BENCH_BINARY";
const POSTGRES_VARIABLE: &str = "PURSER_BENCH_POSTGRES";

/// The binary that is measured.
pub(crate) fn binary() -> Result<PathBuf> {
    let path = std::env::var_os(BINARY_VARIABLE)
        .ok_or_else(|| format!("{BINARY_VARIABLE} is not set: run `cargo xtask bench`"))?;
    Ok(PathBuf::from(path))
}

/// A folder on the disk that holds the build, never a file system in memory.
pub(crate) fn scratch() -> Result<TempDir> {
    let binary = binary()?;
    let parent = binary.parent().ok_or("the binary has no folder")?;
    Ok(TempDir::with_prefix_in("bench-", parent)?)
}

/// Where the data of a measurement is.
#[derive(Debug)]
pub(crate) struct Data {
    folder: TempDir,
    database: Option<Database>,
}

#[derive(Debug)]
struct Database {
    maintenance_url: String,
    name: String,
}

impl Data {
    /// A fresh folder, and for `postgres` a fresh database.
    pub(crate) fn fresh(database: Option<&str>) -> Result<Self> {
        let database = match database {
            None | Some("sqlite") => None,
            Some("postgres") => Some(Database::create()?),
            Some(other) => return Err(format!("--database {other}: sqlite or postgres").into()),
        };
        Ok(Self { folder: scratch()?, database })
    }

    /// The folder that holds everything that is kept in files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The PostgreSQL database, if there is one.
    pub(crate) fn database_url(&self) -> Option<String> {
        self.database.as_ref().map(Database::url)
    }

    /// The SQLite database, once something made it.
    pub(crate) fn sqlite_file(&self) -> PathBuf {
        self.folder().join(SQLITE_FILE)
    }

    /// The database, opened by this process as the program opens it.
    pub(crate) fn store(&self) -> Result<Store> {
        let target = match self.database_url() {
            Some(url) => Target::Postgres(Secret::new(url)),
            None => {
                fs::create_dir_all(self.folder().join("data"))?;
                Target::Sqlite(self.sqlite_file())
            }
        };
        Ok(Store::open(StoreOptions::new(target))?)
    }

    /// Keeps PostgreSQL from analysing the entries by itself. SQLite never does.
    pub(crate) fn keep_unanalysed(&self) -> Result<()> {
        let tables = ["entries", "entry_tags", "balances", "accounts"];
        tables.iter().try_for_each(|table| {
            self.on_postgres(&format!("ALTER TABLE {table} SET (autovacuum_enabled = FALSE)"))
        })
    }

    /// Has PostgreSQL analyse every table.
    pub(crate) fn analyse(&self) -> Result<()> {
        self.on_postgres("ANALYZE")
    }

    /// Has PostgreSQL do what it would otherwise do at a time that nobody knows.
    pub(crate) fn settle(&self) -> Result<()> {
        self.on_postgres("VACUUM (ANALYZE)")?;
        self.on_postgres("CHECKPOINT")
    }

    fn on_postgres(&self, statement: &str) -> Result<()> {
        let Some(url) = self.database_url() else { return Ok(()) };
        Ok(postgres::Client::connect(&url, NoTls)?.batch_execute(statement)?)
    }

    /// The first process of PostgreSQL, if that is the database.
    pub(crate) fn postgres_process(&self) -> Result<Option<u32>> {
        let Some(url) = self.database_url() else { return Ok(None) };
        let mut client = postgres::Client::connect(&url, NoTls)?;
        let process: i32 = client.query_one("SELECT pg_backend_pid()", &[])?.try_get(0)?;
        Ok(Some(processor_time::parent(u32::try_from(process)?)?))
    }

    /// The program with its configuration.
    pub(crate) fn command(&self) -> Result<Command> {
        let mut command = Command::new(binary()?);
        command.env_clear().env("PURSER_DATA_DIR", self.folder().join("data"));
        command.env("PURSER_RATE_LIMIT", "0").env("PURSER_LOG", "warn");
        command.env("PURSER_MAX_CSV_BYTES", u32::MAX.to_string());
        // Even half of the half for those that haven't shown a key is more than any bench opens.
        command.env("PURSER_MAX_CONNECTIONS", "4096").env("PURSER_MAX_CONNECTIONS_PER_IP", "4096");
        if let Some(url) = self.database_url() {
            command.env("PURSER_DATABASE_URL", url);
        }
        Ok(command)
    }

    /// Transactions in the SQLite database.
    pub(crate) fn count_transactions(&self) -> Result<u64> {
        let database = rusqlite::Connection::open(self.sqlite_file())?;
        let count = "SELECT count(*) FROM ledger_entries WHERE kind = 0";
        Ok(u64::try_from(database.query_row(count, (), |row| row.get::<_, i64>(0))?)?)
    }

    /// A family with an admin; the key of the admin.
    pub(crate) fn family(&self) -> Result<String> {
        self.family_of("bench@example.com")
    }

    /// A family with this admin; the admin's key.
    pub(crate) fn family_of(&self, email: &str) -> Result<String> {
        let user = ["user", "add", "--email", email, "--family", "Bench", "--currency", "USD"];
        self.run_json(&[&user[..], &["--password-stdin"]].concat(), &format!("{PASSWORD}\n"))?;
        let made = self.run_json(
            &["key", "add", "--user", email, "--name", "bench", "--scope", "read_write"],
            "",
        )?;
        Ok(made["key"].as_str().ok_or("the command line printed no key")?.to_owned())
    }

    fn run_json(&self, arguments: &[&str], input: &str) -> Result<Value> {
        let mut child = self
            .command()?
            .arg("--json")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Err(format!("purser {} failed: {}", arguments.join(" "), output.status).into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

impl Database {
    fn create() -> Result<Self> {
        let maintenance_url = std::env::var(POSTGRES_VARIABLE)
            .map_err(|_| format!("{POSTGRES_VARIABLE} is not set: run `cargo xtask bench`"))?;
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("purser_bench_{}_{number}", std::process::id());
        let mut client = postgres::Client::connect(&maintenance_url, NoTls)?;
        client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"))?;
        client.batch_execute(&format!("CREATE DATABASE {name}"))?;
        Ok(Self { maintenance_url, name })
    }

    fn url(&self) -> String {
        let server = self.maintenance_url.rsplit_once('/').map_or("", |(server, _)| server);
        format!("{server}/{}", self.name)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let dropped = postgres::Client::connect(&self.maintenance_url, NoTls)
            .and_then(|mut client| client.batch_execute(&statement));
        if let Err(error) = dropped {
            eprintln!("database {} was not removed: {error}", self.name);
        }
    }
}

/// A running server; killed when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    /// Host and port, as in a URL.
    pub(crate) address: String,
    /// From starting the process to the line that it listens.
    pub(crate) ready_after: Duration,
}

impl Server {
    /// Starts it and waits for the line.
    pub(crate) fn start(data: &Data) -> Result<Self> {
        Self::start_with(data, &[])
    }

    /// The same with variables of its own.
    pub(crate) fn start_with(data: &Data, variables: &[(&str, String)]) -> Result<Self> {
        let started = Instant::now();
        let mut child = data
            .command()?
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("the server has no output")?;
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(std::io::Result::ok) {
                if let Some((_, address)) = line.split_once(READY) {
                    let _ = sender.send((address.trim().to_owned(), started.elapsed()));
                }
            }
        });
        match receiver.recv_timeout(Duration::from_secs(READY_SECONDS_MAX)) {
            Ok((address, ready_after)) => Ok(Self { child, address, ready_after }),
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(format!("the server did not print {READY:?}").into())
            }
        }
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Sends its process a signal.
    pub(crate) fn signal(&self, name: &str) -> Result<()> {
        let mut kill = Command::new("kill");
        let status = kill.arg(format!("-{name}")).arg(self.child.id().to_string()).status()?;
        if status.success() { Ok(()) } else { Err(format!("kill -{name}: {status}").into()) }
    }

    /// From now on `VmHWM` is the most that there was since.
    pub(crate) fn forget_peak(&self) -> Result<()> {
        Ok(fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5")?)
    }

    /// How long all of its threads have run, those that ended too, to a hundredth of a second.
    pub(crate) fn cpu_time(&self) -> Result<Duration> {
        processor_time::of(self.child.id())
    }

    /// Memory in KiB: `VmRSS` is now, `VmHWM` the most there ever was.
    pub(crate) fn memory_kib(&self, field: &str) -> Result<u64> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = text.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next());
        Ok(number.ok_or_else(|| format!("/proc has no {field}"))?.parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
