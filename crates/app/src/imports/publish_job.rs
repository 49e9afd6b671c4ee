//! The job that publishes an import: its effects, the completion and the end of the job are one
//! commit, or the last of several if the import is large.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::status::ImportStatus;
use purser_store::FamilyTx;
use purser_store::files::{FileStore, file_get};
use purser_store::imports::{self, Import, Published};
use purser_store::jobs::{self, ClaimedJob};
use serde::{Deserialize, Serialize};

use super::parts::{self, is_too_much, part_rows};
use super::streamed::{Pass, PrecomputedRules, Publication, RuleEvaluation};
use super::{native, objections, planning, template, whole};
use crate::jobs::job::{GivenUp, Job, Work};
use crate::transfers::{self, Scope};

/// What people read when the job is out of tries; the cause is in the log.
const OUT_OF_TRIES: &str =
    "The import could not be carried out because of an error on the server. Nothing was changed.";
/// The same if the process ended again and again.
const DEADLY: &str = "The import could not be carried out: the server ended again and again while it \
     worked on it. Nothing was changed.";

/// How often a plan is made anew in a snapshot, before the publish makes it itself.
const PLAN_TRIES: u32 = 3;

/// Publishes the import with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Publish {
    pub(crate) import_id: ImportId,
}

impl Job for Publish {
    const KIND: &'static str = "import.publish";
    const IS_REFUSAL_FINAL: bool = true;

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.import_id))
    }

    fn import(&self) -> Option<ImportId> {
        Some(self.import_id)
    }

    #[cfg(not(feature = "planted-defect"))]
    fn run(&self, work: &Work<'_>) -> Result<()> {
        parts::sweep(work, &|_| {})?;
        self.verify_files(work)?;
        self.prepare(work)?;
        self.require_proof(work)?;
        let mut ahead = self.precompute(work)?;
        let is_heavy = ahead.as_ref().is_some_and(|ahead| !ahead.is_whole());
        if !is_heavy && !parts::is_large_publish(work, self.import_id)? {
            match work.write(|tx| self.run_in(tx, work, ahead.take())) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) if is_too_much(&error) => {
                    tracing::debug!(import = %self.import_id, "too much for one commit");
                    ahead = self.precompute(work)?;
                }
                Err(error) => return Err(error),
            }
        }
        match work.read(|tx| imports::get(tx, self.import_id))?.import_type {
            ImportType::Native => publish_native_in_parts(work, self.import_id),
            _ => publish_in_parts(work, self.import_id, ahead),
        }
    }

    /// Wrong on purpose: of a process that is killed between the two commits the import stays
    /// without an end, because nobody has the job any more.
    #[cfg(feature = "planted-defect")]
    fn run(&self, work: &Work<'_>) -> Result<()> {
        self.prepare(work)?;
        let id = self.import_id;
        let published = work.write(|tx| {
            let import = imports::get(tx, id)?;
            let rules = RuleEvaluation::load(tx)?;
            let published = execute(tx, work.files, &import, rules, &|_| {})?;
            jobs::complete(tx, work.claim)?;
            Ok(published)
        })?;
        work.write(|tx| imports::complete(tx, id, published))
    }

    fn clean_up(&self, work: &Work<'_>) -> Result<()> {
        parts::sweep(work, &|_| {})
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, reason: &GivenUp) -> Result<()> {
        let sentence = match reason {
            GivenUp::Refused(sentence) => sentence,
            GivenUp::OutOfTries => OUT_OF_TRIES,
            GivenUp::Deadly => DEADLY,
        };
        imports::fail(tx, self.import_id, sentence)
    }

    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        imports::mark_importing(tx, self.import_id, ImportStatus::Failed)
    }
}

impl Publish {
    /// Refuses files that are not what was uploaded and what its rows were read from.
    fn verify_files(&self, work: &Work<'_>) -> Result<()> {
        let id = self.import_id;
        let records = work.read(|tx| {
            let records = imports::offsets(tx, id)?.and_then(|offsets| offsets.records_file);
            let files = imports::get(tx, id)?.file.into_iter().chain(records);
            files.map(|file| Ok((file, file_get(tx, file)?))).collect::<Result<Vec<_>>>()
        })?;
        for (file, record) in records {
            let record = record.ok_or_else(|| Error::internal("a file has no row"))?;
            work.files.verify(work.claim.family, file, &record)?;
        }
        Ok(())
    }

