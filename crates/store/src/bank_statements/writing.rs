//! Keeping the bank statements of a publish, and taking them back.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, BankStatementId, EntryId, ImportId, SecurityId};
use purser_core::import::file_statement::StatementKind;
use purser_core::import::source_file::FileFormat;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};

statements! {
    /// Entries that lines of an import's statements stand for.
    MATCHES_OF_IMPORT_REMOVE = "DELETE FROM bank_statement_matches
        WHERE family_id = $1 AND statement_id IN (SELECT id FROM bank_statements
            WHERE family_id = $1 AND import_id = $2)";
    /// Positions that an import's statements state.
    POSITIONS_OF_IMPORT_REMOVE = "DELETE FROM bank_statement_positions
        WHERE family_id = $1 AND statement_id IN (SELECT id FROM bank_statements
            WHERE family_id = $1 AND import_id = $2)";
    /// The statements of an import.
    OF_IMPORT_REMOVE = "DELETE FROM bank_statements WHERE family_id = $1 AND import_id = $2";
    /// Lines of other imports that stood for entries which are gone are in the ledger no more.
    MISSING_COUNT = "UPDATE bank_statements SET missing_count = missing_count
            + (SELECT CAST(COUNT(*) AS BIGINT) FROM bank_statement_matches m
                WHERE m.family_id = $1 AND m.statement_id = bank_statements.id
                    AND m.entry_id BETWEEN $2 AND $3
                    AND NOT EXISTS (SELECT 1 FROM entries e
                        WHERE e.family_id = $1 AND e.id = m.entry_id))
        WHERE family_id = $1 AND id IN (SELECT g.statement_id FROM bank_statement_matches g
            WHERE g.family_id = $1 AND g.entry_id BETWEEN $2 AND $3)";
    /// They stand for nothing.
    MISSING_REMOVE = "DELETE FROM bank_statement_matches
        WHERE family_id = $1 AND entry_id BETWEEN $2 AND $3
            AND NOT EXISTS (SELECT 1 FROM entries e
                WHERE e.family_id = $1 AND e.id = bank_statement_matches.entry_id)";
    /// Lines that stood for an entry stand for the one that it is a duplicate of.
    MATCHES_HAND_OVER = "INSERT INTO bank_statement_matches (family_id, entry_id, statement_id)
        SELECT m.family_id, $1, m.statement_id FROM bank_statement_matches m
        WHERE m.family_id = $2 AND m.entry_id = $3
        ON CONFLICT (family_id, entry_id, statement_id) DO NOTHING";
    /// Nothing stands for an entry that goes.
    MATCHES_OF_ENTRY_REMOVE = "DELETE FROM bank_statement_matches
        WHERE family_id = $1 AND entry_id = $2";
}

pub(crate) static STATEMENTS_BULK: Bulk = Bulk {
    table: "bank_statements",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("import_id", ColumnType::Uuid),
        ("format", ColumnType::Text),
        ("kind", ColumnType::Text),
        ("bank", ColumnType::Text),
        ("holder", ColumnType::Text),
        ("last_four", ColumnType::Text),
        ("identifier", ColumnType::Text),
        ("number", ColumnType::Text),
        ("first_day", ColumnType::Int),
        ("last_day", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("opening", ColumnType::Int),
        ("closing", ColumnType::Int),
        ("closing_day", ColumnType::Int),
        ("lines_count", ColumnType::Int),
        ("missing_count", ColumnType::Int),
        ("first_entry_id", ColumnType::Uuid),
        ("last_entry_id", ColumnType::Uuid),
        ("created_at", ColumnType::Int),
        ("positions_day", ColumnType::Int),
    ],
};

pub(crate) static POSITIONS: Bulk = Bulk {
    table: "bank_statement_positions",
    columns: &[
        ("family_id", ColumnType::Int),
        ("statement_id", ColumnType::Uuid),
        ("number", ColumnType::Int),
        ("security_id", ColumnType::Uuid),
        ("name", ColumnType::Text),
        ("isin", ColumnType::Text),
        ("qty", ColumnType::Text),
    ],
};

pub(crate) static MATCHES: Bulk = Bulk {
    table: "bank_statement_matches",
    columns: &[
        ("family_id", ColumnType::Int),
        ("entry_id", ColumnType::Uuid),
        ("statement_id", ColumnType::Uuid),
    ],
};

