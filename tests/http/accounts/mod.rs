//! Accounts over HTTP: made, listed, shown, and the balances that follow from their entries.

mod balances;
mod create;
mod histories;
mod limits;
mod list;
mod shape;
mod zones;
