//! Carrying out runs that somebody asked for, in parts that are each a commit.
//!
//! A part looks at some thousand transactions after the last one that is done, changes a limited
//! number of them, and notes how far the runs are, all in one transaction. So nobody waits long for
//! the writer, and a process that dies goes on where it was: nothing is counted or done twice. Rules
//! are read anew for each part; what a person changes meanwhile counts from the next one on.

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, RuleRunId};
use purser_core::plan::{Change, RuleRevision};
use purser_core::rules::{Rules, Verdict};
use serde_json::json;
use uuid::Uuid;

use super::facts::{self, Slice};
use super::runs::{self, RuleRun, RunStatus};
use super::{Rule, all};
use crate::audit::Actor;
use crate::driver::Tx;
use crate::families::FamilyId;
use crate::ledger::{Event, Executor};

/// Transactions that a part looks at.
const LOOKED_AT_MAX: u64 = 10_000;
/// Transactions that a part changes.
const CHANGED_MAX: usize = 2_000;

/// What a part did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Transactions that were looked at.
    pub looked_at: u64,
    /// Whether nothing is left to be done.
    pub is_last: bool,
}

/// Matched and changed transactions of each rule.
#[derive(Debug, Clone, Default)]
pub struct Counts(Vec<(u64, u64)>);

impl Counts {
    /// For so many rules.
    pub fn new(rules: usize) -> Self {
        Self(vec![(0, 0); rules])
    }

    /// Counts a transaction.
    pub fn add(&mut self, verdict: &Verdict) {
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

    /// Of one rule: how many matched, how many changed.
    pub fn of(&self, place: usize) -> (u64, u64) {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// Carries out the next part of some runs, which began together.
pub fn run_part(tx: &mut Tx<'_>, family: FamilyId, runs: &[RuleRunId]) -> Result<Part> {
    let done = Part { looked_at: 0, is_last: true };
    let runs = pending(tx, family, runs)?;
    let Some((first, _)) = runs.first() else { return Ok(done) };
    let from = first.last_entry.unwrap_or(EntryId(Uuid::nil()));
    let hidden = facts::hidden_accounts(tx, family)?;
    let rules = Rules(runs.iter().map(|(_, rule)| rule.rule.clone()).collect());
    let looked_at = usize::try_from(rules.judged_at_once(LOOKED_AT_MAX));
    let slice = facts::after(tx, family, &hidden, from, looked_at.map_err(Error::internal)?)?;
    let mut counts = Counts::new(runs.len());
    let applied = apply(tx, family, &runs, &rules, &slice, &mut counts)?;
    let is_last = slice.is_last && applied.is_whole;
    let last = if applied.is_whole { slice.last } else { applied.last };
    for (place, (run, _)) in runs.iter().enumerate() {
        runs::progress(tx, family, run.id, counts.of(place), last)?;
        if is_last {
            runs::end(tx, family, run.id, None)?;
        }
    }
    Ok(Part { looked_at: applied.looked_at, is_last })
}

/// The runs that are to be carried out, with their rules in order. Those whose rule can't run are
/// ended.
fn pending(tx: &mut Tx<'_>, family: FamilyId, ids: &[RuleRunId]) -> Result<Vec<(RuleRun, Rule)>> {
    let (mut rules, _) = all(tx, family)?;
    let mut found = Vec::with_capacity(ids.len());
    for id in ids {
        let run = runs::get(tx, family, *id)?;
        if run.status != RunStatus::Pending {
            continue;
        }
        let place = rules.iter().position(|rule| rule.id == run.rule);
        let failure = match place.and_then(|place| rules.get(place)) {
            None => Some("The rule was deleted before it had seen all transactions."),
            Some(rule) => rule.problem.as_deref(),
        };
        if let Some(failure) = failure {
            runs::end(tx, family, *id, Some(failure))?;
        } else if let Some(place) = place {
            found.push((run, rules.remove(place)));
        }
    }
    found.sort_by_key(|(_, rule)| (rule.position, rule.id));
    Ok(found)
}

/// What became of a slice.
struct Applied {
    looked_at: u64,
    last: Option<EntryId>,
    is_whole: bool,
}

fn apply(
    tx: &mut Tx<'_>,
    family: FamilyId,
    runs: &[(RuleRun, Rule)],
    rules: &Rules,
    slice: &Slice,
    counts: &mut Counts,
) -> Result<Applied> {
    let mut executor = Executor::begin(tx, family, 0)?;
    let mut applied = Applied { looked_at: 0, last: None, is_whole: true };
    let mut changed = 0;
    for (entry, facts) in &slice.entries {
        if changed == CHANGED_MAX {
            applied.is_whole = false;
            break;
        }
        let verdict = rules.run(facts);
        counts.add(&verdict);
        applied.looked_at += 1;
        applied.last = Some(*entry);
        if !verdict.effects.is_empty() {
            revise(tx, &mut executor, *entry, &verdict)?;
            changed += 1;
        }
    }
    if let Some((first, _)) = runs.first().filter(|_| changed > 0) {
        let told = |(place, (run, rule)): (usize, &(RuleRun, Rule))| {
            let (matched, changed) = counts.of(place);
            json!({ "rule": rule.id, "run": run.id, "matched": matched, "changed": changed })
        };
        let rules: Vec<_> = runs.iter().enumerate().map(told).collect();
        let event = Event {
            actor: Actor::System,
            action: "rules.run",
            subject_kind: "rule_run",
            subject_id: first.id.0,
            details: json!({ "rules": rules }),
        };
        executor.finish(tx, event)?;
    }
    Ok(applied)
}

fn revise(
    tx: &mut Tx<'_>,
    executor: &mut Executor,
    entry: EntryId,
    verdict: &Verdict,
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
