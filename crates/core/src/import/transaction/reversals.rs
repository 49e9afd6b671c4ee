//! Amounts that go the other way than their column or word: money that came back.
//!
//! Where columns or words give the direction, a sign before every amount is only how it is written.
//! Where some amounts have another sign than most of the same direction, these are reversals: a
//! debit with a minus among debits without one is money back in. It is taken as that only if a
//! balance proves it or a person decides so.

use serde::{Deserialize, Serialize};

use super::direction_words::{Direction, direction};
use crate::import::cells::Cells;
use crate::import::layout::AmountSource;
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
}

impl Signs {
    fn is_mixed(self) -> bool {
        self.minus > 0 && self.others > 0
    }

    /// Whether an amount with or without a minus is the usual one.
    fn is_usual(self, is_negative: bool) -> bool {
        is_negative == (self.minus > self.others)
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

    /// With what is usual known of an earlier file, wherever that had both.
    #[must_use]
    pub(in crate::import::transaction) fn as_earlier(self, earlier: Self) -> Self {
        let of = |known: Signs, own: Signs| if known.is_mixed() { known } else { own };
        Self {
            money_out: of(earlier.money_out, self.money_out),
            money_in: of(earlier.money_in, self.money_in),
        }
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
