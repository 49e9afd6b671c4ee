//! The queue of background jobs, a table beside the data that they work on.
//!
//! A job is enqueued in the transaction that makes it necessary; the commit wakes the workers of
//! this process ([`Store::job_queued`]). A worker claims it with a lease and a fencing token; its
//! effects and [`complete`] are one commit, which checks the token, so a worker that lost its lease
//! can't finish. A family has at most one running job, which an index enforces.
//!
//! Only failures of a job's own count as its tries. What the environment does to it (the disk is
//! full, the database is away, the process is stopped or killed) makes it wait: see
//! [`waits_for`]. Deaths of the process (`deaths.rs`), and statements that run into their time
//! limit ([`wait_longer`]), are counted apart from tries and from each other.
//!
//! Times are those of the machine's clock. If that was ahead and is put right, nothing waits for
//! the hour that it was: a time further off than the longest wait counts as one that has come.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::JobId;
use serde_json::Value;

use crate::access::Access;
use crate::audit::Actor;
use crate::driver::{Sql, Tx, is_conflict, is_unique_violation, statements, vals};
use crate::families::FamilyId;
use crate::store::Store;

mod deaths;
mod enqueue;
mod operating;
#[cfg(test)]
mod tests;

pub use crate::driver::is_time_limit;
pub(crate) use deaths::release_restored;
pub use deaths::{release_all, release_of};
pub use enqueue::{enqueue, enqueue_later, enqueue_or_widen, forget, forget_dedupe_key};
pub use operating::{
    Counts, JobRecord, State, counts, find, is_given_up, is_live, list, remove, retry, waiting,
};

statements! {
    /// A job with a worker that is gone.
    PICK_EXPIRED = "SELECT id FROM jobs
        WHERE state = 'running' AND (NOT lease_until > $1 OR lease_until > $2)
        ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED";
    /// The next job of a family that has none running.
    PICK_DUE = "SELECT j.id FROM jobs j WHERE j.state = 'queued'
            AND (NOT j.run_at > $1 OR j.run_at > $2)
            AND NOT EXISTS (SELECT 1 FROM jobs r
                WHERE r.family_id = j.family_id AND r.state = 'running')
        ORDER BY j.run_at, j.id LIMIT 1 FOR UPDATE SKIP LOCKED";
    /// Whether a claim could find anything; takes no lock.
    ANY_CLAIMABLE = "SELECT 1 FROM jobs
        WHERE (state = 'queued' AND (NOT run_at > $1 OR run_at > $2))
            OR (state = 'running' AND (NOT lease_until > $1 OR lease_until > $2)) LIMIT 1";
    /// Whether a family has something to be done now.
    ANY_DUE = "SELECT 1 FROM jobs WHERE family_id = $1 AND state = 'queued'
        AND (NOT run_at > $2 OR run_at > $3) LIMIT 1";
    /// Takes a job for a worker.
    CLAIM = "UPDATE jobs SET state = 'running', lease_token = lease_token + 1, lease_owner = $1,
            lease_until = $2, deaths = deaths
                + CASE WHEN state = 'running' AND lease_owner <> $1 THEN 1 ELSE 0 END
        WHERE id = $3
        RETURNING family_id, kind, payload, lease_token, attempts, attempts_max, deaths";
    /// Yields: the other queued jobs of a family are done after those of all other families. A job
    /// that another node is about to claim is left out, because that node waits for this
    /// transaction.
    YIELD_TO_OTHER_FAMILIES = "UPDATE jobs SET run_at = $1 WHERE id IN (SELECT id FROM jobs
        WHERE family_id = $2 AND state = 'queued' AND NOT run_at > $1
        FOR UPDATE SKIP LOCKED)";
    /// Gives a job back that has not ended, but had its time.
    GIVE_BACK = "UPDATE jobs SET state = 'queued', run_at = $1, lease_owner = NULL,
            lease_until = NULL, deaths = 0, time_limits = 0
        WHERE id = $2 AND lease_token = $3 AND state = 'running'";
    /// Renews the lease of a job. A row that its worker's own commit holds is left out: nobody
    /// else takes the job meanwhile, and the renewals of other jobs come after this one.
    RENEW = "UPDATE jobs SET lease_until = $1
        WHERE id IN (SELECT id FROM jobs
            WHERE id = $2 AND lease_token = $3 AND state = 'running'
            FOR UPDATE SKIP LOCKED)";
    /// Whether a lease is still held.
    HELD = "SELECT 1 FROM jobs WHERE id = $1 AND lease_token = $2 AND state = 'running'";
    /// How often in a row the time limit of statements has ended a try of a job.
    TIME_LIMITS = "SELECT time_limits FROM jobs
        WHERE id = $1 AND lease_token = $2 AND state = 'running'";
    /// Forgets how often in a row the time limit has ended a try of a job.
    FORGET_TIME_LIMITS = "UPDATE jobs SET time_limits = 0
        WHERE id = $1 AND lease_token = $2 AND state = 'running' AND time_limits > 0";
    /// Removes a job that is done.
    COMPLETE = "DELETE FROM jobs WHERE id = $1 AND lease_token = $2 AND state = 'running'";
    /// Gives a job back after a failure.
    FAIL = "UPDATE jobs SET state = $1, run_at = $2, attempts = $3, last_error = $4,
            lease_owner = NULL, lease_until = NULL, deaths = 0, time_limits = $5
        WHERE id = $6 AND lease_token = $7 AND state = 'running'";
}

