//! The store: runs closures in transactions, on threads that may block.
//!
//! Hundreds of places bring a closure of their own. They are boxed at once, and so are their
//! results, so that waiting, the blocking thread and the transaction are compiled once.

mod boxed;
mod briefly;
mod founding;
mod long_reads;
mod machines;
mod reading;
mod sweep;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use purser_core::error::Result;
use tokio::sync::Notify;
use uuid::Uuid;

pub use briefly::is_busy;
pub(crate) use sweep::Turn;

use boxed::{
    BoxedFamilyWork, BoxedValue, BoxedWork, FamilyWork, on_blocking_thread, once, unboxed,
    with_access_briefly, with_every_family, without_a_run,
};

use crate::access::{Access, FamilyTx};
use crate::driver::{
    ASIDE_CONNECTIONS, Accepted, Database, Lane, ReadLimit, Tx, Work, WritePermit, block_on,
};
use crate::lock::require_local;
use crate::secret::Secret;
use crate::shares::{Holder, Share, Shares};
use crate::system::{Clock, System, SystemClock};
use crate::{distribution, migrations};

const READERS_DEFAULT: usize = 4;
const POSTGRES_CONNECTIONS_DEFAULT: usize = 8;

/// The database to open.
#[derive(Debug, Clone)]
pub enum Target {
    /// The path of the database file; it is created if it is not there, its directory is not.
    Sqlite(PathBuf),
    /// The address, such as `postgres://user:password@host:5432/name`.
    Postgres(Secret),
}

/// How to open a store.
#[derive(Clone)]
pub struct StoreOptions {
    /// The database to open.
    pub target: Target,
    /// The source of the time.
    pub clock: Arc<dyn Clock>,
    /// Readers of SQLite or connections to PostgreSQL, if not the default. Beside them SQLite has
    /// one for writing, and PostgreSQL one for urgent writes and two for writes aside.
    pub connections: Option<usize>,
    /// Accept a PostgreSQL server that may forget commits in a power cut: for tests only.
    pub allow_volatile: bool,
    /// Accept a role of PostgreSQL to which row-level security doesn't apply.
    pub allow_superuser: bool,
}

impl StoreOptions {
    /// The defaults: the machine's clock, four readers or eight connections.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            clock: Arc::new(SystemClock),
            connections: None,
            allow_volatile: false,
            allow_superuser: false,
        }
    }
}

/// The database, shared by all parts of the program; cheap to clone.
///
/// A closure must not call the store again: it would wait for the connection that it holds.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    database: Database,
    system: System,
    /// The connections for reading, and of PostgreSQL for writing too. A family has at most a third
    /// of them at a time, and there more than one only if as many are left for other families.
    connections: Arc<Shares>,
    /// One write of a family at a time: on SQLite it would have several places in the one line for
    /// the writer, on PostgreSQL several connections that wait for each other.
    writes: Arc<Shares>,
    /// What families write aside, one write of each at a time.
    asides: Arc<Shares>,
    job_queued: Notify,
}

impl Store {
    /// Opens the database and brings its schema up to date. SQLite on a network file system is
    /// refused. Blocks: not for asynchronous code.
    pub fn open(options: StoreOptions) -> Result<Self> {
        let store = Self::open_as_it_is(options)?;
        migrations::run(&store)?;
        distribution::require_whole(&store)?;
        store.note_distributed()?;
        Ok(store)
    }

    /// As [`Store::open`], with whatever schema the database has: for a restore, which builds it.
    pub(crate) fn open_as_it_is(options: StoreOptions) -> Result<Self> {
        let default = match &options.target {
            Target::Sqlite(_) => READERS_DEFAULT,
            Target::Postgres(_) => POSTGRES_CONNECTIONS_DEFAULT,
        };
        let connections = options.connections.unwrap_or(default).max(1);
        let database = match &options.target {
            Target::Sqlite(path) => {
                require_local(directory_of(path))?;
                Database::open_sqlite(path, connections)?
            }
            Target::Postgres(url) => {
                let accepted = Accepted {
                    volatile: options.allow_volatile,
                    superuser: options.allow_superuser,
                };
                Database::open_postgres(url, connections, accepted)?
            }
        };
        let total = connections as u64;
        let part = total.div_ceil(3);
        // The rows of a family may be on a machine that hangs; of SQLite reads end.
        let kept_back = if matches!(database, Database::Postgres(_)) { part } else { 0 };
        Ok(Self(Arc::new(Inner {
            database,
            system: System::new(options.clock),
            connections: Shares::keeping_back(total, part, kept_back),
            writes: Shares::new(u64::MAX, 1),
            asides: Shares::new(ASIDE_CONNECTIONS as u64, 1),
            job_queued: Notify::new(),
        })))
    }

