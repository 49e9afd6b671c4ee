//! Exports of everything that a family has: requested, written by a job, removed after some days.

pub(crate) mod export_job;
mod journal;
mod tables;

use std::fs::File;
use std::io::Write;

use purser_core::error::{Error, Result};
use purser_core::export::ExportFormat;
use purser_core::ids::FamilyExportId;
use purser_formats::journal::Dialect;
use purser_store::family_exports;
use purser_store::files::{FileStore, file_get};
use purser_store::{FamilyTx, audit};
use serde_json::json;

use crate::imports::file_removal_job::RemoveFiles;
use crate::jobs::job::enqueue;
use export_job::ExportFamily;

pub use purser_store::family_exports::{FamilyExport, get, list};

/// Writes everything that a family has, and returns how many records or entries that is.
///
/// # Errors
/// Those of the output, and if an archive becomes larger than 4 GiB.
pub fn write(tx: &mut FamilyTx<'_>, format: ExportFormat, output: &mut dyn Write) -> Result<u64> {
    match format {
        ExportFormat::Ndjson => purser_store::export::write(tx, &mut |piece| {
            output.write_all(piece).map_err(tables::failed)
        }),
        ExportFormat::CsvZip => tables::write_archive(tx, output),
        ExportFormat::Hledger => journal::write_journal(tx, Dialect::Hledger, output),
        ExportFormat::Beancount => journal::write_journal(tx, Dialect::Beancount, output),
    }
}

/// Requests an export; one of the format that waits already is returned as it is.
pub fn request(tx: &mut FamilyTx<'_>, format: ExportFormat) -> Result<FamilyExport> {
    let (export, is_new) = family_exports::request(tx, format)?;
    if is_new {
        enqueue(tx, &ExportFamily { export_id: export.id })?;
        let event = audit::Event {
            actor: tx.actor(),
            action: "family.export",
            subject_kind: "export",
            subject_id: Some(export.id.0),
            details: json!({ "format": format.as_str() }),
        };
        audit::record(tx, &event)?;
    }
    Ok(export)
}

/// A file that can be downloaded.
pub struct Download {
    /// The file, at its beginning.
    pub file: File,
    /// The size of the file.
    pub bytes: u64,
    /// The name under which it is saved.
    pub name: String,
    /// What it is written as.
    pub format: ExportFormat,
}

/// The file of an export.
///
/// # Errors
/// `export_not_ready` if there is none yet, or none any more.
pub fn download(tx: &mut FamilyTx<'_>, files: &FileStore, id: FamilyExportId) -> Result<Download> {
    let export = get(tx, id)?;
    let record = export.file.map(|file| Ok::<_, Error>((file, file_get(tx, file)?))).transpose()?;
    let Some((file, Some(record))) = record else {
        return Err(Error::Conflict {
            code: "export_not_ready",
            message: format!("The export is {}: it has no file", export.status.as_str()),
        });
    };
    let content = files.read(tx.family(), file)?;
    let name = record.name.unwrap_or_else(|| "purser.ndjson".to_owned());
    Ok(Download { file: content, bytes: record.content.bytes, name, format: export.format })
}

/// Removes old exports of a family, and those beyond the newest few.
pub(crate) fn remove_old_of_family(tx: &mut FamilyTx<'_>) -> Result<()> {
    let files = family_exports::remove_old(tx)?;
    if !files.is_empty() {
        enqueue(tx, &RemoveFiles { files })?;
    }
    Ok(())
}