/// Every statement of the queue, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 4] {
    [
        ("jobs", STATEMENTS),
        ("jobs::deaths", deaths::STATEMENTS),
        ("jobs::enqueue", enqueue::STATEMENTS),
        ("jobs::operating", operating::STATEMENTS),
    ]
}

/// The wait before the second try; each later one is four times as long.
const BACKOFF_SECONDS: i64 = 1;
/// The longest wait before another try.
const BACKOFF_SECONDS_MAX: i64 = 300;
/// How far the clocks of nodes may be apart. What is to wait for longer than the longest wait and
/// this was queued by a clock that was far ahead: it is due.
pub(crate) const CLOCKS_APART_SECONDS: i64 = 60;
/// The wait of a job that the environment stopped, before it looks again.
const ENVIRONMENT_SECONDS: i64 = 5;
/// What is kept of an error's text.
const ERROR_CHARS_MAX: usize = 2_000;
/// Claims that another node was faster with, before the poll gives up for now.
const CLAIM_TRIES: u32 = 5;

/// A job that this process may work on until its lease ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The id of the job.
    pub id: JobId,
    /// The family that it works for.
    pub family: FamilyId,
    /// What is to be done.
    pub kind: String,
    /// The arguments of the job.
    pub payload: Value,
    /// The fencing token, which grows with every claim.
    pub token: i64,
    /// The number of tries that failed.
    pub attempts: u32,
    /// The number of tries that are allowed.
    pub attempts_max: u32,
    /// How often in a row the process ended while it ran.
    pub deaths: u32,
}

impl ClaimedJob {
    /// Access to everything of the family that the job works for.
    pub fn access(&self, actor: Actor) -> Access {
        Access::whole(self.family, actor)
    }
}

/// What became of a job that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It will be tried again.
    Retry {
        /// The time before which it isn't claimed.
        at: Timestamp,
    },
    /// It stays as `failed`; the thing that it worked on must be marked in the same transaction.
    Final,
}

/// Whether a job of the family waits and is due.
pub fn is_due(tx: &mut Tx<'_>, family: FamilyId) -> Result<bool> {
    let (now, latest) = due(tx)?;
    Ok(tx.query_opt(&ANY_DUE, vals![family, now, latest], |_| Ok(()))?.is_some())
}

/// Claims the job that is due longest, in a transaction of its own. Blocks.
pub fn claim(store: &Store, owner: &str, lease: Duration) -> Result<Option<ClaimedJob>> {
    for _ in 0..CLAIM_TRIES {
        // Polls find nothing most of the time; they don't wait for the writer.
        let any = store.read_directory_blocking(|tx| {
            let (now, latest) = due(tx)?;
            Ok(tx.query_opt(&ANY_CLAIMABLE, vals![now, latest], |_| Ok(()))?.is_some())
        })?;
        if !any {
            return Ok(None);
        }
        match store.write_directory_blocking(|tx| claim_in(tx, owner, lease)) {
            // Another node began a job of the same family at the same time.
            Err(error) if is_unique_violation(&error, "jobs_running") => {}
            result => return result,
        }
    }
    Ok(None)
}

