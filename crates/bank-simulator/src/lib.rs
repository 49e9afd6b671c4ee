//! A world of banks that misbehave, behind the interfaces of bank-data providers.
//!
//! With it anyone can try bank connections without a subscription, and tests meet what real banks
//! do to their clients: ids that are blank or change, pending rows that are doubled or grow by a
//! tip, wrong totals, limits that are wrapped in other errors, bodies that end in the middle.
//!
//! * [`world`]: accounts and their histories; all of it follows from a seed and the day, so a run
//!   can be repeated.
//! * [`misbehaviour`]: what the banks ([`Quirk`]) and the network ([`Fault`]) do wrong.
//! * [`histories`]: what happens at banks, on the way to them and at home, for tests.
//! * `api`: the answers, in the forms of the providers.
//! * [`server`]: a small HTTP server that can also misbehave, which libraries don't.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

mod api;
pub mod histories;
pub mod misbehaviour;
pub mod server;
pub mod world;

pub use misbehaviour::{Fault, Quirk};
pub use server::Simulator;

/// The key that the simulated provider accepts.
pub const API_KEY: &str = "simulator-key";

/// The password in the access address that the setup token is exchanged for.
pub const SIMPLEFIN_PASSWORD: &str = "p@ss:word";
