//! Daily balances: what an account held at the end of each day, and why.
//!
//! A series has one [`Day`] for each day on which something happened, in order of date; a day
//! between has the end of the one before it:
//!
//! ```text
//! start = end of the day before, or the opening amount
//! end   = start + (inflow − outflow) · s + adjustment        s = +1 for assets, −1 for debt
//! ```
//!
//! On a day with a valuation the end is known. Folded *forward*, the adjustment of that day is the
//! part that its flows don't explain. Folded *backward* (an account of which the bank reports the
//! present balance), flows are taken to be complete: the days before a known end follow from it,
//! nothing is left to explain before the first, and between two of them the unexplained part is
//! booked on the day after the earlier.
//!
//! In an account with holdings the series is that of its cash: a valuation is of the whole, and the
//! value of the holdings at its end is subtracted ([`fold`]'s `holdings`).
//!
//! A change is merged into the days that it touches, and only the days from the earliest of them on
//! are folded again: the cost of a late entry is the number of later days, not of entries.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::account::Classification;

/// What happened on a day, before it is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Activity {
    /// The money that came in, positive.
    pub inflow: i64,
    /// The money that went out, positive.
    pub outflow: i64,
    /// Value that trades brought into the holdings, positive.
    pub bought: i64,
    /// Value that trades took out of the holdings, positive.
    pub sold: i64,
    /// The valuation of the day, if there is one.
    pub valued: Option<i64>,
    /// How many transactions a list shows of the day.
    pub transactions: i64,
}

/// A day of the series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// The date of the day.
    pub date: Date,
    /// The flows and the valuation of the day.
    pub activity: Activity,
    /// What the flows don't explain.
    pub adjustment: i64,
    /// At the end of the day; for a liability positive = debt.
    pub end: i64,
}

/// How a day's activity changes. Flows and counts add up, a valuation replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delta {
    /// Added to the inflow; negative when an entry is taken away.
    pub inflow: i64,
    /// Added to the outflow.
    pub outflow: i64,
    /// Added to the value that was bought.
    pub bought: i64,
    /// Added to the value that was sold.
    pub sold: i64,
    /// Added to the number of transactions.
    pub transactions: i64,
    /// `None` leaves the day's valuation alone, `Some(None)` takes it away.
    pub valued: Option<Option<i64>>,
}

/// An amount left the range of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The balance is out of range")]
pub struct OutOfRange;

/// The direction in which a series is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the opening on.
    Forward,
    /// From known balances back.
    Backward,
}

/// Where a fold begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With the first day of the account. The amount is before it; folded backward it is replaced
    /// by what follows from the first known balance, if there is one.
    Opening(i64),
    /// After a day that stays: its end. Folded backward this day must have a valuation.
    After(Date, i64),
}

/// What a fold gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// The amount before the first day.
    pub opening: i64,
    /// The days, in order.
    pub days: Vec<Day>,
}

impl Folded {
    /// The balance at the end of a day.
    pub fn end_of(&self, date: Date) -> i64 {
        let until = self.days.partition_point(|day| day.date <= date);
        let last = until.checked_sub(1).and_then(|last| self.days.get(last));
        last.map_or(self.opening, |day| day.end)
    }
}

impl Delta {
    /// Counts one transaction in. `amount` is positive for money out.
    pub fn add_transaction(&mut self, amount: i64) -> Result<(), OutOfRange> {
        self.flow(amount, 1)?;
        self.transactions += 1;
        Ok(())
    }

    /// Takes one transaction out that was counted in before.
    pub fn remove_transaction(&mut self, amount: i64) -> Result<(), OutOfRange> {
        self.flow(amount, -1)?;
        self.transactions -= 1;
        Ok(())
    }

    /// Counts a trade in: `cash` is positive for money out, `value` (quantity times price) is
    /// positive for what came into the holdings.
    pub fn add_trade(&mut self, cash: i64, value: i64) -> Result<(), OutOfRange> {
        self.flow(cash, 1)?;
        self.exchange(value, 1)
    }

    /// Takes a trade out that was counted in before.
    pub fn remove_trade(&mut self, cash: i64, value: i64) -> Result<(), OutOfRange> {
        self.flow(cash, -1)?;
        self.exchange(value, -1)
    }

    /// Adds another change of the same day; its valuation is the later word.
    pub fn merge(&mut self, later: &Self) -> Result<(), OutOfRange> {
        let add = |a: i64, b: i64| a.checked_add(b).ok_or(OutOfRange);
        *self = Self {
            inflow: add(self.inflow, later.inflow)?,
            outflow: add(self.outflow, later.outflow)?,
            bought: add(self.bought, later.bought)?,
            sold: add(self.sold, later.sold)?,
            transactions: self.transactions + later.transactions,
            valued: later.valued.or(self.valued),
        };
        Ok(())
    }

    fn flow(&mut self, amount: i64, times: i64) -> Result<(), OutOfRange> {
        let flow = if amount > 0 { &mut self.outflow } else { &mut self.inflow };
        add_size(flow, amount, times)
    }

    fn exchange(&mut self, value: i64, times: i64) -> Result<(), OutOfRange> {
        let side = if value > 0 { &mut self.bought } else { &mut self.sold };
        add_size(side, value, times)
    }
}

fn add_size(sum: &mut i64, amount: i64, times: i64) -> Result<(), OutOfRange> {
    let size = amount.checked_abs().ok_or(OutOfRange)? * times;
    *sum = sum.checked_add(size).ok_or(OutOfRange)?;
    Ok(())
}

