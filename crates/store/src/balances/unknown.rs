//! The days of which an account's balance isn't known, because amounts aren't booked in it.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::ledger::balance::Direction;
use purser_core::ledger::unknown_days::UnknownDays;

use super::{SERIES_BACKWARD, UNBOOKED_DAYS, VALUED_DAYS};
use crate::access::FamilyTx;
use crate::driver::vals;

/// The days of which the balance of an account (its cash, in accounts with holdings) isn't known.
pub(crate) fn unknown_days(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<UnknownDays> {
    let key = vals![tx.family(), account];
    let unbooked: Vec<Date> = tx.query(&UNBOOKED_DAYS, key, |row| row.date(0))?;
    if unbooked.is_empty() {
        return Ok(UnknownDays::default());
    }
    let backward = tx.query_one(&SERIES_BACKWARD, key, |row| row.bool(0))?;
    let direction = if backward { Direction::Backward } else { Direction::Forward };
    let valued: Vec<Date> = tx.query(&VALUED_DAYS, key, |row| row.date(0))?;
    Ok(UnknownDays::new(direction, unbooked, &valued))
}
