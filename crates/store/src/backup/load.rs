//! Rows and files of a backup into a database that has the tables for them, and no rows.

use purser_core::error::{Error, Result};
use purser_core::ids::FileId;
use uuid::Uuid;

use super::catalogue::{Columns, fits};
use super::{LEFT_OUT, ReadBytes, Snapshot, Source, TableShape, Target, indexes};
use crate::check::columns::tables;
use crate::driver::{Bulk, Inserter, Tx, Val};
use crate::families::FamilyId;
use crate::files::{self, FileStore};

/// Where SQLite sorts what is too large for the memory.
const SORTING: &str = "the temporary folder (SQLITE_TMPDIR, else TMPDIR, /var/tmp or /tmp), which \
                       must have room for twice the largest index";
/// Parts that one commit takes, where there are several.
const PARTS_PER_COMMIT: usize = 16;

/// The tables of a backup as they are filled.
pub(super) struct Loader {
    bulks: Vec<&'static Bulk>,
    /// The statements that make the indexes, if they are made when all rows are there.
    indexes: Vec<String>,
    /// The number of rows and of files so far.
    pub(super) rows: u64,
    pub(super) files: u64,
}

impl Loader {
    /// For the tables of a snapshot, which must be those of the database: it was built for the
    /// snapshot's version of the schema.
    pub(super) fn new(snapshot: &Snapshot, columns: &Columns, tx: &Tx<'_>) -> Result<Self> {
        for table in &snapshot.tables {
            let stored = columns.get(&table.name);
            let fits = stored.is_some_and(|stored| {
                stored.len() == table.columns.len()
                    && table.columns.iter().all(|(name, column)| {
                        stored.get(name).is_some_and(|kind| fits(kind, *column, tx.dialect()))
                    })
            });
            if !fits {
                return Err(other_schema(&table.name, snapshot.schema_version));
            }
        }
        let is_in_backup = |name: &str| snapshot.tables.iter().any(|table| table.name == name);
        // Tables that aren't this program's may be there, too.
        let mut ours = tables().map(|table| table.name).filter(|name| columns.contains_key(*name));
        let missing = ours.find(|name| !LEFT_OUT.contains(name) && !is_in_backup(name));
        if let Some(name) = missing {
            return Err(other_schema(name, snapshot.schema_version));
        }
        let bulks = snapshot.tables.iter().map(leaked).collect();
        Ok(Self { bulks, indexes: Vec::new(), rows: 0, files: 0 })
    }

    /// Takes the indexes away until all rows are there.
    pub(super) fn put_indexes_off(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        self.indexes = indexes::take_away(tx)?;
        Ok(())
    }

    /// Makes the indexes that were put off. Rows that one of them forbids are an error.
    fn make_indexes(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for statement in std::mem::take(&mut self.indexes) {
            tx.script(&statement).map_err(|error| match error {
                Error::Unavailable { message, cause } => Error::Unavailable {
                    message: format!("{message} Indexes are sorted in {SORTING}."),
                    cause,
                },
                error => error,
            })?;
        }
        Ok(())
    }

    /// Takes some parts, or all of them; false when nothing is left.
    pub(super) fn load(
        &mut self,
        tx: &mut Tx<'_>,
        files: &FileStore,
        source: &mut dyn Source,
        all: bool,
    ) -> Result<bool> {
        let mut parts = 0;
        while all || parts < PARTS_PER_COMMIT {
            let mut filling = Filling { loader: self, tx, files, inserter: None };
            let more = source.part(&mut filling)?;
            filling.flush()?;
            if !more {
                self.make_indexes(tx)?;
                return Ok(false);
            }
            parts += 1;
        }
        Ok(true)
    }
}

fn other_schema(table: &str, version: i64) -> Error {
    Error::Conflict {
        code: "backup_damaged",
        message: format!(
            "The backup can't be restored: its table {table} is not that of schema version {version}."
        ),
    }
}

/// An inserter needs its table for as long as the program runs; a restore happens once in it.
fn leaked(table: &TableShape) -> &'static Bulk {
    let columns = table.columns.iter().map(|(name, column)| (&*name.clone().leak(), *column));
    let columns: Vec<(&'static str, _)> = columns.collect();
    Box::leak(Box::new(Bulk { table: table.name.clone().leak(), columns: columns.leak() }))
}

/// A part of a backup on its way into the database.
struct Filling<'f, 'a> {
    loader: &'f mut Loader,
    tx: &'f mut Tx<'a>,
    files: &'f FileStore,
    /// For the table of the last row.
    inserter: Option<(usize, Inserter)>,
}

impl Filling<'_, '_> {
    fn flush(&mut self) -> Result<()> {
        match self.inserter.take() {
            Some((_, mut inserter)) => inserter.flush(self.tx).map(drop),
            None => Ok(()),
        }
    }
}

impl Target for Filling<'_, '_> {
    fn row(&mut self, table: usize, row: &[Val<'_>]) -> Result<()> {
        if self.inserter.as_ref().is_none_or(|(of, _)| *of != table) {
            self.flush()?;
            let bulk = self.loader.bulks.get(table);
            let bulk = bulk.ok_or_else(|| Error::internal("a row of no table"))?;
            self.inserter = Some((table, Inserter::new(bulk)));
        }
        let Some((_, inserter)) = &mut self.inserter else { return Ok(()) };
        inserter.push(self.tx, row)?;
        self.loader.rows += 1;
        Ok(())
    }

    fn file(&mut self, family: i64, id: Uuid, read: &mut ReadBytes<'_>) -> Result<()> {
        // Files come last. A backup with rows that an index forbids is refused before any of them
        // takes the place of another one.
        self.flush()?;
        self.loader.make_indexes(self.tx)?;
        let (family, id) = (FamilyId::from_number(family), FileId(id));
        if files::find(self.tx, family, id)?.is_none() {
            return Err(Error::Conflict {
                code: "backup_damaged",
                message: format!("The backup can't be restored: no row names its file {id}."),
            });
        }
        self.files.restore(family, id, read)?;
        self.loader.files += 1;
        Ok(())
    }
}
