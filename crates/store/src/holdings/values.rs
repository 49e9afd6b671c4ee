//! What all holdings of an account are worth, for its balances.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::positions::on;
use purser_core::ledger::valuing::{Converter, Prices, worth};
use purser_core::money::{Currency, sum};
use purser_core::rates::{Book, Rate};
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::statements;
use crate::ledger::positions;
use crate::{prices, rates};

statements! {
    /// The currency of the account.
    ACCOUNT_CURRENCY = "SELECT currency FROM accounts WHERE family_id = $1 AND id = $2";
}

/// What an account's holdings are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The value in the account's currency and scale.
    pub amount: i128,
    /// Whether every price and rate that it needs is known.
    pub complete: bool,
}

impl Value {
    /// The same for a balance, which has 64 bits: what is too near to their ends for sums and
    /// differences with it is nothing, and not complete.
    pub(crate) fn in_balance(self) -> (i64, bool) {
        let holds = |amount: &i64| amount.unsigned_abs() <= i64::MAX.unsigned_abs() / 4;
        match i64::try_from(self.amount).ok().filter(holds) {
            Some(amount) => (amount, self.complete),
            None => (0, false),
        }
    }
}

/// What an account's holdings are worth on some days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values {
    /// The values in the order of the requested days.
    pub days: Vec<Value>,
    /// The rates that prices in other currencies were converted with, in order of days.
    pub rates: Vec<(Date, Rate)>,
}

impl Values {
    /// The values of this number of days without any holding.
    pub(crate) fn nothing(days: usize) -> Self {
        Self { days: vec![Value { amount: 0, complete: true }; days], rates: Vec::new() }
    }
}

/// What an account's holdings are worth at the end of each of the days.
pub fn values_on(tx: &mut FamilyTx<'_>, account: AccountId, days: &[Date]) -> Result<Values> {
    let family = tx.family();
    let (Some(first), Some(last)) = (days.iter().min(), days.iter().max()) else {
        return Ok(Values::nothing(0));
    };
    let held = positions::segments(tx, &[account])?.remove(&account).unwrap_or_default();
    if held.is_empty() {
        return Ok(Values::nothing(days.len()));
    }
    let key = [family.into(), account.into()];
    let currency = tx.query_one(&ACCOUNT_CURRENCY, &key, |row| row.currency(0))?;
    let securities: Vec<SecurityId> = held.keys().copied().collect();
    let prices = prices::book(tx, &securities, *first, *last)?;
    let book = rates_of(tx, currency, &prices, (*first, *last))?;
    let mut converter = Converter::new(&book);
    let mut sums = vec![Value { amount: 0, complete: true }; days.len()];
    // Security by security: its prices stay at hand while the days are gone through.
    for (security, segments) in &held {
        let prices = prices.get(security);
        for (day, all) in days.iter().zip(&mut sums) {
            let Some(segment) = on(segments, *day) else { continue };
            let price = prices.and_then(|prices| prices.on(*day, currency));
            let found = worth(segment.quantity, price, currency, *day, &mut converter);
            let amount = sum::add(all.amount, found.amount);
            all.complete &= found.missing.is_none() && amount.is_some();
            all.amount = amount.unwrap_or(all.amount);
        }
    }
    Ok(Values { days: sums, rates: converter.into_used() })
}

/// What numbers of shares are worth at the ends of their days, one after the other. Negative ones
/// are worth as much less than nothing.
pub(crate) fn worth_of(
    tx: &mut FamilyTx<'_>,
    currency: Currency,
    shares: &[(Date, SecurityId, Decimal)],
) -> Result<Values> {
    let days = || shares.iter().map(|(day, ..)| *day);
    let (Some(first), Some(last)) = (days().min(), days().max()) else {
        return Ok(Values::nothing(0));
    };
    let securities: Vec<SecurityId> = shares.iter().map(|(_, security, _)| *security).collect();
    let prices = prices::book(tx, &securities, first, last)?;
    let book = rates_of(tx, currency, &prices, (first, last))?;
    let mut converter = Converter::new(&book);
    let values = shares.iter().map(|(day, security, quantity)| {
        let price = prices.get(security).and_then(|prices| prices.on(*day, currency));
        let found = worth(*quantity, price, currency, *day, &mut converter);
        Value { amount: found.amount, complete: found.missing.is_none() }
    });
    let days = values.collect();
    Ok(Values { days, rates: converter.into_used() })
}

/// The rates that prices can need on some days to be in a currency.
fn rates_of(
    tx: &mut FamilyTx<'_>,
    currency: Currency,
    prices: &HashMap<SecurityId, Prices>,
    (first, last): (Date, Date),
) -> Result<Book> {
    let mut currencies: BTreeSet<Currency> = BTreeSet::from([currency]);
    currencies.extend(prices.values().flat_map(Prices::currencies));
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    rates::book(tx, &currencies, first, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_takes_what_is_far_from_its_ends() {
        let end = i128::from(i64::MAX / 4);
        let of = |amount, complete| Value { amount, complete }.in_balance();
        assert_eq!(of(end, true), (i64::MAX / 4, true));
        assert_eq!(of(-end, false), (-(i64::MAX / 4), false));
        for beyond in [end + 1, -end - 1, i128::MAX] {
            assert_eq!(of(beyond, true), (0, false), "{beyond}");
        }
    }
}
