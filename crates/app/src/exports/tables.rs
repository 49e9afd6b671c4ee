//! An archive with everything that a family has: the native file, and tables for spreadsheets.

use std::io::{self, Write};

use purser_core::error::{Error, Result};
use purser_formats::archive::writer::ArchiveWriter;
use purser_formats::tables::Tables;
use purser_store::FamilyTx;
use purser_store::export::write;

/// The name of the native file in the archive, as other programs have it.
const NATIVE: &str = "all.ndjson";

/// Writes the archive, and returns how many records it has. The export is read once for each file
/// in which entries stand, all from one snapshot, so that memory doesn't grow with it.
///
/// # Errors
/// Those of the output, and if the archive becomes larger than 4 GiB.
pub(super) fn write_archive(tx: &mut FamilyTx<'_>, output: &mut dyn Write) -> Result<u64> {
    let mut archive = ArchiveWriter::new(output);
    let mut tables = Tables::default();
    let records = archive.part(NATIVE, |part| {
        lines(tx, &mut |piece| {
            tables.observe(piece)?;
            part.write_all(piece)
        })
    });
    let records = records.map_err(failed)?;
    for (name, table) in tables.lists().map_err(failed)? {
        archive.part(name, |part| part.write_all(&table)).map_err(failed)?;
    }
    let written = archive.part("transactions.csv", |part| {
        Tables::begin_transactions(part)?;
        lines(tx, &mut |piece| tables.transactions(piece, part))
    });
    written.map_err(failed)?;
    let written = archive.part("trades.csv", |part| {
        Tables::begin_trades(part)?;
        lines(tx, &mut |piece| tables.trades(piece, part))
    });
    written.map_err(failed)?;
    archive.finish().map_err(failed)?;
    Ok(records)
}

/// Hands on the lines of the export in pieces of whole lines.
fn lines(tx: &mut FamilyTx<'_>, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
    write(tx, &mut |piece| each(piece).map_err(failed)).map_err(io::Error::other)
}

/// The error with which the store refused, or that of the output.
pub(super) fn failed(error: io::Error) -> Error {
    error
        .downcast::<Error>()
        .unwrap_or_else(|error| Error::invalid(format!("The export can't be written: {error}")))
}
