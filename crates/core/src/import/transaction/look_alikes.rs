//! Rows with a name that totals and shops have (`Total Energies`), and what shows that one of them
//! is a total: its amount, or that it has none of the cells that every other row has.
//!
//! Only the first two and the last two rows of a file can be its totals and balances. Everything
//! else with such a name is money, and so are these, if nothing else speaks against it.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Row;
use super::columns::Columns;
use super::interpret::is_placeholder;
use super::stated::StatedBalance;
use crate::import::cells::Cells;
use crate::import::layout::{AmountSource, Layout};
use crate::import::left_out::AnchorKind;
use crate::money::Currency;
use crate::named::text_enum;

/// Rows at each end of a file that may be totals or balances.
const ENDS: u64 = 2;
/// Fewer rows come to an amount by chance.
const OTHERS_MIN: u64 = 2;
/// Fewer rows have their cells by chance.
const WHOLE_ROWS_MIN: u64 = 3;

text_enum! {
    /// What shows that a row is a total or a balance.
    ShownBy {
        /// Its amount is what the other rows come to.
        Sum = "sum",
        /// Its amount is what the other rows have as money out, or as money in.
        OneWay = "one_way",
        /// A line at the other end of the file is a balance, and the rows lead there.
        Ends = "ends",
        /// It has nothing but a day, a name and an amount, which no other row has so.
        Cells = "cells",
    }
}

/// A row that may be a total or a balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAlike {
    /// The number of the row, counted from 1.
    pub row: u64,
    /// The physical line on which it starts.
    pub line: u64,
    /// What in the file shows it.
    pub shown_by: ShownBy,
}

impl ShownBy {
    /// Why the row isn't taken unless a person wants it: a sentence without a full stop.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Sum => "The row may be a total: its amount is what the other rows come to",
            Self::OneWay => {
                "The row may be a total: its amount is what the other rows have as money out, or \
                 as money in"
            }
            Self::Ends => {
                "The row may be a balance: the rows lead from the one at one end of the file to \
                 the one at the other"
            }
            Self::Cells => {
                "The row may be a balance or a total: it has only a day, a name and an amount, and \
                 each other row has more"
            }
        }
    }
}

/// What some rows come to; positive is money out.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    rows: [u64; 2],
    out: i128,
    into: i128,
}

impl Sums {
    fn add(&mut self, amount: i128) {
        if amount > 0 {
            self.rows[0] += 1;
            self.out += amount;
        } else {
            self.rows[1] += 1;
            self.into += amount;
        }
    }

    fn without(mut self, amount: i128) -> Self {
        if amount > 0 {
            self.rows[0] -= 1;
            self.out -= amount;
        } else {
            self.rows[1] -= 1;
            self.into -= amount;
        }
        self
    }

    fn net(self) -> i128 {
        self.out + self.into
    }

    /// Whether an amount is the sum of them.
    fn show(self, amount: i128) -> Option<ShownBy> {
        let [out, into] = self.rows;
        let is_way = |way: i128, rows: u64| rows >= OTHERS_MIN && way.abs() == amount.abs();
        if amount == 0 {
            None
        } else if out + into >= OTHERS_MIN && self.net() == amount {
            Some(ShownBy::Sum)
        } else if is_way(self.out, out) || is_way(self.into, into) {
            Some(ShownBy::OneWay)
        } else {
            None
        }
    }
}

/// A row near an end of the file, the name of which begins like that of a total.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    row: u64,
    line: u64,
    place: u64,
    amount: i128,
    has_basics_alone: bool,
}

/// Looks at the rows of a file that are taken.
#[derive(Debug)]
pub struct LookAlikes {
    /// Columns that a balance has, too.
    basic: u64,
    /// Columns that every row has text in, but for candidates.
    whole: u64,
    whole_rows: u64,
    rows: u64,
    currency: Option<Currency>,
    has_currencies: bool,
    all: Sums,
    /// Without rows that have such a name.
    others: Sums,
    first: Vec<Candidate>,
    last: VecDeque<Candidate>,
}

impl LookAlikes {
    /// Nothing was seen yet.
    pub fn new(layout: &Layout) -> Self {
        Self {
            basic: basic_columns(layout),
            whole: u64::MAX,
            whole_rows: 0,
            rows: 0,
            currency: None,
            has_currencies: false,
            all: Sums::default(),
            others: Sums::default(),
            first: Vec::new(),
            last: VecDeque::new(),
        }
    }

