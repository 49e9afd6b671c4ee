//! Transactions of an account that its provider never reported: those of files and people.
//!
//! A transaction that a person or a rule changed counts as it is and as it came: what it came with
//! is its origin ([`crate::ledger::origins`]). By its origin one is known, too, that was moved to
//! another account since, or deleted.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::import::transaction::duplicates::NEAR_DAYS;
use purser_core::sync::{OtherEntry, OtherState, ReportedRows, SourceRow};

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::sync_rows::SourceAccount;

statements! {
    /// Booked transactions of some days.
    OF_DAYS = "SELECT e.id, CASE WHEN e.source = $1 THEN e.external_id END, e.date,
            e.amount, e.currency, e.name
        FROM ledger_entries e
        WHERE e.family_id = $2 AND e.account_id = $3 AND e.kind = 0 AND NOT e.pending
            AND e.date BETWEEN $4 AND $5
            AND NOT EXISTS (SELECT 1 FROM sync_rows r
                WHERE r.family_id = $2 AND r.entry_id = e.id AND r.source = $1)";
    /// Origins of some days: of changed transactions, and of deleted ones. Not of those that were
    /// pending, and not of those that went because they were merged with another: what a provider
    /// reported and a person deleted is still known by its row. Nor of those that were moved to an
    /// account of which a row is known to be it. The last column is whether one was moved to a
    /// linked account, and no provider has ever reported it for this one.
    ORIGINS_OF_DAYS = "SELECT o.entry_id, CASE WHEN o.source = $1 THEN o.external_id END, o.date,
            o.amount, o.currency, o.name, e.account_id, e.date, e.amount, e.currency, e.name,
            EXISTS (SELECT 1 FROM connection_accounts a
                WHERE a.family_id = $2 AND a.account_id = e.account_id AND a.account_id <> $3)
            AND NOT EXISTS (SELECT 1 FROM sync_rows r WHERE r.family_id = $2
                AND r.entry_id = o.entry_id)
        FROM entry_origins o
        LEFT JOIN ledger_entries e ON e.family_id = $2 AND e.id = o.entry_id
        WHERE o.family_id = $2 AND o.account_id = $3 AND o.kind = 0 AND o.date BETWEEN $4 AND $5
            AND NOT EXISTS (SELECT 1 FROM sync_rows r
                WHERE r.family_id = $2 AND r.entry_id = o.entry_id
                    AND (r.source = $1 OR r.pending OR r.account_id <> $3))
            AND ((e.kind = 0 AND NOT e.pending) OR (o.deleted_at IS NOT NULL
                AND (o.source IS NULL
                    OR EXISTS (SELECT 1 FROM sync_rows r
                        WHERE r.family_id = $2 AND r.entry_id = o.entry_id)
                    OR NOT EXISTS (SELECT 1 FROM sync_rows r WHERE r.family_id = $2
                        AND r.account_id = $3 AND r.source = o.source))))";
    /// Whether transactions came with ids in the name of this source.
    HAS_IDS = "SELECT EXISTS (SELECT 1 FROM ledger_entries
                WHERE family_id = $1 AND account_id = $2 AND source = $3
                    AND external_id IS NOT NULL)
            OR EXISTS (SELECT 1 FROM entry_origins
                WHERE family_id = $1 AND account_id = $2 AND source = $3
                    AND external_id IS NOT NULL)";
    /// Transactions that came with ids of an answer in the name of its source.
    OF_IDS = "SELECT e.id, e.external_id, e.date, e.amount, e.currency, e.name
        FROM ledger_entries e
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 0 AND e.source = $3
            AND NOT EXISTS (SELECT 1 FROM sync_rows r
                WHERE r.family_id = $1 AND r.entry_id = e.id AND r.source = $3)
            AND e.external_id = ANY($4)";
    /// Origins with ids of an answer in the name of its source.
    ORIGINS_OF_IDS = "SELECT o.entry_id, o.external_id, o.date, o.amount, o.currency, o.name,
            e.account_id, e.date, e.amount, e.currency, e.name, FALSE
        FROM entry_origins o
        LEFT JOIN ledger_entries e ON e.family_id = $1 AND e.id = o.entry_id
        WHERE o.family_id = $1 AND o.account_id = $2 AND o.kind = 0 AND o.source = $3
            AND (e.kind = 0 OR o.deleted_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM sync_rows r
                WHERE r.family_id = $1 AND r.entry_id = o.entry_id AND r.source = $3)
            AND o.external_id = ANY($4)";
}

/// Those around the days of an answer, and those with ids that it has and that are not known.
pub(crate) fn of(
    tx: &mut FamilyTx<'_>,
    of: SourceAccount<'_>,
    reported: &ReportedRows,
    ids: &[Val<'_>],
) -> Result<Vec<OtherEntry>> {
    let (family, near) = (tx.family(), NEAR_DAYS.days());
    let place = [family.into(), of.account.into(), Val::Text(of.source)];
    let from = reported.from.saturating_sub(near);
    let to = reported.to.saturating_add(near);
    let [of_family, of_account, source] = place;
    let days = [source, of_family, of_account, from.into(), to.into()];
    let mut others: BTreeMap<EntryId, OtherEntry> = BTreeMap::new();
    let mut keep = |other: OtherEntry| -> Result<()> {
        others.insert(other.entry, other);
        Ok(())
    };
    tx.for_each(&OF_DAYS, &days, |row: &Row<'_>| keep(read(row)?))?;
    tx.for_each(&ORIGINS_OF_DAYS, &days, |row: &Row<'_>| keep(read_origin(row, of)?))?;
    if !ids.is_empty() && tx.query_one(&HAS_IDS, &place, |row| row.bool(0))? {
        tx.lookup(&OF_IDS, &place, ids, |row: &Row<'_>| keep(read(row)?))?;
        let mut keep = |row: &Row<'_>| keep(read_origin(row, of)?);
        tx.lookup(&ORIGINS_OF_IDS, &place, ids, &mut keep)?;
    }
    Ok(others.into_values().collect())
}

fn read(row: &Row<'_>) -> Result<OtherEntry> {
    let (origin, state) = (None, OtherState::Here);
    Ok(OtherEntry { entry: row.id(0)?, row: read_source(row, 2)?, origin, state })
}

/// A transaction by what it came with.
fn read_origin(row: &Row<'_>, of: SourceAccount<'_>) -> Result<OtherEntry> {
    let (entry, origin) = (row.id(0)?, read_source(row, 2)?);
    let moved = if row.bool(11)? { OtherState::MovedToLinked } else { OtherState::Moved };
    let (row, origin, state) = match row.opt_uuid(6)? {
        None => (origin, None, OtherState::Deleted),
        Some(account) if account != of.account.0 => (origin, None, moved),
        Some(_) => (read_source(row, 7)?, Some(origin), OtherState::Here),
    };
    Ok(OtherEntry { entry, row, origin, state })
}

/// The id of the source, and what stands from a column on.
fn read_source(row: &Row<'_>, at: usize) -> Result<SourceRow> {
    Ok(SourceRow {
        id: row.opt_string(1)?,
        date: row.date(at)?,
        amount: row.int(at + 1)?,
        currency: row.currency(at + 2)?,
        name: row.string(at + 3)?,
        pending: false,
    })
}
