//! The command line: one file per command.

pub(crate) mod serve;

use clap::{Parser, Subcommand};
use purser_core::error::Result;

use crate::config::{Log, Storage};

/// A self-hosted personal-finance server.
#[derive(Debug, Parser)]
#[command(name = "purser", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Globals {
    #[command(flatten)]
    pub(crate) storage: Storage,
    #[command(flatten)]
    pub(crate) log: Log,
    /// Print results as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server
    Serve(serve::Args),
}

/// Runs the command that was given.
pub(crate) fn run(cli: Cli) -> Result<()> {
    let globals = cli.globals;
    match cli.command {
        Command::Serve(args) => serve::run(&globals, args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
