//! Exchange rates that the family states, and which rate counts on a day.

pub(super) mod create;
pub(super) mod import;
pub(super) mod list;
pub(super) mod lookup;
pub(super) mod remove;
mod shape;
pub(super) mod show;

use purser_core::ids::RateId;

use crate::http::path::PathId;

impl PathId for RateId {
    const NOUN: &'static str = "Exchange rate";
}
