//! Workers: claim a job, run it, renew its lease meanwhile.
//!
//! A job's effects and its end are one commit, made by the job itself in the transaction that
//! checks the fencing token. So a worker that was killed, or that only slept past its lease, leaves
//! nothing behind, and whoever claims the job next starts from the same state.

pub(crate) mod execution;
pub(crate) mod job;
pub(crate) mod kinds;
mod operating;
mod worker;

pub use operating::{JobRecord, Retried, State, list, retry};

use purser_core::error::Result;

use crate::App;
use crate::limits::{JOB_RELEASE_TIME, START_RETRY_INTERVAL};

/// Makes good what a crash left behind, and starts the workers. If nothing can be written, on a
/// full disk, that comes later, and what can be read is served meanwhile.
pub async fn start(app: &App) {
    match make_good(app).await {
        Ok(()) => start_workers(app),
        Err(error) => {
            tracing::error!(cause = ?error, "jobs wait until something can be written");
            tokio::spawn(start_later(app.clone()));
        }
    }
}

async fn start_later(app: App) {
    let mut stopping = app.stopping.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(START_RETRY_INTERVAL) => {}
            _ = stopping.changed() => return,
        }
        if make_good(&app).await.is_ok() {
            return start_workers(&app);
        }
    }
}

async fn make_good(app: &App) -> Result<()> {
    if app.store.is_sqlite() {
        // This process is the only server, so every lease is a dead one.
        app.store.write_directory(purser_store::jobs::release_all).await?;
    }
    Ok(())
}

fn start_workers(app: &App) {
    // SQLite has one writer: a second worker would only wait for it.
    let workers = if app.store.is_sqlite() { 1 } else { 2 };
    for _ in 0..workers {
        tokio::spawn(worker::work(app.clone()));
    }
}

/// Ends the leases of jobs that this process leaves unfinished when it stops, so that they go on at
/// once: on another node, or after the next start.
pub async fn stop(app: &App) {
    let node = app.node.clone();
    let released = app.store.write_urgent(move |tx| purser_store::jobs::release_of(tx, &node));
    match tokio::time::timeout(JOB_RELEASE_TIME, released).await {
        Ok(Ok(0)) => {}
        Ok(Ok(count)) => tracing::info!(count, "jobs are left for later"),
        Ok(Err(error)) => tracing::warn!(cause = ?error, "leases of jobs stay"),
        // On SQLite the job itself has the writer, and a start releases every lease.
        Err(_) => tracing::info!("leases of jobs stay until they end"),
    }
}
