//! Large publishes and undos on SQLite, cut up into several commits.
//!
//! SQLite has one writer for all families, so none may keep it for long. A large publish adds its
//! entries part by part in a range that nobody sees; its last commit shows them, moves counters and
//! balances, and ends the job. A publish is also cut up if its rules have much to look into: the
//! rows of each part are judged before its transaction begins. A large undo hides its range with
//! the first commit and deletes part by part. Whoever starts with a job of the family, or gives one
//! up, first removes what is hidden: it was left by a process that died, or by a try that failed.

use purser_core::error::{Error, Result};
use purser_core::import::status::ImportStatus;
use purser_core::limits::{PUBLISH_PART_ROWS, PUBLISH_WHOLE_ROWS_MAX};
use purser_store::files::FileStore;
use purser_store::imports::{self, Import};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::ledger::{Executor, Left, remove_hidden};
use purser_store::{FamilyTx, Store};

use super::carrying_out::{Foresight, Pass, Publication, Ruling};
use super::publish::{complete, import_of};
use super::{planning, revert};

/// How publishes and undos are cut up.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Rows of one commit.
    rows: u64,
    /// What has no more rows is one commit.
    whole_rows_max: u64,
}

impl Parts {
    /// As the operator set it, or as it is otherwise.
    pub fn new(rows: Option<u64>) -> Self {
        match rows {
            Some(rows) => Self { rows, whole_rows_max: rows.min(PUBLISH_WHOLE_ROWS_MAX) },
            None => Self { rows: PUBLISH_PART_ROWS, whole_rows_max: PUBLISH_WHOLE_ROWS_MAX },
        }
    }
}

/// Removes what is hidden of the job's family, in parts. `progress` hears how much is gone.
pub fn sweep(store: &Store, job: &ClaimedJob, parts: Parts, progress: &dyn Fn(u64)) -> Result<()> {
    if !store.is_sqlite() || !is_on_import(job) {
        return Ok(());
    }
    let mut removed = 0;
    loop {
        let left = store.write_blocking(job.family, |tx| {
            jobs::hold(tx, job)?;
            remove_hidden(tx, job.family, parts.rows)
        })?;
        let (Left::More(now) | Left::Nothing(now)) = left;
        removed += now;
        if now > 0 {
            progress(removed);
        }
        if matches!(left, Left::Nothing(_)) {
            return Ok(());
        }
    }
}

/// Only jobs on imports hide anything.
fn is_on_import(job: &ClaimedJob) -> bool {
    [super::publish::KIND, revert::KIND].contains(&job.kind.as_str())
}

/// Whether the job's publish is to be cut up.
pub fn is_large_publish(store: &Store, job: &ClaimedJob, parts: Parts) -> Result<bool> {
    if !store.is_sqlite() {
        return Ok(false);
    }
    let id = import_of(job)?;
    let import = store.read_blocking(job.family, |tx| imports::get(tx, job.family, id))?;
    Ok(import.rows_in_file() > parts.whole_rows_max)
}

/// Executes a publish in parts. `progress` gets the number of rows that are done.
pub fn publish(
    store: &Store,
    files: &FileStore,
    job: &ClaimedJob,
    parts: Parts,
    foresight: Option<Foresight>,
    progress: &dyn Fn(u64),
) -> Result<()> {
    let mut ruling = foresight.map(Foresight::into_ruling);
    let begun = store.write_blocking(job.family, |tx| begin(tx, files, job, ruling.take()))?;
    let Some((import, mut publication)) = begun else { return Ok(()) };
    let all = import.rows_in_file();
    let mut first = 1;
    while first <= all {
        let count = publication.look_ahead(first, parts.rows.min(all + 1 - first))?;
        store.write_blocking(job.family, |tx| {
            require(tx, job, ImportStatus::Importing)?;
            publication.rows(tx, first, count, progress)?;
            publication.end_part(tx)
        })?;
        first += count;
    }
    // A closure that may run several times can't give away what it has; this one runs once.
    let mut publication = Some(publication);
    store.write_blocking(job.family, |tx| {
        require(tx, job, ImportStatus::Importing)?;
        let mut publication = publication.take().ok_or_else(|| Error::internal("it ran twice"))?;
        publication.show(tx, all)?;
        let published = publication.finish(tx, &import)?;
        complete(tx, job, &import, published)
    })
}

/// The first commit: what is published is the plan of this moment, by the rules of this moment.
fn begin(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    job: &ClaimedJob,
    ruling: Option<Ruling>,
) -> Result<Option<(Import, Publication)>> {
    jobs::hold(tx, job)?;
    let id = import_of(job)?;
    let mut import = imports::get(tx, job.family, id)?;
    if import.status != ImportStatus::Importing {
        jobs::complete(tx, job)?;
        return Ok(None);
    }
    if !import.has_current_plan()
        && let Some(made) = planning::of_import(tx, files, job.family, &import)?
    {
        if !made.store(tx, job.family, &import)? {
            return Err(Error::internal("the import was changed while its plan was stored"));
        }
        import = imports::get(tx, job.family, id)?;
    }
    let ruling = match ruling {
        Some(ruling) if ruling.is_current(tx, job.family)? => ruling,
        _ => Ruling::load(tx, job.family)?,
    };
    let mut publication =
        Publication::begin(tx, files, job.family, &import, None, ruling, Pass::Additions)?;
    publication.hide(tx)?;
    Ok(Some((import, publication)))
}

/// Begins an undo that is large: its transactions are counted out and hidden, then deleted. What is
/// left is an undo like any other.
pub fn begin_undo(
    store: &Store,
    job: &ClaimedJob,
    parts: Parts,
    progress: &dyn Fn(u64),
) -> Result<()> {
    if !store.is_sqlite() {
        return Ok(());
    }
    let id = import_of(job)?;
    let import = store.read_blocking(job.family, |tx| imports::get(tx, job.family, id))?;
    let Some(range) = import.range.filter(|_| import.created > parts.whole_rows_max) else {
        return Ok(());
    };
    let is_hidden = store.write_blocking(job.family, |tx| {
        jobs::hold(tx, job)?;
        let status = imports::progress(tx, job.family, id)?.status;
        let is_large = imports::removable(tx, job.family, range)? > parts.whole_rows_max;
        if status != ImportStatus::Reverting || !is_large {
            return Ok(false);
        }
        revert::look_for_transfers(tx, job.family, range)?;
        Executor::begin(tx, job.family, 0)?.hide_range(tx, id, range)?;
        Ok(true)
    })?;
    if is_hidden { sweep(store, job, parts, progress) } else { Ok(()) }
}

/// A part is executed only by the worker that has the job, and only for an import that waits for
/// it.
fn require(tx: &mut FamilyTx<'_>, job: &ClaimedJob, wanted: ImportStatus) -> Result<()> {
    jobs::hold(tx, job)?;
    let status = imports::progress(tx, job.family, import_of(job)?)?.status;
    if status == wanted {
        return Ok(());
    }
    Err(Error::internal(format!("the import became {} between two parts", status.as_str())))
}
