//! Which way the money of each row went, if amounts have no signs and go both ways.
//!
//! The balances decide it row by row, so it is found once, by reading all rows, and kept by row
//! number: a row read alone has the same direction. Of the oldest row of each account it isn't
//! known what was before, unless a line states the opening balance; nor is it of a row behind one
//! that can't be read. Such rows, and those that no direction makes follow, are invalid until a
//! person corrects the amount to one with a sign.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::chain::Stated;
use super::follow::Link;
use super::sign_chain::{Change, SignChain, Unsigned};
use super::{RowOrder, RunningBalance, Sense};
use crate::import::layout::{AmountSource, Layout};
use crate::import::transaction::direction_words::Direction;
use crate::limits::BALANCE_BREAKS_MAX;
use crate::money::Currency;
use crate::money::decimal::amount_text;
use crate::text::number::{Written, without_signs, written_sign};

const BITS: u64 = 64;

/// The directions of all rows of a file, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directions {
    /// How many rows there are.
    rows: u64,
    /// A bit for each row: whether it is money in.
    money_in: Vec<u64>,
    /// Rows of which the direction isn't known, in their order.
    open: Vec<OpenDirection>,
}

/// A row of which the direction isn't known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OpenDirection {
    row: u64,
    currency: Currency,
    /// The balance of the row, if it has one.
    stated: Option<i64>,
    /// The balance before it, from which its own doesn't follow.
    before: Option<i64>,
}

/// What reading all rows showed of their directions.
#[derive(Debug, Default)]
pub struct FoundDirections {
    /// The directions by row.
    pub directions: Directions,
    /// Rows of which the balance shows the direction.
    pub proofs: u64,
    /// Rows with a balance that follows neither way from the one before.
    pub breaks: u64,
    /// Rows of which nothing shows the direction.
    pub unknown: u64,
    /// Those among them that are the oldest of their accounts: each account may have one.
    pub oldest: u64,
    /// The lines of the first other rows of which the direction isn't known.
    pub first_lines: Vec<u64>,
}

impl FoundDirections {
    /// Rows of which the direction isn't known, but for the oldest of each account.
    pub fn open(&self) -> u64 {
        self.breaks + self.unknown - self.oldest
    }

    /// Whether there are more open rows than are kept.
    pub fn is_overflowing(&self) -> bool {
        self.open() > BALANCE_BREAKS_MAX as u64
    }
}

impl Directions {
    /// Which way the money of a row went, if that is known.
    pub(in crate::import::transaction) fn of(&self, row: u64) -> Option<Direction> {
        if row == 0 || row > self.rows || self.open_of(row).is_some() {
            return None;
        }
        let word = usize::try_from(row / BITS).ok().and_then(|at| self.money_in.get(at));
        let is_in = word.is_some_and(|word| (word >> (row % BITS)) & 1 == 1);
        Some(if is_in { Direction::In } else { Direction::Out })
    }

    /// Why the direction of a row isn't known, as a part of a sentence that follows the name of the
    /// amount's column.
    pub(in crate::import::transaction) fn reason(&self, row: u64, balance: &str) -> String {
        let sign =
            "correct this row of the import to an amount with a sign, such as -12.50 for money out";
        let found = self.open_of(row);
        let money = |amount: i64, currency: Currency| {
            format!("{} {currency}", amount_text(amount, currency))
        };
        match found.map(|one| (one.stated, one.before, one.currency)) {
            Some((Some(stated), Some(before), currency)) => {
                let (stated, before) = (money(stated, currency), money(before, currency));
                format!(
                    "has no sign, and \"{balance}\" is {stated}, which follows from {before} \
                     before it neither as money in nor as money out: correct the amount or the \
                     balance, or leave the row out"
                )
            }
            Some((Some(_), None, _)) => format!(
                "has no sign, and what \"{balance}\" was before this row isn't known, so that it \
                 doesn't show the direction: {sign}"
            ),
            _ => format!("has no sign, and no \"{balance}\" shows the direction: {sign}"),
        }
    }

    /// Whether only the direction of a row is missing, so that a person can state it. Where a
    /// balance follows neither way, something else is wrong.
    fn is_asked(&self, row: u64) -> bool {
        self.open_of(row).is_some_and(|open| open.before.is_none())
    }

