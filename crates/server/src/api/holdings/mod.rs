//! Holdings.

mod converted;
pub(super) mod list;
pub(super) mod shape;
pub(super) mod show;
pub(super) mod update;
