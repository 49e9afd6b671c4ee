//! Actions: what becomes of a transaction that meets a rule's conditions.

use super::condition::ConditionReference;
use super::reference::{Noun, Reference};
use crate::ledger::locks::LockField;
use crate::named::text_enum;

text_enum! {
    /// The type of an action.
    ActionType {
        /// It gets a category.
        SetCategory = "set_transaction_category",
        /// It gets a tag, beside those that it has.
        AddTag = "set_transaction_tags",
        /// It gets a merchant.
        SetMerchant = "set_transaction_merchant",
        /// It gets a name.
        SetName = "set_transaction_name",
        /// It is left out of reports and budgets.
        Exclude = "exclude_transaction",
    }
}

/// A change that a rule makes to a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It gets this category.
    SetCategory(Reference),
    /// It gets this tag, beside those that it has.
    AddTag(Reference),
    /// It gets this merchant.
    SetMerchant(Reference),
    /// It is called so. What its source calls it is kept.
    SetName(String),
    /// It is left out of reports and budgets.
    Exclude,
}

impl Action {
    /// The type of an action, as it is written.
    pub fn action_type(&self) -> ActionType {
        match self {
            Self::SetCategory(_) => ActionType::SetCategory,
            Self::AddTag(_) => ActionType::AddTag,
            Self::SetMerchant(_) => ActionType::SetMerchant,
            Self::SetName(_) => ActionType::SetName,
            Self::Exclude => ActionType::Exclude,
        }
    }

    /// The field that it changes.
    pub fn field(&self) -> LockField {
        match self {
            Self::SetCategory(_) => LockField::Category,
            Self::AddTag(_) => LockField::Tags,
            Self::SetMerchant(_) => LockField::Merchant,
            Self::SetName(_) => LockField::Name,
            Self::Exclude => LockField::Excluded,
        }
    }

    /// How long what it brings along is, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::SetName(name) => name.len(),
            _ => size_of::<Self>(),
        }
    }

    /// Its value, as it is written.
    pub fn value(&self) -> Option<String> {
        match self {
            Self::SetName(name) => Some(name.clone()),
            Self::Exclude => None,
            _ => self.reference().map(|written| written.reference.text()),
        }
    }

    /// What it points to.
    pub fn reference(&self) -> Option<ConditionReference<'_>> {
        match self {
            Self::SetCategory(reference) => {
                Some(ConditionReference { noun: Noun::Category, reference })
            }
            Self::AddTag(reference) => Some(ConditionReference { noun: Noun::Tag, reference }),
            Self::SetMerchant(reference) => {
                Some(ConditionReference { noun: Noun::Merchant, reference })
            }
            Self::SetName(_) | Self::Exclude => None,
        }
    }

    /// Visits what it points to.
    pub fn for_each_reference<E>(
        &mut self,
        visit: &mut impl FnMut(Noun, &mut Reference) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::SetCategory(reference) => visit(Noun::Category, reference),
            Self::AddTag(reference) => visit(Noun::Tag, reference),
            Self::SetMerchant(reference) => visit(Noun::Merchant, reference),
            Self::SetName(_) | Self::Exclude => Ok(()),
        }
    }
}
