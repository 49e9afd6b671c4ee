//! Balances are derived data: days from the earliest change on are folded again and written.
//!
//! The fold itself is pure (`purser_core::ledger::balance`). Days keep their own flows and
//! valuation, so entries are never read again here.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ledger::account::Classification;
use purser_core::ledger::balance::{Activity, Day, fold, merge};
use uuid::Uuid;

use super::accounts::Touched;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// The end of the last day before a day.
    BALANCE_BEFORE = "SELECT end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date < $3 ORDER BY date DESC LIMIT 1";
    /// The days from a day on.
    BALANCES_FROM = "SELECT date, inflow, outflow, valued, transactions_count FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= $3 ORDER BY date";
    /// Before they are written again.
    BALANCES_CLEAR = "DELETE FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= $3";
    /// Everything that the entries say, for a rebuild. Valuations and transactions of a day.
    ACTIVITY_FROM_ENTRIES = "SELECT date,
            CAST(SUM(CASE WHEN kind = 0 AND amount <= 0 THEN -amount ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN kind = 0 AND amount > 0 THEN amount ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN kind = 1 THEN amount ELSE NULL END) AS BIGINT),
            CAST(SUM(CASE WHEN kind = 0 THEN 1 ELSE 0 END) AS BIGINT)
        FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 GROUP BY date ORDER BY date";
    /// The stored series, to compare with a rebuild.
    BALANCES_STORED = "SELECT date, inflow, outflow, valued, transactions_count,
            adjustment, end_amount
        FROM balances WHERE family_id = $1 AND account_id = $2 ORDER BY date";
}

pub(crate) static BALANCES: Bulk = Bulk {
    table: "balances",
    columns: &[
        ("family_id", ColumnType::Int),
        ("account_id", ColumnType::Uuid),
        ("date", ColumnType::Int),
        ("inflow", ColumnType::Int),
        ("outflow", ColumnType::Int),
        ("valued", ColumnType::Int),
        ("adjustment", ColumnType::Int),
        ("end_amount", ColumnType::Int),
        ("transactions_count", ColumnType::Int),
    ],
};

/// Folds the account's days again from the earliest change on.
pub(super) fn update(tx: &mut Tx<'_>, family: FamilyId, account: &Touched) -> Result<()> {
    let Some(from) = account.deltas.keys().next().copied() else {
        return Ok(());
    };
    let key = [family.into(), Val::Uuid(account.id), from.into()];
    let start =
        tx.query_opt(&BALANCE_BEFORE, &key, |row| row.int(0))?.unwrap_or(account.opening_amount);
    let existing = tx.query(&BALANCES_FROM, &key, activity)?;
    let merged = merge(existing, &account.deltas).map_err(|_| out_of_range())?;
    let days = fold(account.classification, start, merged).map_err(|_| out_of_range())?;
    tx.execute(&BALANCES_CLEAR, &key)?;
    insert(tx, family, account.id, &days)
}

fn insert(tx: &mut Tx<'_>, family: FamilyId, account: Uuid, days: &[Day]) -> Result<()> {
    let mut inserter = Inserter::new(&BALANCES);
    for day in days {
        inserter.push(
            tx,
            &[
                family.into(),
                Val::Uuid(account),
                day.date.into(),
                Val::Int(day.activity.inflow),
                Val::Int(day.activity.outflow),
                day.activity.valued.into(),
                Val::Int(day.adjustment),
                Val::Int(day.end),
                Val::Int(day.activity.transactions),
            ],
        )?;
    }
    inserter.flush(tx)?;
    Ok(())
}

fn activity(row: &Row<'_>) -> Result<(Date, Activity)> {
    let activity = Activity {
        inflow: row.int(1)?,
        outflow: row.int(2)?,
        valued: row.opt_int(3)?,
        transactions: row.int(4)?,
    };
    Ok((row.date(0)?, activity))
}

/// The series as the entries say it, independent of what is stored: for `purser check`.
pub(crate) fn rebuilt(
    tx: &mut Tx<'_>,
    family: FamilyId,
    account: Uuid,
    classification: Classification,
    opening_amount: i64,
) -> Result<Vec<Day>> {
    let key = [family.into(), Val::Uuid(account)];
    let days = tx.query(&ACTIVITY_FROM_ENTRIES, &key, activity)?;
    fold(classification, opening_amount, days).map_err(|_| out_of_range())
}

/// The series as it is stored.
pub(crate) fn stored(tx: &mut Tx<'_>, family: FamilyId, account: Uuid) -> Result<Vec<Day>> {
    tx.query(&BALANCES_STORED, &[family.into(), Val::Uuid(account)], |row| {
        let (date, activity) = activity(row)?;
        Ok(Day { date, activity, adjustment: row.int(5)?, end: row.int(6)? })
    })
}

fn out_of_range() -> Error {
    Error::invalid("The balance of the account would leave the range of amounts")
}
