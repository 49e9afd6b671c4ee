//! Stores for tests: a fresh SQLite directory and a fresh PostgreSQL database.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::date;
use purser_core::error::Result;
use purser_core::ids::{EntryId, SecurityId, UserId};
use purser_core::import::import_type::ImportType;
use purser_core::import::native::Survey;
use purser_core::ledger::locks::Locks;
use purser_core::ledger::security::Listing;
use purser_core::money::Currency;
use purser_core::plan::TransactionRevision;
use serde_json::json;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::audit::Actor;
use crate::families::{FamilyId, NewFamily};
use crate::imports::{NewImport, Reading};
use crate::ledger::records::execute;
use crate::ledger::{Event, Executor};
use crate::secret::Secret;
use crate::store::{Store, StoreOptions, Target};
use crate::system::{ManualClock, random_bytes};
use crate::users::{NewUser, Role};

/// A store that disappears with the test, and what belongs to it.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) target: Target,
    /// For files; of SQLite also the database.
    pub(crate) directory: PathBuf,
    _home: Home,
}

/// A connection without the driver.
pub(crate) enum Raw {
    Sqlite(rusqlite::Connection),
    Postgres(postgres::Client),
}

impl Raw {
    pub(crate) fn script(&mut self, text: &str) {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(text).unwrap(),
            Self::Postgres(client) => client.batch_execute(text).unwrap(),
        }
    }
}

struct Home {
    directory: tempfile::TempDir,
    database: Option<String>,
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Some(name) = &self.database {
            let _ = server().batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

/// The day on which tests begin.
pub(crate) const START: &str = "2024-05-17T10:00:00Z";

/// The address of the server for tests.
fn server_url() -> String {
    std::env::var("PURSER_TEST_POSTGRES").expect(
        "PURSER_TEST_POSTGRES must be the address of a PostgreSQL server to make databases in",
    )
}

fn server() -> postgres::Client {
    postgres::Client::connect(&server_url(), postgres::NoTls).expect("PURSER_TEST_POSTGRES answers")
}

/// A superuser of the same server, whom the program refuses.
pub(crate) fn superuser() -> postgres::Client {
    postgres::Client::connect(&superuser_url(), postgres::NoTls).expect("a connection")
}

/// A superuser in the database of a fixture.
pub(crate) fn superuser_of(fixture: &Fixture) -> postgres::Client {
    let url = superuser_url();
    let (server, _) = url.rsplit_once('/').expect("it names a database");
    let url = format!("{server}/{}", fixture.database_name());
    postgres::Client::connect(&url, postgres::NoTls).expect("a connection")
}

fn superuser_url() -> String {
    std::env::var("PURSER_TEST_POSTGRES_SUPERUSER")
        .expect("PURSER_TEST_POSTGRES_SUPERUSER must be the same server for a superuser")
}

impl Home {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap(), database: None }
    }

    fn sqlite(&self) -> Target {
        Target::Sqlite(self.directory.path().join("purser.db"))
    }

    fn postgres(&mut self) -> Target {
        let name = format!("purser_{:032x}", u128::from_ne_bytes(random_bytes().unwrap()));
        server().batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0")).unwrap();
        let url = server_url();
        let (server, _) = url.rsplit_once('/').expect("PURSER_TEST_POSTGRES names a database");
        self.database = Some(name.clone());
        Target::Postgres(Secret::new(format!("{server}/{name}?sslmode=disable")))
    }
}

/// How tests open a store.
pub(crate) fn options(target: &Target, clock: &Arc<ManualClock>) -> StoreOptions {
    StoreOptions { clock: clock.clone(), allow_volatile: true, ..StoreOptions::new(target.clone()) }
}

impl Fixture {
    fn new(target: Target, home: Home) -> Self {
        let clock = Arc::new(ManualClock::new(START.parse::<Timestamp>().unwrap()));
        let store = Store::open(options(&target, &clock)).unwrap();
        Self { store, clock, target, directory: home.directory.path().to_owned(), _home: home }
    }

    /// A fixture on SQLite.
    pub(crate) fn sqlite() -> Self {
        let home = Home::new();
        Self::new(home.sqlite(), home)
    }

    /// A fixture on PostgreSQL.
    pub(crate) fn postgres() -> Self {
        let mut home = Home::new();
        Self::new(home.postgres(), home)
    }

