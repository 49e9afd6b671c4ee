//! Runs closures in transactions on one of the two databases.
//!
//! The closures are [`Work`], which puts its result aside: beginning, committing and running again
//! are compiled once, whatever a transaction returns.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use purser_core::error::{Error, Result};

use super::Tx;
use super::checkpoint::Checkpointer;
use super::copy::{self, CopyName};
use super::damage::{Damage, of_copy};
use super::error::{Kind, database_error};
use super::file_watch::FileWatch;
use super::pool::{Loan, Permit, Pool};
use super::postgres::{Accepted, PgConnection, Settings, check_server};
use super::read_limit::{POSTGRES_BEGIN, ReadLimit, SQLITE_STEPS};
use super::sqlite::{Role, create, open, script};
use crate::secret::Secret;
use crate::statement_count;
use crate::system::System;

/// How often a closure is run if its transaction conflicts with others.
const ATTEMPTS_MAX: u32 = 8;
/// The wait after the first; it doubles.
const BACKOFF_MILLIS: u64 = 5;

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

pub(crate) struct PgDatabase {
    pool: Pool<PgConnection>,
    damage: Damage,
    /// A connection for what must not wait until others are done.
    urgent: Pool<PgConnection>,
}

/// In which line a write waits for its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// With all reads and writes; of SQLite the only one.
    Common,
    /// With other urgent writes only.
    Urgent,
}

/// The right to write once.
pub(crate) struct WritePermit {
    lane: Lane,
    permit: Permit,
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
        let settings = Settings::parse(url)?;
        let for_urgent = settings.clone();
        let pool = Pool::new(connections, move || settings.connect());
        check_server(pool.take(pool.permit_blocking()?)?.get()?, accepted)?;
        let urgent = Pool::new(1, move || for_urgent.connect());
        Ok(Self::Postgres(PgDatabase { pool, urgent, damage: Damage::default() }))
    }

    pub(crate) async fn read_permit(&self) -> Result<Permit> {
        match self {
            Self::Sqlite(database) => database.readers.permit().await,
            Self::Copy(database) => database.reader.permit().await,
            Self::Postgres(database) => database.pool.permit().await,
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
            Self::Postgres(database) => database.damage.refuse(),
        }
    }

    /// Remembers damage in the result of a transaction.
    fn noted(&self, result: Result<()>) -> Result<()> {
        match self {
            Self::Sqlite(database) => database.damage.note(&result),
            Self::Copy(_) => {}
            Self::Postgres(database) => database.damage.note(&result),
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

impl PgDatabase {
    fn lane(&self, lane: Lane) -> &Pool<PgConnection> {
        match lane {
            Lane::Common => &self.pool,
            Lane::Urgent => &self.urgent,
        }
    }

    fn read(
        &self,
        permit: Permit,
        limit: Option<&ReadLimit>,
        system: &System,
        work: &mut Work<'_>,
    ) -> Result<()> {
        let mut loan = self.pool.take(permit)?;
        // A read runs once, so it can't begin again on another connection.
        if loan.get()?.is_stale() {
            loan.reconnect()?;
        }
        let connection = loan.get()?;
        statement_count::sent();
        connection.begin(limit.map_or(POSTGRES_BEGIN, ReadLimit::postgres_begin));
        let (_, result) = run(Tx::postgres(connection, system), work);
        connection.end_read();
        statement_count::sent();
        if connection.is_closed() {
            loan.discard();
        }
        result
    }

    fn write(&self, permit: WritePermit, system: &System, work: &mut Work<'_>) -> Result<()> {
        let mut loan = self.lane(permit.lane).take(permit.permit)?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let begin = "BEGIN ISOLATION LEVEL READ COMMITTED";
            let (failure, result) = begin_and_run(&mut loan, begin, system, work)?;
            let (commit_failure, result) = end(&mut loan, result);
            let retry = failure.or(commit_failure) == Some(Kind::Retry);
            if result.is_ok() || !retry || attempt == ATTEMPTS_MAX {
                return result;
            }
            tracing::debug!(attempt, "a transaction is run again: another was in the way");
            std::thread::sleep(backoff(attempt)?);
        }
    }
}

impl Drop for PgDatabase {
    fn drop(&mut self) {
        // A client ends a runtime of its own, which it may not do on a thread of another one.
        let mut clients = self.pool.drain();
        clients.extend(self.urgent.drain());
        if !clients.is_empty() {
            let _ = std::thread::Builder::new().spawn(move || drop(clients));
        }
    }
}

/// Runs the closure and returns also whether a statement failed.
fn run(mut tx: Tx<'_>, work: &mut Work<'_>) -> (Option<Kind>, Result<()>) {
    let result = work(&mut tx).and_then(|()| tx.check_committable());
    (tx.failure(), result)
}

/// Begins and runs the closure: on a new connection if the one of the pool was lost meanwhile.
fn begin_and_run(
    loan: &mut Loan<'_, PgConnection>,
    begin: &'static str,
    system: &System,
    work: &mut Work<'_>,
) -> Result<(Option<Kind>, Result<()>)> {
    statement_count::sent();
    let connection = loan.get()?;
    connection.begin(begin);
    let (failure, result) = run(Tx::postgres(connection, system), work);
    if failure != Some(Kind::Lost) || connection.has_begun() {
        return Ok((failure, result));
    }
    loan.reconnect()?;
    let connection = loan.get()?;
    connection.begin(begin);
    Ok(run(Tx::postgres(connection, system), work))
}

/// Commits or rolls back, and returns why a commit failed. Whether a commit with a lost connection
/// was made isn't known: the error reports that, and it is not run again.
fn end(loan: &mut Loan<'_, PgConnection>, result: Result<()>) -> (Option<Kind>, Result<()>) {
    let Ok(connection) = loan.get() else { return (None, result) };
    statement_count::sent();
    let (ended, outcome) = match result {
        Ok(()) => match connection.end("COMMIT") {
            Ok(()) => (true, (None, Ok(()))),
            Err(error) => {
                let kind = database_error(&error).map(|error| error.kind);
                (kind == Some(Kind::Retry), (kind, Err(error)))
            }
        },
        Err(error) => (connection.end("ROLLBACK").is_ok(), (None, Err(error))),
    };
    if !ended || connection.is_closed() {
        loan.discard();
    }
    outcome
}

/// Doubles with every attempt; random, so that two who met don't meet again.
fn backoff(attempt: u32) -> Result<Duration> {
    let most = BACKOFF_MILLIS << attempt;
    let random = u64::from(u32::from_ne_bytes(crate::system::random_bytes()?));
    Ok(Duration::from_millis(most / 2 + random % most))
}
