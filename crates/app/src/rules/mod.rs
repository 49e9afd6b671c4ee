//! Runs of rules on demand: a job of its own, done in parts.
//!
//! A run is a row that is `pending` until the job has seen all transactions. Each part is evaluated
//! while others write, and is then a commit that also records how far the run is, so a job that
//! dies continues there. Only the last part ends the job; after a while it is given back, so that
//! other families get their turn.

use std::time::Instant;

use purser_core::error::{Error, Result};
use purser_core::ids::{RuleId, RuleRunId};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::rules::running::{self, Part};
use purser_store::rules::runs::RuleRun;
use purser_store::rules::{self, judging};
use purser_store::{FamilyId, FamilyTx, Store};
use serde::{Deserialize, Serialize};

use crate::limits::RULES_TURN;

pub use purser_store::rules::{Catalogue, Rule, all, create, get, remove, revise};

/// What a rule would do.
pub mod preview {
    pub use purser_store::rules::preview::{Example, FieldChange, Preview, of_rule, of_values};
}

/// Runs of rules, with their results.
pub mod runs {
    pub use purser_store::rules::runs::{Execution, Listing, RuleRun, RunStatus, get, list};
}

/// The kind of job.
pub const KIND: &str = "rules.run";

/// How often a part is judged anew because somebody changed what it begins with, before the job
/// gives up until its next try.
const TRIES: u32 = 20;

/// What people read when the job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str = "The rule could not be run to its end because of an error on the \
                            server. What it changed until then stays.";

/// What the job needs to know.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    runs: Vec<RuleRunId>,
}

/// Queues a run of one rule, active or not.
pub fn queue(tx: &mut FamilyTx<'_>, family: FamilyId, id: RuleId) -> Result<RuleRun> {
    let (rule, _) = rules::get(tx, family, id)?;
    if let Some(problem) = rule.problem {
        return Err(Error::Conflict { code: "rule_not_runnable", message: problem });
    }
    let run = rules::runs::begin(tx, family, &rule)?;
    enqueue(tx, family, vec![run.id])?;
    Ok(run)
}

/// Queues a run of every active rule, in their order: each sees what those before it did.
pub fn queue_all(tx: &mut FamilyTx<'_>, family: FamilyId) -> Result<Vec<RuleRun>> {
    let active = rules::active(tx, family)?;
    let begun: Vec<RuleRun> =
        active.iter().map(|rule| rules::runs::begin(tx, family, rule)).collect::<Result<_>>()?;
    if !begun.is_empty() {
        enqueue(tx, family, begun.iter().map(|run| run.id).collect())?;
    }
    Ok(begun)
}

fn enqueue(tx: &mut FamilyTx<'_>, family: FamilyId, runs: Vec<RuleRunId>) -> Result<()> {
    let payload = serde_json::to_value(Payload { runs }).map_err(Error::internal)?;
    jobs::enqueue(tx, family, KIND, &payload, None).map(drop)
}

/// Runs the job. `progress` gets the number of transactions that were evaluated.
pub fn run(store: &Store, job: &ClaimedJob, progress: &dyn Fn(u64)) -> Result<()> {
    let ids = runs_of(job)?;
    let started = Instant::now();
    let mut done = 0;
    let mut outdated = 0;
    while outdated < TRIES {
        let judged = judging::judge(store, job.family, &ids)?;
        let had_its_turn = started.elapsed() >= RULES_TURN;
        let part = store.write_blocking(job.family, |tx| {
            jobs::hold(tx, job)?;
            let part = running::run_part(tx, job.family, &judged)?;
            match part {
                Part::Done { is_last: true, .. } => jobs::complete(tx, job)?,
                Part::Done { .. } if had_its_turn => jobs::give_back(tx, job)?,
                _ => {}
            }
            Ok(part)
        })?;
        let Part::Done { looked_at, is_last } = part else {
            outdated += 1;
            continue;
        };
        outdated = 0;
        done += looked_at;
        progress(done);
        if is_last || had_its_turn {
            return Ok(());
        }
    }
    Err(Error::internal("transactions or rules changed each time before the run could go on"))
}

/// Marks the runs of a job that is given up as failed.
pub fn give_up(tx: &mut FamilyTx<'_>, job: &ClaimedJob) -> Result<()> {
    for run in runs_of(job)? {
        rules::runs::end(tx, job.family, run, Some(OUT_OF_TRIES))?;
    }
    Ok(())
}

fn runs_of(job: &ClaimedJob) -> Result<Vec<RuleRunId>> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    Ok(payload.runs)
}
