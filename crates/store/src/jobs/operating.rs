//! The queue for those who run the server: what is in it, and another try for what was given up.

use std::collections::HashMap;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::JobId;
use serde_json::Value;

use super::json;
use crate::access::{Access, FamilyTx};
use crate::audit::Actor;
use crate::driver::{Kind, Row, Tx, is_unique_violation, statements, vals};
use crate::families::{self, FamilyId};
use crate::files::{DISK_FAILS, NO_SPACE};

statements! {
    /// All jobs, in the order in which they are claimed.
    JOBS = "SELECT id, family_id, kind, payload, state, attempts, attempts_max, run_at, last_error,
            created_at
        FROM jobs ORDER BY run_at, id";
    /// The job with an id.
    JOB_BY_ID = "SELECT id, family_id, kind, payload, state, attempts, attempts_max, run_at,
            last_error, created_at
        FROM jobs WHERE id = $1";
    /// Why the job with a dedupe key waits for its next try.
    WAITING = "SELECT last_error FROM jobs WHERE family_id = $1 AND dedupe_key = $2
        AND state = 'queued' AND last_error IS NOT NULL";
    /// Whether a job with a dedupe key waits or runs.
    LIVE = "SELECT 1 FROM jobs WHERE family_id = $1 AND dedupe_key = $2
        AND state <> 'failed' LIMIT 1";
    /// Whether a job with a dedupe key was given up.
    GIVEN_UP = "SELECT 1 FROM jobs WHERE family_id = $1 AND dedupe_key = $2
        AND state = 'failed' LIMIT 1";
    /// Queues a job that is not running, with all of its tries.
    RETRY = "UPDATE jobs SET state = 'queued', attempts = 0, deaths = 0, time_limits = 0,
            run_at = $1
        WHERE family_id = $2 AND id = $3 AND state <> 'running'";
    /// Removes a job that was given up.
    REMOVE = "DELETE FROM jobs WHERE family_id = $1 AND id = $2 AND state = 'failed'";
    /// How many jobs there are in each state.
    COUNTS = "SELECT state, CAST(COUNT(*) AS BIGINT) FROM jobs GROUP BY state";
}

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It waits for a worker, or for its next try.
    Queued,
    /// A worker has claimed it.
    Running,
    /// It was given up.
    Failed,
}

impl State {
    /// The name in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Failed => "failed",
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self> {
        [Self::Queued, Self::Running, Self::Failed]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| Error::internal(format!("unknown state of a job: {text}")))
    }
}

/// A job as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRecord {
    /// The id of the job.
    pub id: JobId,
    /// The name of the family that it works for.
    pub family_name: String,
    /// What is to be done.
    pub kind: String,
    /// The arguments of the job.
    pub payload: Value,
    /// The state at present.
    pub state: State,
    /// The number of tries that failed.
    pub attempts: u32,
    /// The number of tries that are allowed.
    pub attempts_max: u32,
    /// The time before which it isn't claimed.
    pub run_at: Timestamp,
    /// What the last try failed of or waits for; it may contain internals.
    pub last_error: Option<String>,
    /// When it was enqueued.
    pub created_at: Timestamp,
    family: FamilyId,
}

impl JobRecord {
    /// Access to everything of the family that the job works for.
    pub fn access(&self, actor: Actor) -> Access {
        Access::whole(self.family, actor)
    }
}

/// How many jobs there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Waiting, also for a later try.
    pub queued: u64,
    /// The number of claimed jobs.
    pub running: u64,
    /// The number of jobs that were given up.
    pub failed: u64,
}

/// How many jobs there are in each state.
pub fn counts(tx: &mut Tx<'_>) -> Result<Counts> {
    let mut counts = Counts::default();
    tx.for_each(&COUNTS, &[], |row| {
        let count = row.count(1)?;
        match State::parse(row.text(0)?)? {
            State::Queued => counts.queued = count,
            State::Running => counts.running = count,
            State::Failed => counts.failed = count,
        }
        Ok(())
    })?;
    Ok(counts)
}