    /// Makes sure that the plan of the import is current, before the write begins in which it is
    /// executed, so that no write waits while a plan is made. If the ledger changes each time, the
    /// write makes the plan itself.
    fn prepare(&self, work: &Work<'_>) -> Result<()> {
        for _ in 0..PLAN_TRIES {
            if planning::renew(work.store, work.files, &work.access(), self.import_id)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Refuses what doesn't follow from the ledger any more: it may have changed since the publish
    /// was queued.
    fn require_proof(&self, work: &Work<'_>) -> Result<()> {
        let found = work.read(|tx| {
            let import = imports::get(tx, self.import_id)?;
            if import.status != ImportStatus::Importing {
                return Ok(Vec::new());
            }
            let mappings = imports::mappings(tx, self.import_id)?;
            objections::of_publish(tx, work.files, &import, &mappings)
        })?;
        objections::refuse(found)
    }

    /// Evaluates the rules for the rows before the write begins. On PostgreSQL, where nobody else
    /// waits for it, the write does that.
    fn precompute(&self, work: &Work<'_>) -> Result<Option<PrecomputedRules>> {
        let id = self.import_id;
        if !work.store.is_sqlite() {
            return Ok(None);
        }
        let import = work.read(|tx| imports::get(tx, id))?;
        if import.status != ImportStatus::Importing || is_whole(&import) {
            return Ok(None);
        }
        PrecomputedRules::of(work.store, work.files, work.access(), id).map(Some)
    }

    /// Publishes in one commit. False if names or rules changed since rules were evaluated:
    /// nothing is done then.
    fn run_in(
        &self,
        tx: &mut FamilyTx<'_>,
        work: &Work<'_>,
        precomputed: Option<PrecomputedRules>,
    ) -> Result<bool> {
        let import = imports::get(tx, self.import_id)?;
        if import.status != ImportStatus::Importing {
            // Done before: the end of a job and its effects are one commit, so this is a leftover.
            return jobs::complete(tx, work.claim).map(|()| true);
        }
        if let Some(precomputed) = &precomputed
            && !precomputed.is_current(tx)?
        {
            return Ok(false);
        }
        let rules = match precomputed {
            Some(precomputed) => precomputed.into_rules(),
            None => RuleEvaluation::load(tx)?,
        };
        let published = execute(tx, work.files, &import, rules, work.progress)?;
        complete(tx, work.claim, &import, published).map(|()| true)
    }
}

/// Completes the import and ends the job, in the commit that shows what was published.
fn complete(
    tx: &mut FamilyTx<'_>,
    claim: &ClaimedJob,
    import: &Import,
    published: Published,
) -> Result<()> {
    template::remember(tx, import)?;
    imports::complete(tx, import.id, published)?;
    // A file of the server's own format states its transfers itself.
    let is_native = import.import_type == ImportType::Native;
    if let Some((first, last)) = published.range.filter(|_| !is_native) {
        transfers::queue(tx, Scope::Added { first, last })?;
    }
    jobs::complete(tx, claim)
}

/// Whether the rows are published together, and rules don't apply to them.
fn is_whole(import: &Import) -> bool {
    let kind = Kind::of(import.import_type);
    kind == Kind::Native || kind.spec().is_whole
}

/// Executes the plan, which is made anew if the stored one is not current.
fn execute(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    rules: RuleEvaluation,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let built =
        if import.has_current_plan() { None } else { planning::of_import(tx, files, import)? };
    objections::require_none(tx, import, built.as_ref())?;
    if import.import_type == ImportType::Native {
        return native::publish(tx, files, import, built, progress);
    }
    if is_whole(import) {
        return whole::publish(tx, files, import, built, progress);
    }
    let started = std::time::Instant::now();
    let mut publication = Publication::begin(tx, files, import, built, rules, Pass::Whole)?;
    publication.rows(tx, 1, import.rows_in_file(), progress)?;
    let rows = started.elapsed();
    let published = publication.finish(tx, import)?;
    let finish = started.elapsed() - rows;
    tracing::debug!(import = %import.id, ?rows, ?finish, "rows added, balances folded");
    Ok(published)
}

/// Executes a publish in parts.
fn publish_in_parts(
    work: &Work<'_>,
    id: ImportId,
    precomputed: Option<PrecomputedRules>,
) -> Result<()> {
    let part_rows = part_rows(work);
    let mut rules = precomputed.map(PrecomputedRules::into_rules);
    let begun = work.write(|tx| begin_parts(tx, work, id, rules.take()))?;
    let Some((import, mut publication)) = begun else { return Ok(()) };
    let all = import.rows_in_file();
    let mut first = 1;
    while first <= all {
        let count = publication.evaluate_ahead(first, part_rows.min(all + 1 - first))?;
        first += work.write(|tx| {
            require_importing(tx, work.claim, id)?;
            let done = publication.rows(tx, first, count, work.progress)?;
            publication.end_part(tx)?;
            Ok(done)
        })?;
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

/// Executes the publish of a file in the server's own format in parts.
fn publish_native_in_parts(work: &Work<'_>, id: ImportId) -> Result<()> {
    let part_rows = part_rows(work);
    let prepared = work.read(|tx| {
        let import = imports::get(tx, id)?;
        native::Prepared::of(tx, work.files, &import)
    })?;
    let mut prepared = Some(prepared);
    let begun = work.write(|tx| {
        let Some(import) = import_to_publish(tx, work, id)? else { return Ok(None) };
        let prepared = prepared.take().ok_or_else(|| Error::internal("it ran twice"))?;
        let publication = native::Publication::begin_parts(tx, &import, prepared)?;
        Ok(Some((import, publication)))
    })?;
    let Some((import, mut publication)) = begun else { return Ok(()) };
    publication.find_entries()?;
    let all = import.rows_in_file();
    let mut first = 1;
    while first <= all {
        let rows = (first, part_rows.min(all + 1 - first));
        first += work.write(|tx| {
            require_importing(tx, work.claim, id)?;
            publication.add_entries(tx, rows, work.progress)
        })?;
    }
    let mut first = 1;
    while publication.has_belongings() && first <= all {
        let rows = (first, part_rows.min(all + 1 - first));
        first += work.write(|tx| {
            require_importing(tx, work.claim, id)?;
            publication.add_belongings(tx, rows)
        })?;
    }
    let mut publication = Some(publication);
    work.write(|tx| {
        require_importing(tx, work.claim, id)?;
        let publication = publication.take().ok_or_else(|| Error::internal("it ran twice"))?;
        let published = publication.finish(tx)?;
        complete(tx, work.claim, &import, published)
    })
}

/// The import of a publish in parts, with a plan that is stored and of this moment; nothing if it
/// was published before.
fn import_to_publish(
    tx: &mut FamilyTx<'_>,
    work: &Work<'_>,
    id: ImportId,
) -> Result<Option<Import>> {
    jobs::hold(tx, work.claim)?;
    let import = imports::get(tx, id)?;
    if import.status != ImportStatus::Importing {
        jobs::complete(tx, work.claim)?;
        return Ok(None);
    }
    if import.has_current_plan() {
        objections::require_none(tx, &import, None)?;
        return Ok(Some(import));
    }
    let Some(built) = planning::of_import(tx, work.files, &import)? else {
        return Ok(Some(import));
    };
    objections::require_none(tx, &import, Some(&built))?;
    if !built.store(tx, &import)? {
        return Err(Error::internal("the import was changed while its plan was stored"));
    }
    imports::get(tx, id).map(Some)
}

/// The first commit: what is published is the plan of this moment, by the rules of this moment.
fn begin_parts(
    tx: &mut FamilyTx<'_>,
    work: &Work<'_>,
    id: ImportId,
    rules: Option<RuleEvaluation>,
) -> Result<Option<(Import, Publication)>> {
    let Some(import) = import_to_publish(tx, work, id)? else { return Ok(None) };
    let rules = match rules {
        Some(rules) if rules.is_current(tx)? => rules,
        _ => RuleEvaluation::load(tx)?,
    };
    let files = work.files;
    let mut publication = Publication::begin(tx, files, &import, None, rules, Pass::Additions)?;
    publication.hide(tx)?;
    Ok(Some((import, publication)))
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
