//! Positions: what an account has of a security from day to day, what that cost, and what was
//! gained when it went.
//!
//! [`fold`] takes everything that is known of **one** security in **all** accounts of a family,
//! because shares that move between accounts take their cost along, by the rate of the day if the
//! accounts have two currencies. Days are folded in order;
//! within a day splits come first, then what comes in, then moves between accounts, then what goes
//! out, each by its numbers (ids follow the order of arrival, and decide only between trades that
//! are alike); what a provider states is the end of its day. So the order in which the trades
//! arrived doesn't matter.
//!
//! Costs are exact fractions in units of the account's scale. Unknown ones stay unknown until the
//! shares are gone (with average cost: until all are), and what depends on them says so.

mod day;
mod lots;
mod quantity;

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::holding::CostBasisSource;
use super::trade::CostMethod;
use crate::ids::{AccountId, EntryId};
use crate::money::exact::{Fraction, whole};
use day::{Book, Day};
pub use quantity::{QUANTITY_DECIMALS, Quantity};

/// A number of shares left the range that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the number of shares is out of range")]
pub struct OutOfRange;

/// A trade as far as positions depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// The entry.
    pub id: EntryId,
    /// Where.
    pub account: AccountId,
    /// When.
    pub date: Date,
    /// What happens to the shares.
    pub event: Event,
}

/// What happens to shares. Quantities are positive; money is in the account's scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// They come for money: bought, or reinvested.
    Bought {
        /// How many.
        quantity: Decimal,
        /// What they cost, fees included; none while no rate is known.
        cost: Option<i64>,
    },
    /// They go for money.
    Sold {
        /// How many.
        quantity: Decimal,
        /// What was received, less fees; none while no rate is known.
        proceeds: Option<i64>,
    },
    /// They come from elsewhere.
    Arrived {
        /// How many.
        quantity: Decimal,
        /// What they cost there, if somebody says so.
        cost: Option<i64>,
        /// Where they come from, if that is another account of the family.
        from: Option<Origin>,
    },
    /// They go elsewhere.
    Left {
        /// How many.
        quantity: Decimal,
        /// Where they go, if that is another account of the family: the trade there.
        to: Option<EntryId>,
    },
    /// Every `from` become `to`.
    Split {
        /// So many.
        to: u32,
        /// For every so many, at least one.
        from: u32,
    },
}

/// Where shares come from that move between two accounts of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The trade there.
    pub trade: EntryId,
    /// What their cost there is multiplied by: one in the same currency, else the rate of the day
    /// between the two scales; none while no rate is known.
    pub factor: Option<Fraction>,
}

impl Origin {
    /// In an account of the same currency.
    pub fn same(trade: EntryId) -> Self {
        Self { trade, factor: Some(whole(1)) }
    }
}

/// What a provider says an account has at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Where.
    pub account: AccountId,
    /// When.
    pub date: Date,
    /// How many shares; negative when they are owed.
    pub quantity: Decimal,
    /// What it says that so many of them cost, in the account's scale.
    pub cost: Option<(i64, Decimal)>,
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
    /// Who says what they cost; none if nobody does.
    pub source: Option<CostBasisSource>,
}

/// What a trade realised by closing what was there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gain {
    /// The closing trade.
    pub trade: EntryId,
    /// Where.
    pub account: AccountId,
    /// When.
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
    /// Whether the cost is what a provider says.
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
    /// By account, in order of days; accounts whose number of shares never changed have none.
    pub segments: BTreeMap<AccountId, Vec<Segment>>,
    /// In the order in which the trades count.
    pub gains: Vec<Gain>,
    /// By the trade that brought them: what shares that moved between accounts had cost where they
    /// came from, in that account's scale; none if it isn't known.
    pub carried: BTreeMap<EntryId, Option<Fraction>>,
}

/// Folds everything that is known of one security. Accounts that `methods` doesn't name take
/// average cost.
pub fn fold(
    methods: &BTreeMap<AccountId, CostMethod>,
    trades: &[Trade],
    statements: &[Statement],
) -> Result<Folded, OutOfRange> {
    let mut days: BTreeMap<Date, Day<'_>> = BTreeMap::new();
    for trade in trades {
        days.entry(trade.date).or_default().trades.push(trade);
    }
    for statement in statements {
        days.entry(statement.date).or_default().statements.push(statement);
    }
    let mut book = Book::new(methods);
    for (date, day) in days {
        book.turn(date, day)?;
    }
    Ok(book.folded)
}

/// What an account has on a day: the last segment that began on or before it.
pub fn on(segments: &[Segment], date: Date) -> Option<&Segment> {
    let later = segments.partition_point(|segment| segment.date <= date);
    segments.get(later.checked_sub(1)?)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
