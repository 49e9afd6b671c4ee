//! The family's rules, on what a publish adds.
//!
//! They run on each row before it becomes a transaction, so nothing is written twice, and a family
//! without rules pays nothing. What a rule changes is no person's change, and the name that the
//! file gave is kept beside another one: duplicates are recognised by it.

use std::borrow::Cow;

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::ledger::locks::Locks;
use purser_core::plan::{Target, TransactionDraft};
use purser_core::rules::{Facts, Rules, Verdict};
use purser_store::ledger::Executor;
use purser_store::rules::running::Counts;
use purser_store::rules::{self, Rule, runs};
use purser_store::{FamilyId, Tx};

/// The rules, and what they have done until now.
pub(super) struct Ruling {
    kept: Vec<Rule>,
    rules: Rules,
    counts: Counts,
}

impl Ruling {
    /// The rules that are active now.
    pub(super) fn begin(tx: &mut Tx<'_>, family: FamilyId) -> Result<Self> {
        let kept = rules::active(tx, family)?;
        let rules = Rules(kept.iter().map(|rule| rule.rule.clone()).collect());
        let counts = Counts::new(kept.len());
        Ok(Self { kept, rules, counts })
    }

    /// What the rules make of a transaction that is to be added; `None` if nothing.
    pub(super) fn judge(
        &mut self,
        executor: &Executor,
        draft: &TransactionDraft<'_>,
    ) -> Result<Option<Verdict>> {
        if self.rules.is_empty() {
            return Ok(None);
        }
        let id = |target: Option<Target>| target.map(|target| executor.resolve(target)).transpose();
        let tags: Result<Vec<_>> = draft.tags.iter().map(|tag| executor.resolve(*tag)).collect();
        let facts = Facts {
            account: executor.resolve(draft.account)?,
            date: draft.date,
            amount: draft.amount,
            currency: draft.currency,
            name: Cow::Borrowed(draft.name),
            said_name: Cow::Borrowed(draft.name),
            notes: draft.notes.map(Cow::Borrowed),
            category: id(draft.category)?,
            merchant: id(draft.merchant)?,
            tags: tags?,
            excluded: draft.excluded,
            transfer: false,
            locked: Locks::NONE,
        };
        let verdict = self.rules.run(&facts);
        self.counts.add(&verdict);
        Ok((!verdict.effects.is_empty()).then_some(verdict))
    }

    /// Writes down what each rule did.
    pub(super) fn record(self, tx: &mut Tx<'_>, family: FamilyId, import: ImportId) -> Result<()> {
        for (place, rule) in self.kept.iter().enumerate() {
            runs::record_import(tx, family, import, rule, self.counts.of(place))?;
        }
        Ok(())
    }
}
