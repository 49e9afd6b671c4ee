//! Securities: what is traded.

pub(super) mod create;
mod input;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::SecurityId;

use crate::http::path::PathId;

impl PathId for SecurityId {
    const NOUN: &'static str = "Security";
}
