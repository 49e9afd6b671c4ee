//! The job that undoes an import: what it takes back, the new status of the import and the end of
//! the job are one commit, or the last of several if the import is large.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::FamilyTx;
use purser_store::audit::Actor;
use purser_store::bank_statements;
use purser_store::imports::{self, Import, Survey};
use purser_store::jobs;
use purser_store::ledger::{Event, Executor, Range};
use purser_store::transfers::matching;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::parts::{self, part_rows};
use super::planning;
use crate::jobs::job::{GivenUp, Job, Work};
use crate::transfers::{self, Scope};

/// What people read when the job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str =
    "The import could not be undone because of an error on the server. Nothing was changed.";
/// The same if the process ended again and again.
const DEADLY: &str =
    "The import could not be undone: the server ended again and again while it worked on it.";
/// The same if some of its commits went through.
const OUT_OF_TRIES_BEGUN: &str = "The import could not be undone whole because of an error on the \
     server. Its transactions are removed; undo it again to finish.";

/// Undoes the import with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Revert {
    pub(crate) import_id: ImportId,
}

impl Job for Revert {
    const KIND: &'static str = "import.revert";
    const IS_REFUSAL_FINAL: bool = true;

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.import_id))
    }

    fn import(&self) -> Option<ImportId> {
        Some(self.import_id)
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        parts::sweep(work, work.progress)?;
        begin_in_parts(work, self.import_id)?;
        work.write(|tx| self.run_in(tx, work))?;
        self.replan(work);
        Ok(())
    }

    fn clean_up(&self, work: &Work<'_>) -> Result<()> {
        parts::sweep(work, &|_| {})
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, reason: &GivenUp) -> Result<()> {
        let sentence = match reason {
            GivenUp::Refused(sentence) => sentence,
            GivenUp::Deadly => DEADLY,
            GivenUp::OutOfTries => {
                let import = imports::get(tx, self.import_id)?;
                match imports::removed_before(tx, &import)? {
                    0 => OUT_OF_TRIES,
                    _ => OUT_OF_TRIES_BEGUN,
                }
            }
        };
        imports::fail_revert(tx, self.import_id, sentence)
    }

    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        imports::mark_reverting(tx, self.import_id, ImportStatus::RevertFailed)
    }
}

impl Revert {
    fn run_in(&self, tx: &mut FamilyTx<'_>, work: &Work<'_>) -> Result<()> {
        let id = self.import_id;
        let import = imports::get(tx, id)?;
        if import.status != ImportStatus::Reverting {
            // Done before: the end of a job and its effects are one commit, so this is a leftover.
            return jobs::complete(tx, work.claim);
        }
        // What an undo in parts has removed by now is not in the survey.
        let before = imports::removed_before(tx, &import)?;
        let survey = imports::survey(tx, &import)?;
        let progress = |rows| (work.progress)(before + rows);
        execute(tx, &import, (&survey, before), &progress)?;
        imports::reverted(tx, id, import.import_type)?;
        jobs::complete(tx, work.claim)
    }

    /// Makes the plan of the import anew. If it can't be made at the moment, whoever needs it makes
    /// it.
    fn replan(&self, work: &Work<'_>) {
        let id = self.import_id;
        if let Err(error) = planning::renew(work.store, work.files, &work.access(), id) {
            tracing::warn!(import = %id, cause = ?error, "the plan after an undo is made later");
        }
    }
}

/// Begins an undo that is large: its transactions are counted out and hidden, then deleted. What is
/// left is an undo like any other.
fn begin_in_parts(work: &Work<'_>, id: ImportId) -> Result<()> {
    if !work.store.is_sqlite() {
        return Ok(());
    }
    let part_rows = part_rows(work);
    let import = work.read(|tx| imports::get(tx, id))?;
    let Some(range) = import.range.filter(|_| import.created > part_rows) else {
        return Ok(());
    };
    let is_hidden = work.write(|tx| {
        jobs::hold(tx, work.claim)?;
        let status = imports::progress(tx, id)?.status;
        let is_large = imports::removable(tx, range)? > part_rows;
        if status != ImportStatus::Reverting || !is_large {
            return Ok(false);
        }
        enqueue_rematch(tx, range)?;
        Executor::begin(tx, 0)?.hide_range(tx, id, range)?;
        Ok(true)
    })?;
    if is_hidden { parts::sweep(work, work.progress) } else { Ok(()) }
}

/// Executes the survey; `before` entries are removed already.
fn execute(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    (survey, before): (&Survey, u64),
    progress: &dyn Fn(u64),
) -> Result<()> {
    let mut executor = Executor::begin(tx, 0)?;
    if let Some(range) = import.range {
        enqueue_rematch(tx, range)?;
        executor.count_out_range(tx, range)?;
        let deleted = executor.delete_range(tx, range, progress)?;
        if deleted != survey.removed {
            return Err(Error::internal(format!(
                "{deleted} entries were removed and not {}",
                survey.removed
            )));
        }
    }
    bank_statements::take_back(tx, import.id, import.range)?;
    imports::take_fills_back(tx, &mut executor, import.id)?;
    imports::take_records_back(tx, &mut executor, import.id, survey)?;
    executor.forget_records(tx, import.id)?;
    if survey.choices_reset > 0 {
        imports::row_choices_reset(tx, import.id)?;
    }
    let event = Event {
        actor: Actor::Import(import.id),
        action: "import.revert",
        subject_kind: "import",
        subject_id: import.id.0,
        details: details(import, survey, before),
    };
    executor.finish(tx, event).map(drop)
}

/// What goes leaves pairs behind that are certain now, or proposals that were crowded out.
fn enqueue_rematch(tx: &mut FamilyTx<'_>, range: Range) -> Result<()> {
    if let Some((first, last)) = matching::bounds_of_range(tx, range.0, range.1)? {
        transfers::queue(tx, Scope::Around { first, last })?;
    }
    Ok(())
}

/// The transactions themselves can be read again from the file.
fn details(import: &Import, survey: &Survey, before: u64) -> Value {
    let range = import.range.map(|(first, last)| json!({ "first": first, "last": last }));
    json!({
        "removed_entries": range,
        "removed": before + survey.removed,
        "kept": survey.kept,
        "fills_taken_back": survey.fills.taken_back,
        "fills_kept": survey.fills.kept,
        "row_choices_reset": survey.choices_reset,
        "changes_taken_back": survey.records.restored_count(),
        "changes_kept": survey.records.kept_count(),
    })
}
