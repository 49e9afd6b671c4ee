//! Positions: the quantity and the cost of a security in an account from day to day, and the gain
//! when it is sold.
//!
//! [`fold`] takes everything that is known of **one** security in **all** accounts of a family,
//! because shares that move between accounts take their cost along, by the rate of the day if the
//! accounts have two currencies. Days are applied in order; within a day splits come first, then
//! shares that come in, then moves between accounts, then shares that go out, each by their numbers
//! (ids follow the order of arrival, and decide only between trades that are alike). The quantity
//! that a provider states is that of the end of its day, and so is, after it, the cost that a
//! person states. So the order in which the trades arrived doesn't matter.
//!
//! What a day leaves to the next is a value, a [`Checkpoint`]: [`fold_on`] goes on from one with
//! what is known of later days, and comes to the same as the whole fold.
//!
//! Costs are exact fractions in units of the account's scale. Unknown ones stay unknown until the
//! shares are gone (with average cost: until all are), and everything that depends on them is
//! marked as incomplete.

mod checkpoint;
mod day;
mod lots;
mod movements;
mod order;
mod quantity;
pub mod stored_lots;

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::holding::CostBasisSource;
use super::trade::CostMethod;
use crate::ids::{AccountId, EntryId};
use crate::money::exact::{Fraction, whole};
pub use checkpoint::{Checkpoint, checkpoint_days};
use day::{Book, Day};
pub use movements::{Cause, LotChange, Movement, Movements, movements};
pub use order::DayOrder;
pub use quantity::{QUANTITY_DECIMALS, Quantity};

/// A number of shares left the range that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The number of shares is out of range")]
pub struct OutOfRange;

/// A trade as far as positions depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The entry of the trade.
    pub id: EntryId,
    /// The account of the trade.
    pub account: AccountId,
    /// The day of the trade.
    pub date: Date,
    /// What happens to the shares.
    pub event: Event,
}

/// What happens to shares. Quantities are positive; money counts units of the account's scale.
/// It is exact: what moves in cash is rounded, what shares cost is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// They come for money: bought, or reinvested.
    Bought {
        /// The number of shares.
        quantity: Decimal,
        /// What they cost, fees included; none while no rate is known.
        cost: Option<Fraction>,
    },
    /// They go for money.
    Sold {
        /// The number of shares.
        quantity: Decimal,
        /// What was received, less fees; none while no rate is known.
        proceeds: Option<Fraction>,
    },
    /// They come from elsewhere.
    Arrived {
        /// The number of shares.
        quantity: Decimal,
        /// Their cost in the other account, if it was stated.
        cost: Option<Fraction>,
        /// Where they come from, if that is another account of the family.
        from: Option<Origin>,
    },
    /// They came from another account of the family that is gone, with their lots.
    Brought {
        /// The number of shares.
        quantity: Decimal,
        /// Their lots, in the order in which they arrived.
        lots: Vec<CarriedLot>,
        /// What their cost is multiplied by, as in [`Origin`].
        factor: Option<Fraction>,
    },
    /// Shares go elsewhere, without money.
    Left {
        /// The number of shares.
        quantity: Decimal,
        /// Where they go, if that is another account of the family: the trade there.
        to: Option<EntryId>,
    },
    /// They went to another account of the family that is gone: a move, not a departure.
    Taken {
        /// The number of shares.
        quantity: Decimal,
    },
    /// Every `from` become `to`.
    Split {
        /// The number of shares after the split, for each `from` before it.
        to: u32,
        /// For every so many, at least one.
        from: u32,
        /// When it was recorded: a cost that was stated before counts the shares without it.
        recorded_at: Timestamp,
    },
}

/// Where shares come from that move between two accounts of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The trade in the other account.
    pub trade: EntryId,
    /// What their cost there is multiplied by: one in the same currency, else the rate of the day
    /// between the two scales; none while no rate is known.
    pub factor: Option<Fraction>,
}

impl Origin {
    /// The origin in an account of the same currency.
    pub fn same(trade: EntryId) -> Self {
        Self { trade, factor: Some(whole(1)) }
    }
}

/// Shares that moved between accounts of the family, as they left.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Carried {
    /// What they had cost where they came from, in that account's scale; none if it isn't known.
    pub cost: Option<Fraction>,
    /// Their lots, in the order in which they arrived.
    pub lots: Vec<CarriedLot>,
}

/// A lot of shares that moved, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CarriedLot {
    /// The day on which it was acquired; none if that isn't known, or isn't one day.
    pub opened: Option<Date>,
    /// The day by which it is sorted.
    pub since: Date,
    /// The place in line among the lots of that day.
    pub order: DayOrder,
    /// How many shares it has.
    pub quantity: Decimal,
    /// What it cost, in the scale of the account that it left; none if it isn't known.
    pub cost: Option<Fraction>,
    /// The source of the cost.
    pub source: CostBasisSource,
}

/// The position that a provider reports for the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The account of the position.
    pub account: AccountId,
    /// The day of the report.
    pub date: Date,
    /// How many shares; negative when they are owed.
    pub quantity: Decimal,
    /// A cost in the account's scale, and the number of shares that it is for.
    pub cost: Option<(i64, Decimal)>,
}

