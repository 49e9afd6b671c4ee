//! What an undo would do, from the ledger as it is now.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;
use uuid::Uuid;

use super::super::Import;
use super::super::row_edits::row_choices;
use super::created;
use super::fills::{self, FillsSurvey};
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements, vals};
use crate::ledger::Range;
use crate::ledger::records::undo::{self, Context, Created, RecordSurvey, Remaining};

statements! {
    /// How many entries go, and how many were changed since. Those that were deleted are not there;
    /// parts go and stay with their transactions.
    RANGE_COUNTS = "SELECT
            CAST(COALESCE(SUM(CASE WHEN e.changed_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT),
            CAST(COALESCE(SUM(CASE WHEN e.changed_at IS NULL THEN 0 ELSE 1 END), 0) AS BIGINT)
        FROM ledger_entries e WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
            AND e.kind <> 3";
    /// How many were deleted since.
    RANGE_DELETED = "SELECT CAST(COUNT(*) AS BIGINT) FROM entry_origins
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 AND deleted_at IS NOT NULL";
    /// The first that were changed, with their origins.
    RANGE_KEPT = "SELECT e.id, e.account_id, e.date, e.amount, e.currency, e.name,
            o.date, o.amount, o.name,
            EXISTS (SELECT 1 FROM transfers t WHERE t.family_id = $1 AND t.made_by = 'person'
                AND (t.outflow_id = e.id OR t.inflow_id = e.id))
        FROM ledger_entries e
        LEFT JOIN entry_origins o ON o.family_id = $1 AND o.entry_id = e.id
        WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3 AND e.changed_at IS NOT NULL
            AND e.kind <> 3
        ORDER BY e.id LIMIT $4";
    /// What goes from each account.
    RANGE_ACCOUNTS = "SELECT e.account_id,
            CAST(SUM(CASE WHEN e.kind = 3 OR e.kind = 0 AND NOT e.is_split THEN 1 ELSE 0 END)
                AS BIGINT),
            CAST(SUM(CASE WHEN e.kind = 1 THEN 1 ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN e.kind = 2 THEN 1 ELSE 0 END) AS BIGINT)
        FROM ledger_entries e
        WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3 AND e.changed_at IS NULL
        GROUP BY e.account_id";
}

/// Entries that a survey names.
const NAMED_MAX: i64 = 20;

/// What an undo would do.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The number of entries that are removed.
    pub removed: u64,
    /// Entries that were changed since and stay.
    pub kept: u64,
    /// The first of them.
    pub kept_first: Vec<KeptEntry>,
    /// Entries that were deleted since; they stay deleted.
    pub deleted: u64,
    /// What becomes of fields that were filled.
    pub fills: FillsSurvey,
    /// Rows that a person wanted as transactions whatever they resemble, and that are left to the
    /// plan again: otherwise what stays would be there twice, and what was deleted would come back.
    pub choices_reset: u64,
    /// Accounts that were created.
    pub accounts: Vec<Created>,
    /// What becomes of everything else that was created, changed or removed.
    pub records: RecordSurvey,
}

impl Survey {
    /// Everything besides entries that was created.
    pub fn created(&self) -> impl Iterator<Item = &Created> {
        self.records.created.iter().chain(&self.accounts)
    }
}

/// An entry that stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptEntry {
    /// The id of the entry.
    pub entry: EntryId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// Which day, by now.
    pub date: Date,
    /// Positive = money out, by now.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// As it is called by now.
    pub name: String,
    /// The fields in which it differs from its origin: `date`, `amount`, `name`; `transfer` if a
    /// person made or confirmed one. Empty if something else was changed, such as its category.
    pub changed: Vec<&'static str>,
}

/// What goes from one account.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Gone {
    pub(super) transactions: i64,
    pub(super) valuations: i64,
    pub(super) trades: i64,
}

