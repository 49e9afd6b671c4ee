//! The domain of Purser, without a database, a clock, a network or a float.
//!
//! * [`money`]: currencies, exact amounts, and how amounts are shown.
//! * [`text`]: how people and banks write numbers and dates, read strictly.
//! * [`ledger`]: accounts, entries, valuations and daily balances.
//! * [`connection`]: states of connections to bank-data providers, and how they are described.
//! * [`import`]: what an import is configured with, what it found, and the plan it leads to.
//! * [`plan`]: the list of changes, with reasons, that every import, sync and edit becomes.
//! * [`transfers`]: which entries are two sides of money between the family's own accounts.
//!
//! Everything here is a value or a function of its arguments. What depends on "now" takes it as
//! an argument; ids come from an [`ids::IdGenerator`] that the program owns.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod connection;
pub mod error;
pub mod ids;
pub mod import;
pub mod ledger;
pub mod limits;
pub mod money;
pub mod plan;
pub mod text;
pub mod transfers;
