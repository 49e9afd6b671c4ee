//! The counts that the verification of a file in the server's own format compares.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::native::{Readback, ReadbackStatus, RecordCounts, RecordType};
use purser_core::ledger::entry::EntryKind;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Sql, Val, statements, vals};

statements! {
    /// How many records of each type a family has, but for entries.
    FAMILY_COUNTS = "SELECT
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_accounts WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM balances WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_categories WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_tags WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_merchants WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM recurring_transactions WHERE family_id = $1),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM transfers WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rejected_transfers WHERE family_id = $1),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM position_statements WHERE family_id = $1),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM budgets WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM budget_categories WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rules WHERE family_id = $1)";
    /// How many entries of each kind a family has; there may be a million, so all kinds are counted
    /// at once.
    ENTRIES_OF_FAMILY = "SELECT kind, CAST(COUNT(*) AS BIGINT) FROM ledger_entries
        WHERE family_id = $1 GROUP BY kind";
    /// How many lie in a range.
    ENTRIES_OF_RANGE = "SELECT kind, CAST(COUNT(*) AS BIGINT) FROM ledger_entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 GROUP BY kind";
    /// How many of them carry the id of an import.
    IMPORT_COUNTS = "SELECT
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN accounts t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'account'),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN categories t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'category'),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN tags t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'tag'),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN merchants t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'merchant'),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN recurring_transactions t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'recurring_transaction'),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM transfers WHERE family_id = $1 AND import_id = $2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rejected_transfers
            WHERE family_id = $1 AND import_id = $2),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM position_statements
            WHERE family_id = $1 AND import_id = $2),
        CAST(0 AS BIGINT),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN budgets t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'budget'),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN budget_categories t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'budget_category'),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM import_created c
            JOIN rules t ON t.family_id = $1 AND t.id = c.target_id
            WHERE c.family_id = $1 AND c.import_id = $2 AND c.kind = 'rule')";
    /// Stores the comparison of an import.
    READBACK_SET = "UPDATE imports SET readback = $1 WHERE family_id = $2 AND id = $3";
    /// The balance at the end of a day.
    BALANCE_AT = "SELECT end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date <= $3 ORDER BY date DESC LIMIT 1";
    /// The balance after everything up to a day, or before the first entry.
    BALANCE_BY = "SELECT COALESCE((SELECT b.end_amount FROM balances b
            WHERE b.family_id = $1 AND b.account_id = $2 AND b.date <= $3
            ORDER BY b.date DESC LIMIT 1), a.opening_derived, a.opening_amount)
        FROM ledger_accounts a WHERE a.family_id = $1 AND a.id = $2";
    /// Whether an account has a valuation on a day, and which.
    VALUATION_AT = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date = $3 AND kind = 1";
}

/// The types in the order in which the statements count them.
const COUNTED: [RecordType; 15] = [
    RecordType::Account,
    RecordType::Balance,
    RecordType::Category,
    RecordType::Tag,
    RecordType::Merchant,
    RecordType::RecurringTransaction,
    RecordType::Transaction,
    RecordType::Transfer,
    RecordType::RejectedTransfer,
    RecordType::Trade,
    RecordType::Holding,
    RecordType::Valuation,
    RecordType::Budget,
    RecordType::BudgetCategory,
    RecordType::Rule,
];

/// The kinds of entries that are records; parts belong to their transactions.
const ENTRIES: [(EntryKind, RecordType); 3] = [
    (EntryKind::Transaction, RecordType::Transaction),
    (EntryKind::Trade, RecordType::Trade),
    (EntryKind::Valuation, RecordType::Valuation),
];

fn read(row: &Row<'_>) -> Result<RecordCounts> {
    let mut counts = RecordCounts::default();
    for (at, of) in COUNTED.iter().enumerate() {
        counts.add_many(*of, row.count(at)?);
    }
    Ok(counts)
}

/// How many records of each type the family has.
pub fn family_counts(tx: &mut FamilyTx<'_>) -> Result<RecordCounts> {
    let family = tx.family();
    let mut counts = tx.query_one(&FAMILY_COUNTS, vals![family], read)?;
    add_entries(tx, &mut counts, &ENTRIES_OF_FAMILY, vals![family])?;
    Ok(counts)
}

fn add_entries(
    tx: &mut FamilyTx<'_>,
    counts: &mut RecordCounts,
    statement: &Sql,
    of: &[Val<'_>],
) -> Result<()> {
    tx.for_each(statement, of, |row| {
        let code = row.int(0)?;
        if let Some((_, of)) = ENTRIES.iter().find(|(kind, _)| kind.code() == code) {
            counts.add_many(*of, row.count(1)?);
        }
        Ok(())
    })
}

/// How many records of each type carry the id of an import, or lie in its range of entries.
pub fn counts_of_import(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    range: Option<(EntryId, EntryId)>,
) -> Result<RecordCounts> {
    let key = vals![tx.family(), import];
    let mut counts = tx.query_one(&IMPORT_COUNTS, key, read)?;
    if let Some((first, last)) = range {
        let range = vals![tx.family(), first, last];
        add_entries(tx, &mut counts, &ENTRIES_OF_RANGE, range)?;
    }
    Ok(counts)
}

/// Stores the comparison of an import.
pub fn readback_set(tx: &mut FamilyTx<'_>, import: ImportId, readback: &Readback) -> Result<()> {
    let text = serde_json::to_string(readback).map_err(Error::internal)?;
    let row = vals![&text, tx.family(), import];
    tx.execute(&READBACK_SET, row).map(drop)
}

/// An import in the server's own format was undone.
pub(super) fn readback_reverted(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    of: ImportType,
) -> Result<()> {
    if of != ImportType::Native {
        return Ok(());
    }
    let now = tx.now();
    readback_set(tx, import, &Readback::without_counts(ReadbackStatus::Reverted, Some(now)))
}

/// The balance of an account at the end of a day; nothing before its first entry.
pub fn balance_at(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<Option<i64>> {
    let key = vals![tx.family(), account, date];
    tx.query_opt(&BALANCE_AT, key, |row| row.int(0))
}

/// The balance of an account at the end of a day, that before its first entry included.
pub fn balance_by(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<i64> {
    let key = vals![tx.family(), account, date];
    tx.query_one(&BALANCE_BY, key, |row| row.int(0))
}

/// The valuation of an account on a day.
pub fn valuation_at(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<Option<Uuid>> {
    let key = vals![tx.family(), account, date];
    tx.query_opt(&VALUATION_AT, key, |row| row.uuid(0))
}