/// A bank statement of a publish.
#[derive(Debug, Clone)]
pub struct NewBankStatement {
    /// The account that it is about.
    pub account: AccountId,
    /// The format of its file.
    pub format: Option<FileFormat>,
    /// The kind of account, if the file states it.
    pub kind: Option<StatementKind>,
    /// The code of the bank.
    pub bank: Option<String>,
    /// The owner of the account.
    pub holder: Option<String>,
    /// The last four characters of the account's number.
    pub last_four: Option<String>,
    /// The bank's identifier of it.
    pub identifier: Option<String>,
    /// The number in the year.
    pub number: Option<String>,
    /// The first and the last day that it is about.
    pub days: (Date, Date),
    /// The currency of its balances.
    pub currency: Currency,
    /// The balance before its first line, in the sense of the account.
    pub opening: Option<i64>,
    /// The balance after its last line, in the sense of the account.
    pub closing: Option<i64>,
    /// The day at the end of which the closing balance holds.
    pub closing_day: Date,
    /// How many lines it has.
    pub lines: u64,
    /// Lines that the publish didn't bring into the ledger.
    pub missing: u64,
    /// The first and the last entry that was made of its lines.
    pub range: Option<(EntryId, EntryId)>,
    /// Entries that were there before, and that its lines stand for.
    pub matched: Vec<EntryId>,
    /// The day at the end of which its positions were held, if it states any.
    pub positions_day: Option<Date>,
    /// All positions of the account on that day.
    pub positions: Vec<NewPosition>,
}

/// A position that a bank statement states.
#[derive(Debug, Clone)]
pub struct NewPosition {
    /// The security, if it is known which one.
    pub security: Option<SecurityId>,
    /// What the file calls it: its ticker, if it has one.
    pub name: String,
    /// The ISIN that the file has.
    pub isin: Option<String>,
    /// The number of units; below zero if it is short.
    pub quantity: Decimal,
}

/// Keeps the bank statements of an import that is published, in the order of the file.
pub fn insert(tx: &mut FamilyTx<'_>, import: ImportId, all: &[NewBankStatement]) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let mut rows = Inserter::new(&STATEMENTS_BULK);
    let mut ids = Vec::with_capacity(all.len());
    for one in all {
        let id = BankStatementId(tx.new_id()?);
        ids.push(id);
        let row = vals![
            family,
            id,
            one.account,
            import,
            one.format.map(FileFormat::as_str),
            one.kind.map(StatementKind::as_str),
            one.bank.as_deref(),
            one.holder.as_deref(),
            one.last_four.as_deref(),
            one.identifier.as_deref(),
            one.number.as_deref(),
            one.days.0,
            one.days.1,
            one.currency.code(),
            one.opening,
            one.closing,
            one.closing_day,
            count(one.lines),
            count(one.missing),
            one.range.map(|(first, _)| first.0),
            one.range.map(|(_, last)| last.0),
            now,
            one.positions_day,
        ];
        rows.push(tx, row)?;
    }
    rows.flush(tx)?;
    let mut positions = Inserter::new(&POSITIONS);
    for (one, id) in all.iter().zip(&ids) {
        for (number, position) in (0_u64..).zip(&one.positions) {
            let quantity = quantity_text(position.quantity);
            let (name, isin) = (position.name.as_str(), position.isin.as_deref());
            let (security, quantity) = (position.security, quantity.as_str());
            let row = vals![family, *id, count(number), security, name, isin, quantity];
            positions.push(tx, row)?;
        }
    }
    positions.flush(tx)?;
    let mut matches = Inserter::new(&MATCHES);
    for (one, id) in all.iter().zip(ids) {
        let mut matched = one.matched.clone();
        matched.sort_unstable();
        matched.dedup();
        for entry in matched {
            matches.push(tx, vals![family, entry, id])?;
        }
    }
    matches.flush(tx).map(drop)
}

/// Removes the bank statements of an import.
pub fn remove_of_import(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&MATCHES_OF_IMPORT_REMOVE, vals![family, import])?;
    tx.execute(&POSITIONS_OF_IMPORT_REMOVE, vals![family, import])?;
    tx.execute(&OF_IMPORT_REMOVE, vals![family, import]).map(drop)
}

/// Takes back the bank statements of an import that is undone. Lines of others that stood for its
/// entries, of which `range` has the first and the last, are missing from then on. The entries must
/// be removed already.
pub fn take_back(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    range: Option<(EntryId, EntryId)>,
) -> Result<()> {
    remove_of_import(tx, import)?;
    let Some((first, last)) = range else { return Ok(()) };
    let family = tx.family();
    tx.execute(&MISSING_COUNT, vals![family, first, last])?;
    tx.execute(&MISSING_REMOVE, vals![family, first, last]).map(drop)
}

/// Lines that stood for an entry stand for another one: both are the same transaction.
pub(crate) fn hand_over(tx: &mut FamilyTx<'_>, from: EntryId, to: EntryId) -> Result<()> {
    let family = tx.family();
    tx.execute(&MATCHES_HAND_OVER, vals![to, family, from])?;
    tx.execute(&MATCHES_OF_ENTRY_REMOVE, vals![family, from]).map(drop)
}

/// Numbers of lines are never near 2^63.
fn count(number: u64) -> Val<'static> {
    Val::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
