//! The executor: the one place that writes the ledger, and every record beside it ([`records`]).
//!
//! It executes a plan (`purser_core::plan`) in the caller's transaction: it creates what the plan
//! creates, applies change after change, and at the end brings everything derived up to date (the
//! accounts' counters, the balances from the earliest affected day on, the family's version) and
//! writes the audit event. Either all of it is committed or nothing.
//!
//! ```text
//! Executor::begin ─► create(…)* ─► apply(…)* ─► finish(event)
//! ```
//!
//! Entries get consecutive ids, so what one plan created can be found again as a range of ids.

pub(crate) mod account_edits;
pub(crate) mod account_removal;
pub(crate) mod accounts;
pub(crate) mod added_splits;
pub(crate) mod balances;
pub(crate) mod checkpoints;
pub(crate) mod conversions;
pub(crate) mod creations;
pub(crate) mod derived_openings;
pub(crate) mod edits;
pub(crate) mod effects;
pub(crate) mod fills;
pub(crate) mod hidden;
pub mod labels;
pub(crate) mod new_trades;
pub(crate) mod origins;
pub(crate) mod position_inputs;
pub(crate) mod position_statements;
pub mod positions;
pub(crate) mod record_hashes;
pub mod records;
mod refold;
mod remap;
pub(crate) mod restored;
pub(crate) mod restored_rows;
pub(crate) mod revaluation;
pub(crate) mod rules;
pub(crate) mod segments;
pub(crate) mod sources;
pub(crate) mod splits;
pub(crate) mod stated_costs;
pub(crate) mod trade_origins;
pub(crate) mod traded;
pub(crate) mod trades;
pub(crate) mod transactions;
pub(crate) mod undo;
pub(crate) mod valuations;

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, IdBlock, ImportId};
use purser_core::import::category::CategoryImage;
use purser_core::plan::{Change, Creation, Slot, Target};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::audit::{self, Actor};
use crate::driver::{Inserter, Sql, Val, statements};
use crate::families::FamilyId;
use crate::rules::record::RuleRecord;
use accounts::Accounts;
pub use conversions::Rates;
pub use derived_openings::KnownBalance;
pub use fills::{EmptyFields, Filled, empty_fields, fills_of};
pub use hidden::{HiddenLeft, remove_hidden};
pub(crate) use origins::mark_decided;
pub(crate) use position_inputs::stored_lots_can_be_read;
pub use record_hashes::entries_of_records;
use records::categories::CategoryRecord;
use records::merchants::{MerchantImage, MerchantRecord};
use records::tags::{TagImage, TagRecord};
pub use refold::refold_next;
pub use restored::{RestoredOrigin, RestoredPart, RestoredTrade, RestoredTransaction};
pub use restored_rows::{
    RestoredCost, RestoredHolding, RestoredTombstone, RestoredTransfer, is_holding_reported,
    is_rejected, is_transfer, restore_rejected, restore_transfer,
};
pub use undo::{Range, TakenBack};

statements! {
    /// Every write of a family moves its version.
    VERSION_MOVE = "UPDATE families SET version = version + 1 WHERE id = $1";
}

/// The execution of one plan.
pub struct Executor {
    family: FamilyId,
    ids: IdBlock,
    entries_max: u64,
    ids_used: u64,
    created: Vec<Uuid>,
    accounts: Accounts,
    positions: positions::Positions,
    entries: Inserter,
    entry_tags: Inserter,
    trades: Inserter,
    /// Parts of split transactions that are added, and the first and the last since the flush.
    parts: Inserter,
    parts_added: Option<(Uuid, Uuid)>,
    conversions: Inserter,
    fills: Inserter,
    origins: Inserter,
    /// The records of files that entries were made of.
    record_hashes: record_hashes::RecordHashes,
    /// A transaction that the caller has read, for the change that comes next.
    current: Option<origins::CurrentTransaction>,
    /// Rates that were looked up.
    rates: conversions::Rates,
    /// The import: its undo takes back what the plan creates and changes beside entries.
    import: Option<ImportId>,
    /// What happened to records that are no entries, for the audit trail.
    records: records::notes::Notes,
    /// How many records of a kind the family has by now.
    counted: HashMap<&'static str, u64>,
    /// What has to be computed again because of them.
    effects: effects::Effects,
    /// Several transactions carry the plan out.
    is_in_parts: bool,
    /// It restores what a file of this server has.
    restores: bool,
    /// What else the audit event has.
    facts: Vec<(&'static str, Value)>,
    /// Changes of single entries, for the audit trail. Transactions that a plan adds are not
    /// listed: their range of ids is enough.
    notes: Vec<Value>,
}

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The entry that was added or changed.
    pub entry: EntryId,
    /// Whether it existed before.
    pub existed: bool,
}

