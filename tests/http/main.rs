//! The program from outside, over HTTP: one file for each noun of the interface, each test on
//! both databases.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod edge;
