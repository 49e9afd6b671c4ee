//! Exports of everything that a family has, as files that it can download for some days.
//!
//! An export is a row that waits for a job. The job writes the file and completes the row. While
//! one waits that hasn't begun, whoever requests another one gets it, so a family has few.
//!
//! Whoever sees only some accounts sees no export, because it has all of them.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::export::{ExportFormat, ExportStatus};
use purser_core::ids::{FamilyExportId, FileId};
use purser_core::limits::FAMILY_EXPORTS_KEPT_MAX;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::due::{self, Kind};
use crate::files::file_remove;

statements! {
    /// The number of exports.
    EXPORTS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM family_exports WHERE family_id = $1";
    /// A page of exports, newest first.
    EXPORTS_PAGE = "SELECT e.id, e.status, e.file_id, f.bytes, e.records_count, e.error,
            e.created_at, e.updated_at, e.completed_at, e.format
        FROM family_exports e
        LEFT JOIN files f ON f.family_id = $1 AND f.id = e.file_id
        WHERE e.family_id = $1 ORDER BY e.created_at DESC, e.id DESC LIMIT $2 OFFSET $3";
    /// The export with an id.
    EXPORT_BY_ID = "SELECT e.id, e.status, e.file_id, f.bytes, e.records_count, e.error,
            e.created_at, e.updated_at, e.completed_at, e.format
        FROM family_exports e
        LEFT JOIN files f ON f.family_id = $1 AND f.id = e.file_id
        WHERE e.family_id = $1 AND e.id = $2";
    /// An export of a format that no job has begun.
    EXPORT_WAITING = "SELECT id FROM family_exports
        WHERE family_id = $1 AND status = 'pending' AND format = $2
        ORDER BY created_at LIMIT 1";
    /// Inserts an export that waits.
    EXPORT_INSERT = "INSERT INTO family_exports (family_id, id, status, created_at, updated_at,
            format)
        VALUES ($1, $2, $3, $4, $4, $5)";
    /// The state of an export that hasn't ended, or that failed.
    EXPORT_SET = "UPDATE family_exports SET status = $1, error = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5 AND status <> 'completed'";
    /// The file is written.
    EXPORT_COMPLETE = "UPDATE family_exports SET status = $1, error = NULL, file_id = $2,
            records_count = $3, completed_at = $4, updated_at = $4
        WHERE family_id = $5 AND id = $6 AND status = $7";
    /// Exports that have ended, newest first.
    EXPORTS_ENDED = "SELECT id, file_id, updated_at FROM family_exports
        WHERE family_id = $1 AND status IN ('completed', 'failed')
        ORDER BY created_at DESC, id DESC";
    /// Removes the row of an export.
    EXPORT_REMOVE = "DELETE FROM family_exports WHERE family_id = $1 AND id = $2";
    /// The export that changed the longest time ago.
    EXPORTS_OLDEST = "SELECT MIN(updated_at) FROM family_exports WHERE family_id = $1";
}

/// How long an export can be downloaded.
pub const KEPT_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// An export as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyExport {
    /// The id of the export.
    pub id: FamilyExportId,
    /// What it is written as.
    pub format: ExportFormat,
    /// Whether there is a file by now.
    pub status: ExportStatus,
    /// The file of a completed export.
    pub file: Option<FileId>,
    /// The size of the file.
    pub bytes: Option<u64>,
    /// The number of records in the file.
    pub records: Option<u64>,
    /// Why it failed, as a sentence.
    pub error: Option<String>,
    /// When it was requested.
    pub created_at: Timestamp,
    /// The time of the latest change of its status.
    pub updated_at: Timestamp,
    /// When the file was written.
    pub completed_at: Option<Timestamp>,
}

impl FamilyExport {
    /// When the file is removed.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.completed_at.and_then(|at| at.checked_add(KEPT_FOR).ok())
    }
}

/// A page of exports, newest first, and how many there are in all.
pub fn list(tx: &mut FamilyTx<'_>, limit: i64, offset: i64) -> Result<(Vec<FamilyExport>, u64)> {
    if tx.accounts().is_restricted() {
        return Ok((Vec::new(), 0));
    }
    let family = tx.family();
    let total = tx.query_one(&EXPORTS_COUNT, vals![family], |row| row.count(0))?;
    Ok((tx.query(&EXPORTS_PAGE, vals![family, limit, offset], read)?, total))
}

