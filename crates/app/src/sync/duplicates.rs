//! Pairs of transactions that may be one: what people decide about them. And pending ones that the
//! bank does not report any more.

use purser_core::error::Result;
use purser_core::ids::DuplicateId;
use purser_store::FamilyTx;
use purser_store::sync_suggestions;

use crate::transactions::{self, Transaction};
use crate::transfers::{self, Scope};

pub use purser_store::sync_suggestions::{Duplicate, DuplicateSide, dismiss, get, list};
pub use purser_store::sync_unreported::{Unreported, list as unreported};

/// The two are one transaction, which is the answer: the one that was there stays with everything
/// that people made of it, and is what the bank reports of the other one from now on.
pub fn merge(tx: &mut FamilyTx<'_>, id: DuplicateId) -> Result<Transaction> {
    let pair = sync_suggestions::merge(tx, id)?;
    let (one, other) = (pair.entry.date, pair.other.date);
    transfers::queue(tx, Scope::Around { first: one.min(other), last: one.max(other) })?;
    transactions::get(tx, pair.entry.id)
}
