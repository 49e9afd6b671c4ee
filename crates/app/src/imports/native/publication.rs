//! Executing the plan of a file in the server's own format: in one commit, or, on SQLite if the
//! file is large, in several.
//!
//! In parts, entries are added to a range that nobody sees, and so are the accounts and labels that
//! they need. Everything else waits for the last commit, because it would be seen at once: prices
//! and rates, tombstones, positions, transfers, plans; and valuations of accounts that are there,
//! since a person may state one of the same day meanwhile.

use std::sync::Arc;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::import::native::{Record, RecordCounts, RecordType, RecordTypes, SourceId};
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::ledger::valuing::Price;
use purser_core::rates::StatedRate;
use purser_store::FamilyTx;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, Blocks, Import, Published};
use purser_store::ledger::{Event, Executor, KnownBalance};
use purser_store::restoring::Restorable;
use serde_json::json;
use uuid::Uuid;

use super::collected::{Collected, Ids};
use super::entries::Pointers;
use super::reasons::why_open;
use super::records::Decisions;
use super::verification::{Outcome, verify};
use crate::imports::built_plan::BuiltPlan;
use crate::imports::reading::Source;

/// The file of a publish: what can be found out before its first write.
pub(in crate::imports) struct Prepared {
    source: Source,
    collected: Collected,
}

impl Prepared {
    /// Opens the file of an import.
    pub(in crate::imports) fn of(
        tx: &mut FamilyTx<'_>,
        files: &FileStore,
        import: &Import,
    ) -> Result<Self> {
        let source = Source::open(tx, files, import)?;
        let collected = Collected::of(&source)?;
        Ok(Self { source, collected })
    }
}

/// What a publish executes: nothing of it changes meanwhile.
pub(super) struct Basis {
    pub(super) import: Import,
    pub(super) source: Source,
    pub(super) collected: Collected,
    pub(super) decisions: Decisions,
    pub(super) blocks: Blocks,
    pub(super) counts: Counts,
}

/// A publish that is being executed.
pub(in crate::imports) struct Publication {
    pub(super) basis: Arc<Basis>,
    pub(super) executor: Executor,
    pub(super) ids: Ids,
    /// The entries that others point to, in the order of [`Collected::sides`]; nil where there is
    /// none yet.
    pub(super) entries: Vec<Uuid>,
    /// Accounts of which the opening follows from a later balance.
    pub(super) openings: Vec<(AccountId, KnownBalance)>,
    /// How many labels records have of which nothing was taken, or known.
    pub(super) missing_labels: u64,
    /// What is made that is no record of the file.
    pub(super) beside: RecordCounts,
    /// What was there by the time that it was to be made.
    found: RecordCounts,
    /// The counts of the family before the publish, if it is one commit.
    before: Option<RecordCounts>,
}

/// Publishes an import in one commit. `built` is its plan if it isn't the one that is stored.
pub(in crate::imports) fn publish(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    built: Option<BuiltPlan>,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let prepared = Prepared::of(tx, files, import)?;
    let mut publication = Publication::begin(tx, import, prepared, built.as_ref())?;
    publication.find_entries()?;
    publication.before = Some(imports::family_counts(tx)?);
    publication.records(tx)?;
    publication.prices(tx)?;
    let rows = import.rows_in_file();
    publication.add_entries(tx, (1, rows), progress)?;
    if publication.has_belongings() {
        publication.add_belongings(tx, (1, rows))?;
    }
    let published = publication.finish(tx)?;
    if let Some(built) = built
        && !built.store(tx, import)?
    {
        return Err(Error::internal("the import was changed while it was published"));
    }
    Ok(published)
}

