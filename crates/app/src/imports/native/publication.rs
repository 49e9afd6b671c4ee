//! Executing the plan of a file in the server's own format: one commit.

use std::collections::HashMap;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{EntryId, SecurityId};
use purser_core::import::native::{Record, RecordCounts, RecordType, SourceId};
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::ledger::valuing::Price;
use purser_core::money::decimal::quantity_text;
use purser_core::plan::{Change, Target, ValuationDraft};
use purser_core::rates::StatedRate;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Plan, Published};
use purser_store::ledger::{
    Event, Executor, RestoredCost, RestoredHolding, RestoredTombstone, RestoredTrade,
    RestoredTransfer, restore_rejected, restore_transfer,
};
use purser_store::restoring::Restorable;
use purser_store::{FamilyTx, families};
use serde_json::json;

use super::collected::Ids;
use super::entries::Pointers;
use super::planning::NativePlan;
use super::verification::verify;
use crate::imports::built_plan::BuiltPlan;
use crate::imports::reading::Source;

/// A publish that is being executed.
pub(super) struct Publication<'a> {
    import: &'a Import,
    source: &'a Source,
    pub(super) native: &'a NativePlan,
    pub(super) executor: Executor,
    pub(super) ids: Ids,
    /// Entries that others point to.
    entries: HashMap<SourceId, EntryId>,
    trades: Vec<(RestoredTrade, Option<SourceId>)>,
    /// What is made that is no record of the file.
    pub(super) beside: RecordCounts,
}

/// Publishes an import. `built` is its plan if it isn't the one that is stored.
pub(in crate::imports) fn publish(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    built: Option<BuiltPlan>,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let counts = match &built {
        Some(built) => built.plan.counts()?,
        None => import.plan.ok_or_else(|| Error::internal("there is no plan to execute"))?,
    };
    let source = Source::open(tx, files, import)?;
    let version = families::version(tx)?;
    let native = NativePlan::of(tx, &source, Plan::new(version))?;
    require_as_planned(&source, import, &native, counts)?;
    let before = imports::family_counts(tx)?;
    let survey = source.row_set().and_then(|set| set.native.as_ref());
    let entries_max = survey.map_or(0, |survey| survey.entries_max());
    let executor = Executor::begin(tx, entries_max)?.of_import(import.id).restoring();
    let mut publication = Publication {
        import,
        source: &source,
        native: &native,
        executor,
        ids: native.decisions.ids.clone(),
        entries: HashMap::new(),
        trades: Vec::new(),
        beside: RecordCounts::default(),
    };
    publication.records(tx)?;
    publication.prices(tx)?;
    publication.entries(tx, progress)?;
    publication.positions(tx)?;
    publication.plans(tx)?;
    let Publication { executor, ids, entries, beside, .. } = publication;
    let event = Event {
        actor: Actor::Import(import.id),
        action: "import.publish",
        subject_kind: "import",
        subject_id: import.id.0,
        details: json!({ "rows": native.plan.rows(), "plan": counts }),
    };
    let outcome = executor.finish(tx, event)?;
    transfers(tx, import, (&source, &native), &entries)?;
    let created = match outcome.range {
        Some(range) => imports::removable(tx, range)?,
        None => 0,
    };
    let published = Published { range: outcome.range, created };
    let pointers = Pointers { collected: &native.collected, ids: &ids };
    verify(tx, import, (&source, &native), &pointers, (published, before, beside))?;
    if let Some(built) = built
        && !built.store(tx, import)?
    {
        return Err(Error::internal("the import was changed while it was published"));
    }
    Ok(published)
}

