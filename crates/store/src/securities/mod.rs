//! Securities: what is traded. A family's ticker on a market is one security.
//!
//! A key that is restricted to chosen accounts sees those that its accounts hold, held or traded,
//! and changes none: they are shared by all accounts. Its accounts may trade a security that others
//! hold already: a ticker on a market is one. From the next request on the key then sees its shared
//! fields (name, ids, currency, prices), on purpose; the answer to that trade doesn't have the name
//! yet, and a name that the key sends counts for new securities only.

mod changes;
pub(crate) mod record;
pub(crate) mod visibility;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::import::trade::security::{KnownSecurities, KnownSecurity};
use purser_core::ledger::security::{Listing, SecurityKind, SecurityValues};

use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::FamilyId;
use crate::keys;
pub use changes::{create, ensure, remove, update};
pub(crate) use changes::{find, find_or_create};
use visibility::VisibleIds;

statements! {
    /// The security with an id.
    SECURITY_GET = "SELECT id, ticker, exchange_operating_mic, name, kind, isin, country_code,
            currency, offline, feed_symbol, feed_at, feed_error, created_at, updated_at
        FROM ledger_securities WHERE family_id = $1 AND id = $2";
    /// A security by what it is traded as.
    SECURITY_FIND = "SELECT id FROM securities
        WHERE family_id = $1 AND ticker = $2 AND exchange_operating_mic = $3";
    /// Securities of a ticker, on whatever market.
    SECURITY_OF_TICKER = "SELECT id, ticker, exchange_operating_mic FROM securities
        WHERE family_id = $1 AND ticker = $2 ORDER BY exchange_operating_mic";
    /// What all securities are known by, the oldest first.
    SECURITIES_KNOWN = "SELECT id, ticker, exchange_operating_mic, isin FROM securities
        WHERE family_id = $1 ORDER BY id";
    /// Whether anything but prices refers to it.
    SECURITY_USED = "SELECT 1 FROM securities s WHERE s.family_id = $1 AND s.id = $2 AND (
        EXISTS (SELECT 1 FROM trades t
            WHERE t.family_id = $1 AND t.security_id = s.id)
        OR EXISTS (SELECT 1 FROM holdings h
            WHERE h.family_id = $1 AND h.security_id = s.id)
        OR EXISTS (SELECT 1 FROM position_statements p
            WHERE p.family_id = $1 AND p.security_id = s.id)
        OR EXISTS (SELECT 1 FROM position_segments g
            WHERE g.family_id = $1 AND g.security_id = s.id))";
    /// Its prices go with it.
    SECURITY_PRICES_OF = "SELECT id FROM security_prices
        WHERE family_id = $1 AND security_id = $2";
}

const SELECT: &str = "SELECT id, ticker, exchange_operating_mic, name, kind, isin, country_code, \
     currency, offline, feed_symbol, feed_at, feed_error, created_at, updated_at \
     FROM ledger_securities";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_securities";
const BY_TICKER: &str = "ORDER BY ticker, exchange_operating_mic, id LIMIT ? OFFSET ?";

/// A security of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Security {
    /// The id of the security.
    pub id: SecurityId,
    /// The descriptive fields of the security.
    pub values: SecurityValues,
    /// When the feed was asked last.
    pub feed_at: Option<Timestamp>,
    /// Why that gave nothing; none if it did.
    pub feed_error: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// Which securities are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    /// Only of this ticker, upper case.
    pub ticker: Option<&'a str>,
    /// Only on this market, upper case.
    pub exchange_operating_mic: Option<&'a str>,
    /// Only of this kind.
    pub kind: Option<SecurityKind>,
    /// Only those that no feed is asked for, or only the others.
    pub offline: Option<bool>,
}

/// A page of the visible securities by ticker, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    selection: Selection<'_>,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Security>, u64)> {
    let family = tx.family();
    let visibility = VisibleIds::read(tx)?;
    let (page, count) = queries(family, selection, visibility.ids(), limit, offset);
    let total = tx.query_one(&count, &[], |row| row.count(0))?;
    Ok((tx.query(&page, &[], read)?, total))
}

