//! The balance that a bank reports, and whether it is another than the ledger's.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::ledger::entry::ValuationKind;
use purser_core::plan::{Change, Target, ValuationDraft};

use super::execution::Progress;
use super::facts;
use super::images::Image;
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
/// itself from the balance before: the bank's, or what people and files state of an account that
/// the family had already. Without any there is nothing to compare.
pub(super) fn observe(tx: &mut FamilyTx<'_>, account: AccountId, balance: Balance) -> Result<()> {
    let Balance { date, amount, is_cash } = balance;
    let is_known = facts::around(tx, account, date)?.anchor.is_some()
        || facts::has_balance(tx, account, date)?;
    let drift = match is_cash && is_known {
        true => amount.checked_sub(balances::at_end_of(tx, account, date)?),
        false => None,
    };
    found::observe(tx, account, (date, amount), drift)
}

impl Progress<'_> {
    /// Sets the reported balance, unless the ledger comes to the same with what was changed.
    ///
    /// What the ledger doesn't explain lies after the last day for which the bank reported what the
    /// ledger had. That balance wasn't written then, so it is written now.
    pub(super) fn set_balance(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Some(balance) = self.execution.balance else { return Ok(()) };
        let account = self.execution.of.account;
        self.executor.settle(tx)?;
        if !is_news(tx, account, balance)? {
            return observe(tx, account, balance);
        }
        if let Some((date, amount)) = found::observed(tx, account)?
            && date < balance.date
        {
            let around = facts::around(tx, account, date)?;
            let is_later = around.anchor.is_some_and(|anchor| anchor.date < date);
            if is_later && !around.stated_by_person {
                self.set_anchor(tx, date, amount)?;
                self.executor.settle(tx)?;
            }
        }
        observe(tx, account, balance)?;
        self.set_anchor(tx, balance.date, balance.amount)
    }

    /// The bank's balance at the end of a day; the one before stays as a waypoint.
    fn set_anchor(&mut self, tx: &mut FamilyTx<'_>, date: Date, amount: i64) -> Result<()> {
        let account = self.execution.of.account;
        let found = facts::around(tx, account, date)?;
        let same_day = found.anchor.filter(|anchor| anchor.date == date);
        let draft = ValuationDraft {
            account: Target::Existing(account.0),
            date,
            amount,
            kind: ValuationKind::CurrentAnchor,
            notes: None,
        };
        let entry = self.executor.apply(tx, &Change::SetValuation(draft))?.entry;
        let anchor = found.anchor.filter(|anchor| anchor.date != date);
        self.images.push(Image::Valued {
            entry,
            amount,
            replaced: same_day.map(|anchor| anchor.amount),
            anchor: anchor.map(|anchor| (anchor.date, anchor.amount)),
        });
        Ok(())
    }
}
