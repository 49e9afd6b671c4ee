//! Running one claimed job to its end. Blocks: workers and the command line call it alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use purser_core::error::{Error, Result};
use purser_core::limits::JOB_DEATHS_MAX;
use purser_store::jobs::{self, Failure};

use super::job::{GivenUp, Work};
use super::kinds::{self, AnyJob};
use crate::metric_names;

/// Runs the job, and gives it back if it fails. An error is what the job waits for then: it is not
/// the job's fault, and will pass.
pub(crate) fn execute(work: &Work<'_>) -> Result<()> {
    let claim = work.claim;
    let started = std::time::Instant::now();
    let job = kinds::read(&claim.kind, &claim.payload);
    if claim.deaths >= JOB_DEATHS_MAX {
        let reason = format!("the process ended {} times in a row while the job ran", claim.deaths);
        if let Err(error) = give_up(work, job.ok().as_deref(), &reason, &GivenUp::Deadly) {
            tracing::error!(job = %claim.id, cause = ?error, "the job can't be given up");
        }
        return Ok(());
    }
    let result = match &job {
        // A panic is a failed try like any other; the lease needn't run out first.
        Ok(job) => catch_unwind(AssertUnwindSafe(|| job.run(work)))
            .unwrap_or_else(|_| Err(Error::internal("the job panicked"))),
        Err(error) => Err(Error::internal(error.to_string())),
    };
    let took = started.elapsed();
    let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let outcome = match &result {
        Ok(()) => "done",
        Err(error) if jobs::waits_for(error).is_some() => "waits",
        Err(_) => "failed",
    };
    let kind = claim.kind.clone();
    metrics::counter!(metric_names::JOBS, "kind" => kind.clone(), "result" => outcome).increment(1);
    metrics::histogram!(metric_names::JOB_SECONDS, "kind" => kind).record(took);
    match result {
        Ok(()) => tracing::info!(job = %claim.id, kind = claim.kind, millis, "job done"),
        Err(error) if jobs::is_lease_lost(&error) => {
            tracing::warn!(job = %claim.id, "another worker has the job by now");
        }
        Err(error) if jobs::waits_for(&error).is_some() => {
            if give_up_slow(work, job.ok().as_deref(), &error) {
                return Ok(());
            }
            wait(work, &error);
            return Err(error);
        }
        Err(error) => {
            tracing::error!(job = %claim.id, kind = claim.kind, attempts = claim.attempts,
                cause = ?error, "job failed");
            match give_back(work, job.ok().as_deref(), error) {
                // The machine that has the family may be gone since, and the try isn't counted.
                Err(error) if jobs::waits_for(&error).is_some() => wait(work, &error),
                // The lease runs out, and the job is claimed again.
                Err(error) => {
                    tracing::error!(job = %claim.id, cause = ?error, "the job can't be given back");
                }
                Ok(()) => {}
            }
        }
    }
    Ok(())
}

/// Gives a job up for a reason that is for operators.
fn give_up(work: &Work<'_>, job: Option<&dyn AnyJob>, reason: &str, shown: &GivenUp) -> Result<()> {
    let claim = work.claim;
    job.map_or(Ok(()), |job| job.clean_up(work))?;
    work.write(|tx| {
        jobs::give_up(tx, claim, reason)?;
        job.map_or(Ok(()), |job| job.give_up(tx, shown))
    })?;
    tracing::error!(job = %claim.id, kind = claim.kind, reason, "job given up");
    Ok(())
}

/// Gives up a job that has met the time limit of statements so often that it has to be the job.
/// False if that isn't so, or can't be written at once: a machine that hangs may answer again while
/// a write waits for it, and then the job is to run.
fn give_up_slow(work: &Work<'_>, job: Option<&dyn AnyJob>, error: &Error) -> bool {
    let claim = work.claim;
    let before = || work.store.read_directory_blocking(|tx| jobs::time_limits(tx, claim));
    let is_too_slow = || before().is_ok_and(|before| before.saturating_add(1) >= JOB_DEATHS_MAX);
    if !jobs::is_time_limit(error) || !is_too_slow() {
        return false;
    }
    let reason = format!("a statement took too long, {JOB_DEATHS_MAX} times in a row");
    let given_up = work.store.write_briefly_blocking(work.access(), |tx| {
        jobs::give_up(tx, claim, &reason)?;
        job.map_or(Ok(()), |job| job.give_up(tx, &GivenUp::OutOfTries))
    });
    match &given_up {
        Ok(()) => tracing::error!(job = %claim.id, kind = claim.kind, reason, "job given up"),
        Err(error) => {
            tracing::warn!(job = %claim.id, cause = ?error, "the job can't be given up just now");
        }
    }
    given_up.is_ok()
}

/// Gives the job back without counting the try. What the try has left behind is removed by the next
/// one. It writes the directory alone: what the job waits for may be the machine that has the
/// family.
fn wait(work: &Work<'_>, error: &Error) {
    let (claim, reason) = (work.claim, jobs::waits_for(error).unwrap_or_default());
    tracing::warn!(job = %claim.id, kind = claim.kind, cause = ?error, "job waits");
    let wait = if jobs::is_time_limit(error) { jobs::wait_longer } else { jobs::wait };
    if let Err(error) = work.store.write_directory_blocking(|tx| wait(tx, claim, reason)) {
        // What it waits for may be just this write. The lease runs out, and the job is claimed
        // again.
        tracing::warn!(job = %claim.id, cause = ?error, "the lease of the job stays");
    }
}

/// A refusal is final if somebody can read the reason. Any other failure is tried again later,
/// until the job is out of tries; it then stays in the list of jobs as failed.
fn give_back(work: &Work<'_>, job: Option<&dyn AnyJob>, error: Error) -> Result<()> {
    if let Some(job) = job {
        job.clean_up(work)?;
    }
    let claim = work.claim;
    let cause = error.to_string();
    let refusal = match (job, error) {
        (Some(job), Error::Invalid { message, .. } | Error::Conflict { message, .. })
            if job.is_refusal_final() =>
        {
            Some((job, GivenUp::Refused(message)))
        }
        _ => None,
    };
    work.write(|tx| {
        if let Some((job, refused)) = &refusal {
            jobs::complete(tx, claim)?;
            return job.give_up(tx, refused);
        }
        match (jobs::fail(tx, claim, &cause)?, job) {
            (Failure::Final, Some(job)) => job.give_up(tx, &GivenUp::OutOfTries),
            _ => Ok(()),
        }
    })
}
