//! Bank statements of published files, beside what the ledger has now.
//!
//! The ledger's balance and the statement before are read with the statement itself, so that what
//! people change afterwards shows at once.

pub(crate) mod positions;
pub(crate) mod writing;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::bank_statement::{Ends, Gap, LedgerComparison, PositionsComparison};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, BankStatementId, EntryId, ImportId};
use purser_core::import::file_statement::StatementKind;
use purser_core::import::source_file::FileFormat;
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::money::Currency;

use crate::access::{FamilyTx, VisibleAccounts};
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::FamilyId;
use crate::imports;

pub use writing::{NewBankStatement, NewPosition, insert, remove_of_import, take_back};

statements! {
    /// Whether an entry is in an account, and which one.
    ENTRY_ACCOUNT = "SELECT account_id FROM ledger_entries WHERE family_id = $1 AND id = $2";
}

/// The bank statements that are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this account.
    pub account: Option<AccountId>,
    /// Only of this import.
    pub import: Option<ImportId>,
    /// Only those that have a line for this transaction.
    pub transaction: Option<EntryId>,
    /// Only those that end on this day or later.
    pub from: Option<Date>,
    /// Only those that begin on this day or earlier.
    pub to: Option<Date>,
}

/// A bank statement, and what the ledger has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankStatement {
    /// The id of the statement.
    pub id: BankStatementId,
    /// The account that it is about.
    pub account: AccountId,
    /// The name of the account.
    pub account_name: String,
    /// The import that brought it; none for a caller who may not see the import.
    pub import: Option<ImportId>,
    /// The name of the file, if it has one.
    pub file_name: Option<String>,
    /// The format of the file.
    pub format: Option<FileFormat>,
    /// The kind of account.
    pub kind: StatementKind,
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
    /// Its days and balances, in the sense of the account.
    pub ends: Ends,
    /// The currency of its balances.
    pub currency: Currency,
    /// The day at the end of which the closing balance holds.
    pub closing_day: Date,
    /// How many lines it has.
    pub lines: u64,
    /// Its balance beside the ledger's.
    pub comparison: LedgerComparison,
    /// Its positions beside the ledger's, if it states any.
    pub positions: Option<PositionsComparison>,
    /// What is missing since the statement before it.
    pub gap: Option<Gap>,
    /// When it was published.
    pub created_at: Timestamp,
}

const COLUMNS: &str = "SELECT s.id, s.account_id, a.name, s.import_id, f.name, s.format, s.kind,
        s.bank, s.holder, s.last_four, s.identifier, s.number, s.first_day, s.last_day, s.currency,
        s.opening, s.closing, s.closing_day, s.lines_count, s.missing_count, s.created_at,
        a.account_type, a.currency, i.account_id,
        COALESCE((SELECT b.end_amount FROM balances b
            WHERE b.family_id = $1 AND b.account_id = s.account_id AND b.date <= s.closing_day
            ORDER BY b.date DESC LIMIT 1), a.opening_derived, a.opening_amount),
        p.first_day, p.last_day, p.opening, p.closing, s.positions_day
    FROM bank_statements s
    JOIN ledger_accounts a ON a.family_id = $1 AND a.id = s.account_id
    JOIN imports i ON i.family_id = $1 AND i.id = s.import_id
    LEFT JOIN files f ON f.family_id = $1 AND f.id = i.file_id
    LEFT JOIN bank_statements p ON p.family_id = $1 AND p.id = (
        SELECT e.id FROM bank_statements e
        WHERE e.family_id = $1 AND e.account_id = s.account_id AND e.currency = s.currency
            AND (e.last_day, e.id) < (s.last_day, s.id)
        ORDER BY e.last_day DESC, e.id DESC LIMIT 1)";
const COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM bank_statements s
    JOIN ledger_accounts a ON a.family_id = $1 AND a.id = s.account_id";

/// A page of the statements of visible accounts, the latest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<BankStatement>, u64)> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut listing = *listing;
    if let Some(entry) = listing.transaction {
        // A statement is about its own account: a transaction that was moved is in none.
        let account = tx.query_opt(&ENTRY_ACCOUNT, vals![family, entry], |row| row.id(0))?;
        let is_asked = |account: &AccountId| listing.account.is_none_or(|asked| asked == *account);
        let account = account.filter(|account| visible.covers(Some(*account)));
        let Some(account) = account.filter(is_asked) else { return Ok((Vec::new(), 0)) };
        listing.account = Some(account);
    }
    // A statement may be of a visible account, and its import of others, too.
    if let Some(import) = listing.import {
        match imports::get(tx, import) {
            Err(Error::NotFound { .. }) => return Ok((Vec::new(), 0)),
            import => import.map(drop)?,
        }
    }
    let filter = filter(family, &listing, &visible);
    let total = tx.query_one(&filter.query(COUNT, "", []), &[], |row| row.count(0))?;
    let mut found = tx.query(&page(&filter, limit, offset), &[], |row| read(row, &visible))?;
    positions::compare(tx, &mut found)?;
    Ok((found, total))
}

