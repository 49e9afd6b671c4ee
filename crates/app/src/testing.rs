//! Helpers of unit tests: an empty database with a family.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use purser_core::money::Currency;
use purser_store::families::{self, Family, NewFamily};
use purser_store::system::{ManualClock, random_bytes};
use purser_store::users::{NewUser, Role};
use purser_store::{FamilyId, Secret, Store, StoreOptions, Target};
use tempfile::TempDir;

/// The time at which clocks of tests begin.
const START: &str = "2024-05-17T10:00:00Z";

/// An empty SQLite database in a temporary folder.
pub(crate) struct TestStore {
    pub(crate) store: Store,
    _folder: TempDir,
}

/// An empty database with a clock of its own, which one or two nodes have open.
pub(crate) struct TestNodes {
    /// One store on SQLite, two on PostgreSQL.
    pub(crate) stores: Vec<Store>,
    pub(crate) clock: Arc<ManualClock>,
    folder: TempDir,
    database: Option<String>,
}

impl TestNodes {
    pub(crate) fn sqlite() -> Self {
        // In memory where that can be had: no test of these ends its process.
        let in_memory = tempfile::tempdir_in("/dev/shm");
        let folder = in_memory.or_else(|_| tempfile::tempdir()).unwrap();
        let target = Target::Sqlite(folder.path().join("test.db"));
        Self::open(&target, 1, folder, None)
    }

    pub(crate) fn postgres() -> Self {
        let url = server_url();
        let (server, _) = url.rsplit_once('/').expect("an address with a database");
        let name = format!("purser_{:032x}", u128::from_ne_bytes(random_bytes().unwrap()));
        execute(&format!("CREATE DATABASE {name} TEMPLATE template0"));
        let target = Target::Postgres(Secret::new(format!("{server}/{name}?sslmode=disable")));
        Self::open(&target, 2, tempfile::tempdir().unwrap(), Some(name))
    }

    fn open(target: &Target, nodes: usize, folder: TempDir, database: Option<String>) -> Self {
        let clock = Arc::new(ManualClock::new(START.parse::<Timestamp>().unwrap()));
        let open = |_| {
            let options = StoreOptions::new(target.clone());
            let options = StoreOptions { clock: clock.clone(), allow_volatile: true, ..options };
            Store::open(options).unwrap()
        };
        let stores = (0..nodes).map(open).collect();
        Self { stores, clock, folder, database }
    }

    /// A folder for files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for TestNodes {
    fn drop(&mut self) {
        self.stores.clear();
        if let Some(name) = &self.database {
            execute(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

fn server_url() -> String {
    std::env::var("PURSER_TEST_POSTGRES")
        .expect("PURSER_TEST_POSTGRES is the address of a server to make databases in")
}

/// Runs a statement on the server for tests, from a thread of its own: the client has a runtime.
fn execute(statement: &str) {
    let run = || {
        let client = postgres::Client::connect(&server_url(), postgres::NoTls);
        client.expect("a connection").batch_execute(statement).expect("a statement");
    };
    std::thread::scope(|scope| scope.spawn(run).join().expect("the statement"));
}

impl TestStore {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("test.db"));
        Self { store: Store::open(StoreOptions::new(target)).unwrap(), _folder: folder }
    }

    /// The number of a new family; its admin signs in with this address.
    pub(crate) fn family(&self, email: &str) -> FamilyId {
        self.whole_family(email).id
    }

    /// A new family; its admin signs in with this address.
    pub(crate) fn whole_family(&self, email: &str) -> Family {
        let new = NewFamily {
            name: "Family",
            currency: Currency::parse("EUR").unwrap(),
            time_zone: "Europe/Berlin",
        };
        let hash = Secret::new("none");
        let admin = NewUser { email, name: "Admin", role: Role::Admin, password_hash: &hash };
        self.store.found_blocking(|tx, id| families::create(tx, id, &new, &admin)).unwrap().0
    }
}
