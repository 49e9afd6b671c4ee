//! What a job is: work that a worker does later, with everything that it needs to know.

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::jobs::{self, ClaimedJob};
use purser_store::{Access, FamilyTx, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Work for later. The value itself is stored with the job, as JSON.
pub(crate) trait Job: Serialize + DeserializeOwned {
    /// The name under which it is stored.
    const KIND: &'static str;
    /// Whether a job that is refused is given up at once, instead of being tried again: there is
    /// somebody who reads the reason.
    const IS_REFUSAL_FINAL: bool = false;

    /// No further job with the same key is queued while one waits or runs.
    fn dedupe_key(&self) -> Option<String> {
        None
    }

    /// The import that shows the progress of the job.
    fn import(&self) -> Option<ImportId> {
        None
    }

    /// Runs the job. Its effects and its end are one commit.
    fn run(&self, work: &Work<'_>) -> Result<()>;

    /// Removes what a failed try has left behind, before the job waits for its next try.
    fn clean_up(&self, _work: &Work<'_>) -> Result<()> {
        Ok(())
    }

    /// Stores in the transaction that gives the job up what people should read about it. Without
    /// anybody who waits for the job, the log is enough.
    fn give_up(&self, _tx: &mut FamilyTx<'_>, _reason: &GivenUp) -> Result<()> {
        Ok(())
    }

    /// Takes back what [`Job::give_up`] stored, because somebody wants the job tried again. False
    /// if nobody waits for it any more.
    fn take_up_again(&self, _tx: &mut FamilyTx<'_>) -> Result<bool> {
        Ok(true)
    }
}

/// Why a job is given up.
#[derive(Debug)]
pub(crate) enum GivenUp {
    /// It was refused, for the reason in this sentence.
    Refused(String),
    /// Every try has failed.
    OutOfTries,
    /// The process ended again and again while it ran.
    Deadly,
}

/// What a job runs with.
pub(crate) struct Work<'a> {
    /// The database, for transactions of the job's own.
    pub(crate) store: &'a Store,
    /// The store of uploaded files.
    pub(crate) files: &'a FileStore,
    /// The claim, which every commit of the job checks.
    pub(crate) claim: &'a ClaimedJob,
    /// The setting for the rows of one commit of a publish.
    pub(crate) part_rows: Option<u64>,
    /// Is called with the number of rows that are done.
    pub(crate) progress: &'a dyn Fn(u64),
}

impl Work<'_> {
    /// What the job may reach: all of the family, and the program itself acts.
    pub(crate) fn access(&self) -> Access {
        self.claim.access(Actor::System)
    }

    /// Reads in a snapshot.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&mut FamilyTx<'_>) -> Result<T>) -> Result<T> {
        self.store.read_blocking(self.access(), work)
    }

    /// Writes in one commit.
    pub(crate) fn write<T>(&self, work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>) -> Result<T> {
        self.store.write_blocking(self.access(), work)
    }
}

/// Queues a job in the caller's transaction. False if there is one with the same key.
pub(crate) fn enqueue<J: Job>(tx: &mut FamilyTx<'_>, job: &J) -> Result<bool> {
    let payload = serde_json::to_value(job).map_err(Error::internal)?;
    let (family, key) = (tx.family(), job.dedupe_key());
    let queued = jobs::enqueue(tx, family, J::KIND, &payload, key.as_deref())?;
    Ok(queued.is_some())
}

/// Queues a job in the caller's transaction that isn't to run before `delay` is over, unless there
/// is one with the same key.
pub(crate) fn enqueue_later<J: Job>(
    tx: &mut FamilyTx<'_>,
    job: &J,
    delay: SignedDuration,
) -> Result<()> {
    let payload = serde_json::to_value(job).map_err(Error::internal)?;
    let (family, key) = (tx.family(), required_key(job)?);
    jobs::enqueue_later(tx, family, J::KIND, &payload, &key, delay)
}

/// Removes the job with the same key that waits, because there is nothing left to do for it.
pub(crate) fn forget<J: Job>(tx: &mut FamilyTx<'_>, job: &J) -> Result<()> {
    let (family, key) = (tx.family(), required_key(job)?);
    jobs::forget(tx, family, &key)
}

/// Whether the job with the same key waits or runs.
pub(crate) fn is_live<J: Job>(tx: &mut FamilyTx<'_>, job: &J) -> Result<bool> {
    let key = required_key(job)?;
    jobs::is_live(tx, &key)
}

/// Whether a job with the same key was given up.
pub(crate) fn is_given_up<J: Job>(tx: &mut FamilyTx<'_>, job: &J) -> Result<bool> {
    let key = required_key(job)?;
    jobs::is_given_up(tx, &key)
}

/// Queues a job in the caller's transaction, or changes the one with the same key that waits:
/// `both` is what does the work of the two.
pub(crate) fn enqueue_or_widen<J: Job>(
    tx: &mut FamilyTx<'_>,
    job: J,
    both: impl FnOnce(J, J) -> J,
) -> Result<()> {
    let value = |job: &J| serde_json::to_value(job).map_err(Error::internal);
    let key = required_key(&job)?;
    let payload = value(&job)?;
    jobs::enqueue_or_widen(tx, J::KIND, &payload, &key, |waiting| {
        let waiting = J::deserialize(waiting).map_err(Error::internal)?;
        value(&both(waiting, job))
    })
}

/// Whether what a job is for is still there.
pub(crate) fn is_found<T>(read: Result<T>) -> Result<bool> {
    match read {
        Ok(_) => Ok(true),
        Err(Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn required_key<J: Job>(job: &J) -> Result<String> {
    job.dedupe_key().ok_or_else(|| Error::internal("a job without a key"))
}
