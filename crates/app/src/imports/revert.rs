//! Undoing an import: the preview, the commit that queues it, and the job.
//!
//! The preview and the job make the same survey of the ledger, and the job executes its survey, so
//! that what was shown is what is done unless something changed in between.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::status::ImportStatus;
use purser_store::audit::{self, Actor};
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Others, Survey};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::ledger::{Event, Executor, Range};
use purser_store::transfers::matching;
use purser_store::{FamilyId, FamilyTx, Store};
use serde_json::{Value, json};

use super::planning;
use super::publish::{Queued, import_of};
use super::rejection::Rejection;
use crate::transfers::{self, Scope};

/// The kind of job.
pub const KIND: &str = "import.revert";

/// What people read when the job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str =
    "The import could not be undone because of an error on the server. Nothing was changed.";
/// The same if some of its commits went through.
const OUT_OF_TRIES_BEGUN: &str = "The import could not be undone whole because of an error on the \
     server. Its transactions are removed; undo it again to finish.";

/// What an undo would do.
pub struct Preview {
    /// To the ledger and to the import itself.
    pub survey: Survey,
    /// What other imports have to do with what goes.
    pub others: Others,
}

impl Preview {
    /// What else a person should know before, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Others { entries, imports, is_exact, named } = &self.others;
        let at_least = if *is_exact { "" } else { "At least " };
        if *entries > 0 {
            let mut names: Vec<String> = named
                .iter()
                .map(|one| one.name.as_ref().map_or("a file without a name".into(), quoted))
                .collect();
            let others = imports.saturating_sub(named.len() as u64);
            if others > 0 {
                names.push(format!("{others} more"));
            }
            let (stand, them) = if *entries == 1 { ("stands", "it") } else { ("stand", "them") };
            notes.push(format!(
                "{at_least}{entries} of the transactions that go also {stand} for rows of other \
                 imports, which don't bring {them} back: {}.",
                names.join(", ")
            ));
        } else if !is_exact {
            let what = "Whether the transactions also stand for rows of other imports";
            notes.push(format!("{what} was not looked at to the end."));
        }
        let rows = self.survey.choices_reset;
        if rows > 0 {
            notes.push(format!(
                "{rows} {} to be imported in spite of a match: the plan decides again, so that \
                 nothing comes twice or comes back.",
                if rows == 1 { "row was" } else { "rows were" }
            ));
        }
        notes
    }
}

/// Why a transaction stays, from what of it was changed since.
pub fn why_kept(changed: &[&str]) -> String {
    match changed {
        [] => "It was changed since the import".to_owned(),
        [only] => format!("Its {only} was changed since the import"),
        [first @ .., last] => {
            format!("Its {} and {last} were changed since the import", first.join(", "))
        }
    }
}

fn quoted(name: &String) -> String {
    format!("“{name}”")
}

/// What an undo would do; refused if the import is not published. `visible` are the only accounts
/// that the caller may see, if not all.
pub fn preview(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    import: &Import,
    visible: Option<&[AccountId]>,
) -> Result<std::result::Result<Preview, Rejection>> {
    if import.status != ImportStatus::Reverting && !import.condition().detail().revertable {
        return Ok(Err(not_revertable(import)));
    }
    let survey = imports::survey(tx, family, import)?;
    let others = imports::others(tx, family, import, visible)?;
    Ok(Ok(Preview { survey, others }))
}

/// Takes the import to `reverting` and queues the job: one commit.
pub fn queue(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    id: ImportId,
    actor: Actor,
) -> Result<Queued> {
    let import = imports::get(tx, family, id)?;
    if !imports::mark_reverting(tx, family, id, import.status)? {
        return Ok(Queued::No(not_revertable(&import)));
    }
    jobs::enqueue(tx, family, KIND, &json!({ "import_id": id }), Some(&format!("{KIND}:{id}")))?;
    // Who requested it; the result is the job's event.
    let wish = audit::Event {
        actor,
        action: "import.revert_wish",
        subject_kind: "import",
        subject_id: Some(id.0),
        details: json!({}),
    };
    audit::record(tx, family, &wish)?;
    Ok(Queued::Yes(Box::new(imports::get(tx, family, id)?)))
}