    /// Whether the database is SQLite, where this process is the only server.
    pub fn is_sqlite(&self) -> bool {
        matches!(self.0.database, Database::Sqlite(_) | Database::Copy(_))
    }

    /// Now, by the store's clock.
    pub fn now(&self) -> Timestamp {
        self.0.system.now()
    }

    /// A new id, for what is named before its transaction begins.
    pub fn new_id(&self) -> Result<Uuid> {
        Ok(self.0.system.reserve_ids(self.now(), 1)?.get(0))
    }

    /// Wakes one of those who wait: a transaction that enqueued a job was committed.
    pub fn job_queued(&self) -> &Notify {
        &self.0.job_queued
    }

    /// Reads data of one family in one snapshot. A statement that takes longer than half a minute
    /// is ended on PostgreSQL (ten seconds where families are spread over machines, of which one
    /// may hang); on SQLite a read that takes longer than that, or that nobody waits for any more.
    pub async fn read<T, F>(&self, access: impl Into<Access>, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        self.read_within(ReadLimit::default(), access.into(), work).await
    }

    /// Reads directories in one snapshot: sign-in names, hashes of keys, jobs. Nothing of a family
    /// is read with it: everybody waits for these connections.
    pub async fn read_directory<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let mut work = Some(work);
        let boxed: BoxedWork = Box::new(move |tx| Ok(Box::new(once(&mut work)?(tx)?)));
        unboxed(self.read_boxed(Holder::NOBODY, None, with_every_family(boxed)).await?)
    }

    /// Writes data of one family. The closure may run several times, each time from the start of a
    /// new transaction. Once it has begun it is carried to its end even if the caller goes away.
    pub async fn write<T, F>(&self, access: impl Into<Access>, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        unboxed(self.write_in_turn(access.into(), boxed).await?)
    }

    /// Writes directories, such as claims of jobs. What belongs to a family is written with
    /// [`Store::write`].
    pub async fn write_directory<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let work = with_every_family(boxed);
        unboxed(self.write_boxed(Holder::NOBODY, Lane::Common, work).await?)
    }

    /// As [`Store::write_directory`], on a connection that is kept for this: for writes of a moment
    /// that must not wait until others are done, such as renewals of leases. On SQLite they do
    /// wait: it has one writer.
    pub async fn write_urgent<T, F>(&self, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let work = with_every_family(boxed);
        unboxed(self.write_boxed(Holder::NOBODY, Lane::Urgent, work).await?)
    }

    /// Whether the database takes writes: an error with the reason if not. It doesn't wait for
    /// other writes: of SQLite only what is known by now counts.
    pub async fn require_writable(&self) -> Result<()> {
        self.0.database.refuse_writes()?;
        if self.is_sqlite() { Ok(()) } else { self.write_urgent(migrations::touch).await }
    }

    /// Writes of a family what no other write depends on, such as how far a job is: a moment's
    /// work, which waits neither for the family's other writes nor in the common line, but for what
    /// else the family writes aside. On PostgreSQL it ends soon if the family's rows don't answer,
    /// because other families wait for the same connections.
    pub async fn write_aside<T, F>(&self, access: Access, mut work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    {
        let boxed: BoxedFamilyWork = Box::new(move |tx| Ok(Box::new(work(tx)?)));
        let holder = Holder::from(&access);
        let work = with_access_briefly(access, boxed);
        unboxed(self.write_boxed(holder, Lane::Aside, work).await?)
    }

    /// As [`Store::read`], for threads that may block.
    pub fn read_blocking<T>(
        &self,
        access: impl Into<Access>,
        work: impl FnOnce(&mut FamilyTx<'_>) -> Result<T>,
    ) -> Result<T> {
        let (mut work, mut value) = (Some(work), None);
        self.0.read_family(access.into(), &mut |tx| {
            value = Some(once(&mut work)?(tx)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }

    /// As [`Store::read_directory`], for threads that may block.
    pub fn read_directory_blocking<T>(
        &self,
        work: impl FnOnce(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let (mut work, mut value) = (Some(work), None);
        self.0.read(Holder::NOBODY, &mut |tx| {
            value = Some(tx.with_every_family(once(&mut work)?)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }

    /// As [`Store::write`], for threads that may block.
    pub fn write_blocking<T>(
        &self,
        access: impl Into<Access>,
        mut work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut value = None;
        self.0.write_family(access.into(), &mut |tx| {
            value = Some(work(tx)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }

    /// As [`Store::write_directory`], for threads that may block.
    pub fn write_directory_blocking<T>(
        &self,
        mut work: impl FnMut(&mut Tx<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut value = None;
        self.0.write(Holder::NOBODY, &mut |tx| {
            value = Some(tx.with_every_family(&mut work)?);
            Ok(())
        })?;
        value.ok_or_else(without_a_run)
    }

    /// As [`Store::write_aside`], for threads that may block.
    pub fn write_aside_blocking<T>(
        &self,
        access: Access,
        mut work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>,
    ) -> Result<T> {
        self.write_directory_blocking(|tx| tx.with_access_briefly(access.clone(), &mut work))
    }

    async fn read_boxed(
        &self,
        holder: Holder,
        limit: Option<ReadLimit>,
        mut work: BoxedWork,
    ) -> Result<BoxedValue> {
        let connection = self.0.connections.take(holder, 1).await?;
        let permit = self.0.database.read_permit().await?;
        let inner = self.0.clone();
        on_blocking_thread(move || {
            let mut value = None;
            let result = inner.database.read(permit, limit.as_ref(), &inner.system, &mut |tx| {
                value = Some(work(tx)?);
                Ok(())
            });
            drop(connection);
            result.and_then(|()| value.ok_or_else(without_a_run))
        })
        .await
    }
}

impl Inner {
    fn read(&self, holder: Holder, work: &mut Work<'_>) -> Result<()> {
        let _connection = block_on(self.connections.take(holder, 1))?;
        let permit = block_on(self.database.read_permit())?;
        self.database.read(permit, None, &self.system, work)
    }

    fn read_family(&self, access: Access, work: &mut FamilyWork<'_>) -> Result<()> {
        self.read(Holder::from(&access), &mut |tx| tx.with_access(access.clone(), &mut *work))
    }

    fn write(&self, holder: Holder, work: &mut Work<'_>) -> Result<()> {
        let _connection = block_on(self.connection_to_write(holder, Lane::Common))?;
        let permit = block_on(self.database.write_permit(Lane::Common))?;
        self.write_permitted(permit, work)
    }

    fn write_family(&self, access: Access, work: &mut FamilyWork<'_>) -> Result<()> {
        let holder = Holder::from(&access);
        let _turn = block_on(self.writes.take(holder, 1))?;
        self.write(holder, &mut |tx| tx.with_lock(access.clone(), &mut *work))
    }

    /// A write takes one of the connections that reads take, if it is to use one.
    async fn connection_to_write(&self, holder: Holder, lane: Lane) -> Result<Option<Share>> {
        match (&self.database, lane) {
            (Database::Postgres(_), Lane::Common) => {
                self.connections.take(holder, 1).await.map(Some)
            }
            (Database::Postgres(_), Lane::Aside) => self.asides.take(holder, 1).await.map(Some),
            _ => Ok(None),
        }
    }

    /// Writes, and wakes the workers if that enqueued a job.
    fn write_permitted(&self, permit: WritePermit, work: &mut Work<'_>) -> Result<()> {
        let mut has_enqueued_jobs = false;
        self.database.write(permit, &self.system, &mut |tx| {
            let result = work(tx);
            has_enqueued_jobs = tx.has_enqueued_jobs();
            result
        })?;
        if has_enqueued_jobs {
            self.job_queued.notify_one();
        }
        Ok(())
    }
}

/// The directory that a database file is in.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
