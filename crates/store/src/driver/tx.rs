//! The transaction: what every function that touches the database takes.
//!
//! Whatever a call site brings (a closure, a type to read) is wrapped by a generic function of a
//! few lines; sending, the loop over the rows and the handling of failures are compiled once.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use purser_core::error::{Error, Result};
use purser_core::ids::IdBlock;
use uuid::Uuid;

use super::bulk::Bulk;
use super::checkpoint::FULL_BYTES;
use super::error::{Kind, database_error};
use super::file_watch::FileWatch;
use super::postgres::{self, PgConnection};
use super::sql::params_of;
use super::sqlite::{self, BulkStatements};
use super::{AsSql, Row, Sql, Val};
use crate::statement_count;
use crate::system::System;

/// Keys that PostgreSQL gets with one statement.
const KEYS_PER_LOOKUP: usize = 5_000;

/// An open transaction. It commits when the closure that got it returns `Ok`.
pub struct Tx<'a> {
    connection: Connection<'a>,
    system: &'a System,
    now: Timestamp,
    /// The first failure of a statement: from then on there is nothing but rolling back.
    failed: Option<Kind>,
    /// Rows that an inserter still holds.
    unflushed: u64,
    has_enqueued_jobs: bool,
}

enum Connection<'a> {
    Sqlite {
        connection: &'a rusqlite::Connection,
        bulk: BulkStatements<'a>,
        files: &'a FileWatch,
    },
    Postgres(&'a mut PgConnection),
    /// Another [`Tx`] has it for a while.
    Lent,
}

/// What is done with each row. Not a type parameter, so that the loops are compiled once.
pub(super) type Visit<'v> = dyn FnMut(&Row<'_>) -> Result<()> + 'v;

/// Directories to which only one writer at a time may write, whatever family it is for.
#[derive(Debug, Clone, Copy)]
pub enum DirectoryLock {
    /// Numbering of families, and "is there any user".
    Families,
    /// Changes of the schema.
    Schema,
}

