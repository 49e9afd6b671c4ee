//! One day of a security in all accounts: the order in which its trades count, and what each does.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use num_traits::Zero;
use rust_decimal::Decimal;

use super::lots::{Closed, Lot, Stack};
use super::quantity::Quantity;
use super::{
    Carried, CarriedLot, Event, Folded, Gain, OutOfRange, Segment, StatedCost, Statement, Trade,
};
use crate::ids::{AccountId, EntryId};
use crate::ledger::holding::CostBasisSource;
use crate::ledger::trade::CostMethod;
use crate::money::exact::{Fraction, of_decimal, shorten, whole};

/// The trades, statements and stated costs of a day, in any order.
#[derive(Debug, Default)]
pub(super) struct Day<'a> {
    pub(super) trades: Vec<&'a Trade>,
    pub(super) statements: Vec<&'a Statement>,
    pub(super) costs: Vec<&'a StatedCost>,
}

/// The accounts after the days that were folded.
pub(super) struct Book<'a> {
    methods: &'a BTreeMap<AccountId, CostMethod>,
    stacks: BTreeMap<AccountId, Stack>,
    /// The accounts with a cost that a provider doesn't replace.
    locked: BTreeSet<AccountId>,
    /// How many trades counted so far.
    order: u64,
    pub(super) folded: Folded,
}

/// Shares that move between two accounts.
struct Move<'a> {
    out: &'a Trade,
    into: &'a Trade,
    quantity: Quantity,
    factor: Option<&'a Fraction>,
}

impl<'a> Book<'a> {
    pub(super) fn new(methods: &'a BTreeMap<AccountId, CostMethod>) -> Self {
        let (stacks, locked, folded) = <(BTreeMap<_, _>, BTreeSet<_>, Folded)>::default();
        Self { methods, stacks, locked, order: 0, folded }
    }

    /// Applies the next day.
    pub(super) fn apply_day(&mut self, date: Date, mut day: Day<'_>) -> Result<(), OutOfRange> {
        day.trades.sort_unstable_by(|one, other| position_in_day(one).cmp(&position_in_day(other)));
        let moves = moves_of(&day.trades)?;
        let paired: BTreeSet<EntryId> =
            moves.iter().flat_map(|one| [one.out.id, one.into.id]).collect();
        let alone = day.trades.iter().filter(|trade| !paired.contains(&trade.id));
        let (first, last): (Vec<&Trade>, Vec<&Trade>) =
            alone.copied().partition(|trade| rank(&trade.event) < Rank::Out);
        for trade in first {
            self.trade(trade)?;
        }
        self.move_all(moves)?;
        for trade in last {
            self.trade(trade)?;
        }
        for statement in &day.statements {
            self.apply_statement(statement)?;
        }
        for cost in &day.costs {
            self.apply_cost(cost)?;
        }
        let touched: BTreeSet<AccountId> = day
            .trades
            .iter()
            .map(|trade| trade.account)
            .chain(day.statements.iter().map(|statement| statement.account))
            .chain(day.costs.iter().map(|cost| cost.account))
            .collect();
        touched.into_iter().try_for_each(|account| self.push_segment(account, date))
    }

    fn stack(&mut self, account: AccountId) -> &mut Stack {
        let method = self.methods.get(&account).copied().unwrap_or(CostMethod::Average);
        self.stacks.entry(account).or_insert_with(|| Stack::new(method))
    }

    fn trade(&mut self, trade: &Trade) -> Result<(), OutOfRange> {
        self.order += 1;
        match trade.event {
            Event::Bought { quantity, ref cost } => {
                let quantity = Quantity::of(quantity)?;
                self.add(trade, self.own_lot(trade, quantity, cost.clone(), true))
            }
            Event::Sold { quantity, ref proceeds } => {
                let quantity = Quantity::of(quantity)?.negated();
                let received = proceeds.as_ref().map(|received| -received);
                self.add(trade, self.own_lot(trade, quantity, received, true))
            }
            Event::Arrived { quantity, ref cost, .. } => {
                let quantity = Quantity::of(quantity)?;
                self.add(trade, self.own_lot(trade, quantity, cost.clone(), false))
            }
            Event::Brought { ref lots, ref factor, .. } => {
                let lot = |lot: &CarriedLot| Lot::brought(lot, self.order);
                let lots = lots.iter().map(lot).collect::<Result<_, _>>()?;
                self.arrive(trade, lots, factor.as_ref())
            }
            Event::Left { quantity, .. } => {
                self.transfer_out(trade, Quantity::of(quantity)?).map(drop)
            }
            Event::Split { to, from } => {
                // What is rounded to nothing is worth nothing: its cost is a loss.
                let gone = self.stack(trade.account).split(to, from)?;
                let closed = gone.into_iter().map(|lot| Closed { lot, against: Some(whole(0)) });
                self.realise(trade, closed.collect())
            }
        }
    }

