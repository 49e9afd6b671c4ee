//! `purser`: a self-hosted personal-finance server in one binary.
//!
//! * [`api`]: JSON over HTTP. [`edge`]: what stands between the socket and a handler.
//! * [`cli`]: the commands, which do the same as the API, over the same calls.
//! * [`config`], [`limits`]: what can be set, and what is fixed.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

mod api;
mod blocking;
mod cli;
mod config;
mod data;
mod demo;
mod edge;
mod imports;
mod jobs;
mod keys;
mod limits;
mod passwords;
mod serve;
mod state;
mod telemetry;
#[cfg(test)]
mod testing;

use std::process::ExitCode;

use clap::Parser as _;
use purser_core::error::Error;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    if let Err(error) = telemetry::start_log(&cli.globals.log, cli.log_filter()) {
        eprintln!("purser: {error}");
        return ExitCode::FAILURE;
    }
    match cli::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("purser: {}", explain(&error));
            cli::exit_code(&error)
        }
    }
}

/// Who runs the command owns the data: the private half of an error may be shown.
fn explain(error: &Error) -> String {
    match error {
        Error::Internal { cause } => cause.to_string(),
        Error::Unavailable { message, cause } => format!("{message} ({cause})"),
        Error::Invalid { errors, .. } if errors.len() > 1 => errors.join("; "),
        Error::WithDetails { source, .. } => explain(source),
        other => other.to_string(),
    }
}
