//! Accounts: read with their balance, listed, created.
//!
//! A family has few accounts, so lists read all of them with one statement and choose in memory.
//! An account's balance is the end of its last day that isn't in the future; before the first such
//! day it is the opening amount.

pub(crate) mod change;
pub(crate) mod removal;

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, UserId};
use purser_core::ledger::account::{AccountStatus, AccountType, Composition};
use purser_core::ledger::account_values::CheckedAccount;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::trade::CostMethod;
use purser_core::money::Currency;
use purser_core::plan::Creation;
use serde_json::json;

use crate::access::FamilyTx;
use crate::balances::unknown_days;
use crate::driver::{Row, statements};
use crate::families;
use crate::ledger::{Event, Executor};
use crate::{calendar, holdings, ledger};

pub use change::revise;
pub use removal::{is_being_removed, remove, remove_more};

statements! {
    /// All accounts with their balances, by name.
    ACCOUNTS_BY_FAMILY = "SELECT a.id, a.name, a.account_type, a.status, a.currency, a.subtype,
            a.institution_name, a.institution_domain, a.created_at, a.updated_at,
            COALESCE((SELECT b.end_amount FROM balances b
                WHERE b.family_id = $1 AND b.account_id = a.id AND b.date <= $2
                ORDER BY b.date DESC LIMIT 1), a.opening_derived, a.opening_amount),
            EXISTS (SELECT 1 FROM entry_conversions c WHERE c.family_id = $1
                AND c.account_id = a.id AND c.rate IS NULL),
            a.cost_method, a.owner_id, a.notes
        FROM ledger_accounts a WHERE a.family_id = $1 ORDER BY a.name_key, a.id";
    /// One account with its balance.
    ACCOUNT_BY_ID = "SELECT a.id, a.name, a.account_type, a.status, a.currency, a.subtype,
            a.institution_name, a.institution_domain, a.created_at, a.updated_at,
            COALESCE((SELECT b.end_amount FROM balances b
                WHERE b.family_id = $1 AND b.account_id = a.id AND b.date <= $2
                ORDER BY b.date DESC LIMIT 1), a.opening_derived, a.opening_amount),
            EXISTS (SELECT 1 FROM entry_conversions c WHERE c.family_id = $1
                AND c.account_id = a.id AND c.rate IS NULL),
            a.cost_method, a.owner_id, a.notes
        FROM ledger_accounts a WHERE a.family_id = $1 AND a.id = $3";
    /// What entries show of their accounts, and how many entries there are.
    ACCOUNT_SUMMARIES = "SELECT id, name, account_type, status, currency, transactions_count,
            valuations_count
        FROM ledger_accounts WHERE family_id = $1";
    /// The same of one account.
    ACCOUNT_SUMMARY = "SELECT id, name, account_type, status, currency, transactions_count,
            valuations_count
        FROM ledger_accounts WHERE family_id = $1 AND id = $2";
}

/// What other things show of their account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSummary {
    /// The id of the account.
    pub id: AccountId,
    /// The name that is shown.
    pub name: String,
    /// The type of the account.
    pub account_type: AccountType,
    /// Its status, from draft to deletion.
    pub status: AccountStatus,
}

/// An account with its balance of today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Id, name, type and status.
    pub summary: AccountSummary,
    /// The currency of its balance.
    pub currency: Currency,
    /// Free text such as `checking`.
    pub subtype: Option<String>,
    /// The name of the bank.
    pub institution_name: Option<String>,
    /// The bank's web domain.
    pub institution_domain: Option<String>,
    /// Free text about the account.
    pub notes: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it or its entries changed last.
    pub updated_at: Timestamp,
    /// In the currency's scale; for a liability positive = debt.
    pub balance: i64,
    /// The part of it that is money.
    pub cash: i64,
    /// Whether every rate and price that the balance needs is known.
    pub complete: bool,
    /// How the cost of what is sold is found.
    pub cost_method: CostMethod,
    /// The member to whom it belongs, if it belongs to one in particular.
    pub owner: Option<UserId>,
}

/// An account as a filter of entries sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccountFacts {
    pub(crate) summary: AccountSummary,
    pub(crate) currency: Currency,
    pub(crate) transactions: u64,
    pub(crate) valuations: u64,
}

/// Which accounts are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Also accounts that are hidden.
    pub include_disabled: bool,
}

/// A page of the visible accounts by name, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Account>, u64)> {
    let family = tx.family();
    let today = calendar::today(tx)?;
    let mut accounts = tx.query(&ACCOUNTS_BY_FAMILY, &[family.into(), today.into()], read)?;
    accounts.retain(|account| {
        let AccountSummary { id, status, .. } = account.summary;
        tx.allows(id) && (listing.include_disabled || status.is_visible())
    });
    let total = accounts.len() as u64;
    let page = accounts
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(usize::MAX));
    let page = page.map(|account| with_holdings(tx, account, today));
    Ok((page.collect::<Result<_>>()?, total))
}

