//! Changing accounts.

use purser_core::error::Result;
use purser_core::ids::{AccountId, UserId};
use purser_core::ledger::account_values::{AccountValues, unknown_owner};
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::money::Money;
use serde_json::json;

use super::{Account, get};
use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{statements, vals};
use crate::ledger::{Event, Executor};
use crate::valuations;

statements! {
    /// Whether the family has a user.
    OWNER_EXISTS = "SELECT 1 FROM users WHERE family_id = $1 AND id = $2";
}

/// Changes an account; balances are right in the same commit.
pub fn revise(tx: &mut FamilyTx<'_>, id: AccountId, input: &AccountValues) -> Result<Account> {
    let actor = tx.actor();
    let before = super::kept(tx, id)?;
    let today = calendar::today(tx)?;
    let values = input.check(before.currency, today)?;
    let sets_balance = input.sets_balance(Money::new(before.balance, before.currency))?;
    if let Some(Some(owner)) = values.owner {
        require_user(tx, owner)?;
    }
    let mut executor = Executor::begin(tx, 2)?;
    executor.revise_account(tx, id, &values, today)?;
    let details = json!({ "before": image(&before), "after": {
        "name": values.name, "subtype": values.subtype, "status": values.status,
        "owner": values.owner, "institution_name": values.institution_name,
        "institution_domain": values.institution_domain, "notes": values.notes,
        "cost_method": values.cost_method,
        "opening_amount": values.opening_amount, "opening_date": values.opening_date,
        "current_amount": values.current_amount } });
    executor.finish(
        tx,
        Event {
            actor,
            action: "account.revise",
            subject_kind: "account",
            subject_id: id.0,
            details,
        },
    )?;
    if sets_balance {
        let (amount, date) = (input.balance.clone(), Some(today.to_string()));
        let values = ValuationValues { amount, date, ..ValuationValues::default() };
        valuations::set(tx, &ValuationInput { account: id, values })?;
    }
    get(tx, id)
}

/// An owner is one of the family's people.
pub(crate) fn require_user(tx: &mut FamilyTx<'_>, owner: UserId) -> Result<()> {
    let family = tx.family();
    tx.query_opt(&OWNER_EXISTS, vals![family, owner], |_| Ok(()))?
        .ok_or_else(|| unknown_owner().into())
}

fn image(account: &Account) -> serde_json::Value {
    json!({
        "name": account.summary.name, "subtype": account.subtype,
        "status": account.summary.status, "owner": account.owner,
        "institution_name": account.institution_name,
        "institution_domain": account.institution_domain, "notes": account.notes,
        "cost_method": account.cost_method,
        "balance": account.balance,
    })
}
