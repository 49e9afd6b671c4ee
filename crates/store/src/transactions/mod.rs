//! Transactions: filtered lists and single ones.
//!
//! A family may have millions of entries, so a page is read in steps with costs that don't depend
//! on that: the visible accounts are chosen in memory; totals come from counters wherever the
//! filter allows (`window`); the page's keys are found first, then its rows, and names of
//! categories, merchants and tags with one query each (`relations`). Only filters on the entries
//! themselves (amount, text, category, …) count and skip rows.
//!
//! Transactions of hidden accounts are never shown.

pub(crate) mod change;
pub(crate) mod conversions;
pub(crate) mod create;
mod filters;
mod relations;
mod search;
#[cfg(test)]
mod tests;
mod window;

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, CategoryId, EntryId, MerchantId, TagId};
use purser_core::labels::color::{category_color, default_color};
use purser_core::ledger::locks::Locks;
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountSummary, Known, Restriction, allows};
use crate::driver::{Filter, Query, Row, Val, statements};
use crate::families::FamilyId;
use crate::transfers::{self, Counterpart};

pub use change::{remove, revise, split, unsplit};
pub use conversions::Booked;
pub use create::create;
pub use filters::{AmountBound, Listing, TAGS_MAX};
pub use search::{SEARCH_CHARS_MAX, Search};

statements! {
    /// The parts of a transaction, in the order in which they were named.
    PARTS_OF = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND id IN (SELECT p.id FROM entries p
            WHERE p.family_id = $1 AND p.parent_id = $2) ORDER BY id";
    /// The transaction with an id.
    TRANSACTION_BY_ID = "SELECT id, account_id, date, amount, currency, name, notes, category_id,
            merchant_id, pending, source, external_id, created_at, updated_at, locked, booked,
            excluded, is_split, parent_id
        FROM ledger_entries WHERE family_id = $1 AND id = $2 AND kind IN (0, 3)";
}

const SELECT_ROWS: &str = "SELECT id, account_id, date, amount, currency, name, notes, category_id,
        merchant_id, pending, source, external_id, created_at, updated_at, locked, booked,
        excluded, is_split, parent_id
    FROM ledger_entries";
const SELECT_KEYS: &str = "SELECT id FROM ledger_entries";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM ledger_entries";
// Ids follow the time of their making, so of one day the latest entry comes first.
const NEWEST_FIRST: &str = "ORDER BY date DESC, id DESC LIMIT ? OFFSET ?";
// No index has entries by an expression, so the few are found first and then sorted.
const FEW_NEWEST_FIRST: &str = "ORDER BY date + 0 DESC, id DESC LIMIT ? OFFSET ?";

/// Transactions that are sorted for a page. Of more, the newest are soon met along the index; of
/// fewer (the rows of a rare tag), walking there could go through all entries.
const SORTED_MAX: u64 = 10_000;

/// A transaction with the names of what it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transaction {
    /// The id of the ledger entry.
    pub id: EntryId,
    /// The day that it is of.
    pub date: Date,
    /// In the currency's scale; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that its source gave, or that it was renamed to.
    pub name: String,
    /// The notes, which are free text.
    pub notes: Option<String>,
    /// Authorised, not yet posted.
    pub pending: bool,
    /// The system that it comes from.
    pub source: Option<String>,
    /// The id of whoever brought it.
    pub external_id: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// The account that it belongs to.
    pub account: AccountSummary,
    /// The category, if there is one.
    pub category: Option<Category>,
    /// The merchant, if there is one.
    pub merchant: Option<Merchant>,
    /// The tags, in the order of their names.
    pub tags: Vec<Tag>,
    /// Fields that a person has set: rules and imports leave them alone.
    pub locked: Locks,
    /// The transfer that it is one side of; if only proposed, the best proposal.
    pub transfer: Option<Counterpart>,
    /// Left out of reports and budgets.
    pub excluded: bool,
    /// Whether its parts are shown in its place.
    pub is_split: bool,
    /// The transaction that it is a part of.
    pub parent: Option<EntryId>,
    /// In the account's currency, if the amount is in another.
    pub booked: Option<Booked>,
}

/// What a transaction shows of its category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// The id of the category.
    pub id: CategoryId,
    /// The name that is shown.
    pub name: String,
    /// The category above, if it is of the second level.
    pub parent: Option<CategoryId>,
    /// `#rrggbb`: its own, else that of the category above, else one that follows from the id.
    pub color: String,
    /// The name of an icon.
    pub icon: Option<String>,
}

/// What a transaction shows of its merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The id of the merchant.
    pub id: MerchantId,
    /// The name that is shown.
    pub name: String,
}

/// What a transaction shows of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The id of the tag.
    pub id: TagId,
    /// The name that is shown.
    pub name: String,
    /// `#rrggbb`: its own, else one that follows from the id.
    pub color: String,
}

