//! The banks of the demo: a simulator in this process, on a free port of a loopback address.
//!
//! It is there with `--demo` only, and only then its address is one that providers may have. What
//! it serves is invented, so nothing is given away to whoever finds the port on this machine.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_app::demo::banks;
use purser_app::providers::Origin;
use purser_app::{App, Secret, Store};
use purser_bank_simulator::Simulator;
use purser_bank_simulator::world::World;
use purser_core::error::{Error, Result};

/// The seed of the world: every demo has the same banks.
const SEED: u64 = 1;
/// How often the banks look at the calendar.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Banks that run until this value is dropped.
pub(crate) struct DemoBanks(Simulator);

impl DemoBanks {
    /// Starts the banks, with histories that began before the demo was made.
    pub(crate) async fn start(store: &Store, first_day: Date) -> Result<Self> {
        let mut world = World::new(SEED, first_day);
        world.today = today(store);
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Simulator::start(listen, world).await.map(Self).map_err(Error::internal)
    }

    /// The address that the demo's connection may ask.
    pub(crate) fn origin(&self) -> Result<Origin> {
        self.0.url().parse().map_err(Error::internal)
    }

    /// Connects the demo's family, and moves the banks from day to day until the process ends. A
    /// failure is no reason not to serve.
    pub(crate) async fn run(self, app: App) {
        if let Err(error) = banks::connect(&app, Secret::new(self.0.setup_token())).await {
            tracing::warn!(cause = ?error, "the demo has no connection to its banks");
        }
        let mut interval = tokio::time::interval(LOOK_INTERVAL);
        loop {
            interval.tick().await;
            self.0.set_today(today(&app.store));
        }
    }
}

fn today(store: &Store) -> Date {
    store.now().to_zoned(TimeZone::UTC).date()
}
