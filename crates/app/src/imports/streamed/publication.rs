//! Executing the plan of an import: rows and verdicts are read side by side and become changes of
//! the ledger.
//!
//! Things other than entries are created by the first row that needs them, so nothing is created
//! for rows that are not published. Rows can be executed part by part: what has to be known from
//! one part to the next is in [`Publication`].

use std::cell::Cell;
use std::collections::BTreeSet;
use std::slice;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use purser_core::import::cells::Cells;
use purser_core::import::mapping::MappingKind;
use purser_core::import::streamed::EntryRow;
use purser_core::import::transaction::Row;
use purser_core::import::transaction::balance::Sense;
use purser_core::import::transaction::duplicates::record::RecordHasher;
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::plan::Target;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, BLOCK_ROWS, Import, Mapping, Published};
use purser_store::ledger::{Event, Executor};
use serde_json::json;

use super::destinations::Destinations;
use super::pass::Pass;
use super::published_statements::PublishedStatements;
use super::refusals::{invalid, unchosen};
use super::rule_evaluation::RuleEvaluation;
use super::side_records::SideRecords;
use super::stated_by_file::StatedByFile;
use super::verdicts::Verdicts;
use super::{entry_of, notes_records};
use crate::imports::built_plan::BuiltPlan;
use crate::imports::creations::Creations;
use crate::imports::names::{Names, resolve};
use crate::imports::parts::TooMuch;
use crate::imports::reading::Source;

/// The number of rows after which progress is reported.
const PROGRESS_ROWS: u64 = 1000;
/// The number of rows after which it is looked how much was written.
const LOOK_ROWS: u64 = 64;

/// A publish that is being executed.
pub(in crate::imports) struct Publication {
    source: Source,
    plan_executor: PlanExecutor,
}

/// Everything that executes the plan; the rows come from the source.
pub(super) struct PlanExecutor {
    pub(super) import: ImportId,
    skip_invalid: bool,
    counts: Counts,
    mappings: Vec<Mapping>,
    pub(super) destinations: Destinations,
    creations: Creations,
    pub(super) rules: RuleEvaluation,
    pub(super) executor: Executor,
    pub(super) verdicts: Verdicts,
    hasher: RecordHasher,
    /// Rows are recognised by their records; not those of trades.
    notes_records: bool,
    pub(super) tags: Vec<Target>,
    rows: u64,
    pub(super) pass: Pass,
    /// Blocks in which rows fill something, if that is done in a pass of its own.
    pub(super) filling: BTreeSet<u64>,
    /// Openings and transfers that the file states.
    stated: StatedByFile,
    pub(super) side_records: SideRecords,
    /// How many rows were records of the family.
    records: u64,
    /// What becomes of the lines of bank statements.
    pub(super) statements: PublishedStatements,
}

impl Publication {
    /// Prepares a publish. `built` is its plan if that isn't stored; `rules` are the active ones.
    pub(in crate::imports) fn begin(
        tx: &mut FamilyTx<'_>,
        files: &FileStore,
        import: &Import,
        built: Option<BuiltPlan>,
        rules: RuleEvaluation,
        pass: Pass,
    ) -> Result<Self> {
        let counts = match &built {
            Some(built) => built.plan.counts()?,
            None => import.plan.ok_or_else(|| Error::internal("there is no plan to carry out"))?,
        };
        let mappings = imports::mappings(tx, import.id)?;
        let existing = imports::existing(tx)?;
        let mut resolved = resolve(&mappings, &existing);
        if counts.needs_choice > 0 {
            return Err(Error::invalid(unchosen(&mappings, &resolved.changed)));
        }
        let source = Source::open(tx, files, import)?;
        let layout = source.layout();
        resolved.preparation.take_account_types(&layout.account_types);
        resolved.preparation.take_portfolios(&layout.portfolios);
        resolved.preparation.take_stated_openings(&layout.openings);
        if let Some(balance) = layout.account_balance() {
            resolved.preparation.take_openings(&balance.ends, balance.sense);
        } else if let Some(stated) = layout.stated.as_ref().filter(|ends| ends.is_proven()) {
            resolved.preparation.take_openings(slice::from_ref(stated), Sense::Money);
        }
        let found = imports::found_statements(tx, import.id)?;
        let statements = PublishedStatements::new(import.import_type, layout, found);
        let creations = std::mem::take(&mut resolved.preparation.creations);
        let plan_executor = PlanExecutor {
            import: import.id,
            skip_invalid: import.skip_invalid,
            counts,
            mappings,
            destinations: Destinations::new(
                Names::new(resolved.preparation, import.account),
                existing.destinations(),
            ),
            creations: Creations::new(creations),
            rules,
            executor: Executor::begin(tx, counts.created() + layout.parts)?.of_import(import.id),
            verdicts: Verdicts::new(built),
            hasher: RecordHasher::default(),
            notes_records: notes_records(source.kind()),
            tags: Vec::new(),
            rows: 0,
            pass,
            filling: BTreeSet::new(),
            stated: StatedByFile::new(layout),
            side_records: SideRecords::default(),
            records: 0,
            statements,
        };
        Ok(Self { source, plan_executor })
    }

