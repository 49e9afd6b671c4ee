//! Valuations: what an account was worth at the end of a day.

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

/// The entry that a path names as a valuation.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValuationId(EntryId);

impl From<Uuid> for ValuationId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

impl PathId for ValuationId {
    const NOUN: &'static str = "Valuation";
}
