//! What a trade, a statement or a stated cost does to lots: which are closed or become others, and
//! which are added. Programs that keep lots in journals are given these changes, so that they come
//! to the same positions without a rule of their own for what goes first.

use std::collections::BTreeMap;
use std::collections::btree_map::IntoIter;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::day::{Book, Day};
use super::lots::Log;
use super::quantity::Quantity;
use super::{OutOfRange, StatedCost, Statement, Trade, by_day};
use crate::ids::{AccountId, EntryId};
use crate::ledger::trade::CostMethod;
use crate::money::exact::{Fraction, difference, of_decimal, sum, whole};

/// Changes of lots that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement {
    /// The day of the changes.
    pub date: Date,
    /// Why they are there.
    pub cause: Cause,
    /// The changes in each account; what goes comes before what is added.
    pub accounts: Vec<(AccountId, Vec<LotChange>)>,
}

/// Why lots changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// A trade of one account.
    Trade(EntryId),
    /// The two trades of a move between accounts.
    Move {
        /// The trade of the account that the shares leave.
        out: EntryId,
        /// The trade of the account that they reach.
        into: EntryId,
    },
    /// The position that a provider reported.
    Statement,
    /// The cost that a person stated.
    Cost,
}

/// More or fewer shares of one day and of one cost each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LotChange {
    /// The day of the shares: that on which they were acquired, else that by which they are sorted.
    pub opened: Date,
    /// How many shares more, or fewer if it is negative.
    pub quantity: Decimal,
    /// Their cost in units of the account's scale, with the sign of the quantity; none if it isn't
    /// known.
    pub cost: Option<Fraction>,
    /// Whether shares of before go, owned or owed ones.
    pub closes: bool,
}

/// The movements of one security, day by day.
pub struct Movements<'a> {
    book: Book<'a>,
    days: IntoIter<Date, Day<'a>>,
}

/// Everything that moves the lots of one security, in the order in which it counts.
pub fn movements<'a>(
    methods: &'a BTreeMap<AccountId, CostMethod>,
    trades: &'a [Trade],
    statements: &'a [Statement],
    costs: &'a [StatedCost],
) -> Movements<'a> {
    let mut book = Book::new(methods, costs);
    book.movements = Some(Vec::new());
    Movements { book, days: by_day((trades, statements, costs)).into_iter() }
}

impl Iterator for Movements<'_> {
    type Item = Result<Vec<Movement>, OutOfRange>;

    fn next(&mut self) -> Option<Self::Item> {
        let (date, day) = self.days.next()?;
        let applied = self.book.apply_day(date, day);
        let moved = self.book.movements.as_mut().map(std::mem::take).unwrap_or_default();
        Some(applied.map(|()| moved))
    }
}

/// Shares that can't be distinguished: owed or owned, their day, and the cost of one.
type Alike = (bool, Date, Option<Fraction>);

/// What a log comes to.
pub(super) fn changes_of(log: Log) -> Result<Vec<LotChange>, OutOfRange> {
    let mut changes: BTreeMap<Alike, (Quantity, Fraction)> = BTreeMap::new();
    for (is_added, lot) in log {
        let each = match &lot.cost {
            Some(cost) => Some(cost / of_decimal(lot.quantity.to_decimal()?)),
            None => None,
        };
        let alike = (lot.quantity.is_negative(), lot.opened.unwrap_or(lot.since), each);
        let (quantity, cost) = changes.entry(alike).or_insert((Quantity::ZERO, whole(0)));
        let lots_cost = lot.cost.unwrap_or_else(|| whole(0));
        if is_added {
            (*quantity, *cost) = (quantity.plus(lot.quantity)?, sum(cost, &lots_cost));
        } else {
            (*quantity, *cost) = (quantity.minus(lot.quantity)?, difference(cost, &lots_cost));
        }
    }
    let changed = changes.into_iter().filter(|(_, (quantity, _))| !quantity.is_zero());
    let change = |((owed, opened, each), (quantity, cost)): (Alike, (Quantity, Fraction))| {
        let closes = quantity.is_negative() != owed;
        let cost = each.map(|_| cost);
        Ok(LotChange { opened, quantity: quantity.to_decimal()?, cost, closes })
    };
    let mut changes = changed.map(change).collect::<Result<Vec<_>, _>>()?;
    changes.sort_by_key(|change| !change.closes);
    Ok(changes)
}

#[cfg(test)]
#[path = "movement_tests.rs"]
mod tests;