impl Publication {
    /// Begins a publish. `built` is its plan if that isn't stored.
    fn begin(
        tx: &mut FamilyTx<'_>,
        import: &Import,
        Prepared { source, collected }: Prepared,
        built: Option<&BuiltPlan>,
    ) -> Result<Self> {
        let rows = import.rows_in_file();
        let (counts, blocks) = match built {
            Some(built) => (built.plan.counts()?, built.plan.blocks().clone()),
            None => {
                let missing = || Error::internal("there is no plan to execute");
                let counts = import.plan.ok_or_else(missing)?;
                (counts, imports::plan_blocks(tx, import.id, 1, rows)?)
            }
        };
        require_decided(&source, import, (counts, &blocks))?;
        let decisions = Decisions::of(tx, &collected)?;
        // A row is one entry with its parts; an opening balance with a day is one more.
        let accounts = collected.accounts.len() as u64;
        let parts =
            source.row_set().and_then(|set| set.native.as_ref()).map_or(0, |one| one.parts());
        let entries_max = counts.created() + parts + accounts;
        let executor = Executor::begin(tx, entries_max)?.of_import(import.id).restoring();
        let ids = decisions.ids.clone();
        let entries = vec![Uuid::nil(); collected.sides.count()];
        let import = import.clone();
        let basis = Basis { import, source, collected, decisions, blocks, counts };
        Ok(Self {
            basis: Arc::new(basis),
            executor,
            ids,
            entries,
            openings: Vec::new(),
            missing_labels: 0,
            beside: RecordCounts::default(),
            found: RecordCounts::default(),
            before: None,
        })
    }

    /// Begins a publish in parts: what its entries need is there, and hidden with them.
    pub(in crate::imports) fn begin_parts(
        tx: &mut FamilyTx<'_>,
        import: &Import,
        prepared: Prepared,
    ) -> Result<Self> {
        let mut publication = Self::begin(tx, import, prepared, None)?;
        publication.executor.hide(tx, import.id)?;
        publication.records(tx)?;
        publication.executor.end_part(tx)?;
        Ok(publication)
    }

    pub(super) fn is_in_parts(&self) -> bool {
        self.before.is_none()
    }

    /// The entry that an id of the file stands for, once it is there.
    pub(super) fn entry_of(&self, id: &SourceId) -> Option<EntryId> {
        let place = self.basis.collected.side(id)?;
        self.entries.get(place).filter(|entry| !entry.is_nil()).copied().map(EntryId)
    }

    pub(super) fn creates(&self, row: u64) -> Result<bool> {
        Ok(self.basis.blocks.get(row)?.verdict.creates())
    }

