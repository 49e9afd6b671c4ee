//! Categories, in two levels.

pub(super) mod bootstrap;
pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod update;

use purser_core::ids::CategoryId;

use crate::http::path::PathId;

impl PathId for CategoryId {
    const NOUN: &'static str = "Category";
}
