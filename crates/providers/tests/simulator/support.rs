//! A simulator, a client for it, and a clock that only moves when the client waits.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use purser_bank_simulator::world::{ACCOUNTS, Account, Row, World};
use purser_bank_simulator::{API_KEY, Quirk, Simulator};
use purser_core::money::Currency;
use purser_core::secret::Secret;
use purser_outbound::{Limits, Url};
use purser_providers::client::{Client, ClientSettings, Environment};
use purser_providers::snapshot::{TransactionSnapshot, money};
use purser_providers::window::Window;
use purser_providers::{Provider, ProviderKind, TransactionRequest};

/// The first account, which has many rows.
pub(crate) const CURRENT: &str = "1001";
/// The account with holdings.
pub(crate) const BROKERAGE: &str = "1004";

/// The day on which the simulators start.
pub(crate) fn today() -> Date {
    date(2026, 3, 15)
}

/// A clock that moves by the pauses that are asked for, which it notes.
#[derive(Default)]
pub(crate) struct ManualEnvironment {
    pauses: Mutex<Vec<Duration>>,
}

impl ManualEnvironment {
    /// The pauses so far, in whole seconds.
    pub(crate) fn seconds(&self) -> Vec<u64> {
        self.pauses.lock().unwrap().iter().map(Duration::as_secs).collect()
    }
}

impl Environment for ManualEnvironment {
    fn now(&self) -> Timestamp {
        "2026-03-15T12:00:00Z".parse().unwrap()
    }

    fn uptime(&self) -> Duration {
        self.pauses.lock().unwrap().iter().sum()
    }

    fn pause(&self, pause: Duration) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.pauses.lock().unwrap().push(pause);
        Box::pin(std::future::ready(()))
    }

    fn chance(&self) -> u64 {
        0
    }
}

/// A simulator with a client that may ask it.
pub(crate) struct Bench {
    pub(crate) simulator: Simulator,
    pub(crate) environment: Arc<ManualEnvironment>,
    pub(crate) client: Arc<Client>,
}

impl Bench {
    /// With banks that do something wrong.
    pub(crate) async fn new(quirks: &[Quirk]) -> Self {
        Self::with(1, quirks, |_| {}).await
    }

    /// With a seed, and with other settings than usual.
    pub(crate) async fn with(
        seed: u64,
        quirks: &[Quirk],
        change: impl FnOnce(&mut ClientSettings),
    ) -> Self {
        let simulator = simulator(seed).await;
        simulator.set_quirks(quirks);
        let mut settings = ClientSettings {
            hosts: vec![simulator.url().parse().unwrap()],
            lunchflow_base: Some(Url::parse(&simulator.lunchflow_base()).unwrap()),
            ..ClientSettings::default()
        };
        change(&mut settings);
        let environment = Arc::new(ManualEnvironment::default());
        let client = Arc::new(Client::new(settings, environment.clone()).unwrap());
        Self { simulator, environment, client }
    }

    /// A connection to the provider with a key.
    pub(crate) fn lunchflow(&self) -> Box<dyn Provider> {
        ProviderKind::Lunchflow.open(&self.client, &Secret::new(API_KEY)).unwrap()
    }

    /// A connection to the open protocol; it can be made once.
    pub(crate) async fn simplefin(&self) -> Box<dyn Provider> {
        let kind = ProviderKind::Simplefin;
        let token = Secret::new(self.simulator.setup_token());
        let credentials = kind.enrol(&self.client, &token).await.unwrap();
        self.simulator.take_requests();
        kind.open(&self.client, &credentials).unwrap()
    }
}

/// A simulator at a free port.
pub(crate) async fn simulator(seed: u64) -> Simulator {
    let world = World::new(seed, today());
    Simulator::start("127.0.0.1:0".parse().unwrap(), world).await.unwrap()
}

/// Limits that a slow answer exceeds soon.
pub(crate) fn impatient(settings: &mut ClientSettings) {
    let total = Duration::from_millis(250);
    settings.limits = Limits { connect: total, total };
}

/// The last 90 days and tomorrow, with pending rows.
pub(crate) fn quarter() -> TransactionRequest {
    let window = Window::new(date(2025, 12, 16), date(2026, 3, 16)).unwrap();
    TransactionRequest { window, pending: true }
}

/// An account of the world.
pub(crate) fn account(id: &str) -> Account {
    ACCOUNTS.into_iter().find(|account| account.id.to_string() == id).unwrap()
}

/// A row as both sides have it: day, hundredths, whether it is pending, id, text.
pub(crate) type Comparable = (Date, i64, bool, Option<String>, String);

/// What a client should have got of an account.
pub(crate) fn expected(world: &World, id: &str, request: TransactionRequest) -> Vec<Comparable> {
    let rows = world.rows(&account(id), request.pending);
    let comparable = |row: Row| (row.date, row.amount, row.pending, row.id, row.description);
    let inside = rows.into_iter().filter(|row| request.window.contains(row.date));
    let mut rows: Vec<Comparable> = inside.map(comparable).collect();
    rows.sort();
    rows
}

/// Two lists are the same; else the first differences are shown, not everything.
pub(crate) fn assert_equal_rows(left: &[Comparable], right: &[Comparable]) {
    let missing: Vec<_> = right.iter().filter(|row| !left.contains(row)).take(3).collect();
    let extra: Vec<_> = left.iter().filter(|row| !right.contains(row)).take(3).collect();
    let (received, expected) = (left.len(), right.len());
    assert!(left == right, "{received} of {expected}, missing {missing:?}, extra {extra:?}");
}

/// What a client has got of an account in a currency with hundredths.
pub(crate) fn received(rows: &[TransactionSnapshot]) -> Vec<Comparable> {
    let comparable = |row: &TransactionSnapshot| {
        let amount = money(row.amount, Currency::EUR).unwrap().amount;
        assert_eq!(amount % 100, 0, "hundredths");
        let description = row.description.clone().unwrap();
        (row.date, amount / 100, row.pending, row.id.clone(), description)
    };
    let mut rows: Vec<Comparable> = rows.iter().map(comparable).collect();
    rows.sort();
    rows
}
