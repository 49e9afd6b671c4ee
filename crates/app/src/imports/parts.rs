//! Large publishes and undos on SQLite, cut up into several commits.
//!
//! SQLite has one writer for all families, so none may keep it for long. A large publish adds its
//! entries part by part in a range that nobody sees; its last commit shows them, moves counters and
//! balances, and ends the job. A publish is also cut up if its rules have much to look into: the
//! rows of each part are judged before its transaction begins. A large undo hides its range with
//! the first commit and deletes part by part. Whoever starts with a job of the family, or gives one
//! up, first removes what is hidden: it was left by a process that died, or by a try that failed.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_core::import::status::ImportStatus;
use purser_core::limits::{PUBLISH_PART_ROWS, PUBLISH_WHOLE_ROWS_MAX};
use purser_store::FamilyTx;
use purser_store::imports::{self, Import};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::ledger::{Executor, Left, remove_hidden};

use super::planning;
use super::publish_job::complete;
use super::revert_job::look_for_transfers;
use super::transactions::{Foresight, Pass, Publication, Ruling};
use crate::jobs::job::Work;

/// How publishes and undos are cut up.
#[derive(Debug, Clone, Copy)]
struct Parts {
    /// Rows of one commit.
    rows: u64,
    /// What has no more rows is one commit.
    whole_rows_max: u64,
}

impl Parts {
    /// As the operator set it, or the default.
    fn of(work: &Work<'_>) -> Self {
        match work.part_rows {
            Some(rows) => Self { rows, whole_rows_max: rows.min(PUBLISH_WHOLE_ROWS_MAX) },
            None => Self { rows: PUBLISH_PART_ROWS, whole_rows_max: PUBLISH_WHOLE_ROWS_MAX },
        }
    }
}

/// Removes what is hidden of the job's family, in parts. `progress` hears how much is gone.
pub(super) fn sweep(work: &Work<'_>, progress: &dyn Fn(u64)) -> Result<()> {
    if !work.store.is_sqlite() {
        return Ok(());
    }
    let parts = Parts::of(work);
    let mut removed = 0;
    loop {
        let left = work.write(|tx| {
            jobs::hold(tx, work.claim)?;
            remove_hidden(tx, parts.rows)
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

/// Whether the publish of an import is to be cut up.
pub(super) fn is_large_publish(work: &Work<'_>, id: ImportId) -> Result<bool> {
    if !work.store.is_sqlite() {
        return Ok(false);
    }
    let import = work.read(|tx| imports::get(tx, id))?;
    let is_whole = Kind::of(import.import_type).is_some_and(|kind| kind.spec().is_whole);
    Ok(!is_whole && import.rows_in_file() > Parts::of(work).whole_rows_max)
}

/// Executes a publish in parts.
pub(super) fn publish(work: &Work<'_>, id: ImportId, foresight: Option<Foresight>) -> Result<()> {
    let parts = Parts::of(work);
    let mut ruling = foresight.map(Foresight::into_ruling);
    let begun = work.write(|tx| begin(tx, work, id, ruling.take()))?;
    let Some((import, mut publication)) = begun else { return Ok(()) };
    let all = import.rows_in_file();
    let mut first = 1;
    while first <= all {
        let count = publication.look_ahead(first, parts.rows.min(all + 1 - first))?;
        work.write(|tx| {
            require_importing(tx, work.claim, id)?;
            publication.rows(tx, first, count, work.progress)?;
            publication.end_part(tx)
        })?;
        first += count;
    }
    // A closure that may run several times can't give away what it has; this one runs once.
    let mut publication = Some(publication);
    work.write(|tx| {
        require_importing(tx, work.claim, id)?;
        let mut publication = publication.take().ok_or_else(|| Error::internal("it ran twice"))?;
        publication.show(tx, all)?;
        let published = publication.finish(tx, &import)?;
        complete(tx, work.claim, &import, published)
    })
}

/// The first commit: what is published is the plan of this moment, by the rules of this moment.
fn begin(
    tx: &mut FamilyTx<'_>,
    work: &Work<'_>,
    id: ImportId,
    ruling: Option<Ruling>,
) -> Result<Option<(Import, Publication)>> {
    let files = work.files;
    jobs::hold(tx, work.claim)?;
    let mut import = imports::get(tx, id)?;
    if import.status != ImportStatus::Importing {
        jobs::complete(tx, work.claim)?;
        return Ok(None);
    }
    if !import.has_current_plan()
        && let Some(made) = planning::of_import(tx, files, &import)?
    {
        if !made.store(tx, &import)? {
            return Err(Error::internal("the import was changed while its plan was stored"));
        }
        import = imports::get(tx, id)?;
    }
    let ruling = match ruling {
        Some(ruling) if ruling.is_current(tx)? => ruling,
        _ => Ruling::load(tx)?,
    };
    let mut publication = Publication::begin(tx, files, &import, None, ruling, Pass::Additions)?;
    publication.hide(tx)?;
    Ok(Some((import, publication)))
}

/// Begins an undo that is large: its transactions are counted out and hidden, then deleted. What is
/// left is an undo like any other.
pub(super) fn begin_undo(work: &Work<'_>, id: ImportId) -> Result<()> {
    if !work.store.is_sqlite() {
        return Ok(());
    }
    let parts = Parts::of(work);
    let import = work.read(|tx| imports::get(tx, id))?;
    let Some(range) = import.range.filter(|_| import.created > parts.whole_rows_max) else {
        return Ok(());
    };
    let is_hidden = work.write(|tx| {
        jobs::hold(tx, work.claim)?;
        let status = imports::progress(tx, id)?.status;
        let is_large = imports::removable(tx, range)? > parts.whole_rows_max;
        if status != ImportStatus::Reverting || !is_large {
            return Ok(false);
        }
        look_for_transfers(tx, range)?;
        Executor::begin(tx, 0)?.hide_range(tx, id, range)?;
        Ok(true)
    })?;
    if is_hidden { sweep(work, work.progress) } else { Ok(()) }
}

/// A part is executed only by the worker that has the job, and only for an import that waits for
/// it.
fn require_importing(tx: &mut FamilyTx<'_>, claim: &ClaimedJob, id: ImportId) -> Result<()> {
    jobs::hold(tx, claim)?;
    match imports::progress(tx, id)?.status {
        ImportStatus::Importing => Ok(()),
        other => {
            let other = other.as_str();
            Err(Error::internal(format!("the import became {other} between two parts")))
        }
    }
}
