//! Conditions: what must hold of a transaction.
//!
//! A negated operator (`!=`, `not_like`) is the plain opposite: a transaction without notes does
//! not contain anything, so `not_like` holds for it.

use std::cell::OnceCell;

use super::amount::AmountTest;
use super::facts::{Facts, TransactionType};
use super::reference::{Noun, Reference};
use super::text::{Needle, fold};
use super::words::{ConditionType, Operator};
use super::work::Work;

/// One condition, or several joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// All of the conditions hold; an empty list holds.
    All(Vec<Condition>),
    /// At least one of the conditions holds.
    Any(Vec<Condition>),
    /// A test of a text.
    Text(TextField, TextTest),
    /// A test of the amount without its sign.
    Amount(AmountTest),
    /// A test of the direction of the money.
    Type {
        /// Whether the transaction must be of that type, or of any other.
        is: bool,
        /// The type that is compared with.
        wanted: TransactionType,
    },
    /// A test of the category, the merchant, the tags or the account.
    Reference(Noun, RefTest),
}

/// A text of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextField {
    /// The name of the transaction.
    Name,
    /// The notes of the transaction.
    Notes,
    /// The name that its source gave it, even if it was renamed.
    Details,
}

/// A condition on a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextTest {
    /// The text contains this, whatever the case.
    Contains(Needle),
    /// The text doesn't contain this, whatever the case.
    ContainsNot(Needle),
    /// The text is exactly this.
    Is(String),
    /// The text is not exactly this.
    IsNot(String),
    /// There is no text.
    Missing,
    /// There is a text.
    Present,
}

/// A condition on a category, a merchant, tags or the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefTest {
    /// The transaction has this one.
    Is(Reference),
    /// The transaction doesn't have this one.
    IsNot(Reference),
    /// The transaction has none.
    Missing,
    /// The transaction has at least one.
    Present,
}

/// A condition in the form in which it is stored and shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionParts<'c> {
    /// The type of the condition.
    pub condition_type: ConditionType,
    /// How the value is compared.
    pub operator: Operator,
    /// The value that is compared with; `None` for `is_null` and `compound`.
    pub value: Option<String>,
    /// The thing that the value names.
    pub reference: Option<ConditionReference<'c>>,
    /// The conditions of a compound.
    pub sub_conditions: &'c [Condition],
}

/// A reference and the kind of thing that it points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionReference<'c> {
    /// The kind of thing that is referred to.
    pub noun: Noun,
    /// The thing that is referred to.
    pub reference: &'c Reference,
}

/// Texts of a transaction that were looked into, folded once for all rules.
#[derive(Default)]
pub(super) struct FoldedTexts {
    name: OnceCell<String>,
    notes: OnceCell<String>,
    details: OnceCell<String>,
}

impl FoldedTexts {
    /// The transaction has another name from here on.
    pub(super) fn forget_name(&mut self) {
        self.name = OnceCell::new();
    }
}

/// What conditions look at.
pub(super) struct EvaluationContext<'f> {
    pub(super) facts: &'f Facts<'f>,
    pub(super) folded: &'f FoldedTexts,
    /// The counter of the work that evaluation costs.
    pub(super) work: &'f Work,
}

impl EvaluationContext<'_> {
    fn text(&self, field: TextField) -> Option<&str> {
        match field {
            TextField::Name => Some(&self.facts.name),
            TextField::Notes => self.facts.notes.as_deref(),
            TextField::Details => Some(&self.facts.source_name),
        }
    }

    fn folded(&self, field: TextField) -> Option<&str> {
        let text = self.text(field)?;
        let cell = match field {
            TextField::Name => &self.folded.name,
            TextField::Notes => &self.folded.notes,
            TextField::Details => &self.folded.details,
        };
        Some(cell.get_or_init(|| {
            let folded = fold(text);
            self.work.add_folding(text, &folded);
            folded
        }))
    }
}

impl TextField {
    /// Every text field, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Name, Self::Notes, Self::Details];

    /// The type of a condition on it.
    pub fn condition_type(self) -> ConditionType {
        match self {
            Self::Name => ConditionType::Name,
            Self::Notes => ConditionType::Notes,
            Self::Details => ConditionType::Details,
        }
    }
}

impl TextTest {
    fn holds(&self, view: &EvaluationContext<'_>, field: TextField) -> bool {
        let contains = |needle: &Needle| {
            view.folded(field).is_some_and(|folded| {
                view.work.add_search(folded.len());
                needle.is_in(folded)
            })
        };
        match self {
            Self::Contains(needle) => contains(needle),
            Self::ContainsNot(needle) => !contains(needle),
            Self::Is(text) => view.text(field) == Some(text),
            Self::IsNot(text) => view.text(field) != Some(text),
            Self::Missing => view.text(field).is_none_or(str::is_empty),
            Self::Present => view.text(field).is_some_and(|text| !text.is_empty()),
        }
    }

