//! Brings recurring series up to date since they were stored.
//!
//! Around each expected day the transactions of the account are looked at. One that fits moves the
//! series on; where none came until the last day that it may, the next month is expected. So the
//! cost is a few days of entries for each month since.

use jiff::Span;
use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::recurring::input::{RecurringStatus, RecurringValues};
use purser_core::recurring::{DAYS_OFF_MAX, Occurrence, next_after};

use super::Recurring;
use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{Row, statements, vals};

statements! {
    /// Transactions of some days in an account.
    SEEN_IN_ACCOUNT = "SELECT account_id, merchant_id, name, category_id, date, amount, currency
        FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND date >= $3 AND date <= $4 AND kind = 0
            AND NOT pending AND NOT excluded
        ORDER BY date, id";
    /// Transactions of some days.
    SEEN_ANYWHERE = "SELECT account_id, merchant_id, name, category_id, date, amount, currency
        FROM ledger_entries
        WHERE family_id = $1 AND date >= $2 AND date <= $3 AND kind = 0
            AND NOT pending AND NOT excluded
        ORDER BY date, id";
}

/// Months that a series is followed at most.
const MONTHS_MAX: usize = 36;

/// The dates of a series, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeriesDates {
    /// The day of the month.
    pub(super) day: i8,
    /// The day of the last transaction.
    pub(super) last: Date,
    /// When the next one is expected.
    pub(super) next: Date,
    /// The number of transactions of the series.
    pub(super) count: u64,
}

impl SeriesDates {
    /// The dates of a series.
    pub(super) fn of(one: &Recurring) -> Self {
        let RecurringValues { day, last, next, .. } = one.values;
        Self { day, last, next, count: one.count }
    }

    /// The first day on which the next one may come. What counted as the last one doesn't count
    /// again.
    pub(super) fn first_day(&self) -> Date {
        let after_last = self.last.tomorrow().unwrap_or(self.last);
        moved(self.next, -DAYS_OFF_MAX).max(after_last)
    }

    /// Brings it up to date. `arrived` returns, for a first and a last day, the day of the first
    /// transaction of the series between them.
    pub(super) fn follow(
        &mut self,
        today: Date,
        mut arrived: impl FnMut(Date, Date) -> Result<Option<Date>>,
    ) -> Result<()> {
        for _ in 0..MONTHS_MAX {
            if !self.step(today, &mut arrived)? {
                break;
            }
        }
        Ok(())
    }

    /// Looks for the next one; whether there may be another after it.
    fn step(
        &mut self,
        today: Date,
        arrived: &mut impl FnMut(Date, Date) -> Result<Option<Date>>,
    ) -> Result<bool> {
        let (first, last) = (self.first_day(), moved(self.next, DAYS_OFF_MAX));
        if first > today {
            return Ok(false);
        }
        if let Some(day) = arrived(first, last)? {
            self.last = day;
            self.count += 1;
        } else if last >= today {
            return Ok(false);
        }
        self.next = next_after(self.next, self.day);
        Ok(true)
    }
}

/// Brings series up to date; those that are inactive stay as they are.
pub(super) fn follow(tx: &mut FamilyTx<'_>, found: &mut [Recurring]) -> Result<()> {
    let today = calendar::today(tx)?;
    for one in found.iter_mut().filter(|one| one.values.status == RecurringStatus::Active) {
        let mut standing = SeriesDates::of(one);
        standing.follow(today, |first, last| first_transaction(tx, one, (first, last)))?;
        (one.values.last, one.values.next, one.count) =
            (standing.last, standing.next, standing.count);
    }
    Ok(())
}

/// The day of the first transaction of the series among some days.
fn first_transaction(
    tx: &mut FamilyTx<'_>,
    one: &Recurring,
    (first, last): (Date, Date),
) -> Result<Option<Date>> {
    let family = tx.family();
    let mut found = None;
    let wanted = one.expected();
    let mut visit = |row: &Row<'_>| {
        let seen = read(row)?;
        if found.is_none() && wanted.covers(&seen) {
            found = Some(seen.date);
        }
        Ok(())
    };
    match &one.account {
        Some(account) => {
            let params = vals![family, account.id, first, last];
            tx.for_each(&SEEN_IN_ACCOUNT, params, &mut visit)?;
        }
        None => tx.for_each(&SEEN_ANYWHERE, vals![family, first, last], &mut visit)?,
    }
    Ok(found)
}

/// A transaction of the first seven columns.
pub(super) fn read(row: &Row<'_>) -> Result<Occurrence> {
    Ok(Occurrence {
        account: row.uuid(0)?,
        merchant: row.opt_uuid(1)?,
        name: row.string(2)?,
        category: row.opt_uuid(3)?,
        date: row.date(4)?,
        amount: row.int(5)?,
        currency: row.currency(6)?.code(),
    })
}

fn moved(date: Date, days: i64) -> Date {
    date.saturating_add(Span::new().days(days))
}
