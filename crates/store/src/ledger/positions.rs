//! Positions are derived data: of each security that a plan touches the trades of the family are
//! folded again, and what is different from a day on is written.
//!
//! The fold itself is pure (`purser_core::ledger::positions`). It goes on from the newest
//! checkpoint before the first day that changed (`checkpoints`), and then neither trades nor
//! segments of earlier days are read; what changed without a known day is folded from the start. If
//! a position changed, the balances of its account are folded again from that day on, because a
//! valuation is of money and holdings.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::positions::{Checkpoint, Folded, fold_on};
use purser_core::ledger::trade::CostMethod;
use uuid::Uuid;

use super::Executor;
use super::accounts::Accounts;
use super::checkpoints::{self, CHECKPOINTS, KeptStates};
use super::position_inputs::{Inputs, read, read_after};
use super::revaluation::{PRICED_BEFORE, VALUED_HOLDERS_OF};
pub use super::segments::segments;
pub(crate) use super::segments::stored;
use super::segments::{SEGMENTS, SEGMENTS_CLEAR, Segments, push, stored_after};
use crate::access::FamilyTx;
use crate::driver::{Inserter, Row, Val, statements};

statements! {
    /// The cost-basis method of each account.
    COST_METHODS = "SELECT id, cost_method FROM accounts WHERE family_id = $1";
    /// The accounts that have a row for their position in a security.
    HOLDINGS_OF_SECURITY = "SELECT account_id FROM holdings
        WHERE family_id = $1 AND security_id = $2";
    /// A position's row, which stays.
    HOLDING_ADD = "INSERT INTO holdings (family_id, id, account_id, security_id, cost_locked,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// What an account trades or traded.
    SECURITIES_OF_ACCOUNT = "SELECT DISTINCT t.security_id FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 2";
    /// The securities for which a provider reported holdings of an account.
    STATED_OF_ACCOUNT = "SELECT DISTINCT security_id FROM position_statements
        WHERE family_id = $1 AND account_id = $2";
    /// How many trades securities have.
    TRADES_COUNTED = "SELECT security_id, COUNT(*) FROM trades
        WHERE family_id = $1 AND security_id = ANY($2) GROUP BY security_id";
    /// How many reports of providers securities have.
    STATEMENTS_COUNTED = "SELECT security_id, COUNT(*) FROM position_statements
        WHERE family_id = $1 AND security_id = ANY($2) GROUP BY security_id";
    /// How many segments securities have, account by account as in `SEGMENTS_OF_SECURITY`.
    SEGMENTS_COUNTED = "SELECT p.security_id, COUNT(*)
        FROM accounts a CROSS JOIN position_segments p
        WHERE a.family_id = $1 AND p.family_id = $1 AND p.account_id = a.id
            AND p.security_id = ANY($2)
        GROUP BY p.security_id";
    /// Everything that is traded or stated in a family.
    SECURITIES_OF_FAMILY = "SELECT security_id FROM trades WHERE family_id = $1
        UNION SELECT security_id FROM position_statements WHERE family_id = $1
        UNION SELECT security_id FROM position_segments WHERE family_id = $1";
}

/// Trades, reports of providers and segments that are read together, so that memory doesn't grow
/// with what a publish adds or an undo removes. A security that has more is read alone.
const READ_TOGETHER_MAX: u64 = 10_000;

/// The securities with positions that are folded again at the end of a plan.
#[derive(Debug, Default)]
pub(super) struct Positions {
    changed: BTreeMap<SecurityId, Changed>,
}

/// From when on something of a security is not what it was.
#[derive(Debug, Clone, Copy)]
struct Changed {
    /// The first day on which its positions may be others; the first of all days if that isn't
    /// known.
    folded_from: Date,
    /// The first day from which its trades imply another price, if they do.
    priced_from: Option<Date>,
}

impl Positions {
    /// A trade of that day is not what it was, and nor is the price that it implies.
    pub(super) fn touch(&mut self, security: SecurityId, date: Date) {
        let from = &mut self.changed_from(security, date).priced_from;
        *from = Some(from.map_or(date, |from| from.min(date)));
    }

    /// What positions are folded from is not what it was on that day.
    pub(super) fn refold_from(&mut self, security: SecurityId, date: Date) {
        self.changed_from(security, date);
    }

