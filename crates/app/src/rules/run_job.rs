//! The job that runs rules on all transactions.
//!
//! A run is a row that is `pending` until the job has seen all transactions. Each part is evaluated
//! while others write, and is then a commit that also records how far the run is, so a job that
//! dies continues there. Only the last part ends the job; after a while it is given back, so that
//! other families get their turn.

use std::time::Instant;

use purser_core::error::{Error, Result};
use purser_core::ids::RuleRunId;
use purser_store::rules::judging;
use purser_store::rules::running::{self, Part};
use purser_store::rules::runs;
use purser_store::{FamilyTx, jobs};
use serde::{Deserialize, Serialize};

use crate::jobs::job::{GivenUp, Job, Work};
use crate::limits::RULES_TURN;

/// How often a part is evaluated anew because somebody changed what it begins with, before the job
/// gives up until its next try.
const TRIES: u32 = 20;

/// What people read when the job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str = "The rule could not be run to its end because of an error on the \
                            server. What it changed until then stays.";

/// Runs rules, in their order.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunRules {
    pub(crate) runs: Vec<RuleRunId>,
}

impl Job for RunRules {
    const KIND: &'static str = "rules.run";
    const IS_REFUSAL_FINAL: bool = true;

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let started = Instant::now();
        let mut done = 0;
        let mut outdated = 0;
        while outdated < TRIES {
            let evaluated = judging::evaluate(work.store, &work.access(), &self.runs)?;
            let had_its_turn = started.elapsed() >= RULES_TURN;
            let part = work.write(|tx| {
                jobs::hold(tx, work.claim)?;
                let part = running::run_part(tx, &evaluated)?;
                match part {
                    Part::Done { is_last: true, .. } => jobs::complete(tx, work.claim)?,
                    Part::Done { .. } if had_its_turn => jobs::give_back(tx, work.claim)?,
                    Part::Done { .. } => jobs::end_part(tx, work.claim)?,
                    Part::Outdated => {}
                }
                Ok(part)
            })?;
            let Part::Done { looked_at, is_last } = part else {
                outdated += 1;
                continue;
            };
            outdated = 0;
            done += looked_at;
            (work.progress)(done);
            if is_last || had_its_turn {
                return Ok(());
            }
        }
        Err(Error::internal("transactions or rules changed each time before the run could go on"))
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, _reason: &GivenUp) -> Result<()> {
        for run in &self.runs {
            runs::end(tx, *run, Some(OUT_OF_TRIES))?;
        }
        Ok(())
    }

    /// The runs have ended; whoever wants more starts another one.
    fn take_up_again(&self, _tx: &mut FamilyTx<'_>) -> Result<bool> {
        Ok(false)
    }
}
