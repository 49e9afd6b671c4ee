//! Runs closures in transactions on one of the two databases.
//!
//! The closures are [`Work`], which puts its result aside: beginning, committing and running again
//! are compiled once, whatever a transaction returns.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use purser_core::error::{Error, Result};

use super::Tx;
use super::checkpoint::Checkpointer;
use super::copy::{self, CopyName};
use super::damage::{Damage, of_copy};
use super::error::Kind;
use super::file_watch::FileWatch;
use super::pg_database::PgDatabase;
use super::pool::{Loan, Permit, Pool};
use super::postgres::Accepted;
use super::read_limit::{ReadLimit, SQLITE_STEPS};
use super::sqlite::{Role, create, open, script};
use crate::secret::Secret;
use crate::statement_count;
use crate::system::System;

/// What is done in a transaction. It keeps its result itself; when it runs again, the result of
/// the last run counts.
pub(crate) type Work<'w> = dyn FnMut(&mut Tx<'_>) -> Result<()> + 'w;

/// A database that is open.
pub(crate) enum Database {
    Sqlite(SqliteDatabase),
    /// A copy of one of SQLite, which is only read.
    Copy(CopiedDatabase),
    Postgres(PgDatabase),
}

pub(crate) struct SqliteDatabase {
    path: PathBuf,
    writer: Pool<rusqlite::Connection>,
    readers: Pool<rusqlite::Connection>,
    checkpointer: Checkpointer,
    damage: Damage,
    files: Arc<FileWatch>,
}

pub(crate) struct CopiedDatabase {
    reader: Pool<rusqlite::Connection>,
    /// Those of the database itself.
    files: Arc<FileWatch>,
}

/// In which line a write waits for its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// With all reads and writes; of SQLite the only one.
    Common,
    /// With other urgent writes only.
    Urgent,
    /// With what other families write aside, one write of each at a time.
    Aside,
}

/// The right to write once.
pub(crate) struct WritePermit {
    pub(super) lane: Lane,
    pub(super) permit: Permit,
}

impl Database {
    pub(crate) fn open_sqlite(path: &Path, readers: usize) -> Result<Self> {
        // First: it may have taken the room that the database needs to be opened.
        if let Err(error) = copy::remove_left(path) {
            tracing::warn!(cause = ?error, "a copy of the database that was left stays");
        }
        create(path)?;
        // Makes the log before anybody else opens the file.
        let first = open(path, Role::Writer)?;
        script(&first, "SELECT 1 FROM sqlite_schema")?;
        let files = Arc::new(FileWatch::begin(path)?);
        let connect = |role| {
            let (path, files) = (path.to_owned(), files.clone());
            move || {
                files.look()?;
                let connection = open(&path, role)?;
                files.look().map(|_| connection)
            }
        };
        let writer = Pool::new(1, connect(Role::Writer));
        writer.put(first);
        Ok(Self::Sqlite(SqliteDatabase {
            path: path.to_owned(),
            writer,
            readers: Pool::new(readers, connect(Role::Reader)),
            checkpointer: Checkpointer::start(path, files.clone())?,
            damage: Damage::default(),
            files,
        }))
    }

    pub(crate) fn open_postgres(
        url: &Secret,
        connections: usize,
        accepted: Accepted,
    ) -> Result<Self> {
        PgDatabase::open(url, connections, accepted).map(Self::Postgres)
    }

    pub(crate) async fn read_permit(&self) -> Result<Permit> {
        match self {
            Self::Sqlite(database) => database.readers.permit().await,
            Self::Copy(database) => database.reader.permit().await,
            Self::Postgres(database) => database.read_permit().await,
        }
    }

    pub(crate) async fn write_permit(&self, lane: Lane) -> Result<WritePermit> {
        let permit = match self {
            Self::Sqlite(database) => database.writer.permit().await?,
            Self::Copy(_) => return Err(only_read()),
            Self::Postgres(database) => database.lane(lane).permit().await?,
        };
        Ok(WritePermit { lane, permit })
    }

    /// Reads in one snapshot, perhaps within a limit.
    pub(crate) fn read(
        &self,
        permit: Permit,
        limit: Option<&ReadLimit>,
        system: &System,
        work: &mut Work<'_>,
    ) -> Result<()> {
        let result = match self {
            Self::Sqlite(database) => {
                let mut reader = database.readers.take(permit)?;
                limit_sqlite(reader.get()?, limit)?;
                run_on(reader, "BEGIN", (&database.files, system), work)
            }
            Self::Copy(database) => {
                let reader = database.reader.take(permit)?;
                let result = run_on(reader, "BEGIN", (&database.files, system), work);
                return result.map_err(of_copy);
            }
            Self::Postgres(database) => database.read(permit, limit, system, work),
        };
        self.noted(result)
    }

