//! Finding recurring series in the entries, and bringing the known ones up to date.
//!
//! A series that is known is not found again, whoever made it and whatever its status: one that is
//! switched off stays so. Confirmed transfers are no series: the family pays itself.
//!
//! The search reads many entries, and SQLite has one writer. So [`find`] runs in a read
//! transaction, and [`super::keeping::keep`] only stores the result.

use std::collections::{HashMap, HashSet};

use jiff::Span;
use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, RecurringId};
use purser_core::recurring::input::RecurringStatus;
use purser_core::recurring::{DAYS_LOOKED_AT, Index, Occurrence, Series, detect};
use uuid::Uuid;

use super::following::{self, SeriesDates};
use super::{Recurring, account_of, seen};
use crate::access::{FamilyTx, VisibleAccounts};
use crate::accounts::{self, AccountSummary};
use crate::calendar;
use crate::driver::{statements, vals};
use crate::transfers;

statements! {
    /// Transactions of some days, with their ids at the end.
    SEEN_OF_DAYS = "SELECT account_id, merchant_id, name, category_id, date, amount, currency, id
        FROM ledger_entries
        WHERE family_id = $1 AND date >= $2 AND date <= $3 AND kind = 0
            AND NOT pending AND NOT excluded";
}

/// What was found; nothing of it is stored yet.
#[derive(Debug)]
pub struct Findings {
    /// New series, the most certain first: by the number of transactions, then by the latest day.
    pub(super) series: Vec<Series>,
    /// What has come of those that were known.
    pub(super) moves: Vec<Move>,
}

/// What has come of a series.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) id: RecurringId,
    pub(super) before: SeriesDates,
    pub(super) after: SeriesDates,
}

/// Looks for series in the accounts that the key may see. The cost is that of reading what has
/// happened in the last [`DAYS_LOOKED_AT`] days, and since known series came last.
pub fn find(tx: &mut FamilyTx<'_>) -> Result<Findings> {
    let visible = tx.accounts();
    let today = calendar::today(tx)?;
    let known = known_to(tx)?;
    let index = Index::new(known.iter().map(Recurring::expected));
    let followed: Vec<bool> = known.iter().map(|one| is_followed(one, &visible)).collect();
    let starts = known.iter().zip(&followed).filter(|(_, followed)| **followed);
    let start = starts.map(|(one, _)| SeriesDates::of(one).first_day()).min();
    let mut arrivals = Arrivals::of(known.len());
    let (entries, transferred) = entries(tx, (start.unwrap_or(today), today), |seen| {
        arrivals.add(&index, seen);
    })?;
    arrivals.sort();
    let mut moves = Vec::new();
    for (number, one) in known.iter().enumerate().filter(|(number, _)| followed[*number]) {
        let before = SeriesDates::of(one);
        let mut after = before;
        after.follow(today, |first, last| Ok(arrivals.first(number, first, last)))?;
        if after != before {
            moves.push(Move { id: one.id, before, after });
        }
    }
    let mut series = detect(&entries, today);
    series.retain(|one| index.covering(&one.last_seen()).next().is_none());
    follow(&mut series, entries.iter().chain(&transferred), today)?;
    series.sort_by_key(|one| std::cmp::Reverse((one.count, one.last)));
    Ok(Findings { series, moves })
}

/// The series that aren't found again, as they are stored: those that the key may see.
pub(super) fn known_to(tx: &mut FamilyTx<'_>) -> Result<Vec<Recurring>> {
    let visible = tx.accounts();
    // A label that the key may not see still belongs to what a series is recognised by.
    let mut known = tx.with_all_accounts(seen)?;
    known.retain(|one| visible.covers(account_of(one)));
    Ok(known)
}

/// Whether a detection moves a series on.
fn is_followed(one: &Recurring, visible: &VisibleAccounts) -> bool {
    one.values.status == RecurringStatus::Active && visible.covers(account_of(one))
}

/// The days on which transactions of series came, by the numbers of the series.
struct Arrivals(Vec<Vec<Date>>);

impl Arrivals {
    fn of(series: usize) -> Self {
        Self(vec![Vec::new(); series])
    }

    fn add(&mut self, index: &Index<'_>, seen: &Occurrence) {
        for number in index.covering(seen) {
            if let Some(days) = self.0.get_mut(number) {
                days.push(seen.date);
            }
        }
    }

    fn sort(&mut self) {
        self.0.iter_mut().for_each(|days| days.sort_unstable());
    }

    /// The first day from one to another, both included.
    fn first(&self, number: usize, first: Date, last: Date) -> Option<Date> {
        let days = self.0.get(number)?;
        let found = days.get(days.partition_point(|day| *day < first))?;
        Some(*found).filter(|day| *day <= last)
    }
}

/// The transactions that series are looked for in, and those of the same days and accounts that are
/// sides of transfers. Those since `start` are shown to `visit`, whatever they are.
fn entries(
    tx: &mut FamilyTx<'_>,
    (start, today): (Date, Date),
    mut visit: impl FnMut(&Occurrence),
) -> Result<(Vec<Occurrence>, Vec<Occurrence>)> {
    let family = tx.family();
    let accounts: HashSet<Uuid> = seen_accounts(tx)?.into_keys().map(|id| id.0).collect();
    let sides = transfers::sides::confirmed(tx)?;
    let first = today.saturating_sub(Span::new().days(DAYS_LOOKED_AT));
    let (mut found, mut transferred) = (Vec::new(), Vec::new());
    tx.for_each(&SEEN_OF_DAYS, vals![family, first.min(start), today], |row| {
        let seen = following::read(row)?;
        if seen.date >= start {
            visit(&seen);
        }
        if seen.date >= first && accounts.contains(&seen.account) {
            let is_side = sides.contains(&row.uuid(7)?);
            (if is_side { &mut transferred } else { &mut found }).push(seen);
        }
        Ok(())
    })?;
    Ok((found, transferred))
}

/// The visible accounts of the key.
pub(super) fn seen_accounts(tx: &mut FamilyTx<'_>) -> Result<HashMap<AccountId, AccountSummary>> {
    let shown = accounts::shown(tx)?.into_iter().map(|account| account.summary);
    Ok(shown.map(|one| (one.id, one)).collect())
}

/// Brings series that were found up to date, as reading them will: what is late is expected a month
/// later, and a transfer that looks like one of them counts.
fn follow<'a>(
    series: &mut [Series],
    entries: impl Iterator<Item = &'a Occurrence>,
    today: Date,
) -> Result<()> {
    let mut standings: Vec<SeriesDates> = series
        .iter()
        .map(|one| SeriesDates { day: one.day, last: one.last, next: one.next, count: one.count })
        .collect();
    let mut arrivals = Arrivals::of(series.len());
    if let Some(start) = standings.iter().map(SeriesDates::first_day).min() {
        let index = Index::new(series.iter().map(Series::expected));
        entries.filter(|seen| seen.date >= start).for_each(|seen| arrivals.add(&index, seen));
        arrivals.sort();
    }
    for (number, (one, standing)) in series.iter_mut().zip(&mut standings).enumerate() {
        standing.follow(today, |first, last| Ok(arrivals.first(number, first, last)))?;
        (one.last, one.next, one.count) = (standing.last, standing.next, standing.count);
    }
    Ok(())
}
