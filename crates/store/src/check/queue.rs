//! The queue of jobs, and the answers that are kept for retries.

use std::collections::HashSet;

use purser_core::error::Result;
use purser_core::ids::JobId;
use serde_json::Value;
use uuid::Uuid;

use super::report::Findings;
use crate::driver::{Row, Tx, statements};

statements! {
    /// All jobs of all families.
    JOBS_ALL = "SELECT id, state, attempts, attempts_max, lease_owner, lease_until, payload
        FROM jobs ORDER BY id";
    /// Jobs that are to be done, of kinds that others wait for.
    JOBS_AWAITED = "SELECT family_id, payload FROM jobs
        WHERE state <> 'failed' AND kind IN ('account.remove', 'connection.remove', 'rules.run',
            'family.export', 'sync.revert', 'import.take_up')";
    /// Accounts and connections that a job deletes, runs that a job executes, exports that a job
    /// writes, syncs that a job undoes, and uploads that a job publishes if their request can't.
    AWAITING = "SELECT family_id, id, 'the deletion of account' FROM accounts
            WHERE status = 'pending_deletion'
        UNION ALL SELECT family_id, id, 'the deletion of connection' FROM connections
            WHERE scheduled_for_deletion
        UNION ALL SELECT family_id, id, 'the publish of import' FROM imports
            WHERE publish_wanted AND status = 'pending'
        UNION ALL SELECT family_id, id, 'the rule run' FROM rule_runs WHERE status = 'pending'
        UNION ALL SELECT family_id, id, 'the export' FROM family_exports
            WHERE status IN ('pending', 'processing')
        UNION ALL SELECT DISTINCT family_id, sync_id, 'the undo of sync' FROM sync_plans
            WHERE revert_status = 'reverting'
        ORDER BY 1, 2";
    /// Families of which the deletion was given up.
    DELETIONS_GIVEN_UP = "SELECT DISTINCT family_id FROM jobs
        WHERE kind = 'family.remove' AND state = 'failed' ORDER BY family_id";
    /// How many idempotency keys are stored.
    KEYS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM idempotency_keys";
    /// Keys with half of an answer.
    KEYS_HALF = "SELECT route, idempotency_key FROM idempotency_keys
        WHERE (status IS NULL) <> (body IS NULL) OR status < 100 OR status > 599
        ORDER BY family_id, route, idempotency_key";
}

/// Tries are within their limit, exactly the running jobs have a lease, and what waits for
/// a job has one that is still to be done.
pub(super) fn jobs(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&JOBS_ALL, &[], |row| {
        let id: JobId = row.id(0)?;
        findings.count(1);
        if let Some(wrong) = wrong(row)? {
            findings.problem(|| format!("job {id} {wrong}"));
        }
        Ok(())
    })?;
    tx.for_each(&DELETIONS_GIVEN_UP, &[], |row| {
        let family = row.int(0)?;
        findings.problem(|| {
            format!("the deletion of family {family} was given up: see `purser jobs list`")
        });
        Ok(())
    })?;
    awaited(tx, findings)
}

fn wrong(row: &Row<'_>) -> Result<Option<String>> {
    let (state, attempts, attempts_max) = (row.text(1)?, row.int(2)?, row.int(3)?);
    let (owner, until) = (row.opt_text(4)?.is_some(), row.opt_int(5)?.is_some());
    // Older versions counted one more when all workers of a job had died.
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

fn awaited(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let mut live: HashSet<(i64, Uuid)> = HashSet::new();
    tx.for_each(&JOBS_AWAITED, &[], |row| {
        let family = row.int(0)?;
        live.extend(subjects(row.text(1)?).into_iter().map(|id| (family, id)));
        Ok(())
    })?;
    tx.for_each(&AWAITING, &[], |row| {
        findings.count(1);
        let (family, id, what) = (row.int(0)?, row.uuid(1)?, row.text(2)?);
        if !live.contains(&(family, id)) {
            findings.problem(|| {
                format!("{what} {id} waits for a job, but there is none: see `purser jobs list`")
            });
        }
        Ok(())
    })
}

/// The ids in a payload, in whichever field.
fn subjects(payload: &str) -> Vec<Uuid> {
    let Ok(Value::Object(fields)) = serde_json::from_str(payload) else { return Vec::new() };
    let texts = fields.values().flat_map(|value| match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect::<Vec<_>>(),
    });
    texts.filter_map(|text| text.parse().ok()).collect()
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
