//! What all histories of a test share: a database, its clock, a simulator of banks.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use purser_bank_simulator::Simulator;
use purser_bank_simulator::world::World;
use purser_core::money::Currency;
use purser_outbound::{Limits, Url};
use purser_providers::client::{Client, Environment};
use purser_store::families::{self, Family, NewFamily};
use purser_store::files::FileStore;
use purser_store::users::{NewUser, Role};
use purser_store::{Secret, Store};
use tokio::sync::watch;

use crate::App;
use crate::check;
use crate::providers::{ClientSettings, Origin, Providers};
use crate::secrets::SecretKeys;
use crate::settings::{Feeds, Imports};
use crate::sync::Planner;
use crate::testing::TestNodes;
use crate::webhooks::address::WebhookHosts;

/// How long a request may take: a bank that doesn't answer costs the test as much.
const ANSWER_TIME: Duration = Duration::from_millis(400);
/// Changes of one commit: few, so that a run has many.
const PART_ROWS: u64 = 3;
/// The largest file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// The databases that histories are lived through on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backend {
    Sqlite,
    Postgres,
}

pub(super) struct Stage {
    nodes: TestNodes,
    pub(super) files: FileStore,
    pub(super) simulator: Simulator,
    planner: Planner,
    /// A planted defect: watermarks move after every run.
    pub(super) moves_watermark: Cell<bool>,
    families: Cell<u32>,
    stopping: watch::Receiver<bool>,
    _stop: watch::Sender<bool>,
}

impl Stage {
    /// Runs a test on an empty database.
    pub(super) fn with(backend: Backend, planner: Planner, test: impl AsyncFnOnce(&Self)) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let open = move || {
                let nodes = match backend {
                    Backend::Sqlite => TestNodes::sqlite(),
                    Backend::Postgres => TestNodes::postgres(),
                };
                let files = FileStore::open(nodes.folder(), &nodes.stores[0]).unwrap();
                (nodes, files)
            };
            let (nodes, files) = tokio::task::spawn_blocking(open).await.unwrap();
            let world = World::new(1, Date::constant(2024, 5, 17));
            let listen = "127.0.0.1:0".parse().unwrap();
            let simulator = Simulator::start(listen, world).await.unwrap();
            let (stop, stopping) = watch::channel(false);
            let stage = Self {
                nodes,
                files,
                simulator,
                planner,
                moves_watermark: Cell::new(false),
                families: Cell::new(0),
                stopping,
                _stop: stop,
            };
            test(&stage).await;
            // What is dropped waits for the connections of the database.
            tokio::task::block_in_place(|| drop(stage));
        });
    }

    /// Whether two processes may work on the database.
    pub(super) fn has_two_nodes(&self) -> bool {
        self.nodes.stores.len() > 1
    }

    /// A process that serves, on the node with this number.
    pub(super) fn app(&self, node: usize, include_pending: bool) -> App {
        let store = self.nodes.stores[node % self.nodes.stores.len()].clone();
        let base = Url::parse(&self.simulator.lunchflow_base()).unwrap();
        let settings = ClientSettings {
            hosts: Origin::of(&base).into_iter().collect(),
            lunchflow_base: Some(base),
            limits: Limits { connect: ANSWER_TIME, total: ANSWER_TIME },
            ..ClientSettings::default()
        };
        let client = Client::new(settings.clone(), Waiting::with(&store)).unwrap();
        let key = Secret::new("a-key-of-a-test-with-more-than-32-letters");
        let keys = SecretKeys::configured(&key).unwrap();
        let providers = Providers::new(&store, keys, settings, include_pending);
        let providers = providers.with(client, self.planner);
        let imports = Imports { max_csv_bytes: FILE_BYTES_MAX, publish_part_rows: Some(PART_ROWS) };
        let hosts = (providers, WebhookHosts::default());
        let files = self.files.clone();
        App::new(store, files, imports, Feeds::default(), hosts, self.stopping.clone()).unwrap()
    }

    /// Makes a new family with an admin.
    pub(super) async fn family(&self, time_zone: &'static str) -> Family {
        let number = self.families.get() + 1;
        self.families.set(number);
        let email = format!("family-{number}@example.org");
        let create = move |tx: &mut purser_store::Tx<'_>, id| {
            let currency = Currency::EUR;
            let new = NewFamily { name: "Family", currency, time_zone };
            let hash = Secret::new("none");
            let role = Role::Admin;
            let admin = NewUser { email: &email, name: "Admin", role, password_hash: &hash };
            families::create(tx, id, &new, &admin)
        };
        self.nodes.stores[0].found(create).await.unwrap().0
    }

    /// Lets some time pass on the clock.
    pub(super) fn pass(&self, time: SignedDuration) {
        self.nodes.clock.advance(time);
    }

    /// Ten o'clock of the next day; the day.
    pub(super) fn next_morning(&self) -> Date {
        let now = self.nodes.stores[0].now().to_zoned(TimeZone::UTC);
        let next = now.date().saturating_add(1.day());
        let morning = next.at(10, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap();
        self.pass(morning.timestamp().duration_since(now.timestamp()));
        next
    }

    /// Every invariant of the database holds.
    pub(super) async fn check(&self) {
        let (store, files) = (self.nodes.stores[0].clone(), self.files.clone());
        let outcomes = tokio::task::spawn_blocking(move || check::run(&store, &files, |_| {}));
        let outcomes = outcomes.await.unwrap();
        let broken: Vec<_> = outcomes.iter().filter(|outcome| !outcome.holds()).collect();
        assert!(broken.is_empty(), "{broken:?}");
    }
}

/// The environment of a client that never waits: its time goes on by itself.
struct Waiting {
    store: Store,
    begin: Timestamp,
    waited_micros: AtomicU64,
    chance: Mutex<u64>,
}

impl Waiting {
    fn with(store: &Store) -> std::sync::Arc<Self> {
        let (begin, waited_micros) = (store.now(), AtomicU64::new(0));
        std::sync::Arc::new(Self {
            store: store.clone(),
            begin,
            waited_micros,
            chance: Mutex::new(1),
        })
    }
}

impl Environment for Waiting {
    fn now(&self) -> Timestamp {
        self.store.now()
    }

    fn uptime(&self) -> Duration {
        let waited = Duration::from_micros(self.waited_micros.load(Ordering::SeqCst));
        let passed = self.store.now().duration_since(self.begin);
        waited + Duration::try_from(passed).unwrap_or_default()
    }

    fn pause(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let micros = u64::try_from(pause.as_micros()).unwrap_or(u64::MAX);
        self.waited_micros.fetch_add(micros, Ordering::SeqCst);
        Box::pin(tokio::task::yield_now())
    }

    fn chance(&self) -> u64 {
        let mut chance = self.chance.lock().unwrap();
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *chance
    }
}
