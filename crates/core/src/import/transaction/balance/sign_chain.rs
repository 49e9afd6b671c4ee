//! Which way amounts without signs went, by the balances beside them: the arithmetic, row by row in
//! the order of the file.
//!
//! The balance of a row differs from the one before it by the amount; whether it is more or less is
//! the direction. Newest first, the balance before a row stands below it, so rows wait.

use super::RowOrder;
use super::chain::Stated;

/// Balances of rows that were left out: what was before the next row may be any of them.
const CANDIDATES_MAX: usize = 16;

/// What the balances show of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The balance rises by the amount.
    Rises,
    /// The balance falls by the amount.
    Falls,
    /// The balance neither rises nor falls by the amount since this one.
    Differs { before: i128 },
    /// The row has no balance, or it isn't known what was before.
    Unknown,
    /// The row is left out, and the balance doesn't show that it moved money.
    LeftOut,
}

/// A row that waits for the balance before it.
#[derive(Debug)]
struct Waiting<P> {
    at: P,
    magnitude: i128,
    balance: i128,
    is_left_out: bool,
    candidates: Vec<i128>,
}

/// A row and what its cells state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unsigned<P> {
    pub(super) at: P,
    /// The amount without a sign.
    pub(super) magnitude: i128,
    /// The balance after the row.
    pub(super) stated: Stated,
    pub(super) is_left_out: bool,
}

/// The rows of one account.
#[derive(Debug)]
pub(super) struct SignChain<P> {
    order: RowOrder,
    /// Oldest first: what may have been before the next row.
    before: Vec<i128>,
    /// Oldest first: the first row, of which a line may state what was before. Newest first: the
    /// last row that is taken, and rows that are left out since.
    waiting: Vec<Waiting<P>>,
    has_begun: bool,
}

impl<P: Copy> SignChain<P> {
    pub(super) fn new(order: RowOrder) -> Self {
        Self { order, before: Vec::new(), waiting: Vec::new(), has_begun: false }
    }

    /// Takes the next row of the file; `shown` gets each row of which the direction is decided now.
    pub(super) fn row(&mut self, row: Unsigned<P>, shown: &mut dyn FnMut(P, Change)) {
        match self.order {
            RowOrder::OldestFirst => self.newer(row, shown),
            RowOrder::NewestFirst => self.older(row, shown),
        }
    }

    /// Takes a row that can't be read: nothing is known of what was before the next one.
    pub(super) fn break_off(&mut self, shown: &mut dyn FnMut(P, Change)) {
        match self.order {
            RowOrder::OldestFirst => {
                self.before.clear();
                self.has_begun = true;
            }
            RowOrder::NewestFirst => self.resolve(None, shown),
        }
    }

    /// Decides about the oldest row, of which a line may state what was before.
    pub(super) fn finish(mut self, opening: Option<i128>, shown: &mut dyn FnMut(P, Change)) {
        self.resolve(opening, shown);
    }

    fn newer(&mut self, row: Unsigned<P>, shown: &mut dyn FnMut(P, Change)) {
        let Unsigned { at, magnitude, stated, is_left_out } = row;
        let Stated::Value(balance) = stated else {
            if is_left_out {
                return shown(at, Change::LeftOut);
            }
            if magnitude == 0 {
                return shown(at, Change::Falls);
            }
            self.has_begun = true;
            self.before.clear();
            return shown(at, Change::Unknown);
        };
        if is_left_out {
            shown(at, or_left_out(decide(magnitude, balance, &self.before)));
            add(&mut self.before, balance);
            return;
        }
        let candidates = std::mem::replace(&mut self.before, vec![balance]);
        if self.has_begun {
            shown(at, decide(magnitude, balance, &candidates));
        } else {
            self.waiting.push(Waiting { at, magnitude, balance, is_left_out, candidates });
        }
        self.has_begun = true;
    }

    fn older(&mut self, row: Unsigned<P>, shown: &mut dyn FnMut(P, Change)) {
        let Unsigned { at, magnitude, stated, is_left_out } = row;
        let Stated::Value(balance) = stated else {
            if is_left_out {
                return shown(at, Change::LeftOut);
            }
            if magnitude == 0 {
                return shown(at, Change::Falls);
            }
            self.resolve(None, shown);
            return shown(at, Change::Unknown);
        };
        if !is_left_out {
            self.resolve(Some(balance), shown);
        } else if self.waiting.len() >= CANDIDATES_MAX {
            return shown(at, Change::LeftOut);
        }
        self.waiting.iter_mut().for_each(|one| add(&mut one.candidates, balance));
        let candidates = Vec::new();
        self.waiting.push(Waiting { at, magnitude, balance, is_left_out, candidates });
    }

    /// Decides about the rows that wait, now that it is known what was before them.
    fn resolve(&mut self, before: Option<i128>, shown: &mut dyn FnMut(P, Change)) {
        for mut one in self.waiting.drain(..) {
            before.into_iter().for_each(|balance| add(&mut one.candidates, balance));
            let change = decide(one.magnitude, one.balance, &one.candidates);
            shown(one.at, if one.is_left_out { or_left_out(change) } else { change });
        }
    }
}

fn add(candidates: &mut Vec<i128>, balance: i128) {
    if candidates.len() < CANDIDATES_MAX && !candidates.contains(&balance) {
        candidates.push(balance);
    }
}

/// Whether a balance is more or less than the one before it by the amount. If both fit, because
/// rows between may have happened or not, it isn't known. A zero moves nothing, so that it has
/// either direction, but the balance must not move.
fn decide(magnitude: i128, balance: i128, candidates: &[i128]) -> Change {
    if magnitude == 0 && (candidates.is_empty() || candidates.contains(&balance)) {
        return Change::Falls;
    }
    let rises = candidates.iter().any(|before| balance - before == magnitude);
    let falls = candidates.iter().any(|before| before - balance == magnitude);
    match (rises, falls, candidates.last()) {
        (true, false, _) => Change::Rises,
        (false, true, _) => Change::Falls,
        (false, false, Some(before)) => Change::Differs { before: *before },
        _ => Change::Unknown,
    }
}

fn or_left_out(change: Change) -> Change {
    match change {
        Change::Rises | Change::Falls => change,
        Change::Differs { .. } | Change::Unknown | Change::LeftOut => Change::LeftOut,
    }
}

#[cfg(test)]
#[path = "sign_chain_tests.rs"]
mod tests;
