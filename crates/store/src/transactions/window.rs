//! Pages of lists that are filtered by accounts and days only: totals without counting, and deep
//! pages without skipping.
//!
//! On SQLite the first pages are read along the index, newest first. Further on that would skip
//! more and more. Accounts know how many transactions they have, and `balances` knows how many
//! there are on each day. So the days of a page are found by adding up days, and only the entries
//! of these days are read.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::EntryId;

use super::filters::Listing;
use super::{Scope, keys};
use crate::access::FamilyTx;
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
    if is_near && scope.is_walkable() && tx.follows_indexes() {
        // Both ends of the days are named so that the planner sees what the index is good for.
        let start = listing.start.or(Some(Date::MIN));
        let days = Listing { start, end: listing.end.or(Some(Date::MAX)), ..Listing::default() };
        let filter = scope.limit(days.filter(family));
        return Ok((tx.query(&keys(&filter, limit, offset), &[], |row| row.id(0))?, total));
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
    let filter = Filter::new()
        .and("family_id = ?", [family.into()])
        .and_opt("date >= ?", listing.start)
        .and_opt("date <= ?", listing.end);
    scope.limit(filter)
}

/// The widest queries of this module, for the test that prepares them.
pub(super) fn query_examples(family: FamilyId, widest: &Listing) -> Vec<Query<'_>> {
    let scope =
        Scope { shown: Vec::new(), hidden: Vec::new(), seen: std::collections::HashSet::new() };
    vec![
        days_filter(family, &scope, widest).query(SELECT_TOTAL, "", []),
        days_of_page(family, &scope, widest, 1, 1),
    ]
}
