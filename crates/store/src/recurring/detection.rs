//! Finding series in what has happened, and storing what has come of those that are known.
//!
//! A series that is known is not found again, whoever made it and whatever its status: one that is
//! switched off stays so. Confirmed transfers are no series: the family pays itself.

use std::collections::HashSet;

use jiff::Span;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, RecurringId};
use purser_core::money::Currency;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus, RecurringValues};
use purser_core::recurring::{DAYS_LOOKED_AT, Seen, Series, detect as detect_series};
use serde_json::json;
use uuid::Uuid;

use super::changes::{Pointing, add, note};
use super::{Recurring, following, get, seen};
use crate::accounts::{self, Restriction, allows};
use crate::audit::Actor;
use crate::calendar;
use crate::driver::{Tx, statements, vals};
use crate::families::{self, FamilyId};

statements! {
    /// Transactions of some days, with their ids at the end.
    SEEN_OF_DAYS = "SELECT account_id, merchant_id, name, category_id, date, amount, currency, id
        FROM ledger_entries
        WHERE family_id = $1 AND date >= $2 AND date <= $3 AND kind = 0
            AND NOT pending AND NOT excluded";
    /// Both sides of every confirmed transfer.
    SIDES = "SELECT outflow_id, inflow_id FROM transfers
        WHERE family_id = $1 AND status = 'confirmed'";
    /// What has come of a series.
    RECURRING_FOLLOWED = "UPDATE recurring_transactions SET last_occurrence_date = $1,
            next_expected_date = $2, occurrences_count = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
}

/// What a detection did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// Series that are new.
    pub created: Vec<Recurring>,
    /// How many of those that were known have moved on.
    pub moved: u64,
}

/// Looks for series in the accounts that the key may see.
pub fn detect(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
) -> Result<Detected> {
    let (known, moved) = move_on(tx, family, restriction)?;
    let today = calendar::today(tx, family)?;
    let entries = entries(tx, family, restriction, today)?;
    let mut made = Vec::new();
    for series in detect_series(&entries, today) {
        let like = Seen {
            account: series.account,
            merchant: series.merchant,
            name: series.name.clone(),
            category: series.category,
            date: series.last,
            amount: series.amount,
            currency: series.currency,
        };
        if !known.iter().any(|one| one.expected().covers(&like)) {
            made.push(create(tx, family, &series)?);
        }
    }
    if !made.is_empty() || moved > 0 {
        let subject = families::get(tx, family)?.public_id;
        let details = json!({ "created": made, "moved": moved });
        note(tx, family, actor, "recurring_transaction.detect", ("family", subject), details)?;
    }
    let created =
        made.into_iter().map(|id| get(tx, family, restriction, id)).collect::<Result<_>>()?;
    Ok(Detected { created, moved })
}

/// Stores what has come of the series that are known; all of the family's, and how many moved.
fn move_on(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
) -> Result<(Vec<Recurring>, u64)> {
    let before = seen(tx, family, None)?;
    let mut after = before.clone();
    after.retain(|one| {
        restriction.is_none()
            || one.account.as_ref().is_some_and(|account| allows(restriction, account.id))
    });
    following::follow(tx, family, &mut after)?;
    let (mut moved, now) = (0, tx.now());
    for one in &after {
        if before.contains(one) {
            continue;
        }
        let count = i64::try_from(one.count).map_err(Error::internal)?;
        let (last, next) = (one.values.last, one.values.next);
        tx.execute(&RECURRING_FOLLOWED, vals![last, next, count, now, family, one.id])?;
        moved += 1;
    }
    Ok((before, moved))
}

fn entries(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    today: Date,
) -> Result<Vec<Seen>> {
    let accounts: HashSet<Uuid> = accounts::known(tx, family)?
        .into_iter()
        .map(|known| known.summary)
        .filter(|account| account.status.is_visible() && allows(restriction, account.id))
        .map(|account| account.id.0)
        .collect();
    let mut transferred: HashSet<Uuid> = HashSet::new();
    tx.for_each(&SIDES, vals![family], |row| {
        transferred.extend([row.uuid(0)?, row.uuid(1)?]);
        Ok(())
    })?;
    let first = today.saturating_sub(Span::new().days(DAYS_LOOKED_AT));
    let mut found = Vec::new();
    tx.for_each(&SEEN_OF_DAYS, vals![family, first, today], |row| {
        if accounts.contains(&row.uuid(0)?) && !transferred.contains(&row.uuid(7)?) {
            found.push(following::read(row)?);
        }
        Ok(())
    })?;
    Ok(found)
}

fn create(tx: &mut Tx<'_>, family: FamilyId, series: &Series) -> Result<RecurringId> {
    let currency = Currency::parse(series.currency)
        .ok_or_else(|| Error::internal("a series in an unknown currency"))?;
    let values = RecurringValues {
        name: series.name.clone(),
        amount: series.amount,
        currency,
        day: series.day,
        last: series.last,
        next: series.next,
        status: RecurringStatus::Active,
    };
    let to = Pointing {
        account: Some(AccountId(series.account)),
        merchant: series.merchant,
        category: series.category,
    };
    add(tx, family, &values, to, (RecurringMaker::Detection, series.count))
}
