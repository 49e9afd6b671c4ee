//! Single mistakes in files that state the balance after rows: which of them a balance proves.
//!
//! A balance proves the sum of the amounts since the balance before it. So nothing shows a wrong
//! amount in the oldest rows of an account, up to and with the first one that has a balance, and in
//! the newest rows, behind the last one that has a balance; nor that rows are missing at these
//! ends. Everything else is noticed, and these ends, too, if lines state the balances before and
//! after all rows.
//!
//! Where amounts have no signs, a balance proves their sum up to their directions: a change by
//! which every balance follows in another direction makes a file that is right in itself.

use crate::combination::{Balance, Combination, Direction};
use crate::random::Random;
use crate::table::{Column, Table};
use crate::truth::Truth;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Another digit in the amount.
    Amount,
    /// Another digit in the balance.
    Balance,
    /// The row is missing.
    Drop,
    /// The row is there once more.
    Double,
}

pub(crate) const CHANGES: &[Change] =
    &[Change::Amount, Change::Balance, Change::Drop, Change::Double];

/// Which of an account's rows have a balance, by the position of a row among them.
struct Chain {
    position: usize,
    first: Option<usize>,
    last: Option<usize>,
    has_balance: bool,
}

impl Chain {
    fn of(transaction: usize, combination: &Combination, truth: &Truth) -> Self {
        let account = truth.transactions[transaction].account;
        let all = truth.transactions.iter().enumerate();
        let its: Vec<usize> =
            all.filter(|(_, one)| one.account == account).map(|(index, _)| index).collect();
        let has = |index: &usize| {
            combination.balance != Balance::EndOfDay || truth.transactions[*index].is_last_of_day
        };
        Self {
            position: its.iter().position(|index| *index == transaction).unwrap(),
            first: its.iter().position(has),
            last: its.iter().rposition(has),
            has_balance: has(&transaction),
        }
    }
}

impl Change {
    /// Whether the balances of a file show the change in a row.
    pub(crate) fn is_provable(
        self,
        transaction: usize,
        combination: &Combination,
        truth: &Truth,
    ) -> bool {
        let Chain { position, first, last, has_balance } =
            Chain::of(transaction, combination, truth);
        let (Some(first), Some(last)) = (first, last) else { return false };
        if combination.states_ends() && self != Self::Balance {
            // The rows have to lead from the one to the other.
            return true;
        }
        match self {
            _ if combination.balance == Balance::None => false,
            Self::Amount => first < position && position <= last,
            Self::Balance => has_balance && first < last,
            Self::Drop => first < position && position < last,
            Self::Double => has_balance || (first < position && position < last),
        }
    }

    /// Whether the changed file is right in itself, with other directions, because amounts without
    /// signs happen to lead to its balances.
    pub(crate) fn makes_another_right_file(
        self,
        (changed, record): (&Table, usize),
        transaction: usize,
        combination: &Combination,
        truth: &Truth,
    ) -> bool {
        if combination.direction != Direction::UnsignedBothWays {
            return false;
        }
        let its = &truth.transactions[transaction];
        let all = &truth.transactions;
        let is_its = |other: &&crate::truth::Transaction| other.account == its.account;
        let before = all[..transaction].iter().rfind(is_its);
        let after = all[transaction + 1..].iter().find(is_its);
        let leads = |from: i64, to: i64, amount: i64| (to - from).abs() == amount.abs();
        match self {
            Self::Amount | Self::Double => false,
            Self::Drop => before
                .zip(after)
                .is_some_and(|(one, other)| leads(one.balance, other.balance, other.amount)),
            Self::Balance => {
                let column = changed.position(Column::Balance).unwrap();
                let digits = changed.records[record].cells[column].chars();
                let digits: String = digits.filter(char::is_ascii_digit).collect();
                let stated = digits.parse::<i64>().unwrap() * its.balance.signum();
                before.is_none_or(|one| leads(one.balance, stated, its.amount))
                    && after.is_none_or(|one| leads(stated, one.balance, one.amount))
            }
        }
    }

    /// The file with the change in the row of a record; none if there is nothing to change.
    pub(crate) fn apply(self, table: &Table, record: usize, random: &mut Random) -> Option<Table> {
        let mut table = table.clone();
        match self {
            Self::Amount => {
                let cells = &table.records[record].cells;
                let is_filled = |column: &Column| {
                    let at = table.position(*column);
                    at.is_some_and(|at| cells[at].bytes().any(|byte| matches!(byte, b'1'..=b'9')))
                };
                let columns = [Column::Amount, Column::MoneyOut, Column::MoneyIn];
                let at = table.position(columns.into_iter().find(is_filled)?)?;
                change_digit(&mut table.records[record].cells[at], random)?;
            }
            Self::Balance => {
                let at = table.position(Column::Balance)?;
                change_digit(&mut table.records[record].cells[at], random)?;
            }
            Self::Drop => drop(table.records.remove(record)),
            Self::Double => {
                let again = table.records[record].clone();
                table.records.insert(record, again);
            }
        }
        Some(table)
    }
}

fn change_digit(cell: &mut String, random: &mut Random) -> Option<()> {
    let digits = cell.char_indices().filter(|(_, c)| c.is_ascii_digit());
    let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
    if digits.is_empty() {
        return None;
    }
    let at = *random.pick(&digits);
    let digit = u32::from(cell.as_bytes()[at] - b'0');
    let other = (digit + 1 + u32::try_from(random.below(9)).unwrap()) % 10;
    cell.replace_range(at..=at, &other.to_string());
    Some(())
}
