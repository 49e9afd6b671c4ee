//! Pages of lists that are filtered by accounts and days only: totals without counting, and deep
//! pages without skipping.
//!
//! The first pages are read along an index, newest first. Further on that would skip more and
//! more. Accounts know how many transactions they have, and `balances` knows how many there are on
//! each day. So the days of a page are found by adding up days, and only the entries of these days
//! are read.
//!
//! PostgreSQL follows an index only if it expects to end soon, and without statistics of a table,
//! as after the first large import, it takes each condition for a rare one and would rather sort
//! everything. So the statements here have no condition that it would take for one, see
//! docs/benchmarks.md.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::money::Currency;

use super::filters::{Listing, everything};
use super::{SELECT_KEYS, Scope, keys};
use crate::access::FamilyTx;
use crate::accounts::{AccountFacts, AccountSummary};
use crate::driver::{Filter, Query};
use crate::families::FamilyId;

const SELECT_TOTAL: &str =
    "SELECT COALESCE(CAST(SUM(transactions_count) AS BIGINT), 0) FROM balances";
// The casts keep PostgreSQL from summing up to another type than that of the parameters.
const SELECT_DAYS: &str = "SELECT date, before FROM (
        SELECT date, transactions,
            CAST(SUM(transactions) OVER (ORDER BY date DESC) AS BIGINT) - transactions AS before
        FROM (SELECT date, CAST(SUM(transactions_count) AS BIGINT) AS transactions
            FROM balances";
const DAYS_OF_PAGE: &str = "GROUP BY date) AS days) AS series
    WHERE before < ? AND before + transactions > ? ORDER BY date DESC";

const NEWEST_OF_ACCOUNT_FIRST: &str = "ORDER BY account_id DESC, date DESC, id DESC
    LIMIT (SELECT CAST(? AS BIGINT)) OFFSET (SELECT CAST(? AS BIGINT))";

/// Entries that are walked over to a page; beyond it the page's days are looked up first.
const WALKED_MAX: i64 = 500;

/// The page's keys, newest first, and how many transactions there are in all.
pub(super) fn page(
    tx: &mut FamilyTx<'_>,
    scope: &Scope,
    listing: &Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<EntryId>, u64)> {
    let family = tx.family();
    let total = if listing.start.is_none() && listing.end.is_none() {
        Scope::transactions(&scope.shown)
    } else {
        let counted = days_filter(family, scope, listing).query(SELECT_TOTAL, "", []);
        tx.query_one(&counted, &[], |row| row.count(0))?
    };
    if u64::try_from(offset).is_ok_and(|offset| offset >= total) {
        return Ok((Vec::new(), total));
    }
    let is_near = offset.saturating_add(limit) <= WALKED_MAX;
    if is_near && scope.is_walkable() {
        // The walk ends with the last transaction that is listed, not with the family's first.
        let left = i64::try_from(total).unwrap_or(i64::MAX).saturating_sub(offset);
        let walked = walked(family, scope, listing, limit.min(left), offset);
        return Ok((tx.query(&walked, &[], |row| row.id(0))?, total));
    }
    let days = days_of_page(family, scope, listing, limit, offset);
    let days: Vec<(Date, i64)> = tx.query(&days, &[], |row| Ok((row.date(0)?, row.int(1)?)))?;
    let (Some((newest, before)), Some((oldest, _))) = (days.first(), days.last()) else {
        return Ok((Vec::new(), total));
    };
    // Instead of the listing's own range, which they lie in: SQLite bounds an index by one pair of
    // conditions only.
    let days = Listing { start: Some(*oldest), end: Some(*newest), ..Listing::default() };
    let filter = scope.limit(days.filter(family));
    Ok((tx.query(&keys(&filter, limit, offset - before), &[], |row| row.id(0))?, total))
}

/// The keys of a page that is near the newest end, along an index: the account's if there is only
/// one, else the family's.
pub(super) fn walked<'a>(
    family: FamilyId,
    scope: &Scope,
    listing: &'a Listing,
    limit: i64,
    offset: i64,
) -> Query<'a> {
    let all = everything(family);
    if let [account] = &scope.shown[..] {
        let id = account.summary.id;
        let start = listing.start.unwrap_or(Date::MIN);
        let end = listing.end.unwrap_or(Date::MAX);
        let filter = all
            .and("(account_id, date) >= (?, ?)", [id.into(), start.into()])
            .and("(account_id, date) <= (?, ?)", [id.into(), end.into()]);
        return filter.query(SELECT_KEYS, NEWEST_OF_ACCOUNT_FIRST, [limit.into(), offset.into()]);
    }
    // The index is entered at the end of the days; their start must not seem to narrow it.
    let filter =
        scope.limit(all).and_opt("date + 0 >= ?", listing.start).and_opt("date <= ?", listing.end);
    keys(&filter, limit, offset)
}

/// The days that the page touches, each with the number of transactions on later days.
fn days_of_page<'a>(
    family: FamilyId,
    scope: &Scope,
    listing: &'a Listing,
    limit: i64,
    offset: i64,
) -> Query<'a> {
    let end = offset.saturating_add(limit);
    days_filter(family, scope, listing).query(
        SELECT_DAYS,
        DAYS_OF_PAGE,
        [end.into(), offset.into()],
    )
}

/// The days of the accounts that are shown, within the listing's range.
fn days_filter<'a>(family: FamilyId, scope: &Scope, listing: &'a Listing) -> Filter<'a> {
    let filter = Filter::of_family("family_id = ?", family)
        .and_opt("date >= ?", listing.start)
        .and_opt("date <= ?", listing.end);
    scope.limit(filter)
}

/// The widest queries of this module, for the test that prepares them.
pub(super) fn query_examples(family: FamilyId, widest: &Listing) -> Vec<Query<'_>> {
    let scope = Scope { shown: Vec::new(), hidden: Vec::new() };
    let summary = AccountSummary {
        id: AccountId(uuid::Uuid::nil()),
        name: String::new(),
        account_type: AccountType::Depository,
        status: AccountStatus::Active,
    };
    let account = AccountFacts { summary, currency: Currency::EUR, transactions: 1, valuations: 0 };
    let single = Scope { shown: vec![account], hidden: Vec::new() };
    vec![
        days_filter(family, &scope, widest).query(SELECT_TOTAL, "", []),
        days_of_page(family, &scope, widest, 1, 1),
        walked(family, &scope, widest, 1, 1),
        walked(family, &single, widest, 1, 1),
    ]
}