    /// What positions are folded from is not what it was, on whatever day.
    pub(super) fn refold(&mut self, security: SecurityId) {
        self.changed_from(security, Date::MIN);
    }

    fn changed_from(&mut self, security: SecurityId, date: Date) -> &mut Changed {
        let new = Changed { folded_from: date, priced_from: None };
        let changed = self.changed.entry(security).or_insert(new);
        changed.folded_from = changed.folded_from.min(date);
        changed
    }

    /// Brings the positions of what was touched up to date.
    pub(super) fn write(&mut self, tx: &mut FamilyTx<'_>, accounts: &mut Accounts) -> Result<()> {
        let changed = std::mem::take(&mut self.changed);
        if changed.is_empty() {
            return Ok(());
        }
        let from = changed.iter().map(|(security, one)| (*security, one.folded_from));
        let kept = checkpoints::kept_before(tx, &from.collect())?;
        let mut writing = Writing {
            methods: methods(tx)?,
            inserter: Inserter::new(&SEGMENTS),
            checkpoints: Inserter::new(&CHECKPOINTS),
        };
        let (goes_on, whole): (Vec<_>, Vec<_>) =
            kept.into_iter().partition(|(_, kept)| kept.newest.is_some());
        writing.fold_whole(tx, accounts, whole)?;
        for (security, kept) in goes_on {
            let Some(date) = kept.newest.as_ref().map(Checkpoint::date) else { continue };
            let known = (read_after(tx, security, date)?, stored_after(tx, security, date)?);
            writing.fold(tx, accounts, security, &kept, known)?;
        }
        writing.inserter.flush(tx)?;
        writing.checkpoints.flush(tx)?;
        revalue(tx, accounts, &changed)
    }
}

/// What the folds of a plan write.
struct Writing {
    methods: BTreeMap<AccountId, CostMethod>,
    inserter: Inserter,
    checkpoints: Inserter,
}

impl Writing {
    /// Folds securities from the start; what they are folded from is read for as many of them
    /// together as memory is for.
    fn fold_whole(
        &mut self,
        tx: &mut FamilyTx<'_>,
        accounts: &mut Accounts,
        all: Vec<(SecurityId, KeptStates)>,
    ) -> Result<()> {
        let securities: Vec<SecurityId> = all.iter().map(|(security, _)| *security).collect();
        if securities.is_empty() {
            return Ok(());
        }
        let counts = counts(tx, &securities)?;
        let mut kept: BTreeMap<SecurityId, KeptStates> = all.into_iter().collect();
        for securities in groups(&securities, &counts, READ_TOGETHER_MAX) {
            let mut stored = stored(tx, securities)?;
            let mut inputs = read(tx, securities)?;
            for security in securities {
                let Some(kept) = kept.remove(security) else { continue };
                let known = (
                    inputs.remove(security).unwrap_or_default(),
                    stored.remove(security).unwrap_or_default(),
                );
                self.fold(tx, accounts, *security, &kept, known)?;
            }
        }
        Ok(())
    }

    /// Folds a security, from a checkpoint or from the start, and writes what is different after
    /// it.
    fn fold(
        &mut self,
        tx: &mut FamilyTx<'_>,
        accounts: &mut Accounts,
        security: SecurityId,
        kept: &KeptStates,
        (inputs, before): (Inputs, Segments<AccountId>),
    ) -> Result<()> {
        let family = tx.family();
        let held: BTreeSet<AccountId> = inputs.holders().collect();
        let days = checkpoints::days(&inputs.trades);
        let (folded, states) = fold_security(&self.methods, kept.newest.as_ref(), &inputs, &days)?;
        put_holdings(tx, security, &held)?;
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
                push(tx, &mut self.inserter, account, security, segment)?;
            }
            accounts.touch(tx, account.0)?.refold_from(from);
        }
        checkpoints::write(tx, &mut self.checkpoints, security, kept, &states)
    }
}

/// How many trades, reports of providers and segments each security has, if any. In an undo the
/// trades are gone already, and the segments are still there.
fn counts(tx: &mut FamilyTx<'_>, securities: &[SecurityId]) -> Result<BTreeMap<SecurityId, u64>> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = securities.iter().map(|id| (*id).into()).collect();
    let mut found = BTreeMap::new();
    for sql in [&TRADES_COUNTED, &STATEMENTS_COUNTED, &SEGMENTS_COUNTED] {
        tx.lookup(sql, &[family.into()], &keys, |row| {
            *found.entry(row.id(0)?).or_default() += row.count(1)?;
            Ok(())
        })?;
    }
    Ok(found)
}