    /// Evaluates the rules for the next rows, `count` at most, from the row `first` (counted from
    /// 1) on, without a database transaction. Returns how many can be executed then: one at least.
    pub(in crate::imports) fn evaluate_ahead(&mut self, first: u64, count: u64) -> Result<u64> {
        let Self { source, plan_executor } = self;
        let names = &mut plan_executor.destinations.names;
        plan_executor.rules.evaluate_ahead(source, names, first, count)
    }

    /// Executes `count` rows from the row `first` (counted from 1) on, and returns their number.
    /// Additions end early when they have written much: there is a commit after them. The whole
    /// publish fails then: see [`TooMuch`]. `progress` is called with the number of rows done.
    pub(in crate::imports) fn rows(
        &mut self,
        tx: &mut FamilyTx<'_>,
        first: u64,
        count: u64,
        progress: &dyn Fn(u64),
    ) -> Result<u64> {
        let Self { source, plan_executor } = self;
        // Since the part before somebody may have written to the entries that were looked at.
        plan_executor.verdicts.forget();
        let end = Cell::new(first.saturating_add(count));
        let is_last = |row| row + 1 >= end.get();
        source.visit_until(first, is_last, |visited| {
            let row = visited.row;
            if row.is_multiple_of(PROGRESS_ROWS) {
                progress(row);
            }
            plan_executor.row(tx, visited)?;
            if row.is_multiple_of(LOOK_ROWS) && tx.has_filled_log() {
                match plan_executor.pass {
                    Pass::Whole => return Err(Error::internal(TooMuch)),
                    Pass::Additions => end.set(row + 1),
                    Pass::Fills => {}
                }
            }
            Ok(())
        })?;
        Ok(end.get() - first)
    }

    /// Hides what is added until the publish is finished.
    pub(in crate::imports) fn hide(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.plan_executor.executor.hide(tx, self.plan_executor.import)
    }

    /// Ends the part of the publish that this database transaction executes.
    pub(in crate::imports) fn end_part(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.plan_executor.executor.end_part(tx)
    }

    /// Shows what was hidden, and executes the fills. Transactions that were deleted since the plan
    /// was made are not filled.
    pub(in crate::imports) fn show(
        &mut self,
        tx: &mut FamilyTx<'_>,
        rows_in_file: u64,
    ) -> Result<()> {
        self.plan_executor.executor.show(tx, self.plan_executor.import)?;
        self.plan_executor.pass = Pass::Fills;
        for block in std::mem::take(&mut self.plan_executor.filling) {
            let first = block * BLOCK_ROWS + 1;
            let count = BLOCK_ROWS.min(rows_in_file + 1 - first);
            self.rows(tx, first, count, &|_| {})?;
        }
        Ok(())
    }

    /// Brings everything derived up to date; every row must have been executed.
    pub(in crate::imports) fn finish(
        self,
        tx: &mut FamilyTx<'_>,
        import: &Import,
    ) -> Result<Published> {
        let PlanExecutor {
            import: id,
            counts,
            mappings,
            mut destinations,
            mut creations,
            rules,
            mut executor,
            verdicts,
            rows,
            stated,
            records,
            statements,
            ..
        } = self.plan_executor;
        if rows != import.rows_in_file() {
            return Err(Error::internal(format!(
                "{rows} of {} rows were read again",
                import.rows_in_file()
            )));
        }
        stated.create_accounts(tx, &mut destinations.names, &mut creations, &mut executor)?;
        for mapping in mappings.iter().filter(|mapping| mapping.target.is_none()) {
            if let Some(target) = destinations.names.of_mapping(mapping)
                && let Some(target) = creations.id(target, &executor)?
            {
                imports::mapping_assign(tx, id, mapping, target)?;
            }
        }
        let mut statements = statements
            .with_accounts(&mut destinations.names, |target| creations.id(target, &executor))?;
        statements.name_securities(tx, &mut destinations, &mut executor)?;
        let event = Event {
            actor: Actor::Import(id),
            action: "import.publish",
            subject_kind: "import",
            subject_id: id.0,
            details: json!({ "rows": rows, "plan": counts, "transfers": stated.transfers() }),
        };
        let outcome = executor.finish(tx, event)?;
        stated.add_transfers(tx)?;
        statements.store(tx, id)?;
        imports::adopt_made_accounts(tx, id)?;
        if outcome.entries + records != counts.created() {
            return Err(Error::internal(format!(
                "{} of {} rows became entries or records",
                outcome.entries + records,
                counts.created()
            )));
        }
        rules.record(tx, id)?;
        if let Some(built) = verdicts.into_built()
            && !built.store(tx, import)?
        {
            return Err(Error::internal("the import was changed while it was published"));
        }
        Ok(Published { range: outcome.range, created: outcome.entries })
    }
}