impl Category {
    /// Reads a category from six columns: id, name, the one above, color, color of the one above,
    /// icon.
    pub(crate) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        let (id, parent): (CategoryId, Option<CategoryId>) =
            (row.id(first)?, row.opt_id(first + 2)?);
        let above = match parent {
            Some(above) => Some((above.0, row.opt_text(first + 4)?)),
            None => None,
        };
        Ok(Self {
            id,
            name: row.string(first + 1)?,
            parent,
            color: category_color(id.0, row.opt_text(first + 3)?, above),
            icon: row.opt_string(first + 5)?,
        })
    }
}

impl Tag {
    /// Reads a tag from three columns: id, name, color.
    pub(crate) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        let id: TagId = row.id(first)?;
        let own = row.opt_string(first + 2)?;
        let color = own.unwrap_or_else(|| default_color(id.0).to_owned());
        Ok(Self { id, name: row.string(first + 1)?, color })
    }
}

/// The accounts of a family, divided into those with entries that a list may show and the others.
struct Scope {
    shown: Vec<Known>,
    hidden: Vec<Known>,
    /// Those that could be shown, whatever the list is filtered by.
    seen: HashSet<AccountId>,
}

impl Scope {
    fn read(
        tx: &mut FamilyTx<'_>,
        restriction: Restriction<'_>,
        wanted: Option<&[AccountId]>,
    ) -> Result<Self> {
        let known = accounts::known(tx)?;
        let summaries = known.iter().map(|account| &account.summary);
        let seen: HashSet<AccountId> = summaries
            .filter(|one| one.status.is_visible() && allows(restriction, one.id))
            .map(|one| one.id)
            .collect();
        let (shown, hidden) = known.into_iter().partition(|account| {
            let id = account.summary.id;
            seen.contains(&id) && wanted.is_none_or(|wanted| wanted.contains(&id))
        });
        Ok(Self { shown, hidden, seen })
    }

    fn transactions(accounts: &[Known]) -> u64 {
        accounts.iter().map(|account| account.transactions).sum()
    }

    /// Limits a filter to the accounts that are shown. Where they hold most of the entries, the
    /// others are left out instead, so that the index by date stays the best way. Reads see one
    /// snapshot, so no account can be missing in both lists.
    fn limit<'a>(&self, filter: Filter<'a>) -> Filter<'a> {
        let ids = |accounts: &[Known]| -> Vec<Val<'a>> {
            accounts.iter().map(|account| account.summary.id.into()).collect()
        };
        if Self::transactions(&self.shown) < Self::transactions(&self.hidden) {
            return filter.and_in("account_id", ids(&self.shown));
        }
        if self.hidden.is_empty() {
            return filter;
        }
        filter.and_in("NOT account_id", ids(&self.hidden))
    }

    /// Whether an index has the entries that are shown in their order with few others in between.
    fn is_walkable(&self) -> bool {
        self.shown.len() == 1 || Self::transactions(&self.shown) >= Self::transactions(&self.hidden)
    }

    fn summaries(&self) -> HashMap<AccountId, &AccountSummary> {
        self.shown.iter().map(|account| (account.summary.id, &account.summary)).collect()
    }

    /// The accounts that the other side of a transfer may be in.
    fn counterparts(&self) -> HashMap<AccountId, &AccountSummary> {
        let all = self.shown.iter().chain(&self.hidden).map(|account| &account.summary);
        all.filter(|one| self.seen.contains(&one.id)).map(|one| (one.id, one)).collect()
    }
}

/// A page of transactions, newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Transaction>, u64)> {
    let family = tx.family();
    let restriction = listing.restriction.as_deref();
    let scope = Scope::read(tx, restriction, listing.accounts.as_deref())?;
    if scope.shown.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let (keys, total) = if listing.is_counted() {
        window::page(tx, &scope, listing, limit, offset)?
    } else {
        let filter = scope.limit(listing.filter(family));
        let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
        let keys = keys_of(&filter, total, limit, offset);
        (tx.query(&keys, &[], |row| row.id(0))?, total)
    };
    Ok((rows(tx, &scope, &keys)?, total))
}

/// The keys of a page.
fn keys<'a>(filter: &Filter<'a>, limit: i64, offset: i64) -> Query<'a> {
    filter.query(SELECT_KEYS, NEWEST_FIRST, [limit.into(), offset.into()])
}

/// The keys of a page of `total` transactions that were counted.
fn keys_of<'a>(filter: &Filter<'a>, total: u64, limit: i64, offset: i64) -> Query<'a> {
    if total > SORTED_MAX {
        return keys(filter, limit, offset);
    }
    filter.query(SELECT_KEYS, FEW_NEWEST_FIRST, [limit.into(), offset.into()])
}

/// The transaction with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Transaction> {
    let visible = tx.accounts();
    let restriction = visible.only();
    let family = tx.family();
    let scope = Scope::read(tx, restriction, None)?;
    let found = tx.query_opt(&TRANSACTION_BY_ID, &[family.into(), id.into()], Bare::read)?;
    let shown = dress(tx, &scope, found.into_iter().collect())?;
    shown.into_iter().next().ok_or(Error::NotFound { what: "Transaction" })
}

