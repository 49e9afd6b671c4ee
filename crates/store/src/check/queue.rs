//! The queue of jobs, and the answers that are kept for retries.

use purser_core::error::Result;
use purser_core::ids::JobId;
use serde_json::Value;

use super::report::Findings;
use crate::driver::{Row, Tx, statements};

statements! {
    /// All jobs of all families.
    JOBS_ALL = "SELECT id, state, attempts, attempts_max, lease_owner, lease_until, payload
        FROM jobs ORDER BY id";
    /// How many idempotency keys are stored.
    KEYS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM idempotency_keys";
    /// Keys with half of an answer.
    KEYS_HALF = "SELECT route, idempotency_key FROM idempotency_keys
        WHERE (status IS NULL) <> (body IS NULL) OR status < 100 OR status > 599
        ORDER BY family_id, route, idempotency_key";
}

/// Tries are within their limit, and exactly the running jobs have a lease.
pub(super) fn jobs(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&JOBS_ALL, &[], |row| {
        let id: JobId = row.id(0)?;
        findings.count(1);
        if let Some(wrong) = wrong(row)? {
            findings.problem(|| format!("job {id} {wrong}"));
        }
        Ok(())
    })
}

fn wrong(row: &Row<'_>) -> Result<Option<String>> {
    let (state, attempts, attempts_max) = (row.text(1)?, row.int(2)?, row.int(3)?);
    let (owner, until) = (row.opt_text(4)?.is_some(), row.opt_int(5)?.is_some());
    // One attempt more than allowed is how a job is brought to its end if all of its workers died.
    if attempts < 0 || attempts > attempts_max.saturating_add(1) {
        return Ok(Some(format!("has had {attempts} tries of {attempts_max}")));
    }
    if serde_json::from_str::<Value>(row.text(6)?).is_err() {
        return Ok(Some("has a payload that is no JSON".to_owned()));
    }
    Ok(match (state, owner && until, owner || until) {
        ("running", false, _) => Some("is running without a lease".to_owned()),
        ("running", true, _) | (_, _, false) => None,
        (state, ..) => Some(format!("is {state}, but has a lease")),
    })
}

/// An answer has a status and a body, or neither yet.
pub(super) fn idempotency_keys(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &KEYS_COUNT)?;
    tx.for_each(&KEYS_HALF, &[], |row| {
        let (route, key) = (row.text(0)?, row.text(1)?);
        findings.problem(|| format!("the answer to {route} with the key {key:?} is not whole"));
        Ok(())
    })
}
