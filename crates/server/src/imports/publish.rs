//! Publishing: the second commit queues it, the job carries it out.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::mapping::{Found, MappingKind, Preparation};
use purser_core::import::status::ImportStatus;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Mapping, Published};
use purser_store::jobs::{self, ClaimedJob};
use purser_store::ledger::{Event, Executor};
use purser_store::{FamilyId, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::names::Names;
use super::reading::Source;
use super::rejection::{Facts, Rejection};

/// The kind of job.
pub(crate) const KIND: &str = "import.publish";

/// How often the progress is told.
const PROGRESS_ROWS: u64 = 1000;

/// What the job needs to know.
#[derive(Debug, Serialize, Deserialize)]
struct Payload {
    import_id: ImportId,
}

/// What became of the wish to publish.
pub(crate) enum Queued {
    /// The job is queued; the import as it stands now.
    Yes(Box<Import>),
    /// Refused.
    No(Rejection),
}

/// Who asks for a publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// The upload itself, whose wish somebody else may have carried out by now.
    Upload,
    /// Somebody who wants it published now.
    Caller,
}

/// Takes the import to `importing` and queues the job: one commit.
pub(crate) fn queue(
    tx: &mut Tx<'_>,
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

/// Carries out the job: what it creates, the completion and the job's end are one commit.
/// `progress` hears how many rows are done.
pub(crate) fn run(
    tx: &mut Tx<'_>,
    files: &FileStore,
    job: &ClaimedJob,
    progress: &dyn Fn(u64),
) -> Result<()> {
    let id = import_of(job)?;
    let import = imports::get(tx, job.family, id)?;
    if import.status != ImportStatus::Importing {
        // Carried out before: a job's end and its effects are one commit, so this is a leftover.
        return jobs::complete(tx, job);
    }
    let published = carry_out(tx, files, job.family, &import, progress)?;
    imports::complete(tx, job.family, id, published)?;
    jobs::complete(tx, job)
}

/// As [`run`], but wrong: whoever is killed between the two commits does the work twice.
#[cfg(feature = "planted-defect")]
pub(crate) fn run_in_two_commits(
    store: &purser_store::Store,
    files: &FileStore,
    job: &ClaimedJob,
) -> Result<()> {
    let id = import_of(job)?;
    let published = store.write_blocking(job.family, |tx| {
        let import = imports::get(tx, job.family, id)?;
        carry_out(tx, files, job.family, &import, &|_| {})
    })?;
    store.write_blocking(job.family, |tx| {
        imports::complete(tx, job.family, id, published)?;
        jobs::complete(tx, job)
    })
}

/// The import that a job publishes.
pub(crate) fn import_of(job: &ClaimedJob) -> Result<ImportId> {
    let payload: Payload = serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    Ok(payload.import_id)
}

fn carry_out(
    tx: &mut Tx<'_>,
    files: &FileStore,
    family: FamilyId,
    import: &Import,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let mappings = imports::mappings(tx, family, import.id)?;
    let mut preparation = prepare(tx, family, &mappings)?;
    let mut executor = Executor::begin(tx, family, import.valid_rows)?;
    for creation in std::mem::take(&mut preparation.creations) {
        executor.create(tx, &creation)?;
    }
    assign(tx, family, import.id, &mappings, &preparation, &executor)?;
    let source = Source::open(tx, files, family, import)?;
    let started = std::time::Instant::now();
    let mut names = Names::new(&preparation, import.account);
    let mut tags = Vec::new();
    source.visit_all(|row| {
        if row.row % PROGRESS_ROWS == 0 {
            progress(row.row);
        }
        let row = match row.outcome {
            Ok(ref row) => row,
            Err(_) if import.skip_invalid => return Ok(()),
            Err(ref reasons) => return Err(invalid(row.line, reasons)),
        };
        tags.clear();
        for tag in row.tags.iter() {
            tags.push(names.target(MappingKind::Tag, tag)?);
        }
        let draft = TransactionDraft {
            account: names.account(row.account)?,
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            name: row.name,
            notes: row.notes,
            category: row
                .category
                .map(|name| names.target(MappingKind::Category, name))
                .transpose()?,
            tags: &tags,
            source: None,
            external_id: None,
        };
        executor.apply(tx, &Change::AddTransaction(draft))?;
        Ok(())
    })?;
    let event = Event {
        actor: Actor::Import(import.id),
        action: "import.publish",
        subject_kind: "import",
        subject_id: import.id.0,
        details: json!({ "rows": import.valid_rows }),
    };
    let rows = started.elapsed();
    let outcome = executor.finish(tx, event)?;
    let finish = started.elapsed() - rows;
    tracing::debug!(import = %import.id, ?rows, ?finish, "rows added, balances folded");
    if outcome.transactions != import.valid_rows {
        return Err(Error::internal(format!(
            "{} of {} valid rows became transactions",
            outcome.transactions, import.valid_rows
        )));
    }
    Ok(Published { range: outcome.range, created: outcome.transactions })
}

fn invalid(line: u64, reasons: &[String]) -> Error {
    Error::invalid(format!("Line {line} can't be imported: {}", reasons.join("; ")))
}

/// From now on the names that were to be created stand for what was.
fn assign(
    tx: &mut Tx<'_>,
    family: FamilyId,
    id: ImportId,
    mappings: &[Mapping],
    preparation: &Preparation,
    executor: &Executor,
) -> Result<()> {
    for mapping in mappings.iter().filter(|mapping| mapping.target.is_none()) {
        let target = match preparation.target(mapping.kind, &mapping.value) {
            Some(Target::Existing(id)) => id,
            Some(Target::Created(slot)) => executor.created_id(slot)?,
            None => continue,
        };
        imports::mapping_assign(tx, family, id, mapping, target)?;
    }
    Ok(())
}

/// Resolves the names once more: what was to be created may exist by now.
fn prepare(tx: &mut Tx<'_>, family: FamilyId, mappings: &[Mapping]) -> Result<Preparation> {
    let existing = imports::existing(tx, family)?;
    let mut preparation = Preparation::default();
    for mapping in mappings {
        if let Some(target) = mapping.target {
            preparation.assign(mapping.kind, &mapping.value, target);
            continue;
        }
        let found = Found {
            kind: mapping.kind,
            value: mapping.value.clone(),
            key: mapping.value_key.clone(),
            rows: mapping.rows,
            currencies: mapping.currency.as_deref().and_then(Currency::parse).into_iter().collect(),
        };
        preparation.create(&found, &existing).map_err(Error::invalid)?;
    }
    Ok(preparation)
}
