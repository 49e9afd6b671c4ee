//! Runs of rules on demand: a job of its own, done in parts.

pub(crate) mod run_job;

use purser_core::error::{Error, Result};
use purser_core::ids::RuleId;
use purser_store::rules::runs::RuleRun;
use purser_store::{FamilyTx, rules};

use crate::jobs::job::enqueue;
use run_job::RunRules;

pub use purser_store::rules::{Catalogue, Rule, all, create, get, remove, revise};

/// What a rule would do.
pub mod preview {
    pub use purser_store::rules::preview::{Example, FieldChange, Preview, of_rule, of_values};
}

/// Runs of rules, with their results.
pub mod runs {
    pub use purser_store::rules::runs::{Execution, Listing, RuleRun, RunStatus, get, list};
}

/// Queues a run of one rule, active or not.
pub fn queue(tx: &mut FamilyTx<'_>, id: RuleId) -> Result<RuleRun> {
    let (rule, _) = rules::get(tx, id)?;
    if let Some(problem) = rule.problem {
        return Err(Error::Conflict { code: "rule_not_runnable", message: problem });
    }
    let run = rules::runs::begin(tx, &rule)?;
    enqueue(tx, &RunRules { runs: vec![run.id] })?;
    Ok(run)
}

/// Queues a run of every active rule, in their order: each sees what those before it did.
pub fn queue_all(tx: &mut FamilyTx<'_>) -> Result<Vec<RuleRun>> {
    let active = rules::active(tx)?;
    let begun: Vec<RuleRun> =
        active.iter().map(|rule| rules::runs::begin(tx, rule)).collect::<Result<_>>()?;
    if !begun.is_empty() {
        let runs = begun.iter().map(|run| run.id).collect();
        enqueue(tx, &RunRules { runs })?;
    }
    Ok(begun)
}
