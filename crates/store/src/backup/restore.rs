//! A database from a backup: the schema of the backup's version, its rows, then the steps that
//! were added since.

use std::path::Path;
use std::sync::Arc;

use purser_core::error::{Error, Result};

use super::load::Loader;
use super::{Snapshot, Source, WITHOUT_LIMITS, catalogue, clearing};
use crate::driver::{DirectoryLock, NewDatabase, Tx};
use crate::files::{FileStore, FilesLocation};
use crate::ledger::{HiddenLeft, remove_hidden};
use crate::lock::require_local;
use crate::store::{Store, StoreOptions, Target, directory_of};
use crate::system::{System, SystemClock};
use crate::{families, idempotency, installation, jobs, migrations};

/// What a restore has built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What the backup was made of.
    pub snapshot: Snapshot,
    /// The number of rows in all tables.
    pub rows: u64,
    /// The number of uploaded files.
    pub files: u64,
}

/// Builds a SQLite database at a path at which there is none, in several commits: nobody may know
/// the path before it is whole. Uploaded files go to `place`. Blocks.
pub fn restore_sqlite(
    path: &Path,
    place: &FilesLocation,
    source: &mut dyn Source,
) -> Result<Restored> {
    let snapshot = source.snapshot().clone();
    migrations::require_known(snapshot.schema_version)?;
    require_local(directory_of(path))?;
    let files = FileStore::of_database(place, snapshot.database)?;
    let loader = fill(path, &snapshot, &files, source)?;
    let store = Store::open_as_it_is(StoreOptions::new(Target::Sqlite(path.to_owned())))?;
    migrations::run(&store)?;
    store.write_directory_blocking(|tx| finish(tx, &snapshot, &files))?;
    Ok(Restored { snapshot, rows: loader.rows, files: loader.files })
}

/// Builds the tables, fills them, and makes the indexes. Nothing of it is synced.
fn fill(
    path: &Path,
    snapshot: &Snapshot,
    files: &FileStore,
    source: &mut dyn Source,
) -> Result<Loader> {
    let database = NewDatabase::create(path, System::new(Arc::new(SystemClock)))?;
    let mut loader = database.write(|tx| begin(tx, snapshot))?;
    database.write(|tx| loader.put_indexes_off(tx))?;
    while database.write(|tx| loader.load(tx, files, source, false))? {}
    Ok(loader)
}

/// Builds the database on PostgreSQL, in one database transaction. One with a family is refused
/// unless it is to be replaced, and so is one that a process of this program is connected to.
/// `open` begins to read the backup; it is called again if the transaction has to run again.
/// Blocks.
pub fn restore_postgres(
    options: StoreOptions,
    place: &FilesLocation,
    replace: bool,
    open: &mut dyn FnMut() -> Result<Box<dyn Source>>,
) -> Result<Restored> {
    let store = Store::open_as_it_is(StoreOptions { connections: Some(1), ..options })?;
    store.write_directory_blocking(|tx| {
        tx.script(WITHOUT_LIMITS)?;
        tx.lock_directory(DirectoryLock::Schema)?;
        clearing::require_alone(tx)?;
        let mut source = open()?;
        let snapshot = source.snapshot().clone();
        migrations::require_known(snapshot.schema_version)?;
        clearing::clear(tx, replace)?;
        let files = FileStore::of_database(place, snapshot.database)?;
        let mut loader = begin(tx, &snapshot)?;
        loader.load(tx, &files, &mut *source, true)?;
        // Keys that are compared at the end would be in the way of the steps that change tables.
        tx.script("SET CONSTRAINTS ALL IMMEDIATE")?;
        migrations::build(tx, i64::MAX)?;
        finish(tx, &snapshot, &files)?;
        Ok(Restored { snapshot, rows: loader.rows, files: loader.files })
    })
}

/// Builds the schema of the backup's version.
fn begin(tx: &mut Tx<'_>, snapshot: &Snapshot) -> Result<Loader> {
    migrations::build(tx, snapshot.schema_version)?;
    let columns = catalogue::columns(tx)?;
    Loader::new(snapshot, &columns, tx)
}

/// Ends what was under way at the moment of the backup, on a database of the newest schema.
fn finish(tx: &mut Tx<'_>, snapshot: &Snapshot, files: &FileStore) -> Result<()> {
    if installation::get(tx)? != Some(snapshot.database) {
        return Err(Error::Conflict {
            code: "backup_damaged",
            message: "The backup can't be restored: it is of another database than it states."
                .to_owned(),
        });
    }
    installation::continue_numbers(tx)?;
    files.take_over(tx)?;
    // The tables were made anew, on one machine.
    installation::set_distributed(tx, false)?;
    jobs::release_restored(tx)?;
    idempotency::end_all(tx)?;
    for family in families::list(tx)? {
        // Only SQLite leaves out what is hidden, and its job begins anew on either.
        while let HiddenLeft::More(_) = tx.of_family(family.id, |tx| remove_hidden(tx, u64::MAX))? {
        }
    }
    Ok(())
}
