//! Transactions that come every month.

pub(super) mod create;
pub(super) mod detect;
mod input;
pub(super) mod list;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::RecurringId;

use crate::http::path::PathId;

impl PathId for RecurringId {
    const NOUN: &'static str = "Recurring transaction";
}
