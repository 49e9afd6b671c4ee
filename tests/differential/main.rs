//! Random ledgers, written as journals of other programs: what they make of them must be what we
//! make of them, to the last digit.
//!
//! Beancount books lots by "FIFO" and "LIFO", short positions included; hledger adds up shares and
//! money. Each program is started once for many ledgers, because a start costs a second. The
//! ledgers are random, but the same in each run. The programs must be there: a test that can't run
//! one fails.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

mod beancount;
mod hledger;
mod random;

use std::path::PathBuf;
use std::process::Command;

/// The program that a variable names.
fn program(variable: &str, what: &str) -> Command {
    let path = std::env::var_os(variable).unwrap_or_else(|| {
        panic!("{variable} must be the path of {what}: run the tests with cargo xtask test")
    });
    Command::new(path)
}

/// Writes a journal where only one test does.
fn write(name: &str, journal: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, journal).unwrap();
    path
}

/// What a program printed, which must have succeeded.
fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {errors}");
    String::from_utf8(done.stdout).unwrap()
}
