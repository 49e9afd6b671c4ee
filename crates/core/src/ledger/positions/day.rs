//! One day of a security in all accounts: the order in which its trades count, and what each does.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use num_traits::Zero;
use rust_decimal::Decimal;

use super::lots::{Closed, Lot, Stack};
use super::movements::{Cause, Movement, changes_of};
use super::order::{DayOrder, Move, Rank, moves_of, position_in_day, rank};
use super::quantity::Quantity;
use super::{Carried, Event, Folded, Gain, OutOfRange, Segment, StatedCost, Statement, Trade};
use crate::ids::{AccountId, EntryId};
use crate::ledger::holding::CostBasisSource;
use crate::ledger::trade::CostMethod;
use crate::money::exact::{Fraction, converted, of_decimal, shorten, whole};

/// The trades, statements and stated costs of a day, in any order.
#[derive(Debug, Default)]
pub(super) struct Day<'a> {
    pub(super) trades: Vec<&'a Trade>,
    pub(super) statements: Vec<&'a Statement>,
    pub(super) costs: Vec<&'a StatedCost>,
}

/// The accounts after the days that were folded. What isn't given and doesn't follow from the rest
/// is in a [`Checkpoint`](super::Checkpoint).
pub(super) struct Book<'a> {
    methods: &'a BTreeMap<AccountId, CostMethod>,
    pub(super) costs: &'a [StatedCost],
    pub(super) stacks: BTreeMap<AccountId, Stack>,
    /// The accounts with a cost that a provider doesn't replace.
    pub(super) locked: BTreeSet<AccountId>,
    /// The accounts that had shares on an earlier day.
    pub(super) began: BTreeSet<AccountId>,
    /// The share splits of each account since then, in their order.
    pub(super) splits: BTreeMap<AccountId, Vec<ShareSplit>>,
    /// The last day that has counted, if the fold goes on from a checkpoint, and what each account
    /// had at its end.
    pub(super) counted_up_to: Option<Date>,
    pub(super) left: BTreeMap<AccountId, Segment>,
    pub(super) folded: Folded,
    /// What moved lots on the day, if anybody asks.
    pub(super) movements: Option<Vec<Movement>>,
}

/// A share split, for costs that were stated before it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShareSplit {
    pub(super) recorded_at: Timestamp,
    pub(super) to: u32,
    pub(super) from: u32,
}

impl<'a> Book<'a> {
    pub(super) fn new(
        methods: &'a BTreeMap<AccountId, CostMethod>,
        costs: &'a [StatedCost],
    ) -> Self {
        Self {
            methods,
            costs,
            stacks: BTreeMap::new(),
            locked: BTreeSet::new(),
            began: BTreeSet::new(),
            splits: BTreeMap::new(),
            counted_up_to: None,
            left: BTreeMap::new(),
            folded: Folded::default(),
            movements: None,
        }
    }

    /// Applies the next day.
    pub(super) fn apply_day(&mut self, date: Date, mut day: Day<'_>) -> Result<(), OutOfRange> {
        day.trades.sort_unstable_by(|one, other| position_in_day(one).cmp(&position_in_day(other)));
        let moves = moves_of(&day.trades)?;
        let paired: BTreeSet<EntryId> = moves.iter().flat_map(Move::sides).collect();
        let alone = day.trades.iter().filter(|trade| !paired.contains(&trade.id));
        let (first, last): (Vec<&Trade>, Vec<&Trade>) =
            alone.copied().partition(|trade| rank(&trade.event) < Rank::Out);
        for trade in first {
            self.trade(trade)?;
            self.record(date, Cause::Trade(trade.id))?;
        }
        self.move_all(moves)?;
        for trade in last {
            self.trade(trade)?;
            self.record(date, Cause::Trade(trade.id))?;
        }
        for statement in &day.statements {
            self.apply_statement(statement)?;
            self.record(date, Cause::Statement)?;
        }
        for cost in &day.costs {
            self.apply_cost(cost)?;
            self.record(date, Cause::Cost)?;
        }
        let touched: BTreeSet<AccountId> = day
            .trades
            .iter()
            .map(|trade| trade.account)
            .chain(day.statements.iter().map(|statement| statement.account))
            .chain(day.costs.iter().map(|cost| cost.account))
            .collect();
        touched.into_iter().try_for_each(|account| self.push_segment(account, date))?;
        let moving = day.trades.iter().filter(|trade| rank(&trade.event) != Rank::Split);
        self.began.extend(moving.map(|trade| trade.account));
        self.began.extend(day.statements.iter().map(|statement| statement.account));
        Ok(())
    }

    pub(super) fn stack(&mut self, account: AccountId) -> &mut Stack {
        let method = self.methods.get(&account).copied().unwrap_or(CostMethod::Average);
        let is_logged = self.movements.is_some();
        let new = || if is_logged { Stack::logged(method) } else { Stack::new(method) };
        self.stacks.entry(account).or_insert_with(new)
    }