fn queries<'a>(
    family: FamilyId,
    selection: Selection<'a>,
    seen: Option<Vec<SecurityId>>,
    limit: i64,
    offset: i64,
) -> (Query<'a>, Query<'a>) {
    let mut filter = Filter::of_family("family_id = ?", family)
        .and_opt("ticker = ?", selection.ticker)
        .and_opt("exchange_operating_mic = ?", selection.exchange_operating_mic)
        .and_opt("kind = ?", selection.kind.map(SecurityKind::as_str))
        .and_opt("offline = ?", selection.offline);
    if let Some(seen) = seen {
        filter = filter.and_in("id", seen.into_iter().map(Into::into));
    }
    let page = filter.query(SELECT, BY_TICKER, [limit.into(), offset.into()]);
    (page, filter.query(SELECT_COUNT, "", []))
}

/// One security that the key may see.
pub fn get(tx: &mut FamilyTx<'_>, id: SecurityId) -> Result<Security> {
    let family = tx.family();
    let found = tx.query_opt(&SECURITY_GET, vals![family, id], read)?;
    let visibility = VisibleIds::read(tx)?;
    found.filter(|found| visibility.shows(found.id)).ok_or(Error::NotFound { what: "Security" })
}

/// The securities of a ticker in upper case, by market; one on an unknown market comes first.
pub fn of_ticker(tx: &mut FamilyTx<'_>, ticker: &str) -> Result<Vec<(SecurityId, Listing)>> {
    let family = tx.family();
    tx.query(&SECURITY_OF_TICKER, vals![family, ticker], |row| {
        let listing = Listing { ticker: row.string(1)?, exchange_operating_mic: row.string(2)? };
        Ok((row.id(0)?, listing))
    })
}

/// The securities that rows of a file can mean: those that the caller may see.
pub fn known(tx: &mut FamilyTx<'_>) -> Result<KnownSecurities> {
    let visibility = VisibleIds::read(tx)?;
    known_among(tx, &visibility)
}

/// The securities that rows can mean which go into one account, as each key sees them that is
/// restricted to some accounts with this one: [`keys::restrictions_with`].
pub fn known_to_keys_with(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
) -> Result<Vec<KnownSecurities>> {
    let of_keys = keys::restrictions_with(tx, account)?;
    let known = |accounts| {
        let visibility = VisibleIds::of(tx, accounts)?;
        known_among(tx, &visibility)
    };
    of_keys.into_iter().map(known).collect()
}

fn known_among(tx: &mut FamilyTx<'_>, visibility: &VisibleIds) -> Result<KnownSecurities> {
    let family = tx.family();
    let mut known = KnownSecurities::default();
    tx.for_each(&SECURITIES_KNOWN, &[family.into()], |row| {
        let listing = Listing { ticker: row.string(1)?, exchange_operating_mic: row.string(2)? };
        let security = KnownSecurity { id: row.id(0)?, listing, isin: row.opt_string(3)? };
        if visibility.shows(security.id) {
            known.add(security);
        }
        Ok(())
    })?;
    Ok(known)
}

/// Reads the columns of [`SECURITY_GET`].
pub(crate) fn read(row: &Row<'_>) -> Result<Security> {
    let values = SecurityValues {
        listing: Listing { ticker: row.string(1)?, exchange_operating_mic: row.string(2)? },
        name: row.opt_string(3)?,
        kind: row.named(4)?,
        isin: row.opt_string(5)?,
        country_code: row.opt_string(6)?,
        currency: row.opt_text(7)?.is_some().then(|| row.currency(7)).transpose()?,
        offline: row.bool(8)?,
        feed_symbol: row.opt_string(9)?,
    };
    Ok(Security {
        id: row.id(0)?,
        values,
        feed_at: row.opt_timestamp(10)?,
        feed_error: row.opt_string(11)?,
        created_at: row.timestamp(12)?,
        updated_at: row.timestamp(13)?,
    })
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let selection = Selection {
        ticker: Some("T"),
        exchange_operating_mic: Some("XNAS"),
        kind: Some(SecurityKind::Standard),
        offline: Some(true),
    };
    let seen = vec![SecurityId(uuid::Uuid::nil())];
    let (page, count) = queries(FamilyId::from_number(1), selection, Some(seen), 1, 1);
    vec![page, count]
}
