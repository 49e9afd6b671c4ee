//! Runs of rules on demand, in parts that are each a commit.
//!
//! A part was evaluated before ([`super::judging`]). Its transaction checks whether the evaluation
//! still holds, changes a limited number of transactions, and records how far the runs are. So no
//! write waits long, however long the evaluation took, and a process that dies goes on where it
//! was: nothing is counted or done twice. Rules are read anew for each part; changes of rules count
//! from the next part on.

use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::plan::{Change, RuleRevision};
use purser_core::rules::Evaluation;
use serde_json::json;
use uuid::Uuid;

use super::judging::{EvaluatedEntry, EvaluatedPart};
use super::runs;
use crate::access::FamilyTx;
use crate::audit::Actor;

use crate::ledger::{Event, Executor};

/// What a part did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Nothing: the rules, or the first transactions, were changed since they were evaluated.
    Outdated,
    /// The part was written, as far as its evaluation was still current.
    Done {
        /// The number of transactions that were evaluated.
        looked_at: u64,
        /// Whether nothing is left to be done.
        is_last: bool,
    },
}

/// Matched and changed transactions of each rule.
#[derive(Debug, Clone, Default)]
pub struct Counts(Vec<(u64, u64)>);

impl Counts {
    /// Starts at zero for this number of rules.
    pub fn new(rules: usize) -> Self {
        Self(vec![(0, 0); rules])
    }

    /// Counts a transaction of a part.
    pub fn add(&mut self, verdict: &Evaluation) {
        for place in &verdict.matched {
            if let Some((matched, _)) = self.0.get_mut(*place) {
                *matched += 1;
            }
        }
        for place in verdict.changing() {
            if let Some((_, changed)) = self.0.get_mut(place) {
                *changed += 1;
            }
        }
    }

    /// How many transactions one rule matched, and how many it changed.
    pub fn of(&self, place: usize) -> (u64, u64) {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// Applies a part that was evaluated.
pub fn run_part(tx: &mut FamilyTx<'_>, evaluated: &EvaluatedPart) -> Result<Part> {
    if !evaluated.is_current(tx)? {
        return Ok(Part::Outdated);
    }
    let unchanged = evaluated.unchanged(tx)?;
    let entries = evaluated.entries.get(..unchanged).unwrap_or_default();
    let is_whole = unchanged == evaluated.entries.len();
    if entries.is_empty() && !is_whole {
        return Ok(Part::Outdated);
    }
    for (run, failure) in &evaluated.failing {
        runs::end(tx, *run, Some(failure))?;
    }
    let mut counts = Counts::new(evaluated.runs.len());
    apply(tx, evaluated, entries, &mut counts)?;
    let last = if is_whole { evaluated.last } else { entries.last().map(|entry| entry.id) };
    let is_last = is_whole && evaluated.is_last;
    for (place, (run, _)) in evaluated.runs.iter().enumerate() {
        runs::progress(tx, run.id, counts.of(place), last)?;
        if is_last {
            runs::end(tx, run.id, None)?;
        }
    }
    Ok(Part::Done { looked_at: unchanged as u64, is_last })
}

fn apply(
    tx: &mut FamilyTx<'_>,
    evaluated: &EvaluatedPart,
    entries: &[EvaluatedEntry],
    counts: &mut Counts,
) -> Result<()> {
    let mut executor = Executor::begin(tx, 0)?;
    let mut changed: u64 = 0;
    for entry in entries {
        counts.add(&entry.verdict);
        if !entry.verdict.effects.is_empty() {
            revise(tx, &mut executor, entry.id, &entry.verdict)?;
            changed += 1;
        }
    }
    let Some((first, _)) = evaluated.runs.first().filter(|_| changed > 0) else { return Ok(()) };
    let mut rules = Vec::with_capacity(evaluated.runs.len());
    for (place, (run, rule)) in evaluated.runs.iter().enumerate() {
        let (matched, changed) = counts.of(place);
        let outcome =
            json!({ "rule": rule.id, "run": run.id, "matched": matched, "changed": changed });
        rules.push(outcome);
    }
    let event = Event {
        actor: Actor::System,
        action: "rules.run",
        subject_kind: "rule_run",
        subject_id: first.id.0,
        details: json!({ "rules": rules }),
    };
    executor.finish(tx, event).map(drop)
}

fn revise(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    entry: EntryId,
    verdict: &Evaluation,
) -> Result<()> {
    let tags: Vec<Uuid> = verdict.tags().collect();
    let revision = RuleRevision {
        entry,
        name: verdict.name(),
        category: verdict.category(),
        merchant: verdict.merchant(),
        tags: &tags,
        exclude: verdict.excludes(),
    };
    executor.apply(tx, &Change::ApplyRules(revision)).map(drop)
}
