//! Opens what all commands work on: the database and the uploaded files.

use std::path::PathBuf;

use purser_core::error::{Error, Result};
use purser_store::files::{FileStore, FilesLocation, require_database_file, require_own_files};
use purser_store::lock::{DataDirLock, create_private};
use purser_store::{Secret, Store, StoreOptions, Target, reserve};

use crate::objects::{self, ObjectStore};

const DATABASE_FILE: &str = "purser.db";

/// Where the data is.
#[derive(Debug, Clone)]
pub struct Location {
    /// Folder of the SQLite database and of uploaded files.
    pub data_dir: PathBuf,
    /// PostgreSQL to use instead of SQLite.
    pub database_url: Option<Secret>,
    /// Accept a role of PostgreSQL to which row-level security doesn't apply.
    pub allow_superuser: bool,
    /// Begin with an empty database even if there are files of another one.
    pub new_database: bool,
    /// The bucket that uploaded files are in, and not in the data directory.
    pub object_store: Option<ObjectStore>,
}

impl Location {
    /// The database at the location.
    pub(crate) fn target(&self) -> Target {
        match &self.database_url {
            Some(url) => Target::Postgres(url.clone()),
            None => Target::Sqlite(self.data_dir.join(DATABASE_FILE)),
        }
    }

    /// Where uploaded files are.
    pub(crate) fn place(&self) -> Result<FilesLocation> {
        let bucket = self.object_store.as_ref().map(objects::open).transpose()?;
        Ok(FilesLocation { data_dir: self.data_dir.clone(), bucket })
    }

    fn options(&self) -> StoreOptions {
        let allow_superuser = self.allow_superuser;
        StoreOptions { allow_superuser, ..StoreOptions::new(self.target()) }
    }

    /// Opens the database for a command that nobody may work beside: on SQLite its directory is
    /// locked, on PostgreSQL whoever changes something looks for other connections. Blocks.
    pub(crate) fn open_alone(&self) -> Result<(Store, Option<DataDirLock>)> {
        let target = self.target();
        require_database_file(&target, &self.data_dir)?;
        let lock = match target {
            Target::Sqlite(_) => Some(DataDirLock::acquire(&self.data_dir)?),
            Target::Postgres(_) => None,
        };
        let store = Store::open(StoreOptions { connections: Some(1), ..self.options() })?;
        Ok((store, lock))
    }
}

/// The database and the uploaded files.
pub struct Data {
    /// The database, which is open.
    pub store: Store,
    /// The store of uploaded files.
    pub files: FileStore,
    /// Held by the server on SQLite, for as long as it runs.
    pub lock: Option<DataDirLock>,
}

impl Data {
    /// Opens both beside whoever else works on them: for commands. Blocks.
    pub fn open(location: &Location) -> Result<Self> {
        Self::open_both(location, FileStore::open_for_command)
    }

    fn open_both(
        location: &Location,
        open: impl Fn(FilesLocation, &Store) -> Result<FileStore>,
    ) -> Result<Self> {
        create_private(&location.data_dir)?;
        let target = location.target();
        if !location.new_database {
            require_database_file(&target, &location.data_dir)?;
        }
        let place = location.place()?;
        let store = Store::open(location.options())?;
        if !location.new_database {
            require_own_files(&store, &place)?;
        }
        let files = open(place, &store)?;
        Ok(Self { store, files, lock: None })
    }

    /// Opens both for the server: on SQLite nobody else may be a server, and a full disk is no
    /// obstacle. Blocks.
    pub fn open_as_server(location: &Location) -> Result<Self> {
        let directory = &location.data_dir;
        let lock = match location.target() {
            Target::Sqlite(_) => DataDirLock::acquire(directory)?,
            Target::Postgres(_) => return Self::open_both(location, FileStore::open),
        };
        let opened = match Self::open_both(location, FileStore::open) {
            Err(Error::Unavailable { .. }) if reserve::give_back(directory) => {
                tracing::warn!("the database can't be opened; what was set aside is given back");
                Self::open_both(location, FileStore::open)?
            }
            opened => {
                let opened = opened?;
                reserve::set_aside(directory);
                opened
            }
        };
        Ok(Self { lock: Some(lock), ..opened })
    }
}
