//! The command line: one file per command.
//!
//! Commands work on the data itself, beside a server that runs on it or without one. Results go to
//! standard output, as text or with `--json` as one document; errors go to standard error.

mod account;
mod backup;
mod check;
mod distribute;
mod dry_run;
mod export;
mod family;
mod family_settings;
mod files;
mod import;
mod imports;
mod jobs;
mod key;
mod output;
mod password;
mod providers;
mod read_pdf;
mod removal;
mod secrets;
pub(crate) mod serve;
mod statements;
mod tables;
mod undo;
mod user;

use clap::{Parser, Subcommand};
use purser_app::data::{Data, Location};
use purser_app::imports::pdf_process::READ_PDF_COMMAND;
use purser_app::imports::pdf_scans::RECOGNISE_COMMAND;
use purser_core::error::{Error, Result};

use crate::config::{Log, Storage};
pub(crate) use output::{exit_code, harmless};

/// A self-hosted personal-finance server.
#[derive(Debug, Parser)]
#[command(name = "purser", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// The default log filter. Commands print what they did, so only the server logs more than
    /// warnings.
    pub(crate) fn log_filter(&self) -> &'static str {
        if matches!(self.command, Command::Serve(_)) { "info" } else { "warn" }
    }
}

/// What every command takes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Globals {
    // First, or it would stand under the heading of the groups.
    /// Print results as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) storage: Storage,
    #[command(flatten)]
    pub(crate) log: Log,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server until it is stopped
    Serve(Box<serve::Args>),
    /// Import a file of a bank
    Import(import::Args),
    /// List imports, the newest first
    Imports(imports::Args),
    /// List bank statements of published files, with what the ledger has and what is missing
    Statements(statements::Args),
    /// Undo an import that was published
    Undo(undo::Args),
    /// Write everything that a family has to a file
    Export(export::Args),
    /// Manage families and users
    User(user::Args),
    /// Show or change what a family has set
    Family(family_settings::Args),
    /// Manage API keys of users
    Key(key::Args),
    /// Manage accounts of a family
    Account(account::Args),
    /// Exchange rates that a family states itself
    Rates(tables::RatesArgs),
    /// Prices of securities, by hand and from files
    Prices(tables::PricesArgs),
    /// List the providers of bank data that connections can be made to
    Providers,
    /// List work in the background, or try it again
    Jobs(jobs::Args),
    /// Write everything to one file, while the server runs or not; or verify such a file
    ///
    /// The file has the database and the uploaded files, compressed, and can be restored into
    /// SQLite and into PostgreSQL.
    Backup(backup::BackupArgs),
    /// Restore what `purser backup` has written; no server may run
    Restore(backup::RestoreArgs),
    /// Spread families over the machines of a PostgreSQL with Citus; once, while no server runs
    ///
    /// Everything happens in one transaction, on a database that is empty or in use.
    Distribute,
    /// Where uploaded files are
    Files(files::Args),
    /// The keys that encrypt secrets of families
    Secrets(secrets::Args),
    /// Verify that the data is whole; changes nothing, and may run beside the server
    ///
    /// Compares balances and counters with the entries, states of imports with jobs, and files
    /// with what was stored. Ends with 1 if anything is wrong.
    Check,
    /// Read one PDF document; the server starts it, nobody else
    #[command(name = READ_PDF_COMMAND, hide = true)]
    ReadPdf(read_pdf::Args),
    #[command(name = RECOGNISE_COMMAND, hide = true)]
    Recognise(read_pdf::Recognition),
}

/// Runs the command that was given.
pub(crate) fn run(cli: Cli) -> Result<()> {
    let globals = cli.globals;
    match cli.command {
        Command::Serve(args) => serve::run(&globals, *args),
        Command::Import(args) => import::run(&globals, &args),
        Command::Imports(args) => imports::run(&globals, &args),
        Command::Statements(args) => statements::run(&globals, &args),
        Command::Undo(args) => undo::run(&globals, &args),
        Command::Export(args) => export::run(&globals, &args),
        Command::User(args) => user::run(&globals, args),
        Command::Family(args) => family_settings::run(&globals, &args),
        Command::Key(args) => key::run(&globals, args),
        Command::Account(args) => account::run(&globals, args),
        Command::Rates(args) => tables::run_rates(&globals, &args),
        Command::Prices(args) => tables::run_prices(&globals, &args),
        Command::Providers => providers::run(&globals),
        Command::Jobs(args) => jobs::run(&globals, &args),
        Command::Backup(args) => backup::run(&globals, &args),
        Command::Restore(args) => backup::restore(&globals, &args),
        Command::Distribute => distribute::run(&globals),
        Command::Files(args) => files::run(&globals, &args),
        Command::Secrets(args) => secrets::run(&globals, &args),
        Command::Check => check::run(&globals),
        Command::ReadPdf(args) => read_pdf::run(&args),
        Command::Recognise(args) => read_pdf::recognise(&args),
    }
}

/// Opens data that is there already: a mistyped folder is an error and not an empty database.
fn open_existing(globals: &Globals) -> Result<Data> {
    Data::open(&existing(globals)?)
}

/// Where data is that is there already.
fn existing(globals: &Globals) -> Result<Location> {
    let location = globals.storage.location()?;
    if location.database_url.is_none() && !location.data_dir.is_dir() {
        return Err(Error::Conflict {
            code: "no_data",
            message: format!(
                "There is no data in {}: give the folder with --data-dir, or begin with `purser \
                 user add`",
                location.data_dir.display()
            ),
        });
    }
    Ok(location)
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
