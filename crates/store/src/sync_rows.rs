//! What a provider reported last of each transaction of an account.
//!
//! Rows of later answers are compared with these and not with the entries, so that it doesn't
//! matter what a person made of an entry. A row of which the entry is gone keeps the entry from
//! coming back.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account::AccountType;
use purser_core::money::Currency;
use purser_core::sync::{KnownAccount, KnownRow, KnownState, ReportedRows, SourceRow};

use crate::access::FamilyTx;
use crate::accounts;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements, vals};
use crate::sync_others;

statements! {
    /// Rows of some days.
    ROWS_OF_DAYS = "SELECT r.entry_id, r.external_id, r.date, r.amount, r.currency, r.name,
            r.pending, r.absences, r.absent_on, e.id IS NULL, e.changed_at IS NOT NULL,
            r.pending AND EXISTS (SELECT 1 FROM sync_suggestions q
                JOIN ledger_entries o ON o.family_id = $1 AND o.id = q.other_id
                WHERE q.family_id = $1 AND q.entry_id = r.entry_id
                    AND q.doubt <> 'answer_incomplete')
        FROM sync_rows r
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = r.entry_id
        WHERE r.family_id = $1 AND r.account_id = $2 AND r.source = $3
            AND r.date BETWEEN $4 AND $5";
    /// Rows that are not booked.
    ROWS_PENDING = "SELECT r.entry_id, r.external_id, r.date, r.amount, r.currency, r.name,
            r.pending, r.absences, r.absent_on, e.id IS NULL, e.changed_at IS NOT NULL,
            r.pending AND EXISTS (SELECT 1 FROM sync_suggestions q
                JOIN ledger_entries o ON o.family_id = $1 AND o.id = q.other_id
                WHERE q.family_id = $1 AND q.entry_id = r.entry_id
                    AND q.doubt <> 'answer_incomplete')
        FROM sync_rows r
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = r.entry_id
        WHERE r.family_id = $1 AND r.account_id = $2 AND r.source = $3 AND r.pending";
    /// Rows with ids of an answer.
    ROWS_OF_IDS = "SELECT r.entry_id, r.external_id, r.date, r.amount, r.currency, r.name,
            r.pending, r.absences, r.absent_on, e.id IS NULL, e.changed_at IS NOT NULL,
            r.pending AND EXISTS (SELECT 1 FROM sync_suggestions q
                JOIN ledger_entries o ON o.family_id = $1 AND o.id = q.other_id
                WHERE q.family_id = $1 AND q.entry_id = r.entry_id
                    AND q.doubt <> 'answer_incomplete')
        FROM sync_rows r
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = r.entry_id
        WHERE r.family_id = $1 AND r.account_id = $2 AND r.source = $3
            AND r.external_id = ANY($4)";
    /// Whether there are rows of other days.
    ROWS_OF_OTHER_DAYS = "SELECT EXISTS (SELECT 1 FROM sync_rows r WHERE r.family_id = $1
                AND r.account_id = $2 AND r.source = $3 AND r.date < $4)
            OR EXISTS (SELECT 1 FROM sync_rows r WHERE r.family_id = $1
                AND r.account_id = $2 AND r.source = $3 AND r.date > $5)";
    /// The day of the oldest row that is not booked, of an entry that is there. One that a person
    /// has touched, and that the bank has not reported for two days, is not asked for any more, and
    /// one that waits for a person to decide isn't either.
    OLDEST_PENDING = "SELECT MIN(r.date) FROM sync_rows r
        WHERE r.family_id = $1 AND r.account_id = $2 AND r.source = $3 AND r.pending
            AND EXISTS (SELECT 1 FROM ledger_entries e
                WHERE e.family_id = $1 AND e.id = r.entry_id
                    AND (r.absences < 2 OR e.changed_at IS NULL))
            AND NOT EXISTS (SELECT 1 FROM sync_suggestions q
                JOIN ledger_entries o ON o.family_id = $1 AND o.id = q.other_id
                WHERE q.family_id = $1 AND q.entry_id = r.entry_id
                    AND q.doubt <> 'answer_incomplete')";
    /// What is known of a row by now.
    ROW_UPDATE = "UPDATE sync_rows SET external_id = $1, date = $2, amount = $3, currency = $4,
            name = $5, pending = $6, absences = $7, absent_on = $8
        WHERE family_id = $9 AND entry_id = $10 AND source = $11";
    /// A row that stands for nothing any more.
    ROW_DELETE = "DELETE FROM sync_rows WHERE family_id = $1 AND entry_id = $2 AND source = $3";
}

pub(crate) static ROWS: Bulk = Bulk {
    table: "sync_rows",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("source", ColumnType::Text),
        ("account_id", ColumnType::Uuid),
        ("external_id", ColumnType::Text),
        ("date", ColumnType::Int),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("name", ColumnType::Text),
        ("pending", ColumnType::Bool),
        ("absences", ColumnType::Int),
        ("absent_on", ColumnType::Int),
    ],
};

/// An account of the family as one provider knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceAccount<'a> {
    /// The account of the family.
    pub account: AccountId,
    /// The name of the provider.
    pub source: &'a str,
}

