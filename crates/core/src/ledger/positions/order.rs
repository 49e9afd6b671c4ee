//! The order in which the trades of a day count.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::quantity::Quantity;
use super::{Event, OutOfRange, Trade};
use crate::ids::{AccountId, EntryId};
use crate::money::decimal::{quantity_text, read_quantity};
use crate::money::exact;
use crate::money::exact::Fraction;

/// Shares that move between two accounts.
pub(super) struct Move<'a> {
    /// None if that account is gone.
    pub(super) out: Option<&'a Trade>,
    /// None if that account is gone.
    pub(super) into: Option<&'a Trade>,
    pub(super) quantity: Quantity,
    pub(super) factor: Option<&'a Fraction>,
}

/// The order within a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Split,
    In,
    Out,
}

pub(super) fn rank(event: &Event) -> Rank {
    match event {
        Event::Split { .. } => Rank::Split,
        Event::Bought { .. } | Event::Arrived { .. } | Event::Brought { .. } => Rank::In,
        Event::Sold { .. } | Event::Left { .. } | Event::Taken { .. } => Rank::Out,
    }
}

/// The numbers of a trade: its kind, its quantity (of a share split the resulting shares), and its
/// money.
type Numbers<'a> = (u8, Decimal, Decimal, Option<&'a Fraction>);

fn numbers(event: &Event) -> Numbers<'_> {
    let one = Decimal::ONE;
    match event {
        Event::Split { to, from, .. } => (0, (*to).into(), (*from).into(), None),
        Event::Bought { quantity, cost } => (1, *quantity, one, cost.as_ref()),
        Event::Arrived { quantity, cost, .. } => (2, *quantity, one, cost.as_ref()),
        Event::Brought { quantity, .. } => (3, *quantity, one, None),
        Event::Sold { quantity, proceeds } => (4, *quantity, one, proceeds.as_ref()),
        Event::Left { quantity, .. } | Event::Taken { quantity } => (5, *quantity, one, None),
    }
}

/// What brought a lot, in the order in which lots of one day are in line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Opening {
    /// A report of a provider: it isn't known when on that day or before it they came.
    Stated,
    Bought,
    Arrived,
    Moved,
    Sold,
    Left,
    /// What brought it wasn't kept.
    Unknown,
}

/// The place of a lot in line among those of its day. It follows from the trade that brought the
/// lot alone, so that it stays when the lot moves, and when that trade is gone with its account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayOrder {
    opening: Opening,
    quantity: Decimal,
    money: Option<Fraction>,
}

impl DayOrder {
    /// That of shares of which a provider reports that they are there.
    pub(super) const STATED: Self = Self::without_numbers(Opening::Stated);
    /// That of lots with which none was kept: behind all others.
    pub(super) const UNKNOWN: Self = Self::without_numbers(Opening::Unknown);

    const fn without_numbers(opening: Opening) -> Self {
        Self { opening, quantity: Decimal::ZERO, money: None }
    }

    /// That of what a trade brings, or takes from what isn't there.
    pub(super) fn of(event: &Event) -> Self {
        let opening = match event {
            Event::Split { .. } => Opening::Unknown,
            Event::Bought { .. } => Opening::Bought,
            Event::Arrived { from: None, .. } => Opening::Arrived,
            Event::Arrived { .. } | Event::Brought { .. } | Event::Taken { .. } => Opening::Moved,
            Event::Sold { .. } => Opening::Sold,
            Event::Left { to: Some(_), .. } => Opening::Moved,
            Event::Left { to: None, .. } => Opening::Left,
        };
        let (_, quantity, _, money) = numbers(event);
        Self { opening, quantity, money: money.cloned() }
    }
}

/// What [`DayOrder`] is stored as.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredDayOrder(Opening, String, Option<String>);

impl From<&DayOrder> for StoredDayOrder {
    fn from(order: &DayOrder) -> Self {
        let money = order.money.as_ref().map(exact::to_text);
        Self(order.opening, quantity_text(order.quantity), money)
    }
}

impl StoredDayOrder {
    pub(super) fn read(self) -> Option<DayOrder> {
        let Self(opening, quantity, money) = self;
        let money = match money {
            Some(text) => Some(exact::parse(&text)?),
            None => None,
        };
        Some(DayOrder { opening, quantity: read_quantity(&quantity)?, money })
    }
}

/// The position of a trade among those of its day. Ids follow the order of arrival, so they decide
/// only between trades that are alike in everything that counts.
pub(super) fn position_in_day(trade: &Trade) -> (Rank, Numbers<'_>, AccountId, EntryId) {
    (rank(&trade.event), numbers(&trade.event), trade.account, trade.id)
}

/// The pairs of trades that name each other, and what came from accounts that are gone or went to
/// them, in the order of their numbers.
pub(super) fn moves_of<'a>(trades: &[&'a Trade]) -> Result<Vec<Move<'a>>, OutOfRange> {
    let mut moves = Vec::new();
    for out in trades {
        match out.event {
            Event::Taken { quantity } => {
                let quantity = Quantity::of(quantity)?;
                moves.push(Move { out: Some(out), into: None, quantity, factor: None });
            }
            Event::Brought { quantity, ref factor, .. } => {
                let (quantity, factor) = (Quantity::of(quantity)?, factor.as_ref());
                moves.push(Move { out: None, into: Some(out), quantity, factor });
            }
            _ => {}
        }
        let Event::Left { quantity, to: Some(to) } = out.event else { continue };
        let into = trades.iter().find_map(|trade| match &trade.event {
            Event::Arrived { quantity: arrived, from: Some(from), .. } => {
                let fits = trade.id == to && from.trade == out.id && *arrived == quantity;
                fits.then_some((*trade, from.factor.as_ref()))
            }
            _ => None,
        });
        if let Some((into, factor)) = into {
            let quantity = Quantity::of(quantity)?;
            moves.push(Move { out: Some(out), into: Some(into), quantity, factor });
        }
    }
    moves.sort_by(|one, other| one.place().cmp(&other.place()));
    Ok(moves)
}

/// The numbers of a move, its accounts, the factor of its cost, and its first trade.
type MovePlace<'a> =
    (Quantity, Option<AccountId>, Option<AccountId>, Option<&'a Fraction>, Option<EntryId>);

impl<'a> Move<'a> {
    /// The position among the moves of its day.
    fn place(&self) -> MovePlace<'a> {
        let [out, into] = [self.out, self.into].map(|side| side.map(|trade| trade.account));
        (self.quantity, out, into, self.factor, self.sides().next())
    }

    /// The trades that are its sides.
    pub(super) fn sides(&self) -> impl Iterator<Item = EntryId> {
        [self.out, self.into].into_iter().flatten().map(|trade| trade.id)
    }
}
