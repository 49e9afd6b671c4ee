//! The transactions of a file: their ids, and what a transfer has to know of its two. Money goes
//! out of one account and comes into another one, once.
//!
//! A transaction takes 32 bytes, because a file may have a million of them. They are kept in
//! [`BUCKETS`] lists, because a list that grows is in memory twice for a moment.

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

/// Lists that transactions are kept in.
const BUCKETS: usize = 64;

/// The transactions of a file, and the confirmed transfers that they are in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sides {
    /// The lists; there is none before the first transaction.
    buckets: Vec<Vec<(u128, Side)>>,
    /// Whether several transactions have one id.
    has_doubled: bool,
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
        if self.buckets.is_empty() {
            self.buckets.resize(BUCKETS, Vec::new());
        }
        let key = id.key();
        let bucket = &mut self.buckets[bucket_of(key)];
        if bucket.len() == bucket.capacity() {
            // Not to twice the length: what isn't needed yet takes memory, too.
            bucket.reserve_exact(bucket.len() / 4 + 64);
        }
        bucket.push((key, side));
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
        for bucket in &mut self.buckets {
            for (_, side) in bucket.iter_mut() {
                side.currency = side.currency.or_else(|| own.get(&side.account).copied());
            }
            bucket.sort_unstable_by_key(|(key, _)| *key);
            self.has_doubled |= bucket.windows(2).any(|two| two[0].0 == two[1].0);
        }
        self.confirmed.sort();
        self.accounts = HashMap::new();
    }

    /// The transactions with an id, two of them at most.
    fn with_id(&self, key: u128) -> &[(u128, Side)] {
        let Some(bucket) = self.buckets.get(bucket_of(key)) else { return &[] };
        let first = bucket.partition_point(|(its, _)| *its < key);
        let rest = &bucket[first..];
        &rest[..rest.iter().take_while(|(its, _)| *its == key).take(2).count()]
    }

    /// Whether several transactions have one id.
    pub(super) fn has_doubled(&self) -> bool {
        self.has_doubled
    }

    /// How many transactions have an id; 2 stands for any number above 1.
    pub(super) fn times(&self, key: u128) -> u8 {
        match self.with_id(key) {
            [] => 0,
            [_] => 1,
            _ => 2,
        }
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
            let [(_, side)] = self.with_id(key) else { return None };
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

/// The list of a key. All bits count: ids of one program may have any of them in common.
fn bucket_of(key: u128) -> usize {
    let folded = (key >> 64) as u64 ^ key as u64;
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BUCKETS.ilog2())) as usize
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
    fn every_list_takes_its_share_of_numbered_ids_and_those_of_one_machine() {
        let shares = |key: &dyn Fn(u128) -> u128| {
            let mut shares = [0_usize; BUCKETS];
            (0..6_400).for_each(|number| shares[bucket_of(key(number))] += 1);
            *shares.iter().max().unwrap()
        };
        assert!(shares(&|number| SourceId(format!("t{number}")).key()) < 200);
        assert!(shares(&|number| number) < 200);
        assert!(shares(&|number| (number << 64) | 0x0000_5E00_5312) < 200);
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
