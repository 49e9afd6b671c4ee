//! Jobs of processes that end.
//!
//! How often in a row the process died while a job ran is counted, because the job may be the
//! reason: it waits longer from a few times on, and is given up in the end
//! (`purser_core::limits::JOB_DEATHS_MAX`). A process that stops in order is no death, nor is a
//! try that ends in order.

use purser_core::error::Result;

use super::in_seconds;
use crate::driver::{Tx, statements, vals};

statements! {
    /// Ends the leases of all jobs: their process is dead. Those that died often wait.
    RELEASE_ALL = "UPDATE jobs SET state = 'queued', lease_owner = NULL, lease_until = NULL,
            deaths = deaths + 1, run_at = CASE WHEN deaths + 1 < $1 THEN run_at ELSE $2 END
        WHERE state = 'running'";
    /// Ends the leases of all jobs: their process works on another database.
    RELEASE_RESTORED = "UPDATE jobs SET state = 'queued', lease_owner = NULL, lease_until = NULL,
            deaths = 0, time_limits = 0
        WHERE state = 'running'";
    /// Ends the leases of one process, which is alive.
    RELEASE_OF = "UPDATE jobs SET state = 'queued', lease_owner = NULL, lease_until = NULL,
            deaths = 0
        WHERE state = 'running' AND lease_owner = $1";
}

/// How often in a row a job may die before it has to wait.
const DEATHS_AT_ONCE: i64 = 5;
/// How long it waits then after a start, so that the server can be used in between.
const DEATH_SECONDS: i64 = 60;

/// Ends every lease, for a start on SQLite, where no other server can hold one: whoever held it
/// died.
pub fn release_all(tx: &mut Tx<'_>) -> Result<u64> {
    let later = in_seconds(tx, DEATH_SECONDS)?;
    tx.execute(&RELEASE_ALL, vals![DEATHS_AT_ONCE, later])
}

/// Ends every lease in a database that was restored: nobody works on its jobs, and nobody died.
pub(crate) fn release_restored(tx: &mut Tx<'_>) -> Result<u64> {
    tx.execute(&RELEASE_RESTORED, &[])
}

/// Ends the leases of a process that stops, so that another one, or its successor, needn't wait
/// for their end.
pub fn release_of(tx: &mut Tx<'_>, owner: &str) -> Result<u64> {
    tx.execute(&RELEASE_OF, vals![owner])
}
