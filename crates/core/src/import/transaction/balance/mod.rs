//! The running balance: a column that states what the account held after each row.
//!
//! It judges how a file is read. With the right columns, signs, number format and order, each
//! balance is the one before it and the amount; any other reading breaks that rule in nearly every
//! row. `readings` finds the reading by which the first rows follow from each other, `meaning`
//! decides whether the balance is money or a debt, and [`follow`] compares all rows of the file,
//! so that a changed digit, a lost row or a doubled one is noticed and named with its line. Where
//! amounts have no signs and go both ways, [`directions`] finds the way of each row by whether its
//! balance is more or less than the one before.
//!
//! A balance proves the sum of the amounts since the balance before it. So no balance can show what
//! is wrong with the amounts of the oldest rows, up to and with the first one that has a balance,
//! and of the newest rows, behind the last one that has a balance, or that rows are missing there.
//! If each row has a balance, that is the oldest row alone; if only the last row of each day has
//! one, it is all of the first day. Where such a balance doesn't follow, all rows of its day are
//! named: any of them may be wrong. It is so for each account and currency apart. Nothing follows
//! across a row that is invalid for another reason than its balance: each account begins anew
//! behind it.

mod chain;
pub mod directions;
pub mod follow;
pub(super) mod meaning;
pub mod own;
pub(super) mod readings;
mod sign_chain;
pub(super) mod unsigned;

use std::slice;

pub use chain::Stated;
use directions::Directions;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::header_names::is_available_balance;
use super::totals::AccountTotals;
use crate::import::layout::Layout;
use crate::ledger::account::Classification;
use crate::money::decimal::amount_text;
use crate::money::format::{money_text, sum_text};
use crate::money::{Currency, Money};
use crate::named::text_enum;

text_enum! {
    /// The order of the rows of a file.
    RowOrder {
        /// Each row stands below the one before it in time.
        OldestFirst = "oldest_first",
        /// Each row stands above the one before it in time.
        NewestFirst = "newest_first",
    }
}

text_enum! {
    /// What a balance counts.
    Sense {
        /// What the account holds: it rises with money in.
        Money = "money",
        /// What is owed, as on a card's statement: it rises with money out.
        Debt = "debt",
    }
}

/// A column of balances that was found in a file, and what the comparison of all rows showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningBalance {
    /// The position of the column.
    pub column: usize,
    /// The order in which the rows follow from each other.
    pub order: RowOrder,
    /// Whether the balance is money or a debt.
    pub sense: Sense,
    /// How many balances follow from the row before and the amount.
    pub proofs: u64,
    /// Rows with a balance that doesn't follow, in their order; accepted ones are not among them.
    pub breaks: Vec<BalanceBreak>,
    /// The balances at both ends of the file, for each account and currency.
    #[serde(default)]
    pub ends: Vec<BalanceEnds>,
    /// Which way the money of each row went, if amounts have no signs and go both ways. It is
    /// found before the rows are interpreted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<Directions>,
}

/// The balances before and after the rows of one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceEnds {
    /// The cell that names the account; blank if the file has no such column.
    pub account: String,
    /// The currency of the rows.
    pub currency: Currency,
    /// The day of the oldest row.
    pub first_day: Date,
    /// The balance before the oldest row, if it is known.
    pub opening: Option<i64>,
    /// The day of the newest row.
    pub last_day: Date,
    /// The balance after the newest row, if it is known.
    pub closing: Option<i64>,
    /// What the rows that can be imported come to, in the sense of the balance.
    #[serde(default)]
    pub sum: Option<i64>,
}

/// A row with a balance that doesn't follow from the row before it and the amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceBreak {
    /// The number of the row, counted from 1.
    pub row: u64,
    /// The physical line on which it starts.
    pub line: u64,
    /// The currency of the row.
    pub currency: Currency,
    /// The balance in the file; nothing if it can't be read.
    pub stated: Option<i64>,
    /// What it should be by the row before it, if that is known.
    pub expected: Option<i64>,
    /// The line of the balance that doesn't follow, for a row without one of its own: any of the
    /// amounts since the balance before may be wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof_line: Option<u64>,
}

impl BalanceEnds {
    /// The ends of rows without balances: their days alone.
    pub fn without_balance(totals: &AccountTotals) -> Self {
        Self {
            account: totals.account.clone(),
            currency: totals.currency,
            first_day: totals.first_day,
            opening: None,
            last_day: totals.last_day,
            closing: None,
            sum: None,
        }
    }

    /// By how much the rows that can be imported miss the balance of the file; zero if they add up
    /// to it, nothing if an end isn't known. Rows that are invalid or left out are missing here.
    pub fn difference(&self) -> Option<i64> {
        self.opening?.checked_add(self.sum?)?.checked_sub(self.closing?)
    }

    /// The same as what is owed, as a statement of a card shows it.
    #[must_use]
    pub fn as_owed(&self) -> Self {
        let owed = |amount: Option<i64>| amount.and_then(i64::checked_neg);
        let (opening, closing, sum) = (owed(self.opening), owed(self.closing), owed(self.sum));
        Self { opening, closing, sum, ..self.clone() }
    }

