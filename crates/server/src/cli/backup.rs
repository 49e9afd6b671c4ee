//! `purser backup` and `purser restore`.

use std::path::PathBuf;

use purser_app::backup::{self, Created, Restored};
use purser_app::data::Data;
use purser_core::error::Result;
use purser_core::text::size::size;
use serde_json::json;

use super::{Globals, check, open_existing, output};

/// Where the backup is, or is to be.
#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    /// The file to write, which must not be there yet; with --verify one that is there
    file: PathBuf,
    /// Write nothing: restore the file into a temporary folder (of TMPDIR), and run every check
    #[arg(long)]
    verify: bool,
}

/// Which backup to restore.
#[derive(Debug, clap::Args)]
pub(crate) struct RestoreArgs {
    /// A file that `purser backup` has written
    file: PathBuf,
    /// Replace a database with families. On SQLite it is kept under another name, on PostgreSQL
    /// everything of Purser's in it is removed
    #[arg(long)]
    replace: bool,
}

pub(super) fn run(globals: &Globals, args: &BackupArgs) -> Result<()> {
    if args.verify {
        return verify(globals, args);
    }
    let Data { store, files, .. } = open_existing(globals)?;
    let created = backup::create(&store, &files, &args.file)?;
    if globals.json {
        return output::json(&created);
    }
    output::line(format!("{}: {}", args.file.display(), summary(&created)))?;
    for (files, what) in [
        (&created.missing_files, "is missing, and so it is in the backup"),
        (&created.altered_files, "was changed since it was uploaded; it is in the backup as it is"),
    ] {
        for file in files {
            output::line(format!("Warning: the uploaded file {} {what}", file.id))?;
        }
    }
    Ok(())
}

fn summary(created: &Created) -> String {
    let Created { rows, tables, files, bytes, .. } = created;
    format!("{rows} rows of {tables} tables and {files} files, {}", size(*bytes))
}

fn verify(globals: &Globals, args: &BackupArgs) -> Result<()> {
    let mut printer = check::Printer::new(globals);
    let (restored, outcomes) = backup::verify(&args.file, |outcome| printer.outcome(outcome))?;
    if !globals.json {
        output::line(restored_line(&restored))?;
    }
    printer.end(&outcomes)
}

/// Restores a backup to where the data is.
pub(super) fn restore(globals: &Globals, args: &RestoreArgs) -> Result<()> {
    let location = globals.storage.location()?;
    let restored = backup::restore(&location, &args.file, args.replace)?;
    if globals.json {
        return output::json(&json!({
            "database": restored.snapshot.database,
            "created_at": restored.snapshot.created_at.to_string(),
            "schema_version": restored.snapshot.schema_version,
            "rows": restored.rows,
            "files": restored.files,
        }));
    }
    output::line(restored_line(&restored))
}

fn restored_line(restored: &Restored) -> String {
    let Restored { snapshot, rows, files } = restored;
    let at = output::time(snapshot.created_at);
    format!("The database as it was at {at} is restored: {rows} rows and {files} files")
}
