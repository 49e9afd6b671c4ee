//! One worker: a loop that sleeps until there is work.

use std::convert::Infallible;
use std::time::Duration;

use purser_core::error::Result;
use purser_store::jobs::{self, ClaimedJob};
use tokio::time::{Interval, MissedTickBehavior};

use super::execution::execute;
use super::job::Work;
use super::kinds::import_of;
use crate::App;
use crate::blocking::blocking;
use crate::imports::progress::Running;
use crate::limits::{JOB_LEASE, JOB_LEASE_RENEWAL, JOB_POLL_INTERVAL, PROGRESS_INTERVAL};

/// Runs jobs until the server stops.
pub(super) async fn work(app: App) {
    let mut stopping = app.stopping.clone();
    // A reason is logged once, and not twice a second.
    let mut logged = None;
    while !*stopping.borrow() {
        // Interest is registered before the look, so that no wake-up is lost between the two.
        let woken = app.store.job_queued().notified();
        match claim(&app).await {
            Ok(Some(job)) => {
                logged = None;
                run(&app, job).await;
                continue;
            }
            Ok(None) => logged = None,
            Err(error) => {
                let reason = Some(error.to_string());
                if logged != reason {
                    tracing::warn!(cause = ?error, "jobs can't be claimed just now");
                    logged = reason;
                }
            }
        }
        tokio::select! {
            () = woken => {}
            () = tokio::time::sleep(JOB_POLL_INTERVAL) => {}
            _ = stopping.changed() => {}
        }
    }
}

async fn claim(app: &App) -> Result<Option<ClaimedJob>> {
    let (store, node) = (app.store.clone(), app.node.clone());
    blocking(move || jobs::claim(&store, &node, JOB_LEASE)).await
}

/// Runs the job; meanwhile it renews the lease and reports progress.
async fn run(app: &App, job: ClaimedJob) {
    let (store, files, claimed) = (app.store.clone(), app.files.clone(), job.clone());
    let part_rows = app.imports.publish_part_rows;
    let mut running = import_of(&job).map(|import| app.progress.begin(&job, import));
    let reporter = running.as_ref().map(Running::reporter);
    let work = blocking(move || {
        let progress = |rows| {
            if let Some(report) = &reporter {
                report(rows);
            }
        };
        // What it waits for is in the log.
        let _ = execute(&Work {
            store: &store,
            files: &files,
            claim: &claimed,
            part_rows,
            progress: &progress,
        });
        Ok(())
    });
    let renewals = async {
        let mut ticks = every(JOB_LEASE_RENEWAL);
        ticks.reset();
        loop {
            ticks.tick().await;
            renew(app, &job).await;
        }
    };
    let notes = async {
        let mut ticks = every(PROGRESS_INTERVAL);
        loop {
            ticks.tick().await;
            if let Some(running) = &mut running {
                running.note(&app.store).await;
            }
        }
    };
    if let Err(error) = attended(work, renewals, notes).await {
        tracing::error!(job = %job.id, cause = ?error, "a job broke off");
    }
}

fn every(period: Duration) -> Interval {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Waits for the work. Beside it the lease is renewed and progress is noted, neither of which waits
/// for the other: a note stands in one line with those of families that may hang, and the lease
/// would end meanwhile. What still waits when the work ends is dropped.
async fn attended<T>(
    work: impl Future<Output = T>,
    renewals: impl Future<Output = Infallible>,
    notes: impl Future<Output = Infallible>,
) -> T {
    tokio::select! {
        done = work => done,
        never = renewals => match never {},
        never = notes => match never {},
    }
}

async fn renew(app: &App, job: &ClaimedJob) {
    let claimed = job.clone();
    let renewed = app.store.write_urgent(move |tx| jobs::renew(tx, &claimed, JOB_LEASE)).await;
    match renewed {
        Ok(()) => {}
        // On SQLite the renewal waits for the job's own transaction, after which there is no job.
        Err(error) if jobs::is_lease_lost(&error) => {
            tracing::debug!(job = %job.id, "nothing is left to renew");
        }
        Err(error) => tracing::warn!(job = %job.id, cause = ?error, "the lease can't be renewed"),
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    #[tokio::test]
    async fn a_note_that_waits_holds_up_no_renewal() {
        let (renewed, mut count) = unbounded_channel();
        let work = async {
            for _ in 0..3 {
                count.recv().await.unwrap();
            }
            "done"
        };
        let renewals = async {
            loop {
                tokio::task::yield_now().await;
                renewed.send(()).unwrap();
            }
        };
        assert_eq!(attended(work, renewals, std::future::pending()).await, "done");
    }
}
