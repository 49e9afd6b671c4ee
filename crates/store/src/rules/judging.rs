//! What rules make of the next transactions, found out before a part of a run is written.
//!
//! Looking into texts may take long, and SQLite has one writer for all families. So transactions
//! and rules are read in snapshots, evaluated without any connection, and compared once more with
//! what is there when the part is written: what changed meanwhile is evaluated again with
//! the next part.

use std::collections::HashSet;

use purser_core::error::Result;
use purser_core::ids::{EntryId, RuleRunId};
use purser_core::limits::RULE_WORK_MAX;
use purser_core::rules::{Evaluation, Facts, Rules, Work};
use uuid::Uuid;

use super::facts::{self, Slice};
use super::runs::{self, RuleRun, RunStatus};
use super::{Rule, Stamps, all};
use crate::access::{Access, FamilyTx};

use crate::store::Store;

/// Transactions that a part looks at.
const LOOKED_AT_MAX: usize = 10_000;
/// The largest number of transactions that a part changes.
const CHANGED_MAX: usize = 2_000;
/// Transactions that are read at a time: their texts are in memory.
const SLICE: usize = 1_000;

/// A part of some runs that was evaluated and has to be written.
#[derive(Debug)]
pub struct EvaluatedPart {
    /// The runs that are to be done, with their rules in order.
    pub(super) runs: Vec<(RuleRun, Rule)>,
    /// Runs with a rule that can't run, and the reason.
    pub(super) failing: Vec<(RuleRunId, String)>,
    /// The transactions, in the order of ids.
    pub(super) entries: Vec<EvaluatedEntry>,
    /// The last transaction that was looked at; `None` if there was none.
    pub(super) last: Option<EntryId>,
    /// Whether this is the last part.
    pub(super) is_last: bool,
    stamps: Stamps,
    hidden: HashSet<Uuid>,
}

/// A transaction, and what rules make of it.
#[derive(Debug)]
pub(super) struct EvaluatedEntry {
    pub(super) id: EntryId,
    pub(super) facts: Facts<'static>,
    pub(super) verdict: Evaluation,
}

/// Evaluates the next part of runs that began together. A part ends at a limit of transactions, of
/// changes, or of work ([`RULE_WORK_MAX`]), and has at least one transaction if there is one.
pub fn evaluate(store: &Store, access: &Access, runs: &[RuleRunId]) -> Result<EvaluatedPart> {
    let mut evaluated = store.read_blocking(access.clone(), |tx| EvaluatedPart::begin(tx, runs))?;
    let rules = Rules(evaluated.runs.iter().map(|(_, rule)| rule.rule.clone()).collect());
    let mut meter = Meter::default();
    while !evaluated.is_last {
        let from = evaluated.last.unwrap_or(EntryId(Uuid::nil()));
        let read = |tx: &mut FamilyTx<'_>| facts::after(tx, &evaluated.hidden, from, SLICE);
        let slice = store.read_blocking(access.clone(), read)?;
        if !evaluated.add(slice, &rules, &mut meter) {
            break;
        }
    }
    Ok(evaluated)
}

/// The amount of work that a part has done.
#[derive(Default)]
struct Meter {
    work: Work,
    looked_at: usize,
    changing: usize,
}

impl Meter {
    fn is_full(&self) -> bool {
        self.looked_at >= LOOKED_AT_MAX
            || self.changing >= CHANGED_MAX
            || self.work.units() >= RULE_WORK_MAX
    }
}

impl EvaluatedPart {
    fn begin(tx: &mut FamilyTx<'_>, ids: &[RuleRunId]) -> Result<Self> {
        let stamps = Stamps::read(tx)?;
        let (runs, failing) = pending(tx, ids)?;
        let last = runs.first().and_then(|(run, _)| run.last_entry);
        let is_last = runs.is_empty();
        let hidden = facts::hidden_accounts(tx)?;
        Ok(Self { runs, failing, entries: Vec::new(), last, is_last, stamps, hidden })
    }

    /// Judges a slice; whether there is room for another one.
    fn add(&mut self, slice: Slice, rules: &Rules, meter: &mut Meter) -> bool {
        for (id, facts) in slice.entries {
            let verdict = rules.run(&facts, &meter.work);
            meter.looked_at += 1;
            meter.changing += usize::from(!verdict.effects.is_empty());
            self.entries.push(EvaluatedEntry { id, facts, verdict });
            self.last = Some(id);
            if meter.is_full() {
                return false;
            }
        }
        self.last = slice.last.or(self.last);
        self.is_last = slice.is_last;
        !self.is_last
    }

    /// Whether the runs are where they were, and their rules what they were.
    pub(super) fn is_current(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        for (before, _) in &self.runs {
            let now = runs::get(tx, before.id)?;
            if now.status != RunStatus::Pending || now.last_entry != before.last_entry {
                return Ok(false);
            }
        }
        self.stamps.are_current(tx, self.runs.iter().map(|(_, rule)| rule))
    }

    /// How many of the transactions, from the first one on, are unchanged since they were
    /// evaluated.
    pub(super) fn unchanged(&self, tx: &mut FamilyTx<'_>) -> Result<usize> {
        let hidden = facts::hidden_accounts(tx)?;
        let mut from = self.runs.first().and_then(|(run, _)| run.last_entry);
        let mut evaluated = self.entries.iter();
        let mut unchanged = 0;
        while unchanged < self.entries.len() {
            let after = from.unwrap_or(EntryId(Uuid::nil()));
            let slice = facts::after(tx, &hidden, after, SLICE)?;
            for (id, facts) in &slice.entries {
                let Some(before) = evaluated.next() else { return Ok(unchanged) };
                if before.id != *id || before.facts != *facts {
                    return Ok(unchanged);
                }
                unchanged += 1;
            }
            if slice.is_last {
                break;
            }
            from = slice.last;
        }
        Ok(unchanged)
    }
}

/// The runs that are to be done, with their rules, and those with a rule that can't run.
type Pending = (Vec<(RuleRun, Rule)>, Vec<(RuleRunId, String)>);

/// The runs that are to be done, with their rules in order, and those with a rule that can't run.
fn pending(tx: &mut FamilyTx<'_>, ids: &[RuleRunId]) -> Result<Pending> {
    let (mut rules, _) = all(tx)?;
    let mut found = Vec::with_capacity(ids.len());
    let mut failing = Vec::new();
    for id in ids {
        let run = runs::get(tx, *id)?;
        if run.status != RunStatus::Pending {
            continue;
        }
        let place = rules.iter().position(|rule| rule.id == run.rule);
        let failure = match place.and_then(|place| rules.get(place)) {
            None => Some("The rule was deleted before it had seen all transactions."),
            Some(rule) => rule.problem.as_deref(),
        };
        if let Some(failure) = failure {
            failing.push((*id, failure.to_owned()));
        } else if let Some(place) = place {
            found.push((run, rules.remove(place)));
        }
    }
    found.sort_by_key(|(_, rule)| (rule.position, rule.id));
    Ok((found, failing))
}
