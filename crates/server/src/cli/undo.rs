//! `purser undo`: takes a published import back, whether or not the server runs.

use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::imports::local::Local;
use purser_app::imports::publish::Queued;
use purser_app::imports::rejection::Rejection;
use purser_app::imports::revert;
use purser_app::imports::{self, Import};
use purser_app::{Access, Store};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use serde_json::json;

use super::family::FamilyChoice;
use super::import::{is_server_running, progress_bar};
use super::{Globals, open_existing, output};
use crate::api::imports::RevertPreview;

/// The arguments of `purser undo`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The import, by the id that `purser imports` shows
    import: String,
    /// Only show what would happen
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    family: FamilyChoice,
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Data { store, files, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| args.family.find(tx))?;
    let access = family.access(Actor::CommandLine);
    // What is no id names no import.
    let id = args.import.parse().map_err(|_| Error::NotFound { what: "Import" })?;
    let preview = preview(&store, &access, id)?;
    let total = preview.survey.removed;
    let preview = RevertPreview::of(id, preview);
    if args.dry_run {
        return show_preview(globals, &preview);
    }
    let local = Local { store: &store, files: &files, access: access.clone() };
    let queued = store.write_blocking(access, |tx| revert::queue(tx, id))?;
    if let Queued::No(rejection) = queued {
        return Err(rejected(rejection));
    }
    let bar = progress_bar(total);
    let is_elsewhere = || {
        let elsewhere = is_server_running(globals, &store)?;
        bar.set_message(if elsewhere { "the server is undoing it" } else { "" });
        Ok(elsewhere)
    };
    let import = local.run(id, &is_elsewhere, &|rows| bar.set_position(rows));
    bar.finish_and_clear();
    show(globals, &import?, &preview)
}

fn preview(store: &Store, access: &Access, id: ImportId) -> Result<revert::Preview> {
    let preview = store.read_blocking(access.clone(), |tx| {
        let import = imports::get(tx, id)?;
        revert::preview(tx, &import)
    })?;
    preview.map_err(rejected)
}

fn rejected(rejection: Rejection) -> Error {
    Error::invalid_code(rejection.code, rejection.message)
}

fn show_preview(globals: &Globals, preview: &RevertPreview) -> Result<()> {
    if globals.json {
        return output::json(preview);
    }
    preview.lines().iter().try_for_each(output::line)
}

fn show(globals: &Globals, import: &Import, preview: &RevertPreview) -> Result<()> {
    if import.status == ImportStatus::RevertFailed {
        let sentence = import.error.clone().unwrap_or_default();
        return Err(Error::invalid_code("revert_failed", sentence));
    }
    if globals.json {
        return output::json(&json!({ "id": import.id, "status": import.status }));
    }
    let transactions = &preview.transactions;
    output::line(format!(
        "{} of the import were removed, {} kept (import {} is {})",
        counted(transactions.removed_count),
        transactions.kept_count,
        import.id,
        import.status.as_str()
    ))?;
    preview.notes.iter().try_for_each(output::line)
}

fn counted(transactions: u64) -> String {
    format!("{transactions} {}", if transactions == 1 { "transaction" } else { "transactions" })
}