    /// Writes; the closure may run several times, each time from the start.
    pub(crate) fn write(
        &self,
        permit: WritePermit,
        system: &System,
        work: &mut Work<'_>,
    ) -> Result<()> {
        self.refuse_writes()?;
        let result = match self {
            Self::Sqlite(database) => database.write(permit.permit, system, work),
            Self::Copy(_) => Err(only_read()),
            Self::Postgres(database) => database.write(permit, system, work),
        };
        self.noted(result)
    }

    /// Refuses to write where that would do harm or be lost, as far as that is known.
    pub(crate) fn refuse_writes(&self) -> Result<()> {
        match self {
            Self::Sqlite(database) => {
                database.damage.refuse()?;
                database.files.refuse()
            }
            Self::Copy(_) => Err(only_read()),
            Self::Postgres(database) => database.refuse_writes(),
        }
    }

    /// The PostgreSQL database, if it is one.
    pub(crate) fn as_postgres(&self) -> Option<&PgDatabase> {
        match self {
            Self::Sqlite(_) | Self::Copy(_) => None,
            Self::Postgres(database) => Some(database),
        }
    }

    /// Remembers damage in the result of a transaction.
    fn noted(&self, result: Result<()>) -> Result<()> {
        match self {
            Self::Sqlite(database) => database.damage.note(&result),
            Self::Copy(_) => {}
            Self::Postgres(database) => database.note(&result),
        }
        result
    }

    /// Whether this is a SQLite database that is large enough for a copy, and not larger than
    /// `bytes_max`.
    pub(crate) fn is_worth_a_copy(&self, permit: Permit, bytes_max: u64) -> Result<bool> {
        let Self::Sqlite(database) = self else { return Ok(false) };
        copy::is_worth_it(database.to_copy(permit)?.get()?, bytes_max)
    }

    /// The name that a copy has while it is made. Waits for another one to be made.
    pub(crate) fn name_copy(&self) -> Result<CopyName> {
        let Self::Sqlite(database) = self else { return Err(only_read()) };
        CopyName::claim(&database.path)
    }

    /// A copy of a SQLite database as it is now.
    pub(crate) fn copy(&self, permit: Permit, name: &CopyName) -> Result<Self> {
        let Self::Sqlite(database) = self else { return Err(only_read()) };
        let connection = copy::make(database.to_copy(permit)?.get()?, name)?;
        let reader = Pool::new(1, || Err(only_read()));
        reader.put(connection);
        Ok(Self::Copy(CopiedDatabase { reader, files: database.files.clone() }))
    }

    /// Removes a copy of SQLite that a process left which died while it made it.
    pub(crate) fn remove_left_copy(&self) -> Result<()> {
        let Self::Sqlite(database) = self else { return Ok(()) };
        copy::remove_left(&database.path)
    }
}

fn only_read() -> Error {
    Error::internal("a copy of the database is read once, and not written")
}

/// Sets the limit of the next statements, or takes away that of the last read.
fn limit_sqlite(connection: &mut rusqlite::Connection, limit: Option<&ReadLimit>) -> Result<()> {
    let set = connection.progress_handler(SQLITE_STEPS, limit.map(ReadLimit::begin));
    set.map_err(Error::internal)
}

impl SqliteDatabase {
    /// A reader without the limit of its last read.
    fn to_copy(&self, permit: Permit) -> Result<Loan<'_, rusqlite::Connection>> {
        let mut reader = self.readers.take(permit)?;
        limit_sqlite(reader.get()?, None)?;
        Ok(reader)
    }

    fn write(&self, permit: Permit, system: &System, work: &mut Work<'_>) -> Result<()> {
        let writer = self.writer.take(permit)?;
        self.checkpointer.make_room(self.files.look()?);
        let result = run_on(writer, "BEGIN IMMEDIATE", (&self.files, system), work);
        // A commit into files that are gone is not acknowledged.
        let log_bytes = self.files.look();
        if let Ok(bytes) = log_bytes {
            self.checkpointer.committed(bytes);
        }
        result.and(log_bytes.map(drop))
    }
}

/// Runs the closure in a transaction of SQLite.
fn run_on(
    mut loan: Loan<'_, rusqlite::Connection>,
    begin: &str,
    (files, system): (&FileWatch, &System),
    work: &mut Work<'_>,
) -> Result<()> {
    let connection = &*loan.get()?;
    script(connection, begin)?;
    statement_count::sent();
    let result = run(Tx::sqlite(connection, files, system), work).1;
    let result = result.and_then(|()| script(connection, "COMMIT"));
    statement_count::sent();
    // Some errors have rolled back already.
    if !connection.is_autocommit() && script(connection, "ROLLBACK").is_err() {
        loan.discard();
    }
    result
}

/// Runs the closure and returns also whether a statement failed.
pub(super) fn run(mut tx: Tx<'_>, work: &mut Work<'_>) -> (Option<Kind>, Result<()>) {
    let result = work(&mut tx).and_then(|()| tx.check_committable());
    (tx.failure(), result)
}
