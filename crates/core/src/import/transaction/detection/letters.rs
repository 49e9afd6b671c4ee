//! Whether the letters `S` (Soll) and `H` (Haben) mark amounts as money out and money in.
//!
//! A lone letter may mean anything. It does so if both are there and nearly all amounts have one;
//! an amount without one is an invalid row then.

use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::transaction::interpret::is_placeholder;
use crate::text::number::{Marker, letter_of};
use crate::text::quoted;

/// If none of so many amounts has a letter, those of later ones mean nothing.
const LOOKED_AT: u64 = 100;

/// Counts the letters beside the amounts, but for zeros.
#[derive(Debug, Default)]
pub(super) struct LetterCandidate {
    debits: u64,
    credits: u64,
    others: u64,
    first: String,
}

impl LetterCandidate {
    pub(super) fn observe(&mut self, amount: &str) {
        if is_placeholder(amount) || !amount.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
            return;
        }
        match letter_of(amount) {
            Some(Marker::Debit) => self.debits += 1,
            Some(Marker::Credit) => self.credits += 1,
            None => return self.others += 1,
        }
        if self.first.is_empty() {
            self.first = quoted(amount);
        }
    }

    /// Whether nothing depends on further rows.
    pub(super) fn is_done(&self) -> bool {
        self.debits + self.credits == 0 && self.others >= LOOKED_AT
    }

    /// Takes the letters over, or adds the problem that the amounts can't be read.
    pub(super) fn finish(self, layout: &mut Layout) {
        let lettered = self.debits + self.credits;
        let are_nearly_all = lettered > 0 && self.others.saturating_mul(10) <= lettered;
        layout.has_letters = are_nearly_all && self.debits > 0 && self.credits > 0;
        if lettered > self.others && !layout.has_letters {
            layout.problems.push(LayoutProblem::UnknownNumbers { cell: self.first });
        }
    }
}
