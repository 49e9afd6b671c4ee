//! Prices of securities that people, files, providers and the feed stated.

pub(super) mod create;
pub(super) mod import;
mod input;
pub(super) mod list;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::PriceId;

use crate::http::path::PathId;

impl PathId for PriceId {
    const NOUN: &'static str = "Security price";
}