    /// Calls `each` with the records of some types that are created, in the order of the file.
    pub(super) fn each(
        &mut self,
        tx: &mut FamilyTx<'_>,
        types: &[RecordType],
        mut each: impl FnMut(&mut Self, &mut FamilyTx<'_>, &Record) -> Result<()>,
    ) -> Result<()> {
        let basis = self.basis.clone();
        let survey = basis.source.row_set().and_then(|set| set.native.as_deref());
        let is_there = |of: &RecordType| survey.is_none_or(|survey| survey.number_of(*of) > 0);
        if !types.iter().any(is_there) {
            return Ok(());
        }
        basis.source.visit_types(
            RecordTypes::of(types),
            1,
            |_| false,
            |visited| {
                let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
                match record {
                    Some(record) if self.creates(visited.row)? => each(self, tx, record),
                    _ => Ok(()),
                }
            },
        )
    }

    /// Prices and rates. In one commit they come first, because entries are booked with them; in
    /// parts they come last, and what was booked without them is booked again.
    fn prices(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let types = [RecordType::SecurityPrice, RecordType::ExchangeRate];
        self.each(tx, &types, |this, tx, record| {
            let record = match record {
                Record::SecurityPrice(one) => {
                    let missing = || Error::internal("a price of no security");
                    let security = this.ids.get(RecordType::Security, &one.security);
                    let security = security.ok_or_else(missing)?;
                    let price = Price {
                        date: one.date,
                        currency: one.currency,
                        price: one.price,
                        source: one.source,
                    };
                    Restorable::Price(SecurityId(security), price)
                }
                Record::ExchangeRate(one) => {
                    let (base, quote, date, rate) = (one.from, one.to, one.date, one.rate);
                    Restorable::Rate(StatedRate { base, quote, date, rate }, one.source)
                }
                _ => return Ok(()),
            };
            // An earlier line may have stated it.
            if record.holder(tx)?.is_none() {
                record.restore(tx, &mut this.executor)?;
            }
            Ok(())
        })
    }

    /// What waited for the last commit of a publish in parts.
    fn add_waiting(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.prices(tx)?;
        self.each(tx, &[RecordType::Valuation, RecordType::Tombstone], |this, tx, record| {
            if !this.waits(record) {
                return Ok(());
            }
            if let Record::Valuation(one) = record {
                let pointers = Pointers { collected: &this.basis.collected, ids: &this.ids };
                let account = pointers.account(&one.facts.account)?;
                if imports::valuation_at(tx, account, one.facts.date)?.is_some() {
                    this.found.add(RecordType::Valuation);
                    return Ok(());
                }
            }
            this.entry(tx, record)
        })
    }

    /// Adds everything but entries, shows what was hidden, and brings everything derived up to
    /// date. Whether all of it is there is found out in the same commit.
    pub(in crate::imports) fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<Published> {
        let basis = self.basis.clone();
        let id = basis.import.id;
        let before = match self.before.take() {
            Some(before) => before,
            None => {
                let before = imports::family_counts(tx)?;
                self.executor.show(tx, id)?;
                self.add_waiting(tx)?;
                before
            }
        };
        self.positions(tx)?;
        self.plans(tx)?;
        self.executor.derive_openings(tx, id, &self.openings)?;
        let event = Event {
            actor: Actor::Import(id),
            action: "import.publish",
            subject_kind: "import",
            subject_id: id.0,
            details: json!({ "rows": basis.import.rows_in_file(), "plan": basis.counts }),
        };
        let Self { executor, ids, entries, beside, found, missing_labels, .. } = self;
        let outcome = executor.finish(tx, event)?;
        let entry_of = |id: &SourceId| {
            let entry = entries.get(basis.collected.side(id)?)?;
            (!entry.is_nil()).then_some(EntryId(*entry))
        };
        super::pairs::add(tx, &basis, entry_of)?;
        let created = match outcome.range {
            Some(range) => imports::removable(tx, range)?,
            None => 0,
        };
        let published = Published { range: outcome.range, created };
        let pointers = Pointers { collected: &basis.collected, ids: &ids };
        let publish = Outcome { published, before, beside, found, missing_labels };
        verify(tx, &basis, &pointers, publish)?;
        Ok(published)
    }
}

/// Why the first record that needs a choice needs one, and what can be done about it.
pub(in crate::imports) fn open_choice(source: &Source, blocks: &Blocks) -> Result<String> {
    let mut found = None;
    source.visit_all(|visited| {
        if found.is_none() && blocks.get(visited.row)?.verdict == Verdict::NeedsChoice {
            let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
            let why = record.and_then(|record| why_open(record, Verdict::NeedsChoice));
            found = why.map(|why| format!("Line {}: {why}", visited.line));
        }
        Ok(())
    })?;
    Ok(found.unwrap_or_else(|| "Some records need a choice".to_owned()))
}

/// Nothing of the plan is open, and what can't be read may be left out.
fn require_decided(
    source: &Source,
    import: &Import,
    (counts, blocks): (Counts, &Blocks),
) -> Result<()> {
    if counts.needs_choice > 0 {
        return Err(Error::invalid(open_choice(source, blocks)?));
    }
    if counts.invalid == 0 || import.skip_invalid {
        return Ok(());
    }
    let mut refused = Ok(());
    source.visit_all(|visited| {
        if let (Err(reasons), true) = (&visited.outcome, refused.is_ok()) {
            let (line, reasons) = (visited.line, reasons.join("; "));
            let sentence = format!("Line {line} can't be imported: {reasons}");
            refused = Err(Error::invalid(Problem::about(format!("line {line}"), sentence)));
        }
        Ok(())
    })?;
    refused
}
