//! The transactions of a file: their ids, and what a transfer has to know of its two. Money goes
//! out of one account and comes into another one, once.
//!
//! A transaction takes 32 bytes, because a file may have a million of them.

use std::collections::HashMap;

use rust_decimal::Decimal;

use super::fields::Fields;
use super::ids::SortedKeys;
use super::{SourceId, Transfer};
use crate::error::Problems;
use crate::limits::IMPORT_WHOLE_ROWS_MAX;
use crate::money::Currency;
use crate::transfers::{Maker, TransferStatus};

/// A transaction that may be the side of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    /// The digits of the amount without a point, and how many of them are decimals. Positive is
    /// money out.
    digits: i64,
    scale: u8,
    /// None is the currency of the family.
    currency: Option<Currency>,
    /// The number of the account, or [`UNKNOWN`].
    account: u32,
}

/// A transaction of which the account or the amount can't be read: it isn't taken for that.
const UNKNOWN: u32 = u32::MAX;

/// The transactions of a file, and the confirmed transfers that they are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sides {
    transactions: Vec<(u128, Side)>,
    confirmed: SortedKeys,
    /// The accounts of transactions by their numbers.
    accounts: HashMap<u128, u32>,
}

impl Sides {
    /// Takes a transaction of the file.
    pub(super) fn transaction(&mut self, id: &SourceId, fields: &mut Fields<'_, '_>) {
        let amount = fields.decimal("amount").or_else(|| fields.decimal("amount_decimal"));
        let account = fields.id("account_id").map(|account| self.account(account.key()));
        let (digits, scale) = amount.and_then(digits_of).unzip();
        let account = account.filter(|_| digits.is_some()).unwrap_or(UNKNOWN);
        let side = Side {
            digits: digits.unwrap_or_default(),
            scale: scale.unwrap_or_default(),
            currency: fields.currency("currency"),
            account,
        };
        self.transactions.push((id.key(), side));
    }

    /// The number of an account. Beyond the accounts that a file may have, some of them are none of
    /// the file.
    fn account(&mut self, key: u128) -> u32 {
        let next = u32::try_from(self.accounts.len()).unwrap_or(UNKNOWN);
        match self.accounts.get(&key) {
            Some(number) => *number,
            None if self.accounts.len() >= 2 * IMPORT_WHOLE_ROWS_MAX => UNKNOWN,
            None => *self.accounts.entry(key).or_insert(next),
        }
    }

    /// Takes a transfer of the file.
    pub(super) fn transfer(&mut self, fields: &mut Fields<'_, '_>) {
        if fields.named("status") != Some(TransferStatus::Confirmed) {
            return;
        }
        for name in ["outflow_transaction_id", "inflow_transaction_id"] {
            if let Some(id) = fields.id(name) {
                self.confirmed.add(id.key());
            }
        }
    }

    /// Ends the first pass: transactions without a currency have that of their account.
    pub(super) fn finish(&mut self, of_accounts: &HashMap<u128, Currency>) {
        let own = |(key, number): (&u128, &u32)| Some((*number, *of_accounts.get(key)?));
        let own: HashMap<u32, Currency> = self.accounts.iter().filter_map(own).collect();
        for (_, side) in &mut self.transactions {
            side.currency = side.currency.or_else(|| own.get(&side.account).copied());
        }
        self.transactions.sort_unstable_by_key(|(key, _)| *key);
        self.confirmed.sort();
        self.accounts = HashMap::new();
    }

    fn position(&self, key: u128) -> Option<usize> {
        self.transactions.binary_search_by_key(&key, |(key, _)| *key).ok()
    }

    /// How many transactions have an id; 2 stands for any number above 1.
    pub(super) fn times(&self, key: u128) -> u8 {
        let Some(at) = self.position(key) else { return 0 };
        let is_at = |at: Option<usize>| {
            at.and_then(|at| self.transactions.get(at)).is_some_and(|(its, _)| *its == key)
        };
        1 + u8::from(is_at(at.checked_sub(1)) || is_at(Some(at + 1)))
    }

    /// Finds out whether the sides of a transfer fit. A side that is missing is the problem of its
    /// reference.
    pub(super) fn judge(
        &self,
        transfer: &Transfer,
        family_currency: Currency,
        problems: &mut Problems,
    ) {
        let (outflow, inflow) = ("outflow_transaction_id", "inflow_transaction_id");
        let (out_key, into_key) = (transfer.outflow.key(), transfer.inflow.key());
        for (key, field) in [(out_key, outflow), (into_key, inflow)] {
            let is_confirmed = transfer.status == TransferStatus::Confirmed;
            if is_confirmed && self.confirmed.times(key) > 1 {
                problems.field(field, "is in another confirmed transfer of the file");
            }
        }
        // Of several transactions with one id nobody knows which one is meant.
        let side = |key| {
            let place = self.position(key).filter(|_| self.times(key) == 1)?;
            let (_, side) = self.transactions.get(place)?;
            (side.account != UNKNOWN).then_some(side)
        };
        let (Some(out), Some(into)) = (side(out_key), side(into_key)) else {
            return;
        };
        if out.account == into.account {
            problems.field(inflow, "is in the account of the other one");
        }
        if out.digits <= 0 {
            problems.field(outflow, "is no money out");
        }
        if into.digits >= 0 {
            problems.field(inflow, "is no money in");
        }
        let currency = |side: &Side| side.currency.unwrap_or(family_currency);
        if currency(out) == currency(into) {
            if !out.is_opposite_of(into) {
                problems.field(inflow, "has another amount than the other one");
            }
        } else if transfer.made_by != Maker::Person {
            problems.field(inflow, "is in another currency, which only a person pairs");
        }
    }
}

impl Side {
    fn amount(&self) -> Decimal {
        Decimal::new(self.digits, self.scale.into())
    }

    fn is_opposite_of(&self, other: &Self) -> bool {
        self.amount() == -other.amount()
    }
}

/// The digits of an amount, if they fit into 64 bits: those of each amount that may be stored do.
fn digits_of(amount: Decimal) -> Option<(i64, u8)> {
    let amount = amount.normalize();
    let scale = u8::try_from(amount.scale()).ok()?;
    Some((i64::try_from(amount.mantissa()).ok()?, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_small() {
        assert!(size_of::<(u128, Side)>() <= 32, "{}", size_of::<(u128, Side)>());
    }

    #[test]
    fn amounts_are_opposite_whatever_their_decimals() {
        let side = |text: &str| {
            let (digits, scale) = digits_of(text.parse().unwrap()).unwrap();
            Side { digits, scale, currency: None, account: 0 }
        };
        assert!(side("1.50").is_opposite_of(&side("-1.5")));
        assert!(side("900000000000000").is_opposite_of(&side("-900000000000000.0000")));
        assert!(!side("1.50").is_opposite_of(&side("-1.51")));
        assert_eq!(digits_of(Decimal::MAX), None);
    }
}
