//! The work of evaluating rules, counted while it is done.
//!
//! The time that a transaction takes depends on its texts, on how they grow when they are folded,
//! and on how many conditions get as far as searching them, so it isn't known in advance. A caller
//! that evaluates many transactions adds up the work that was really done, and stops after a limit.

use std::cell::Cell;

/// The units of a transaction, whatever the rules are.
const TRANSACTION: u64 = 500;
/// The units of a condition, whatever it compares.
const CONDITION: u64 = 20;
/// The units of each byte that is searched. The search is linear in the text however the two are
/// made, but needles that nearly fit everywhere take several times as long as others.
const SEARCHED_BYTE: u64 = 2;
/// The units of each byte that is folded, if the text is not ASCII.
const FOLDED_BYTE: u64 = 20;

/// Work that was done. A unit is about a nanosecond of a slow core.
#[derive(Debug, Clone, Default)]
pub struct Work(Cell<u64>);

impl Work {
    /// The units of work until now.
    pub fn units(&self) -> u64 {
        self.0.get()
    }

    fn add(&self, units: u64) {
        self.0.set(self.0.get().saturating_add(units));
    }

    /// A transaction with texts of so many bytes is looked at.
    pub(super) fn add_transaction(&self, bytes: usize) {
        self.add(TRANSACTION + bytes as u64);
    }

    /// A condition is judged.
    pub(super) fn add_condition(&self) {
        self.add(CONDITION);
    }

    /// A text of so many bytes is searched.
    pub(super) fn add_search(&self, bytes: usize) {
        self.add(SEARCHED_BYTE * bytes as u64);
    }

    /// A text was folded.
    pub(super) fn add_folding(&self, text: &str, folded: &str) {
        let each = if text.is_ascii() { 1 } else { FOLDED_BYTE };
        self.add(each * text.len().max(folded.len()) as u64);
    }

    /// A value of so many bytes is kept for the verdict.
    pub(super) fn add_value(&self, bytes: usize) {
        self.add(bytes as u64);
    }
}