/// The plan that is executed is the one that is stored, and nothing of it is open.
fn require_as_planned(
    source: &Source,
    import: &Import,
    native: &NativePlan,
    counts: Counts,
) -> Result<()> {
    if native.plan.counts()? != counts {
        return Err(Error::internal("the rows are not as they were planned"));
    }
    if counts.needs_choice > 0 {
        return Err(Error::invalid(
            "A budget of the family is in another currency than that of the file: leave its \
             categories out",
        ));
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

impl Publication<'_> {
    fn verdict(&self, row: u64) -> Result<Verdict> {
        Ok(self.native.plan.blocks().get(row)?.verdict)
    }

    pub(super) fn creates(&self, row: u64) -> Result<bool> {
        Ok(self.verdict(row)?.creates())
    }

    /// Prices and rates: entries are booked and valued with them.
    fn prices(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.each(tx, &|_| {}, |this, tx, _, record| {
            let record = match record {
                Record::SecurityPrice(one) => {
                    let key = (RecordType::Security, one.security.clone());
                    let missing = || Error::internal("a price of no security");
                    let security = this.ids.get(&key).copied().ok_or_else(missing)?;
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

    /// Calls `each` with the records that are created, in the order of the file.
    fn each(
        &mut self,
        tx: &mut FamilyTx<'_>,
        progress: &dyn Fn(u64),
        mut each: impl FnMut(&mut Self, &mut FamilyTx<'_>, u64, &Record) -> Result<()>,
    ) -> Result<()> {
        self.source.visit_all(|visited| {
            let row = visited.row;
            if row.is_multiple_of(1000) {
                progress(row);
            }
            let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
            match record {
                Some(record) if self.creates(row)? => each(self, tx, row, record),
                _ => Ok(()),
            }
        })
    }

    fn entries(&mut self, tx: &mut FamilyTx<'_>, progress: &dyn Fn(u64)) -> Result<()> {
        let native = self.native;
        // Entries that were there already may be sides of transfers, too.
        self.source.visit_all(|visited| {
            let Some(record) = visited.outcome.as_ref().ok().and_then(|row| row.native()) else {
                return Ok(());
            };
            let id = match record {
                Record::Transaction(one) => Some(&one.id),
                Record::Trade(one) => one.id.as_ref(),
                _ => None,
            };
            let Some(id) = id.filter(|id| native.collected.sides.contains(id)) else {
                return Ok(());
            };
            let planned = native.plan.blocks().get(visited.row)?;
            if let Some(entry) = planned.record.filter(|_| planned.verdict.matches()) {
                self.entries.insert(id.clone(), EntryId(entry));
            }
            Ok(())
        })?;
        self.each(tx, progress, |this, tx, _, record| this.entry(tx, record))?;
        let trades = std::mem::take(&mut self.trades);
        let trades: Vec<RestoredTrade> = trades
            .into_iter()
            .map(|(trade, other)| {
                let counterpart = other.and_then(|other| self.entries.get(&other).copied());
                RestoredTrade { counterpart, ..trade }
            })
            .collect();
        self.executor.complete_trades(tx, &trades)
    }

    fn entry(&mut self, tx: &mut FamilyTx<'_>, record: &Record) -> Result<()> {
        let pointers = Pointers { collected: &self.native.collected, ids: &self.ids };
        let (id, entry) = match record {
            Record::Transaction(one) => {
                (&one.id, pointers.add_transaction(tx, &mut self.executor, one)?)
            }
            Record::Trade(one) => {
                let trade = pointers.add_trade(tx, &mut self.executor, one)?;
                let entry = trade.entry;
                if trade.lots.is_some() || trade.recorded_at.is_some() || one.counterpart.is_some()
                {
                    self.trades.push((trade, one.counterpart.clone()));
                }
                let Some(id) = &one.id else { return Ok(()) };
                (id, entry)
            }
            Record::Valuation(one) => {
                let draft = ValuationDraft {
                    account: Target::Existing(pointers.account(&one.facts.account)?.0),
                    date: one.facts.date,
                    amount: one.facts.amount,
                    kind: one.kind,
                    notes: Some(one.notes.clone()),
                };
                return self.executor.apply(tx, &Change::SetValuation(draft)).map(drop);
            }
            Record::Tombstone(one) => {
                let facts = &one.facts;
                let tombstone = RestoredTombstone {
                    account: pointers.account(&facts.account)?,
                    kind: one.kind,
                    date: facts.date,
                    amount: facts.amount,
                    currency: facts.currency,
                    name: &facts.name,
                    source: facts.source.as_deref(),
                    external_id: facts.external_id.as_deref(),
                    deleted_at: one.deleted_at,
                };
                return self.executor.restore_tombstone(tx, self.import.id, &tombstone);
            }
            _ => return Ok(()),
        };
        if self.native.collected.sides.contains(id) {
            self.entries.insert(id.clone(), entry);
        }
        Ok(())
    }

    /// What was reported and stated about positions.
    fn positions(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.each(tx, &|_| {}, |this, tx, _, record| {
            let pointers = Pointers { collected: &this.native.collected, ids: &this.ids };
            match record {
                Record::Holding(one) => {
                    let cost = one.cost.map(|(total, of)| (total, quantity_text(of)));
                    let price = one.price.map(|price| price.normalize().to_string());
                    let holding = RestoredHolding {
                        account: pointers.account(&one.account)?,
                        security: pointers.security(&one.security)?,
                        date: one.date,
                        quantity: &quantity_text(one.quantity),
                        price: price.as_deref(),
                        currency: one.currency,
                        cost: cost.as_ref().map(|(total, of)| (*total, of.as_str())),
                    };
                    this.executor.restore_holding(tx, this.import.id, &holding)
                }
                Record::HoldingCost(one) => {
                    let quantity = one.quantity.map(quantity_text);
                    let cost = RestoredCost {
                        account: pointers.account(&one.account)?,
                        security: pointers.security(&one.security)?,
                        total: one.total,
                        quantity: quantity.as_deref(),
                        date: one.date,
                        stated_at: one.stated_at,
                        locked: one.locked,
                    };
                    this.executor.restore_cost(tx, this.import.id, &cost)
                }
                _ => Ok(()),
            }
        })
    }
}

/// What pairs entries, once these are written.
fn transfers(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    (source, native): (&Source, &NativePlan),
    entries: &HashMap<SourceId, EntryId>,
) -> Result<()> {
    source.visit_all(|visited| {
        let Some(record) = visited.outcome.as_ref().ok().and_then(|row| row.native()) else {
            return Ok(());
        };
        if !native.plan.blocks().get(visited.row)?.verdict.creates() {
            return Ok(());
        }
        match record {
            Record::Transfer(one) => {
                let find = |id: &SourceId| {
                    let missing = || Error::internal("a transfer of no entry");
                    entries.get(id).copied().ok_or_else(missing)
                };
                let transfer = RestoredTransfer {
                    outflow: find(&one.outflow)?,
                    inflow: find(&one.inflow)?,
                    status: one.status,
                    made_by: one.made_by,
                    score: one.score,
                    reasons: &one.reasons,
                };
                restore_transfer(tx, import.id, &transfer).map(drop)
            }
            Record::RejectedTransfer(one) => {
                let find = |id: &SourceId| entries.get(id).copied();
                restore_rejected(tx, import.id, (find(&one.outflow), find(&one.inflow)))
            }
            _ => Ok(()),
        }
    })
}
