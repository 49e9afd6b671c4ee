//! Adding jobs, and widening those that wait.
//!
//! A family has one live job with a dedupe key.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::JobId;
use purser_core::limits::JOB_ATTEMPTS_MAX;
use serde_json::Value;

use super::{ClaimedJob, LeaseLost, json};
use crate::access::FamilyTx;
use crate::driver::{Row, Tx, statements, vals};
use crate::families::FamilyId;

statements! {
    /// Adds a job, or finds the live one that has its dedupe key.
    ENQUEUE_OR_FIND = "INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at,
            attempts, attempts_max, lease_token, created_at)
        VALUES ($1, $2, $3, $4, $5, 'queued', $6, 0, $7, 0, $8)
        ON CONFLICT (family_id, dedupe_key) WHERE dedupe_key IS NOT NULL AND state <> 'failed'
        DO UPDATE SET dedupe_key = excluded.dedupe_key RETURNING id, payload";
    /// Removes the dedupe key of a running job, so that an equal job can be enqueued.
    FORGET_KEY = "UPDATE jobs SET dedupe_key = NULL
        WHERE id = $1 AND lease_token = $2 AND state = 'running' RETURNING payload";
    /// Changes what a job is to do.
    SET_PAYLOAD = "UPDATE jobs SET payload = $1 WHERE id = $2";
    /// Removes a job that nobody needs any more, unless a worker has it.
    FORGET = "DELETE FROM jobs WHERE family_id = $1 AND dedupe_key = $2 AND state = 'queued'";
}

/// Adds a job in the caller's transaction. `None` if the family has a live job with the same
/// dedupe key.
pub fn enqueue(
    tx: &mut Tx<'_>,
    family: FamilyId,
    kind: &str,
    payload: &Value,
    dedupe_key: Option<&str>,
) -> Result<Option<JobId>> {
    let now = tx.now();
    let (id, live) = enqueue_or_find(tx, family, kind, payload, dedupe_key, now)?;
    Ok(live.is_none().then_some(id))
}

/// As [`enqueue`], for a job that nobody claims before `delay` is over.
pub fn enqueue_later(
    tx: &mut Tx<'_>,
    family: FamilyId,
    kind: &str,
    payload: &Value,
    dedupe_key: &str,
    delay: SignedDuration,
) -> Result<()> {
    let at = tx.now().checked_add(delay).map_err(Error::internal)?;
    enqueue_or_find(tx, family, kind, payload, Some(dedupe_key), at).map(drop)
}

/// Removes the job with a dedupe key that still waits, because there is nothing left to do for it.
/// One that a worker has finds that out by itself.
pub fn forget(tx: &mut Tx<'_>, family: FamilyId, dedupe_key: &str) -> Result<()> {
    tx.execute(&FORGET, vals![family, dedupe_key]).map(drop)
}

/// Adds a job, or returns the live one that has its dedupe key, with what it is to do.
fn enqueue_or_find(
    tx: &mut Tx<'_>,
    family: FamilyId,
    kind: &str,
    payload: &Value,
    dedupe_key: Option<&str>,
    run_at: Timestamp,
) -> Result<(JobId, Option<Value>)> {
    let (id, now) = (JobId(tx.new_id()?), tx.now());
    let (payload, tries) = (payload.to_string(), JOB_ATTEMPTS_MAX);
    let values = vals![id, family, kind, &payload, dedupe_key, run_at, tries, now];
    let read = |row: &Row<'_>| Ok((row.id(0)?, json(row.text(1)?)?));
    let (found, payload) = tx.query_one(&ENQUEUE_OR_FIND, values, read)?;
    if found != id {
        return Ok((found, Some(payload)));
    }
    tx.note_enqueued_job();
    Ok((id, None))
}

/// Allows jobs with the same dedupe key to be enqueued from now on: this job reads the present
/// data, so later changes need another job. Returns the payload of this moment, which
/// [`enqueue_or_widen`] may have changed since the claim.
pub fn forget_dedupe_key(tx: &mut Tx<'_>, job: &ClaimedJob) -> Result<Value> {
    let key = vals![job.id, job.token];
    let payload = tx.query_opt(&FORGET_KEY, key, |row| json(row.text(0)?))?;
    payload.ok_or_else(|| Error::internal(LeaseLost))
}

/// Adds a job, or changes what the live one with its dedupe key is to do: `widened` makes one
/// payload of that one's and the new one's. The job must read its payload with
/// [`forget_dedupe_key`], in a transaction that locks the family as this one does.
pub fn enqueue_or_widen(
    tx: &mut FamilyTx<'_>,
    kind: &str,
    payload: &Value,
    dedupe_key: &str,
    widened: impl FnOnce(&Value) -> Result<Value>,
) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let (id, live) = enqueue_or_find(tx, family, kind, payload, Some(dedupe_key), now)?;
    let Some(waiting) = live else { return Ok(()) };
    let payload = widened(&waiting)?;
    if payload != waiting {
        tx.execute(&SET_PAYLOAD, vals![&payload.to_string(), id])?;
    }
    Ok(())
}
