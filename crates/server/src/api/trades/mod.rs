//! Trades: securities that were bought, sold, split or moved, and what they paid.

mod cash;
pub(super) mod create;
mod input;
pub(super) mod list;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::EntryId;
use uuid::Uuid;

use crate::http::path::PathId;

/// The entry that a path names as a trade.
#[derive(Debug, Clone, Copy)]
pub(super) struct TradeId(EntryId);

impl From<Uuid> for TradeId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

impl PathId for TradeId {
    const NOUN: &'static str = "Trade";
}
