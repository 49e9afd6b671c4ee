//! The order in which the trades of a day count.

use rust_decimal::Decimal;

use super::quantity::Quantity;
use super::{Event, OutOfRange, Trade};
use crate::ids::{AccountId, EntryId};
use crate::money::exact::Fraction;

/// Shares that move between two accounts.
pub(super) struct Move<'a> {
    pub(super) out: &'a Trade,
    pub(super) into: &'a Trade,
    pub(super) quantity: Quantity,
    pub(super) factor: Option<&'a Fraction>,
}

/// The order within a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Split,
    In,
    /// With the moves between accounts.
    Brought,
    Out,
}

pub(super) fn rank(event: &Event) -> Rank {
    match event {
        Event::Split { .. } => Rank::Split,
        Event::Bought { .. } | Event::Arrived { .. } => Rank::In,
        Event::Brought { .. } => Rank::Brought,
        Event::Sold { .. } | Event::Left { .. } => Rank::Out,
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
        Event::Left { quantity, .. } => (5, *quantity, one, None),
    }
}

/// The position of a trade among those of its day. Ids follow the order of arrival, so they decide
/// only between trades that are alike in everything that counts.
pub(super) fn position_in_day(trade: &Trade) -> (Rank, Numbers<'_>, AccountId, EntryId) {
    (rank(&trade.event), numbers(&trade.event), trade.account, trade.id)
}

/// The pairs of trades that name each other, in the order of their numbers.
pub(super) fn moves_of<'a>(trades: &[&'a Trade]) -> Result<Vec<Move<'a>>, OutOfRange> {
    let mut moves = Vec::new();
    for out in trades {
        let Event::Left { quantity, to: Some(to) } = out.event else { continue };
        let into = trades.iter().find_map(|trade| match &trade.event {
            Event::Arrived { quantity: arrived, from: Some(from), .. } => {
                let fits = trade.id == to && from.trade == out.id && *arrived == quantity;
                fits.then_some((*trade, from.factor.as_ref()))
            }
            _ => None,
        });
        if let Some((into, factor)) = into {
            moves.push(Move { out, into, quantity: Quantity::of(quantity)?, factor });
        }
    }
    moves.sort_by(|one, other| one.place().cmp(&other.place()));
    Ok(moves)
}

impl<'a> Move<'a> {
    /// The position among the moves of its day.
    fn place(&self) -> (Quantity, AccountId, AccountId, Option<&'a Fraction>, EntryId) {
        (self.quantity, self.out.account, self.into.account, self.factor, self.out.id)
    }
}
