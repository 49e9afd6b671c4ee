//! Lists of stated prices, newest day first.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::PriceSource;
use purser_core::money::Currency;

use super::{StatedPrice, read};
use crate::access::FamilyTx;
use crate::driver::{Filter, Query};
use crate::families::FamilyId;
use crate::securities::visibility::VisibleIds;

const SELECT: &str = "SELECT p.id, p.date, p.currency, p.price, p.source, p.created_at, \
     p.updated_at, s.id, s.ticker, s.exchange_operating_mic, s.name FROM security_prices p \
     JOIN securities s ON s.family_id = $1 AND s.id = p.security_id";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM security_prices p";
const NEWEST_FIRST: &str = "ORDER BY p.date DESC, s.ticker, p.currency, p.id LIMIT ? OFFSET ?";

/// Which prices are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection {
    /// Only of this security.
    pub security: Option<SecurityId>,
    /// Only in this currency.
    pub currency: Option<Currency>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
    /// Only prices from this source.
    pub source: Option<PriceSource>,
}

/// A page of the prices of visible securities, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    selection: Selection,
    limit: i64,
    offset: i64,
) -> Result<(Vec<StatedPrice>, u64)> {
    let family = tx.family();
    let visibility = VisibleIds::read(tx)?;
    let (page, count) = queries(family, selection, visibility.ids(), limit, offset);
    let total = tx.query_one(&count, &[], |row| row.count(0))?;
    Ok((tx.query(&page, &[], read)?, total))
}

fn queries(
    family: FamilyId,
    selection: Selection,
    seen: Option<Vec<SecurityId>>,
    limit: i64,
    offset: i64,
) -> (Query<'static>, Query<'static>) {
    let mut filter = Filter::of_family("p.family_id = ?", family)
        .and_opt("p.security_id = ?", selection.security)
        .and_opt("p.currency = ?", selection.currency.map(Currency::code))
        .and_opt("p.date >= ?", selection.start)
        .and_opt("p.date <= ?", selection.end)
        .and_opt("p.source = ?", selection.source.map(PriceSource::as_str));
    if let Some(seen) = seen {
        filter = filter.and_in("p.security_id", seen.into_iter().map(Into::into));
    }
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    (page, filter.query(SELECT_COUNT, "", []))
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let day = Some(Date::constant(2000, 1, 1));
    let security = SecurityId(uuid::Uuid::nil());
    let selection = Selection {
        security: Some(security),
        currency: Some(Currency::EUR),
        start: day,
        end: day,
        source: Some(PriceSource::Feed),
    };
    let (page, count) = queries(FamilyId::from_number(1), selection, Some(vec![security]), 1, 1);
    vec![page, count]
}
