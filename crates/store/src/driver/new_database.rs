//! A SQLite database that is built at a path at which nobody looks for it.
//!
//! Nothing of it is synced, and no transaction of it can be rolled back: after an error, or when
//! the process ends, what is there is of no use. Who built it to its end syncs the file, and gives
//! it its place then.

use std::path::Path;

use purser_core::error::Result;

use super::Tx;
use super::file_watch::FileWatch;
use super::sqlite::{Role, create, open, script};
use crate::system::System;

/// The database, and the only connection to it.
pub(crate) struct NewDatabase {
    connection: rusqlite::Connection,
    files: FileWatch,
    system: System,
}

impl NewDatabase {
    /// Begins a database at a path at which there is none.
    pub(crate) fn create(path: &Path, system: System) -> Result<Self> {
        create(path)?;
        let connection = open(path, Role::Builder)?;
        Ok(Self { connection, files: FileWatch::without_log(path)?, system })
    }

    /// Writes in one transaction. After an error the database must be thrown away.
    pub(crate) fn write<T>(&self, work: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
        script(&self.connection, "BEGIN IMMEDIATE")?;
        let mut tx = Tx::sqlite(&self.connection, &self.files, &self.system);
        let value = work(&mut tx)?;
        tx.check_committable()?;
        drop(tx);
        script(&self.connection, "COMMIT")?;
        Ok(value)
    }
}
