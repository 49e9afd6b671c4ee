//! How a SQLite connection is opened, and proof that every setting took.
//!
//! A commit must survive a power cut, so WAL runs with `synchronous = FULL`. Memory maps are off:
//! they count as resident memory, and an error of the disk would kill the process. Checkpoints are
//! the background thread's work.
//!
//! A database that is being built where nobody looks for it has neither a log nor a journal: if
//! anything goes wrong, all of it is thrown away.

use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use purser_core::error::{Error, Result};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::failed;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The only connection that writes.
    Writer,
    /// A connection that only reads.
    Reader,
    /// Moves the log into the database file.
    Checkpointer,
    /// The only connection to a database that is thrown away unless it is built to its end: what it
    /// commits may be lost, and nothing is rolled back.
    Builder,
    /// The only connection to a copy that nobody changes any more.
    Copy,
}

const STATEMENT_CACHE_CAPACITY: usize = 256;
/// How long a statement waits for another process, such as the command line beside the server.
const BUSY_TIMEOUT_MILLIS: i64 = 5_000;
/// Page cache in KiB (SQLite wants the negative number). It grows with use.
const WRITER_CACHE: i64 = -16_384;
const READER_CACHE: i64 = -2_048;
/// What is left of the log after it was moved and begun anew.
const LOG_BYTES_KEPT: i64 = 1024 * 1024;

/// What every connection has: no statement can damage the file, and a plan doesn't depend on the
/// values of parameters. Without the latter SQLite compiles a statement anew whenever a parameter
/// that may select a partial index gets another value: for each key of a look-up.
const FLAGS: [(&str, DbConfig); 2] = [
    ("DEFENSIVE", DbConfig::SQLITE_DBCONFIG_DEFENSIVE),
    ("ENABLE_QPSG", DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG),
];

impl Role {
    /// Name and value of each setting; each is read back.
    fn settings(self) -> Vec<(&'static str, i64)> {
        // An index that is made of many rows is sorted in a temporary file, not in memory.
        let (synchronous, temp_store) = if self == Self::Builder { (0, 1) } else { (2, 2) };
        let mut settings = vec![
            ("synchronous", synchronous),
            ("foreign_keys", 1),
            ("trusted_schema", 0),
            ("mmap_size", 0),
            ("temp_store", temp_store),
            ("wal_autocheckpoint", 0),
            ("journal_size_limit", LOG_BYTES_KEPT),
            ("fullfsync", 1),
            ("checkpoint_fullfsync", 1),
        ];
        settings.extend(match self {
            Self::Writer | Self::Builder => [("cache_size", WRITER_CACHE), ("query_only", 0)],
            Self::Reader | Self::Copy => [("cache_size", READER_CACHE), ("query_only", 1)],
            Self::Checkpointer => [("cache_size", READER_CACHE), ("query_only", 0)],
        });
        settings
    }

    /// What SQLite does about transactions that don't come to their end.
    fn journal_mode(self) -> &'static str {
        if matches!(self, Self::Builder | Self::Copy) { "off" } else { "wal" }
    }

    fn busy_timeout_millis(self) -> i64 {
        // The checkpointer gives way: it will be called again.
        if self == Self::Checkpointer { 0 } else { BUSY_TIMEOUT_MILLIS }
    }
}

/// Opens the database file, which must be there.
pub(crate) fn open(path: &Path, role: Role) -> Result<Connection> {
    open_with(path, path, (OpenFlags::SQLITE_OPEN_READ_WRITE, role))
}

/// Opens a copy that is made to its end. Nothing is asked of its name any more: SQLite takes it for
/// a file that can't change, so it needs neither locks nor a log, although its header has one.
pub(crate) fn open_copy(path: &Path) -> Result<Connection> {
    let name = percent_encode(path.as_os_str().as_bytes(), NON_ALPHANUMERIC);
    let address = format!("file:{name}?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    open_with(path, Path::new(&address), (flags, Role::Copy))
}

fn open_with(path: &Path, address: &Path, (flags, role): (OpenFlags, Role)) -> Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address, flags).map_err(|error| {
        refused(format!("The database {} can't be opened: {error}.", path.display()))
    })?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE_CAPACITY);
    configure(&connection, role)?;
    Ok(connection)
}

/// Creates the file if it is not there, readable for its owner only; the log's files take over its
/// mode.
///
/// Only before the first connection: closing any descriptor of a file drops every lock that the
/// process has on it, SQLite's included, and another process would then take the log away.
pub(crate) fn create(path: &Path) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let cant =
        |error| refused(format!("The database {} can't be opened: {error}.", path.display()));
    options.open(path).map(|_| ()).map_err(cant)
}

fn configure(connection: &Connection, role: Role) -> Result<()> {
    // First: the settings after it may have to wait.
    set(connection, "busy_timeout", role.busy_timeout_millis())?;
    let wanted = role.journal_mode();
    let mode: String = connection
        .query_row(&format!("PRAGMA journal_mode = {wanted}"), [], |row| row.get(0))
        .map_err(|error| failed(connection, "PRAGMA journal_mode", &error))?;
    if mode != wanted {
        let sentence = format!("SQLite keeps the journal mode {mode} where {wanted} is needed.");
        return Err(refused(sentence));
    }
    for (name, value) in role.settings() {
        set(connection, name, value)?;
    }
    for (name, flag) in FLAGS {
        let is_on = connection
            .set_db_config(flag, true)
            .map_err(|error| failed(connection, name, &error))?;
        if !is_on {
            return Err(refused(format!("SQLite does not accept the setting {name}.")));
        }
    }
    Ok(())
}

/// Sets a value and reads it back.
fn set(connection: &Connection, name: &str, value: i64) -> Result<()> {
    let read = || -> rusqlite::Result<i64> {
        connection.execute_batch(&format!("PRAGMA {name} = {value}"))?;
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
    };
    match read() {
        Ok(found) if found == value => Ok(()),
        Ok(found) => {
            Err(refused(format!("SQLite's setting {name} is {found} where {value} is needed.")))
        }
        Err(error) => Err(failed(connection, name, &error)),
    }
}

fn refused(message: String) -> Error {
    Error::Conflict { code: "storage_refused", message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_that_does_not_take_is_named() {
        let connection = Connection::open_in_memory().unwrap();
        let error = configure(&connection, Role::Writer).unwrap_err();
        assert_eq!(error.to_string(), "SQLite keeps the journal mode memory where wal is needed.");
        let error = set(&connection, "synchronous", 9).unwrap_err();
        assert!(error.to_string().starts_with("SQLite's setting synchronous is"), "{error}");
    }

    /// Although a partial index is of use for some values only.
    #[test]
    fn a_statement_is_compiled_once_whatever_is_bound() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.db");
        create(&path).unwrap();
        let writer = open(&path, Role::Writer).unwrap();
        writer.execute_batch("CREATE TABLE t (a, b); CREATE INDEX i ON t (b) WHERE a = 1").unwrap();
        let mut statement = writer.prepare("SELECT b FROM t WHERE a = ?1 ORDER BY b").unwrap();
        for value in 1..=5 {
            assert!(!statement.exists([value]).unwrap());
        }
        assert_eq!(statement.get_status(rusqlite::StatementStatus::RePrepare), 0);
    }

    #[test]
    fn readers_refuse_to_write() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.db");
        create(&path).unwrap();
        open(&path, Role::Writer).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
        let reader = open(&path, Role::Reader).unwrap();
        assert!(reader.execute_batch("INSERT INTO t VALUES (1)").is_err());
    }
}
