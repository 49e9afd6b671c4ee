//! `purser import`: a file into the ledger, whether or not the server runs.

mod folder;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use purser_app::audit::Actor;
use purser_app::data::Data;
use purser_app::imports::Import;
use purser_app::imports::local::Local;
use purser_app::imports::preview::Preview;
use purser_app::imports::publish::Queued;
use purser_app::imports::recognition::proposed_type;
use purser_app::imports::rejection::Rejection;
use purser_app::imports::request::Request;
use purser_app::imports::stated_directions::StatedDirections;
use purser_app::imports::upload::Upload;
use purser_app::{Access, Store, lock, naming};
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::AccountId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::status::ImportStatus;
use purser_core::secret::Secret;
use serde_json::json;

use super::dry_run::DryRun;
use super::family::FamilyChoice;
use super::output::{self, harmless};
use super::{Globals, open_existing};
use crate::config::Imports;

/// What to import, and how to read it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file: transactions of a bank, or what --type names; of a folder every file in it
    file: PathBuf,
    /// What the file holds: TransactionImport, TradeImport, AccountImport, CategoryImport,
    /// MerchantImport, RuleImport, MintImport, YnabImport, ActualImport, QifImport, PdfImport or
    /// NativeImport; without it the content shows it, else it is TransactionImport
    #[arg(long = "type", value_name = "TYPE")]
    import_type: Option<String>,
    /// Account that every row goes to, by name or id; without it the file's account column decides
    #[arg(long)]
    account: Option<String>,
    /// Only show what would happen
    #[arg(long)]
    dry_run: bool,
    /// Leave invalid rows out instead of refusing the file
    #[arg(long)]
    skip_invalid: bool,
    /// A setting of the API by its name, such as date_format=%d.%m.%Y or amount_col_label=Betrag;
    /// may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<(String, String)>,
    /// The line of a row of which only the direction is missing: its money went out; may be
    /// repeated
    #[arg(long, value_name = "LINE")]
    money_out: Vec<u64>,
    /// The same for money that came in
    #[arg(long, value_name = "LINE")]
    money_in: Vec<u64>,
    /// The password of a PDF document that is protected with one
    #[arg(long, env = "PURSER_DOCUMENT_PASSWORD", hide_env_values = true)]
    password: Option<Secret>,
    #[command(flatten)]
    family: FamilyChoice,
    #[command(flatten)]
    imports: Imports,
}

