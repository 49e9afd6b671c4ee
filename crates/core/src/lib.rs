//! The domain of Purser, without a database, a clock, a network or a float.
//!
//! * [`money`]: currencies, exact amounts, and how amounts are shown.
//! * [`text`]: how people and banks write numbers and dates, read strictly.
//! * [`budgets`]: what a month may cost, and what it did.
//! * [`family`]: what a family sets for its members.
//! * [`labels`]: categories, tags and merchants as somebody writes them.
//! * [`ledger`]: accounts, entries, valuations and daily balances.
//! * [`connection`]: states of connections to bank-data providers, and how they are described.
//! * [`import`]: what an import is configured with, what it found, and the plan it leads to.
//! * [`months`]: months that begin on a day of the family's choice.
//! * [`plan`]: the list of changes, with reasons, that every import, sync and edit becomes.
//! * [`rates`]: what one currency is worth in another on a day, and who says so.
//! * [`rules`]: conditions on transactions, and what becomes of those that meet them.
//! * [`recurring`]: transactions that come every month.
//! * [`transfers`]: which entries are two sides of money between the family's own accounts.
//!
//! Everything here is a value or a function of its arguments. What depends on "now" takes it as
//! an argument; ids come from an [`ids::IdGenerator`] that the program owns.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod budgets;
pub mod connection;
pub mod error;
pub mod family;
pub mod ids;
pub mod import;
pub mod labels;
pub mod ledger;
pub mod limits;
pub mod money;
pub mod months;
pub mod periods;
pub mod plan;
pub mod rates;
pub mod recurring;
pub mod rules;
pub mod text;
pub mod transfers;
