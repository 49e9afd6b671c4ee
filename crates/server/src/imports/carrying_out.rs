//! Carrying a plan out: rows and verdicts are read side by side and become changes of the ledger.
//!
//! Whatever is created beside entries is created by the first row that needs it, so nothing comes
//! into being for rows that are not published. Rows can be carried out part by part: what has to be
//! known from one part to the next is in [`Publication`].

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use purser_core::import::interpret::Row;
use purser_core::import::mapping::MappingKind;
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::plan::{Change, Creation, Target, TransactionDraft, TransactionFill};
use purser_formats::transactions::Visited;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, BLOCK_ROWS, Block, Import, Mapping, Planned, Published};
use purser_store::ledger::{EmptyFields, Event, Executor, empty_fields};
use purser_store::{FamilyId, Tx};
use serde_json::json;

use super::names::{Names, resolve};
use super::planning::Made;
use super::reading::Source;

/// How often the progress is told.
const PROGRESS_ROWS: u64 = 1000;

/// A publish that is being carried out.
pub(super) struct Publication {
    source: Source,
    carrier: Carrier,
}

/// Everything but the rows.
struct Carrier {
    family: FamilyId,
    import: ImportId,
    skip_invalid: bool,
    counts: Counts,
    mappings: Vec<Mapping>,
    names: Names,
    creations: Creations,
    executor: Executor,
    verdicts: Verdicts,
    tags: Vec<Target>,
    rows: u64,
}

impl Publication {
    /// Prepares the publish of an import. `made` is its plan if it isn't the one that is stored.
    pub(super) fn begin(
        tx: &mut Tx<'_>,
        files: &FileStore,
        family: FamilyId,
        import: &Import,
        made: Option<Made>,
    ) -> Result<Self> {
        let counts = match &made {
            Some(made) => made.plan.counts()?,
            None => import.plan.ok_or_else(|| Error::internal("there is no plan to carry out"))?,
        };
        let mappings = imports::mappings(tx, family, import.id)?;
        let mut resolved = resolve(&mappings, &imports::existing(tx, family)?);
        if counts.needs_choice > 0 {
            return Err(Error::invalid(unchosen(&mappings, &resolved.changed)));
        }
        let wanted = std::mem::take(&mut resolved.preparation.creations);
        let source = Source::open(tx, files, family, import)?;
        let carrier = Carrier {
            family,
            import: import.id,
            skip_invalid: import.skip_invalid,
            counts,
            mappings,
            names: Names::new(resolved.preparation, import.account),
            creations: Creations { made: vec![None; wanted.len()], wanted },
            executor: Executor::begin(tx, family, counts.created())?,
            verdicts: Verdicts { made, block: None, empty: None },
            tags: Vec::new(),
            rows: 0,
        };
        Ok(Self { source, carrier })
    }

    /// Carries out `count` rows from the row `first` (counted from 1) on. `progress` hears how many
    /// rows are done.
    pub(super) fn rows(
        &mut self,
        tx: &mut Tx<'_>,
        first: u64,
        count: u64,
        progress: &dyn Fn(u64),
    ) -> Result<()> {
        let Self { source, carrier } = self;
        source.visit_page(first, count, |visited| {
            if visited.row.is_multiple_of(PROGRESS_ROWS) {
                progress(visited.row);
            }
            carrier.row(tx, visited)
        })
    }

