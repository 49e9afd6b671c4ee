//! States of the folds of positions that are kept, so that a trade at the end costs what it changes
//! and not what there was before.
//!
//! A state is kept at the end of a day when at least [`TRADES_APART`] trades were folded since the
//! one before it, and only the newest [`KEPT_MAX`] of a security stay: they are as large as its
//! lots. When something changes from a day on, those of that day and later ones go.

#[cfg(test)]
use std::cell::Cell;
use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::positions::{Checkpoint, Trade, checkpoint_days};

use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements, vals};

statements! {
    /// The days of the kept states of a security.
    CHECKPOINT_DAYS = "SELECT security_id, date FROM position_checkpoints
        WHERE family_id = $1 AND security_id = ANY($2)";
    /// The state of a security on a day.
    CHECKPOINT_STATE = "SELECT state FROM position_checkpoints
        WHERE family_id = $1 AND security_id = $2 AND date = $3";
    /// All states of a security.
    CHECKPOINTS_OF_SECURITY = "SELECT date, state FROM position_checkpoints
        WHERE family_id = $1 AND security_id = $2 ORDER BY date";
    /// Removes the states of some days.
    CHECKPOINTS_CLEAR = "DELETE FROM position_checkpoints
        WHERE family_id = $1 AND security_id = $2 AND date >= $3 AND date <= $4";
}

pub(crate) static CHECKPOINTS: Bulk = Bulk {
    table: "position_checkpoints",
    columns: &[
        ("family_id", ColumnType::Int),
        ("security_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("state", ColumnType::Text),
    ],
};

/// Trades between a kept state and the next.
const TRADES_APART: usize = 128;
/// States of a security that are kept.
const KEPT_MAX: usize = 3;

/// What is kept of a security.
#[derive(Debug, Default)]
pub(super) struct KeptStates {
    /// The newest state before what changed.
    pub(super) newest: Option<Checkpoint>,
    /// The days of all states, in order.
    days: Vec<Date>,
}

/// What is kept of securities, each with the day from which on something changed.
pub(super) fn kept_before(
    tx: &mut FamilyTx<'_>,
    changed: &BTreeMap<SecurityId, Date>,
) -> Result<BTreeMap<SecurityId, KeptStates>> {
    let family = tx.family();
    let mut found: BTreeMap<SecurityId, KeptStates> =
        changed.keys().map(|security| (*security, KeptStates::default())).collect();
    let keys: Vec<Val<'_>> = changed.keys().map(|security| (*security).into()).collect();
    tx.lookup(&CHECKPOINT_DAYS, vals![family], &keys, |row| {
        found.entry(row.id(0)?).or_default().days.push(row.date(1)?);
        Ok(())
    })?;
    for (security, kept) in &mut found {
        kept.days.sort_unstable();
        let before = |day: &&Date| changed.get(security).is_some_and(|from| *day < from);
        let Some(day) = kept.days.iter().rev().find(before).copied() else { continue };
        let read = |row: &crate::driver::Row<'_>| Ok(Checkpoint::parse(day, row.text(0)?));
        // One that can't be read is as good as none: all of them are made again.
        kept.newest = tx.query_one(&CHECKPOINT_STATE, vals![family, *security, day], read)?;
    }
    Ok(found)
}

/// The days at the end of which a fold of these trades keeps its state.
pub(super) fn days(trades: &[Trade]) -> Vec<Date> {
    checkpoint_days(trades, trades_apart(), KEPT_MAX)
}

/// Replaces the states after the one that a fold went on from by those that it came to.
pub(super) fn write(
    tx: &mut FamilyTx<'_>,
    inserter: &mut Inserter,
    security: SecurityId,
    kept: &KeptStates,
    states: &[Checkpoint],
) -> Result<()> {
    let family = tx.family();
    let last = kept.newest.as_ref().map(Checkpoint::date);
    let (stay, go): (Vec<Date>, Vec<Date>) =
        kept.days.iter().partition(|day| last.is_some_and(|last| **day <= last));
    let too_many = (stay.len() + states.len()).saturating_sub(KEPT_MAX).min(stay.len());
    for days in [&stay[..too_many], &go[..]] {
        if let [first, .., last] | [first @ last] = days {
            tx.execute(&CHECKPOINTS_CLEAR, vals![family, security, *first, *last])?;
        }
    }
    for state in states {
        let text = state.to_text().map_err(Error::internal)?;
        let row = [family.into(), security.into(), state.date().into(), Val::Text(&text)];
        inserter.push(tx, &row)?;
    }
    Ok(())
}

/// The kept states of a security as they are stored, in the order of their days.
pub(crate) fn stored(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
) -> Result<Vec<(Date, Option<Checkpoint>)>> {
    let family = tx.family();
    tx.query(&CHECKPOINTS_OF_SECURITY, vals![family, security], |row| {
        let date = row.date(0)?;
        Ok((date, Checkpoint::parse(date, row.text(1)?)))
    })
}

/// Whether a text is what a state is stored as.
pub(crate) fn stored_state_can_be_read(text: &str) -> bool {
    Checkpoint::parse(Date::MIN, text).is_some()
}

#[cfg(not(test))]
fn trades_apart() -> usize {
    TRADES_APART
}

#[cfg(test)]
thread_local! {
    /// What tests take for [`TRADES_APART`]; they work on the thread that calls the store.
    static TRADES_APART_IN_TESTS: Cell<usize> = const { Cell::new(TRADES_APART) };
}

#[cfg(test)]
fn trades_apart() -> usize {
    TRADES_APART_IN_TESTS.get()
}

/// Does work on this thread for which states of folds are kept after so many trades.
#[cfg(test)]
pub(crate) fn keeping_after<T>(trades: usize, work: impl FnOnce() -> T) -> T {
    let before = TRADES_APART_IN_TESTS.replace(trades);
    let result = work();
    TRADES_APART_IN_TESTS.set(before);
    result
}