    /// Records what happened to lots since the last call, if anybody asks.
    fn record(&mut self, date: Date, cause: Cause) -> Result<(), OutOfRange> {
        let Some(movements) = &mut self.movements else { return Ok(()) };
        let mut accounts = Vec::new();
        for (account, stack) in &mut self.stacks {
            let changes = changes_of(stack.take_log())?;
            if !changes.is_empty() {
                accounts.push((*account, changes));
            }
        }
        // A trade may move money alone.
        if !accounts.is_empty() || matches!(cause, Cause::Trade(_)) {
            movements.push(Movement { date, cause, accounts });
        }
        Ok(())
    }

    fn trade(&mut self, trade: &Trade) -> Result<(), OutOfRange> {
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
                let lots = lots.iter().map(Lot::brought).collect::<Result<_, _>>()?;
                self.arrive(trade, lots, factor.as_ref())
            }
            Event::Left { quantity, .. } | Event::Taken { quantity } => {
                self.transfer_out(trade, Quantity::of(quantity)?).map(drop)
            }
            Event::Split { to, from, recorded_at } => {
                if self.began.contains(&trade.account) {
                    let splits = self.splits.entry(trade.account).or_default();
                    splits.push(ShareSplit { recorded_at, to, from });
                }
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
            order: DayOrder::of(&trade.event),
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
                let out = one.out.map(|out| self.stack(out.account).quantity());
                if out.is_none_or(|there| there >= one.quantity) {
                    next = at;
                    break;
                }
            }
            let Move { out, into, quantity, factor } = moves.remove(next);
            let (out, into) = match (out, into) {
                (Some(out), Some(into)) => (out, into),
                (one, other) => {
                    for trade in one.into_iter().chain(other) {
                        self.trade(trade)?;
                        self.record(trade.date, Cause::Trade(trade.id))?;
                    }
                    continue;
                }
            };
            let keeps_lots = self.stack(out.account).keeps_lots();
            let mut carried = Carried { cost: Some(whole(0)), lots: Vec::new() };
            let mut lots = self.transfer_out(out, quantity)?;
            for lot in &mut lots {
                if !keeps_lots {
                    lot.pool_at(into);
                }
                let sum = carried.cost.zip(lot.cost.as_ref());
                carried.cost = sum.map(|(sum, cost)| shorten(sum + cost));
                carried.lots.push(lot.carried()?);
            }
            self.folded.carried.insert(into.id, carried);
            self.arrive(into, lots, factor)?;
            self.record(into.date, Cause::Move { out: out.id, into: into.id })?;
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
            lot.cost = cost.map(|(cost, factor)| shorten(converted(&cost, factor)));
            if joins_pool {
                lot.pool_at(into);
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
            order: DayOrder::STATED,
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
        // The newest one decides, as the position shows it.
        if stated.locked {
            self.locked.insert(stated.account);
        } else {
            self.locked.remove(&stated.account);
        }
        let shares = stated.shares.clone().map(|shares| self.recounted(stated, shares));
        let stack = self.stack(stated.account);
        let total = whole(stated.total);
        let cost = match &shares {
            Some(shares) if shares.is_zero() => return Ok(()),
            // Of a short position too the cost of one share is positive.
            Some(shares) => total * of_decimal(stack.quantity().to_decimal()?) / shares,
            None if stack.quantity().is_negative() => -total,
            None => total,
        };
        stack.restate(&shorten(cost))
    }

    /// The number of shares that were stated, as they are counted now: splits that were recorded
    /// later made more of them.
    fn recounted(&self, stated: &StatedCost, shares: Fraction) -> Fraction {
        let splits = self.splits.get(&stated.account).into_iter().flatten();
        let later = splits.filter(|split| split.recorded_at > stated.stated_at);
        later.fold(shares, |shares, split| {
            shares * whole(split.to.into()) / whole(split.from.into())
        })
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
        let segment = Segment::of(self.stack(account), date)?;
        let same = |before: &Segment| {
            (before.quantity, &before.cost, before.source)
                == (segment.quantity, &segment.cost, segment.source)
        };
        let segments = self.folded.segments.get(&account);
        let last = segments.and_then(|segments| segments.last());
        let is_same = match last.or_else(|| self.left.get(&account)) {
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
    /// What an account has at the end of a day.
    pub(super) fn of(stack: &Stack, date: Date) -> Result<Self, OutOfRange> {
        let cost = stack.cost();
        let source = cost.as_ref().map(|_| stack.source());
        Ok(Self { date, quantity: stack.quantity().to_decimal()?, cost, source })
    }

    /// What an account has before its first trade.
    fn nothing(date: Date) -> Self {
        let source = Some(CostBasisSource::Calculated);
        Self { date, quantity: Decimal::ZERO, cost: Some(whole(0)), source }
    }
}
