//! Tags.

pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;
mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::TagId;

use crate::http::path::PathId;

impl PathId for TagId {
    const NOUN: &'static str = "Tag";
}