/// All jobs of all families, in the order in which they are claimed.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<JobRecord>> {
    let mut jobs = tx.query(&JOBS, &[], read)?;
    let families = families::list(tx)?.into_iter();
    let names: HashMap<FamilyId, String> = families.map(|one| (one.id, one.name)).collect();
    // A family that was removed meanwhile took its jobs along.
    jobs.retain_mut(|job| {
        let name = names.get(&job.family);
        job.family_name = name.cloned().unwrap_or_default();
        name.is_some()
    });
    Ok(jobs)
}

/// The job with an id, of whichever family.
pub fn find(tx: &mut Tx<'_>, id: JobId) -> Result<JobRecord> {
    let found = tx.query_opt(&JOB_BY_ID, vals![id], read)?;
    let mut job = found.ok_or(Error::NotFound { what: "Job" })?;
    job.family_name = tx.of_family(job.family, families::get)?.name;
    Ok(job)
}

/// Why the job with this dedupe key waits for its next try, in one sentence for people. `None` if
/// it doesn't.
pub fn waiting(tx: &mut FamilyTx<'_>, dedupe_key: &str) -> Result<Option<&'static str>> {
    let key = vals![tx.family(), dedupe_key];
    let reason = tx.query_opt(&WAITING, key, |row| row.string(0))?;
    let kinds = [Kind::Full, Kind::Disk, Kind::Lost, Kind::ReadOnly, Kind::Damaged, Kind::Replaced];
    let known = || kinds.into_iter().filter_map(Kind::sentence);
    let sentence = |reason: String| {
        let known = known().chain([NO_SPACE, DISK_FAILS]).find(|known| *known == reason);
        known.unwrap_or("An error on the server stopped it.")
    };
    Ok(reason.map(sentence))
}

/// Whether the job with this dedupe key waits or runs; false if it is done or was given up.
pub fn is_live(tx: &mut FamilyTx<'_>, dedupe_key: &str) -> Result<bool> {
    let key = vals![tx.family(), dedupe_key];
    Ok(tx.query_opt(&LIVE, key, |_| Ok(()))?.is_some())
}

/// Whether a job with this dedupe key was given up, and nobody has tried it again.
pub fn is_given_up(tx: &mut FamilyTx<'_>, dedupe_key: &str) -> Result<bool> {
    let key = vals![tx.family(), dedupe_key];
    Ok(tx.query_opt(&GIVEN_UP, key, |_| Ok(()))?.is_some())
}

/// Queues a job at once, with all of its tries. A conflict if it runs, or if a live job does the
/// same.
pub fn retry(tx: &mut FamilyTx<'_>, id: JobId) -> Result<()> {
    let key = vals![tx.now(), tx.family(), id];
    let conflict = |message: &str| {
        Err(Error::Conflict { code: "job_not_retryable", message: message.to_owned() })
    };
    match tx.execute(&RETRY, key) {
        Ok(0) => conflict("The job is running, or done by now"),
        Err(error) if is_unique_violation(&error, "jobs_dedupe") => {
            conflict("Another job does the same")
        }
        result => {
            result?;
            tx.note_enqueued_job();
            Ok(())
        }
    }
}

/// Removes a job that was given up and with which nothing is left to do.
pub fn remove(tx: &mut FamilyTx<'_>, id: JobId) -> Result<()> {
    let key = vals![tx.family(), id];
    tx.execute(&REMOVE, key).map(drop)
}

/// A job, with the name of its family still to be read.
fn read(row: &Row<'_>) -> Result<JobRecord> {
    Ok(JobRecord {
        id: row.id(0)?,
        family: FamilyId::from_number(row.int(1)?),
        family_name: String::new(),
        kind: row.string(2)?,
        payload: json(row.text(3)?)?,
        state: State::parse(row.text(4)?)?,
        attempts: u32::try_from(row.int(5)?).map_err(Error::internal)?,
        attempts_max: u32::try_from(row.int(6)?).map_err(Error::internal)?,
        run_at: row.timestamp(7)?,
        last_error: row.opt_string(8)?,
        created_at: row.timestamp(9)?,
    })
}
