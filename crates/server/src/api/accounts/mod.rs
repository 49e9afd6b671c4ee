//! Accounts.

pub(super) mod create;
pub(super) mod list;
pub(super) mod shape;
pub(super) mod show;
