//! Plans of kinds of which the rows are judged together: categories, and whatever else a family
//! has few of.
//!
//! The plan is a pure function of the rows, of what the family has, and of what names were mapped
//! to. Every preview and the publish compute it from the same values, so they can't disagree.

pub(super) mod decision;
pub(super) mod rows;
#[cfg(test)]
pub(super) mod testing;

use std::collections::HashSet;

use uuid::Uuid;

use super::mapping::MappingKind;
use super::verdict::Verdict;
use crate::ledger::account::AccountType;
use crate::money::Currency;
use crate::plan::{Creation, RecordChange, Slot, Target};
use crate::rules::{Catalogue, Rule};

/// The records of the family that the planner of such a kind reads; each kind has only what it
/// looks at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FamilyRecords {
    /// All categories of the family.
    pub categories: Vec<CategoryRecord>,
    /// All merchants of the family.
    pub merchants: Vec<MerchantRecord>,
    /// All rules of the family, in the order in which they run.
    pub rules: Vec<RuleRecord>,
    /// The names of what rules can point to.
    pub names: Catalogue,
    /// All accounts of the family that are not being removed.
    pub accounts: Vec<AccountRecord>,
}

impl FamilyRecords {
    /// The ids of all records that rows can stand for.
    pub fn ids(&self) -> HashSet<Uuid> {
        let categories = self.categories.iter().map(|one| one.id);
        let merchants = self.merchants.iter().map(|one| one.id);
        let rules = self.rules.iter().map(|one| one.id);
        let accounts = self.accounts.iter().map(|one| one.id);
        categories.chain(merchants).chain(rules).chain(accounts).collect()
    }
}

/// A category of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryRecord {
    /// The id of the category.
    pub id: Uuid,
    /// The name of its own level.
    pub name: String,
    /// The id of the category above.
    pub parent: Option<Uuid>,
    /// `#rrggbb`, if it has one of its own.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
}

/// A merchant of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantRecord {
    /// The id of the merchant.
    pub id: Uuid,
    /// The name, which only one merchant has.
    pub name: String,
    /// `#rrggbb`, if it has one of its own.
    pub color: Option<String>,
    /// The domain or the address of its website.
    pub website: Option<String>,
}

/// A rule of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRecord {
    /// The id of the rule.
    pub id: Uuid,
    /// As somebody calls it; several may be called alike.
    pub name: Option<String>,
    /// Whether it is switched on.
    pub active: bool,
    /// When it runs, compared with others.
    pub position: u32,
    /// Its conditions and actions.
    pub rule: Rule,
}

/// An account of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRecord {
    /// The id of the account.
    pub id: Uuid,
    /// The name; several accounts may have it.
    pub name: String,
    /// What the account is.
    pub account_type: AccountType,
    /// The currency of its balance.
    pub currency: Currency,
}

/// The plan of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRow {
    /// What becomes of the row.
    pub verdict: Verdict,
    /// The record of the family that the row stands for.
    pub record: Option<Uuid>,
    /// Why, or what changes, as a sentence without its full stop.
    pub reason: Option<String>,
    /// What the publish does for the row.
    pub step: Option<Step>,
}

/// What a publish does for a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Creates one of [`WholePlan::creations`].
    Create(Slot),
    /// Changes what is there.
    Change(RecordChange),
}

/// What becomes of all rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WholePlan {
    /// What is created, numbered after what is prepared for names.
    pub creations: Vec<Creation>,
    /// Every row of the file, in order.
    pub rows: Vec<PlannedRow>,
}

impl PlannedRow {
    /// A row with which nothing is done.
    pub fn idle(verdict: Verdict) -> Self {
        Self { verdict, record: None, reason: None, step: None }
    }
}

/// What names of the file are mapped to.
pub trait NameTargets {
    /// What a name stands for; `None` if a person must choose.
    fn target(&self, kind: MappingKind, name: &str) -> Option<Target>;
    /// The type of account that a text stands for; `None` if a person must choose.
    fn account_type(&self, _text: &str) -> Option<AccountType> {
        None
    }
    /// Why a person must choose.
    fn problem(&self, kind: MappingKind, name: &str) -> Option<String>;
}
