//! Changes of single transactions by people, and what follows of them.
//!
//! Which pairs are transfers depends on all transactions around: where an amount or a day moves, or
//! a transaction goes, the matching looks again. Its job is queued in the same commit.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::split::PartInput;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_store::FamilyTx;
use purser_store::trades::{self, CashInput};
use purser_store::transactions::{self, RevisedTransaction};

use crate::transfers::{self, Scope};

pub use purser_store::transactions::{
    AmountBound, Booked, Category, Listing, Merchant, SEARCH_CHARS_MAX, Search, TAGS_MAX, Tag,
    Transaction, get, list, parts,
};

/// Changes fields of a transaction.
pub fn revise(
    tx: &mut FamilyTx<'_>,
    id: EntryId,
    values: &TransactionValues,
) -> Result<Transaction> {
    let RevisedTransaction { transaction, moved_from } = transactions::revise(tx, id, values)?;
    if let Some(before) = moved_from {
        enqueue_rematch(tx, before, transaction.date)?;
    }
    Ok(transaction)
}

/// Creates a transaction, unless one with its key exists; returns whether it did.
pub fn create(tx: &mut FamilyTx<'_>, new: &TransactionInput) -> Result<(Transaction, bool)> {
    let (transaction, existed) = transactions::create(tx, new)?;
    if !existed {
        enqueue_rematch(tx, transaction.date, transaction.date)?;
    }
    Ok((transaction, existed))
}

/// Creates a transaction that was written as a trade, perhaps with its other side.
pub fn create_cash(tx: &mut FamilyTx<'_>, cash: &CashInput) -> Result<(Transaction, bool)> {
    let (transaction, existed) = trades::create_cash(tx, cash)?;
    if !existed {
        enqueue_rematch(tx, transaction.date, transaction.date)?;
    }
    Ok((transaction, existed))
}

/// Splits a transaction into parts.
pub fn split(tx: &mut FamilyTx<'_>, id: EntryId, parts: &[PartInput]) -> Result<Transaction> {
    let whole = transactions::split(tx, id, parts)?;
    enqueue_rematch(tx, whole.date, whole.date)?;
    Ok(whole)
}

/// Puts a transaction together again.
pub fn unsplit(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Transaction> {
    let whole = transactions::unsplit(tx, id)?;
    enqueue_rematch(tx, whole.date, whole.date)?;
    Ok(whole)
}

/// Takes a transaction away. The same row of a file doesn't bring it back.
pub fn remove(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<()> {
    let date = transactions::remove(tx, id)?;
    enqueue_rematch(tx, date, date)
}

/// Looks at the whole months of the days before and after a change, and at those between, so that
/// many changes one after the other are one job.
fn enqueue_rematch(tx: &mut FamilyTx<'_>, before: Date, after: Date) -> Result<()> {
    let first = before.min(after).first_of_month();
    let last = before.max(after).last_of_month();
    transfers::queue(tx, Scope::Around { first, last }).map(drop)
}
