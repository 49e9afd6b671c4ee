//! The positions of a family's accounts: their ids, costs that people stated, and their segments.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, HoldingId, SecurityId, same_thing};
use purser_core::ledger::holding::Cost;
use purser_core::ledger::positions::{Segment, on};
use purser_core::money::Currency;
use rust_decimal::Decimal;

use super::SecuritySummary;
use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts, AccountSummary};
use crate::driver::{Row, Val, statements};
use crate::ledger::positions;
use crate::ledger::stated_costs::StatedCosts;

statements! {
    /// The positions of accounts, with what they are of.
    POSITIONS_OF_ACCOUNTS = "SELECT h.account_id, h.id, h.cost_total, h.cost_qty, h.cost_date,
            h.cost_said_at, h.cost_locked, h.earlier_costs, h.import_id, h.created_at,
            h.updated_at, s.id, s.ticker, s.exchange_operating_mic, s.name
        FROM holdings h
        JOIN securities s ON s.family_id = $1 AND s.id = h.security_id
        WHERE h.family_id = $1 AND h.account_id = ANY($2)";
}

/// Which positions are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PositionFilter<'a> {
    /// Only of these accounts.
    pub(crate) accounts: Option<&'a [AccountId]>,
    /// Only of this security.
    pub(crate) security: Option<SecurityId>,
    /// Only the one of this id, or of an id that is made of it and a day.
    pub(crate) id: Option<HoldingId>,
}

impl PositionFilter<'_> {
    fn wants(&self, position: &Position) -> bool {
        let is_one = |id: HoldingId| position.id == id || same_thing(id.0, position.id.0);
        self.security.is_none_or(|wanted| wanted == position.security.id)
            && self.id.is_none_or(is_one)
    }
}

/// An account's position in a security.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) id: HoldingId,
    pub(crate) account: AccountSummary,
    pub(crate) currency: Currency,
    pub(crate) security: SecuritySummary,
    pub(crate) stated: StatedCosts,
    pub(crate) locked: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// The segments in order of days.
    pub(crate) segments: Vec<Segment>,
}

impl Position {
    /// The number of shares at the end of a day.
    pub(crate) fn quantity(&self, day: Date) -> Decimal {
        on(&self.segments, day).map_or(Decimal::ZERO, |segment| segment.quantity)
    }

    /// The cost basis at the end of a day; `None` if it is unknown, or if the position is closed.
    pub(crate) fn cost(&self, day: Date) -> Option<Cost> {
        let segment = on(&self.segments, day).filter(|segment| !segment.quantity.is_zero())?;
        let (total, source) = segment.cost.clone().zip(segment.source)?;
        Some(Cost { total, quantity: segment.quantity, source })
    }
}

/// The selected positions of visible accounts, by id.
pub(crate) fn select(tx: &mut FamilyTx<'_>, filter: PositionFilter<'_>) -> Result<Vec<Position>> {
    let family = tx.family();
    let mut known: BTreeMap<AccountId, AccountFacts> = BTreeMap::new();
    for account in accounts::shown(tx)? {
        let id = account.summary.id;
        let wanted = filter.accounts.is_none_or(|wanted| wanted.contains(&id));
        if wanted && account.summary.account_type.holds_securities() {
            known.insert(id, account);
        }
    }
    let accounts: Vec<AccountId> = known.keys().copied().collect();
    let keys: Vec<Val<'_>> = accounts.iter().map(|id| (*id).into()).collect();
    let mut found = Vec::new();
    tx.lookup(&POSITIONS_OF_ACCOUNTS, &[family.into()], &keys, |row| {
        let account = known.get(&row.id(0)?);
        let account = account.ok_or_else(|| Error::internal("a position of another account"))?;
        let position = read(row, account)?;
        if filter.wants(&position) {
            found.push(position);
        }
        Ok(())
    })?;
    fill(tx, &mut found)?;
    found.sort_by_key(|position| position.id);
    Ok(found)
}

/// Adds the segments of each position.
fn fill(tx: &mut FamilyTx<'_>, found: &mut [Position]) -> Result<()> {
    let accounts: BTreeSet<AccountId> = found.iter().map(|position| position.account.id).collect();
    let accounts: Vec<AccountId> = accounts.into_iter().collect();
    let mut segments = positions::segments(tx, &accounts)?;
    for position in found {
        let of_account = segments.get_mut(&position.account.id);
        let of_security = of_account.and_then(|segments| segments.remove(&position.security.id));
        position.segments = of_security.unwrap_or_default();
    }
    Ok(())
}

fn read(row: &Row<'_>, account: &AccountFacts) -> Result<Position> {
    Ok(Position {
        id: row.id(1)?,
        account: account.summary.clone(),
        currency: account.currency,
        security: SecuritySummary::read(row, 11)?,
        stated: StatedCosts::of_row(row, 2)?,
        locked: row.bool(6)?,
        created_at: row.timestamp(9)?,
        updated_at: row.timestamp(10)?,
        segments: Vec::new(),
    })
}
