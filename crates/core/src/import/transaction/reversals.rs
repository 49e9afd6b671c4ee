//! Amounts that go the other way than their column or word: money that came back.
//!
//! Where columns or words give the direction, a sign before every amount is only how it is written.
//! Where amounts of one direction have both signs, some of them are reversals: a debit with a minus
//! among debits without one is money back in. It is taken as that only if a balance proves it or a
//! person decides so, who states which sign is the usual one; else the more frequent one is.

use serde::{Deserialize, Serialize};

use super::direction_words::{Direction, direction};
use crate::import::cells::Cells;
use crate::import::layout::AmountSource;
use crate::import::settings::AmountStrategy;
use crate::text::number::{Written, written_sign};

/// How many amounts of each direction have a minus, and how many have none; zeros don't count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversals {
    money_out: Signs,
    money_in: Signs,
}

/// Amounts of one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Signs {
    minus: u64,
    others: u64,
    /// Whether a minus is the usual sign, if a person has decided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    is_minus_usual: Option<bool>,
}

impl Signs {
    fn is_mixed(self) -> bool {
        self.minus > 0 && self.others > 0
    }

    /// Whether an amount with or without a minus is the usual one.
    fn is_usual(self, is_negative: bool) -> bool {
        is_negative == self.is_minus_usual.unwrap_or(self.minus > self.others)
    }

    /// Whether a person has decided that a minus is usual, or that none is.
    fn is_decided_as(self, is_minus_usual: Option<bool>) -> bool {
        self.is_mixed() && self.is_minus_usual == is_minus_usual
    }
}

impl Reversals {
    /// Takes note of the amounts of a record.
    pub(in crate::import) fn observe(&mut self, source: &AmountSource, cells: Cells<'_>) {
        match source {
            // A row in which both are filled can't be read.
            AmountSource::DebitCredit { debit, credit }
                if is_zero(cells.get(*debit)) || is_zero(cells.get(*credit)) =>
            {
                self.note(Direction::Out, cells.get(*debit));
                self.note(Direction::In, cells.get(*credit));
            }
            AmountSource::Directed { amount, direction: column, .. } => {
                if let Some(way) = direction(cells.get(*column)) {
                    self.note(way, cells.get(*amount));
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, way: Direction, amount: &str) {
        if is_zero(amount) {
            return;
        }
        let is_negative = written_sign(amount) == Written::Minus;
        let signs = match way {
            Direction::Out => &mut self.money_out,
            Direction::In => &mut self.money_in,
        };
        *if is_negative { &mut signs.minus } else { &mut signs.others } += 1;
    }

    /// Whether amounts of one direction have different signs.
    pub(in crate::import::transaction) fn are_there(&self) -> bool {
        self.money_out.is_mixed() || self.money_in.is_mixed()
    }

    /// What signs mean by a strategy that is sent for this file. Wherever an earlier file of the
    /// account had both, that shows what is usual, unless the strategy can't be the one that file
    /// was read with: then it does so only where this file doesn't have both.
    #[must_use]
    pub(in crate::import) fn meant(self, by: AmountStrategy, earlier: Option<Self>) -> Self {
        let Some(earlier) = earlier.filter(|_| by.is_of_reversals()) else {
            return self.decided(by, None);
        };
        let is_other = by == AmountStrategy::DirectionAndSign && earlier.has_decided_signs();
        let with = if is_other { self.or(earlier) } else { earlier.or(self) };
        with.decided(by, None)
    }

    /// What signs mean by a strategy that was taken over from an earlier file of the account;
    /// nothing if a direction has both signs for the first time, because that file shows nothing
    /// of it.
    pub(in crate::import::transaction) fn as_earlier(
        self,
        by: AmountStrategy,
        earlier: Option<Self>,
    ) -> Option<Self> {
        let known = earlier.unwrap_or_default();
        let is_new = |own: Signs, known: Signs| own.is_mixed() && !known.is_mixed();
        if is_new(self.money_out, known.money_out) || is_new(self.money_in, known.money_in) {
            return None;
        }
        Some(known.or(self).decided(by, earlier))
    }

    /// These where they have both signs, else the others.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let of = |one: Signs, other| if one.is_mixed() { one } else { other };
        Self {
            money_out: of(self.money_out, other.money_out),
            money_in: of(self.money_in, other.money_in),
        }
    }

    /// With the usual sign that a person has decided, where both are there; else the more frequent
    /// one is usual. A decision about an earlier file is one about the directions that had both
    /// there. Clients always send that signs count, so that this decides nothing.
    #[must_use]
    pub(in crate::import) fn decided(mut self, by: AmountStrategy, earlier: Option<Self>) -> Self {
        let is_minus_usual = match by {
            AmountStrategy::MinusIsReversal => Some(false),
            AmountStrategy::PlainIsReversal => Some(true),
            _ => return self,
        };
        let earlier = earlier.unwrap_or_default();
        let of_earlier = [earlier.money_out, earlier.money_in];
        let is_earlier = of_earlier.iter().any(|signs| signs.is_decided_as(is_minus_usual));
        for (signs, earlier) in
            [&mut self.money_out, &mut self.money_in].into_iter().zip(of_earlier)
        {
            if signs.is_mixed() && (!is_earlier || earlier.is_decided_as(is_minus_usual)) {
                signs.is_minus_usual = is_minus_usual;
            }
        }
        self
    }

    /// Whether a person has decided which sign is usual.
    fn has_decided_signs(&self) -> bool {
        let is_decided = |signs: Signs| signs.is_mixed() && signs.is_minus_usual.is_some();
        is_decided(self.money_out) || is_decided(self.money_in)
    }

    /// Whether amounts of both directions have both signs.
    pub(in crate::import) fn are_in_both(&self) -> bool {
        self.money_out.is_mixed() && self.money_in.is_mixed()
    }

    /// The way that the money of an amount went, by that of its column or word.
    pub(in crate::import::transaction) fn way(
        &self,
        way: Direction,
        is_negative: bool,
    ) -> Direction {
        let (signs, other) = match way {
            Direction::Out => (self.money_out, Direction::In),
            Direction::In => (self.money_in, Direction::Out),
        };
        if !signs.is_mixed() || signs.is_usual(is_negative) { way } else { other }
    }
}

/// Whether a cell has no amount, or a zero.
fn is_zero(cell: &str) -> bool {
    !cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

#[cfg(test)]
#[path = "reversals_tests.rs"]
mod tests;
