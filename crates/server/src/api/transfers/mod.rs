//! Transfers between the family's own accounts.

pub(super) mod create;
pub(super) mod list;
pub(super) mod matching;
pub(super) mod remove;
pub(crate) mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::TransferId;

use crate::http::path::PathId;

impl PathId for TransferId {
    const NOUN: &'static str = "Transfer";
}