/// Neighbours that have so much together at most; one that has more is alone.
fn groups<'s>(
    securities: &'s [SecurityId],
    counts: &BTreeMap<SecurityId, u64>,
    max: u64,
) -> Vec<&'s [SecurityId]> {
    let (mut found, mut start, mut sum) = (Vec::new(), 0, 0);
    for (at, security) in securities.iter().enumerate() {
        let count = counts.get(security).copied().unwrap_or_default();
        if at > start && sum + count > max {
            found.push(&securities[start..at]);
            (start, sum) = (at, 0);
        }
        sum += count;
    }
    found.push(&securities[start..]);
    found
}

/// A trade implies a price, and that changes which part of a valuation is cash in accounts that
/// hold the security.
fn revalue(
    tx: &mut FamilyTx<'_>,
    accounts: &mut Accounts,
    changed: &BTreeMap<SecurityId, Changed>,
) -> Result<()> {
    let family = tx.family();
    let priced = changed.iter().filter_map(|(security, one)| Some((*security, one.priced_from?)));
    let priced: BTreeMap<SecurityId, Date> = priced.collect();
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
            self.refold_securities(found);
        }
        Ok(())
    }

    /// Has the positions of securities folded again from the start, for example because a person
    /// states another cost.
    pub fn refold_securities(&mut self, securities: impl IntoIterator<Item = SecurityId>) {
        securities.into_iter().for_each(|security| self.positions.refold(security));
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
    let whole = |(id, inputs): (SecurityId, Inputs)| {
        Ok((id, fold_security(&methods, None, &inputs, &[])?.0))
    };
    inputs.into_iter().map(whole).collect()
}

/// The positions of a security as above, with the state at the end of each of some days.
pub(crate) fn folded_with_states(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    ends: &[Date],
) -> Result<(Folded, Vec<Checkpoint>)> {
    let methods = methods(tx)?;
    let inputs = read(tx, &[security])?.remove(&security).unwrap_or_default();
    fold_security(&methods, None, &inputs, ends)
}

/// Every security of which a family has trades, statements or positions.
pub(crate) fn securities(tx: &mut FamilyTx<'_>) -> Result<Vec<SecurityId>> {
    let family = tx.family();
    let mut found: Vec<SecurityId> =
        tx.query(&SECURITIES_OF_FAMILY, &[family.into()], |row| row.id(0))?;
    found.sort_unstable();
    Ok(found)
}

fn fold_security(
    methods: &BTreeMap<AccountId, CostMethod>,
    from: Option<&Checkpoint>,
    inputs: &Inputs,
    ends: &[Date],
) -> Result<(Folded, Vec<Checkpoint>)> {
    fold_on(methods, from, &inputs.trades, &inputs.statements, &inputs.costs, ends)
        .map_err(|problem| Error::invalid(problem.to_string()))
}

pub(crate) fn methods(tx: &mut FamilyTx<'_>) -> Result<BTreeMap<AccountId, CostMethod>> {
    let family = tx.family();
    let read = |row: &Row<'_>| Ok((row.id(0)?, row.named(1)?));
    let rows = tx.query(&COST_METHODS, &[family.into()], read)?;
    Ok(rows.into_iter().collect())
}

/// Makes the rows that keep the ids of positions.
pub(super) fn put_holdings(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn securities_are_read_in_groups_by_their_trades() {
        let ids: Vec<SecurityId> =
            (1..=200_u128).map(|id| SecurityId(Uuid::from_u128(id))).collect();
        let mut counts: BTreeMap<SecurityId, u64> = ids.iter().map(|id| (*id, 100)).collect();
        counts.insert(ids[50], 25_000);
        counts.remove(&ids[60]);
        let groups = groups(&ids, &counts, 10_000);
        assert_eq!(groups.concat(), ids, "each is read once");
        let sum =
            |group: &[SecurityId]| -> u64 { group.iter().filter_map(|id| counts.get(id)).sum() };
        let sums: Vec<u64> = groups.iter().map(|group| sum(group)).collect();
        assert_eq!(sums, [5_000, 25_000, 10_000, 4_800]);
        assert!(groups.iter().all(|group| group.len() == 1 || sum(group) <= 10_000));
    }
}
