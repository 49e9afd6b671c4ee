//! The queue for those who run the server.

use purser_core::error::Result;
use purser_core::ids::JobId;
use purser_store::audit::Actor;
use purser_store::{Store, jobs};

use super::kinds;

pub use purser_store::jobs::{JobRecord, State, list};

/// What became of the wish to try a job again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retried {
    /// It is queued, with all of its tries.
    Queued,
    /// Nobody waits for it any more; it is removed.
    Obsolete,
}

/// Tries a job again at once: one that was given up, or one that waits for its next try. Not found
/// if it doesn't exist or is done; a conflict if it runs, or if another job does the same. Blocks.
pub fn retry(store: &Store, id: JobId) -> Result<Retried> {
    let found = store.read_directory_blocking(|tx| jobs::find(tx, id))?;
    store.write_blocking(found.access(Actor::CommandLine), |tx| {
        let job = jobs::find(tx, id)?;
        if job.state == State::Failed && !kinds::read(&job.kind, &job.payload)?.take_up_again(tx)? {
            jobs::remove(tx, id)?;
            return Ok(Retried::Obsolete);
        }
        jobs::retry(tx, id)?;
        Ok(Retried::Queued)
    })
}