    /// A connection of its own, beside the store, that reaches the rows of every family.
    pub(crate) fn raw(&self) -> Raw {
        match &self.target {
            Target::Sqlite(path) => Raw::Sqlite(rusqlite::Connection::open(path).unwrap()),
            Target::Postgres(url) => {
                let mut client = postgres::Client::connect(url.reveal(), postgres::NoTls).unwrap();
                client.batch_execute("SET purser.family = 'all'").unwrap();
                Raw::Postgres(client)
            }
        }
    }

    /// Closes the store, does something with the database, and opens it again.
    pub(crate) fn while_closed<T>(
        self,
        work: impl FnOnce(&Target, &Arc<ManualClock>) -> T,
    ) -> (Self, T) {
        let Self { store, clock, target, directory, _home } = self;
        drop(store);
        let done = work(&target, &clock);
        let store = Store::open(options(&target, &clock)).unwrap();
        (Self { store, clock, target, directory, _home }, done)
    }

    /// The name of the database on the server, of PostgreSQL only.
    pub(crate) fn database_name(&self) -> &str {
        self._home.database.as_deref().expect("a database of PostgreSQL")
    }

    /// A family with its admin; `name` must be unused.
    pub(crate) fn family(&self, name: &str) -> (FamilyId, UserId) {
        let email = format!("{name}@example.org");
        let hash = Secret::new("hash");
        self.store
            .found_blocking(|tx, id| {
                let currency = Currency::parse("EUR").unwrap();
                let family = NewFamily { name, currency, time_zone: "Europe/Berlin" };
                let admin =
                    NewUser { email: &email, name, role: Role::Admin, password_hash: &hash };
                let (family, admin) = crate::families::create(tx, id, &family, &admin)?;
                Ok((family.id, admin))
            })
            .unwrap()
    }
}

/// For what is asynchronous.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// Runs a test on both databases, one after the other.
pub(crate) fn on_both(test: impl Fn(&Fixture)) {
    test(&Fixture::sqlite());
    test(&Fixture::postgres());
}

/// The audit event of a change in a test.
pub(crate) fn event() -> Event {
    Event {
        actor: Actor::CommandLine,
        action: "test",
        subject_kind: "test",
        subject_id: Uuid::nil(),
        details: json!({}),
    }
}

/// An import of rows that nobody needs to read: without a file, an account and names.
pub(crate) fn new_import(valid_rows: u64) -> NewImport {
    let reading = Reading {
        layout: None,
        readable: true,
        as_of: date(2024, 5, 17),
        valid_rows,
        invalid_rows: 0,
        left_out: 0,
        findings: "[]".into(),
        mappings: Vec::new(),
        offsets: None,
        statements: None,
        pages: None,
    };
    NewImport {
        import_type: ImportType::Transaction,
        account: None,
        file: None,
        settings: "{}".into(),
        reading,
        publish_wanted: false,
        skip_invalid: false,
        fingerprint: None,
        template: None,
        undecided_rows: 0,
    }
}

/// The security of a listing, created if it is new.
pub(crate) fn security(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    name: Option<&str>,
) -> Result<SecurityId> {
    let event = ("security.create", "security");
    let find = |tx: &mut FamilyTx<'_>, executor: &mut Executor| {
        Ok(crate::securities::find_or_create(tx, executor, listing, name)?.0)
    };
    execute(tx, event, find).map(SecurityId)
}

/// A person calls a transaction so.
pub(crate) fn renaming(entry: EntryId, name: &str) -> TransactionRevision<'_> {
    TransactionRevision {
        entry,
        account: None,
        date: None,
        amount: None,
        rate: None,
        name: Some(name),
        notes: None,
        category: None,
        merchant: None,
        tags: None,
        excluded: None,
        unlock: Locks::NONE,
    }
}

/// Everything that a family has, as it is exported.
pub(crate) fn exported(fixture: &Fixture, family: FamilyId) -> Result<String> {
    let mut bytes = Vec::new();
    let mut sink = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    let count = fixture.store.read_blocking(family, |tx| crate::export::write(tx, &mut sink))?;
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().count() as u64, count);
    Ok(text)
}

/// Why the lines of an export would not be imported.
pub(crate) fn unreadable(exported: &str) -> Vec<String> {
    let mut survey = Survey::default();
    exported.lines().for_each(|line| survey.line(line));
    survey.finish().expect("it has few records");
    let mut refused = Vec::new();
    for line in exported.lines() {
        if let Err(problems) = survey.read(line, date(2024, 5, 17), Currency::EUR) {
            refused.push(format!("{:?} in {line}", problems.texts()));
        }
    }
    refused
}
