//! Running one claimed job to its end. Blocks: workers and the command line call it alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use purser_core::error::{Error, Result};
use purser_store::files::FileStore;
use purser_store::jobs::{self, ClaimedJob, Failure};
use purser_store::rates::applying;
use purser_store::{FamilyTx, Store, imports};

use crate::imports::parts::{self, Parts};
use crate::imports::{publish, revert};
use crate::metric_names;
use crate::{accounts, rules, transfers};

/// What people read when a job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str =
    "The import could not be carried out because of an error on the server. Nothing was changed.";

/// Runs the job, and gives it back if it fails. `progress` hears how many rows are done.
pub fn execute(
    store: &Store,
    files: &FileStore,
    job: &ClaimedJob,
    parts: Parts,
    progress: &dyn Fn(u64),
) {
    let started = std::time::Instant::now();
    let result = if job.is_exhausted() {
        Err(Error::internal("every worker that had the job died"))
    } else {
        // A panic is a failed try like any other; the lease needn't run out first.
        catch_unwind(AssertUnwindSafe(|| carry_out(store, files, job, parts, progress)))
            .unwrap_or_else(|_| Err(Error::internal("the job panicked")))
    };
    let took = started.elapsed();
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let outcome = if result.is_ok() { "done" } else { "failed" };
    metrics::counter!(metric_names::JOBS, "kind" => job.kind.clone(), "result" => outcome)
        .increment(1);
    metrics::histogram!(metric_names::JOB_SECONDS, "kind" => job.kind.clone()).record(took);
    match result {
        Ok(()) => tracing::info!(job = %job.id, kind = job.kind, millis, "job done"),
        Err(error) if jobs::is_lease_lost(&error) => {
            tracing::warn!(job = %job.id, "another worker has the job by now");
        }
        Err(error) => {
            tracing::error!(job = %job.id, kind = job.kind, attempts = job.attempts,
                cause = ?error, "job failed");
            // A job that doesn't run hides nothing.
            let swept = parts::sweep(store, job, parts, &|_| {});
            if let Err(error) = swept.and_then(|()| give_back(store, job, &error)) {
                // The lease runs out, and the job is claimed again.
                tracing::error!(job = %job.id, cause = ?error, "the job can't be given back");
            }
        }
    }
}

fn carry_out(
    store: &Store,
    files: &FileStore,
    job: &ClaimedJob,
    parts: Parts,
    progress: &dyn Fn(u64),
) -> Result<()> {
    match job.kind.as_str() {
        #[cfg(feature = "planted-defect")]
        publish::KIND => {
            publish::prepare(store, files, job)?;
            publish::run_in_two_commits(store, files, job)
        }
        #[cfg(not(feature = "planted-defect"))]
        publish::KIND => {
            parts::sweep(store, job, parts, &|_| {})?;
            publish::prepare(store, files, job)?;
            let mut ahead = publish::foresee(store, files, job)?;
            let is_heavy = ahead.as_ref().is_some_and(|ahead| !ahead.is_whole());
            if !is_heavy && !parts::is_large_publish(store, job, parts)? {
                let run =
                    |tx: &mut FamilyTx<'_>| publish::run(tx, files, job, ahead.take(), progress);
                if store.write_blocking(job.family, run)? {
                    return Ok(());
                }
            }
            parts::publish(store, files, job, parts, ahead, progress)
        }
        revert::KIND => {
            parts::sweep(store, job, parts, progress)?;
            parts::begin_undo(store, job, parts, progress)?;
            store.write_blocking(job.family, |tx| revert::run(tx, job, progress))?;
            revert::replan(store, files, job)
        }
        transfers::KIND => transfers::run(store, job),
        applying::KIND => applying::run(store, job),
        accounts::KIND => accounts::run(store, job),
        rules::KIND => rules::run(store, job, progress),
        other => Err(Error::internal(format!("no worker knows jobs of kind {other}"))),
    }
}

/// A refusal is final if the import can show the reason. Any other failure is tried again later,
/// and after the last attempt the import is marked as failed. Jobs without such a record stay in
/// the list of jobs as failed.
fn give_back(store: &Store, job: &ClaimedJob, error: &Error) -> Result<()> {
    let is_told = [publish::KIND, revert::KIND, rules::KIND].contains(&job.kind.as_str());
    store.write_blocking(job.family, |tx| match error {
        Error::Invalid { message, .. } | Error::Conflict { message, .. } if is_told => {
            jobs::complete(tx, job)?;
            note_end(tx, job, message)
        }
        other => match jobs::fail(tx, job, &other.to_string())? {
            Failure::Retry { .. } => Ok(()),
            Failure::Final if job.kind == revert::KIND => revert::out_of_tries(tx, job),
            Failure::Final => note_end(tx, job, OUT_OF_TRIES),
        },
    })
}

/// Marks the thing that the job worked on as failed, with a sentence for people.
fn note_end(tx: &mut FamilyTx<'_>, job: &ClaimedJob, sentence: &str) -> Result<()> {
    match job.kind.as_str() {
        publish::KIND => imports::fail(tx, job.family, publish::import_of(job)?, sentence),
        revert::KIND => imports::fail_revert(tx, job.family, publish::import_of(job)?, sentence),
        rules::KIND => rules::give_up(tx, job),
        // Others have no such record; the log has the reason.
        _ => Ok(()),
    }
}
