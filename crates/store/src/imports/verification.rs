//! The counts that the verification of a file in the server's own format compares.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::native::{Readback, ReadbackStatus, RecordCounts, RecordType};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};

statements! {
    /// How many records of each type a family has.
    FAMILY_COUNTS = "SELECT
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_accounts WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM balances WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_categories WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_tags WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_merchants WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM recurring_transactions WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries WHERE family_id = $1 AND kind = 0),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM transfers WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rejected_transfers WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries WHERE family_id = $1 AND kind = 2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM position_statements WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries WHERE family_id = $1 AND kind = 1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM budgets WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM budget_categories WHERE family_id = $1),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rules WHERE family_id = $1)";
    /// How many of them carry the id of an import, or lie in its range of entries.
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
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries
            WHERE family_id = $1 AND id >= $3 AND id <= $4 AND kind = 0),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM transfers WHERE family_id = $1 AND import_id = $2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM rejected_transfers
            WHERE family_id = $1 AND import_id = $2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries
            WHERE family_id = $1 AND id >= $3 AND id <= $4 AND kind = 2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM position_statements
            WHERE family_id = $1 AND import_id = $2),
        (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries
            WHERE family_id = $1 AND id >= $3 AND id <= $4 AND kind = 1),
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
    tx.query_one(&FAMILY_COUNTS, vals![family], read)
}

/// How many records of each type carry the id of an import, or lie in its range of entries.
pub fn counts_of_import(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    range: Option<(EntryId, EntryId)>,
) -> Result<RecordCounts> {
    let (first, last) = range.unwrap_or((EntryId(Uuid::max()), EntryId(Uuid::nil())));
    let key = vals![tx.family(), import, first, last];
    tx.query_one(&IMPORT_COUNTS, key, read)
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

/// The valuation of an account on a day.
pub fn valuation_at(tx: &mut FamilyTx<'_>, account: AccountId, date: Date) -> Result<Option<Uuid>> {
    let key = vals![tx.family(), account, date];
    tx.query_opt(&VALUATION_AT, key, |row| row.uuid(0))
}
