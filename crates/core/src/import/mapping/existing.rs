//! What the names of a file may stand for: what the family has.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::MappingKind;
use crate::money::Currency;

/// An account that rows go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DestinationAccount {
    /// The currency in which it counts.
    pub currency: Currency,
    /// Whether trades can stand in it.
    pub holds_securities: bool,
}

/// The accounts, categories and tags that the family has.
#[derive(Debug, Clone, Default)]
pub struct ExistingRecords {
    pub(super) accounts: HashMap<String, Vec<(Uuid, Currency)>>,
    /// Accounts by names that stood for them in files that are imported.
    pub(super) former_names: HashMap<String, Vec<(Uuid, Currency)>>,
    /// Accounts in which trades can stand.
    portfolios: HashSet<Uuid>,
    pub(super) categories: HashMap<String, Uuid>,
    /// Second-level categories by the name of their own level.
    pub(super) leaves: HashMap<String, Vec<Uuid>>,
    pub(super) tags: HashMap<String, Uuid>,
}

impl ExistingRecords {
    /// Adds a visible account.
    pub fn account(&mut self, id: Uuid, key: String, currency: Currency) {
        self.accounts.entry(key).or_default().push((id, currency));
    }

    /// Notes that trades can stand in an account.
    pub fn holds_securities(&mut self, id: Uuid) {
        self.portfolios.insert(id);
    }

    /// What matters of each account for the rows that go there.
    pub fn destinations(&self) -> HashMap<Uuid, DestinationAccount> {
        let destination = |(id, currency): &(Uuid, Currency)| {
            let holds_securities = self.portfolios.contains(id);
            (*id, DestinationAccount { currency: *currency, holds_securities })
        };
        self.accounts.values().flatten().map(destination).collect()
    }

    /// Adds a name that stood for an account in a file that is imported. It does again, as long as
    /// no account is called so: whoever renames an account goes on with files of the bank.
    pub fn former_name(&mut self, id: Uuid, key: String) {
        let its = self.accounts.values().flatten().find(|(one, _)| *one == id).copied();
        if let Some(account) = its
            && !self.accounts.contains_key(&key)
        {
            let known = self.former_names.entry(key).or_default();
            if !known.contains(&account) {
                known.push(account);
            }
        }
    }

    /// Adds a category; `key` is the key of its path.
    pub fn category(&mut self, id: Uuid, parent: Option<Uuid>, key: String) {
        if let (Some(_), Some((_, leaf))) = (parent, key.split_once(':')) {
            self.leaves.entry(leaf.to_owned()).or_default().push(id);
        }
        self.categories.insert(key, id);
    }

    /// Adds a tag by its key.
    pub fn tag(&mut self, id: Uuid, key: String) {
        self.tags.insert(key, id);
    }

    /// Everything of a kind.
    pub fn ids(&self, kind: MappingKind) -> HashSet<Uuid> {
        match kind {
            MappingKind::Account => self.accounts.values().flatten().map(|(id, _)| *id).collect(),
            MappingKind::Category => self.categories.values().copied().collect(),
            MappingKind::Parent => self.first_level().map(|(_, id)| id).collect(),
            MappingKind::Tag => self.tags.values().copied().collect(),
            MappingKind::AccountType => HashSet::new(),
        }
    }

    /// The currency of each account that a name stands for beyond doubt, by key.
    pub fn account_currencies(&self) -> HashMap<String, Currency> {
        let only = |(key, accounts): (&String, &Vec<(Uuid, Currency)>)| match accounts.as_slice() {
            [(_, currency)] => Some((key.clone(), *currency)),
            _ => None,
        };
        self.accounts.iter().chain(&self.former_names).filter_map(only).collect()
    }

    /// Categories of the first level with their keys: only paths hold a colon.
    pub(super) fn first_level(&self) -> impl Iterator<Item = (&str, Uuid)> {
        let is_first = |(key, _): &(&String, &Uuid)| !key.contains(':');
        self.categories.iter().filter(is_first).map(|(key, id)| (key.as_str(), *id))
    }

    pub(super) fn find_category(&self, key: &str) -> Option<Uuid> {
        let only_leaf = || match self.leaves.get(key).map(Vec::as_slice) {
            // The name of a leaf may hold a colon as well, but a path means no leaf elsewhere.
            Some([only]) if !key.contains(':') => Some(*only),
            _ => None,
        };
        self.categories.get(key).copied().or_else(only_leaf)
    }
}
