//! What an account that exists holds before and after a file, beside what the file states.

use jiff::civil::Date;
use serde_json::{Value, json};

use super::{BalanceEnds, Sense, difference_text};
use crate::ledger::account::Classification;
use crate::money::decimal::amount_text;
use crate::money::format::money_text;
use crate::money::{Currency, Money};

/// A balance of the ledger and the one that the file states for the same moment, both in the sense
/// of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// What the account has.
    pub own: i64,
    /// What the file states, if that is known.
    pub file: Option<i64>,
}

/// The balances of one account at both ends of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBalances {
    /// The name of the account.
    pub name: String,
    /// The currency of the account.
    pub currency: Currency,
    /// The day of the oldest row.
    pub first_day: Date,
    /// At the end of the day before.
    pub before: Compared,
    /// The day of the newest row.
    pub last_day: Date,
    /// At its end, once the rows are published; nothing if that doesn't follow from the rows alone.
    pub after: Option<Compared>,
}

impl Compared {
    /// By how much the account has more than the file states.
    pub fn difference(self) -> Option<i64> {
        self.own.checked_sub(self.file?)
    }

    /// The amount with what the file has instead.
    fn text(self, currency: Currency) -> Option<(String, String)> {
        let relation = match self.difference()? {
            0 => "as in the file".to_owned(),
            difference => format!("{} than in the file", difference_text(difference, currency)),
        };
        Some((money_text(Money::new(self.own, currency)), relation))
    }
}

impl OwnBalances {
    /// The balances of an account that is called `name`. `before` and `after` are its own, as the
    /// ledger counts them.
    pub fn new(
        (name, classification): (String, Classification),
        (ends, sense): (&BalanceEnds, Sense),
        before: i64,
        after: Option<i64>,
    ) -> Option<Self> {
        // The way from the account's sense to that of the file is the same as back.
        let own = |amount| sense.in_account(amount, classification);
        let after = after.and_then(own).map(|own| Compared { own, file: ends.closing });
        Some(Self {
            name,
            currency: ends.currency,
            first_day: ends.first_day,
            before: Compared { own: own(before)?, file: ends.opening },
            last_day: ends.last_day,
            after,
        })
    }

    /// The JSON object that the interface shows.
    pub fn shown(&self) -> Value {
        let text = |amount: Option<i64>| amount.map(|amount| amount_text(amount, self.currency));
        json!({
            "account": self.name,
            "currency": self.currency,
            "first_day": self.first_day,
            "balance_before": text(Some(self.before.own)),
            "difference_before": text(self.before.difference()),
            "last_day": self.last_day,
            "balance_after": text(self.after.map(|after| after.own)),
            "difference_after": text(self.after.and_then(Compared::difference)),
        })
    }

    /// Both comparisons as a sentence without a full stop; nothing if the file states neither end.
    /// `day` writes a day.
    pub fn text(&self, day: impl Fn(Date) -> String) -> Option<String> {
        let before = self.before.text(self.currency).map(|(amount, relation)| {
            format!("has {amount} before {}, {relation}", day(self.first_day))
        });
        let after = self.after.and_then(|after| after.text(self.currency));
        let after = after.map(|(amount, relation)| {
            format!("will have {amount} after {}, {relation}", day(self.last_day))
        });
        let name = &self.name;
        match (before, after) {
            (Some(before), Some(after)) => Some(format!("{name} {before}, and {after}")),
            (before, after) => Some(format!("{name} {}", before.or(after)?)),
        }
    }

    /// Its own balances alone, as a sentence without a full stop, where the file states none.
    pub fn own_text(&self, day: impl Fn(Date) -> String) -> String {
        let money = |one: Compared| money_text(Money::new(one.own, self.currency));
        let before = money(self.before);
        let before = format!("{} has {before} before {}", self.name, day(self.first_day));
        match self.after {
            Some(after) => {
                format!("{before}, and will have {} after {}", money(after), day(self.last_day))
            }
            None => before,
        }
    }
}

#[cfg(test)]
#[path = "own_tests.rs"]
mod tests;