/// The effects of a plan that was executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Ids of what was created first, by slot.
    pub created: Vec<Uuid>,
    /// How many transactions and trades were added.
    pub entries: u64,
    /// How many transactions that exist got fields that were empty.
    pub filled: u64,
    /// The first and the last entry that was added.
    pub range: Option<(EntryId, EntryId)>,
    /// The accounts with entries that changed.
    pub accounts: Vec<AccountId>,
}

/// The audit event of a plan.
pub struct Event {
    /// Who makes the change.
    pub actor: Actor,
    /// The action, such as `valuation.set` or `import.publish`.
    pub action: &'static str,
    /// The noun of the subject.
    pub subject_kind: &'static str,
    /// The id of the thing that changes.
    pub subject_id: Uuid,
    /// What else is worth keeping; an object.
    pub details: Value,
}

impl Executor {
    /// Starts a plan that adds at most `entries_max` entries.
    pub fn begin(tx: &mut FamilyTx<'_>, entries_max: u64) -> Result<Self> {
        let ids = tx.reserve_ids(entries_max.max(1))?;
        Ok(Self::with_ids(tx, ids, entries_max))
    }

    /// Starts a plan that adds at most `entries_max` entries, with ids that were reserved before.
    pub(crate) fn with_ids(tx: &FamilyTx<'_>, ids: IdBlock, entries_max: u64) -> Self {
        Self {
            family: tx.family(),
            ids,
            entries_max,
            ids_used: 0,
            created: Vec::new(),
            accounts: Accounts::default(),
            positions: positions::Positions::default(),
            entries: Inserter::new(&transactions::ENTRIES),
            entry_tags: Inserter::new(&transactions::ENTRY_TAGS),
            trades: Inserter::new(&new_trades::TRADES),
            parts: Inserter::new(&added_splits::PARTS_ADDED),
            parts_added: None,
            conversions: Inserter::new(&conversions::CONVERSIONS),
            fills: Inserter::new(&fills::FILLS),
            current: None,
            rates: conversions::Rates::default(),
            origins: Inserter::new(&rules::ORIGINS),
            record_hashes: record_hashes::RecordHashes::default(),
            import: None,
            records: records::notes::Notes::default(),
            counted: HashMap::new(),
            effects: effects::Effects::default(),
            is_in_parts: false,
            restores: false,
            facts: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Creates something that later changes point to.
    pub fn create(&mut self, tx: &mut FamilyTx<'_>, creation: &Creation) -> Result<Slot> {
        let slot = Slot(u32::try_from(self.created.len()).map_err(Error::internal)?);
        let id = match creation {
            Creation::Account(account) => self.create_account(tx, account)?,
            Creation::Category { name, parent, color, icon, .. } => {
                let category = CategoryImage {
                    name: name.clone(),
                    parent_id: parent.map(|parent| self.resolve(parent)).transpose()?,
                    color: color.clone(),
                    icon: icon.clone(),
                };
                self.insert::<CategoryRecord>(tx, &category)?
            }
            Creation::Tag { name, color } => {
                let tag = TagImage { name: name.clone(), color: color.clone() };
                self.insert::<TagRecord>(tx, &tag)?
            }
            Creation::Merchant { name, color, website } => {
                let (name, color, website) = (name.clone(), color.clone(), website.clone());
                let merchant = MerchantImage { name, color, website };
                self.insert::<MerchantRecord>(tx, &merchant)?
            }
            Creation::Rule(draft) => {
                let rule = self.rule_image(draft)?;
                self.insert::<RuleRecord>(tx, &rule)?
            }
        };
        self.created.push(id);
        Ok(slot)
    }

    /// The id of something that was created.
    pub fn created_id(&self, slot: Slot) -> Result<Uuid> {
        self.resolve(Target::Created(slot))
    }

    /// Executes one change of the plan.
    pub fn apply(&mut self, tx: &mut FamilyTx<'_>, change: &Change<'_>) -> Result<Applied> {
        match change {
            Change::AddTransaction(draft) => self.add_transaction(tx, draft, false),
            Change::AddPending(draft) => self.add_transaction(tx, draft, true),
            Change::FollowSource(update) => self.follow_source(tx, update),
            Change::ClaimTransaction { entry } => self.claim_transaction(tx, *entry),
            Change::WithdrawTransaction { entry } => self.withdraw_transaction(tx, *entry),
            Change::AddSplit { whole, parts } => self.add_split(tx, whole, parts),
            Change::FillTransaction(fill) => self.fill_transaction(tx, fill),
            Change::ReviseTransaction(revision) => self.revise_transaction(tx, revision),
            Change::ApplyRules(revision) => self.revise_by_rules(tx, revision),
            Change::SplitTransaction { entry, parts } => self.split_transaction(tx, *entry, parts),
            Change::UnsplitTransaction { entry } => self.unsplit_transaction(tx, *entry),
            Change::RemoveTransaction { entry } => self.remove_transaction(tx, *entry),
            Change::SetValuation(draft) => self.set_valuation(tx, draft),
            Change::ReviseValuation(revision) => self.revise_valuation(tx, revision),
            Change::RemoveValuation { entry } => self.remove_valuation(tx, *entry),
            Change::AddTrade(draft) => self.add_trade(tx, draft),
            Change::ReviseTrade(revision) => self.revise_trade(tx, revision),
            Change::RemoveTrade { entry } => self.remove_trade(tx, *entry),
        }
    }

    /// Ends a part of a plan that several transactions carry out. Counters and balances wait for
    /// [`Executor::finish`]; until then what was added must be hidden ([`Executor::hide`]).
    pub fn end_part(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.flush_entries(tx)?;
        self.entry_tags.flush(tx)?;
        self.trades.flush(tx)?;
        self.conversions.flush(tx)?;
        self.origins.flush(tx)?;
        self.fills.flush(tx).map(drop)
    }

    /// Whether the plan created or changed something that is no entry.
    pub(crate) fn has_records(&self) -> bool {
        !self.records.is_empty()
    }

    /// Brings everything derived up to date and writes the audit event.
    pub fn finish(mut self, tx: &mut FamilyTx<'_>, event: Event) -> Result<Outcome> {
        let entries = self.flush_entries(tx)?;
        self.entry_tags.flush(tx)?;
        self.trades.flush(tx)?;
        self.conversions.flush(tx)?;
        self.origins.flush(tx)?;
        let filled = self.fills.flush(tx)?;
        self.write_records(tx)?;
        self.positions.write(tx, &mut self.accounts)?;
        self.accounts.write(tx)?;
        let mut details = event.details;
        let mut event_id = None;
        if let Value::Object(fields) = &mut details {
            event_id = self.record_details(tx, event.subject_id, fields)?;
        }
        tx.execute(&VERSION_MOVE, &[self.family.into()])?;

        let range = (self.ids_used > 0)
            .then(|| (EntryId(self.ids.get(0)), EntryId(self.ids.get(self.ids_used - 1))));
        let accounts = self.accounts.ids();
        let outcome = Outcome { created: self.created, entries, filled, range, accounts };
        if let Value::Object(fields) = &mut details {
            if let Some((first, last)) = range {
                fields.insert("entries".into(), json!({ "first": first, "last": last }));
            }
            if !outcome.created.is_empty() && outcome.created != [event.subject_id] {
                fields.insert("created".into(), json!(outcome.created));
            }
            if !self.notes.is_empty() {
                fields.insert("changes".into(), Value::Array(self.notes));
            }
        }
        let Event { actor, action, subject_kind, subject_id, .. } = event;
        let id = match event_id {
            Some(id) => id,
            None => tx.new_id()?.into(),
        };
        let subject_id = Some(subject_id);
        let entry = audit::Event { actor, action, subject_kind, subject_id, details };
        audit::record_as(tx, id, &entry)?;
        self.effects.settle(tx, event.subject_id)?;
        Ok(outcome)
    }

    /// The id that a target stands for.
    pub fn resolve(&self, target: Target) -> Result<Uuid> {
        match target {
            Target::Existing(id) => Ok(id),
            Target::Created(slot) => {
                self.created.get(slot.0 as usize).copied().ok_or_else(|| {
                    Error::internal("a plan points to a creation that it doesn't have")
                })
            }
        }
    }

    /// Hands over a transaction that the caller has read, for the change that comes next.
    pub(crate) fn has_read(&mut self, current: origins::CurrentTransaction) {
        self.current = Some(current);
    }

    /// A transaction as it is before a change.
    fn current(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
    ) -> Result<origins::CurrentTransaction> {
        match self.current.take().filter(|current| current.id == entry) {
            Some(current) => Ok(current),
            None => origins::CurrentTransaction::of(tx, entry),
        }
    }

    /// The next id of the block; a plan that adds more than it announced is a defect.
    fn next_entry_id(&mut self) -> Result<Uuid> {
        if self.ids_used == self.entries_max {
            return Err(Error::internal("a plan adds more entries than it reserved ids for"));
        }
        let id = self.ids.get(self.ids_used);
        self.ids_used += 1;
        Ok(id)
    }

    /// The family and an id, as most statements start.
    fn key(&self, id: Uuid) -> [Val<'static>; 2] {
        [self.family.into(), Val::Uuid(id)]
    }
}

/// The statements that positions are folded and written with, and those that keep what trades
/// were, for the test that prepares them.
pub(crate) fn position_statements() -> [(&'static str, &'static [(&'static str, Sql)]); 8] {
    [
        ("ledger::position_statements", position_statements::STATEMENTS),
        ("ledger::checkpoints", checkpoints::STATEMENTS),
        ("ledger::position_inputs", position_inputs::STATEMENTS),
        ("ledger::positions", positions::STATEMENTS),
        ("ledger::remap", remap::STATEMENTS),
        ("ledger::segments", segments::STATEMENTS),
        ("ledger::trade_origins", trade_origins::STATEMENTS),
        ("ledger::traded", traded::STATEMENTS),
    ]
}

#[cfg(test)]
mod checkpoint_tests;
#[cfg(test)]
mod tests;