impl PlanExecutor {
    fn row(&mut self, tx: &mut FamilyTx<'_>, visited: Visited<'_>) -> Result<()> {
        self.rows += u64::from(self.pass != Pass::Fills);
        let planned = self.verdicts.of(tx, self.import, visited.row)?;
        let row = match (planned.verdict, visited.outcome) {
            (Verdict::LeftOut, _) => return Ok(()),
            (Verdict::DeletedBefore, outcome) => {
                self.line_is_missing(visited.row, outcome.as_ref().ok())?;
                let entry = planned.record.map(EntryId);
                return entry.map_or(Ok(()), |entry| self.note(tx, entry, visited.cells));
            }
            (Verdict::Invalid, Err(_)) if self.skip_invalid => {
                return self.line_is_missing(visited.row, None);
            }
            (Verdict::Invalid, Err(reasons)) => return Err(invalid(visited.line, &reasons)),
            (Verdict::Invalid, Ok(_)) | (Verdict::NeedsChoice, _) | (_, Err(_)) => {
                return Err(Error::internal(format!(
                    "row {} is not what its plan says: {}",
                    visited.row,
                    planned.verdict.as_str()
                )));
            }
            (_, Ok(row)) => row,
        };
        if let Some(record) = row.side_record() {
            return match (planned.verdict, self.pass) {
                (Verdict::Create, Pass::Additions) => {
                    // They are visible at once, so they wait for the last commit.
                    self.filling.insert((visited.row - 1) / BLOCK_ROWS);
                    Ok(())
                }
                (Verdict::Create, _) => {
                    self.records += 1;
                    self.add_record(tx, record)
                }
                _ => Ok(()),
            };
        }
        let entry = entry_of(&row)?;
        match planned.record.filter(|_| planned.verdict.matches()) {
            Some(matched) => {
                let matched = EntryId(matched);
                if self.pass != Pass::Fills {
                    self.statements.matched(visited.row, entry.money(), matched);
                }
                if let EntryRow::Transaction(row) = &entry {
                    self.note(tx, matched, visited.cells)?;
                    self.side_of_transfer(row, matched, false);
                    self.matched(tx, visited.row, row, matched)?;
                }
                // A trade has nothing that a second report of it could fill.
                Ok(())
            }
            None if self.pass == Pass::Fills => Ok(()),
            None => {
                let added = self.add(tx, visited.row, &entry)?;
                self.statements.made(visited.row, entry.money(), added);
                let EntryRow::Transaction(row) = &entry else { return Ok(()) };
                self.side_of_transfer(row, added, true);
                if !self.notes_records {
                    return Ok(());
                }
                self.executor.note_made(tx, added, self.hasher.hash(visited.cells))
            }
        }
    }

    /// Notes the record of a row that stands for an entry, so that it does when the same record is
    /// read with other settings.
    fn note(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId, cells: Cells<'_>) -> Result<()> {
        match self.pass {
            _ if !self.notes_records => Ok(()),
            Pass::Fills => Ok(()),
            Pass::Whole | Pass::Additions => {
                self.executor.note_matched(tx, entry, self.hasher.hash(cells))
            }
        }
    }

    fn side_of_transfer(&mut self, row: &Row<'_>, entry: EntryId, is_new: bool) {
        if self.pass != Pass::Fills {
            self.stated.side(row, entry, is_new, &mut self.destinations.names);
        }
    }

    pub(super) fn name_tags(&mut self, tx: &mut FamilyTx<'_>, row: &Row<'_>) -> Result<()> {
        self.tags.clear();
        for name in row.tags.iter() {
            let tag = self.named(tx, MappingKind::Tag, name)?;
            // Two names of the file may stand for one tag.
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
            }
        }
        Ok(())
    }

    pub(super) fn named(
        &mut self,
        tx: &mut FamilyTx<'_>,
        kind: MappingKind,
        name: &str,
    ) -> Result<Target> {
        let target = self.destinations.names.target(kind, name)?;
        self.create(tx, target)
    }

    pub(super) fn create(&mut self, tx: &mut FamilyTx<'_>, target: Target) -> Result<Target> {
        match target {
            Target::Existing(_) => Ok(target),
            Target::Created(_) => self.creations.create(tx, &mut self.executor, target),
        }
    }
}
