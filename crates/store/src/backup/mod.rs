//! Backup and restore: every row of every table out of one database, and into another one.
//!
//! [`dump()`] reads all tables in one snapshot and hands row after row to a [`Sink`];
//! [`restore_sqlite`] and [`restore_postgres`] build a database from a [`Source`]. None of them
//! knows the form of the file in between, and none depends on which of the two databases it works
//! on, so a backup of one can be restored into the other.
//!
//! The table of columns (`check::columns`) names what there is. Tables in [`LEFT_OUT`] stay
//! empty in a restored database.

mod catalogue;
mod clearing;
mod dump;
mod indexes;
mod load;
mod order;
mod restore;
mod sqlite_file;
#[cfg(test)]
mod tests;

use jiff::Timestamp;
use purser_core::error::Result;
use uuid::Uuid;

use crate::driver::{ColumnType, Dialect, Tx, Val};

pub use dump::dump;
pub use restore::{Restored, restore_postgres, restore_sqlite};
pub use sqlite_file::replace_sqlite;

/// Refuses PostgreSQL while another process of this program is connected to it. Of SQLite the lock
/// of the data directory answers for that.
pub(crate) fn require_alone(tx: &mut Tx<'_>) -> Result<()> {
    if tx.dialect() == Dialect::Postgres { clearing::require_alone(tx) } else { Ok(()) }
}

/// Tables that a backup leaves out: who is signed in to the pages, and how often passwords were
/// guessed, belongs to the moment and to the server.
pub const LEFT_OUT: [&str; 3] = ["sessions", "sign_in_guesses", "sign_in_sources"];

/// A read or a build of everything takes as long as it takes: the limits of a session of PostgreSQL
/// are for requests.
pub(crate) const WITHOUT_LIMITS: &str =
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/// A table with its columns, in the order of the values of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableShape {
    /// The name of the table.
    pub name: String,
    /// The name and the type of each column.
    pub columns: Vec<(String, ColumnType)>,
}

/// A database as it is at the moment of a backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The version of the schema.
    pub schema_version: i64,
    /// The database's own id.
    pub database: Uuid,
    /// When it was read.
    pub created_at: Timestamp,
    /// The tables, with those first that others point to.
    pub tables: Vec<TableShape>,
}

/// Takes what is read of a database.
pub trait Sink {
    /// Takes what is known before the first row.
    fn begin(&mut self, snapshot: &Snapshot) -> Result<()>;
    /// Begins the next table.
    fn table(&mut self) -> Result<()>;
    /// Takes a row of the present table.
    fn row(&mut self, row: &[Val<'_>]) -> Result<()>;
}

/// Gives what a backup has, part by part.
pub trait Source {
    /// What was known before the first row.
    fn snapshot(&self) -> &Snapshot;
    /// Gives the next part; false when nothing is left and all of it is known to be whole.
    fn part(&mut self, target: &mut dyn Target) -> Result<bool>;
}

/// Takes what a [`Source`] gives.
pub trait Target {
    /// Takes a row of the table at this position of the snapshot.
    fn row(&mut self, table: usize, row: &[Val<'_>]) -> Result<()>;
    /// Takes an uploaded file, which comes after all rows: its family, its id, and what reads its
    /// next bytes into a buffer.
    fn file(&mut self, family: i64, id: Uuid, read: &mut ReadBytes<'_>) -> Result<()>;
}

/// Reads the next bytes of a file into a part of the buffer; 0 at the end.
pub type ReadBytes<'r> = dyn FnMut(&mut [u8]) -> Result<usize> + 'r;