fn setting(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

pub(super) fn run(globals: &Globals, args: &Args) -> Result<()> {
    let Data { store, files, .. } = open_existing(globals)?;
    let family = store.read_directory_blocking(|tx| args.family.find(tx))?;
    let access = family.access(Actor::CommandLine);
    let account =
        args.account.as_deref().map(|text| named_account(&store, &access, text)).transpose()?;
    let local = Local { store: &store, files: &files, access };
    if args.file.is_dir() {
        return folder::import(globals, args, &local, account);
    }
    let import_type = proposed(args, &args.file)?;
    one(globals, args, &local, account, (&args.file, import_type))
}

/// Imports one file, or shows what would happen.
fn one(
    globals: &Globals,
    args: &Args,
    local: &Local<'_>,
    account: Option<AccountId>,
    (path, proposed): (&Path, Option<ImportType>),
) -> Result<()> {
    let mut file = open(path)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let request = request(args, account, proposed)?;
    let upload = local.read(request, &mut file, name, args.imports.max_csv_bytes)?;
    let preview = local.store.read_blocking(local.access.clone(), |tx| upload.preview(tx))?;
    if args.dry_run || preview.obstacle.is_some() {
        upload.discard();
    }
    if let Some(proposed) = proposed.filter(|_| !globals.json) {
        output::line(format!("This is what {} reads", proposed.as_str()))?;
    }
    if args.dry_run {
        return show_dry_run(globals, &preview);
    }
    if let Some(rejection) = &preview.obstacle {
        return Err(rejected(rejection));
    }
    let import = publish(globals, local, &upload)?;
    show(globals, &import)
}

fn open(path: &Path) -> Result<File> {
    File::open(path)
        .map_err(|error| Error::invalid(format!("can't open {}: {error}", path.display())))
}

/// The type that the content of a file shows, unless one was named. What comes through a pipe can
/// only be read once.
fn proposed(args: &Args, path: &Path) -> Result<Option<ImportType>> {
    if args.import_type.is_some() || !path.is_file() {
        return Ok(None);
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    proposed_type(open(path)?, name.as_deref())
}

fn request(
    args: &Args,
    account: Option<AccountId>,
    proposed: Option<ImportType>,
) -> Result<Request> {
    let mut fields: BTreeMap<String, String> = args.settings.iter().cloned().collect();
    fields.extend(account.map(|account| ("account_id".into(), account.to_string())));
    let import_type = args.import_type.clone().or(proposed.map(|it| it.as_str().to_owned()));
    fields.extend(import_type.map(|name| ("type".into(), name)));
    let password = args.password.as_ref().map(|password| password.reveal().to_owned());
    fields.extend(password.map(|password| ("password".into(), password)));
    fields.insert("skip_invalid".into(), args.skip_invalid.to_string());
    let directions = directions(args)?;
    Ok(Request { directions, ..Request::read(&fields, Problems::new())? })
}

/// Which way the money of single rows went.
fn directions(args: &Args) -> Result<StatedDirections> {
    let stated = |lines: &[u64], is_money_in| {
        lines.iter().map(|line| (*line, is_money_in)).collect::<StatedDirections>()
    };
    let mut all = stated(&args.money_out, false);
    for (line, is_money_in) in stated(&args.money_in, true) {
        if all.insert(line, is_money_in).is_some() {
            let both = format!("line {line} can't be both --money-out and --money-in");
            return Err(Error::invalid(both));
        }
    }
    if args.file.is_dir() && !all.is_empty() {
        return Err(Error::invalid("--money-out and --money-in name lines of one file"));
    }
    Ok(all)
}

fn named_account(store: &Store, access: &Access, text: &str) -> Result<AccountId> {
    store.read_blocking(access.clone(), |tx| Ok(naming::account(tx, text)?.summary.id))
}

/// Stores and publishes, here or in the server that runs on the same data.
fn publish(globals: &Globals, local: &Local<'_>, upload: &Upload) -> Result<Import> {
    let stored = local.store(upload)?;
    let id = stored.import.id;
    if let Queued::No(rejection) = local.queue(id)? {
        return Err(rejected(&rejection));
    }
    let bar = progress_bar(stored.import.rows);
    let is_elsewhere = || {
        let elsewhere = is_server_running(globals, local.store)?;
        bar.set_message(if elsewhere { "the server is publishing" } else { "" });
        Ok(elsewhere)
    };
    let import = local.run(id, &is_elsewhere, &|rows| bar.set_position(rows));
    bar.finish_and_clear();
    import
}

/// What stands in the way, and the lines that it is about.
fn rejected(rejection: &Rejection) -> Error {
    let lines: Vec<String> = std::iter::once(rejection.message.clone())
        .chain(rejection.errors.iter().map(|error| format!("  {}", harmless(&error.to_string()))))
        .collect();
    Error::invalid_code(rejection.code, lines.join("\n"))
}

/// On PostgreSQL this process is a node like any other, and claims the job itself.
pub(super) fn is_server_running(globals: &Globals, store: &Store) -> Result<bool> {
    let directory: &Path = &globals.storage.data_dir;
    Ok(store.is_sqlite() && lock::is_server_running(directory)?)
}

/// Hidden by itself when standard error is no terminal.
pub(super) fn progress_bar(rows: u64) -> ProgressBar {
    let bar = ProgressBar::new(rows);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} rows {msg}")
    {
        bar.set_style(style);
    }
    bar
}

fn show(globals: &Globals, import: &Import) -> Result<()> {
    if import.status == ImportStatus::Failed {
        let sentence = import.error.clone().unwrap_or_default();
        return Err(Error::invalid_code("import_failed", sentence));
    }
    if globals.json {
        output::json(&json!({
            "id": import.id,
            "status": import.status,
            "rows_count": import.rows,
            "created_count": import.created,
            "plan": import.plan,
        }))
    } else {
        let counts = import.plan.unwrap_or_default();
        let many = Kind::of(import.import_type).spec().many;
        let mut facts = vec![format!("{} {many} created", import.created)];
        for (count, what) in [
            (counts.change, "changed"),
            (counts.possible_duplicate, "of them perhaps there before"),
            (counts.matched(), "there already"),
            (counts.deleted_before, "deleted before"),
            (counts.invalid, "invalid rows left out"),
        ] {
            if count > 0 {
                facts.push(format!("{count} {what}"));
            }
        }
        output::line(format!("{} (import {})", facts.join(", "), import.id))
    }
}

fn show_dry_run(globals: &Globals, preview: &Preview) -> Result<()> {
    if globals.json {
        output::json(preview)?;
    } else {
        for line in DryRun(preview).to_string().lines() {
            output::line(line)?;
        }
    }
    let is_shown =
        |message: &String| preview.questions.iter().any(|question| question.problem == *message);
    match &preview.obstacle {
        None => Ok(()),
        Some(rejection) if is_shown(&rejection.message) && !globals.json => {
            let answered = "nothing can be imported before the questions are answered";
            Err(Error::invalid_code(rejection.code, answered))
        }
        Some(rejection) => Err(Error::invalid_code(rejection.code, rejection.message.clone())),
    }
}
