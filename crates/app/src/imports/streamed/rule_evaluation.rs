//! The family's rules, applied to the rows that a publish adds.
//!
//! They run on each row before it becomes a transaction, so nothing is written twice, and a family
//! without rules pays nothing. What a rule changes is no person's change, and the name that the
//! file gave is kept beside another one: duplicates are recognised by it.
//!
//! Searching long texts may take long, and SQLite has one writer: rows can be evaluated before
//! their transaction begins ([`RuleEvaluation::evaluate_ahead`]).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::mapping::MappingKind;
use purser_core::import::streamed::EntryRow;
use purser_core::import::transaction::Row;
use purser_core::ledger::locks::Locks;
use purser_core::limits::RULE_WORK_MAX;
use purser_core::plan::Target;
use purser_core::rules::{Evaluation, Facts, Rules, Work};
use purser_store::FamilyTx;
use purser_store::rules::running::Counts;
use purser_store::rules::{self, Rule, Stamps, runs};
use uuid::Uuid;

use crate::imports::names::Names;
use crate::imports::reading::Source;

/// Rows that are read at a time while rows are evaluated ahead.
const PAGE_ROWS: u64 = 1_000;

/// The rules of a family, and what they have done to the rows until now.
pub(crate) struct RuleEvaluation {
    active: Vec<Rule>,
    rules: Rules,
    stamps: Stamps,
    counts: Counts,
    ahead: EvaluatedRows,
}

/// The evaluation of the rules for rows that are still to be executed.
#[derive(Default)]
struct EvaluatedRows {
    /// The rows that were evaluated.
    rows: Range<u64>,
    /// The rows among them that meet a rule.
    matched: HashMap<u64, Evaluation>,
    /// The rows among them that could not be evaluated.
    failed: HashSet<u64>,
}

impl RuleEvaluation {
    /// The rules that are active now.
    pub(in crate::imports) fn load(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let stamps = Stamps::read(tx)?;
        let active = rules::active(tx)?;
        let rules = Rules(active.iter().map(|rule| rule.rule.clone()).collect());
        let counts = Counts::new(active.len());
        Ok(Self { active, rules, stamps, counts, ahead: EvaluatedRows::default() })
    }

    /// Whether they are still the active ones.
    pub(in crate::imports) fn is_current(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        self.stamps.are_current(tx, &self.active)
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Evaluates rows from the row `first` (counted from 1) on, without a database transaction:
    /// `count` at most, and no more than [`RULE_WORK_MAX`] allows. Returns how many; one at least
    /// if there is one.
    pub(super) fn evaluate_ahead(
        &mut self,
        source: &Source,
        names: &mut Names,
        first: u64,
        count: u64,
    ) -> Result<u64> {
        self.ahead = EvaluatedRows::default();
        if self.is_empty() {
            return Ok(count);
        }
        let work = Work::default();
        let mut ahead = EvaluatedRows { rows: first..first, ..EvaluatedRows::default() };
        let end = first.saturating_add(count);
        while ahead.rows.end < end && work.units() < RULE_WORK_MAX {
            let from = ahead.rows.end;
            source.visit_page(from, PAGE_ROWS.min(end - from), |visited| {
                if work.units() < RULE_WORK_MAX {
                    ahead.rows.end = visited.row + 1;
                    if let Ok(row) = visited.outcome
                        && let Some(EntryRow::Transaction(row)) = row.entry()
                    {
                        ahead.keep(visited.row, self.evaluate(names, row, &work));
                    }
                }
                Ok(())
            })?;
            if ahead.rows.end == from {
                return Err(Error::internal(format!("row {from} was not read again")));
            }
        }
        let evaluated = ahead.rows.end - first;
        self.ahead = ahead;
        Ok(evaluated)
    }

    /// The changes that the rules make to a row that becomes a transaction; `None` without any.
    pub(super) fn evaluation(
        &mut self,
        names: &mut Names,
        number: u64,
        row: &Row<'_>,
    ) -> Result<Option<Evaluation>> {
        if self.is_empty() {
            return Ok(None);
        }
        let evaluation = match self.ahead.of(number) {
            Some(evaluation) => evaluation,
            None => self.evaluate(names, row, &Work::default())?,
        };
        self.counts.add(&evaluation);
        Ok((!evaluation.effects.is_empty()).then_some(evaluation))
    }

    fn evaluate(&self, names: &mut Names, row: &Row<'_>, work: &Work) -> Result<Evaluation> {
        let account = names.account(row.account, row.currency).ok_or_else(|| {
            Error::internal(format!("the account {:?} was not found at upload", row.account))
        })?;
        let category = row.category.map(|name| names.target(MappingKind::Category, name));
        let category = category.transpose()?;
        let mut tags = Vec::new();
        for name in row.tags.iter() {
            let tag = id(names.target(MappingKind::Tag, name)?);
            // Two names of the file may stand for one tag.
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let facts = Facts {
            account: id(account),
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            name: Cow::Borrowed(row.name),
            source_name: Cow::Borrowed(row.name),
            notes: row.notes.map(Cow::Borrowed),
            category: category.map(id),
            merchant: None,
            tags,
            excluded: false,
            transfer: false,
            locked: Locks::NONE,
        };
        Ok(self.rules.run(&facts, work))
    }

    /// Stores what each rule did, as a run of the rule by this import.
    pub(super) fn record(self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        for (place, rule) in self.active.iter().enumerate() {
            runs::record_import(tx, import, rule, self.counts.of(place))?;
        }
        Ok(())
    }
}

impl EvaluatedRows {
    fn keep(&mut self, row: u64, evaluation: Result<Evaluation>) {
        match evaluation {
            Ok(evaluation) if evaluation.matched.is_empty() => {}
            Ok(evaluation) => {
                self.matched.insert(row, evaluation);
            }
            // A row that isn't published may name what nobody knows.
            Err(_) => {
                self.failed.insert(row);
            }
        }
    }

    fn of(&self, row: u64) -> Option<Evaluation> {
        let is_evaluated = self.rows.contains(&row) && !self.failed.contains(&row);
        is_evaluated.then(|| self.matched.get(&row).cloned().unwrap_or_default())
    }
}

/// What a target is to rules. They know nothing that is still to be created, so any id does for
/// it that no generator makes.
fn id(target: Target) -> Uuid {
    match target {
        Target::Existing(id) => id,
        Target::Created(slot) => Uuid::from_u128(u128::MAX - u128::from(slot.0)),
    }
}
