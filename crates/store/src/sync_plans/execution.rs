//! The execution of a plan: entries by the ledger's executor, what is known of their rows, images
//! for the undo, and the record of the run.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, SyncId};
use purser_core::plan::{Change, SourceUpdate, Target, TransactionDraft};
use purser_core::rules::Evaluation;
use purser_core::sync::{
    KnownAccount, KnownRow, KnownState, ReportedRow, ReportedRows, SourceRow, SyncChange, SyncPlan,
};
use serde_json::json;
use uuid::Uuid;

use super::balance::{Balance, is_news, observe};
use super::images::{Image, RowImage};
use super::position::Position;
use super::securities::{self, HoldingsOf};
use super::{IMAGE_INSERT, PLAN_PUT, SUGGESTION_PUT, SUGGESTIONS_DROP, facts};
use crate::access::FamilyTx;
use crate::driver::{Inserter, vals};
use crate::ledger::{Event, Executor};
use crate::sync_rows::{self, SourceAccount};
use crate::sync_suggestions;

/// Changes after which it is looked how much was written.
const LOOK_CHANGES: usize = 64;

/// Balances that a run sets: the reported one, and perhaps the one before.
const BALANCES_MAX: u64 = 2;

/// A plan, and what it was made of.
#[derive(Debug, Clone, Copy)]
pub struct Execution<'a> {
    /// The run that changes the account.
    pub sync: SyncId,
    /// The account and the provider.
    pub of: SourceAccount<'a>,
    /// The day in the family's time zone.
    pub today: Date,
    /// What was known of the account.
    pub known: &'a KnownAccount,
    /// What the provider has reported.
    pub reported: &'a ReportedRows,
    /// What is to be changed.
    pub plan: &'a SyncPlan,
    /// What the rules make of rows that are added, by their position in the answer.
    pub evaluations: &'a HashMap<usize, Evaluation>,
    /// What the holdings change, if the bank reported any.
    pub holdings: Option<HoldingsOf<'a>>,
    /// The balance, if the bank reported one that can be booked.
    pub balance: Option<Balance>,
    /// The codes of what is worth knowing.
    pub warnings: &'a [&'static str],
    /// The day up to which the account is known before the run.
    pub watermark_before: Option<Date>,
}

/// What a plan has done so far.
pub(super) struct Progress<'a> {
    pub(super) execution: Execution<'a>,
    position: Position,
    known: HashMap<EntryId, &'a KnownRow>,
    pub(super) executor: Executor,
    rows: Inserter,
    pub(super) images: Vec<Image>,
    /// The entry that each row became which this part added.
    added: HashMap<usize, EntryId>,
}

/// Executes a plan in the caller's transaction and keeps what it did.
pub fn execute(tx: &mut FamilyTx<'_>, execution: Execution<'_>) -> Result<()> {
    execute_part(tx, execution, &Position::default(), usize::MAX).map(drop)
}

/// Executes the next changes of a plan: `changes_max` at most, and fewer if they fill the log of
/// the database. The last part also sets the balance. Between two parts the caller makes sure that
/// the plan still holds, or begins another one ([`Position::of_new_plan`]).
pub fn execute_part(
    tx: &mut FamilyTx<'_>,
    execution: Execution<'_>,
    position: &Position,
    changes_max: usize,
) -> Result<Position> {
    let rest = execution.plan.changes.get(position.changes..).unwrap_or_default();
    let part = &rest[..rest.len().min(changes_max)];
    let is_news = match execution.balance.filter(|_| part.len() == rest.len()) {
        Some(balance) => is_news(tx, execution.of.account, balance)?,
        None => false,
    };
    let has_holdings = execution.holdings.is_some_and(|holdings| !holdings.plan.is_empty());
    if part.is_empty() && !is_news && !has_holdings {
        if let Some(balance) = execution.balance {
            observe(tx, execution.of.account, balance)?;
        }
        let position = Position { is_done: true, ..position.clone() };
        record(tx, &execution, &position)?;
        return Ok(position);
    }
    let mut progress = Progress::begin(tx, execution, position.clone(), part)?;
    for (number, change) in part.iter().enumerate() {
        progress.apply(tx, change)?;
        progress.position.changes += 1;
        progress.position.done.note(change);
        let is_time_to_look = changes_max < usize::MAX && number % LOOK_CHANGES == 0;
        if is_time_to_look && tx.has_filled_log() {
            break;
        }
    }
    if progress.position.changes == execution.plan.changes.len() {
        progress.set_holdings(tx)?;
        progress.set_balance(tx)?;
        progress.position.is_done = true;
    }
    progress.finish(tx)
}

