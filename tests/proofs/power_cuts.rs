//! Nothing acknowledged is lost, half there or doubled when the power goes (R2).
//!
//! Runs are recorded, in which things are made, changed, undone and deleted; any place of a record
//! is a power cut. The disk is made as it may have been then, and a server starts on it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::promises::{Promises, Wish};
use crate::record::{Disk, Rest};
use crate::shim::Shimmed;
use crate::support::{Backend, Dice, Options, Server, rounds};

/// Requests of the first recorded run; each later one has so many more.
const REQUESTS: u64 = 60;
/// Cuts of each run.
const CUTS_PER_RUN: u64 = 50;

/// A run, and what was promised in it.
struct Run {
    record: Vec<u8>,
    promises: Promises,
    /// The family exists from here on.
    begin: u64,
}

impl Run {
    fn recorded(requests: u64, dice: &mut Dice) -> Self {
        let mut shimmed = Shimmed::start(Backend::Sqlite, Options::new());
        let family = shimmed.server.family();
        let mut promises = Promises::of(&family);
        let begin = shimmed.now();
        for _ in 0..requests {
            let wish = promises.any_wish(dice);
            if let Wish::Undo(import) = wish {
                promises.wait_for_import(import);
            }
            let answer = promises.ask(wish, || shimmed.now()).expect("an answer");
            assert!(answer.status < 300, "{wish:?}: {}", answer.text());
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
    let mut dice = Dice::seeded();
    let mut run = Run::recorded(REQUESTS, &mut dice);
    for round in rounds(30, 500) {
        let number = 1 + round / CUTS_PER_RUN;
        if number > 1 && round % CUTS_PER_RUN == 0 {
            run = Run::recorded(REQUESTS * number, &mut dice);
        }
        run.cut(&mut dice, None).unwrap_or_else(|problem| panic!("{problem}"));
    }
}

#[test]
fn power_cuts_find_a_log_that_is_not_synchronised() {
    let mut dice = Dice::seeded();
    let run = Run::recorded(REQUESTS, &mut dice);
    let mut cut = || run.cut(&mut dice, Some("purser.db-wal"));
    // A server that can't even start has found it, too.
    let is_found = (0..20).any(|_| !matches!(catch_unwind(AssertUnwindSafe(&mut cut)), Ok(Ok(()))));
    assert!(is_found, "nothing was lost");
}
