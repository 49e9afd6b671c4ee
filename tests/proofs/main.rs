//! Proofs: what the program promises when processes, disks, clocks and networks fail.
//!
//! Each proof has a short form, which is an ordinary test, and a long one, which
//! `cargo xtask prove NAME` runs; `docs/proofs.md` lists them. Each has a control: the same
//! comparison, against a defect that is planted on purpose, must find it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod clocks;
mod io_faults;
mod leases;
mod long_life;
mod nodes;
mod power_cuts;
mod promises;
mod record;
mod retries;
mod same_day;
mod shim;
mod syncs;
mod upgrades;
