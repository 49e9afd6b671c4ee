//! Connections to bank-data providers.

pub(super) mod list;
mod shape;
