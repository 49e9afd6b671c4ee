//! Money that is written as a trade but belongs to no security: a transaction, and if it comes from
//! another account of the family or goes there, a confirmed transfer.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::nature::Nature;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::transaction_values::TransactionValues;

use super::input;
use crate::access::FamilyTx;
use crate::accounts::AccountFacts;

use crate::transactions::{self, Transaction};
use crate::transfers;

/// The fields as they were sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CashInput {
    /// The transaction of the account for trades, with its direction.
    pub transaction: TransactionInput,
    /// The direction of the money in that account.
    pub nature: Nature,
    /// The other account of the family, if there is one.
    pub other_account: Option<String>,
}

/// Adds the transaction, and with another account the other side and their transfer. Returns
/// whether its external id was there before: then nothing changes.
pub fn create_cash(tx: &mut FamilyTx<'_>, cash: &CashInput) -> Result<(Transaction, bool)> {
    let mut problems = Problems::new();
    let account = match &cash.transaction.account {
        Some(text) => input::account(tx, "account_id", text, &mut problems)?,
        None => {
            problems.required("account_id");
            None
        }
    };
    let other = other_account(tx, cash, account.as_ref(), &mut problems)?;
    if let Some(AmountText::JsonNumber(text) | AmountText::Text(text)) =
        &cash.transaction.values.amount
        && (text.trim_start().starts_with('-') || is_zero(text))
    {
        problems.field("amount", "must be more than 0: the type is the direction of the money");
    }
    if cash.transaction.restore && other.is_some() {
        problems.field(
            "restore",
            "can't be sent with the transfer_account_id: the other side may be there still. \
             Restore this one, and make a transfer of both",
        );
    }
    problems.into_result()?;
    let (made, existed) = transactions::create(tx, &cash.transaction)?;
    if let (Some(other), false) = (other, existed) {
        let other = TransactionInput {
            account: Some(other.summary.id.to_string()),
            external_id: None,
            source: None,
            values: TransactionValues {
                nature: Some(cash.nature.opposite()),
                ..cash.transaction.values.clone()
            },
            ..cash.transaction.clone()
        };
        let (other, _) = transactions::create(tx, &other)?;
        let pair = match cash.nature {
            Nature::Income => (other.id, made.id),
            Nature::Expense => (made.id, other.id),
        };
        transfers::changes::create(tx, pair)?;
        return Ok((transactions::get(tx, made.id)?, false));
    }
    Ok((made, existed))
}

/// The account on the other side, which has to count in the same currency.
fn other_account(
    tx: &mut FamilyTx<'_>,
    cash: &CashInput,
    account: Option<&AccountFacts>,
    problems: &mut Problems,
) -> Result<Option<AccountFacts>> {
    let Some(text) = &cash.other_account else { return Ok(None) };
    let id = text.parse().ok();
    let found = id.map(|id| crate::accounts::known_by_id(tx, id)).transpose();
    let found = match found {
        Ok(found) => found.filter(|account| account.summary.status.is_visible()),
        Err(Error::NotFound { .. }) => None,
        Err(other) => return Err(other),
    };
    match (&found, account) {
        (None, _) => problems.push(Problem::unknown("transfer_account_id", "account")),
        (Some(other), Some(account)) if other.summary.id == account.summary.id => {
            problems.field("transfer_account_id", "must name another account");
        }
        (Some(other), Some(account)) if other.currency != account.currency => {
            problems.field(
                "transfer_account_id",
                "must name an account of the same currency: make both \
                 transactions and a transfer of them instead",
            );
        }
        _ => {}
    }
    Ok(found)
}

fn is_zero(text: &str) -> bool {
    rust_decimal::Decimal::from_str_exact(text.trim()).is_ok_and(|amount| amount.is_zero())
}
