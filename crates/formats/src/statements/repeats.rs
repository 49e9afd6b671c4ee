//! What would come twice: a statement that is there twice, and entries of two statements of one
//! account that have the same identifier, day and amount.
//!
//! Banks use identifiers again, so entries of two statements that their balances prove are two. Of
//! statements that nothing proves they are one.

use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry as Slot};
use std::hash::{Hash, Hasher};

use super::labels::AccountKey;
use super::limits::REFERENCES_COMPARED_MAX;
use super::model::{BalanceKind, BankStatement, Entry, EntryStatus};
use super::tally::Tally;

/// Pairs of statements with an entry in common that are looked at.
const PAIRS_MAX: usize = 1_000;

/// What was there before. Statements are known by their numbers in the order of reading.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    statements: HashMap<u64, usize>,
    entries: HashMap<u64, usize>,
    /// Two statements, and the line and the identifier of an entry that both have.
    common: Vec<Common>,
    /// The hash of days, amounts and identifiers of the entries of the statement that is read.
    so_far: u64,
    /// The numbers of two equal statements.
    equal: Vec<(usize, usize)>,
}

/// An entry that two statements have.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) statements: (usize, usize),
    pub(super) line: u64,
    pub(super) reference: String,
}

impl Repeats {
    /// Takes an entry of the statement with a number.
    pub(super) fn entry(&mut self, account: &AccountKey, statement: usize, entry: &Entry) {
        let reference = entry.texts.bank_reference.as_ref();
        self.so_far = hash_of(&(self.so_far, reference, entry.booked_on, entry.amount.to_string()));
        let Some(reference) = reference else { return };
        if entry.status != EntryStatus::Booked || self.entries.len() >= REFERENCES_COMPARED_MAX {
            return;
        }
        let key = hash_of(&(account, reference, entry.booked_on, entry.amount.to_string()));
        match self.entries.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(statement);
            }
            Slot::Occupied(slot) => {
                let statements = (*slot.get(), statement);
                let is_new = self.common.last().is_none_or(|one| one.statements != statements);
                if statements.0 != statement && is_new && self.common.len() < PAIRS_MAX {
                    let (line, reference) = (entry.location.line, reference.clone());
                    self.common.push(Common { statements, line, reference });
                }
            }
        }
    }

    /// Takes a statement that has ended; `number` is its own.
    pub(super) fn statement(
        &mut self,
        account: &AccountKey,
        number: usize,
        statement: &BankStatement,
        tally: &Tally,
    ) {
        let entries = std::mem::take(&mut self.so_far);
        if tally.booked + tally.unreadable == 0 || self.equal.len() >= PAIRS_MAX {
            return;
        }
        let balance = |kind: &BalanceKind| {
            let balance = statement.balances_of(kind).next();
            balance.map(|its| (its.amount.to_string(), its.on, its.currency.clone()))
        };
        let sums: Vec<String> = tally.sums.iter().map(|sums| format!("{sums:?}")).collect();
        let names = (account, &statement.id, &statement.number, statement.from, statement.to);
        let ends = (balance(&BalanceKind::Opening), balance(&BalanceKind::Closing));
        let key = hash_of(&(names, ends, tally.booked, sums, entries));
        match self.statements.entry(key) {
            Slot::Vacant(slot) => {
                slot.insert(number);
            }
            Slot::Occupied(slot) => self.equal.push((*slot.get(), number)),
        }
    }

    /// The pairs of statements that are equal.
    pub(super) fn equal(&self) -> &[(usize, usize)] {
        &self.equal
    }

    /// The entries that two statements have.
    pub(super) fn common(&self) -> &[Common] {
        &self.common
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