    /// How many rows there are of which the direction isn't known.
    pub(super) fn open_rows(&self) -> u64 {
        self.open.len() as u64
    }

    fn open_of(&self, row: u64) -> Option<&OpenDirection> {
        let at = self.open.binary_search_by_key(&row, |one| one.row).ok()?;
        self.open.get(at)
    }

    fn note(&mut self, row: u64, direction: Direction) {
        self.rows = self.rows.max(row);
        let Ok(at) = usize::try_from(row / BITS) else { return };
        if self.money_in.len() <= at {
            self.money_in.resize(at + 1, 0);
        }
        if let Some(word) = self.money_in.get_mut(at).filter(|_| direction == Direction::In) {
            *word |= 1 << (row % BITS);
        }
    }
}

/// The column of the amount, if a person can state which way the money of a row went and nothing
/// in the file shows it.
pub fn asked_column(layout: &Layout, row: u64) -> Option<usize> {
    let Some(AmountSource::ByBalance { column }) = layout.amount else { return None };
    let directions = layout.balance.as_ref()?.directions.as_ref()?;
    directions.is_asked(row).then_some(column)
}

/// All rows of which that is so, with the column of the amount.
pub fn asked_rows(layout: &Layout) -> impl Iterator<Item = (u64, usize)> {
    let directions = layout.balance.as_ref().and_then(|balance| balance.directions.as_ref());
    let open = directions.into_iter().flat_map(|directions| &directions.open);
    open.filter_map(|one| Some((one.row, asked_column(layout, one.row)?)))
}

/// The cell of an amount with the sign that states its direction, as a correction has it. A sign
/// that the file has there counts no more.
pub fn with_direction(cell: &str, is_money_in: bool) -> String {
    let sign = if is_money_in { '+' } else { '-' };
    format!("{sign}{}", without_signs(cell))
}

/// The sign that a person gave an amount by a correction.
pub fn corrected_direction(cell: &str) -> CorrectedDirection {
    CorrectedDirection(match written_sign(cell) {
        Written::Minus => Some(Direction::Out),
        Written::Plus => Some(Direction::In),
        Written::None => None,
    })
}

/// Which way the money of a row went by a person's correction, if that shows it.
#[derive(Debug, Clone, Copy, Default)]
pub struct CorrectedDirection(Option<Direction>);

/// A row in its chain.
#[derive(Debug, Clone, Copy)]
struct RowPosition {
    row: u64,
    line: u64,
    currency: Currency,
    stated: Option<i64>,
    corrected: Option<Direction>,
}

/// The rows of one account and currency.
#[derive(Debug)]
struct AccountChain {
    chain: SignChain<RowPosition>,
    account: String,
    currency: Currency,
    /// The [`DirectionFinder::epoch`] of its last row.
    epoch: u64,
    /// A row that can't be read stands before its first row.
    begins_behind_gap: bool,
}

/// Finds the directions by reading all rows, each account and currency apart.
#[derive(Debug)]
pub struct DirectionFinder {
    order: RowOrder,
    chains: Vec<AccountChain>,
    by_account: HashMap<String, Vec<(Currency, usize)>>,
    /// How many rows couldn't be read so far; a chain is broken off at its next row.
    epoch: u64,
    found: Findings,
}

#[derive(Debug)]
struct Findings {
    sense: Sense,
    all: FoundDirections,
}

