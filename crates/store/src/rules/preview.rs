//! What a rule would do, by itself, to the transactions as they are now. Nothing is written.
//!
//! Transactions are evaluated in slices, so memory doesn't grow with the ledger, those that were
//! added last first. A rule that searches long texts doesn't get to the end of a large ledger:
//! after [`RULE_PREVIEW_WORK_MAX`] the preview stops and reports how far it came. Of the
//! transactions that would change the newest are shown.

use std::cmp::Reverse;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{EntryId, RuleId};
use purser_core::ledger::locks::LockField;
use purser_core::limits::RULE_PREVIEW_WORK_MAX;
use purser_core::money::Currency;
use purser_core::rules::{Effect, Facts, NewValue, Noun, Reference, Rule, RuleValues, Rules, Work};
use uuid::Uuid;

use super::changes::look_up;
use super::{Catalogue, facts, get, read_catalogue};
use crate::access::FamilyTx;

/// Transactions that are read at a time.
const SLICE: usize = 1_000;
/// Transactions that are shown.
const SHOWN_MAX: usize = 20;

/// What a rule would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preview {
    /// Transactions that were looked at, those that were added last.
    pub looked_at: u64,
    /// Whether those are all that there are for rules.
    pub is_complete: bool,
    /// Transactions that meet its conditions.
    pub matched: u64,
    /// Those of them that would change.
    pub changed: u64,
    /// Those of them in which something stays because a person has set it.
    pub locked: u64,
    /// Names that would be created first.
    pub created: Vec<(Noun, String)>,
    /// The newest of those that would change.
    pub examples: Vec<Example>,
}

/// A transaction that would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The id of the entry.
    pub id: EntryId,
    /// The day that it is of.
    pub date: Date,
    /// The present name of the transaction.
    pub name: String,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The account that it belongs to.
    pub account: (Uuid, String),
    /// The fields that would change.
    pub changes: Vec<FieldChange>,
    /// What stays because a person has set it.
    pub locked: Vec<LockField>,
}

/// A field before and after, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The field that would change.
    pub field: LockField,
    /// The present value of the field.
    pub before: Option<String>,
    /// The value that it would get.
    pub after: String,
}

/// What a rule that is kept would do.
pub fn of_rule(tx: &mut FamilyTx<'_>, id: RuleId) -> Result<Preview> {
    let (rule, catalogue) = get(tx, id)?;
    // Of a rule that names what is gone nothing would happen.
    let rules = if rule.problem.is_some() { Rules::default() } else { Rules(vec![rule.rule]) };
    evaluate(tx, &rules, &catalogue, RULE_PREVIEW_WORK_MAX)
}

/// What a rule that isn't kept yet would do. Names that it would create stand for something that no
/// transaction has.
pub fn of_values(tx: &mut FamilyTx<'_>, values: &RuleValues) -> Result<Preview> {
    let checked = values.check_new()?;
    let mut catalogue = read_catalogue(tx)?;
    let mut rule = Rule {
        effective_date: checked.effective_date.flatten(),
        conditions: checked.conditions.unwrap_or_default(),
        actions: checked.actions.unwrap_or_default(),
    };
    look_up(&catalogue, &mut rule)?;
    let mut created = Vec::new();
    for (place, action) in rule.actions.iter_mut().enumerate() {
        action.for_each_reference(&mut |noun, reference: &mut Reference| {
            if let Reference::Name(name) = reference {
                // No generator makes such an id.
                let id = Uuid::from_u128(u128::MAX - place as u128);
                catalogue.add(noun, id, name.clone());
                created.push((noun, name.clone()));
                *reference = Reference::Id(id);
            }
            Ok::<(), purser_core::error::Error>(())
        })?;
    }
    created.dedup();
    Ok(Preview { created, ..evaluate(tx, &Rules(vec![rule]), &catalogue, RULE_PREVIEW_WORK_MAX)? })
}

/// Evaluates transactions until there are no more, or until the work reaches `work_max`.
pub(super) fn evaluate(
    tx: &mut FamilyTx<'_>,
    rules: &Rules,
    catalogue: &Catalogue,
    work_max: u64,
) -> Result<Preview> {
    let mut preview = Preview::default();
    let hidden = facts::hidden_accounts(tx)?;
    let work = Work::default();
    let mut from = Some(EntryId(Uuid::max()));
    while let Some(before) = from.filter(|_| !rules.is_empty()) {
        let slice = facts::before(tx, &hidden, before, SLICE)?;
        for (id, facts) in &slice.entries {
            if work.units() >= work_max {
                cut(&mut preview.examples);
                return Ok(preview);
            }
            let verdict = rules.run(facts, &work);
            preview.looked_at += 1;
            preview.matched += verdict.matched.len() as u64;
            preview.locked += u64::from(!verdict.withheld.is_empty());
            if verdict.effects.is_empty() {
                continue;
            }
            preview.changed += 1;
            let locked = verdict.withheld.iter().map(|(_, field)| *field).collect();
            keep(&mut preview.examples, example(*id, facts, &verdict.effects, locked, catalogue));
        }
        from = slice.last.filter(|_| !slice.is_last);
    }
    cut(&mut preview.examples);
    preview.is_complete = true;
    Ok(preview)
}

fn keep(examples: &mut Vec<Example>, example: Example) {
    examples.push(example);
    if examples.len() >= 4 * SHOWN_MAX {
        cut(examples);
    }
}

fn cut(examples: &mut Vec<Example>) {
    examples.sort_unstable_by_key(|example| Reverse((example.date, example.id)));
    examples.truncate(SHOWN_MAX);
}

fn example(
    id: EntryId,
    facts: &Facts<'_>,
    effects: &[Effect],
    locked: Vec<LockField>,
    catalogue: &Catalogue,
) -> Example {
    let name = |noun, id| catalogue.name(noun, id).unwrap_or_default().to_owned();
    let mut changes: Vec<FieldChange> = Vec::new();
    let mut set = |field, before: Option<String>, after| {
        changes.push(FieldChange { field, before, after });
    };
    for effect in effects {
        match &effect.new {
            NewValue::Name(new) => set(LockField::Name, Some(facts.name.to_string()), new.clone()),
            NewValue::Category(new) => {
                let before = facts.category.map(|id| name(Noun::Category, id));
                set(LockField::Category, before, name(Noun::Category, *new));
            }
            NewValue::Merchant(new) => {
                let before = facts.merchant.map(|id| name(Noun::Merchant, id));
                set(LockField::Merchant, before, name(Noun::Merchant, *new));
            }
            NewValue::Excluded => set(LockField::Excluded, Some("false".into()), "true".into()),
            NewValue::Tag(_) => {}
        }
    }
    let added: Vec<Uuid> = effects
        .iter()
        .filter_map(|effect| match effect.new {
            NewValue::Tag(id) => Some(id),
            _ => None,
        })
        .collect();
    if !added.is_empty() {
        let names =
            |tags: &[Uuid]| -> Vec<String> { tags.iter().map(|id| name(Noun::Tag, *id)).collect() };
        let before = names(&facts.tags);
        let after = [before.clone(), names(&added)].concat().join(", ");
        let before = (!before.is_empty()).then(|| before.join(", "));
        changes.push(FieldChange { field: LockField::Tags, before, after });
    }
    Example {
        id,
        date: facts.date,
        name: facts.name.to_string(),
        amount: facts.amount,
        currency: facts.currency,
        account: (facts.account, name(Noun::Account, facts.account)),
        changes,
        locked,
    }
}
