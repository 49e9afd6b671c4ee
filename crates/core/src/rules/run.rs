//! Running rules over one transaction.
//!
//! Every rule sees what those before it made of the transaction. What counts is the outcome: of two
//! rules that set one field the later one has an effect, and a value that comes out as it was is no
//! effect. So running rules again right after changes nothing, unless a rule's own change makes
//! conditions hold that did not.

use std::borrow::Cow;

use jiff::civil::Date;
use uuid::Uuid;

use super::action::Action;
use super::condition::{Condition, EvaluationContext, FoldedTexts};
use super::facts::Facts;
use super::work::Work;
use crate::ledger::locks::LockField;
use crate::limits::ROW_TAGS_MAX;

/// A rule as it is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Transactions before this day are left alone.
    pub effective_date: Option<Date>,
    /// The conditions, which must all hold.
    pub conditions: Vec<Condition>,
    /// The actions, in the order in which they are applied.
    pub actions: Vec<Action>,
}

/// Rules in the order in which they run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules(pub Vec<Rule>);

/// A field's new value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewValue {
    /// The new name of the transaction.
    Name(String),
    /// The new category of the transaction.
    Category(Uuid),
    /// The new merchant of the transaction.
    Merchant(Uuid),
    /// A tag that is added.
    Tag(Uuid),
    /// It is left out of reports and budgets.
    Excluded,
}

/// A field that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The index of the rule that changes it.
    pub rule: usize,
    /// The new value of the field.
    pub new: NewValue,
}

/// The evaluation of the rules for one transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// The indexes of the rules with conditions that all held.
    pub matched: Vec<usize>,
    /// The fields that change, with the rules that change them.
    pub effects: Vec<Effect>,
    /// Fields that a rule would have changed, but that are locked (or have as many tags as they
    /// can), with the rule.
    pub withheld: Vec<(usize, LockField)>,
}

impl Evaluation {
    /// The rules that have an effect, each once.
    pub fn changing(&self) -> Vec<usize> {
        let mut rules: Vec<usize> = self.effects.iter().map(|effect| effect.rule).collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The new name, if it changes.
    pub fn name(&self) -> Option<&str> {
        self.effects.iter().find_map(|effect| match &effect.new {
            NewValue::Name(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The new category, if it changes.
    pub fn category(&self) -> Option<Uuid> {
        self.effects.iter().find_map(|effect| match effect.new {
            NewValue::Category(id) => Some(id),
            _ => None,
        })
    }

    /// The new merchant, if it changes.
    pub fn merchant(&self) -> Option<Uuid> {
        self.effects.iter().find_map(|effect| match effect.new {
            NewValue::Merchant(id) => Some(id),
            _ => None,
        })
    }

    /// The tags that it gets.
    pub fn tags(&self) -> impl Iterator<Item = Uuid> {
        self.effects.iter().filter_map(|effect| match effect.new {
            NewValue::Tag(id) => Some(id),
            _ => None,
        })
    }

    /// Whether it is excluded from now on.
    pub fn excludes(&self) -> bool {
        self.effects.iter().any(|effect| effect.new == NewValue::Excluded)
    }
}

impl Rule {
    fn matches(&self, facts: &Facts<'_>, folded: &FoldedTexts, work: &Work) -> bool {
        work.add_condition();
        if self.effective_date.is_some_and(|from| facts.date < from) {
            return false;
        }
        let view = EvaluationContext { facts, folded, work };
        self.conditions.iter().all(|condition| condition.holds(&view))
    }
}

impl Rules {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What they do to a transaction. What that costs is added to `work`.
    pub fn run(&self, facts: &Facts<'_>, work: &Work) -> Evaluation {
        let mut verdict = Evaluation::default();
        work.add_transaction(facts.text_bytes());
        // Most transactions meet no rule, and are not copied.
        let mut now = Cow::Borrowed(facts);
        let mut folded = FoldedTexts::default();
        for (place, rule) in self.0.iter().enumerate() {
            if !rule.matches(&now, &folded, work) {
                continue;
            }
            verdict.matched.push(place);
            for action in &rule.actions {
                work.add_value(action.bytes());
                let acted = act(place, action, &mut now, &mut verdict);
                if acted && action.field() == LockField::Name {
                    folded.forget_name();
                }
            }
        }
        verdict.effects.retain(|effect| match &effect.new {
            NewValue::Name(name) => *name != facts.name,
            NewValue::Category(id) => Some(*id) != facts.category,
            NewValue::Merchant(id) => Some(*id) != facts.merchant,
            // Only what it didn't have was added.
            NewValue::Tag(_) | NewValue::Excluded => true,
        });
        verdict
    }
}

/// Carries an action out; whether it changed anything.
fn act(
    rule: usize,
    action: &Action,
    now: &mut Cow<'_, Facts<'_>>,
    verdict: &mut Evaluation,
) -> bool {
    let Some(new) = new_value(action, now) else { return false };
    let is_full = matches!(new, NewValue::Tag(_)) && now.tags.len() >= ROW_TAGS_MAX;
    if now.locked.has(action.field()) || is_full {
        verdict.withheld.push((rule, action.field()));
        return false;
    }
    let facts = now.to_mut();
    match &new {
        NewValue::Name(name) => facts.name = Cow::Owned(name.clone()),
        NewValue::Category(id) => facts.category = Some(*id),
        NewValue::Merchant(id) => facts.merchant = Some(*id),
        NewValue::Tag(id) => facts.tags.push(*id),
        NewValue::Excluded => facts.excluded = true,
    }
    // Of a field with one value the last word counts.
    if !matches!(new, NewValue::Tag(_)) {
        let same = std::mem::discriminant(&new);
        verdict.effects.retain(|effect| std::mem::discriminant(&effect.new) != same);
    }
    verdict.effects.push(Effect { rule, new });
    true
}

/// What an action makes of a field, if that is something else than it is.
fn new_value(action: &Action, now: &Facts<'_>) -> Option<NewValue> {
    match action {
        Action::SetName(name) => (*name != now.name).then(|| NewValue::Name(name.clone())),
        Action::SetCategory(reference) => {
            reference.id().filter(|id| now.category != Some(*id)).map(NewValue::Category)
        }
        Action::SetMerchant(reference) => {
            reference.id().filter(|id| now.merchant != Some(*id)).map(NewValue::Merchant)
        }
        Action::AddTag(reference) => {
            reference.id().filter(|id| !now.tags.contains(id)).map(NewValue::Tag)
        }
        Action::Exclude => (!now.excluded).then_some(NewValue::Excluded),
    }
}
