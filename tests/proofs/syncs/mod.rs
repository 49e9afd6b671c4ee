//! Syncs with banks that misbehave while the server is killed, as processes: whatever happened,
//! once the banks are quiet the ledger has what they have.
//!
//! What happens is drawn as in the histories of `purser-app`, which are many more; here everything
//! goes over HTTP, and what dies is a process.

mod life;
mod verdict;

use purser_bank_simulator::histories::{History, Interface};

use self::life::live;
use crate::support::{Backend, Dice, Rounds, Sql, rounds};

/// How the server runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    One(Backend),
    /// Two nodes on PostgreSQL.
    Two,
}

impl Setting {
    fn backend(self) -> Backend {
        match self {
            Self::One(backend) => backend,
            Self::Two => Backend::Postgres,
        }
    }
}

fn prove(setting: Setting, histories: Rounds) {
    let mut dice = Dice::seeded();
    for _ in histories {
        let seed = dice.between(0, u64::from(u32::MAX));
        // The other provider permits few requests a day, which no clock of a test moves.
        let history = History { interface: Interface::Lunchflow, ..History::of(seed) };
        let life = live(setting, &history);
        let verdict = life.verify();
        verdict.unwrap_or_else(|problem| panic!("{problem}\n{history}"));
    }
}

#[test]
fn syncs_survive_kills_on_sqlite() {
    prove(Setting::One(Backend::Sqlite), rounds(2, 200));
}

#[test]
fn syncs_survive_kills_on_postgres() {
    prove(Setting::One(Backend::Postgres), rounds(1, 100));
}

#[test]
fn syncs_survive_kills_of_one_of_two_nodes() {
    prove(Setting::Two, rounds(1, 100));
}

#[test]
fn syncs_find_a_transaction_that_is_lost() {
    let history = History { interface: Interface::Lunchflow, ..History::of(1) };
    let history = History { steps: Vec::new(), nature: Vec::new(), ..history };
    let life = live(Setting::One(Backend::Sqlite), &history);
    life.verify().expect("nothing is wrong yet");
    let sql = Sql::open(&life.shimmed.server);
    sql.run("DELETE FROM sync_rows WHERE entry_id = (SELECT MIN(entry_id) FROM sync_rows)");
    let problem = life.verify().expect_err("a row is missing");
    assert!(problem.contains("0 instead of 1"), "{problem}");
}
