//! Runs closures in transactions of PostgreSQL.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use purser_core::error::Result;

use super::Tx;
use super::damage::Damage;
use super::database::{Lane, Work, WritePermit, run};
use super::error::{Kind, database_error};
use super::pool::{Loan, Permit, Pool};
use super::postgres::{Accepted, PgConnection, Settings, Workers, check_server};
use super::read_limit::{POSTGRES_BEGIN, ReadLimit};
use crate::secret::Secret;
use crate::statement_count;
use crate::system::System;

/// How often a closure is run if its transaction conflicts with others.
const ATTEMPTS_MAX: u32 = 8;
/// Connections to PostgreSQL for what families write aside.
pub(crate) const ASIDE_CONNECTIONS: usize = 2;
/// The wait after the first; it doubles.
const BACKOFF_MILLIS: u64 = 5;

pub(crate) struct PgDatabase {
    pool: Pool<PgConnection>,
    damage: Damage,
    workers: Workers,
    /// A connection for what must not wait until others are done.
    urgent: Pool<PgConnection>,
    /// Connections for what families write aside.
    aside: Pool<PgConnection>,
    /// Whether families are spread over machines, of which one may hang.
    is_distributed: AtomicBool,
}

impl PgDatabase {
    pub(super) fn open(url: &Secret, connections: usize, accepted: Accepted) -> Result<Self> {
        let settings = Settings::parse(url)?;
        let (for_urgent, for_aside) = (settings.clone(), settings.clone());
        let pool = Pool::new(connections, move || settings.connect());
        let workers = check_server(pool.take(pool.permit_blocking()?)?.get()?, accepted)?;
        Ok(Self {
            pool,
            damage: Damage::default(),
            workers,
            urgent: Pool::new(1, move || for_urgent.connect()),
            aside: Pool::new(ASIDE_CONNECTIONS, move || for_aside.connect()),
            is_distributed: AtomicBool::new(false),
        })
    }

    pub(super) async fn read_permit(&self) -> Result<Permit> {
        self.pool.permit().await
    }

    /// Refuses to write where that would do harm or be lost, as far as that is known.
    pub(super) fn refuse_writes(&self) -> Result<()> {
        self.damage.refuse()?;
        self.workers.refuse()
    }

    /// Remembers damage in the result of a transaction.
    pub(super) fn note(&self, result: &Result<()>) {
        self.damage.note(result);
    }

    /// Whether families are spread over machines.
    pub(crate) fn is_distributed(&self) -> bool {
        self.is_distributed.load(Ordering::Relaxed)
    }

    /// Notes whether families are spread over machines.
    pub(crate) fn note_distributed(&self, is_distributed: bool) {
        self.is_distributed.store(is_distributed, Ordering::Relaxed);
    }

    /// Whether every machine behind the database was asked what it promises.
    pub(crate) fn knows_machines(&self) -> bool {
        self.workers.is_settled()
    }

    /// Asks the machines again of which one was away or gave a bad answer.
    pub(crate) fn ask_machines(&self, permit: Permit) -> Result<()> {
        let mut loan = self.pool.take(permit)?;
        if loan.get()?.is_stale() {
            loan.reconnect()?;
        }
        let asked = self.workers.ask_again(loan.get()?);
        if loan.get()?.is_closed() {
            loan.discard();
        }
        asked
    }

    pub(super) fn lane(&self, lane: Lane) -> &Pool<PgConnection> {
        match lane {
            Lane::Common => &self.pool,
            Lane::Urgent => &self.urgent,
            Lane::Aside => &self.aside,
        }
    }

    pub(super) fn read(
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
        let is_distributed = self.is_distributed();
        let begin = limit.map_or(POSTGRES_BEGIN, |limit| limit.postgres_begin(is_distributed));
        connection.begin(begin);
        let (_, result) = run(Tx::postgres(connection, system), work);
        connection.end_read();
        statement_count::sent();
        if connection.is_closed() {
            loan.discard();
        }
        result
    }

    pub(super) fn write(
        &self,
        permit: WritePermit,
        system: &System,
        work: &mut Work<'_>,
    ) -> Result<()> {
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
        clients.extend(self.aside.drain());
        if !clients.is_empty() {
            let _ = std::thread::Builder::new().spawn(move || drop(clients));
        }
    }
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
