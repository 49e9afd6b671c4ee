//! Syncs of bank connections: many of them on one node, and a large first one.
//!
//! The banks are simulated in this process. Whatever is waited for at them is network time.

mod first;
mod fleet;

use std::time::Duration;

use jiff::civil::Date;
use purser_bank_simulator::Simulator;
use purser_bank_simulator::world::{ACCOUNTS, Account, AccountKind, World};
use tokio::runtime::Runtime;

use crate::Result;
use crate::arguments::Arguments;

/// Days that a first sync asks for.
const DAYS: i64 = 90;

pub(crate) fn run(mut arguments: Arguments) -> Result<()> {
    let fleet = fleet::Fleet {
        connections: arguments.number("--connections")?.unwrap_or(1_000),
        families: arguments.number("--families")?.unwrap_or(250).max(1),
        answer: Duration::from_millis(arguments.number("--answer-ms")?.unwrap_or(250)),
    };
    let rows = arguments.number("--rows")?.unwrap_or(100_000);
    let pairs = arguments.number("--pairs")?.unwrap_or(3);
    let database = arguments.text("--database")?;
    arguments.finish()?;
    if fleet.connections > 0 {
        fleet.measure(database.as_deref())?;
    }
    if rows > 0 {
        first::measure(rows, pairs, database.as_deref())?;
    }
    Ok(())
}

/// Simulated banks with a thread of their own.
struct Banks {
    simulator: Simulator,
    _runtime: Runtime,
}

impl Banks {
    fn start(world: World) -> Result<Self> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(1).enable_all().build()?;
        let simulator = runtime.block_on(Simulator::start("127.0.0.1:0".parse()?, world))?;
        Ok(Self { simulator, _runtime: runtime })
    }

    /// The settings of a server that asks them.
    fn variables(&self) -> [(&'static str, String); 2] {
        [
            ("PURSER_LUNCHFLOW_URL", self.simulator.lunchflow_base()),
            ("PURSER_PROVIDER_HOSTS", self.simulator.url()),
        ]
    }
}

/// The banks today, with five accounts.
fn world() -> World {
    let more = |id, name, kind| Account { id, name, kind, ..ACCOUNTS[0] };
    let mut world = World::with_days(1, today(), DAYS);
    world.accounts = vec![
        ACCOUNTS[0],
        ACCOUNTS[1],
        ACCOUNTS[2],
        more(1005, "Household", AccountKind::Current),
        more(1006, "Second card", AccountKind::Card),
    ];
    world
}

#[expect(clippy::disallowed_methods, reason = "the server has no other clock")]
fn today() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
