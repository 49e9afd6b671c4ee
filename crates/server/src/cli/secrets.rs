//! `purser secrets`: the keys that encrypt the keys of bank-data providers.

use purser_app::data::Data;
use purser_app::secrets::rotation::{Rotated, rotate};
use purser_core::error::{Error, Result};
use serde_json::json;

use super::{Globals, family, open_existing, output};

/// The arguments of `purser secrets`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Encrypt every stored secret anew; may run beside the server
    ///
    /// Without PURSER_SECRET_KEY a new key is made in the data directory, and the one before stays
    /// there until the next rotation. With it put the new key in front of the old one, with a comma
    /// between them, on every node first; remove the old one afterwards.
    Rotate,
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    match args.command {
        Command::Rotate => run_rotation(globals),
    }
}

fn run_rotation(globals: &Globals) -> Result<()> {
    let Data { store, .. } = open_existing(globals)?;
    let Rotated { resealed, current, unreadable, unreached, is_key_new } =
        rotate(&store, &globals.storage.secret_keys()?, family::report_unreached)?;
    let unreached = usize::try_from(unreached).map_err(Error::internal)?;
    if globals.json {
        output::json(&json!({
            "resealed": resealed, "current": current, "unreadable": unreadable,
            "unreached_families": unreached, "new_key": is_key_new,
        }))?;
        return family::require_all_reached(unreached);
    }
    let new = if is_key_new { "There is a new key. " } else { "" };
    output::line(format!("{new}Encrypted anew: {resealed}, encrypted with it before: {current}"))?;
    if unreadable > 0 {
        output::line(format!(
            "{unreadable} can't be decrypted with any key: enter those keys of providers again"
        ))?;
    }
    family::require_all_reached(unreached)
}
