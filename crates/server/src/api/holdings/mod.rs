//! Holdings.

mod shape;
pub(super) mod show;