/// What an undo of an import would do now.
pub fn survey(tx: &mut FamilyTx<'_>, import: &Import) -> Result<Survey> {
    let family = tx.family();
    let range = import.range.unwrap_or((EntryId(Uuid::nil()), EntryId(Uuid::nil())));
    let key = [family.into(), range.0.into(), range.1.into()];
    let (removed, kept) =
        tx.query_one(&RANGE_COUNTS, &key, |row| Ok((row.count(0)?, row.count(1)?)))?;
    let deleted = tx.query_one(&RANGE_DELETED, &key, |row| row.count(0))?;
    let first = [family.into(), range.0.into(), range.1.into(), Val::Int(NAMED_MAX)];
    let kept_first = tx.query(&RANGE_KEPT, &first, read_kept)?;
    let named = created::named_by_others(tx, import.id)?;
    let mut context = Context { named, filled: HashSet::new() };
    let mut fills = FillsSurvey::default();
    fills::visit(tx, import.id, |_, judged| {
        context.filled.extend(judged.category);
        context.filled.extend(judged.tags.iter().copied());
        judged.add_to(&mut fills);
        Ok(())
    })?;
    let records = records(tx, import, &context)?;
    let accounts = created::accounts_created(tx, import.id)?;
    let gone = gone_from(tx, range, &accounts)?;
    let accounts =
        created::judge_accounts(tx, (import.id, &accounts), &gone, &records, &context.named)?;
    let choices_reset = match kept + deleted {
        0 => 0,
        _ => row_choices(tx, import.id)?,
    };
    Ok(Survey { removed, kept, kept_first, deleted, fills, choices_reset, accounts, records })
}

fn records(tx: &mut FamilyTx<'_>, import: &Import, context: &Context) -> Result<RecordSurvey> {
    let range = import.range.unwrap_or((EntryId(Uuid::nil()), EntryId(Uuid::nil())));
    undo::survey(tx, &Remaining { range, import: import.id }, context)
}

/// How many entries of an import's range an undo would still remove.
pub fn removable(tx: &mut FamilyTx<'_>, range: Range) -> Result<u64> {
    let family = tx.family();
    tx.query_one(&RANGE_COUNTS, &[family.into(), range.0.into(), range.1.into()], |row| {
        row.count(0)
    })
}

/// How many of the entries that an import made an undo has removed that did not come to its end.
pub fn removed_before(tx: &mut FamilyTx<'_>, import: &Import) -> Result<u64> {
    let family = tx.family();
    let Some((first, last)) = import.range else { return Ok(0) };
    let key = [family.into(), first.into(), last.into()];
    let there = tx.query_one(&RANGE_COUNTS, &key, |row| Ok(row.count(0)? + row.count(1)?))?;
    let deleted = tx.query_one(&RANGE_DELETED, &key, |row| row.count(0))?;
    Ok(import.created.saturating_sub(there + deleted))
}

/// What goes from the accounts that the import created; else nobody asks.
fn gone_from(
    tx: &mut FamilyTx<'_>,
    range: Range,
    accounts: &[Uuid],
) -> Result<HashMap<Uuid, Gone>> {
    let (family, mut gone) = (tx.family(), HashMap::new());
    if accounts.is_empty() {
        return Ok(gone);
    }
    for id in accounts {
        let openings = created::openings(tx, *id)?;
        gone.insert(*id, Gone { valuations: openings, ..Gone::default() });
    }
    tx.for_each(&RANGE_ACCOUNTS, vals![family, range.0, range.1], |row| {
        let (transactions, valuations, trades) = (row.int(1)?, row.int(2)?, row.int(3)?);
        let one: &mut Gone = gone.entry(row.uuid(0)?).or_default();
        one.transactions += transactions;
        one.valuations += valuations;
        one.trades += trades;
        Ok(())
    })?;
    Ok(gone)
}

fn read_kept(row: &Row<'_>) -> Result<KeptEntry> {
    let (date, amount, name) = (row.date(2)?, row.int(3)?, row.string(5)?);
    let mut changed = Vec::new();
    if row.opt_int(6)?.is_some() {
        let was = (row.date(6)?, row.int(7)?, row.text(8)?);
        let differs =
            [("date", was.0 != date), ("amount", was.1 != amount), ("name", was.2 != name)];
        changed.extend(differs.iter().filter(|(_, differs)| *differs).map(|(field, _)| *field));
    }
    if row.bool(9)? {
        changed.push("transfer");
    }
    Ok(KeptEntry {
        entry: row.id(0)?,
        account: row.id(1)?,
        date,
        amount,
        currency: row.currency(4)?,
        name,
        changed,
    })
}
