//! `purser rates import` and `purser prices import`: tables of rates and prices, over the calls
//! that the API makes.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::feeds::tables;
use purser_app::rates::own::{self, Imported};
use purser_app::{Access, Store, calendar, prices};
use purser_core::error::{Error, Result};
use purser_formats::feeds::BYTES_MAX;
use serde_json::json;

use super::family::FamilyChoice;
use super::{Globals, open_existing, output};

/// The arguments of `purser rates`
#[derive(Debug, clap::Args)]
pub(crate) struct RatesArgs {
    #[command(subcommand)]
    command: RatesCommand,
}

#[derive(Debug, clap::Subcommand)]
enum RatesCommand {
    /// Take over the exchange rates of a file, all or none
    ///
    /// A CSV with the columns date, base, quote, rate: on the day, one unit of the base is worth so
    /// many of the quote. Or a file of the European Central Bank, as XML or CSV.
    Import(FileArgs),
}

/// The arguments of `purser prices`
#[derive(Debug, clap::Args)]
pub(crate) struct PricesArgs {
    #[command(subcommand)]
    command: PricesCommand,
}

#[derive(Debug, clap::Subcommand)]
enum PricesCommand {
    /// Take over the prices of a file, all or none
    ///
    /// A CSV with the columns date, ticker, price and, if it likes, currency and
    /// exchange_operating_mic. The securities must be there.
    Import(FileArgs),
}

/// The file, and the family that it is for.
#[derive(Debug, clap::Args)]
struct FileArgs {
    /// The file to read
    file: PathBuf,
    #[command(flatten)]
    family: FamilyChoice,
}

pub(super) fn run_rates(globals: &Globals, args: &RatesArgs) -> Result<()> {
    let RatesCommand::Import(args) = &args.command;
    let Data { store, .. } = open_existing(globals)?;
    let access =
        store.read_directory_blocking(|tx| args.family.find(tx))?.access(Actor::CommandLine);
    let rates = tables::rates(&read(&args.file)?, today(&store, &access)?)?;
    let imported = store.write_blocking(access.clone(), |tx| own::import(tx, &rates))?;
    show(globals, imported)
}

pub(super) fn run_prices(globals: &Globals, args: &PricesArgs) -> Result<()> {
    let PricesCommand::Import(args) = &args.command;
    let Data { store, .. } = open_existing(globals)?;
    let access =
        store.read_directory_blocking(|tx| args.family.find(tx))?.access(Actor::CommandLine);
    let rows = tables::prices(&read(&args.file)?, today(&store, &access)?)?;
    let imported = store.write_blocking(access.clone(), |tx| prices::import::import(tx, &rows))?;
    show(globals, imported)
}

fn today(store: &Store, access: &Access) -> Result<Date> {
    store.read_blocking(access.clone(), calendar::today)
}

/// The whole file; of one that is too large a byte more than is taken.
fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Error::invalid(format!("{}: {error}", path.display())))?;
    Ok(bytes)
}

fn show(globals: &Globals, imported: Imported) -> Result<()> {
    let Imported { added, changed, unchanged, kept } = imported;
    if globals.json {
        return output::json(&json!({
            "added": added, "changed": changed, "unchanged": unchanged, "kept": kept,
        }));
    }
    output::line(format!(
        "{added} new, {changed} changed, {unchanged} as before, {kept} left as a person said"
    ))
}
