//! Transactions of an account.

use jiff::Timestamp;
use serde::Deserialize;

use crate::snapshot::{RowProblem, StatedCurrency, TransactionSnapshot, UnreadableRow};
use crate::wire::{Rows, Scalar, utc_day};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Row {
    id: Scalar,
    posted: Scalar,
    transacted_at: Scalar,
    amount: Scalar,
    description: Scalar,
    payee: Scalar,
    memo: Scalar,
    pending: Scalar,
}

/// Reads the rows; `as_of` is the day of pending ones that have none.
pub(super) fn read(
    rows: &Rows<'_>,
    currency: StatedCurrency,
    as_of: Option<Timestamp>,
) -> (Vec<TransactionSnapshot>, Vec<UnreadableRow>) {
    rows.read(|row| transaction(row, currency, as_of))
}

fn transaction(
    row: &Row,
    currency: StatedCurrency,
    as_of: Option<Timestamp>,
) -> Result<TransactionSnapshot, (RowProblem, Option<String>)> {
    let id = row.id.id().map_err(|()| (RowProblem::Id, None))?;
    let problem = |problem| (problem, id.clone());
    let amount = row.amount.decimal().ok_or_else(|| problem(RowProblem::Amount))?;
    let (posted, transacted) = (row.posted.epoch(), row.transacted_at.epoch());
    let pending = row.pending.flag() || posted.is_none();
    let moment = match pending {
        true => transacted.or(posted).or(as_of),
        false => posted,
    };
    let moment = moment.ok_or_else(|| problem(RowProblem::Date))?;
    if currency == StatedCurrency::Unknown {
        return Err(problem(RowProblem::Currency));
    }
    Ok(TransactionSnapshot {
        id,
        amount,
        currency,
        date: utc_day(moment),
        moment: Some(moment),
        payee: row.payee.label(),
        description: row.description.label().or_else(|| row.memo.label()),
        pending,
    })
}
