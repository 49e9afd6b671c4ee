//! Nothing acknowledged is lost, half there or doubled when the power goes (R2).
//!
//! One run is recorded; any place of its record is a power cut. The disk is made as it may have
//! been then, and a server starts on it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::promises::{Promises, WISHES};
use crate::record::{Disk, Rest};
use crate::shim::Shimmed;
use crate::support::{Backend, Dice, Options, Server, rounds};

/// Requests of the recorded run.
const REQUESTS: usize = 60;

/// A run, and what was promised in it.
struct Run {
    record: Vec<u8>,
    promises: Promises,
    /// The family exists from here on.
    begin: u64,
}

impl Run {
    fn recorded() -> Self {
        let mut shimmed = Shimmed::start(Backend::Sqlite, Options::new());
        let family = shimmed.server.family();
        let mut promises = Promises::of(&family);
        let begin = shimmed.now();
        for wish in WISHES.into_iter().cycle().take(REQUESTS) {
            let answer = promises.ask(wish, || shimmed.now()).expect("an answer");
            assert!(answer.status < 300, "{}", answer.text());
        }
        shimmed.server.stop();
        Self { record: shimmed.record(), promises, begin }
    }

    /// Cuts the power at a random moment, and starts on what is left.
    fn cut(&self, dice: &mut Dice, never_synchronised: Option<&str>) -> Result<(), String> {
        let moment = dice.between(self.begin, self.record.len() as u64);
        let rest = if dice.coin() { Rest::Lost } else { Rest::Random };
        let disk = Disk::after(&self.record, moment, never_synchronised);
        let server = Server::start_on(Backend::Sqlite, Options::new(), |folder| {
            disk.write_to(folder, rest, dice);
        });
        let verdict = self.promises.verify(&server, moment);
        verdict.map_err(|problem| format!("cut at {moment}, {rest:?}: {problem}"))
    }
}

#[test]
fn power_cuts_lose_nothing() {
    let (run, mut dice) = (Run::recorded(), Dice::seeded());
    for _ in rounds(30, 500) {
        run.cut(&mut dice, None).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

#[test]
fn power_cuts_find_a_log_that_is_not_synchronised() {
    let (run, mut dice) = (Run::recorded(), Dice::seeded());
    let mut cut = || run.cut(&mut dice, Some("purser.db-wal"));
    // A server that can't even start has found it, too.
    let is_found = (0..20).any(|_| !matches!(catch_unwind(AssertUnwindSafe(&mut cut)), Ok(Ok(()))));
    assert!(is_found, "nothing was lost");
}
