//! Histories: banks and networks misbehave, processes die, people edit, delete, import and undo.
//! Once the banks are quiet the ledger has what they have.
//!
//! Everything is real but the processes: the clients ask the simulator over HTTP, and what comes is
//! booked by the same runs that the server makes. A process that dies is a run that is dropped; on
//! PostgreSQL a second one may take over while the first sleeps. `tests/proofs/syncs` has processes
//! that are killed. `docs/proofs.md` has what is shown.

mod control;
#[path = "../../../../../tests/support/length.rs"]
mod length;
mod life;
mod people;
mod stage;
mod verdict;

use purser_bank_simulator::histories::{History, shrunk};

use self::length::{repeats, rounds};
use self::life::live;
use self::stage::{Backend, Stage};
use crate::sync::reconcile;

/// Histories between two looks at every invariant of the database.
const CHECKED_EVERY: u64 = 50;
/// The part of all histories that each of four tests lives through, in hundredths. On PostgreSQL
/// one takes twice as long.
const ON_SQLITE: u64 = 40;
const ON_POSTGRES: u64 = 10;
/// How many histories there are in all: as part of the tests, and at length.
const HISTORIES: [u64; 2] = [1_000, 100_000];

/// The seed of the first history.
fn first_seed() -> u64 {
    let seed = std::env::var("PURSER_TEST_SEED").ok().and_then(|seed| seed.parse().ok());
    seed.unwrap_or(1)
}

/// Lives through histories; the first that fails is made shorter and shown.
fn prove(backend: Backend, part: u64, percent: u64) {
    let [short, long] = HISTORIES.map(|all| all * percent / 100);
    // Parts of several tests don't overlap.
    let first = first_seed() + part * repeats(short, long);
    eprintln!("PURSER_TEST_SEED={first}");
    Stage::with(backend, reconcile, async |stage| {
        for (seed, _) in (first..).zip(rounds(short, long)) {
            let history = History::of(seed);
            if let Err(problem) = live(stage, &history).await {
                let (short, problem) = shorter(stage, history, problem).await;
                panic!("{problem}\nPURSER_TEST_SEED={seed}\n{short}");
            }
            if (seed - first) % CHECKED_EVERY == CHECKED_EVERY - 1 {
                stage.check().await;
            }
        }
        stage.check().await;
    });
}

/// The history without what doesn't matter.
async fn shorter(stage: &Stage, history: History, problem: String) -> (History, String) {
    let runtime = tokio::runtime::Handle::current();
    tokio::task::block_in_place(|| {
        shrunk(history, problem, |one| runtime.block_on(live(stage, one)).err())
    })
}

#[test]
fn ledgers_come_to_what_banks_have_on_sqlite() {
    prove(Backend::Sqlite, 0, ON_SQLITE);
}

#[test]
fn ledgers_come_to_what_banks_have_on_sqlite_too() {
    prove(Backend::Sqlite, 1, ON_SQLITE);
}

#[test]
fn ledgers_come_to_what_banks_have_on_postgres() {
    prove(Backend::Postgres, 10, ON_POSTGRES);
}

#[test]
fn ledgers_come_to_what_banks_have_on_postgres_too() {
    prove(Backend::Postgres, 11, ON_POSTGRES);
}
