//! Transactions.

pub(super) mod create;
mod filter;
mod input;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod split;
pub(super) mod update;

use purser_core::ids::EntryId;
use uuid::Uuid;

use crate::http::path::PathId;

/// The entry that a path names as a transaction.
#[derive(Debug, Clone, Copy)]
pub(super) struct TransactionId(EntryId);

impl From<Uuid> for TransactionId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

impl PathId for TransactionId {
    const NOUN: &'static str = "Transaction";
}
