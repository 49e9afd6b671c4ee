//! Exports of everything that a family has: requested, written by a job, removed after some days.

pub(crate) mod export_job;
mod journal;
mod tables;

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};

use purser_core::error::{Error, Result};
use purser_core::export::ExportFormat;
use purser_core::ids::FamilyExportId;
use purser_formats::journal::Dialect;
use purser_store::family_exports;
use purser_store::files::{FileStore, file_get, io_failed};
use purser_store::{Access, FamilyTx, Store, accounts, audit};
use serde_json::json;

use crate::imports::file_removal_job::RemoveFiles;
use crate::jobs::job::enqueue;
use crate::limits::{
    COPIED_BYTES_PER_TRANSACTION_MAX, COPIED_EXPORT_TRANSACTIONS_MIN, TEMPORARY_EXPORT_ROOM,
};
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

/// As [`write()`], in one snapshot. A large export of a SQLite database is read from a copy of it,
/// if the family has much of what is to be copied: its log would grow meanwhile. Blocks.
pub fn write_family(
    store: &Store,
    access: &Access,
    format: ExportFormat,
    output: &mut dyn Write,
) -> Result<u64> {
    match copy_for(store, access)? {
        Some(copy) => read_copy((store, &copy), access, format, output),
        None => read_family(store, access, format, output),
    }
}

/// As [`write_family`], for an output that may be slow: of a SQLite database nothing waits for it,
/// so the export reads a copy of the database, or is in a temporary file beside the uploaded ones
/// first. Where neither is possible, its log grows until the export ends. Blocks.
pub fn stream_family(
    (store, files): (&Store, &FileStore),
    access: &Access,
    format: ExportFormat,
    output: &mut dyn Write,
) -> Result<u64> {
    if let Some(copy) = copy_for(store, access)? {
        return read_copy((store, &copy), access, format, output);
    }
    if !store.is_sqlite() {
        return read_family(store, access, format, output);
    }
    match write_unnamed((store, files), access, format) {
        Ok((mut file, records)) => {
            io::copy(&mut file, output).and_then(|_| output.flush()).map_err(tables::failed)?;
            Ok(records)
        }
        // Nothing of it was written to the output.
        Err(error @ Error::Unavailable { .. }) => {
            tracing::warn!(
                cause = ?error,
                "the export can't be in a temporary file: while it is written, the log of the \
                 database grows"
            );
            read_family(store, access, format, output)
        }
        Err(error) => Err(error),
    }
}

/// The export in a temporary file, at its beginning.
fn write_unnamed(
    (store, files): (&Store, &FileStore),
    access: &Access,
    format: ExportFormat,
) -> Result<(File, u64)> {
    if files.free_bytes()? < TEMPORARY_EXPORT_ROOM {
        return Err(io_failed(io::ErrorKind::StorageFull.into()));
    }
    let mut file = BufWriter::new(files.unnamed()?);
    let records = read_family(store, access, format, &mut file)?;
    let mut file = file.into_inner().map_err(|error| io_failed(error.into_error()))?;
    file.rewind().map_err(io_failed)?;
    Ok((file, records))
}

/// Reads a copy of the store.
fn read_copy(
    (store, copy): (&Store, &Store),
    access: &Access,
    format: ExportFormat,
    output: &mut dyn Write,
) -> Result<u64> {
    read_family(copy, access, format, output).map_err(|error| {
        store.confirm(error, |store| read_family(store, access, format, &mut io::sink()).map(drop))
    })
}

fn read_family(
    store: &Store,
    access: &Access,
    format: ExportFormat,
    output: &mut dyn Write,
) -> Result<u64> {
    store.read_blocking(access.clone(), |tx| {
        let records = write(tx, format, output)?;
        output.flush().map_err(tables::failed)?;
        Ok(records)
    })
}

/// A copy of the database, if the export is worth one.
fn copy_for(store: &Store, access: &Access) -> Result<Option<Store>> {
    let counts = store.read_blocking(access.clone(), accounts::transaction_counts)?;
    let bytes_max = copied_bytes_max(counts.values().sum());
    Ok(bytes_max.and_then(|bytes_max| store.copy_for_long_reads(bytes_max)))
}

/// How large a database may be that is copied for so many transactions, if it is at all.
fn copied_bytes_max(transactions: u64) -> Option<u64> {
    let is_long = transactions >= COPIED_EXPORT_TRANSACTIONS_MIN;
    is_long.then(|| transactions.saturating_mul(COPIED_BYTES_PER_TRANSACTION_MAX))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_large_export_is_worth_a_copy_and_not_of_what_others_have() {
        assert_eq!(copied_bytes_max(0), None);
        assert_eq!(copied_bytes_max(COPIED_EXPORT_TRANSACTIONS_MIN - 1), None);
        assert_eq!(copied_bytes_max(1_000_000), Some(1_000_000 * 5 * 1024));
        assert_eq!(copied_bytes_max(u64::MAX), Some(u64::MAX));
    }
}
