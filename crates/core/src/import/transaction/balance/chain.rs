//! Balances that follow from each other: the arithmetic, row by row in the order of the file.

use super::RowOrder;

/// The cell of a balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// The file has no balance in this row, as in all but the last row of a day.
    Blank,
    /// The text of the cell is no amount.
    Unreadable,
    /// A balance in the same scale as the changes.
    Value(i128),
}

/// A balance that doesn't follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mismatch<P> {
    /// The row that is named.
    pub(super) at: P,
    /// Its balance in the file, if it can be read.
    pub(super) stated: Option<i128>,
    /// What it should be, if that is known.
    pub(super) expected: Option<i128>,
}

/// What a row showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding<P> {
    /// A balance doesn't follow from the one before.
    Breaks(Mismatch<P>),
    /// The mismatch of the row `from` turns out to be the fault of another row's balance.
    Moves {
        /// The row that was named first.
        from: P,
        /// What is wrong instead.
        to: Mismatch<P>,
    },
}

/// The chain of one account's balances. After a mismatch the next row may follow from what the
/// file states or from what it should have stated, so that a wrong balance is named once; after a
/// row that a person left out it may follow with that row or without it.
#[derive(Debug)]
pub(super) struct Chain<P> {
    order: RowOrder,
    /// Oldest first: the balance before the next row. Newest first: the balance of the next row.
    expected: Option<i128>,
    /// The same if the last row's balance is wrong, or if it was left out and yet happened.
    otherwise: Option<i128>,
    /// Newest first: the row that was named, and what is wrong if `otherwise` holds.
    suspect: Option<(P, Mismatch<P>)>,
    /// The last row with a balance.
    last: Option<(P, i128)>,
    /// The changes since then.
    sum: i128,
    /// Oldest first: the balance before the first row.
    opening: Option<i128>,
    /// Newest first: the balance after the first row.
    closing: Option<i128>,
    /// Whether there was a balance, or a row that leaves open what was before the first one.
    has_begun: bool,
    /// What was expected before the row that couldn't be read.
    before_break: Option<i128>,
    /// How many balances followed from a change that isn't zero.
    pub(super) proofs: u64,
}

impl<P: Copy> Chain<P> {
    pub(super) fn new(order: RowOrder) -> Self {
        Self {
            order,
            expected: None,
            otherwise: None,
            suspect: None,
            last: None,
            sum: 0,
            opening: None,
            closing: None,
            has_begun: false,
            before_break: None,
            proofs: 0,
        }
    }

    /// Takes the next row of the file: how it changes the balance, and the balance after it.
    pub(super) fn row(&mut self, at: P, change: i128, stated: Stated) -> Option<Finding<P>> {
        match (stated, self.order) {
            (Stated::Value(balance), RowOrder::OldestFirst) => self.newer(at, change, balance),
            (Stated::Value(balance), RowOrder::NewestFirst) => self.older(at, change, balance),
            (Stated::Blank, _) => {
                self.pass(change);
                None
            }
            (Stated::Unreadable, order) => {
                let before = self.expected;
                self.pass(change);
                let expected = match order {
                    RowOrder::OldestFirst => self.expected,
                    RowOrder::NewestFirst => before,
                };
                Some(Finding::Breaks(Mismatch { at, stated: None, expected }))
            }
        }
    }

    /// Takes a row that a person left out.
    pub(super) fn left_out(&mut self, change: i128, stated: Stated) {
        self.suspect = None;
        let Some(expected) = self.expected else { return };
        self.otherwise = Some(match (stated, self.order) {
            (Stated::Value(balance), RowOrder::OldestFirst) => balance,
            (Stated::Value(balance), RowOrder::NewestFirst) => balance - change,
            (_, RowOrder::OldestFirst) => expected + change,
            (_, RowOrder::NewestFirst) => expected - change,
        });
    }

    /// Takes a row that can't be read: nothing follows from it.
    pub(super) fn break_off(&mut self) {
        // Rows without a balance before it can't be counted from the next one.
        self.has_begun |= self.sum != 0;
        self.before_break = self.expected_at_end();
        (self.expected, self.otherwise, self.suspect, self.last) = (None, None, None, None);
        self.sum = 0;
    }

    /// The balances before the oldest row and after the newest one, as far as they are known. Rows
    /// beyond the last balance are counted from it.
    pub(super) fn ends(&self) -> (Option<i128>, Option<i128>) {
        match self.order {
            RowOrder::OldestFirst => (self.opening, self.expected_at_end()),
            RowOrder::NewestFirst => (self.expected_at_end(), self.closing),
        }
    }

    /// The balance at the end of the file: rows that can't be read there are passed over, unless
    /// others follow that have no balance.
    fn expected_at_end(&self) -> Option<i128> {
        self.expected.or(self.before_break.filter(|_| self.sum == 0))
    }

    fn newer(&mut self, at: P, change: i128, balance: i128) -> Option<Finding<P>> {
        self.pass(change);
        let expected = self.expected;
        if !self.has_begun {
            self.opening = Some(balance - self.sum);
        }
        self.has_begun = true;
        let follows = expected.is_none_or(|expected| expected == balance);
        let breaks = !follows && self.otherwise != Some(balance);
        self.count(expected.is_some() && !breaks);
        self.expected = Some(balance);
        self.otherwise = expected.filter(|_| breaks);
        self.sum = 0;
        breaks.then_some(Finding::Breaks(Mismatch { at, stated: Some(balance), expected }))
    }

    fn older(&mut self, at: P, change: i128, balance: i128) -> Option<Finding<P>> {
        let (expected, last) = (self.expected, self.last);
        if !self.has_begun {
            self.closing = Some(balance + self.sum);
        }
        self.has_begun = true;
        let follows = expected.is_none_or(|expected| expected == balance);
        let breaks = !follows && self.otherwise != Some(balance);
        self.count(expected.is_some() && !breaks);
        let suspect = self.suspect.take();
        self.expected = Some(balance - change);
        self.otherwise = expected.filter(|_| breaks).map(|expected| expected - change);
        self.last = Some((at, balance));
        self.sum = change;
        if !breaks {
            // The row above this one was right, but for its balance.
            let (from, to) = suspect.filter(|_| !follows)?;
            return Some(Finding::Moves { from, to });
        }
        let (expected, (newer, its)) = (expected?, last.unwrap_or((at, balance)));
        self.suspect =
            Some((newer, Mismatch { at, stated: Some(balance), expected: Some(expected) }));
        let should = its + balance - expected;
        Some(Finding::Breaks(Mismatch { at: newer, stated: Some(its), expected: Some(should) }))
    }

    fn count(&mut self, follows: bool) {
        self.proofs += u64::from(follows && self.sum != 0);
    }

    /// A change that leads from the last balance to the next.
    fn pass(&mut self, change: i128) {
        let change_of_expected = match self.order {
            RowOrder::OldestFirst => change,
            RowOrder::NewestFirst => -change,
        };
        self.sum += change;
        for base in [&mut self.expected, &mut self.otherwise].into_iter().flatten() {
            *base += change_of_expected;
        }
    }
}

#[cfg(test)]
#[path = "chain_tests.rs"]
mod tests;