    /// What the trade that is at work brings or takes.
    fn own_lot(
        &self,
        trade: &Trade,
        quantity: Quantity,
        cost: Option<Fraction>,
        acquired: bool,
    ) -> Lot {
        Lot {
            opened: acquired.then_some(trade.date),
            since: trade.date,
            order: self.order,
            quantity,
            cost,
            source: CostBasisSource::Calculated,
        }
    }

    fn add(&mut self, trade: &Trade, lot: Lot) -> Result<(), OutOfRange> {
        let closed = self.stack(trade.account).add(lot)?;
        self.realise(trade, closed)
    }

    /// Takes shares out without money. What isn't there is owed, at a cost that nobody knows.
    fn transfer_out(&mut self, trade: &Trade, quantity: Quantity) -> Result<Vec<Lot>, OutOfRange> {
        let stack = self.stack(trade.account);
        let mut taken = Vec::new();
        if !stack.quantity().is_negative() {
            taken = stack.take(quantity)?;
        }
        let found = taken.iter().try_fold(Quantity::ZERO, |sum, lot| sum.plus(lot.quantity))?;
        let missing = quantity.minus(found)?;
        if !missing.is_zero() {
            let owed = self.own_lot(trade, missing.negated(), None, true);
            self.stack(trade.account).add(owed)?;
            taken.push(self.own_lot(trade, missing, None, false));
        }
        Ok(taken)
    }

    /// Moves that an account can make go first, so that shares can pass through several accounts
    /// on one day; of these the first in the order of their numbers.
    fn move_all(&mut self, mut moves: Vec<Move<'_>>) -> Result<(), OutOfRange> {
        while !moves.is_empty() {
            let mut next = 0;
            for (at, one) in moves.iter().enumerate() {
                if self.stack(one.out.account).quantity() >= one.quantity {
                    next = at;
                    break;
                }
            }
            let Move { out, into, quantity, factor } = moves.remove(next);
            self.order += 1;
            let keeps_lots = self.stack(out.account).keeps_lots();
            let mut carried = Carried { cost: Some(whole(0)), lots: Vec::new() };
            let mut lots = self.transfer_out(out, quantity)?;
            for lot in &mut lots {
                if !keeps_lots {
                    (lot.opened, lot.since, lot.order) = (None, into.date, self.order);
                }
                let sum = carried.cost.zip(lot.cost.as_ref());
                carried.cost = sum.map(|(sum, cost)| shorten(sum + cost));
                carried.lots.push(lot.carried()?);
            }
            self.folded.carried.insert(into.id, carried);
            self.arrive(into, lots, factor)?;
        }
        Ok(())
    }

    /// Adds lots that moved; their costs are multiplied by the factor.
    fn arrive(
        &mut self,
        into: &Trade,
        mut lots: Vec<Lot>,
        factor: Option<&Fraction>,
    ) -> Result<(), OutOfRange> {
        let joins_pool = !self.stack(into.account).keeps_lots();
        for lot in &mut lots {
            let cost = lot.cost.take().zip(factor);
            lot.cost = cost.map(|(cost, factor)| shorten(cost * factor));
            if joins_pool {
                (lot.opened, lot.since, lot.order) = (None, into.date, self.order);
            }
        }
        if joins_pool {
            // What closes a short position there takes its share of the cost of all of them.
            lots = Lot::pool(lots)?.into_iter().collect();
        }
        lots.into_iter().try_for_each(|lot| self.add(into, lot))
    }