    /// Adds a row that is taken. `is_alike` is whether its name begins like that of a total and
    /// nobody has decided that it is none.
    pub fn add(
        &mut self,
        (number, line): (u64, u64),
        row: &Row<'_>,
        cells: Cells<'_>,
        is_alike: bool,
    ) {
        self.rows += 1;
        let amount = i128::from(row.amount);
        self.has_currencies |= self.currency.is_some_and(|known| known != row.currency);
        self.currency = Some(row.currency);
        self.all.add(amount);
        if !is_alike {
            self.others.add(amount);
            if self.whole & !self.basic != 0 {
                self.whole &= filled(cells);
            }
            self.whole_rows += 1;
            return;
        }
        let has_basics_alone = filled(cells) & !self.basic == 0;
        let one = Candidate { row: number, line, place: self.rows, amount, has_basics_alone };
        if self.rows <= ENDS {
            self.first.push(one);
            return;
        }
        if self.last.len() as u64 == ENDS {
            self.last.pop_front();
        }
        self.last.push_back(one);
    }

    /// The rows that may be totals or balances. `stated` are the balances that lines of the file
    /// state.
    pub fn finish(self, stated: &[StatedBalance]) -> Vec<LookAlike> {
        let Self { rows, first, last, .. } = &self;
        let last = last.iter().filter(|one| one.place + ENDS > *rows);
        let mut found = Vec::new();
        let mut opposite = Vec::new();
        for one in first.iter().chain(last) {
            let shown_by = self.by_amount(one, stated).or_else(|| self.by_cells(one));
            let Candidate { row, line, .. } = *one;
            match shown_by {
                Some(shown_by) => found.push(LookAlike { row, line, shown_by }),
                None => opposite.push(LookAlike { row, line, shown_by: ShownBy::Ends }),
            }
        }
        // With the other one as a row the rows come to the closing balance, so that one is the
        // opening balance.
        let is_sum = |one: &LookAlike| one.shown_by == ShownBy::Sum;
        if found.iter().any(is_sum) {
            found.extend(opposite);
            found.sort_by_key(|one| one.row);
        }
        found
    }

    fn by_amount(&self, one: &Candidate, stated: &[StatedBalance]) -> Option<ShownBy> {
        if self.has_currencies {
            return None;
        }
        let rest = self.all.without(one.amount);
        let amounts_of = |kind: AnchorKind| {
            let of_kind = stated.iter().filter(move |stated| stated.kind == kind);
            of_kind.map(|stated| i128::from(stated.amount))
        };
        let leads = |opening: i128, closing: i128| {
            rest.net() != 0 && opening + rest.net() == closing && one.amount != 0
        };
        let is_opening =
            || amounts_of(AnchorKind::Closing).any(|closing| leads(one.amount, closing));
        let is_closing =
            || amounts_of(AnchorKind::Opening).any(|opening| leads(opening, one.amount));
        if is_opening() || is_closing() {
            return Some(ShownBy::Ends);
        }
        self.others.show(one.amount).or_else(|| rest.show(one.amount))
    }

    fn by_cells(&self, one: &Candidate) -> Option<ShownBy> {
        let is_whole = self.whole & !self.basic != 0 && self.whole_rows >= WHOLE_ROWS_MIN;
        (one.has_basics_alone && is_whole).then_some(ShownBy::Cells)
    }
}

/// The first 64 columns in which a record has text, as bits.
fn filled(cells: Cells<'_>) -> u64 {
    let columns = (0..cells.len().min(64)).filter(|column| !is_placeholder(cells.get(*column)));
    columns.fold(0, |all, column| all | 1 << column)
}

/// The columns that a line with a balance or a total has, too.
fn basic_columns(layout: &Layout) -> u64 {
    let Columns { date, names, notes, account, currency, status, balance, .. } = &layout.columns;
    let amounts = match layout.amount {
        Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => [column; 2],
        Some(AmountSource::DebitCredit { debit, credit }) => [debit, credit],
        Some(AmountSource::Directed { amount, .. }) => [amount; 2],
        None => return u64::MAX,
    };
    let found = layout.balance.as_ref().map(|balance| balance.column);
    let name = names.first().or(notes.as_ref());
    let single = [*date, *account, *currency, *status, *balance, found, name.copied()];
    let all = single.into_iter().flatten().chain(amounts).filter(|column| *column < 64);
    all.fold(0, |all, column| all | 1 << column)
}

#[cfg(test)]
#[path = "look_alikes_tests.rs"]
mod tests;
