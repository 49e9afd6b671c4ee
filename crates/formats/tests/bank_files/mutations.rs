//! What may be wrong with a file that was right: each must be read right, or lead to a question.

use crate::combination::{Balance, Combination, Direction, Extra};
use crate::random::Random;
use crate::table::{Column, Table};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// The header of the column is a word that means nothing.
    Rename(Column),
    /// The header of the column is blank.
    Unname(Column),
    /// The column is there once more, at the end.
    Double(Column),
    /// The column is gone.
    Remove(Column),
    /// Amounts lose their signs.
    DropSigns,
    /// Amounts and balances are in cents, as their headers state.
    InCents,
    /// Two headers stand above each other's columns.
    Swap(Column, Column),
}

/// The columns that decide about numbers.
const DECISIVE: &[Column] = &[
    Column::Date,
    Column::Amount,
    Column::MoneyOut,
    Column::MoneyIn,
    Column::Direction,
    Column::Balance,
    Column::Currency,
    Column::Account,
];

impl Mutation {
    /// Those that can happen to a file, in an order that the seed gives.
    pub(crate) fn all(table: &Table, combination: &Combination, random: &mut Random) -> Vec<Self> {
        let columns = DECISIVE.iter().copied().filter(|its| table.position(*its).is_some());
        // Without its words a reversal is an amount with a sign among those without one.
        let is_open = |column: &Column| {
            *column != Column::Direction || combination.direction != Direction::WordsWithReversals
        };
        let columns = columns.filter(is_open);
        let mut all = Vec::new();
        for column in columns {
            all.extend([Self::Rename(column), Self::Unname(column), Self::Double(column)]);
            // A file that states only another currency or another day is another file.
            let is_needed = match column {
                Column::Currency => combination.is_abroad,
                Column::Date => combination.has(Extra::ValueDate),
                _ => false,
            };
            if !is_needed {
                all.push(Self::Remove(column));
            }
        }
        if combination.direction == Direction::Signed {
            all.push(Self::DropSigns);
        }
        if table.header.is_some() {
            all.push(Self::InCents);
        }
        if combination.balance == Balance::EachRow {
            // Without a balance nothing but the header shows which is which.
            let two = combination.direction.has_two_columns();
            all.push(if two {
                Self::Swap(Column::MoneyOut, Column::MoneyIn)
            } else {
                Self::Swap(Column::Amount, Column::Balance)
            });
        }
        for last in (1..all.len()).rev() {
            all.swap(last, random.below(last + 1));
        }
        all
    }

    /// The file with the mistake.
    pub(crate) fn apply(self, table: &Table) -> Table {
        let mut table = table.clone();
        match self {
            Self::Rename(column) => set_header(&mut table, column, "Xyqz"),
            Self::Unname(column) => set_header(&mut table, column, ""),
            Self::Double(column) => {
                let at = table.position(column).unwrap();
                each_line(&mut table, |cells| {
                    if let Some(cell) = cells.get(at).cloned() {
                        cells.push(cell);
                    }
                });
            }
            Self::Remove(column) => {
                let at = table.position(column).unwrap();
                table.columns.remove(at);
                each_line(&mut table, |cells| {
                    if at < cells.len() {
                        cells.remove(at);
                    }
                });
            }
            Self::DropSigns => {
                let at = table.position(Column::Amount).unwrap();
                for record in &mut table.records {
                    if let Some(cell) = record.cells.get_mut(at) {
                        cell.retain(|c| !matches!(c, '-' | '+' | '(' | ')' | '\u{2212}'));
                    }
                }
            }
            Self::InCents => {
                for column in [Column::Amount, Column::MoneyOut, Column::MoneyIn, Column::Balance] {
                    let Some(at) = table.position(column) else { continue };
                    let headers = table.header.iter_mut().filter_map(|cells| cells.get_mut(at));
                    headers.for_each(|header| header.push_str(" (cents)"));
                    let records = table.records.iter_mut();
                    for cell in records.filter_map(|record| record.cells.get_mut(at)) {
                        cell.retain(|c| !matches!(c, '.' | ',' | '\'' | '\u{a0}' | '٬' | '٫'));
                    }
                }
            }
            Self::Swap(one, other) => {
                let (one, other) = (table.position(one).unwrap(), table.position(other).unwrap());
                if let Some(header) = &mut table.header {
                    header.swap(one, other);
                }
            }
        }
        table
    }
}

fn set_header(table: &mut Table, column: Column, word: &str) {
    let at = table.position(column).unwrap();
    if let Some(header) = &mut table.header {
        header[at] = word.to_owned();
    }
}

fn each_line(table: &mut Table, change: impl Fn(&mut Vec<String>)) {
    table.header.iter_mut().for_each(&change);
    // A remark at the end has one cell, and stays as it is.
    let width = table.columns.len();
    let records = table.records.iter_mut().filter(|record| record.cells.len() >= width);
    records.for_each(|record| change(&mut record.cells));
}
