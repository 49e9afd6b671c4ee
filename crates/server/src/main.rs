//! `purser`: a self-hosted personal-finance server in one binary.
//!
//! * [`api`]: JSON over HTTP. [`web`]: pages. [`edge`]: what stands between the socket and a
//!   handler.
//! * [`cli`]: the commands, which do the same as the API, over the same calls.
//! * [`config`], [`limits`]: what can be set, and what is fixed.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

mod api;
mod cli;
mod config;
mod demo_banks;
mod edge;
mod http;
mod limits;
mod router;
mod serve;
mod state;
mod telemetry;
#[cfg(test)]
mod testing;
mod web;
mod welcome;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser as _;
use mimalloc::MiMalloc;
use purser_core::error::{Error, texts};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    if let Err(error) = telemetry::start_log(&cli.globals.log, cli.log_filter()) {
        complain(&format!("purser: {error}\n"));
        return ExitCode::FAILURE;
    }
    match cli::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&shown(&error));
            cli::exit_code(&error)
        }
    }
}

/// Writes to standard error, if it can be written to: the exit code is left in any case.
fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// An error for the terminal, line by line: names that came with the data can't steer it.
fn shown(error: &Error) -> String {
    let text = format!("purser: {}", explain(error));
    text.lines().map(|line| format!("{}\n", cli::harmless(line))).collect()
}

/// Who runs the command owns the data: the private half of an error may be shown.
fn explain(error: &Error) -> String {
    match error {
        Error::Internal { cause } => cause.to_string(),
        Error::Unavailable { message, cause } => format!("{message} ({cause})"),
        Error::Invalid { problems: errors, .. } if errors.len() > 1 => texts(errors).join("; "),
        Error::WithDetails { source, .. } => explain(source),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_keep_their_lines_and_cannot_steer_the_terminal() {
        let error = Error::invalid("no account; there are: A\u{1b}[2J\u{7}\r\n  line 2: \u{9b}x");
        assert_eq!(shown(&error), "purser: no account; there are: A [2J \n  line 2:  x\n");
        let error = Error::internal("\u{1b}[31m");
        assert_eq!(shown(&error), "purser:  [31m\n");
    }
}