impl<'a> Progress<'a> {
    fn begin(
        tx: &mut FamilyTx<'_>,
        execution: Execution<'a>,
        mut position: Position,
        part: &[SyncChange],
    ) -> Result<Self> {
        // Balances are entries, too.
        let rows_max = execution.reported.rows.len() as u64 + BALANCES_MAX;
        let ids = match position.ids {
            Some(ids) => ids,
            None => tx.reserve_ids(rows_max)?,
        };
        position.ids = Some(ids);
        let adds = part.iter().filter(|change| matches!(change, SyncChange::Add { .. })).count();
        let ids = ids.part(position.ids_used, adds as u64 + BALANCES_MAX);
        let executor = Executor::with_ids(tx, ids, ids.count());
        Ok(Self {
            execution,
            position,
            known: execution.known.rows.iter().map(|one| (one.entry, one)).collect(),
            executor,
            rows: Inserter::new(&sync_rows::ROWS),
            images: Vec::new(),
            added: HashMap::new(),
        })
    }

    fn apply(&mut self, tx: &mut FamilyTx<'_>, change: &SyncChange) -> Result<()> {
        match *change {
            SyncChange::Add { row, keeps_id } => self.add(tx, row, keeps_id),
            SyncChange::Follow { entry, row, keeps_id, .. } => {
                self.follow(tx, entry, row, keeps_id)
            }
            SyncChange::Claim { entry, row, keeps_id } => self.claim(tx, entry, row, keeps_id),
            SyncChange::LeaveDeleted { entry, row, keeps_id } => {
                self.know(tx, entry, row, keeps_id)?;
                // An undo forgets the row again, and there is no entry to release.
                self.images.push(Image::Claimed { entry, was_touched: true });
                Ok(())
            }
            SyncChange::MarkAbsent { entry } => self.mark(tx, entry, true),
            SyncChange::MarkPresent { entry } => self.mark(tx, entry, false),
            SyncChange::Remove { entry, .. } => self.withdraw(tx, entry),
        }
    }

