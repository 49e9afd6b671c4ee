//! Balances are derived data: days from the earliest change on are folded again and written.
//!
//! The fold itself is pure (`purser_core::ledger::balance`). Days keep their own flows and
//! valuation, so entries are never read again here.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::account::AccountType;
use purser_core::ledger::balance::{Activity, Day, Direction, Folded, Start, fold, merge};
use uuid::Uuid;

use super::accounts::{self, Series, Touched};
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements};
use crate::holdings;

statements! {
    /// The last day before a day, with a known end if that is asked for, and the days after it. If
    /// there is none, all days.
    BALANCES_AROUND = "SELECT date, inflow, outflow, bought, sold, valued, transactions_count,
            end_amount
        FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= COALESCE((SELECT b.date
            FROM balances b
            WHERE b.family_id = $1 AND b.account_id = $2 AND b.date < $3
                AND (b.valued IS NOT NULL OR NOT $4)
            ORDER BY b.date DESC LIMIT 1), $5)
        ORDER BY date";
    /// Whether the balance of any day was stated.
    BALANCES_VALUED = "SELECT date FROM balances
        WHERE family_id = $1 AND account_id = $2 AND valued IS NOT NULL LIMIT 1";
    /// Before they are written again.
    BALANCES_CLEAR = "DELETE FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= $3";
    /// Flows and counts of the entries by day, for a rebuild. A transaction that is split counts in
    /// money, its parts count in lists.
    ACTIVITY_FROM_ENTRIES = "SELECT date,
            CAST(SUM(CASE WHEN kind IN (0, 2) AND COALESCE(booked, amount) <= 0
                THEN -COALESCE(booked, amount) ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN kind IN (0, 2) AND COALESCE(booked, amount) > 0
                THEN COALESCE(booked, amount) ELSE 0 END) AS BIGINT),
            CAST(0 AS BIGINT), CAST(0 AS BIGINT),
            CAST(SUM(CASE WHEN kind = 1 THEN amount ELSE NULL END) AS BIGINT),
            CAST(SUM(CASE WHEN kind = 0 AND NOT is_split OR kind = 3 THEN 1 ELSE 0 END) AS BIGINT)
        FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 GROUP BY date ORDER BY date";
    /// What its trades exchanged, day by day.
    EXCHANGED_FROM_TRADES = "SELECT e.date,
            CAST(SUM(CASE WHEN t.value > 0 THEN t.value ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN t.value > 0 THEN 0 ELSE -t.value END) AS BIGINT)
        FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.kind = 2
        GROUP BY e.date ORDER BY e.date";
    /// The stored series, to compare with a rebuild.
    BALANCES_STORED = "SELECT date, inflow, outflow, bought, sold, valued, transactions_count,
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
        ("bought", ColumnType::Int),
        ("sold", ColumnType::Int),
        ("valued", ColumnType::Int),
        ("adjustment", ColumnType::Int),
        ("end_amount", ColumnType::Int),
        ("transactions_count", ColumnType::Int),
    ],
};

/// Folds the account's days again from the earliest change on. Gives the series as it is now.
pub(super) fn update(tx: &mut FamilyTx<'_>, account: &Touched) -> Result<Series> {
    let family = tx.family();
    let changed = account.deltas.keys().next().copied();
    let Some(from) = changed.into_iter().chain(account.refolded_from).min() else {
        return Ok(account.series);
    };
    let series = account.series;
    // Backward, days between the last known balance and the change follow from both.
    let known = Val::Bool(series.backward);
    let around = [family.into(), Val::Uuid(account.id), from.into(), known, Date::MIN.into()];
    let existing = if account.is_new {
        Vec::new()
    } else {
        tx.query(&BALANCES_AROUND, &around, |row| Ok((activity(row)?, row.int(7)?)))?
    };
    let mut existing = existing.into_iter();
    let is_start = |(date, activity): &(Date, Activity)| {
        *date < from && (!series.backward || activity.valued.is_some())
    };
    let before = existing.as_slice().first().filter(|(day, _)| is_start(day));
    let (start, from) = match before.map(|((date, _), end)| (*date, *end)) {
        Some((date, end)) => {
            existing.next();
            (Start::After(date, end), date.tomorrow().map_err(Error::internal)?)
        }
        None => (Start::Opening(series.opening_stated), Date::MIN),
    };
    let key = [family.into(), Val::Uuid(account.id), from.into()];
    let existing = existing.map(|(day, _)| day);
    let merged = merge(existing, &account.deltas).map_err(|_| out_of_range())?;
    let folded = folded(tx, account.id, account.account_type, series, start, merged)?;
    if !account.is_new {
        tx.execute(&BALANCES_CLEAR, &key)?;
    }
    insert(tx, account.id, &folded.days)?;
    Ok(match start {
        Start::Opening(_) => series.with_opening(folded.opening),
        Start::After(..) => series,
    })
}