    fn parts(&self) -> (Operator, Option<String>) {
        match self {
            Self::Contains(needle) => (Operator::Contains, Some(needle.written().to_owned())),
            Self::ContainsNot(needle) => (Operator::ContainsNot, Some(needle.written().to_owned())),
            Self::Is(text) => (Operator::Is, Some(text.clone())),
            Self::IsNot(text) => (Operator::IsNot, Some(text.clone())),
            Self::Missing => (Operator::Missing, None),
            Self::Present => (Operator::Present, None),
        }
    }
}

impl RefTest {
    fn holds(&self, facts: &Facts<'_>, noun: Noun) -> bool {
        let has = |reference: &Reference| {
            // What a name stands for was never found: nothing has it.
            let Some(id) = reference.id() else { return false };
            match noun {
                Noun::Category => facts.category == Some(id),
                Noun::Merchant => facts.merchant == Some(id),
                Noun::Tag => facts.tags.contains(&id),
                Noun::Account => facts.account == id,
            }
        };
        let is_missing = match noun {
            Noun::Category => facts.category.is_none(),
            Noun::Merchant => facts.merchant.is_none(),
            Noun::Tag => facts.tags.is_empty(),
            Noun::Account => false,
        };
        match self {
            Self::Is(reference) => has(reference),
            Self::IsNot(reference) => !has(reference),
            Self::Missing => is_missing,
            Self::Present => !is_missing,
        }
    }

    fn reference(&self) -> Option<&Reference> {
        match self {
            Self::Is(reference) | Self::IsNot(reference) => Some(reference),
            Self::Missing | Self::Present => None,
        }
    }

    fn operator(&self) -> Operator {
        match self {
            Self::Is(_) => Operator::Is,
            Self::IsNot(_) => Operator::IsNot,
            Self::Missing => Operator::Missing,
            Self::Present => Operator::Present,
        }
    }
}

impl Noun {
    /// The type of a condition on it.
    pub fn condition_type(self) -> ConditionType {
        match self {
            Self::Category => ConditionType::Category,
            Self::Merchant => ConditionType::Merchant,
            Self::Tag => ConditionType::Tag,
            Self::Account => ConditionType::Account,
        }
    }
}

impl Condition {
    /// Whether the condition holds for the transaction.
    pub(super) fn holds(&self, view: &EvaluationContext<'_>) -> bool {
        view.work.add_condition();
        match self {
            Self::All(conditions) => conditions.iter().all(|one| one.holds(view)),
            Self::Any(conditions) => conditions.iter().any(|one| one.holds(view)),
            Self::Text(field, test) => test.holds(view, *field),
            Self::Amount(test) => test.holds(view.facts.amount, view.facts.currency.scale()),
            Self::Type { is, wanted } => (view.facts.transaction_type() == *wanted) == *is,
            Self::Reference(noun, test) => test.holds(view.facts, *noun),
        }
    }

    /// As it is written.
    pub fn parts(&self) -> ConditionParts<'_> {
        let simple = |condition_type, operator, value| ConditionParts {
            condition_type,
            operator,
            value,
            reference: None,
            sub_conditions: &[],
        };
        let compound = |operator, sub_conditions| ConditionParts {
            sub_conditions,
            ..simple(ConditionType::Compound, operator, None)
        };
        match self {
            Self::All(conditions) => compound(Operator::All, conditions),
            Self::Any(conditions) => compound(Operator::Any, conditions),
            Self::Text(field, test) => {
                let (operator, value) = test.parts();
                simple(field.condition_type(), operator, value)
            }
            Self::Amount(test) => {
                let value = Some(test.value.to_string());
                simple(ConditionType::Amount, test.comparison.operator(), value)
            }
            Self::Type { is, wanted } => {
                let operator = if *is { Operator::Is } else { Operator::IsNot };
                simple(ConditionType::Type, operator, Some(wanted.as_str().to_owned()))
            }
            Self::Reference(noun, test) => {
                let reference = test.reference();
                let value = reference.map(Reference::text);
                let reference =
                    reference.map(|reference| ConditionReference { noun: *noun, reference });
                ConditionParts {
                    reference,
                    ..simple(noun.condition_type(), test.operator(), value)
                }
            }
        }
    }

    /// Visits everything that it points to.
    pub fn for_each_reference<E>(
        &mut self,
        visit: &mut impl FnMut(Noun, &mut Reference) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter_mut().try_for_each(|one| one.for_each_reference(visit))
            }
            Self::Reference(noun, RefTest::Is(reference) | RefTest::IsNot(reference)) => {
                visit(*noun, reference)
            }
            Self::Reference(..) | Self::Text(..) | Self::Amount(_) | Self::Type { .. } => Ok(()),
        }
    }
}
