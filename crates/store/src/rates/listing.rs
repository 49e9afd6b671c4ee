//! Lists of the family's own rates, newest day first.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::money::Currency;
use purser_core::rates::Source;

use super::own::{OwnRate, read};
use crate::access::FamilyTx;
use crate::driver::{Filter, Query};
use crate::families::FamilyId;

const SELECT: &str = "SELECT id, base, quote, date, rate, source, created_at, updated_at \
     FROM family_rates";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM family_rates";
const NEWEST_FIRST: &str = "ORDER BY date DESC, base, quote, id LIMIT ? OFFSET ?";

/// Which rates are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection {
    /// Only of one unit of this currency.
    pub base: Option<Currency>,
    /// Only in this currency.
    pub quote: Option<Currency>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
    /// Only by hand, or only in files.
    pub source: Option<Source>,
}

/// A page of rates, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    selection: Selection,
    limit: i64,
    offset: i64,
) -> Result<(Vec<OwnRate>, u64)> {
    let family = tx.family();
    let (page, count) = queries(family, selection, limit, offset);
    let total = tx.query_one(&count, &[], |row| row.count(0))?;
    Ok((tx.query(&page, &[], read)?, total))
}

fn queries(
    family: FamilyId,
    selection: Selection,
    limit: i64,
    offset: i64,
) -> (Query<'static>, Query<'static>) {
    let filter = Filter::of_family("family_id = ?", family)
        .and_opt("base = ?", selection.base.map(Currency::code))
        .and_opt("quote = ?", selection.quote.map(Currency::code))
        .and_opt("date >= ?", selection.start)
        .and_opt("date <= ?", selection.end)
        .and_opt("source = ?", selection.source.map(Source::as_str));
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    (page, filter.query(SELECT_COUNT, "", []))
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let day = Some(Date::constant(2000, 1, 1));
    let selection = Selection {
        base: Some(Currency::EUR),
        quote: Some(Currency::USD),
        start: day,
        end: day,
        source: Some(Source::Manual),
    };
    let (page, count) = queries(FamilyId::from_number(1), selection, 1, 1);
    vec![page, count]
}
