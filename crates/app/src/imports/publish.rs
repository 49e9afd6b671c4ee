//! Publishing: the second commit queues it, the job carries it out.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Published};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::{FamilyId, FamilyTx, Store};
use serde::{Deserialize, Serialize};

use super::carrying_out::{Foresight, Pass, Publication, Ruling};
use super::planning;
use super::rejection::{Facts, Rejection};
use super::template;
use crate::transfers;

/// The kind of job.
pub const KIND: &str = "import.publish";

/// How often a plan is made anew in a snapshot, before the publish makes it itself.
const PLAN_TRIES: u32 = 3;

/// What the job needs to know.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    import_id: ImportId,
}

/// What became of the wish to publish.
pub enum Queued {
    /// The job is queued; the import as it stands now.
    Yes(Box<Import>),
    /// The publish was refused.
    No(Rejection),
}

/// Who asks for a publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The upload itself; by now another process may have fulfilled its wish to publish.
    Upload,
    /// Somebody who wants it published now.
    Caller,
}

/// Takes the import to `importing` and queues the job: one commit.
pub fn queue(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    id: ImportId,
    asker: Asker,
) -> Result<Queued> {
    let import = imports::get(tx, family, id)?;
    let done = matches!(import.status, ImportStatus::Importing | ImportStatus::Complete);
    if asker == Asker::Upload && done {
        return Ok(Queued::Yes(Box::new(import)));
    }
    let mappings = imports::mappings(tx, family, id)?;
    if let Some(rejection) = Facts::of(&import, &mappings)?.rejection() {
        if asker == Asker::Upload {
            // Else it would be published by itself once nothing stands in its way.
            imports::forget_wish(tx, family, id)?;
        }
        return Ok(Queued::No(rejection));
    }
    if !imports::mark_importing(tx, family, id, import.status)? {
        return Err(Error::Conflict {
            code: "not_publishable",
            message: "The import was changed at the same moment".into(),
        });
    }
    let payload = serde_json::to_value(Payload { import_id: id }).map_err(Error::internal)?;
    jobs::enqueue(tx, family, KIND, &payload, Some(&format!("{KIND}:{id}")))?;
    Ok(Queued::Yes(Box::new(imports::get(tx, family, id)?)))
}

/// Makes sure that the plan of the job's import is current, before the write begins in which it is
/// executed, so that no write waits while a plan is made. If the ledger changes each time, the
/// write makes the plan itself.
pub fn prepare(store: &Store, files: &FileStore, job: &ClaimedJob) -> Result<()> {
    let id = import_of(job)?;
    for _ in 0..PLAN_TRIES {
        if planning::renew(store, files, job.family, id)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Has the rules judge the rows of the job's import before the write begins. On PostgreSQL, where
/// nobody else waits for it, the write does that.
pub fn foresee(store: &Store, files: &FileStore, job: &ClaimedJob) -> Result<Option<Foresight>> {
    let id = import_of(job)?;
    let read = |tx: &mut FamilyTx<'_>| imports::progress(tx, job.family, id);
    if !store.is_sqlite()
        || store.read_blocking(job.family, read)?.status != ImportStatus::Importing
    {
        return Ok(None);
    }
    Foresight::of(store, files, job.family, id).map(Some)
}

/// Runs the job: what it creates, the completion and the job's end are one commit. `progress` gets
/// the number of rows that are done. False if names or rules changed since rules were evaluated:
/// nothing is done then.
pub fn run(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    job: &ClaimedJob,
    foresight: Option<Foresight>,
    progress: &dyn Fn(u64),
) -> Result<bool> {
    let id = import_of(job)?;
    let import = imports::get(tx, job.family, id)?;
    if import.status != ImportStatus::Importing {
        // Done before: a job's end and its effects are one commit, so this is a leftover.
        return jobs::complete(tx, job).map(|()| true);
    }
    if let Some(foresight) = &foresight
        && !foresight.is_current(tx, job.family)?
    {
        return Ok(false);
    }
    let ruling = match foresight {
        Some(foresight) => foresight.into_ruling(),
        None => Ruling::load(tx, job.family)?,
    };
    let published = carry_out(tx, files, job.family, &import, ruling, progress)?;
    complete(tx, job, &import, published).map(|()| true)
}

/// Completes the import and ends the job, in the commit that shows what was published.
pub(super) fn complete(
    tx: &mut FamilyTx<'_>,
    job: &ClaimedJob,
    import: &Import,
    published: Published,
) -> Result<()> {
    template::remember(tx, job.family, import)?;
    imports::complete(tx, job.family, import.id, published)?;
    if let Some((first, last)) = published.range {
        transfers::queue(tx, job.family, transfers::Scope::Added { first, last })?;
    }
    jobs::complete(tx, job)
}

/// As [`run`], but wrong: whoever is killed between the two commits does the work twice.
#[cfg(feature = "planted-defect")]
pub fn run_in_two_commits(store: &Store, files: &FileStore, job: &ClaimedJob) -> Result<()> {
    let id = import_of(job)?;
    let published = store.write_blocking(job.family, |tx| {
        let import = imports::get(tx, job.family, id)?;
        let ruling = Ruling::load(tx, job.family)?;
        carry_out(tx, files, job.family, &import, ruling, &|_| {})
    })?;
    store.write_blocking(job.family, |tx| {
        imports::complete(tx, job.family, id, published)?;
        jobs::complete(tx, job)
    })
}

/// The import that a job publishes.
pub fn import_of(job: &ClaimedJob) -> Result<ImportId> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    Ok(payload.import_id)
}

/// Executes the plan, which is made anew if the stored one is not current.
fn carry_out(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    family: FamilyId,
    import: &Import,
    ruling: Ruling,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let made = if import.has_current_plan() {
        None
    } else {
        planning::of_import(tx, files, family, import)?
    };
    let started = std::time::Instant::now();
    let mut publication = Publication::begin(tx, files, family, import, made, ruling, Pass::Whole)?;
    publication.rows(tx, 1, import.rows_in_file(), progress)?;
    let rows = started.elapsed();
    let published = publication.finish(tx, import)?;
    let finish = started.elapsed() - rows;
    tracing::debug!(import = %import.id, ?rows, ?finish, "rows added, balances folded");
    Ok(published)
}
