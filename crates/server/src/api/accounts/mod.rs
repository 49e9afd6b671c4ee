//! Accounts.

pub(super) mod create;
pub(super) mod list;
pub(crate) mod shape;
pub(super) mod show;
