//! Entries as a file of this server has them: with what people made of them, and without counting
//! as changed, so that an undo of the import takes them away.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::account::AccountStatus;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::locks::Locks;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TradeDraft, TransactionDraft};
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Val, statements, vals};

statements! {
    /// What a trade has beside its terms.
    TRADE_BELONGINGS = "UPDATE trades SET counterpart_id = $1, lots = $2
        WHERE family_id = $3 AND entry_id = $4";
    /// When a share split was recorded.
    ENTRY_RECORDED = "UPDATE entries SET created_at = $1 WHERE family_id = $2 AND id = $3";
    /// Whether a restored account is shown.
    ACCOUNT_STATUS_SET = "UPDATE accounts SET status = $1 WHERE family_id = $2 AND id = $3";
}

/// A transaction with what people made of it.
#[derive(Debug, Clone)]
pub struct RestoredTransaction<'a> {
    /// What it is by itself.
    pub draft: TransactionDraft<'a>,
    /// Whether the bank has not booked it yet.
    pub pending: bool,
    /// The fields that a person has set.
    pub locks: Locks,
    /// What its source reported, if that is something else.
    pub origin: Option<RestoredOrigin<'a>>,
    /// Its parts, which add up to it.
    pub parts: &'a [RestoredPart<'a>],
}

/// What the source of a transaction reported.
#[derive(Debug, Clone, Copy)]
pub struct RestoredOrigin<'a> {
    /// The account that it came into.
    pub account: AccountId,
    /// The day of the report.
    pub date: Date,
    /// The amount in the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that the source gave it.
    pub name: &'a str,
    /// The name of the source.
    pub source: Option<&'a str>,
    /// The id that the source gave it.
    pub external_id: Option<&'a str>,
}

/// A part of a transaction with labels of its own.
#[derive(Debug, Clone)]
pub struct RestoredPart<'a> {
    /// The amount in the scale of the whole's currency.
    pub amount: i64,
    /// The name of the part.
    pub name: &'a str,
    /// Free text of people.
    pub notes: Option<&'a str>,
    /// At most one category.
    pub category: Option<Uuid>,
    /// At most one merchant.
    pub merchant: Option<Uuid>,
    /// The tags, each once.
    pub tags: Vec<Target>,
    /// Left out of reports and budgets.
    pub excluded: bool,
    /// The fields that a person has set.
    pub locks: Locks,
}

/// What a trade has beside its terms.
#[derive(Debug, Clone)]
pub struct RestoredTrade {
    /// The entry of the trade.
    pub entry: EntryId,
    /// The account that it is in.
    pub security: SecurityId,
    /// The day of the trade.
    pub date: Date,
    /// The other trade of a move.
    pub counterpart: Option<EntryId>,
    /// The lots that moved from or to an account that is gone, as JSON.
    pub lots: Option<String>,
    /// When a share split was recorded.
    pub recorded_at: Option<Timestamp>,
}

impl Executor {
    /// The plan restores what a file of this server has.
    pub fn restoring(mut self) -> Self {
        self.restores = true;
        self
    }

    /// Adds a transaction with its parts, its origin and its locks.
    pub fn restore_transaction(
        &mut self,
        tx: &mut FamilyTx<'_>,
        new: &RestoredTransaction<'_>,
    ) -> Result<EntryId> {
        let facts = (new.pending, new.locks, new.origin.is_some());
        let entry = self.insert_transaction(tx, &new.draft, facts)?.entry;
        if let Some(origin) = &new.origin {
            let row = [
                self.family.into(),
                entry.into(),
                origin.account.into(),
                origin.date.into(),
                Val::Int(origin.amount),
                Val::Text(origin.currency.code()),
                Val::Text(origin.name),
                origin.external_id.into(),
                origin.source.into(),
            ];
            self.origins.push(tx, &row)?;
        }
        if !new.parts.is_empty() {
            self.restore_parts(tx, entry, new)?;
        }
        Ok(entry)
    }

    fn restore_parts(
        &mut self,
        tx: &mut FamilyTx<'_>,
        whole: EntryId,
        new: &RestoredTransaction<'_>,
    ) -> Result<()> {
        let draft = &new.draft;
        let account = self.resolve(draft.account)?;
        let amounts: Vec<i64> = new.parts.iter().map(|part| part.amount).collect();
        let booked = self.booked_shares(tx, draft, account, &amounts)?;
        let now = tx.now();
        for (at, part) in new.parts.iter().enumerate() {
            let id = self.next_entry_id()?;
            if self.parts.is_batch_due() {
                // A part may not arrive before its transaction.
                self.entries.flush(tx)?;
            }
            let row = [
                self.family.into(),
                Val::Uuid(id),
                Val::Uuid(account),
                Val::Int(EntryKind::Part.code()),
                draft.date.into(),
                Val::Int(part.amount),
                Val::Text(draft.currency.code()),
                booked.as_ref().and_then(|booked| booked.get(at).copied()).into(),
                Val::Text(part.name),
                part.notes.into(),
                part.category.into(),
                part.merchant.into(),
                Val::Bool(part.excluded),
                whole.into(),
                Val::Bool(false),
                Val::Int(part.locks.bits()),
                now.into(),
                now.into(),
            ];
            self.parts.push(tx, &row)?;
            self.parts_added = Some((self.parts_added.map_or(id, |(first, _)| first), id));
            self.tag(tx, EntryId(id), &part.tags)?;
        }
        let listed = i64::try_from(new.parts.len()).map_err(Error::internal)? - 1;
        let deltas = &mut self.accounts.touch(tx, account)?.deltas;
        deltas.entry(draft.date).or_default().transactions += listed;
        Ok(())
    }

    /// Adds a trade; the other trade of a move is one of its own.
    pub fn restore_trade(
        &mut self,
        tx: &mut FamilyTx<'_>,
        draft: TradeDraft<'_>,
    ) -> Result<EntryId> {
        Ok(self.apply(tx, &Change::AddTrade(draft))?.entry)
    }

    /// Writes what trades have beside their terms, once all of them are added.
    pub fn complete_trades(
        &mut self,
        tx: &mut FamilyTx<'_>,
        trades: &[RestoredTrade],
    ) -> Result<()> {
        if trades.is_empty() {
            return Ok(());
        }
        self.end_part(tx)?;
        for trade in trades {
            let RestoredTrade { entry, counterpart, lots, recorded_at, .. } = trade;
            let family = self.family;
            if counterpart.is_some() || lots.is_some() {
                let row = vals![*counterpart, lots.as_deref(), family, *entry];
                tx.execute(&TRADE_BELONGINGS, row)?;
            }
            if let Some(at) = recorded_at {
                tx.execute(&ENTRY_RECORDED, vals![*at, family, *entry])?;
            }
            self.positions.refold_from(trade.security, trade.date);
        }
        Ok(())
    }

    /// Whether an account that the plan created is shown.
    pub fn set_restored_status(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        status: AccountStatus,
    ) -> Result<()> {
        let row = vals![status.as_str(), self.family, account];
        tx.execute(&ACCOUNT_STATUS_SET, row).map(drop)
    }
}