fn claim_in(tx: &mut Tx<'_>, owner: &str, lease: Duration) -> Result<Option<ClaimedJob>> {
    let (now, latest) = due(tx)?;
    let times = vals![now, latest];
    let id: Option<JobId> = match tx.query_opt(&PICK_EXPIRED, times, |row| row.id(0))? {
        Some(id) => Some(id),
        None => tx.query_opt(&PICK_DUE, times, |row| row.id(0))?,
    };
    let Some(id) = id else { return Ok(None) };
    let until = lease_end(now, lease)?;
    let job = tx.query_one(&CLAIM, vals![owner, until, id], |row| {
        Ok(ClaimedJob {
            id,
            family: FamilyId::from_number(row.int(0)?),
            kind: row.string(1)?,
            payload: json(row.text(2)?)?,
            token: row.int(3)?,
            attempts: u32::try_from(row.int(4)?).map_err(Error::internal)?,
            attempts_max: u32::try_from(row.int(5)?).map_err(Error::internal)?,
            deaths: u32::try_from(row.int(6)?).map_err(Error::internal)?,
        })
    })?;
    // So families take turns, however much one of them asks for.
    tx.execute(&YIELD_TO_OTHER_FAMILIES, vals![now, job.family])?;
    Ok(Some(job))
}

