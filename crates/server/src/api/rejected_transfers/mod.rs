//! Pairs that a person said are no transfer.

pub(super) mod list;
pub(super) mod remove;
pub(super) mod show;

use purser_core::ids::RejectedTransferId;

use crate::http::path::PathId;

impl PathId for RejectedTransferId {
    const NOUN: &'static str = "Rejected transfer";
}
