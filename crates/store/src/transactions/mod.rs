//! Transactions: filtered lists and single ones.
//!
//! A family may have millions of entries, so a page is read in steps with costs that don't depend
//! on that: the visible accounts are chosen in memory; totals come from counters wherever the
//! filter allows (`window`); the page's keys are found first, then its rows with all that they show
//! (`rows`). Only filters on the entries themselves (amount, text, category, …) count and skip
//! rows.
//!
//! Transactions of hidden accounts are never shown.

pub(crate) mod change;
pub(crate) mod conversions;
pub(crate) mod create;
mod filters;
pub(crate) mod rows;
mod search;
#[cfg(test)]
mod tests;
mod window;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, CategoryId, EntryId, MerchantId, TagId};
use purser_core::labels::color::{category_color, default_color};
use purser_core::ledger::locks::Locks;
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts, AccountSummary};
use crate::driver::{Filter, Query, Row, Val, statements};
use crate::families::FamilyId;
use crate::transfers::Counterpart;

pub use change::{RevisedTransaction, remove, revise, split, unsplit};
pub use conversions::Booked;
pub use create::create;
pub use filters::{AmountBound, Listing, TAGS_MAX};
pub(crate) use rows::LoadedTransaction;
pub use search::{SEARCH_CHARS_MAX, Search};

statements! {
    /// The parts of a transaction, in the order in which they were named.
    PARTS_OF = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND id IN (SELECT p.id FROM entries p
            WHERE p.family_id = $1 AND p.parent_id = $2) ORDER BY id";
}

const SELECT_KEYS: &str = "SELECT id FROM ledger_entries";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM ledger_entries";
// Ids follow the time of their making, so of one day the latest entry comes first.
// A number that PostgreSQL doesn't know when it plans: it then plans for a tenth of the list, along
// the index, instead of comparing the number with how few rows it expects.
const NEWEST_FIRST: &str = "ORDER BY date DESC, id DESC
    LIMIT (SELECT CAST(? AS BIGINT)) OFFSET (SELECT CAST(? AS BIGINT))";
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
    shown: Vec<AccountFacts>,
    hidden: Vec<AccountFacts>,
}

impl Scope {
    fn read(tx: &mut FamilyTx<'_>, wanted: Option<&[AccountId]>) -> Result<Self> {
        let (known, visible) = (accounts::known(tx)?, tx.accounts());
        let (shown, hidden) = known.into_iter().partition(|AccountFacts { summary, .. }| {
            visible.shows(summary) && wanted.is_none_or(|wanted| wanted.contains(&summary.id))
        });
        Ok(Self { shown, hidden })
    }

    fn transactions(accounts: &[AccountFacts]) -> u64 {
        accounts.iter().map(|account| account.transactions).sum()
    }

    /// Limits a filter to the accounts that are shown. Where they hold most of the entries, the
    /// others are left out instead, so that the index by date stays the best way. Reads see one
    /// snapshot, so no account can be missing in both lists.
    fn limit<'a>(&self, filter: Filter<'a>) -> Filter<'a> {
        let ids = |accounts: &[AccountFacts]| -> Vec<Val<'a>> {
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
}

/// A page of transactions, newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Transaction>, u64)> {
    let family = tx.family();
    let scope = Scope::read(tx, listing.accounts.as_deref())?;
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
    Ok((rows::of_ids(tx, &keys)?, total))
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
    let found = rows::of_ids(tx, &[id])?;
    found.into_iter().next().ok_or(Error::NotFound { what: "Transaction" })
}

/// The parts of a transaction that can be seen, in the order in which they were named.
pub fn parts(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Vec<Transaction>> {
    let family = tx.family();
    let ids = tx.query(&PARTS_OF, &[family.into(), id.into()], |row| row.id(0))?;
    rows::of_ids(tx, &ids)
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    use std::sync::LazyLock;

    static WIDEST: LazyLock<Listing> = LazyLock::new(Listing::widest);
    let family = FamilyId::from_number(1);
    let nil = uuid::Uuid::nil();
    let filter = WIDEST.filter(family).and_in("NOT account_id", [nil.into()]);
    let mut examples =
        vec![keys(&filter, 1, 1), keys_of(&filter, 1, 1, 1), filter.query(SELECT_COUNT, "", [])];
    examples.extend(window::query_examples(family, &WIDEST));
    examples
}
