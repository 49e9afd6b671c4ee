//! Positions are derived data: of each security that a plan touches, all trades of the family are
//! folded again, and what is different from a day on is written.
//!
//! The fold itself is pure (`purser_core::ledger::positions`). If a position changed, the balances
//! of its account are folded again from that day on, because a valuation is of money and holdings.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::positions::{Folded, Segment, fold};
use purser_core::ledger::trade::CostMethod;
use purser_core::money::decimal::quantity_text;
use purser_core::money::exact;
use uuid::Uuid;

use super::Executor;
use super::accounts::Accounts;
use super::position_inputs::{Inputs, read};
use super::revaluation::{PRICED_BEFORE, VALUED_HOLDERS_OF};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements};
use crate::rates::decimal;

statements! {
    /// The cost-basis method of each account.
    COST_METHODS = "SELECT id, cost_method FROM accounts WHERE family_id = $1";
    /// By which rate a trade's amount was converted.
    CONVERSION_OF_TRADE = "SELECT entry_id, origin, from_currency, to_currency
        FROM entry_conversions WHERE family_id = $1 AND entry_id = ANY($2)";
    /// Every statement of a provider about a security.
    STATEMENTS_OF_SECURITY = "SELECT security_id, account_id, date, qty, cost_total, cost_qty
        FROM position_statements WHERE family_id = $1 AND security_id = ANY($2)";
    /// Every cost that a person states of a security.
    COSTS_OF_SECURITY = "SELECT security_id, account_id, cost_total, cost_qty, cost_date,
            cost_said_at, cost_locked
        FROM holdings
        WHERE family_id = $1 AND security_id = ANY($2) AND cost_total IS NOT NULL";
    /// What is stored of a security, account by account. CROSS JOIN keeps SQLite to that order:
    /// its own choice reads all segments of the family.
    SEGMENTS_OF_SECURITY = "SELECT p.security_id, p.account_id, p.date, p.qty, p.cost,
            p.cost_source
        FROM accounts a CROSS JOIN position_segments p
        WHERE a.family_id = $1 AND p.family_id = a.family_id AND p.account_id = a.id
            AND p.security_id = ANY($2)
        ORDER BY p.account_id, p.date";
    /// What is stored of an account.
    SEGMENTS_OF_ACCOUNT = "SELECT security_id, account_id, date, qty, cost, cost_source
        FROM position_segments WHERE family_id = $1 AND account_id = ANY($2)
        ORDER BY security_id, date";
    /// Removes segments before they are written again.
    SEGMENTS_CLEAR = "DELETE FROM position_segments
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND date >= $4";
    /// The accounts that have a row for their position in a security.
    HOLDINGS_OF_SECURITY = "SELECT account_id FROM holdings
        WHERE family_id = $1 AND security_id = $2";
    /// A position's row, which stays.
    HOLDING_ADD = "INSERT INTO holdings (family_id, id, account_id, security_id, cost_locked,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// What an account trades or traded.
    SECURITIES_OF_ACCOUNT = "SELECT DISTINCT t.security_id FROM ledger_entries e
        JOIN trades t ON t.family_id = e.family_id AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 2";
    /// The securities for which a provider reported holdings of an account.
    STATED_OF_ACCOUNT = "SELECT DISTINCT security_id FROM position_statements
        WHERE family_id = $1 AND account_id = $2";
    /// Everything that is traded or stated in a family.
    SECURITIES_OF_FAMILY = "SELECT security_id FROM trades WHERE family_id = $1
        UNION SELECT security_id FROM position_statements WHERE family_id = $1
        UNION SELECT security_id FROM position_segments WHERE family_id = $1";
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

/// The securities with positions that are folded again at the end of a plan, and the first day from
/// which their trades imply another price.
#[derive(Debug, Default)]
pub(super) struct Positions {
    securities: BTreeMap<SecurityId, Option<Date>>,
}

/// The segments of a security by account, or of an account by security.
pub(crate) type Segments<K> = BTreeMap<K, Vec<Segment>>;

impl Positions {
    /// A trade of that day is not what it was.
    pub(super) fn touch(&mut self, security: SecurityId, date: Date) {
        let from = self.securities.entry(security).or_default();
        *from = Some(from.map_or(date, |from| from.min(date)));
    }

    fn refold(&mut self, securities: impl IntoIterator<Item = SecurityId>) {
        for security in securities {
            self.securities.entry(security).or_default();
        }
    }

    /// Brings the positions of what was touched up to date.
    pub(super) fn write(&mut self, tx: &mut FamilyTx<'_>, accounts: &mut Accounts) -> Result<()> {
        let family = tx.family();
        let touched = std::mem::take(&mut self.securities);
        let securities: Vec<SecurityId> = touched.keys().copied().collect();
        if securities.is_empty() {
            return Ok(());
        }
        let mut stored = stored(tx, &securities)?;
        let methods = methods(tx)?;
        let mut inserter = Inserter::new(&SEGMENTS);
        for (security, inputs) in read(tx, &securities)? {
            let held: BTreeSet<AccountId> = inputs.holders().collect();
            let folded = fold_security(&methods, &inputs)?;
            put_holdings(tx, security, &held)?;
            let before = stored.remove(&security).unwrap_or_default();
            let both: BTreeSet<AccountId> =
                before.keys().chain(folded.segments.keys()).copied().collect();
            for account in both {
                let old = before.get(&account).map_or(&[][..], Vec::as_slice);
                let new = folded.segments.get(&account).map_or(&[][..], Vec::as_slice);
                let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
                let Some(from) = old[same..].iter().chain(&new[same..]).map(|one| one.date).min()
                else {
                    continue;
                };
                let key = [family.into(), account.into(), security.into(), from.into()];
                tx.execute(&SEGMENTS_CLEAR, &key)?;
                for segment in &new[same..] {
                    push(tx, &mut inserter, account, security, segment)?;
                }
                accounts.touch(tx, account.0)?.refold_from(from);
            }
        }
        inserter.flush(tx)?;
        revalue(tx, accounts, &touched)
    }
}

/// A trade implies a price, and that changes which part of a valuation is cash in accounts that
/// hold the security.
fn revalue(
    tx: &mut FamilyTx<'_>,
    accounts: &mut Accounts,
    touched: &BTreeMap<SecurityId, Option<Date>>,
) -> Result<()> {
    let family = tx.family();
    let priced: BTreeMap<SecurityId, Date> =
        touched.iter().filter_map(|(security, date)| Some((*security, (*date)?))).collect();
    let keys: Vec<Val<'_>> = priced.keys().map(|security| (*security).into()).collect();
    let mut holders: Vec<(SecurityId, Uuid)> = Vec::new();
    tx.lookup(&VALUED_HOLDERS_OF, &[family.into()], &keys, |row| {
        holders.push((row.id(0)?, row.uuid(1)?));
        Ok(())
    })?;
    for (security, account) in holders {
        let Some(date) = priced.get(&security).copied() else { continue };
        let key = [family.into(), security.into(), date.into()];
        // The first price counts for all days before it too.
        let is_first = tx.query_opt(&PRICED_BEFORE, &key, |_| Ok(()))?.is_none();
        let from = if is_first { Date::MIN } else { date };
        accounts.touch(tx, account)?.refold_from(from);
    }
    Ok(())
}

impl Executor {
    /// Has all positions of an account folded again, for example because its way to count the cost
    /// changed.
    pub fn refold_positions(&mut self, tx: &mut FamilyTx<'_>, account: AccountId) -> Result<()> {
        for sql in [&SECURITIES_OF_ACCOUNT, &STATED_OF_ACCOUNT] {
            let found: Vec<SecurityId> = tx.query(sql, &self.key(account.0), |row| row.id(0))?;
            self.positions.refold(found);
        }
        Ok(())
    }

    /// Has the positions of securities folded again, for example because what their trades are
    /// booked at changed.
    pub fn refold_securities(&mut self, securities: impl IntoIterator<Item = SecurityId>) {
        self.positions.refold(securities);
    }

    /// Folds again the positions of securities with trades that changed on those days. Their prices
    /// and splits count too, so the cash part of valuations in other accounts is folded again with
    /// them.
    pub(crate) fn refold_traded(&mut self, traded: impl IntoIterator<Item = (SecurityId, Date)>) {
        for (security, date) in traded {
            self.positions.touch(security, date);
        }
    }
}

/// The positions of a family that follow from its trades, independent of what is stored.
pub(crate) fn folded(
    tx: &mut FamilyTx<'_>,
    securities: &[SecurityId],
) -> Result<Vec<(SecurityId, Folded)>> {
    let methods = methods(tx)?;
    let inputs = read(tx, securities)?;
    inputs.into_iter().map(|(id, inputs)| Ok((id, fold_security(&methods, &inputs)?))).collect()
}

/// Every security of which a family has trades, statements or positions.
pub(crate) fn securities(tx: &mut FamilyTx<'_>) -> Result<Vec<SecurityId>> {
    let family = tx.family();
    let mut found: Vec<SecurityId> =
        tx.query(&SECURITIES_OF_FAMILY, &[family.into()], |row| row.id(0))?;
    found.sort_unstable();
    Ok(found)
}

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

fn fold_security(methods: &BTreeMap<AccountId, CostMethod>, inputs: &Inputs) -> Result<Folded> {
    fold(methods, &inputs.trades, &inputs.statements, &inputs.costs)
        .map_err(|problem| Error::invalid(problem.to_string()))
}

fn methods(tx: &mut FamilyTx<'_>) -> Result<BTreeMap<AccountId, CostMethod>> {
    let family = tx.family();
    let read = |row: &Row<'_>| Ok((row.id(0)?, row.named(1)?));
    let rows = tx.query(&COST_METHODS, &[family.into()], read)?;
    Ok(rows.into_iter().collect())
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

fn push(
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

/// Makes the rows that keep the ids of positions.
fn put_holdings(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    accounts: &BTreeSet<AccountId>,
) -> Result<()> {
    let family = tx.family();
    let key = [family.into(), security.into()];
    let present: BTreeSet<AccountId> =
        tx.query(&HOLDINGS_OF_SECURITY, &key, |row| row.id(0))?.into_iter().collect();
    for account in accounts.difference(&present) {
        let (id, now) = (tx.new_id()?, tx.now());
        let key = [family.into(), Val::Uuid(id), (*account).into(), security.into()];
        tx.execute(&HOLDING_ADD, &[&key[..], &[Val::Bool(false), now.into()]].concat())?;
    }
    Ok(())
}
