//! Clients of services that report accounts of banks.
//!
//! * [`provider`]: the interface: four calls for one connection.
//! * [`snapshot`]: what the calls return, in exact decimals, with one sign for all providers.
//! * [`registry`]: which providers there are, and how a connection to each is opened.
//! * [`error`]: classes of failures; their sentences are fixed and quote nothing of an answer.
//! * [`client`]: the requests: permitted hosts, limits, pace, further tries, raw log lines.
//! * [`window`]: days to ask for, and what becomes of an answer that isn't whole.
//! * `lunchflow`, `simplefin`: one folder for each provider, with the forms of its answers.
//! * `wire`: reading JSON of which the types can't be relied on.
//!
//! Nothing here knows a database. What decides (classes of errors, pauses, windows, the reading of
//! bodies) is a function of its arguments; the clock and chance come in through
//! [`client::Environment`]. What becomes of a snapshot is for the sync to decide.
//! `docs/providers.md` has the design.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod client;
pub mod error;
mod lunchflow;
pub mod provider;
pub mod registry;
mod simplefin;
pub mod snapshot;
pub mod window;
mod wire;

pub use error::{Call, ErrorClass, ProviderError};
pub use provider::{Provider, Reply, TransactionRequest};
pub use registry::ProviderKind;

/// What a call returns, or why it failed.
pub type Result<T> = std::result::Result<T, ProviderError>;
