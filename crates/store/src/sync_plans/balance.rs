//! The balance that a bank reports, and whether it is another than the ledger's.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;

use super::facts;
use crate::access::FamilyTx;
use crate::balances;
use crate::connections::found;

/// The balance that the bank reported, in the ledger's sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// The day at the end of which it holds.
    pub date: Date,
    /// The amount in the account's currency.
    pub amount: i64,
    /// Whether the account has nothing but cash, so that the balance follows from its entries.
    pub is_cash: bool,
}

/// Whether a reported balance is another than the ledger's. It isn't if a later one is known, or if
/// a person has stated the balance of the day.
pub(super) fn is_news(tx: &mut FamilyTx<'_>, account: AccountId, balance: Balance) -> Result<bool> {
    let Balance { date, amount, .. } = balance;
    let found = facts::around(tx, account, date)?;
    let Some(anchor) = found.anchor else { return Ok(!found.stated_by_person) };
    if anchor.date > date
        || found.stated_by_person
        || (anchor.date, anchor.amount) == (date, amount)
    {
        return Ok(false);
    }
    Ok(balances::worth_at_end_of(tx, account, date)? != Some(amount))
}

/// Keeps the balance that the bank reported, with what it has more than the ledger comes to by
/// itself. Before the first balance there is nothing to compare.
pub(super) fn observe(tx: &mut FamilyTx<'_>, account: AccountId, balance: Balance) -> Result<()> {
    let Balance { date, amount, is_cash } = balance;
    let is_first = facts::around(tx, account, date)?.anchor.is_none();
    let drift = match is_cash && !is_first {
        true => amount.checked_sub(balances::at_end_of(tx, account, date)?),
        false => None,
    };
    found::observe(tx, account, (date, amount), drift)
}
