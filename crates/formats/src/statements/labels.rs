//! What accounts are called in tables: by their IBAN, else by their number.
//!
//! Two accounts of a bank may have one number (a checking and a savings account of a credit union),
//! and so may accounts of two banks. Where that is so in one file, the kind and the bank are part
//! of the name.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{AccountIdentifiers, BankStatement};

/// What identifies an account in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct AccountKey {
    /// The IBAN or the number; blank if the file has neither.
    number: String,
    bank: Option<String>,
    kind: Option<String>,
}

impl AccountKey {
    pub(super) fn of(statement: &BankStatement) -> Self {
        let AccountIdentifiers { iban, number, bank, kind, .. } = &statement.account;
        match iban {
            // It is that of one account in the world.
            Some(iban) => Self { number: iban.clone(), bank: None, kind: None },
            None => Self {
                number: number.clone().unwrap_or_default(),
                bank: bank.clone(),
                kind: kind.clone(),
            },
        }
    }
}

/// The accounts of all files of an import.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The banks and the kinds of accounts with each number.
    numbers: BTreeMap<String, [BTreeSet<Option<String>>; 2]>,
}

impl Labels {
    pub(super) fn add(&mut self, key: &AccountKey) {
        let [banks, kinds] = self.numbers.entry(key.number.clone()).or_default();
        banks.insert(key.bank.clone());
        kinds.insert(key.kind.clone());
    }

    /// The name of an account.
    pub(super) fn of(&self, key: &AccountKey) -> String {
        let several =
            |at: usize| self.numbers.get(&key.number).is_some_and(|its| its[at].len() > 1);
        let mut label = key.number.clone();
        if label.is_empty() {
            return label;
        }
        if let Some(bank) = key.bank.as_ref().filter(|_| several(0)) {
            label = format!("{bank}/{label}");
        }
        if let Some(kind) = key.kind.as_ref().filter(|_| several(1)) {
            label = format!("{label} {kind}");
        }
        label
    }

    /// The name of the account of a statement.
    pub(super) fn of_statement(&self, statement: &BankStatement) -> String {
        self.of(&AccountKey::of(statement))
    }
}