/// Puts a job back into the queue, behind the jobs of other families. It is for long jobs that
/// store their progress and continue later.
pub fn give_back(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<()> {
    let now = tx.now();
    // All of the family's together, so that their order stays.
    tx.execute(&YIELD_TO_OTHER_FAMILIES, vals![now, job.family])?;
    held(tx.execute(&GIVE_BACK, vals![now, job.id, job.token])?)
}

/// Renews the lease for `lease` from now; [`is_lease_lost`] if another worker has the job, or if a
/// commit of this one is about to end it. It doesn't wait for that: the commit may hang.
pub fn renew(tx: &mut Tx<'_>, job: &ClaimedJob, lease: Duration) -> Result<()> {
    let until = lease_end(tx.now(), lease)?;
    let kept = tx.execute(&RENEW, vals![until, job.id, job.token])?;
    held(kept)
}

/// Fails if this worker has lost the lease, in a transaction with only a part of the job's effects.
/// It is for SQLite, where the one writer keeps the answer true until the commit.
pub fn hold(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<()> {
    let found = tx.query_opt(&HELD, vals![job.id, job.token], |_| Ok(()))?;
    held(u64::from(found.is_some()))
}

/// Ends a part of the job's effects, in the transaction of that part, which the job doesn't do
/// again: it gets on, so time limits before that don't count. Fails as [`hold`] does.
pub fn end_part(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<()> {
    hold(tx, job)?;
    tx.execute(&FORGET_TIME_LIMITS, vals![job.id, job.token]).map(drop)
}

/// Removes a job in the transaction of its effects; an error if the lease was lost, so that the
/// effects are rolled back.
pub fn complete(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<()> {
    let removed = tx.execute(&COMPLETE, vals![job.id, job.token])?;
    held(removed)
}

/// Notes a failure: another try after 1 s, 4 s, 16 s…, or the end. `error` is for operators.
pub fn fail(tx: &mut Tx<'_>, job: &ClaimedJob, error: &str) -> Result<Failure> {
    let attempts = job.attempts.saturating_add(1);
    let outcome = if attempts >= job.attempts_max {
        Failure::Final
    } else {
        Failure::Retry { at: in_seconds(tx, backoff(BACKOFF_SECONDS, job.attempts))? }
    };
    match outcome {
        Failure::Retry { at } => end_try(tx, job, ("queued", at), (attempts, 0), error)?,
        Failure::Final => {
            let now = tx.now();
            end_try(tx, job, ("failed", now), (attempts.min(job.attempts_max), 0), error)?;
        }
    }
    Ok(outcome)
}

/// Four times as long with each time before, up to the longest wait.
fn backoff(first_seconds: i64, before: u32) -> i64 {
    let factor = 4_i64.checked_pow(before).unwrap_or(i64::MAX);
    first_seconds.saturating_mul(factor).min(BACKOFF_SECONDS_MAX)
}

/// Gives a job up at once, however many tries it has left. `reason` is for operators.
pub fn give_up(tx: &mut Tx<'_>, job: &ClaimedJob, reason: &str) -> Result<()> {
    let now = tx.now();
    end_try(tx, job, ("failed", now), (job.attempts, 0), reason)
}

/// Gives a job back that the environment stopped: it is tried again within seconds, however often
/// that takes. `reason` is what it waits for.
pub fn wait(tx: &mut Tx<'_>, job: &ClaimedJob, reason: &str) -> Result<()> {
    let at = in_seconds(tx, ENVIRONMENT_SECONDS)?;
    end_try(tx, job, ("queued", at), (job.attempts, 0), reason)
}

/// Gives a job back of which a statement ran into its time limit. That is no try either, because
/// the machine that has the family may hang; but if it always happens it is the job, which keeps
/// its family waiting for a minute each time. So the waits grow up to five minutes, and it is
/// counted ([`time_limits`]), apart from deaths: neither makes the other one more likely.
pub fn wait_longer(tx: &mut Tx<'_>, job: &ClaimedJob, reason: &str) -> Result<()> {
    let before = time_limits(tx, job)?;
    let at = in_seconds(tx, backoff(ENVIRONMENT_SECONDS, before))?;
    end_try(tx, job, ("queued", at), (job.attempts, before.saturating_add(1)), reason)
}

/// How often in a row the time limit of statements ended a try, before this one.
pub fn time_limits(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<u32> {
    let found = tx.query_opt(&TIME_LIMITS, vals![job.id, job.token], |row| row.int(0))?;
    let count = found.ok_or_else(|| Error::internal(LeaseLost))?;
    u32::try_from(count).map_err(Error::internal)
}

fn end_try(
    tx: &mut Tx<'_>,
    job: &ClaimedJob,
    (state, run_at): (&str, Timestamp),
    (attempts, time_limits): (u32, u32),
    error: &str,
) -> Result<()> {
    let error: String = error.chars().take(ERROR_CHARS_MAX).collect();
    let ended = vals![state, run_at, attempts, &error, time_limits, job.id, job.token];
    held(tx.execute(&FAIL, ended)?)
}

/// What a job waits for that failed through no fault of its own, in one sentence: for room on the
/// disk, for the database, or for a lock. A statement's time limit may be no fault of the job
/// either: see [`wait_longer`]. `None` if the failure counts as a try.
pub fn waits_for(error: &Error) -> Option<&str> {
    match error {
        Error::Unavailable { message, .. } if !is_conflict(error) => Some(message),
        Error::WithDetails { source, .. } => waits_for(source),
        _ => None,
    }
}

/// Why a job can't go on: its lease ended, and another worker has taken it over.
#[derive(Debug, thiserror::Error)]
#[error("the job was taken over by another worker")]
struct LeaseLost;

/// Whether an error means that the lease of a job was lost.
pub fn is_lease_lost(error: &Error) -> bool {
    matches!(error, Error::Internal { cause } if cause.is::<LeaseLost>())
}

fn held(rows: u64) -> Result<()> {
    if rows == 1 { Ok(()) } else { Err(Error::internal(LeaseLost)) }
}

/// Up to when a job is due now, and after when again: no wait is that long, on any node.
fn due(tx: &Tx<'_>) -> Result<(Timestamp, Timestamp)> {
    let now = tx.now();
    Ok((now, in_seconds(tx, BACKOFF_SECONDS_MAX + CLOCKS_APART_SECONDS)?))
}

fn in_seconds(tx: &Tx<'_>, seconds: i64) -> Result<Timestamp> {
    tx.now().checked_add(SignedDuration::from_secs(seconds)).map_err(Error::internal)
}

fn json(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(Error::internal)
}

fn lease_end(now: Timestamp, lease: Duration) -> Result<Timestamp> {
    now.checked_add(lease).map_err(Error::internal)
}