/// Which database it is, for the texts of migrations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl<'a> Tx<'a> {
    pub(super) fn sqlite(
        connection: &'a rusqlite::Connection,
        files: &'a FileWatch,
        system: &'a System,
    ) -> Self {
        let bulk = BulkStatements::default();
        Self::new(Connection::Sqlite { connection, bulk, files }, system)
    }

    pub(crate) fn postgres(connection: &'a mut PgConnection, system: &'a System) -> Self {
        Self::new(Connection::Postgres(connection), system)
    }

    fn new(connection: Connection<'a>, system: &'a System) -> Self {
        Self {
            connection,
            system,
            now: system.now(),
            failed: None,
            unflushed: 0,
            has_enqueued_jobs: false,
        }
    }

    /// The time at which the transaction began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Takes the time again, after waiting.
    pub(crate) fn take_time(&mut self) {
        self.now = self.system.now();
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self.connection {
            Connection::Sqlite { .. } => Dialect::Sqlite,
            Connection::Postgres(_) | Connection::Lent => Dialect::Postgres,
        }
    }

    /// Whether SQLite's log is so large that the transaction should end if that is possible.
    pub fn has_filled_log(&self) -> bool {
        let Connection::Sqlite { files, .. } = &self.connection else { return false };
        files.look().is_ok_and(|size| size >= FULL_BYTES)
    }

    /// Executes text of several statements, for migrations.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        self.check_usable()?;
        let result = match &mut self.connection {
            Connection::Sqlite { connection, .. } => sqlite::script(connection, text),
            Connection::Postgres(connection) => connection.script(text),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// The day of [`Tx::now`], UTC.
    pub fn today(&self) -> Date {
        self.now.to_zoned(TimeZone::UTC).date()
    }

    /// A new id, larger than every one before.
    pub fn new_id(&mut self) -> Result<Uuid> {
        Ok(self.reserve_ids(1)?.get(0))
    }

    /// Reserves new ids that follow each other.
    pub fn reserve_ids(&mut self, count: u64) -> Result<IdBlock> {
        self.system.reserve_ids(self.now, count)
    }

    /// Executes a statement and returns how many rows it changed.
    pub fn execute(&mut self, sql: &dyn AsSql, params: &[Val<'_>]) -> Result<u64> {
        self.check_usable()?;
        let result = params_of(sql, params).and_then(|params| match &mut self.connection {
            Connection::Sqlite { connection, .. } => sqlite::execute(connection, sql, params),
            Connection::Postgres(connection) => postgres::execute(connection, sql, params),
            Connection::Lent => Err(lent()),
        });
        self.sent(result)
    }

    /// Reads at most one row; more than one is a defect.
    pub fn query_opt<T>(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut found = None;
        self.visit_one(sql, params, &mut |row| {
            found = Some(read(row)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Reads exactly one row; none is a defect.
    pub fn query_one<T>(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        match self.query_opt(sql, params, read)? {
            Some(found) => Ok(found),
            None => Err(Error::internal(format!("no row: {}", sql.postgres_text()))),
        }
    }

    /// Reads all rows of the answer.
    pub fn query<T>(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut rows = Vec::new();
        self.visit_rows(sql, params, &mut |row| {
            rows.push(read(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Visits the rows one by one as they come; an error of the visitor ends the reading.
    pub fn for_each(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        mut visit: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.visit_rows(sql, params, &mut visit)
    }

    /// Visits the rows of one statement for many keys, in any order. The keys are its last
    /// parameter, which is in `= ANY($n)`; they are of one type and each is given once.
    ///
    /// SQLite is fastest with one prepared statement that gets key after key, PostgreSQL with few
    /// round trips.
    pub fn lookup(
        &mut self,
        sql: &Sql,
        params: &[Val<'_>],
        keys: &[Val<'_>],
        mut visit: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        self.visit_keys(sql, params, keys, &mut visit)
    }

    fn visit_one(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let mut is_first = true;
        self.visit_rows(sql, params, &mut |row| {
            if !std::mem::take(&mut is_first) {
                return Err(Error::internal(format!("several rows: {}", sql.postgres_text())));
            }
            visit(row)
        })
    }

    fn visit_rows(
        &mut self,
        sql: &dyn AsSql,
        params: &[Val<'_>],
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        self.check_usable()?;
        let result = params_of(sql, params).and_then(|params| match &mut self.connection {
            Connection::Sqlite { connection, .. } => {
                sqlite::for_each(connection, sql, params, visit)
            }
            Connection::Postgres(connection) => postgres::for_each(connection, sql, params, visit),
            Connection::Lent => Err(lent()),
        });
        self.sent(result)
    }

    fn visit_keys(
        &mut self,
        sql: &Sql,
        params: &[Val<'_>],
        keys: &[Val<'_>],
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        self.check_usable()?;
        let result = match &mut self.connection {
            Connection::Sqlite { connection, .. } => {
                sqlite::lookup(connection, sql, params, keys, visit)
            }
            Connection::Postgres(connection) => keys
                .chunks(KEYS_PER_LOOKUP)
                .try_for_each(|keys| postgres::lookup(connection, sql, params, keys, visit)),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// Lets the writers of a directory in one at a time, until the end of the transaction. SQLite
    /// has one writer anyway.
    pub fn lock_directory(&mut self, lock: DirectoryLock) -> Result<()> {
        self.check_usable()?;
        let result = match &mut self.connection {
            Connection::Sqlite { .. } => Ok(()),
            Connection::Postgres(connection) => postgres::lock_directory(connection, lock),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// What SQLite finds damaged in its own file; `None` on another database.
    pub(crate) fn sqlite_integrity(&mut self) -> Result<Option<Vec<String>>> {
        self.check_usable()?;
        let result = match &self.connection {
            Connection::Sqlite { connection, .. } => sqlite::integrity(connection).map(Some),
            Connection::Postgres(_) => Ok(None),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// Whether rows can be buffered and sent together.
    pub(super) fn sends_in_batches(&self) -> bool {
        matches!(self.connection, Connection::Postgres(_))
    }

    /// Inserts one row through a statement that stays prepared; SQLite only.
    pub(super) fn insert_row(&mut self, bulk: &'static Bulk, row: &[Val<'_>]) -> Result<()> {
        self.check_usable()?;
        let result = match &mut self.connection {
            Connection::Sqlite { connection, bulk: statements, .. } => {
                statements.insert(connection, bulk, row)
            }
            Connection::Postgres(_) => Err(Error::internal("rows are sent in batches")),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// Sends buffered columns; PostgreSQL only.
    pub(super) fn insert_columns(
        &mut self,
        sql: &str,
        columns: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<u64> {
        self.check_usable()?;
        let result = match &mut self.connection {
            Connection::Sqlite { .. } => Err(Error::internal("rows are inserted one by one")),
            Connection::Postgres(connection) => connection.execute(sql, columns),
            Connection::Lent => Err(lent()),
        };
        self.sent(result)
    }

    /// Counts rows that an inserter took and has not been asked to flush.
    pub(super) fn note_pushed(&mut self) {
        self.unflushed += 1;
    }

    /// Counts an inserter's rows as flushed.
    pub(super) fn note_flushed(&mut self, rows: u64) {
        self.unflushed = self.unflushed.saturating_sub(rows);
    }

    /// Why the transaction can't be committed although its closure returned `Ok`, if so.
    pub(crate) fn check_committable(&self) -> Result<()> {
        self.check_usable()?;
        if self.unflushed > 0 {
            return Err(Error::internal(format!("{} rows were not flushed", self.unflushed)));
        }
        Ok(())
    }

    /// Notes that the workers have something to do once this is committed.
    pub(crate) fn note_enqueued_job(&mut self) {
        self.has_enqueued_jobs = true;
    }

    /// Whether the workers have something to do once this is committed.
    pub(crate) fn has_enqueued_jobs(&self) -> bool {
        self.has_enqueued_jobs
    }

    /// Runs a part of the transaction that needs to own it. Until it returns this one can't be
    /// used, and if it panics never again.
    pub(crate) fn lend<T>(&mut self, work: impl FnOnce(Self) -> (Self, T)) -> T {
        let lent = Self::new(Connection::Lent, self.system);
        let (returned, result) = work(std::mem::replace(self, lent));
        *self = returned;
        result
    }

    /// Why a statement failed, if one did.
    pub(crate) fn failure(&self) -> Option<Kind> {
        self.failed
    }

    fn check_usable(&self) -> Result<()> {
        match self.failed {
            None => Ok(()),
            Some(kind) => {
                Err(Error::internal(format!("a statement of this transaction failed: {kind:?}")))
            }
        }
    }

    /// Counts a statement, and notes its failure.
    fn sent<T>(&mut self, result: Result<T>) -> Result<T> {
        statement_count::sent();
        if let Err(error) = &result
            && let Some(failure) = database_error(error)
        {
            self.failed = self.failed.or(Some(failure.kind));
        }
        result
    }
}

fn lent() -> Error {
    Error::internal("a part of the transaction has it for itself")
}