    /// Brings everything derived up to date; every row must have been carried out.
    pub(super) fn finish(self, tx: &mut Tx<'_>, import: &Import) -> Result<Published> {
        let Carrier {
            family,
            import: id,
            counts,
            mappings,
            names,
            creations,
            executor,
            verdicts,
            rows,
            ..
        } = self.carrier;
        if rows != import.rows_in_file() {
            return Err(Error::internal(format!(
                "{rows} of {} rows were read again",
                import.rows_in_file()
            )));
        }
        for mapping in mappings.iter().filter(|mapping| mapping.target.is_none()) {
            if let Some(target) = names.of_mapping(mapping)
                && let Some(target) = creations.id(target, &executor)?
            {
                imports::mapping_assign(tx, family, id, mapping, target)?;
            }
        }
        let event = Event {
            actor: Actor::Import(id),
            action: "import.publish",
            subject_kind: "import",
            subject_id: id.0,
            details: json!({ "rows": rows, "plan": counts }),
        };
        let outcome = executor.finish(tx, event)?;
        if outcome.transactions != counts.created() {
            return Err(Error::internal(format!(
                "{} of {} rows became transactions",
                outcome.transactions,
                counts.created()
            )));
        }
        if let Some(made) = verdicts.made
            && !made.store(tx, family, import)?
        {
            return Err(Error::internal("the import was changed while it was published"));
        }
        Ok(Published { range: outcome.range, created: outcome.transactions })
    }
}

/// Why rows can't be published.
fn unchosen(mappings: &[Mapping], changed: &[Mapping]) -> String {
    let problem = changed.iter().chain(mappings).find_map(|mapping| mapping.problem.clone());
    problem.unwrap_or_else(|| "An account must be chosen for some of the rows".to_owned())
}

fn invalid(line: u64, reasons: &[String]) -> Error {
    Error::invalid(format!("Line {line} can't be imported: {}", reasons.join("; ")))
}

