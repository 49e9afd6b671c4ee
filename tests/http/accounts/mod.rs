//! Accounts over HTTP: made, listed, shown, and the balances that follow from their entries.

mod balances;
mod change;
mod create;
mod daily;
mod histories;
mod limits;
mod list;
mod shape;
mod zones;

pub(crate) use balances::consistent;
