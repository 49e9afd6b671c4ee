//! Opens what all commands work on: the database and the uploaded files.

use purser_core::error::{Error, Result};
use purser_store::files::FileStore;
use purser_store::lock::{DataDirLock, create_private};
use purser_store::{Store, StoreOptions, Target};

use crate::config::Storage;

const DATABASE_FILE: &str = "purser.db";

/// The database and the uploaded files.
pub(crate) struct Data {
    /// The database, which is open.
    pub(crate) store: Store,
    /// The store of uploaded files.
    pub(crate) files: FileStore,
    /// Held by the server on SQLite, for as long as it runs.
    pub(crate) lock: Option<DataDirLock>,
}

impl Data {
    /// Opens both beside whoever else works on them: for commands. Blocks.
    pub(crate) fn open(storage: &Storage) -> Result<Self> {
        create_private(&storage.data_dir)?;
        let store = Store::open(StoreOptions::new(target(storage)?))?;
        let files = FileStore::open(&storage.data_dir, &store)?;
        Ok(Self { store, files, lock: None })
    }

    /// Opens both for the server: on SQLite nobody else may be a server. Blocks.
    pub(crate) fn open_as_server(storage: &Storage) -> Result<Self> {
        let lock = match target(storage)? {
            Target::Sqlite(_) => Some(DataDirLock::acquire(&storage.data_dir)?),
            Target::Postgres(_) => None,
        };
        Ok(Self { lock, ..Self::open(storage)? })
    }
}

fn target(storage: &Storage) -> Result<Target> {
    let url = storage
        .database_url()
        .map_err(|error| Error::internal(format!("can't read the database URL: {error}")))?;
    Ok(match url {
        Some(url) => Target::Postgres(url),
        None => Target::Sqlite(storage.data_dir.join(DATABASE_FILE)),
    })
}