impl Activity {
    fn changed_by(self, delta: &Delta) -> Result<Self, OutOfRange> {
        let add = |a: i64, b: i64| a.checked_add(b).ok_or(OutOfRange);
        Ok(Self {
            inflow: add(self.inflow, delta.inflow)?,
            outflow: add(self.outflow, delta.outflow)?,
            bought: add(self.bought, delta.bought)?,
            sold: add(self.sold, delta.sold)?,
            valued: delta.valued.unwrap_or(self.valued),
            transactions: self.transactions + delta.transactions,
        })
    }

    /// Whether nothing happened; such a day exists only where an adjustment does.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// How the flows move the balance.
    pub fn net(&self, classification: Classification) -> Result<i64, OutOfRange> {
        match classification {
            Classification::Asset => self.inflow.checked_sub(self.outflow),
            Classification::Liability => self.outflow.checked_sub(self.inflow),
        }
        .ok_or(OutOfRange)
    }
}

/// Merges changes into the days that they touch. Days on which nothing is left disappear.
pub fn merge(
    days: impl IntoIterator<Item = (Date, Activity)>,
    deltas: &BTreeMap<Date, Delta>,
) -> Result<BTreeMap<Date, Activity>, OutOfRange> {
    let mut merged: BTreeMap<Date, Activity> =
        days.into_iter().filter(|(_, activity)| !activity.is_empty()).collect();
    for (date, delta) in deltas {
        let before = merged.get(date).copied().unwrap_or_default();
        let after = before.changed_by(delta)?;
        if after.is_empty() {
            merged.remove(date);
        } else {
            merged.insert(*date, after);
        }
    }
    Ok(merged)
}

/// Folds the days that follow on `start`. `holdings` returns the value of the account's holdings at
/// the end of a day with a valuation: 0 in accounts without holdings.
pub fn fold(
    classification: Classification,
    direction: Direction,
    start: Start,
    days: impl IntoIterator<Item = (Date, Activity)>,
    holdings: impl Fn(Date) -> i64,
) -> Result<Folded, OutOfRange> {
    let known = days.into_iter().map(|(date, activity)| {
        let cash = |whole: i64| whole.checked_sub(holdings(date)).ok_or(OutOfRange);
        Ok((date, activity, activity.valued.map(cash).transpose()?))
    });
    let known = known.collect::<Result<Vec<_>, _>>()?;
    match direction {
        Direction::Forward => forward(classification, start, known),
        Direction::Backward => backward(classification, start, known),
    }
}

/// A day, its flows, and its end if a valuation sets it.
type DayWithEnd = (Date, Activity, Option<i64>);

fn forward(
    classification: Classification,
    start: Start,
    days: Vec<DayWithEnd>,
) -> Result<Folded, OutOfRange> {
    let (Start::Opening(opening) | Start::After(_, opening)) = start;
    let mut end = opening;
    let days = days.into_iter().map(|(date, activity, known)| {
        let flowed = end.checked_add(activity.net(classification)?).ok_or(OutOfRange)?;
        let adjustment = match known {
            Some(known) => known.checked_sub(flowed).ok_or(OutOfRange)?,
            None => 0,
        };
        end = known.unwrap_or(flowed);
        Ok(Day { date, activity, adjustment, end })
    });
    Ok(Folded { opening, days: days.collect::<Result<_, _>>()? })
}

fn backward(
    classification: Classification,
    start: Start,
    days: Vec<DayWithEnd>,
) -> Result<Folded, OutOfRange> {
    let (mut opening, mut before) = match start {
        Start::Opening(opening) => (opening, None),
        Start::After(date, end) => (end, Some((date, end))),
    };
    let mut folded: Vec<Day> = Vec::with_capacity(days.len());
    let mut rest = &days[..];
    while let Some(at) = rest.iter().position(|(_, _, known)| known.is_some()) {
        let (span, later) = rest.split_at(at + 1);
        rest = later;
        let Some((date, _, Some(known))) = span.last().copied() else { break };
        // What the span must have started with, for its flows to lead to its known end.
        let net = span.iter().try_fold(0_i64, |net, (_, activity, _)| {
            net.checked_add(activity.net(classification)?).ok_or(OutOfRange)
        })?;
        let needed = known.checked_sub(net).ok_or(OutOfRange)?;
        match before {
            None => {
                opening = needed;
                push_span(&mut folded, classification, span, needed, None)?;
            }
            Some((last, end)) => {
                let drift = needed.checked_sub(end).ok_or(OutOfRange)?;
                let on = last.tomorrow().map_err(|_| OutOfRange)?;
                let drift = (drift != 0).then_some((on, drift));
                push_span(&mut folded, classification, span, end, drift)?;
            }
        }
        before = Some((date, known));
    }
    let end = before.map_or(opening, |(_, end)| end);
    push_span(&mut folded, classification, rest, end, None)?;
    Ok(Folded { opening, days: folded })
}

/// Folds a span forward; `drift` is adjusted on its day, which may be one without activity.
fn push_span(
    folded: &mut Vec<Day>,
    classification: Classification,
    span: &[DayWithEnd],
    mut end: i64,
    drift: Option<(Date, i64)>,
) -> Result<(), OutOfRange> {
    let mut drift = drift;
    if let Some((on, adjustment)) = drift
        && span.first().is_some_and(|(date, _, _)| *date > on)
    {
        end = end.checked_add(adjustment).ok_or(OutOfRange)?;
        folded.push(Day { date: on, activity: Activity::default(), adjustment, end });
        drift = None;
    }
    for (date, activity, _) in span {
        let adjustment = drift.take().map_or(0, |(_, adjustment)| adjustment);
        let moved = activity.net(classification)?.checked_add(adjustment).ok_or(OutOfRange)?;
        end = end.checked_add(moved).ok_or(OutOfRange)?;
        folded.push(Day { date: *date, activity: *activity, adjustment, end });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