impl Carrier {
    fn row(&mut self, tx: &mut Tx<'_>, visited: Visited<'_>) -> Result<()> {
        self.rows += 1;
        let planned = self.verdicts.of(tx, self.family, self.import, visited.row)?;
        let row = match (planned.verdict, visited.outcome) {
            (Verdict::LeftOut | Verdict::DeletedBefore, _) => return Ok(()),
            (Verdict::Invalid, Err(_)) if self.skip_invalid => return Ok(()),
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
        match planned.entry.filter(|_| planned.verdict.matches()) {
            Some(entry) => self.fill(tx, &row, entry),
            None => self.add(tx, &row),
        }
    }

    fn add(&mut self, tx: &mut Tx<'_>, row: &Row<'_>) -> Result<()> {
        let account = self.names.account(row.account, row.currency).ok_or_else(|| {
            Error::internal(format!("the account {:?} was not found at upload", row.account))
        })?;
        let account = self.create(tx, account)?;
        let category = row.category.map(|name| self.named(tx, MappingKind::Category, name));
        let category = category.transpose()?;
        self.name_tags(tx, row)?;
        let draft = TransactionDraft {
            account,
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            name: row.name,
            notes: row.notes,
            category,
            tags: &self.tags,
            // Ids in banks' files are not unique: no source stands behind them.
            source: None,
            external_id: row.external_id,
        };
        self.executor.apply(tx, &Change::AddTransaction(draft)).map(drop)
    }

    /// Gives a matched entry what it doesn't have.
    fn fill(&mut self, tx: &mut Tx<'_>, row: &Row<'_>, entry: EntryId) -> Result<()> {
        let says_more = row.category.is_some() || row.notes.is_some() || row.external_id.is_some();
        if !says_more && row.tags.len() == 0 {
            return Ok(());
        }
        let empty = self.verdicts.empty_fields(tx, self.family, entry)?;
        let category = match row.category.filter(|_| empty.category) {
            Some(name) => Some(self.named(tx, MappingKind::Category, name)?),
            None => None,
        };
        self.tags.clear();
        if empty.tags {
            self.name_tags(tx, row)?;
        }
        let fill = TransactionFill {
            entry,
            import: self.import,
            category,
            notes: row.notes.filter(|_| empty.notes),
            tags: &self.tags,
            external_id: row.external_id.filter(|_| empty.external_id),
        };
        let is_filled = fill.category.is_some() || fill.notes.is_some() || !fill.tags.is_empty();
        if !is_filled && fill.external_id.is_none() {
            return Ok(());
        }
        self.executor.apply(tx, &Change::FillTransaction(fill)).map(drop)
    }

    fn name_tags(&mut self, tx: &mut Tx<'_>, row: &Row<'_>) -> Result<()> {
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

    fn named(&mut self, tx: &mut Tx<'_>, kind: MappingKind, name: &str) -> Result<Target> {
        let target = self.names.target(kind, name)?;
        self.create(tx, target)
    }

    fn create(&mut self, tx: &mut Tx<'_>, target: Target) -> Result<Target> {
        match target {
            Target::Existing(_) => Ok(target),
            Target::Created(_) => {
                let of = (self.family, self.import);
                self.creations.create(tx, &mut self.executor, of, target)
            }
        }
    }
}

/// What may have to be created.
struct Creations {
    wanted: Vec<Creation>,
    /// What of it is created, as the executor numbers it.
    made: Vec<Option<Target>>,
}

impl Creations {
    /// Creates what a target stands for, and what that is below, unless it is done.
    fn create(
        &mut self,
        tx: &mut Tx<'_>,
        executor: &mut Executor,
        of: (FamilyId, ImportId),
        target: Target,
    ) -> Result<Target> {
        let Target::Created(slot) = target else { return Ok(target) };
        let missing = || Error::internal("a name points to a creation that there isn't");
        let index = slot.0 as usize;
        if let Some(made) = self.made.get(index).ok_or_else(missing)? {
            return Ok(*made);
        }
        let mut creation = self.wanted.get(index).ok_or_else(missing)?.clone();
        if let Creation::Category { parent: Some(parent), .. } = &mut creation {
            *parent = self.create(tx, executor, of, *parent)?;
        }
        let kind = match creation {
            Creation::Account(_) => MappingKind::Account,
            Creation::Category { .. } => MappingKind::Category,
            Creation::Tag { .. } => MappingKind::Tag,
        };
        let slot = executor.create(tx, &creation)?;
        imports::note_created(tx, of.0, of.1, kind, executor.created_id(slot)?)?;
        let made = Target::Created(slot);
        *self.made.get_mut(index).ok_or_else(missing)? = Some(made);
        Ok(made)
    }

    /// The id of what a name stands for; `None` if no row needed it.
    fn id(&self, target: Target, executor: &Executor) -> Result<Option<uuid::Uuid>> {
        match target {
            Target::Existing(id) => Ok(Some(id)),
            Target::Created(slot) => match self.made.get(slot.0 as usize) {
                Some(Some(Target::Created(slot))) => executor.created_id(*slot).map(Some),
                _ => Ok(None),
            },
        }
    }
}

/// The verdicts, block after block.
struct Verdicts {
    /// The plan, if it isn't stored.
    made: Option<Made>,
    block: Option<(u64, Block)>,
    /// What is empty in the entries that rows of the block were matched with, if somebody asked.
    empty: Option<HashMap<EntryId, EmptyFields>>,
}

impl Verdicts {
    fn of(
        &mut self,
        tx: &mut Tx<'_>,
        family: FamilyId,
        import: ImportId,
        row: u64,
    ) -> Result<Planned> {
        let (number, index) = ((row - 1) / BLOCK_ROWS, (row - 1) % BLOCK_ROWS);
        if let Some((known, block)) = &self.block
            && *known == number
        {
            return block.get(index);
        }
        let block = match &self.made {
            Some(made) => made.plan.blocks().block(number)?.clone(),
            None => imports::plan_block(tx, family, import, number)?,
        };
        self.empty = None;
        let (_, block) = self.block.insert((number, block));
        block.get(index)
    }

    fn empty_fields(
        &mut self,
        tx: &mut Tx<'_>,
        family: FamilyId,
        entry: EntryId,
    ) -> Result<EmptyFields> {
        let empty = match &mut self.empty {
            Some(empty) => empty,
            None => {
                let block = self.block.iter().flat_map(|(_, block)| block.entries());
                let matched = block.filter(|(_, verdict)| verdict.matches());
                let entries: Vec<EntryId> = matched.map(|(entry, _)| entry).collect();
                self.empty.insert(empty_fields(tx, family, &entries)?)
            }
        };
        empty.get(&entry).copied().ok_or_else(|| {
            Error::internal(format!("the plan names the transaction {entry}, which isn't there"))
        })
    }
}
