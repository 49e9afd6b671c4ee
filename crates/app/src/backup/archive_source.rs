//! Rows and files of an archive for the database.

use std::io::BufRead;

use purser_core::error::{Error, Result};
use purser_formats::backup::cells::read_row;
use purser_formats::backup::{Cell, CellType, Member, Reader, TableColumns};
use purser_store::Val;
use purser_store::backup::{Snapshot, Source, TableShape, Target};
use purser_store::driver::ColumnType;

use super::errors::archive_error;

/// Reads an archive for a restore.
pub(super) struct ArchiveSource<R: BufRead> {
    reader: Reader<R>,
    snapshot: Snapshot,
    /// The types of the columns of each table.
    types: Vec<Vec<CellType>>,
}

impl<R: BufRead> ArchiveSource<R> {
    /// Begins to read an archive.
    pub(super) fn open(bytes: R) -> Result<Self> {
        let reader = Reader::open(bytes).map_err(archive_error)?;
        let manifest = reader.manifest();
        let snapshot = Snapshot {
            schema_version: manifest.schema_version,
            database: manifest.database,
            created_at: manifest.created_at,
            tables: manifest.tables.iter().map(shape).collect(),
        };
        let types = manifest.tables.iter();
        let types = types.map(|table| table.columns.iter().map(|(_, one)| *one).collect());
        let types = types.collect();
        Ok(Self { reader, snapshot, types })
    }
}

impl<R: BufRead> Source for ArchiveSource<R> {
    fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    fn part(&mut self, target: &mut dyn Target) -> Result<bool> {
        match self.reader.next_member().map_err(archive_error)? {
            Member::Rows { table, lines } => {
                for line in lines.split_inclusive(|byte| *byte == b'\n') {
                    let row = read_row(line, &self.types[table]);
                    let row = row.map_err(|error| unread(&self.snapshot, table, &error))?;
                    let values: Vec<Val<'_>> = row.iter().map(value).collect();
                    target.row(table, &values)?;
                }
            }
            Member::File { name, mut content } => {
                let mut read = |buffer: &mut [u8]| content.read(buffer).map_err(archive_error);
                target.file(name.family, name.id, &mut read)?;
            }
            Member::End(_) => return Ok(false),
        }
        Ok(true)
    }
}

fn unread(snapshot: &Snapshot, table: usize, error: &str) -> Error {
    let table = snapshot.tables.get(table).map_or("", |table| table.name.as_str());
    Error::Conflict {
        code: "backup_damaged",
        message: format!(
            "The backup can't be restored: a row of its table {table} can't be read ({error})."
        ),
    }
}

fn shape(table: &TableColumns) -> TableShape {
    let column = |(name, cell_type): &(String, CellType)| {
        let column = match cell_type {
            CellType::Int => ColumnType::Int,
            CellType::Text => ColumnType::Text,
            CellType::Uuid => ColumnType::Uuid,
            CellType::Bytes => ColumnType::Bytes,
            CellType::Bool => ColumnType::Bool,
        };
        (name.clone(), column)
    };
    TableShape { name: table.name.clone(), columns: table.columns.iter().map(column).collect() }
}

fn value<'c>(cell: &'c Cell<'_>) -> Val<'c> {
    match cell {
        Cell::Null => Val::Null,
        Cell::Int(number) => Val::Int(*number),
        Cell::Text(text) => Val::Text(text),
        Cell::Uuid(id) => Val::Uuid(*id),
        Cell::Bytes(bytes) => Val::Bytes(bytes),
        Cell::Bool(value) => Val::Bool(*value),
    }
}
