//! Shares that move are a flow, not a market movement: what they are worth at the end of their day
//! comes into the account or leaves it, whatever price was stated with them.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::balance::{Activity, Day};
use purser_core::rates::Rate;
use rust_decimal::Decimal;

use super::daily::DAILY_MOVES;
use crate::access::FamilyTx;
use crate::accounts::Account;
use crate::driver::vals;
use crate::holdings;
use crate::rates::decimal;

/// The day, the security and the number of shares of a move; negative if they leave.
type Shares = (Date, SecurityId, Decimal);

/// Adds the moves from a day to another to the days of an account's series, which starts with
/// `before`, in place of the values that were stated. Returns the rates that were used, in order of
/// days.
pub(super) fn add(
    tx: &mut FamilyTx<'_>,
    account: &Account,
    (from, to): (Date, Date),
    before: i64,
    days: &mut Vec<Day>,
) -> Result<Vec<(Date, Rate)>> {
    let family = tx.family();
    let moves: Vec<(Shares, i64)> =
        tx.query(&DAILY_MOVES, vals![family, account.summary.id, from, to], |row| {
            Ok(((row.date(0)?, row.id(1)?, decimal(row.text(2)?)?), row.int(3)?))
        })?;
    let (shares, stated): (Vec<Shares>, Vec<i64>) = moves.into_iter().unzip();
    let worth = holdings::worth_of(tx, account.currency, &shares)?;
    for (((date, ..), stated), value) in shares.iter().zip(stated).zip(&worth.days) {
        let at = match days.binary_search_by_key(date, |day| day.date) {
            Ok(at) => at,
            Err(at) => {
                let end =
                    at.checked_sub(1).and_then(|at| days.get(at)).map_or(before, |day| day.end);
                days.insert(
                    at,
                    Day { date: *date, activity: Activity::default(), adjustment: 0, end },
                );
                at
            }
        };
        let day = days.get_mut(at).ok_or_else(|| Error::internal("lost a day"))?;
        let (amount, _) = value.in_balance();
        *side(&mut day.activity, stated) -= stated.abs();
        let side = side(&mut day.activity, amount);
        *side = side.saturating_add(amount.abs());
    }
    Ok(worth.rates)
}

/// The sum of a day that a value is a part of.
fn side(activity: &mut Activity, value: i64) -> &mut i64 {
    if value > 0 { &mut activity.bought } else { &mut activity.sold }
}