fn not_revertable(import: &Import) -> Rejection {
    Rejection {
        code: "not_revertable",
        message: format!("The import is {}", import.status.as_str()),
        errors: Vec::new(),
    }
}

/// Runs the job: what it takes back, the import's new status and the job's end are one commit.
/// `progress` gets the number of entries that are removed.
pub fn run(tx: &mut FamilyTx<'_>, job: &ClaimedJob, progress: &dyn Fn(u64)) -> Result<()> {
    let (id, family) = (import_of(job)?, job.family);
    let import = imports::get(tx, family, id)?;
    if import.status != ImportStatus::Reverting {
        // Done before: a job's end and its effects are one commit, so this is a leftover.
        return jobs::complete(tx, job);
    }
    // What an undo in parts has removed by now is not in the survey.
    let before = imports::removed_before(tx, family, &import)?;
    let survey = imports::survey(tx, family, &import)?;
    carry_out(tx, family, &import, (&survey, before), &|rows| progress(before + rows))?;
    imports::reverted(tx, family, id)?;
    jobs::complete(tx, job)
}

/// Executes the survey; `before` entries are removed already.
fn carry_out(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    import: &Import,
    (survey, before): (&Survey, u64),
    progress: &dyn Fn(u64),
) -> Result<()> {
    let mut executor = Executor::begin(tx, family, 0)?;
    if let Some(range) = import.range {
        look_for_transfers(tx, family, range)?;
        executor.count_out_range(tx, range)?;
        let deleted = executor.delete_range(tx, range, progress)?;
        if deleted != survey.removed {
            return Err(Error::internal(format!(
                "{deleted} entries were removed and not {}",
                survey.removed
            )));
        }
    }
    imports::take_fills_back(tx, &mut executor, family, import.id)?;
    // An account can only go when its balances and its counters are settled.
    executor.settle(tx)?;
    imports::unsay(tx, family, &survey.created)?;
    for created in survey.created.iter().filter(|created| created.goes()) {
        executor.remove_created(tx, created.kind, created.id)?;
    }
    if survey.choices_reset > 0 {
        imports::row_choices_reset(tx, family, import.id)?;
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
pub(super) fn look_for_transfers(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    range: Range,
) -> Result<()> {
    if let Some((first, last)) = matching::bounds_of_range(tx, family, range.0, range.1)? {
        transfers::queue(tx, family, Scope::Around { first, last })?;
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
    })
}

/// Notes that the undo is given up.
pub fn out_of_tries(tx: &mut FamilyTx<'_>, job: &ClaimedJob) -> Result<()> {
    let import = imports::get(tx, job.family, import_of(job)?)?;
    let sentence = match imports::removed_before(tx, job.family, &import)? {
        0 => OUT_OF_TRIES,
        _ => OUT_OF_TRIES_BEGUN,
    };
    imports::fail_revert(tx, job.family, import.id, sentence)
}

/// Makes the plan of an import anew that was undone just now. If it can't be made at the moment,
/// whoever needs it makes it.
pub fn replan(store: &Store, files: &FileStore, job: &ClaimedJob) -> Result<()> {
    let id = import_of(job)?;
    if let Err(error) = planning::renew(store, files, job.family, id) {
        tracing::warn!(import = %id, cause = ?error, "the plan after an undo is made later");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_sentences() {
        for (changed, expected) in [
            (&[][..], "It was changed since the import"),
            (&["name"], "Its name was changed since the import"),
            (&["date", "name"], "Its date and name were changed since the import"),
            (
                &["date", "amount", "name"],
                "Its date, amount and name were changed since the import",
            ),
        ] {
            assert_eq!(why_kept(changed), expected);
        }
    }
}