/// The transactions of a page's keys, in the order of the keys.
fn rows(tx: &mut FamilyTx<'_>, scope: &Scope, keys: &[EntryId]) -> Result<Vec<Transaction>> {
    let family = tx.family();
    let mut found = tx.query(&rows_of(family, keys), &[], Bare::read)?;
    let places: HashMap<EntryId, usize> =
        keys.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    found.sort_by_key(|bare| places.get(&bare.id).copied());
    dress(tx, scope, found)
}

fn rows_of(family: FamilyId, keys: &[EntryId]) -> Query<'static> {
    Filter::new()
        .and("family_id = ?", [family.into()])
        .and_in("id", keys.iter().map(|id| Val::from(*id)))
        .query(SELECT_ROWS, "", [])
}

/// A transaction as it is stored.
struct Bare {
    id: EntryId,
    account: AccountId,
    date: Date,
    amount: i64,
    currency: Currency,
    name: String,
    notes: Option<String>,
    category: Option<CategoryId>,
    merchant: Option<MerchantId>,
    pending: bool,
    source: Option<String>,
    external_id: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    locked: Locks,
    booked: Option<i64>,
    excluded: bool,
    is_split: bool,
    parent: Option<EntryId>,
}

impl Bare {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.id(0)?,
            account: row.id(1)?,
            date: row.date(2)?,
            amount: row.int(3)?,
            currency: row.currency(4)?,
            name: row.string(5)?,
            notes: row.opt_string(6)?,
            category: row.opt_id(7)?,
            merchant: row.opt_id(8)?,
            pending: row.bool(9)?,
            source: row.opt_string(10)?,
            external_id: row.opt_string(11)?,
            created_at: row.timestamp(12)?,
            updated_at: row.timestamp(13)?,
            locked: Locks::from_bits(row.int(14)?),
            booked: row.opt_int(15)?,
            excluded: row.bool(16)?,
            is_split: row.bool(17)?,
            parent: row.opt_id(18)?,
        })
    }
}

/// Adds what the transactions point to; those of accounts that may not be shown are left out.
fn dress(tx: &mut FamilyTx<'_>, scope: &Scope, found: Vec<Bare>) -> Result<Vec<Transaction>> {
    let categories = relations::categories(tx, found.iter().filter_map(|e| e.category))?;
    let merchants = relations::merchants(tx, found.iter().filter_map(|e| e.merchant))?;
    let mut tags = relations::tags(tx, found.iter().map(|entry| entry.id))?;
    let summaries = scope.summaries();
    let converted = found.iter().filter_map(|entry| Some((entry.id, entry.parent, entry.booked?)));
    let mut booked = conversions::booked(tx, converted.collect())?;
    let ids: Vec<EntryId> = found.iter().map(|entry| entry.id).collect();
    let mut transfers = transfers::counterparts(tx, &ids, &scope.counterparts())?;
    let dressed = found.into_iter().filter_map(|bare| {
        let account = (*summaries.get(&bare.account)?).clone();
        Some(Transaction {
            category: bare.category.and_then(|id| categories.get(&id).cloned()),
            merchant: bare.merchant.and_then(|id| merchants.get(&id).cloned()),
            tags: tags.remove(&bare.id).unwrap_or_default(),
            transfer: transfers.remove(&bare.id),
            account,
            id: bare.id,
            date: bare.date,
            amount: bare.amount,
            currency: bare.currency,
            name: bare.name,
            notes: bare.notes,
            pending: bare.pending,
            source: bare.source,
            external_id: bare.external_id,
            created_at: bare.created_at,
            updated_at: bare.updated_at,
            locked: bare.locked,
            excluded: bare.excluded,
            is_split: bare.is_split,
            parent: bare.parent,
            booked: bare.booked.and_then(|_| booked.remove(&bare.id)),
        })
    });
    Ok(dressed.collect())
}

/// The parts of a transaction that can be seen, in the order in which they were named.
pub fn parts(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Vec<Transaction>> {
    let family = tx.family();
    let ids = tx.query(&PARTS_OF, &[family.into(), id.into()], |row| row.id(0))?;
    ids.into_iter().map(|id| get(tx, id)).collect()
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    use std::sync::LazyLock;

    static WIDEST: LazyLock<Listing> = LazyLock::new(Listing::widest);
    let family = FamilyId::from_number(1);
    let nil = uuid::Uuid::nil();
    let filter = WIDEST.filter(family).and_in("NOT account_id", [nil.into()]);
    let mut examples = vec![
        keys(&filter, 1, 1),
        keys_of(&filter, 1, 1, 1),
        filter.query(SELECT_COUNT, "", []),
        rows_of(family, &[EntryId(nil)]),
    ];
    examples.extend(relations::query_examples(family));
    examples.extend(window::query_examples(family, &WIDEST));
    examples
}
