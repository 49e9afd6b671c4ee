//! The family's rules, applied to the rows that a sync adds.
//!
//! They run on each row before it becomes a transaction, as on the rows of an import. What a rule
//! changes is no person's change, and the name that the bank gave is kept beside another one.

use std::borrow::Cow;
use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::ledger::locks::Locks;
use purser_core::rules::{Evaluation, Facts, Rules, Work};
use purser_core::sync::{ReportedRow, ReportedRows, SyncChange, SyncPlan};
use purser_store::FamilyTx;
use purser_store::rules::{self, Rule, Stamps};

/// The rules that were active, and what they make of the rows that a plan adds.
#[derive(Debug)]
pub(super) struct EvaluatedRules {
    active: Vec<Rule>,
    stamps: Stamps,
    /// The evaluations that have an effect, by the position of the row in the answer.
    pub(super) evaluations: HashMap<usize, Evaluation>,
}

impl EvaluatedRules {
    /// Evaluates the active rules for the rows that a plan adds to an account.
    pub(super) fn of(
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        reported: &ReportedRows,
        plan: &SyncPlan,
    ) -> Result<Self> {
        let stamps = Stamps::read(tx)?;
        let active = rules::active(tx)?;
        let rules = Rules(active.iter().map(|rule| rule.rule.clone()).collect());
        let mut evaluations = HashMap::new();
        if !rules.is_empty() {
            let work = Work::default();
            for change in &plan.changes {
                let SyncChange::Add { row: at, .. } = *change else { continue };
                let Some(row) = reported.rows.get(at) else { continue };
                let evaluation = rules.run(&facts(account, row), &work);
                if !evaluation.effects.is_empty() {
                    evaluations.insert(at, evaluation);
                }
            }
        }
        Ok(Self { active, stamps, evaluations })
    }

    /// Whether they are still the active ones.
    pub(super) fn are_current(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        self.stamps.are_current(tx, &self.active)
    }
}

fn facts(account: AccountId, reported: &ReportedRow) -> Facts<'_> {
    let ReportedRow { row, notes } = reported;
    Facts {
        account: account.0,
        date: row.date,
        amount: row.amount,
        currency: row.currency,
        name: Cow::Borrowed(&row.name),
        source_name: Cow::Borrowed(&row.name),
        notes: notes.as_deref().map(Cow::Borrowed),
        category: None,
        merchant: None,
        tags: Vec::new(),
        excluded: false,
        transfer: false,
        locked: Locks::NONE,
    }
}
