//! Accounts.

pub(super) mod create;
pub(super) mod list;
pub(super) mod remove;
pub(crate) mod shape;
pub(super) mod show;
pub(super) mod update;
