//! Valuations: what an account was worth at the end of a day.
//!
//! The ledger's executor writes them, so that balances and counters are right in the same commit.
//! A valuation is seen whatever the status of its account; a restricted key sees its accounts only.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account::AccountStatus;
use purser_core::ledger::entry::ValuationKind;
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::ledger::transaction_values::disabled_account;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, ValuationDraft, ValuationRevision};
use serde_json::json;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountSummary, read_summary};
use crate::calendar;
use crate::driver::{Filter, Query, Row, Val, statements};
use crate::families::FamilyId;
use crate::ledger::{Applied, Event, Executor};

statements! {
    /// One valuation with its account.
    VALUATION_SHOW = "SELECT e.id, e.date, e.amount, e.currency, e.notes, e.valuation_kind,
            e.created_at, e.updated_at, a.id, a.name, a.account_type, a.status
        FROM ledger_entries e
        JOIN accounts a ON a.family_id = $1 AND a.id = e.account_id
        WHERE e.family_id = $1 AND e.id = $2 AND e.kind = 1";
}

/// A page of valuations with their accounts.
const SELECT: &str = "SELECT e.id, e.date, e.amount, e.currency, e.notes, e.valuation_kind,
        e.created_at, e.updated_at, a.id, a.name, a.account_type, a.status
    FROM ledger_entries e
    JOIN accounts a ON a.family_id = $1 AND a.id = e.account_id";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM ledger_entries e";
const NEWEST_FIRST: &str = "ORDER BY e.date DESC, e.created_at DESC, e.id DESC LIMIT ? OFFSET ?";

/// A valuation of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valuation {
    /// The id of the ledger entry.
    pub id: EntryId,
    /// The end of this day.
    pub date: Date,
    /// The amount in the currency's scale; the debt of a liability is positive.
    pub amount: i64,
    /// The currency of the account.
    pub currency: Currency,
    /// The notes, which are free text.
    pub notes: Option<String>,
    /// The kind of the valuation.
    pub kind: ValuationKind,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// The account that is valued.
    pub account: AccountSummary,
}

/// Which valuations are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this account.
    pub account: Option<AccountId>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
}

/// A page of the valuations of visible accounts, newest day first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Valuation>, u64)> {
    let family = tx.family();
    let mut chosen = accounts::known(tx)?;
    chosen.retain(|account| {
        let id = account.summary.id;
        tx.allows(id) && listing.account.is_none_or(|wanted| wanted == id)
    });
    let ids: Vec<AccountId> = chosen.iter().map(|account| account.summary.id).collect();
    let (page, count) = queries(family, &ids, listing.start, listing.end, limit, offset);
    let total = if listing.start.is_some() || listing.end.is_some() {
        tx.query_one(&count, &[], |row| row.count(0))?
    } else {
        chosen.iter().map(|account| account.valuations).sum()
    };
    Ok((tx.query(&page, &[], read)?, total))
}

fn queries<'a>(
    family: FamilyId,
    accounts: &[AccountId],
    start: Option<Date>,
    end: Option<Date>,
    limit: i64,
    offset: i64,
) -> (Query<'a>, Query<'a>) {
    let filter = Filter::of_family("e.family_id = ?", family)
        .and("e.kind = 1", [])
        .and_in("e.account_id", accounts.iter().map(|id| Val::from(*id)))
        .and_opt("e.date >= ?", start)
        .and_opt("e.date <= ?", end);
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    (page, filter.query(SELECT_COUNT, "", []))
}

/// The valuation with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Valuation> {
    let family = tx.family();
    tx.query_opt(&VALUATION_SHOW, &[family.into(), id.into()], read)?
        .filter(|valuation| tx.allows(valuation.account.id))
        .ok_or(Error::NotFound { what: "Valuation" })
}

/// Sets the value of an account on a day, and returns whether one of that day was replaced. Nothing
/// is added to an account that is disabled.
pub fn set(tx: &mut FamilyTx<'_>, input: &ValuationInput) -> Result<(Valuation, bool)> {
    let account = accounts::kept(tx, input.account)?;
    if !account.summary.status.is_visible() {
        return Err(disabled_account().into());
    }
    let today = calendar::today(tx)?;
    let values = input.values.check(account.currency, today)?;
    let (Some(amount), Some(date)) = (values.amount, values.date) else {
        return Err(Error::internal("a valuation without amount or date was let through"));
    };
    let draft = ValuationDraft {
        account: Target::Existing(input.account.0),
        date,
        amount,
        kind: ValuationKind::Reconciliation,
        notes: values.notes,
    };
    let applied = carry_out(tx, "valuation.set", &Change::SetValuation(draft))?;
    Ok((get(tx, applied.entry)?, applied.existed))
}

/// Changes a valuation: its amount, its day (which must be free), its notes.
pub fn revise(tx: &mut FamilyTx<'_>, id: EntryId, input: &ValuationValues) -> Result<Valuation> {
    let valuation = kept(tx, id)?;
    let today = calendar::today(tx)?;
    let values = input.check(valuation.currency, today)?;
    let amount = values.amount.filter(|amount| *amount != valuation.amount);
    let date = values.date.filter(|date| *date != valuation.date);
    let notes = values.notes.filter(|notes| *notes != valuation.notes);
    if amount.is_none() && date.is_none() && notes.is_none() {
        return Ok(valuation);
    }
    let revision = ValuationRevision { entry: id, date, amount, notes };
    carry_out(tx, "valuation.revise", &Change::ReviseValuation(revision))?;
    get(tx, id)
}

/// One valuation that may be changed: those of an account that is being removed go with it.
fn kept(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Valuation> {
    let valuation = get(tx, id)?;
    if valuation.account.status == AccountStatus::PendingDeletion {
        return Err(Error::NotFound { what: "Valuation" });
    }
    Ok(valuation)
}

/// Takes a valuation away; the day's flows count again.
pub fn remove(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<()> {
    kept(tx, id)?;
    let change = Change::RemoveValuation { entry: id };
    carry_out(tx, "valuation.remove", &change)?;
    Ok(())
}

fn carry_out(tx: &mut FamilyTx<'_>, action: &'static str, change: &Change<'_>) -> Result<Applied> {
    let actor = tx.actor();
    let mut executor = Executor::begin(tx, 1)?;
    let applied = executor.apply(tx, change)?;
    executor.finish(
        tx,
        Event {
            actor,
            action,
            subject_kind: "valuation",
            subject_id: applied.entry.0,
            details: json!({}),
        },
    )?;
    Ok(applied)
}

fn read(row: &Row<'_>) -> Result<Valuation> {
    Ok(Valuation {
        id: row.id(0)?,
        date: row.date(1)?,
        amount: row.int(2)?,
        currency: row.currency(3)?,
        notes: row.opt_string(4)?,
        kind: row.named(5)?,
        created_at: row.timestamp(6)?,
        updated_at: row.timestamp(7)?,
        account: read_summary(row, 8)?,
    })
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let day = Some(Date::constant(2000, 1, 1));
    let account = AccountId(uuid::Uuid::nil());
    let (page, count) = queries(FamilyId::from_number(1), &[account], day, day, 1, 1);
    vec![page, count]
}

#[cfg(test)]
mod tests;
