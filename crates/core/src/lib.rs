//! The domain of Purser, without a database, a clock, a network or a float.
//!
//! * [`money`]: currencies, exact amounts, and how amounts are shown.
//! * [`text`]: how people and banks write numbers and dates, read strictly.
//! * [`budgets`]: the planned spending of a month, compared with what was spent.
//! * [`family`]: settings of a family.
//! * [`guessing`]: the pace at which passwords may be guessed.
//! * [`labels`]: categories, tags and merchants as they are sent.
//! * [`ledger`]: accounts, entries, valuations and daily balances.
//! * [`connection`]: states of connections to bank-data providers, and how they are described.
//! * [`import`]: the settings of an import, what was found in its file, and what its rows mean.
//! * [`months`]: months that begin on a day of the family's choice.
//! * [`plan`]: the list of changes that every import, sync, edit and undo becomes.
//! * [`rates`]: what one currency is worth in another on a day, and the source of that.
//! * [`rules`]: conditions on transactions, and actions for those that meet them.
//! * [`recurring`]: transactions that come every month.
//! * [`secret`]: text that must not be printed.
//! * [`sync`]: what the answer of a bank means for what is known of its account.
//! * [`transfers`]: entries that are the two sides of money between accounts of the family.
//!
//! Everything here is a value or a function of its arguments. What depends on "now" takes it as an
//! argument; ids come from an [`ids::IdGenerator`] that the program owns.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod bank_statement;
pub mod budgets;
pub mod connection;
pub mod error;
pub mod export;
pub mod family;
pub mod guessing;
pub mod ids;
pub mod import;
pub mod labels;
pub mod ledger;
pub mod limits;
pub mod money;
pub mod months;
pub mod named;
pub mod periods;
pub mod plan;
pub mod rates;
pub mod recurring;
pub mod rules;
pub mod secret;
pub mod sync;
pub mod text;
pub mod transfers;
pub mod webhook;
