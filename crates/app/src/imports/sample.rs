//! The first records of a file as they stand in it, also when nobody knows yet how to read them.

use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom};

use purser_core::error::Result;
use purser_core::import::layout::Layout;
use purser_formats::csv::Reader;
use purser_store::FamilyTx;
use purser_store::files::{FileStore, io_failed};
use purser_store::imports::{self, Import};

/// Bytes that are read at a time: a few records need no more.
const BUFFER_BYTES: usize = 16 * 1024;

/// The first records that are not blank; none if the header wasn't found.
pub fn records(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    layout: &Layout,
    count: usize,
) -> Result<Vec<Vec<String>>> {
    let family = tx.family();
    let records_file = imports::offsets(tx, import.id)?.and_then(|one| one.records_file);
    let Some(file) = records_file.or(import.file).filter(|_| !layout.headers.is_empty()) else {
        return Ok(Vec::new());
    };
    first_of(&files.read(family, file)?, layout, count)
}

/// The first records of an open file that are not blank.
pub(super) fn first_of(mut file: &File, layout: &Layout, count: usize) -> Result<Vec<Vec<String>>> {
    file.seek(SeekFrom::Start(layout.start.offset)).map_err(io_failed)?;
    let input = BufReader::with_capacity(BUFFER_BYTES, file);
    let separator = layout.separator_byte();
    let mut reader = Reader::at(input, separator, layout.start.offset, layout.start.line);
    let mut found = Vec::new();
    while found.len() < count {
        // A file that can't be read has no sample; the import itself has the reason.
        let Ok(Some(record)) = reader.read() else { break };
        if !record.cells.is_blank() {
            found.push(record.cells.iter().map(str::to_owned).collect());
        }
    }
    Ok(found)
}
