//! The job that writes an export: the file first, then the row that names it, in the commit that
//! ends the job.

use std::io::{self, BufWriter, Write};

use purser_core::error::Result;
use purser_core::export::{ExportFormat, ExportStatus};
use purser_core::ids::{FamilyExportId, FileId};
use purser_store::files::{Content, Upload, file_get, file_insert};
use purser_store::{FamilyTx, calendar, family_exports, jobs};
use serde::{Deserialize, Serialize};

use super::remove_old_of_family;
use super::tables::failed;
use crate::jobs::job::{GivenUp, Job, Work};

/// What people read when the job is out of tries; the cause is in the log.
const FAILED: &str = "The export could not be written because of an error on the server.";

/// Bytes that are handed to the file together.
const PIECE_BYTES: usize = 64 * 1024;

/// Writes the export with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ExportFamily {
    pub(crate) export_id: FamilyExportId,
}

impl Job for ExportFamily {
    const KIND: &'static str = "family.export";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.export_id))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let id = self.export_id;
        let is_wanted = work.write(|tx| {
            jobs::hold(tx, work.claim)?;
            family_exports::set(tx, id, ExportStatus::Processing, None)
        })?;
        if !is_wanted {
            // Completed before: the end of the job and the row of the file are one commit.
            return work.write(|tx| jobs::complete(tx, work.claim));
        }
        let format = work.read(|tx| family_exports::get(tx, id))?.format;
        let (file, content, records) = write_file(work, format)?;
        let completed = work.write(|tx| {
            jobs::hold(tx, work.claim)?;
            let name = format!("purser-{}.{}", calendar::today(tx)?, format.extension());
            file_insert(tx, file, Some(&name), &content)?;
            family_exports::complete(tx, id, file, records)?;
            remove_old_of_family(tx)?;
            jobs::complete(tx, work.claim)
        });
        if completed.is_err() && work.read(|tx| file_get(tx, file)).is_ok_and(|row| row.is_none()) {
            work.files.delete(work.claim.family, file)?;
        }
        completed
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, _reason: &GivenUp) -> Result<()> {
        family_exports::set(tx, self.export_id, ExportStatus::Failed, Some(FAILED)).map(drop)
    }

    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        family_exports::set(tx, self.export_id, ExportStatus::Pending, None)
    }
}

/// Writes a file from one snapshot, and returns its id, what it holds, and how many records.
fn write_file(work: &Work<'_>, format: ExportFormat) -> Result<(FileId, Content, u64)> {
    let mut output = BufWriter::with_capacity(PIECE_BYTES, Sink(work.files.begin()?));
    let records = super::write_family(work.store, &work.access(), format, &mut output)?;
    let Sink(upload) = output.into_inner().map_err(|error| failed(error.into_error()))?;
    let file = FileId(work.store.new_id()?);
    Ok((file, upload.finish(work.claim.family, file)?, records))
}

/// A new file as an output.
struct Sink(Upload);

impl Write for Sink {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.0.write(piece).map_err(io::Error::other)?;
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
