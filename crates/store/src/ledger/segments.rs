//! The stored segments of positions.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::positions::Segment;
use purser_core::money::decimal::quantity_text;
use purser_core::money::exact;

use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements};
use crate::rates::decimal;

statements! {
    /// What is stored of a security, account by account. CROSS JOIN keeps SQLite to that order:
    /// its own choice reads all segments of the family.
    SEGMENTS_OF_SECURITY = "SELECT p.security_id, p.account_id, p.date, p.qty, p.cost,
            p.cost_source
        FROM accounts a CROSS JOIN position_segments p
        WHERE a.family_id = $1 AND p.family_id = $1 AND p.account_id = a.id
            AND p.security_id = ANY($2)
        ORDER BY p.account_id, p.date";
    /// What is stored of it on later days than one.
    SEGMENTS_OF_SECURITY_AFTER = "SELECT p.security_id, p.account_id, p.date, p.qty, p.cost,
            p.cost_source
        FROM holdings h CROSS JOIN position_segments p
        WHERE h.family_id = $1 AND h.security_id = $2 AND p.family_id = $1
            AND p.account_id = h.account_id AND p.security_id = h.security_id AND p.date > $3
        ORDER BY p.account_id, p.date";
    /// What is stored of an account.
    SEGMENTS_OF_ACCOUNT = "SELECT security_id, account_id, date, qty, cost, cost_source
        FROM position_segments WHERE family_id = $1 AND account_id = ANY($2)
        ORDER BY security_id, date";
    /// Removes segments before they are written again.
    SEGMENTS_CLEAR = "DELETE FROM position_segments
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND date >= $4";
}

pub(crate) static SEGMENTS: Bulk = Bulk {
    table: "position_segments",
    columns: &[
        ("family_id", ColumnType::Int),
        ("account_id", ColumnType::Uuid),
        ("security_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("qty", ColumnType::Text),
        ("cost", ColumnType::Text),
        ("cost_source", ColumnType::Text),
    ],
};

/// The segments of a security by account, or of an account by security.
pub(crate) type Segments<K> = BTreeMap<K, Vec<Segment>>;

/// The stored positions of securities, by account.
pub(crate) fn stored(
    tx: &mut FamilyTx<'_>,
    securities: &[SecurityId],
) -> Result<BTreeMap<SecurityId, Segments<AccountId>>> {
    let family = tx.family();
    let mut found: BTreeMap<SecurityId, Segments<AccountId>> = BTreeMap::new();
    let keys: Vec<Val<'_>> = securities.iter().map(|id| (*id).into()).collect();
    tx.lookup(&SEGMENTS_OF_SECURITY, &[family.into()], &keys, |row| {
        let (security, account, segment) = read_segment(row)?;
        found.entry(security).or_default().entry(account).or_default().push(segment);
        Ok(())
    })?;
    Ok(found)
}

/// The stored positions of a security on later days than one, by account.
pub(super) fn stored_after(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    date: Date,
) -> Result<Segments<AccountId>> {
    let family = tx.family();
    let mut found: Segments<AccountId> = BTreeMap::new();
    let key = [family.into(), security.into(), date.into()];
    tx.for_each(&SEGMENTS_OF_SECURITY_AFTER, &key, |row| {
        let (_, account, segment) = read_segment(row)?;
        found.entry(account).or_default().push(segment);
        Ok(())
    })?;
    Ok(found)
}

/// The stored positions of accounts: for each account its segments by security, in order of days.
pub fn segments(
    tx: &mut FamilyTx<'_>,
    accounts: &[AccountId],
) -> Result<BTreeMap<AccountId, BTreeMap<SecurityId, Vec<Segment>>>> {
    let family = tx.family();
    let mut found: BTreeMap<AccountId, Segments<SecurityId>> = BTreeMap::new();
    let keys: BTreeSet<AccountId> = accounts.iter().copied().collect();
    let keys: Vec<Val<'_>> = keys.into_iter().map(Into::into).collect();
    tx.lookup(&SEGMENTS_OF_ACCOUNT, &[family.into()], &keys, |row| {
        let (security, account, segment) = read_segment(row)?;
        found.entry(account).or_default().entry(security).or_default().push(segment);
        Ok(())
    })?;
    Ok(found)
}

fn read_segment(row: &Row<'_>) -> Result<(SecurityId, AccountId, Segment)> {
    let cost = row
        .opt_text(4)?
        .map(|text| exact::parse(text).ok_or_else(|| Error::internal("a cost is no fraction")));
    let segment = Segment {
        date: row.date(2)?,
        quantity: decimal(row.text(3)?)?,
        cost: cost.transpose()?,
        source: row.opt_named(5)?,
    };
    Ok((row.id(0)?, row.id(1)?, segment))
}

/// Adds a segment to those that are written.
pub(super) fn push(
    tx: &mut FamilyTx<'_>,
    inserter: &mut Inserter,
    account: AccountId,
    security: SecurityId,
    segment: &Segment,
) -> Result<()> {
    let family = tx.family();
    let quantity = quantity_text(segment.quantity);
    let cost = segment.cost.as_ref().map(exact::to_text);
    let row = [
        family.into(),
        account.into(),
        security.into(),
        segment.date.into(),
        Val::Text(&quantity),
        cost.as_deref().into(),
        segment.source.map(|source| source.as_str()).into(),
    ];
    inserter.push(tx, &row)
}
