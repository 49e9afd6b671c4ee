//! What has come of series since they were stored.
//!
//! Around each expected day the transactions of the account are looked at. One that fits moves the
//! series on; where none came until the last day that it may, the next month is expected. So the
//! cost is a few days of entries for each month since.

use jiff::Span;
use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::recurring::input::RecurringStatus;
use purser_core::recurring::{DAYS_OFF_MAX, Seen, next_after};

use super::Recurring;
use crate::calendar;
use crate::driver::{Row, Tx, statements, vals};
use crate::families::FamilyId;

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

/// Brings series up to date; those that are inactive stay as they are.
pub(super) fn follow(tx: &mut Tx<'_>, family: FamilyId, found: &mut [Recurring]) -> Result<()> {
    let today = calendar::today(tx, family)?;
    for one in found.iter_mut().filter(|one| one.values.status == RecurringStatus::Active) {
        for _ in 0..MONTHS_MAX {
            if !step(tx, family, one, today)? {
                break;
            }
        }
    }
    Ok(())
}

/// Looks for the next one; whether there may be another after it.
fn step(tx: &mut Tx<'_>, family: FamilyId, one: &mut Recurring, today: Date) -> Result<bool> {
    let expected = one.values.next;
    // What counted as the last one doesn't count again.
    let after_last = one.values.last.tomorrow().unwrap_or(one.values.last);
    let first = moved(expected, -DAYS_OFF_MAX).max(after_last);
    let last = moved(expected, DAYS_OFF_MAX);
    if first > today {
        return Ok(false);
    }
    let arrived = look(tx, family, one, (first, last))?;
    if let Some(seen) = arrived {
        one.values.last = seen;
        one.count += 1;
    } else if last >= today {
        return Ok(false);
    }
    one.values.next = next_after(expected, one.values.day);
    Ok(true)
}

/// The day of the first transaction of the series among some days.
fn look(
    tx: &mut Tx<'_>,
    family: FamilyId,
    one: &Recurring,
    (first, last): (Date, Date),
) -> Result<Option<Date>> {
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
pub(super) fn read(row: &Row<'_>) -> Result<Seen> {
    Ok(Seen {
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
