//! Merchants.

pub(super) mod create;
mod csv;
pub(super) mod list;
pub(super) mod merge;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::MerchantId;

use crate::http::path::PathId;

impl PathId for MerchantId {
    const NOUN: &'static str = "Merchant";
}