/// The cost that a person states of the shares that an account has at the end of a day. What comes
/// later adds its own cost, what goes later takes from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedCost {
    /// The account of the position.
    pub account: AccountId,
    /// The day of the shares.
    pub date: Date,
    /// A cost in the account's scale, not negative.
    pub total: i64,
    /// How many shares it is the cost of, as they were counted when it was stated; none: all of
    /// them.
    pub shares: Option<Fraction>,
    /// When it was stated. A split of the day or before it that was recorded later made more of
    /// the shares that are there, and so of these.
    pub stated_at: Timestamp,
    /// Whether a provider never replaces it.
    pub locked: bool,
}

/// What an account has from the end of a day on, until the day of the next segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// From the end of this day on.
    pub date: Date,
    /// How many shares: negative when they are owed, 0 when the position is closed.
    pub quantity: Decimal,
    /// What they cost, in units of the account's scale; negative (what was received) for a short
    /// position; none if it isn't known.
    pub cost: Option<Fraction>,
    /// The source of the cost, if it is known.
    pub source: Option<CostBasisSource>,
}

/// What a trade realised by closing what was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gain {
    /// The trade that closed the lots.
    pub trade: EntryId,
    /// The account of the trade.
    pub account: AccountId,
    /// The day of the trade.
    pub date: Date,
    /// What was closed, lot by lot.
    pub lots: Vec<ClosedLot>,
}

/// A lot, or a part of one, that was closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedLot {
    /// The day on which it was acquired (or sold short); none if that isn't known, or isn't one
    /// day, as with average cost.
    pub opened: Option<Date>,
    /// How many shares: negative if they were owed.
    pub quantity: Decimal,
    /// What was received for them.
    pub proceeds: Option<Fraction>,
    /// What was paid for them.
    pub cost: Option<Fraction>,
    /// Whether the provider reported the cost.
    pub from_provider: bool,
}

impl ClosedLot {
    /// What is left of the proceeds; none if a part isn't known.
    pub fn gain(&self) -> Option<Fraction> {
        Some(self.proceeds.as_ref()? - self.cost.as_ref()?)
    }
}

impl Gain {
    /// What is left of all proceeds; none if a part isn't known.
    pub fn total(&self) -> Option<Fraction> {
        self.lots.iter().try_fold(whole(0), |sum, lot| Some(sum + lot.gain()?))
    }
}

/// What follows for one security.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    /// Segments by account, in the order of days. Accounts in which the number of shares never
    /// changed have none.
    pub segments: BTreeMap<AccountId, Vec<Segment>>,
    /// The gains in the order in which the trades count.
    pub gains: Vec<Gain>,
    /// The shares that moved between accounts, by the trade that brought them.
    pub carried: BTreeMap<EntryId, Carried>,
}

/// Folds everything that is known of one security. Accounts that `methods` doesn't name take
/// average cost.
pub fn fold(
    methods: &BTreeMap<AccountId, CostMethod>,
    trades: &[Trade],
    statements: &[Statement],
    costs: &[StatedCost],
) -> Result<Folded, OutOfRange> {
    let book = Book::new(methods, costs);
    fold_days(book, (trades, statements, costs), &[]).map(|(folded, _)| folded)
}

/// Goes on from the end of a day, or from the start, with everything that is known of later days:
/// what follows from that day on is returned, and so is the state at the end of each of the days
/// `ends`, which are in order. What is of the day or before it has counted already.
///
/// The methods are those that the checkpoint was made with, and so are costs of later days: if one
/// changes, everything is folded again.
pub fn fold_on(
    methods: &BTreeMap<AccountId, CostMethod>,
    from: Option<&Checkpoint>,
    trades: &[Trade],
    statements: &[Statement],
    costs: &[StatedCost],
    ends: &[Date],
) -> Result<(Folded, Vec<Checkpoint>), OutOfRange> {
    let book = match from {
        Some(checkpoint) => checkpoint.reopen(methods, costs)?,
        None => Book::new(methods, costs),
    };
    fold_days(book, (trades, statements, costs), ends)
}

/// What is known of the days.
type Inputs<'a> = (&'a [Trade], &'a [Statement], &'a [StatedCost]);

fn fold_days<'a>(
    mut book: Book<'a>,
    inputs: Inputs<'a>,
    ends: &[Date],
) -> Result<(Folded, Vec<Checkpoint>), OutOfRange> {
    let days = by_day(inputs);
    let mut ends = ends.iter().copied().peekable();
    let mut states = Vec::new();
    for (date, day) in days {
        if book.counted_up_to.is_some_and(|last| date <= last) {
            continue;
        }
        while let Some(end) = ends.next_if(|end| *end < date) {
            states.push(book.checkpoint(end));
        }
        book.apply_day(date, day)?;
    }
    states.extend(ends.map(|end| book.checkpoint(end)));
    Ok((book.folded, states))
}

fn by_day<'a>((trades, statements, costs): Inputs<'a>) -> BTreeMap<Date, Day<'a>> {
    let mut days: BTreeMap<Date, Day<'_>> = BTreeMap::new();
    for trade in trades {
        days.entry(trade.date).or_default().trades.push(trade);
    }
    for statement in statements {
        days.entry(statement.date).or_default().statements.push(statement);
    }
    for cost in costs {
        days.entry(cost.date).or_default().costs.push(cost);
    }
    days
}

/// What an account has on a day: the last segment that began on or before it.
pub fn on(segments: &[Segment], date: Date) -> Option<&Segment> {
    let later = segments.partition_point(|segment| segment.date <= date);
    segments.get(later.checked_sub(1)?)
}

#[cfg(test)]
mod going_on;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod removed_accounts;
#[cfg(test)]
mod tests;