fn folded(
    tx: &mut FamilyTx<'_>,
    account: Uuid,
    account_type: AccountType,
    series: Series,
    start: Start,
    days: BTreeMap<Date, Activity>,
) -> Result<Folded> {
    let direction = if series.backward { Direction::Backward } else { Direction::Forward };
    let valued = days.iter().filter(|(_, activity)| activity.valued.is_some());
    let valued: Vec<Date> = valued.map(|(date, _)| *date).collect();
    let mut worth = HashMap::new();
    if account_type.holds_securities() && !valued.is_empty() {
        let values = holdings::values_on(tx, AccountId(account), &valued)?.days;
        worth =
            valued.into_iter().zip(values.into_iter().map(|value| value.in_balance().0)).collect();
    }
    let worth = |date: Date| worth.get(&date).copied().unwrap_or_default();
    fold(account_type.classification(), direction, start, days, worth).map_err(|_| out_of_range())
}

fn insert(tx: &mut FamilyTx<'_>, account: Uuid, days: &[Day]) -> Result<()> {
    let family = tx.family();
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
                Val::Int(day.activity.bought),
                Val::Int(day.activity.sold),
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
        bought: row.int(3)?,
        sold: row.int(4)?,
        valued: row.opt_int(5)?,
        transactions: row.int(6)?,
    };
    Ok((row.date(0)?, activity))
}

/// The series that follows from the entries, independent of what is stored: for `purser check`.
pub(crate) fn rebuilt(
    tx: &mut FamilyTx<'_>,
    account: Uuid,
    account_type: AccountType,
    series: Series,
) -> Result<Folded> {
    let family = tx.family();
    let key = [family.into(), Val::Uuid(account)];
    let mut days: BTreeMap<Date, Activity> =
        tx.query(&ACTIVITY_FROM_ENTRIES, &key, activity)?.into_iter().collect();
    let exchanged =
        tx.query(&EXCHANGED_FROM_TRADES, &key, |row| Ok((row.date(0)?, row.int(1)?, row.int(2)?)))?;
    for (date, bought, sold) in exchanged {
        let day = days.entry(date).or_default();
        (day.bought, day.sold) = (bought, sold);
    }
    // A day with entries that all come to nothing: an entry of amount 0 that no list counts.
    days.retain(|_, activity| !activity.is_empty());
    let start = Start::Opening(series.opening_stated);
    folded(tx, account, account_type, series, start, days)
}

/// The series of an account as the caller may see it, if it isn't the stored one: what is left as
/// money on the days of valuations follows from the prices of what the account holds, and those of
/// trades in hidden accounts are none for a restricted key.
pub(crate) fn as_visible(
    tx: &mut FamilyTx<'_>,
    account: Uuid,
    account_type: AccountType,
) -> Result<Option<Folded>> {
    if !tx.accounts().is_restricted() || !account_type.holds_securities() {
        return Ok(None);
    }
    let key = [tx.family().into(), Val::Uuid(account)];
    if tx.query_opt(&BALANCES_VALUED, &key, |_| Ok(()))?.is_none() {
        return Ok(None);
    }
    let (_, series) = accounts::series(tx, account)?;
    rebuilt(tx, account, account_type, series).map(Some)
}

/// The series as it is stored.
pub(crate) fn stored(tx: &mut FamilyTx<'_>, account: Uuid) -> Result<Vec<Day>> {
    let family = tx.family();
    tx.query(&BALANCES_STORED, &[family.into(), Val::Uuid(account)], |row| {
        let (date, activity) = activity(row)?;
        Ok(Day { date, activity, adjustment: row.int(7)?, end: row.int(8)? })
    })
}

fn out_of_range() -> Error {
    Error::invalid("The balance of the account would leave the range of amounts")
}
