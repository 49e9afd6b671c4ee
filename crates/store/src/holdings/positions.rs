//! The positions of a family's accounts: their ids, costs that people stated, and their segments.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, HoldingId, SecurityId, same_thing};
use purser_core::ledger::holding::{Cost, CostBasisSource, trusted};
use purser_core::ledger::positions::{Segment, on};
use purser_core::money::Currency;
use purser_core::money::exact::{Fraction, of_decimal, to_decimal, whole};
use rust_decimal::Decimal;

use super::SecuritySummary;
use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts, AccountSummary};
use crate::driver::{Row, Val, statements};
use crate::ledger::positions;
use crate::rates::decimal;

statements! {
    /// The positions of accounts, with what they are of.
    POSITIONS_OF_ACCOUNTS = "SELECT h.account_id, h.id, h.cost_total, h.cost_qty, h.cost_date,
            h.cost_said_at, h.cost_locked, h.created_at, h.updated_at, s.id, s.ticker,
            s.exchange_operating_mic, s.name
        FROM holdings h
        JOIN securities s ON s.family_id = h.family_id AND s.id = h.security_id
        WHERE h.family_id = $1 AND h.account_id = ANY($2)";
    /// The splits in accounts, for costs that were stated before or after them.
    SPLITS_OF_ACCOUNTS = "SELECT e.account_id, t.security_id, e.date, e.created_at, t.split_to,
            t.split_from
        FROM ledger_entries e
        JOIN trades t ON t.family_id = e.family_id AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.kind = 2 AND t.trade_type = 'split'
            AND e.account_id = ANY($2)";
}

/// Decimals of a number of shares that splits changed.
const SPLIT_DECIMALS: u32 = 18;

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

/// The cost of a position that a person stated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatedCost {
    /// The number of shares that the cost is of, as they were counted on the day; `None`: all
    /// shares of that day.
    pub(crate) quantity: Option<Decimal>,
    /// The cost of these shares, in the account's scale.
    pub(crate) total: i64,
    /// The day for which it was stated.
    pub(crate) date: Date,
    /// The time at which it was stated; splits that were known by then are included.
    pub(crate) at: Timestamp,
}

impl StatedCost {
    /// Whether it is the same cost of the same shares, whenever it was stated.
    pub(crate) fn is_same_cost(&self, other: &Self) -> bool {
        (self.quantity, self.total, self.date) == (other.quantity, other.total, other.date)
    }
}

/// A share split: on its day every `from` shares become `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) date: Date,
    /// The time at which it was recorded.
    pub(crate) recorded_at: Timestamp,
    pub(crate) to: i64,
    pub(crate) from: i64,
}

/// An account's position in a security.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) id: HoldingId,
    pub(crate) account: AccountSummary,
    pub(crate) currency: Currency,
    pub(crate) security: SecuritySummary,
    pub(crate) stated: Option<StatedCost>,
    pub(crate) locked: bool,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    /// The segments in order of days.
    pub(crate) segments: Vec<Segment>,
    /// The share splits in order of days.
    pub(crate) splits: Vec<Split>,
}

impl Position {
    /// The number of shares at the end of a day.
    pub(crate) fn quantity(&self, day: Date) -> Decimal {
        on(&self.segments, day).map_or(Decimal::ZERO, |segment| segment.quantity)
    }

    /// The cost basis at the end of a day, from the most trusted source; `None` if the position is
    /// closed.
    pub(crate) fn cost(&self, day: Date) -> Option<Cost> {
        let segment = on(&self.segments, day).filter(|segment| !segment.quantity.is_zero())?;
        let followed = segment.cost.clone().zip(segment.source).map(|(total, source)| Cost {
            total,
            quantity: segment.quantity,
            source,
            locked: false,
        });
        let stated = self.stated.as_ref().and_then(|stated| self.stated_cost(stated, day));
        trusted(followed.into_iter().chain(stated))
    }

    /// A stated cost, for shares as they are counted on another day. A share split changes their
    /// number if its day is later than that of the cost, or, for the cost of a given number of
    /// shares, if it was recorded later. The cost of all shares of a day is always that of all
    /// shares of that day.
    fn stated_cost(&self, stated: &StatedCost, day: Date) -> Option<Cost> {
        let began = self.segments.first()?.date;
        let mut factor: Fraction = whole(1);
        for Split { date, recorded_at, to, from } in self.splits.iter().copied() {
            let ratio = whole(to) / whole(from);
            let is_included = stated.quantity.is_none() || recorded_at <= stated.at;
            let was_counted = date <= stated.date && is_included;
            if was_counted && day < date {
                factor /= ratio;
            } else if !was_counted && date <= day && began < date {
                factor *= ratio;
            }
        }
        let shares = stated.quantity.unwrap_or_else(|| self.quantity(stated.date).abs());
        let quantity = to_decimal(&(of_decimal(shares) * factor), SPLIT_DECIMALS)?;
        let (source, locked) = (CostBasisSource::Manual, self.locked);
        (!quantity.is_zero()).then(|| Cost { total: whole(stated.total), quantity, source, locked })
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

/// Adds segments, and the splits where a cost was stated.
fn fill(tx: &mut FamilyTx<'_>, found: &mut [Position]) -> Result<()> {
    let family = tx.family();
    let accounts: BTreeSet<AccountId> = found.iter().map(|position| position.account.id).collect();
    let accounts: Vec<AccountId> = accounts.into_iter().collect();
    let mut segments = positions::segments(tx, &accounts)?;
    let mut splits: BTreeMap<(AccountId, SecurityId), Vec<Split>> = BTreeMap::new();
    if found.iter().any(|position| position.stated.is_some()) {
        let keys: Vec<Val<'_>> = accounts.iter().map(|id| (*id).into()).collect();
        tx.lookup(&SPLITS_OF_ACCOUNTS, &[family.into()], &keys, |row| {
            let of = splits.entry((row.id(0)?, row.id(1)?)).or_default();
            let (date, recorded_at) = (row.date(2)?, row.timestamp(3)?);
            of.push(Split { date, recorded_at, to: row.int(4)?, from: row.int(5)? });
            Ok(())
        })?;
    }
    for position in found {
        let (account, security) = (position.account.id, position.security.id);
        let of_account = segments.get_mut(&account);
        position.segments =
            of_account.and_then(|segments| segments.remove(&security)).unwrap_or_default();
        position.splits = splits.remove(&(account, security)).unwrap_or_default();
    }
    Ok(())
}

fn read(row: &Row<'_>, account: &AccountFacts) -> Result<Position> {
    let when = row.opt_date(4)?.zip(row.opt_timestamp(5)?);
    let stated = match (row.opt_int(2)?, when) {
        (Some(total), Some((date, at))) => {
            let quantity = row.opt_text(3)?.map(decimal).transpose()?;
            Some(StatedCost { quantity, total, date, at })
        }
        _ => None,
    };
    Ok(Position {
        id: row.id(1)?,
        account: account.summary.clone(),
        currency: account.currency,
        security: SecuritySummary::read(row, 9)?,
        stated,
        locked: row.bool(6)?,
        created_at: row.timestamp(7)?,
        updated_at: row.timestamp(8)?,
        segments: Vec::new(),
        splits: Vec::new(),
    })
}