    /// The balances at both ends and what the rows come to, as a part of a sentence; nothing if
    /// neither end is known. `day` writes a day.
    pub fn text(&self, day: impl Fn(Date) -> String) -> Option<String> {
        let money = |amount: i64| money_text(Money::new(amount, self.currency));
        let opening =
            self.opening.map(|amount| format!("{} before {}", money(amount), day(self.first_day)));
        let closing =
            self.closing.map(|amount| format!("{} after {}", money(amount), day(self.last_day)));
        let ends = match (opening, closing) {
            (Some(opening), Some(closing)) => format!("{opening} → {closing}"),
            (opening, closing) => opening.or(closing)?,
        };
        Some(match self.difference() {
            None => ends,
            Some(0) => format!("{ends}; the rows add up to it"),
            Some(difference) => {
                let by = difference_text(difference, self.currency);
                format!("{ends}; the rows come to {by} than the file")
            }
        })
    }

    /// The JSON object that the interface shows.
    pub fn shown(&self) -> Value {
        let text = |amount: Option<i64>| amount.map(|amount| amount_text(amount, self.currency));
        json!({
            "account": self.account,
            "currency": self.currency,
            "first_day": self.first_day,
            "opening_balance": text(self.opening),
            "last_day": self.last_day,
            "closing_balance": text(self.closing),
            "rows_sum": text(self.sum),
            "difference": text(self.difference()),
        })
    }
}

/// A difference that isn't zero as people read it: `$1.00 less`.
pub fn difference_text(difference: i64, currency: Currency) -> String {
    let less_or_more = if difference < 0 { "less" } else { "more" };
    format!("{} {less_or_more}", sum_text(i128::from(difference).abs(), currency))
}

impl Sense {
    /// The sense in which an account counts its own balance.
    pub fn of(classification: Classification) -> Self {
        match classification {
            Classification::Asset => Self::Money,
            Classification::Liability => Self::Debt,
        }
    }

    /// A balance of the file as an account of this classification counts it: a debt is positive in
    /// a liability and negative in an account with money.
    pub fn in_account(self, amount: i64, classification: Classification) -> Option<i64> {
        match (self, classification) {
            (Self::Money, Classification::Asset) | (Self::Debt, Classification::Liability) => {
                Some(amount)
            }
            (Self::Money, Classification::Liability) | (Self::Debt, Classification::Asset) => {
                amount.checked_neg()
            }
        }
    }
}

impl BalanceBreak {
    /// What is wrong, as a part of a sentence that follows the name of the column.
    pub fn reason(&self) -> String {
        if let Some(line) = self.proof_line {
            return format!(
                "is blank here, and the one in line {line} does not follow from the amounts since \
                 the one before: any of them may be wrong"
            );
        }
        let money =
            |amount: i64| format!("{} {}", amount_text(amount, self.currency), self.currency);
        match (self.stated.map(money), self.expected.map(money)) {
            (Some(stated), Some(expected)) => {
                format!("is {stated}, but by the row before and the amount it should be {expected}")
            }
            (None, Some(expected)) => {
                format!("can't be read; by the row before and the amount it should be {expected}")
            }
            _ => "can't be read".to_owned(),
        }
    }
}

impl Layout {
    /// The column of balances, if these are what the account holds: what can be spent may include a
    /// credit line, so that it judges rows, but states nothing of the account.
    pub fn account_balance(&self) -> Option<&RunningBalance> {
        self.balance.as_ref().filter(|balance| !is_available_balance(&self.header(balance.column)))
    }

    /// The balances of its accounts that the file states, in a column or in lines, and what they
    /// count.
    pub fn stated_ends(&self) -> Option<(&[BalanceEnds], Sense)> {
        let of_column = self.account_balance().map(|its| (its.ends.as_slice(), its.sense));
        // Lines state both as money of the account.
        of_column.or_else(|| Some((slice::from_ref(self.stated.as_ref()?), Sense::Money)))
    }
}

impl RunningBalance {
    /// The balances at both ends of each account, with its name if the file has one, as parts of a
    /// sentence. `day` writes a day.
    pub fn texts(&self, day: impl Fn(Date) -> String) -> Vec<String> {
        let text = |ends: &BalanceEnds| {
            let text = ends.text(&day)?;
            let account = ends.account.trim();
            Some(if account.is_empty() { text } else { format!("{account}: {text}") })
        };
        self.ends.iter().filter_map(text).collect()
    }

    /// How many rows are invalid because it isn't known which way their money went.
    pub fn open_directions(&self) -> u64 {
        self.directions.as_ref().map_or(0, Directions::open_rows)
    }

    /// Why a row breaks the balance, if it does.
    pub fn break_of(&self, row: u64) -> Option<&BalanceBreak> {
        let at = self.breaks.binary_search_by_key(&row, |found| found.row).ok()?;
        self.breaks.get(at)
    }
}

#[cfg(test)]
mod tests;