impl Findings {
    /// Notes what the balances show of a row. `is_end` means that nothing is older in its account.
    fn note(&mut self, at: RowPosition, change: Change, is_end: bool) {
        let RowPosition { row, line, currency, stated, corrected } = at;
        let (rising, falling) = match self.sense {
            Sense::Money => (Direction::In, Direction::Out),
            Sense::Debt => (Direction::Out, Direction::In),
        };
        let all = &mut self.all;
        let shown = match change {
            Change::Rises => Some(rising),
            Change::Falls => Some(falling),
            // Nothing becomes of it, whichever it is.
            Change::LeftOut => return all.directions.note(row, Direction::Out),
            Change::Differs { .. } | Change::Unknown => None,
        };
        all.proofs += u64::from(shown.is_some());
        if let Some(direction) = corrected.or(shown) {
            // If a person contradicts the balance, that is what doesn't follow.
            return all.directions.note(row, direction);
        }
        let before = match change {
            Change::Differs { before } => i64::try_from(before).ok(),
            _ => None,
        };
        let is_break = before.is_some();
        all.breaks += u64::from(is_break);
        let is_oldest = is_end && !is_break;
        all.unknown += u64::from(!is_break);
        all.oldest += u64::from(is_oldest);
        all.directions.note(row, Direction::Out);
        // Of the oldest rows there are as many as accounts, all of which are kept.
        if is_oldest || all.first_lines.len() < BALANCE_BREAKS_MAX {
            all.directions.open.push(OpenDirection { row, currency, stated, before });
        }
        if !is_oldest && all.first_lines.len() < BALANCE_BREAKS_MAX {
            all.first_lines.push(line);
        }
    }
}

impl DirectionFinder {
    /// Starts before the first row.
    pub fn new(balance: &RunningBalance) -> Self {
        let all = FoundDirections::default();
        Self {
            order: balance.order,
            chains: Vec::new(),
            by_account: HashMap::new(),
            epoch: 0,
            found: Findings { sense: balance.sense, all },
        }
    }

    /// Takes the next row, which is valid but for its direction; the sign of its amount is of no
    /// meaning.
    pub fn row(
        &mut self,
        (row, line): (u64, u64),
        link: &Link<'_>,
        is_left_out: bool,
        corrected: CorrectedDirection,
    ) {
        let index = self.chain_of(link);
        let Self { chains, found, epoch, .. } = self;
        let Some(account) = chains.get_mut(index) else { return };
        let mut shown = |at, change| found.note(at, change, false);
        if account.epoch != *epoch {
            account.chain.break_off(&mut shown);
            account.epoch = *epoch;
        }
        let stated = match link.balance {
            Stated::Value(balance) => i64::try_from(balance).ok(),
            Stated::Blank | Stated::Unreadable => None,
        };
        let at = RowPosition { row, line, currency: link.currency, stated, corrected: corrected.0 };
        let magnitude = i128::from(link.amount).abs();
        account
            .chain
            .row(Unsigned { at, magnitude, stated: link.balance, is_left_out }, &mut shown);
    }

    /// Takes a row that can't be read: whatever account it belongs to, nothing follows from it.
    pub fn unreadable_row(&mut self) {
        self.epoch += 1;
    }

    /// What was found. `opening` gives the balance before all rows of an account, if a line of the
    /// file states it.
    pub fn finish(mut self, opening: impl Fn(&str, Currency) -> Option<i64>) -> FoundDirections {
        let found = &mut self.found;
        for account in self.chains {
            let mut shown = |at, change| found.note(at, change, true);
            let stated = opening(&account.account, account.currency).map(i128::from);
            // A row that can't be read may be the oldest one.
            let is_broken_off = match self.order {
                RowOrder::OldestFirst => account.begins_behind_gap,
                RowOrder::NewestFirst => account.epoch != self.epoch,
            };
            account.chain.finish(stated.filter(|_| !is_broken_off), &mut shown);
        }
        let mut all = self.found.all;
        all.directions.open.sort_by_key(|one| one.row);
        all.first_lines.sort_unstable();
        all
    }

    /// Whether the rows name more accounts than these.
    pub fn has_more_accounts_than(&self, count: usize) -> bool {
        self.chains.len() > count
    }

    fn chain_of(&mut self, link: &Link<'_>) -> usize {
        let of_account = match self.by_account.get_mut(link.account) {
            Some(known) => known,
            None => self.by_account.entry(link.account.to_owned()).or_default(),
        };
        let known = of_account.iter().find(|(currency, _)| *currency == link.currency);
        if let Some((_, index)) = known {
            return *index;
        }
        self.chains.push(AccountChain {
            chain: SignChain::new(self.order),
            account: link.account.to_owned(),
            currency: link.currency,
            epoch: self.epoch,
            begins_behind_gap: self.epoch > 0,
        });
        of_account.push((link.currency, self.chains.len() - 1));
        self.chains.len() - 1
    }
}

#[cfg(test)]
#[path = "directions_tests.rs"]
mod tests;
