//! What entries point to, and the first day of all.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ledger::account::AccountType;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The accounts, with what they had before their first entry.
    BOOKS_ACCOUNTS = "SELECT id, name, account_type, currency,
            COALESCE(opening_derived, opening_amount), subtype, institution_name, status, notes
        FROM ledger_accounts WHERE family_id = $1 ORDER BY name_key, id";
    /// The categories; those above come before those below them.
    BOOKS_CATEGORIES = "SELECT id, name, parent_id FROM ledger_categories WHERE family_id = $1
        ORDER BY CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, name_key, id";
    /// The tags by their names.
    BOOKS_TAGS = "SELECT id, name FROM ledger_tags WHERE family_id = $1 ORDER BY name_key, id";
    /// The merchants.
    BOOKS_MERCHANTS = "SELECT id, name FROM merchants WHERE family_id = $1";
    /// The securities by their tickers.
    BOOKS_SECURITIES = "SELECT id, ticker, exchange_operating_mic, name, isin
        FROM securities WHERE family_id = $1 ORDER BY ticker, exchange_operating_mic";
    /// The currencies of what was converted.
    BOOKS_CONVERTED = "SELECT DISTINCT from_currency FROM entry_conversions WHERE family_id = $1";
    /// The currencies of prices.
    BOOKS_PRICED = "SELECT DISTINCT currency FROM security_prices WHERE family_id = $1";
    /// The currencies of the family's rates.
    BOOKS_RATED = "SELECT base FROM family_rates WHERE family_id = $1
        UNION SELECT quote FROM family_rates WHERE family_id = $1";
    /// The first day on which anything is known, of each kind of thing.
    BOOKS_FIRST = "SELECT
        (SELECT date FROM ledger_entries WHERE family_id = $1 ORDER BY date LIMIT 1),
        (SELECT MIN(date) FROM position_statements WHERE family_id = $1),
        (SELECT MIN(cost_date) FROM holdings WHERE family_id = $1)";
}

/// An account.
#[derive(Debug)]
pub struct Account {
    /// The id of the account.
    pub id: Uuid,
    /// The name that people gave it.
    pub name: String,
    /// The type, which decides whether it is owned or owed.
    pub account_type: AccountType,
    /// The currency of the account.
    pub currency: Currency,
    /// The balance before the first entry; of a liability, positive debt.
    pub opening: i64,
    /// The subtype, the institution, the status and notes.
    pub subtype: Option<String>,
    /// The bank.
    pub institution: Option<String>,
    /// The status of the account.
    pub status: String,
    /// What people noted.
    pub notes: Option<String>,
}

/// A category, a tag or a merchant.
#[derive(Debug)]
pub struct Label {
    /// The id of the label.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The category above it.
    pub parent: Option<Uuid>,
}

/// A security.
#[derive(Debug)]
pub struct Security {
    /// The id of the security.
    pub id: Uuid,
    /// The ticker.
    pub ticker: String,
    /// The market of the ticker; empty if it isn't known.
    pub market: String,
    /// The name of the security.
    pub name: Option<String>,
    /// The ISIN.
    pub isin: Option<String>,
}

/// The accounts by their names.
pub fn accounts(tx: &mut FamilyTx<'_>) -> Result<Vec<Account>> {
    let family = tx.family();
    tx.query(&BOOKS_ACCOUNTS, vals![family], |row| {
        Ok(Account {
            id: row.uuid(0)?,
            name: row.string(1)?,
            account_type: row.named(2)?,
            currency: row.currency(3)?,
            opening: row.int(4)?,
            subtype: row.opt_string(5)?,
            institution: row.opt_string(6)?,
            status: row.string(7)?,
            notes: row.opt_string(8)?,
        })
    })
}

/// The categories; those above come before those below them.
pub fn categories(tx: &mut FamilyTx<'_>) -> Result<Vec<Label>> {
    let family = tx.family();
    tx.query(&BOOKS_CATEGORIES, vals![family], |row| {
        Ok(Label { id: row.uuid(0)?, name: row.string(1)?, parent: row.opt_uuid(2)? })
    })
}

/// The tags by their names.
pub fn tags(tx: &mut FamilyTx<'_>) -> Result<Vec<Label>> {
    let family = tx.family();
    tx.query(&BOOKS_TAGS, vals![family], |row| {
        Ok(Label { id: row.uuid(0)?, name: row.string(1)?, parent: None })
    })
}

/// The merchants.
pub fn merchants(tx: &mut FamilyTx<'_>) -> Result<Vec<Label>> {
    let family = tx.family();
    tx.query(&BOOKS_MERCHANTS, vals![family], |row| {
        Ok(Label { id: row.uuid(0)?, name: row.string(1)?, parent: None })
    })
}

/// The securities by their tickers.
pub fn securities(tx: &mut FamilyTx<'_>) -> Result<Vec<Security>> {
    let family = tx.family();
    tx.query(&BOOKS_SECURITIES, vals![family], |row| {
        Ok(Security {
            id: row.uuid(0)?,
            ticker: row.string(1)?,
            market: row.string(2)?,
            name: row.opt_string(3)?,
            isin: row.opt_string(4)?,
        })
    })
}

/// The currencies of amounts that were converted, of prices and of rates.
pub fn other_currencies(tx: &mut FamilyTx<'_>) -> Result<Vec<Currency>> {
    let family = tx.family();
    let mut found = Vec::new();
    for sql in [&BOOKS_CONVERTED, &BOOKS_PRICED, &BOOKS_RATED] {
        found.extend(tx.query(sql, vals![family], |row| row.currency(0))?);
    }
    Ok(found)
}

/// The first day on which anything happened or was stated, if there is one.
pub fn first_day(tx: &mut FamilyTx<'_>) -> Result<Option<Date>> {
    let family = tx.family();
    let days = tx.query_one(&BOOKS_FIRST, vals![family], |row| {
        Ok([row.opt_date(0)?, row.opt_date(1)?, row.opt_date(2)?])
    })?;
    Ok(days.into_iter().flatten().min())
}