/// One account, whatever its status.
pub fn get(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<Account> {
    let family = tx.family();
    let today = calendar::today(tx)?;
    let key = [family.into(), today.into(), id.into()];
    let account = tx
        .query_opt(&ACCOUNT_BY_ID, &key, read)?
        .filter(|account| tx.allows(account.summary.id))
        .ok_or(Error::NotFound { what: "Account" })?;
    with_holdings(tx, account, today)
}

/// One account that may be changed: one that is being removed is as good as gone.
pub(crate) fn kept(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<Account> {
    let account = get(tx, id)?;
    if account.summary.status == AccountStatus::PendingDeletion {
        return Err(Error::NotFound { what: "Account" });
    }
    Ok(account)
}

/// Adds what the holdings are worth today, because the stored series is that of the money, and
/// finds out whether amounts without a known rate matter today.
fn with_holdings(tx: &mut FamilyTx<'_>, mut account: Account, today: Date) -> Result<Account> {
    if !account.complete {
        account.complete = unknown_days(tx, account.summary.id)?.is_end_known(today);
    }
    if !account.summary.account_type.holds_securities() {
        return Ok(account);
    }
    let AccountSummary { id, account_type, .. } = account.summary;
    if let Some(visible) = ledger::balances::as_visible(tx, id.0, account_type)? {
        account.cash = visible.end_of(today);
        account.balance = account.cash;
    }
    for worth in holdings::values_on(tx, account.summary.id, &[today])?.days {
        // A sum that no amount holds is that of the money alone, and is not complete.
        let (amount, complete) = worth.in_balance();
        let whole = account.balance.checked_add(amount);
        account.complete &= complete && whole.is_some();
        account.balance = whole.unwrap_or(account.balance);
    }
    Ok(account)
}

/// A restricted key can't create accounts: it would not see what it made.
pub fn require_unrestricted(tx: &FamilyTx<'_>) -> Result<()> {
    if !tx.accounts().is_restricted() {
        return Ok(());
    }
    Err(Error::Forbidden {
        code: "restricted_key",
        message: "A key that is restricted to chosen accounts can't create accounts".into(),
    })
}

/// Creates an account and its opening balance.
pub fn create(tx: &mut FamilyTx<'_>, input: &AccountInput) -> Result<Account> {
    let actor = tx.actor();
    require_unrestricted(tx)?;
    let today = calendar::today(tx)?;
    let account = input.check(families::get(tx)?.currency, today)?;
    if let Some(owner) = account.owner {
        change::require_user(tx, owner)?;
    }
    let mut executor = Executor::begin(tx, 2)?;
    let slot = executor.create(tx, &Creation::Account(account.clone()))?;
    let id = executor.created_id(slot)?;
    let current =
        CheckedAccount { current_amount: account.current_amount, ..CheckedAccount::default() };
    if current.current_amount.is_some() {
        executor.revise_account(tx, AccountId(id), &current, today)?;
    }
    executor.finish(
        tx,
        Event {
            actor,
            action: "account.create",
            subject_kind: "account",
            subject_id: id,
            details: json!({ "after": account }),
        },
    )?;
    get(tx, AccountId(id))
}

/// How many transactions each account of the family has.
pub fn transaction_counts(tx: &mut FamilyTx<'_>) -> Result<HashMap<AccountId, u64>> {
    let known = known(tx)?;
    Ok(known.into_iter().map(|account| (account.summary.id, account.transactions)).collect())
}

/// The currencies of the accounts that a key may see, but for those that are being removed; each
/// as often as accounts have it.
pub fn currencies(tx: &mut FamilyTx<'_>) -> Result<Vec<Currency>> {
    let mut known = known(tx)?;
    known.retain(|account| {
        let AccountFacts { summary, .. } = account;
        summary.status != AccountStatus::PendingDeletion && tx.allows(summary.id)
    });
    Ok(known.into_iter().map(|account| account.currency).collect())
}

/// What entries show of their accounts; all accounts of the family.
pub(crate) fn known(tx: &mut FamilyTx<'_>) -> Result<Vec<AccountFacts>> {
    let family = tx.family();
    tx.query(&ACCOUNT_SUMMARIES, &[family.into()], read_known)
}

/// The accounts with entries that lists show.
pub(crate) fn shown(tx: &mut FamilyTx<'_>) -> Result<Vec<AccountFacts>> {
    let mut shown = known(tx)?;
    let visible = tx.accounts();
    shown.retain(|account| visible.shows(&account.summary));
    Ok(shown)
}

/// What an account is called and its type, whatever its status. Its balance is not computed.
pub fn summary(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<AccountSummary> {
    known_by_id(tx, id).map(|known| known.summary)
}

/// What entries show of an account, whatever its status. Its balance, which may follow from many
/// holdings, is not computed.
pub(crate) fn known_by_id(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<AccountFacts> {
    let family = tx.family();
    let found = tx.query_opt(&ACCOUNT_SUMMARY, &[family.into(), id.into()], read_known)?;
    found.filter(|_| tx.allows(id)).ok_or(Error::NotFound { what: "Account" })
}

fn read_known(row: &Row<'_>) -> Result<AccountFacts> {
    Ok(AccountFacts {
        summary: read_summary(row, 0)?,
        currency: row.currency(4)?,
        transactions: row.count(5)?,
        valuations: row.count(6)?,
    })
}

/// Reads id, name, type and status from four columns.
pub(crate) fn read_summary(row: &Row<'_>, first: usize) -> Result<AccountSummary> {
    Ok(AccountSummary {
        id: row.id(first)?,
        name: row.string(first + 1)?,
        account_type: row.named(first + 2)?,
        status: row.named(first + 3)?,
    })
}

fn read(row: &Row<'_>) -> Result<Account> {
    let summary = read_summary(row, 0)?;
    let balance = row.int(10)?;
    let is_money = summary.account_type.composition() != Composition::NonCash;
    Ok(Account {
        summary,
        currency: row.currency(4)?,
        subtype: row.opt_string(5)?,
        institution_name: row.opt_string(6)?,
        institution_domain: row.opt_string(7)?,
        created_at: row.timestamp(8)?,
        updated_at: row.timestamp(9)?,
        balance,
        cash: if is_money { balance } else { 0 },
        complete: !row.bool(11)?,
        cost_method: row.named(12)?,
        owner: row.opt_id(13)?,
        notes: row.opt_string(14)?,
    })
}

#[cfg(test)]
pub(crate) mod tests;