/// The type and the currency of an account, which no answer changes.
pub fn account_of(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<(AccountType, Currency)> {
    let known = accounts::known_by_id(tx, account)?;
    Ok((known.summary.account_type, known.currency))
}

/// As much as a plan for an answer has to know.
pub fn known(
    tx: &mut FamilyTx<'_>,
    of: SourceAccount<'_>,
    reported: &ReportedRows,
) -> Result<KnownAccount> {
    let family = tx.family();
    let place = [family.into(), of.account.into(), Val::Text(of.source)];

    let mut rows: BTreeMap<EntryId, KnownRow> = BTreeMap::new();
    let mut keep = |row: &Row<'_>| -> Result<()> {
        let known = read(row)?;
        rows.insert(known.entry, known);
        Ok(())
    };
    let days = [&place[..], &[reported.from.into(), reported.to.into()]].concat();
    tx.for_each(&ROWS_OF_DAYS, &days, &mut keep)?;
    tx.for_each(&ROWS_PENDING, &place, &mut keep)?;
    let ids = ids_but_those_of(reported, &rows);
    if !ids.is_empty() && tx.query_one(&ROWS_OF_OTHER_DAYS, &days, |row| row.bool(0))? {
        let mut keep = |row: &Row<'_>| -> Result<()> {
            let known = read(row)?;
            rows.insert(known.entry, known);
            Ok(())
        };
        tx.lookup(&ROWS_OF_IDS, &place, &ids, &mut keep)?;
    }

    let others = sync_others::of(tx, of, reported, &ids)?;
    Ok(KnownAccount { rows: rows.into_values().collect(), others })
}

/// The ids of an answer, but for those of rows that were found by their days. A first answer has a
/// hundred thousand ids, of which nothing is known, and a later one hardly any.
fn ids_but_those_of<'a>(
    reported: &'a ReportedRows,
    found: &BTreeMap<EntryId, KnownRow>,
) -> Vec<Val<'a>> {
    let found: HashSet<&str> = found.values().filter_map(|one| one.row.id.as_deref()).collect();
    let ids = reported.rows.iter().filter_map(|one| one.row.id.as_deref());
    let ids: BTreeSet<&str> = ids.filter(|id| !id.is_empty() && !found.contains(id)).collect();
    ids.into_iter().map(Val::Text).collect()
}

/// The rows that aren't booked, those of deleted entries, too.
pub fn pending(tx: &mut FamilyTx<'_>, of: SourceAccount<'_>) -> Result<Vec<KnownRow>> {
    let family = tx.family();
    tx.query(&ROWS_PENDING, vals![family, of.account, of.source], read)
}

/// The day of the oldest row that isn't booked.
pub fn oldest_pending(tx: &mut FamilyTx<'_>, of: SourceAccount<'_>) -> Result<Option<Date>> {
    let family = tx.family();
    tx.query_one(&OLDEST_PENDING, vals![family, of.account, of.source], |row| row.opt_date(0))
}

/// Keeps a new row.
pub(crate) fn push(
    tx: &mut FamilyTx<'_>,
    inserter: &mut Inserter,
    of: SourceAccount<'_>,
    (entry, row): (EntryId, &SourceRow),
) -> Result<()> {
    let family = tx.family();
    inserter.push(
        tx,
        vals![
            family,
            entry,
            of.source,
            of.account,
            row.id.as_deref(),
            row.date,
            row.amount,
            row.currency.code(),
            row.name.as_str(),
            row.pending,
            0i64,
            None::<Date>,
        ],
    )
}

/// Keeps what is known of a row by now.
pub(crate) fn update(
    tx: &mut FamilyTx<'_>,
    source: &str,
    entry: EntryId,
    (row, absences, absent_on): (&SourceRow, u32, Option<Date>),
) -> Result<()> {
    let family = tx.family();
    tx.execute(
        &ROW_UPDATE,
        vals![
            row.id.as_deref(),
            row.date,
            row.amount,
            row.currency.code(),
            row.name.as_str(),
            row.pending,
            absences,
            absent_on,
            family,
            entry,
            source,
        ],
    )
    .map(drop)
}

/// Forgets what is known of a row.
pub(crate) fn remove(tx: &mut FamilyTx<'_>, source: &str, entry: EntryId) -> Result<()> {
    let family = tx.family();
    tx.execute(&ROW_DELETE, vals![family, entry, source]).map(drop)
}

fn read(row: &Row<'_>) -> Result<KnownRow> {
    let state = match (row.bool(9)?, row.bool(10)?) {
        (true, _) => KnownState::Deleted,
        (false, true) => KnownState::Touched,
        (false, false) => KnownState::Untouched,
    };
    Ok(KnownRow {
        entry: row.id(0)?,
        row: read_source(row, row.bool(6)?)?,
        state,
        absences: u32::try_from(row.int(7)?).unwrap_or(u32::MAX),
        absent_on: row.opt_date(8)?,
        is_questioned: row.bool(11)?,
    })
}

fn read_source(row: &Row<'_>, pending: bool) -> Result<SourceRow> {
    Ok(SourceRow {
        id: row.opt_string(1)?,
        date: row.date(2)?,
        amount: row.int(3)?,
        currency: row.currency(4)?,
        name: row.string(5)?,
        pending,
    })
}
