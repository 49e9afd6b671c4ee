//! Undoing an import: what it would do, and the commit that queues it.
//!
//! The preview and the job make the same survey of the ledger, and the job executes its survey, so
//! that what was shown is what is done unless something changed in between.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::FamilyTx;
use purser_store::audit;
use purser_store::imports::{self, Import, OtherImports, Removal, Survey};
use serde_json::json;
use uuid::Uuid;

use super::publish::Queued;
use super::rejection::Rejection;
use super::revert_job::Revert;
use crate::jobs::job::enqueue;

/// What an undo would do.
pub struct Preview {
    /// To the ledger and to the import itself.
    pub survey: Survey,
    /// What other imports have to do with what goes.
    pub others: OtherImports,
}

impl Preview {
    /// What else a person should know before, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let OtherImports { entries, imports, is_exact, named } = &self.others;
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

/// What becomes of records of some kinds, in sentences. `name_of` returns the name that is shown
/// for an id and a name of the survey.
pub fn record_sentences(
    survey: &Survey,
    is_shown: impl Fn(&str) -> bool,
    name_of: impl Fn(Uuid, &str) -> String,
) -> Vec<String> {
    let noun = |kind: &str| kind.replace('_', " ");
    let mut sentences = Vec::new();
    for one in survey.records.restored.iter().filter(|one| is_shown(one.kind)) {
        let (noun, name) = (noun(one.kind), name_of(one.id, &one.name));
        sentences.push(format!("The {noun} “{name}” gets its earlier values back."));
    }
    for one in survey.records.kept.iter().filter(|one| is_shown(one.kind)) {
        let (noun, name) = (noun(one.kind), name_of(one.id, &one.name));
        let fields: Vec<&str> =
            one.fields.iter().map(|field| field.trim_end_matches("_id")).collect();
        sentences.push(match fields.as_slice() {
            [] => format!("The {noun} “{name}” stays removed: it can't be put back."),
            _ => format!(
                "The {noun} “{name}” keeps its {}: it can't be put back.",
                fields.join(", ")
            ),
        });
    }
    for one in survey.created().filter(|one| is_shown(one.kind)) {
        let (noun, name) = (noun(one.kind), name_of(one.id, &one.name));
        sentences.push(match one.removal {
            Removal::Goes => format!("The {noun} “{name}” goes, because only this import used it."),
            Removal::Stays(why) => format!("The {noun} “{name}” stays: {why}."),
        });
    }
    for (kind, more) in survey.records.unlisted().filter(|(kind, _)| is_shown(kind)) {
        let noun = noun(kind);
        for (count, becomes) in [
            (more.restored, "get earlier values back"),
            (more.kept, "keep something that can't be put back"),
            (more.removed, "go"),
            (more.staying, "stay, because they were changed since"),
        ] {
            if count > 0 {
                sentences.push(format!("Further records of the kind {noun} {becomes}: {count}."));
            }
        }
    }
    sentences
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

/// What an undo would do; refused if the import is not published.
pub fn preview(
    tx: &mut FamilyTx<'_>,
    import: &Import,
) -> Result<std::result::Result<Preview, Rejection>> {
    if import.status != ImportStatus::Reverting && !import.condition().detail().revertable {
        return Ok(Err(not_revertable(import)));
    }
    let survey = imports::survey(tx, import)?;
    let others = imports::others(tx, import)?;
    Ok(Ok(Preview { survey, others }))
}

/// Takes the import to `reverting` and queues the job: one commit.
pub fn queue(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Queued> {
    let actor = tx.actor();
    let import = imports::get(tx, id)?;
    if !imports::mark_reverting(tx, id, import.status)? {
        return Ok(Queued::No(not_revertable(&import)));
    }
    enqueue(tx, &Revert { import_id: id })?;
    // The event names who wanted it; what came of it is the event of the job.
    let wish = audit::Event {
        actor,
        action: "import.revert_wish",
        subject_kind: "import",
        subject_id: Some(id.0),
        details: json!({}),
    };
    audit::record(tx, &wish)?;
    Ok(Queued::Yes(Box::new(imports::get(tx, id)?)))
}

fn not_revertable(import: &Import) -> Rejection {
    Rejection {
        code: "not_revertable",
        message: format!("The import is {}", import.status.as_str()),
        errors: Vec::new(),
    }
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