/// The export with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: FamilyExportId) -> Result<FamilyExport> {
    let missing = Error::NotFound { what: "Export" };
    if tx.accounts().is_restricted() {
        return Err(missing);
    }
    let family = tx.family();
    tx.query_opt(&EXPORT_BY_ID, vals![family, id], read)?.ok_or(missing)
}

/// The export of a format that waits for a job; a new one if there is none, which is true then.
pub fn request(tx: &mut FamilyTx<'_>, format: ExportFormat) -> Result<(FamilyExport, bool)> {
    let (family, now) = (tx.family(), tx.now());
    let wanted = vals![family, format.as_str()];
    if let Some(waiting) = tx.query_opt(&EXPORT_WAITING, wanted, |row| row.id(0))? {
        return Ok((get(tx, waiting)?, false));
    }
    let id = FamilyExportId(tx.new_id()?);
    let status = ExportStatus::Pending.as_str();
    tx.execute(&EXPORT_INSERT, vals![family, id, status, now, format.as_str()])?;
    due::note(tx, Kind::Exports, now.checked_add(KEPT_FOR).map_err(Error::internal)?)?;
    Ok((get(tx, id)?, true))
}

/// Sets the state of an export that has no file. False if it has one.
pub fn set(
    tx: &mut FamilyTx<'_>,
    id: FamilyExportId,
    status: ExportStatus,
    error: Option<&str>,
) -> Result<bool> {
    let (family, now) = (tx.family(), tx.now());
    let row = vals![status.as_str(), error, now, family, id];
    Ok(tx.execute(&EXPORT_SET, row)? == 1)
}

/// Completes an export that is being processed.
pub fn complete(
    tx: &mut FamilyTx<'_>,
    id: FamilyExportId,
    file: FileId,
    records: u64,
) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let records = i64::try_from(records).map_err(Error::internal)?;
    let (from, to) = (ExportStatus::Processing.as_str(), ExportStatus::Completed.as_str());
    match tx.execute(&EXPORT_COMPLETE, vals![to, file, records, now, family, id, from])? {
        1 => Ok(()),
        _ => Err(Error::internal(format!("the export {id} isn't being processed"))),
    }
}

/// Removes exports that ended long ago, and those beyond the newest few. The caller has the files
/// removed of which the rows are gone then.
pub fn remove_old(tx: &mut FamilyTx<'_>) -> Result<Vec<FileId>> {
    let (family, now) = (tx.family(), tx.now());
    let ended = tx.query(&EXPORTS_ENDED, vals![family], |row| {
        Ok((row.id::<FamilyExportId>(0)?, row.opt_id::<FileId>(1)?, row.timestamp(2)?))
    })?;
    let mut files = Vec::new();
    for (at, (id, file, ended_at)) in ended.into_iter().enumerate() {
        let is_old = now.duration_since(ended_at) > KEPT_FOR;
        if at < FAMILY_EXPORTS_KEPT_MAX && !is_old {
            continue;
        }
        tx.execute(&EXPORT_REMOVE, vals![family, id])?;
        if let Some(file) = file {
            file_remove(tx, file)?;
            files.push(file);
        }
    }
    let oldest = tx.query_one(&EXPORTS_OLDEST, vals![family], |row| row.opt_timestamp(0))?;
    due::set_later(tx, Kind::Exports, due::after(oldest, KEPT_FOR)?)?;
    Ok(files)
}

fn read(row: &Row<'_>) -> Result<FamilyExport> {
    Ok(FamilyExport {
        id: row.id(0)?,
        status: row.named(1)?,
        file: row.opt_id(2)?,
        bytes: row.opt_int(3)?.map(u64::try_from).transpose().map_err(Error::internal)?,
        records: row.opt_int(4)?.map(u64::try_from).transpose().map_err(Error::internal)?,
        error: row.opt_string(5)?,
        created_at: row.timestamp(6)?,
        updated_at: row.timestamp(7)?,
        completed_at: row.opt_timestamp(8)?,
        format: row.named(9)?,
    })
}

#[cfg(test)]
mod tests;
