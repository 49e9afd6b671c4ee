//! What the rows of a file come to: how many there are, from when to when, money in and out.
//!
//! A person compares this with the bank's own statement, so it counts every row that can be
//! imported, also those that are in the ledger already.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::interpret::Row;
use crate::limits::BALANCE_ENDS_MAX;
use crate::money::Currency;
use crate::money::decimal::amount_text;

/// The rows of one account and currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountTotals {
    /// The cell that names the account; blank if the file has no such column, or if the import has
    /// one account for all rows.
    pub account: String,
    /// The currency of the rows.
    pub currency: Currency,
    /// The number of rows.
    pub rows: u64,
    /// The day of the oldest row.
    pub first_day: Date,
    /// The day of the newest row.
    pub last_day: Date,
    /// The sum of the inflows, which is positive.
    pub money_in: i64,
    /// The sum of the outflows, which is positive.
    pub money_out: i64,
}

/// Counts rows by account and currency.
#[derive(Debug, Default)]
pub struct Totals {
    found: Vec<AccountTotals>,
    /// The position of the account of the last row: rows of one account mostly follow each other.
    last: usize,
    /// There are too many accounts to show, or a sum is too large.
    is_overflowing: bool,
}

impl Totals {
    /// Takes the next row that can be imported.
    pub fn row(&mut self, row: &Row<'_>) {
        self.movement(row.account, row.currency, row.date, row.amount);
    }

    /// Takes the money of the next row; positive is money out.
    pub fn movement(&mut self, account: Option<&str>, currency: Currency, date: Date, amount: i64) {
        if self.is_overflowing {
            return;
        }
        let account = account.unwrap_or_default();
        let is_its = |known: &AccountTotals| known.currency == currency && known.account == account;
        let known = self.found.get(self.last).filter(|known| is_its(known)).map(|_| self.last);
        let known = known.or_else(|| self.found.iter().position(is_its));
        self.last = known.unwrap_or_else(|| {
            self.found.push(AccountTotals {
                account: account.to_owned(),
                currency,
                rows: 0,
                first_day: date,
                last_day: date,
                money_in: 0,
                money_out: 0,
            });
            self.found.len() - 1
        });
        let is_added =
            self.found.get_mut(self.last).is_some_and(|its| its.add(date, amount).is_some());
        self.is_overflowing = !is_added || self.found.len() > BALANCE_ENDS_MAX;
    }

    /// The totals in the order in which the file names the accounts; none of a file with very many
    /// accounts.
    pub fn finish(self) -> Vec<AccountTotals> {
        if self.is_overflowing { Vec::new() } else { self.found }
    }
}

impl AccountTotals {
    fn add(&mut self, date: Date, amount: i64) -> Option<()> {
        self.rows += 1;
        self.first_day = self.first_day.min(date);
        self.last_day = self.last_day.max(date);
        if amount < 0 {
            self.money_in = self.money_in.checked_sub(amount)?;
        } else {
            self.money_out = self.money_out.checked_add(amount)?;
        }
        Some(())
    }

    /// The JSON object that the interface shows.
    pub fn shown(&self) -> Value {
        json!({
            "account": self.account,
            "currency": self.currency,
            "rows_count": self.rows,
            "first_day": self.first_day,
            "last_day": self.last_day,
            "money_in": amount_text(self.money_in, self.currency),
            "money_out": amount_text(self.money_out, self.currency),
        })
    }
}

#[cfg(test)]
#[path = "totals_tests.rs"]
mod tests;