/// The statement with an id, of a visible account.
pub fn get(tx: &mut FamilyTx<'_>, id: BankStatementId) -> Result<BankStatement> {
    let (family, visible) = (tx.family(), tx.accounts());
    let filter = filter(family, &Listing::default(), &visible).and("s.id = ?", [id.into()]);
    let found = tx.query_opt(&filter.query(COLUMNS, "", []), &[], |row| read(row, &visible))?;
    let mut found = found.ok_or(Error::NotFound { what: "Statement" })?;
    positions::compare(tx, std::slice::from_mut(&mut found))?;
    Ok(found)
}

fn filter<'a>(family: FamilyId, listing: &Listing, visible: &VisibleAccounts) -> Filter<'a> {
    let gone = AccountStatus::PendingDeletion.as_str();
    let filter = Filter::of_family("s.family_id = ?", family)
        .and("a.status <> ?", [gone.into()])
        .and_opt("s.account_id = ?", listing.account)
        .and_opt("s.import_id = ?", listing.import)
        .and_opt("s.last_day >= ?", listing.from)
        .and_opt("s.first_day <= ?", listing.to);
    let filter = match listing.transaction {
        Some(entry) => filter.and(
            "(s.first_entry_id <= ? AND s.last_entry_id >= ?) OR s.id IN (
                SELECT m.statement_id FROM bank_statement_matches m
                WHERE m.family_id = $1 AND m.entry_id = ?)",
            [entry.into(); 3],
        ),
        None => filter,
    };
    match visible.only() {
        Some(accounts) => filter.and_in("s.account_id", accounts.iter().map(|id| (*id).into())),
        None => filter,
    }
}

fn page<'a>(filter: &Filter<'a>, limit: i64, offset: i64) -> Query<'a> {
    let then = "ORDER BY s.last_day DESC, s.id DESC LIMIT ? OFFSET ?";
    filter.query(COLUMNS, then, [limit.into(), offset.into()])
}

/// The longest texts that this module can make, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let id = uuid::Uuid::nil();
    let listing = Listing {
        account: Some(AccountId(id)),
        import: Some(ImportId(id)),
        transaction: Some(EntryId(id)),
        from: Some(Date::ZERO),
        to: Some(Date::ZERO),
    };
    let visible = VisibleAccounts::Only([AccountId(id); 3].into());
    let filter = filter(FamilyId::from_number(0), &listing, &visible);
    vec![filter.query(COUNT, "", []), page(&filter, 1, 0)]
}

fn read(row: &Row<'_>, visible: &VisibleAccounts) -> Result<BankStatement> {
    let account_type: AccountType = row.named(21)?;
    let currency = row.currency(14)?;
    let is_visible = visible.covers(row.opt_id(23)?);
    let ends = Ends {
        first_day: row.date(12)?,
        last_day: row.date(13)?,
        opening: row.opt_int(15)?,
        closing: row.opt_int(16)?,
    };
    // What holdings are worth may follow from prices that a restricted key doesn't see.
    let is_hidden = account_type.holds_securities() && visible.only().is_some();
    let is_comparable = row.currency(22)? == currency && !is_hidden;
    let ledger = Some(row.int(24)?).filter(|_| is_comparable);
    let earlier = match (row.opt_date(25)?, row.opt_date(26)?) {
        (Some(first_day), Some(last_day)) => {
            let (opening, closing) = (row.opt_int(27)?, row.opt_int(28)?);
            Some(Ends { first_day, last_day, opening, closing })
        }
        _ => None,
    };
    Ok(BankStatement {
        id: row.id(0)?,
        account: row.id(1)?,
        account_name: row.string(2)?,
        import: row.opt_id(3)?.filter(|_| is_visible),
        file_name: row.opt_string(4)?.filter(|_| is_visible),
        format: row.opt_named(5)?,
        kind: row.opt_named(6)?.unwrap_or(StatementKind::of_account(account_type)),
        bank: row.opt_string(7)?,
        holder: row.opt_string(8)?,
        last_four: row.opt_string(9)?,
        identifier: row.opt_string(10)?,
        number: row.opt_string(11)?,
        ends,
        currency,
        closing_day: row.date(17)?,
        lines: row.count(18)?,
        comparison: LedgerComparison {
            closing: ends.closing,
            ledger,
            missing_lines: row.count(19)?,
            differing_positions: None,
        },
        positions: row.opt_date(29)?.map(PositionsComparison::of),
        gap: earlier.and_then(|earlier| ends.gap_since(&earlier)),
        created_at: row.timestamp(20)?,
    })
}
