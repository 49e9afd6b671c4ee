//! An archive with everything that a family has: the native file, and tables for spreadsheets.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};

use purser_core::error::{Error, Result};
use purser_formats::archive::writer::{ArchiveWriter, Part};
use purser_formats::tables::{self, Tables};
use purser_store::FamilyTx;
use purser_store::export::write;
use purser_store::files::io_failed;

use crate::pipe::{Pieces, Pipe, piped};
use crate::scratch::unnamed_file;

/// The name of the native file in the archive, as other programs have it.
const NATIVE: &str = "all.ndjson";

/// Writes the archive, and returns how many records it has. The export is read once: the tables are
/// made of it beside, and added when it ends. Memory doesn't grow with the ledger.
///
/// # Errors
/// Those of the output and of temporary files, and if the archive becomes larger than 4 GiB.
pub(super) fn write_archive(tx: &mut FamilyTx<'_>, output: &mut dyn Write) -> Result<u64> {
    let mut archive = ArchiveWriter::new(output);
    let write = |pipe: &mut Pipe| {
        let native = archive.part(NATIVE, |native| {
            lines(tx, &mut |piece| {
                pipe.write_all(piece)?;
                native.write_all(piece)
            })
        });
        native.map_err(failed)
    };
    let (records, tables) = piped(write, |pieces| tabulated(pieces).map_err(spool_failed))?;
    let Tabulated { tables, transactions, trades } = tables;
    for (name, table) in tables.lists().map_err(failed)? {
        archive.part(name, |part| part.write_all(&table)).map_err(failed)?;
    }
    transactions.add(&mut archive, "transactions.csv")?;
    trades.add(&mut archive, "trades.csv")?;
    archive.finish().map_err(failed)?;
    Ok(records)
}

/// The tables of an export.
struct Tabulated {
    tables: Tables,
    transactions: Spool,
    trades: Spool,
}

/// Makes the tables of the lines of an export.
fn tabulated(mut pieces: Pieces) -> io::Result<Tabulated> {
    let mut tables = Tables::default();
    let (mut transactions, mut trades) = (Spool::new()?, Spool::new()?);
    tables::begin(&mut transactions.part, &mut trades.part)?;
    while let Some(piece) = pieces.next_piece() {
        tables.take(piece, &mut transactions.part, &mut trades.part)?;
    }
    Ok(Tabulated { tables, transactions, trades })
}

/// A part of the archive that waits, deflated, for those before it.
struct Spool {
    part: Part<BufWriter<File>>,
}

impl Spool {
    fn new() -> io::Result<Self> {
        let file = unnamed_file().map_err(io::Error::other)?;
        Ok(Self { part: Part::new(BufWriter::new(file)) })
    }

    fn add<W: Write>(self, archive: &mut ArchiveWriter<W>, name: &str) -> Result<()> {
        let (file, extent) = self.part.finish().map_err(spool_failed)?;
        let mut file = file.into_inner().map_err(|error| io_failed(error.into_error()))?;
        file.rewind().map_err(io_failed)?;
        archive.add_packed(name, extent, &mut file).map_err(failed)
    }
}

/// The error of what is kept among the temporary files, which may pass.
fn spool_failed(error: io::Error) -> Error {
    error.downcast::<Error>().unwrap_or_else(io_failed)
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