    /// Sets the quantity that a provider reported; the difference came or went without money.
    fn apply_statement(&mut self, statement: &Statement) -> Result<(), OutOfRange> {
        let stated = Quantity::of(statement.quantity)?;
        let day = statement.date;
        let unknown = |quantity| Lot {
            opened: None,
            since: day,
            // It isn't known when on that day or before it they came.
            order: 0,
            quantity,
            cost: None,
            source: CostBasisSource::Calculated,
        };
        let is_locked = self.locked.contains(&statement.account);
        let stack = self.stack(statement.account);
        let present = stack.quantity();
        let fewer = stated.size() < present.size();
        if stated.is_zero() || stated.opposes(present) {
            stack.take(present.size())?;
        } else if fewer {
            stack.take(present.size().minus(stated.size())?)?;
        }
        let missing = stated.minus(stack.quantity())?;
        if !missing.is_zero() {
            stack.add(unknown(missing))?;
        }
        let worse = match stack.source() {
            CostBasisSource::Provider => true,
            CostBasisSource::Calculated => stack.cost().is_none(),
            CostBasisSource::Manual => stack.cost().is_none() && !is_locked,
        };
        if let Some((total, of)) = statement.cost
            && worse
            && !stated.is_zero()
            && !of.is_zero()
        {
            // Of a short position too the cost of one share is positive.
            let cost = stated.share_of(Quantity::of(of)?.size(), &whole(total));
            let cost = Some(shorten(cost));
            stack.replace(Lot { cost, source: CostBasisSource::Provider, ..unknown(stated) })?;
        }
        Ok(())
    }

    /// Sets the cost of what is there at the end of the day.
    fn apply_cost(&mut self, stated: &StatedCost) -> Result<(), OutOfRange> {
        if stated.locked {
            self.locked.insert(stated.account);
        }
        let stack = self.stack(stated.account);
        let total = whole(stated.total);
        let cost = match &stated.shares {
            Some(shares) if shares.is_zero() => return Ok(()),
            // Of a short position too the cost of one share is positive.
            Some(shares) => total * of_decimal(stack.quantity().to_decimal()?) / shares,
            None if stack.quantity().is_negative() => -total,
            None => total,
        };
        stack.restate(&shorten(cost))
    }

    fn realise(&mut self, trade: &Trade, closed: Vec<Closed>) -> Result<(), OutOfRange> {
        if closed.is_empty() {
            return Ok(());
        }
        let mut lots = closed.into_iter().map(Closed::into_lot).collect::<Result<Vec<_>, _>>()?;
        let Trade { id, account, date, .. } = *trade;
        match self.folded.gains.last_mut() {
            // A move can bring several lots.
            Some(last) if last.trade == id => last.lots.append(&mut lots),
            _ => self.folded.gains.push(Gain { trade: id, account, date, lots }),
        }
        Ok(())
    }

    /// Adds a segment with the state at the end of the day, if it differs from the one before.
    fn push_segment(&mut self, account: AccountId, date: Date) -> Result<(), OutOfRange> {
        let stack = self.stack(account);
        let cost = stack.cost();
        let source = cost.as_ref().map(|_| stack.source());
        let quantity = stack.quantity().to_decimal()?;
        let segment = Segment { date, quantity, cost, source };
        let same = |before: &Segment| {
            (before.quantity, &before.cost, before.source)
                == (segment.quantity, &segment.cost, segment.source)
        };
        let segments = self.folded.segments.get(&account);
        let is_same = match segments.and_then(|segments| segments.last()) {
            Some(before) => same(before),
            None => same(&Segment::nothing(date)),
        };
        if !is_same {
            self.folded.segments.entry(account).or_default().push(segment);
        }
        Ok(())
    }
}

impl Segment {
    /// What an account has before its first trade.
    fn nothing(date: Date) -> Self {
        let source = Some(CostBasisSource::Calculated);
        Self { date, quantity: Decimal::ZERO, cost: Some(whole(0)), source }
    }
}

/// The order within a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Split,
    In,
    /// With the moves between accounts.
    Brought,
    Out,
}

fn rank(event: &Event) -> Rank {
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
        Event::Split { to, from } => (0, (*to).into(), (*from).into(), None),
        Event::Bought { quantity, cost } => (1, *quantity, one, cost.as_ref()),
        Event::Arrived { quantity, cost, .. } => (2, *quantity, one, cost.as_ref()),
        Event::Brought { quantity, .. } => (3, *quantity, one, None),
        Event::Sold { quantity, proceeds } => (4, *quantity, one, proceeds.as_ref()),
        Event::Left { quantity, .. } => (5, *quantity, one, None),
    }
}

/// The position of a trade among those of its day. Ids follow the order of arrival, so they decide
/// only between trades that are alike in everything that counts.
fn position_in_day(trade: &Trade) -> (Rank, Numbers<'_>, AccountId, EntryId) {
    (rank(&trade.event), numbers(&trade.event), trade.account, trade.id)
}

/// The pairs of trades that name each other, in the order of their numbers.
fn moves_of<'a>(trades: &[&'a Trade]) -> Result<Vec<Move<'a>>, OutOfRange> {
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