    fn reported(&self, row: usize) -> Result<&'a ReportedRow> {
        let reported: &'a ReportedRows = self.execution.reported;
        reported.rows.get(row).ok_or_else(|| Error::internal("a plan names a row that isn't there"))
    }

    fn known(&self, entry: EntryId) -> Result<&'a KnownRow> {
        let known = self.known.get(&entry).copied();
        known.ok_or_else(|| Error::internal("a plan names an entry that isn't known"))
    }

    fn add(&mut self, tx: &mut FamilyTx<'_>, at: usize, keeps_id: bool) -> Result<()> {
        let of = self.execution.of;
        let ReportedRow { row, notes } = self.reported(at)?;
        let id = row.id.clone().filter(|_| keeps_id);
        let evaluation = self.execution.evaluations.get(&at);
        let name = evaluation.and_then(Evaluation::name);
        let tags = evaluation.into_iter().flat_map(Evaluation::tags);
        let tags: Vec<Target> = tags.map(Target::Existing).collect();
        let draft = TransactionDraft {
            account: Target::Existing(of.account.0),
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            rate: None,
            name: name.unwrap_or(&row.name),
            source_name: name.map(|_| row.name.as_str()),
            notes: notes.as_deref(),
            category: evaluation.and_then(Evaluation::category).map(Target::Existing),
            merchant: evaluation.and_then(Evaluation::merchant).map(Target::Existing),
            tags: &tags,
            excluded: evaluation.is_some_and(Evaluation::excludes),
            source: Some(of.source),
            external_id: id.as_deref(),
        };
        let change = match row.pending {
            true => Change::AddPending(draft),
            false => Change::AddTransaction(draft),
        };
        let entry = self.executor.apply(tx, &change)?.entry;
        let row = SourceRow { id, ..row.clone() };
        sync_rows::push(tx, &mut self.rows, of, (entry, &row))?;
        self.added.insert(at, entry);
        let position = &mut self.position;
        position.ids_used += 1;
        position.range = Some((position.range.map_or(entry, |(first, _)| first), entry));
        Ok(())
    }

    fn follow(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        at: usize,
        keeps_id: bool,
    ) -> Result<()> {
        let source = self.execution.of.source;
        let known = self.known(entry)?;
        let ReportedRow { row, notes } = self.reported(at)?;
        let id = if keeps_id { row.id.clone() } else { known.row.id.clone() };
        let after = SourceRow { id, ..row.clone() };
        let (before, notes) = (&known.row, notes.as_deref());
        let update = SourceUpdate { entry, source, before, after: &after, notes };
        let mut filled = None;
        if known.state == KnownState::Deleted {
            self.executor.follow_origin(tx, &update)?;
        } else {
            filled = notes.map(str::to_owned);
            if filled.is_some() && facts::has_notes(tx, entry)? {
                filled = None;
            }
            self.executor.apply(tx, &Change::FollowSource(update))?;
        }
        sync_rows::update(tx, source, entry, (&after, 0, None))?;
        self.images.push(Image::Row(RowImage { notes: filled, ..RowImage::of(known) }));
        Ok(())
    }

    fn claim(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        at: usize,
        keeps_id: bool,
    ) -> Result<()> {
        let was_touched = facts::touched(tx, entry)?.unwrap_or_default();
        self.executor.apply(tx, &Change::ClaimTransaction { entry })?;
        self.know(tx, entry, at, keeps_id)?;
        self.images.push(Image::Claimed { entry, was_touched });
        Ok(())
    }

    /// Keeps the row of an entry of another source, there or deleted.
    fn know(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        at: usize,
        keeps_id: bool,
    ) -> Result<()> {
        let row = &self.reported(at)?.row;
        let row = SourceRow { id: row.id.clone().filter(|_| keeps_id), ..row.clone() };
        sync_rows::push(tx, &mut self.rows, self.execution.of, (entry, &row))
    }

    fn mark(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId, is_absent: bool) -> Result<()> {
        let known = self.known(entry)?;
        let (absences, absent_on) = match is_absent {
            true => (known.absences + 1, Some(self.execution.today)),
            false => (0, None),
        };
        let source = self.execution.of.source;
        sync_rows::update(tx, source, entry, (&known.row, absences, absent_on))?;
        self.images.push(Image::Row(RowImage::of(known)));
        Ok(())
    }

    fn withdraw(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
        let known = self.known(entry)?;
        let image = facts::entry_image(tx, entry)?;
        self.executor.apply(tx, &Change::WithdrawTransaction { entry })?;
        sync_rows::remove(tx, self.execution.of.source, entry)?;
        let family = tx.family();
        tx.execute(&SUGGESTIONS_DROP, vals![family, entry])?;
        self.images.push(Image::Removed { row: RowImage::of(known), entry: image });
        Ok(())
    }

    /// States what the account holds, before the balance, of which it is a part.
    fn set_holdings(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Execution { sync, of, holdings, .. } = self.execution;
        let Some(holdings) = holdings.filter(|holdings| !holdings.plan.is_empty()) else {
            return Ok(());
        };
        securities::execute(tx, &mut self.executor, of, holdings, &mut self.images)?;
        self.executor.settle_prices(tx, sync.0)
    }

    fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<Position> {
        let Execution { sync, of, plan, .. } = self.execution;
        let family = tx.family();
        self.rows.flush(tx)?;
        record(tx, &self.execution, &self.position)?;
        for image in &self.images {
            let image = serde_json::to_string(image).map_err(Error::internal)?;
            let number = i64::try_from(self.position.images).map_err(Error::internal)?;
            self.position.images += 1;
            tx.execute(&IMAGE_INSERT, vals![family, sync, of.account, number, &image])?;
        }
        let claimed = self.images.iter().filter_map(Image::claimed).collect();
        sync_suggestions::settle_moved(tx, &claimed)?;
        let now = tx.now();
        for one in &plan.suggestions {
            let Some(other) = self.added.get(&one.row) else { continue };
            let doubt = one.doubt.as_str();
            let id = tx.new_id()?;
            let values = vals![family, one.entry, *other, id, of.account, doubt, now];
            tx.execute(&SUGGESTION_PUT, values)?;
            self.position.done.suggested += 1;
        }
        let event = Event {
            actor: tx.actor(),
            action: "sync.apply",
            subject_kind: "sync",
            subject_id: sync.0,
            details: json!({ "account": of.account, "source": of.source, "counts": plan.counts }),
        };
        self.executor.finish(tx, event)?;
        Ok(self.position)
    }
}

/// Keeps what a run did.
fn record(tx: &mut FamilyTx<'_>, execution: &Execution<'_>, position: &Position) -> Result<()> {
    let Execution { sync, of, plan, warnings, watermark_before, .. } = execution;
    let (family, now) = (tx.family(), tx.now());
    let counts = serde_json::to_string(&position.counts(plan)).map_err(Error::internal)?;
    let warnings = serde_json::to_string(warnings).map_err(Error::internal)?;
    let (first, last): (Option<Uuid>, Option<Uuid>) = match position.range {
        Some((first, last)) => (Some(first.0), Some(last.0)),
        None => (None, None),
    };
    let key = vals![family, *sync, of.account, of.source, &counts, &warnings];
    let values = vals![first, last, *watermark_before, now];
    tx.execute(&PLAN_PUT, &[&key[..], &values[..]].concat()).map(drop)
}
