//! Simulated banks that a server under test may ask.

use std::ops::Deref;
use std::sync::OnceLock;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_bank_simulator::Simulator;
use purser_bank_simulator::world::{AccountKind, World};
use tokio::runtime::Runtime;

use super::Options;

/// A running simulator of banks.
pub(crate) struct Banks {
    simulator: Simulator,
    _runtime: Runtime,
}

impl Banks {
    /// Starts banks that behave well, on the present day, with pending rows today and some days
    /// ago in each account of which purchases are made.
    pub(crate) fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listen = "127.0.0.1:0".parse().expect("an address");
        let world = world_with_pending_rows(today());
        let simulator = runtime.block_on(Simulator::start(listen, world)).expect("a simulator");
        Self { simulator, _runtime: runtime }
    }

    /// Banks that all tests of the process share: nothing may change them.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Banks> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Settings of a server that asks these banks and no other.
    pub(crate) fn options(&self) -> Options {
        Options::new()
            .env("PURSER_LUNCHFLOW_URL", self.simulator.lunchflow_base())
            .env("PURSER_LUNCHFLOW_PER_MINUTE", "6000")
            .env("PURSER_PROVIDER_HOSTS", self.simulator.url())
    }
}

impl Deref for Banks {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        &self.simulator
    }
}

/// The first world of which every account with purchases has pending rows on the days on which
/// tests look: purchases depend on the day, and tests must not.
fn world_with_pending_rows(today: Date) -> World {
    let has_pending_rows = |seed: &u64| {
        let mut world = World::new(*seed, today);
        [0, 3, 6].into_iter().all(|days| {
            world.today = today.saturating_sub(days.days());
            let accounts = world.accounts();
            let mut bought = accounts.iter().filter(|one| one.kind != AccountKind::Investment);
            bought.all(|account| world.rows(account, true).iter().any(|row| row.pending))
        })
    };
    let seed = (1..).find(has_pending_rows).expect("some seed");
    World::new(seed, today)
}

#[expect(clippy::disallowed_methods, reason = "a test has no other clock")]
fn today() -> Date {
    jiff::Timestamp::now().to_zoned(TimeZone::UTC).date()
}
