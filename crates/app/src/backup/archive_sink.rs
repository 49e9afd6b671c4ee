//! Rows of the database into an archive.

use std::borrow::Cow;
use std::io::Write;

use purser_core::error::{Error, Result};
use purser_formats::backup::{Cell, CellType, Manifest, TableColumns, Writer};
use purser_store::Val;
use purser_store::backup::{Sink, Snapshot, TableShape};
use purser_store::driver::ColumnType;

use super::errors::archive_error;

/// Takes what is read of a database and writes it to an archive.
pub(super) struct ArchiveSink<W: Write> {
    /// Until the archive is begun.
    out: Option<W>,
    begun: Option<(Writer<W>, Snapshot)>,
}

impl<W: Write> ArchiveSink<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out: Some(out), begun: None }
    }

    /// The archive, to which files can be added, and what it is made of.
    pub(super) fn into_writer(self) -> Result<(Writer<W>, Snapshot)> {
        self.begun.ok_or_else(not_begun)
    }

    fn writer(&mut self) -> Result<&mut Writer<W>> {
        self.begun.as_mut().map(|(writer, _)| writer).ok_or_else(not_begun)
    }
}

fn not_begun() -> Error {
    Error::internal("the archive was not begun")
}

impl<W: Write> Sink for ArchiveSink<W> {
    fn begin(&mut self, snapshot: &Snapshot) -> Result<()> {
        let out = self.out.take().ok_or_else(|| Error::internal("the archive was begun twice"))?;
        let manifest = Manifest::new(
            snapshot.schema_version,
            snapshot.database,
            snapshot.created_at,
            env!("CARGO_PKG_VERSION"),
            snapshot.tables.iter().map(described).collect(),
        );
        let writer = Writer::begin(out, &manifest).map_err(archive_error)?;
        self.begun = Some((writer, snapshot.clone()));
        Ok(())
    }

    fn table(&mut self) -> Result<()> {
        self.writer()?.next_table().map_err(archive_error)
    }

    fn row(&mut self, row: &[Val<'_>]) -> Result<()> {
        let cells: Vec<Cell<'_>> = row.iter().map(cell).collect();
        self.writer()?.row(&cells).map_err(archive_error)
    }
}

fn described(table: &TableShape) -> TableColumns {
    let column = |(name, column): &(String, ColumnType)| {
        let cell_type = match column {
            ColumnType::Int => CellType::Int,
            ColumnType::Text => CellType::Text,
            ColumnType::Uuid => CellType::Uuid,
            ColumnType::Bytes => CellType::Bytes,
            ColumnType::Bool => CellType::Bool,
        };
        (name.clone(), cell_type)
    };
    TableColumns { name: table.name.clone(), columns: table.columns.iter().map(column).collect() }
}

fn cell<'v>(value: &Val<'v>) -> Cell<'v> {
    match *value {
        Val::Null => Cell::Null,
        Val::Int(number) => Cell::Int(number),
        Val::Text(text) => Cell::Text(Cow::Borrowed(text)),
        Val::Uuid(id) => Cell::Uuid(id),
        Val::Bytes(bytes) => Cell::Bytes(Cow::Borrowed(bytes)),
        Val::Bool(value) => Cell::Bool(value),
    }
}
