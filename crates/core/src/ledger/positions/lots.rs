//! The shares of one account: lots, and which of them go first.
//!
//! All lots of a stack are owned or all are owed; owed ones have negative quantities and negative
//! costs (what was received for them). With average cost there is one lot, the pool. When a lot is
//! divided, what leaves takes the exact complement of what stays, so that no cost is lost even
//! where a fraction that has grown too long is shortened.

use std::collections::VecDeque;

use jiff::civil::Date;

use super::order::DayOrder;
use super::quantity::Quantity;
use super::{CarriedLot, ClosedLot, OutOfRange, Trade};
use crate::ledger::holding::CostBasisSource;
use crate::ledger::trade::CostMethod;
use crate::money::exact::{Fraction, difference, shorten, sum, whole};

/// Shares that came together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lot {
    /// The day that they were acquired, if that is known and the same for all.
    pub(super) opened: Option<Date>,
    /// The day by which they are sorted.
    pub(super) since: Date,
    /// Their place in line among the lots of that day.
    pub(super) order: DayOrder,
    pub(super) quantity: Quantity,
    /// Unknown for shares that came from elsewhere without one.
    pub(super) cost: Option<Fraction>,
    /// The source of the cost, if that is known.
    pub(super) source: CostBasisSource,
}

/// A lot, or a part of one, that was closed by shares of the other sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Closed {
    /// The lot, or the part of it, that was closed.
    pub(super) lot: Lot,
    /// The part of what came that closed it: its signed cost.
    pub(super) against: Option<Fraction>,
}

impl Closed {
    /// Owned shares were paid for when they came and are received for now; owed ones the other way
    /// round.
    pub(super) fn into_lot(self) -> Result<ClosedLot, OutOfRange> {
        let Self { lot, against } = self;
        let (proceeds, cost) = if lot.quantity.is_negative() {
            (lot.cost.map(|cost| -cost), against)
        } else {
            (against.map(|against| -against), lot.cost)
        };
        Ok(ClosedLot {
            opened: lot.opened,
            quantity: lot.quantity.to_decimal()?,
            proceeds,
            cost,
            from_provider: lot.source == CostBasisSource::Provider,
        })
    }
}

/// The lots of an account, the oldest first, and what they come to.
#[derive(Debug)]
pub(super) struct Stack {
    method: CostMethod,
    lots: VecDeque<Lot>,
    quantity: Quantity,
    sums: Sums,
    /// How many lots have no known cost.
    unknown: usize,
    /// How many have theirs from a provider.
    from_provider: usize,
    /// How many have theirs from a person.
    manual: usize,
    /// What was added and taken since it was asked last, if anybody asks.
    log: Option<Log>,
}

/// Lots that were added to a stack, which is true, or taken from it, one after the other.
pub(super) type Log = Vec<(bool, Lot)>;

impl Stack {
    pub(super) fn new(method: CostMethod) -> Self {
        Self {
            log: None,
            method,
            lots: VecDeque::new(),
            quantity: Quantity::ZERO,
            sums: Sums::new(method),
            unknown: 0,
            from_provider: 0,
            manual: 0,
        }
    }

    /// The stack that has these lots, in their order.
    pub(super) fn of(method: CostMethod, lots: Vec<Lot>) -> Result<Self, OutOfRange> {
        let mut stack = Self::new(method);
        lots.into_iter().try_for_each(|lot| stack.put(lot))?;
        Ok(stack)
    }

    /// The same, and it keeps a log of its lots.
    pub(super) fn logged(method: CostMethod) -> Self {
        Self { log: Some(Log::new()), ..Self::new(method) }
    }

    /// What happened to lots since the last call.
    pub(super) fn take_log(&mut self) -> Log {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Takes all lots away.
    fn clear(&mut self) -> VecDeque<Lot> {
        let empty = Self::new(self.method);
        let Self { lots, mut log, .. } = std::mem::replace(self, empty);
        if let Some(log) = &mut log {
            log.extend(lots.iter().map(|lot| (false, lot.clone())));
        }
        self.log = log;
        lots
    }

    /// Its lots. Everything else that it knows is made of them.
    pub(super) fn lots(&self) -> impl Iterator<Item = &Lot> {
        self.lots.iter()
    }

    pub(super) fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// What all of it cost; unknown as soon as that of one lot is.
    pub(super) fn cost(&self) -> Option<Fraction> {
        (self.unknown == 0).then(|| shorten(self.sums.total()))
    }

    /// The source of the cost: a part that was stated counts for all of it.
    pub(super) fn source(&self) -> CostBasisSource {
        match (self.manual, self.from_provider) {
            (0, 0) => CostBasisSource::Calculated,
            (0, _) => CostBasisSource::Provider,
            (_, _) => CostBasisSource::Manual,
        }
    }

    /// Whether lots keep their own cost here.
    pub(super) fn keeps_lots(&self) -> bool {
        self.method != CostMethod::Average
    }

    /// Adds shares; first they close what is there of the other sign.
    pub(super) fn add(&mut self, mut lot: Lot) -> Result<Vec<Closed>, OutOfRange> {
        let mut closed = Vec::new();
        if self.quantity.opposes(lot.quantity) {
            for part in self.take(lot.quantity.size())? {
                let against = lot.cut(part.quantity.size())?.cost;
                closed.push(Closed { lot: part, against });
            }
        }
        if !lot.quantity.is_zero() {
            self.put(lot)?;
        }
        Ok(closed)
    }

    /// Takes so many shares away, as many as there are.
    pub(super) fn take(&mut self, wanted: Quantity) -> Result<Vec<Lot>, OutOfRange> {
        let mut taken = Vec::new();
        let mut missing = wanted;
        while !missing.is_zero() {
            let Some(mut lot) = self.next_lot()? else { break };
            if lot.quantity.size() <= missing {
                missing = missing.minus(lot.quantity.size())?;
                taken.push(lot);
            } else {
                taken.push(lot.cut(missing)?);
                missing = Quantity::ZERO;
                // It stays the next one, also before others that are alike.
                let at = if self.method == CostMethod::Lifo { self.lots.len() } else { 0 };
                self.insert(at, lot)?;
            }
        }
        Ok(taken)
    }

    /// Every `from` shares become `to`. The sum is rounded, and the lots share it, so that the
    /// account has as many as its bank reports. Returns the lots that were rounded to nothing.
    pub(super) fn split(&mut self, to: u32, from: u32) -> Result<Vec<Lot>, OutOfRange> {
        let (mut before, mut after) = (Quantity::ZERO, Quantity::ZERO);
        let mut gone = Vec::new();
        for mut lot in self.clear() {
            before = before.plus(lot.quantity)?;
            let reached = before.split(to, from)?;
            lot.quantity = reached.minus(after)?;
            after = reached;
            if lot.quantity.is_zero() {
                gone.push(lot);
            } else {
                self.put(lot)?;
            }
        }
        Ok(gone)
    }

    /// Sets what all of it cost, as a person stated it: each lot takes its share by its number of
    /// shares.
    pub(super) fn restate(&mut self, cost: &Fraction) -> Result<(), OutOfRange> {
        let all = self.quantity;
        let (mut shares, mut given) = (Quantity::ZERO, whole(0));
        for mut lot in self.clear() {
            shares = shares.plus(lot.quantity)?;
            let reached = shorten(shares.share_of(all, cost));
            lot.cost = Some(difference(&reached, &given));
            lot.source = CostBasisSource::Manual;
            given = reached;
            self.put(lot)?;
        }
        Ok(())
    }

    /// Everything that is there becomes one lot.
    pub(super) fn replace(&mut self, lot: Lot) -> Result<(), OutOfRange> {
        self.clear();
        self.put(lot)
    }

    /// Takes the lot away that goes first.
    fn next_lot(&mut self) -> Result<Option<Lot>, OutOfRange> {
        let next = match self.method {
            CostMethod::Average | CostMethod::Fifo => self.lots.pop_front(),
            CostMethod::Lifo => self.lots.pop_back(),
        };
        let Some(lot) = next else { return Ok(None) };
        self.quantity = self.quantity.minus(lot.quantity)?;
        self.unknown -= usize::from(lot.cost.is_none());
        self.sums.take(&lot);
        self.from_provider -= usize::from(lot.source == CostBasisSource::Provider);
        self.manual -= usize::from(lot.source == CostBasisSource::Manual);
        if let Some(log) = &mut self.log {
            log.push((false, lot.clone()));
        }
        Ok(Some(lot))
    }

    /// Adds a lot of the same sign.
    fn put(&mut self, mut lot: Lot) -> Result<(), OutOfRange> {
        if self.method == CostMethod::Average
            && let Some(pool) = self.next_lot()?
        {
            lot = pool.pooled(lot)?;
        }
        let at = self.lots.partition_point(|one| one.place() <= lot.place());
        self.insert(at, lot)
    }

    /// Adds a lot at a position among the others.
    fn insert(&mut self, at: usize, lot: Lot) -> Result<(), OutOfRange> {
        self.quantity = self.quantity.plus(lot.quantity)?;
        self.unknown += usize::from(lot.cost.is_none());
        self.from_provider += usize::from(lot.source == CostBasisSource::Provider);
        self.manual += usize::from(lot.source == CostBasisSource::Manual);
        if let Some(log) = &mut self.log {
            log.push((true, lot.clone()));
        }
        self.sums.put(at, &lot, &self.lots);
        self.lots.insert(at, lot);
        Ok(())
    }
}

/// The sum of the costs that are known.
///
/// Where the newest go first, many lots can be left in parts, each with a denominator of its own: a
/// running sum of them would grow without end. There each lot has the sum up to it, which is
/// shortened, and comes back as it was when the lots above are gone. Where the oldest go first only
/// one lot is in parts, and a running sum stays short.
#[derive(Debug)]
enum Sums {
    Running(Fraction),
    UpToEach(Vec<Fraction>),
}

impl Sums {
    fn new(method: CostMethod) -> Self {
        match method {
            CostMethod::Average | CostMethod::Fifo => Self::Running(whole(0)),
            CostMethod::Lifo => Self::UpToEach(Vec::new()),
        }
    }

    fn total(&self) -> Fraction {
        match self {
            Self::Running(sum) => sum.clone(),
            Self::UpToEach(sums) => sums.last().cloned().unwrap_or_else(|| whole(0)),
        }
    }

    /// The lot that goes first is gone.
    fn take(&mut self, lot: &Lot) {
        match self {
            Self::Running(total) => *total = difference(total, &lot.known_cost()),
            Self::UpToEach(sums) => drop(sums.pop()),
        }
    }

    /// Inserts a lot at its position among the others.
    fn put(&mut self, at: usize, lot: &Lot, others: &VecDeque<Lot>) {
        match self {
            Self::Running(total) => *total = sum(total, &lot.known_cost()),
            Self::UpToEach(sums) => {
                sums.truncate(at);
                for lot in std::iter::once(lot).chain(others.range(at..)) {
                    let before = sums.last().cloned().unwrap_or_else(|| whole(0));
                    sums.push(shorten(sum(&before, &lot.known_cost())));
                }
            }
        }
    }
}

impl Lot {
    /// What it cost; nothing if that isn't known.
    fn known_cost(&self) -> Fraction {
        self.cost.clone().unwrap_or_else(|| whole(0))
    }

    /// The position in line. Lots with the same one are alike.
    fn place(&self) -> (Date, &DayOrder) {
        (self.opened.unwrap_or(self.since), &self.order)
    }

    /// Takes a part of the shares away, with its share of the cost. The part takes the exact
    /// complement of what stays.
    fn cut(&mut self, size: Quantity) -> Result<Self, OutOfRange> {
        let piece = if self.quantity.is_negative() { size.negated() } else { size };
        let rest = self.quantity.minus(piece)?;
        let (mut kept, mut taken) = (None, None);
        if let Some(cost) = self.cost.take() {
            let share = rest.share_of(self.quantity, &cost);
            let short = shorten(share.clone());
            // The same complement, but it needs no common denominator.
            let is_exact = short == share;
            let other = if is_exact { piece.share_of(self.quantity, &cost) } else { cost - &short };
            (kept, taken) = (Some(short), Some(other));
        }
        let part = Self { quantity: piece, cost: taken, ..self.clone() };
        (self.quantity, self.cost) = (rest, kept);
        Ok(part)
    }

    /// A lot that comes from an account that is gone.
    pub(super) fn brought(carried: &CarriedLot) -> Result<Self, OutOfRange> {
        let CarriedLot { opened, since, ref order, quantity, ref cost, source } = *carried;
        let (quantity, order, cost) = (Quantity::of(quantity)?, order.clone(), cost.clone());
        Ok(Self { opened, since, order, quantity, cost, source })
    }

    /// The lot as it moves to another account.
    pub(super) fn carried(&self) -> Result<CarriedLot, OutOfRange> {
        let Self { opened, since, source, .. } = *self;
        let (order, quantity) = (self.order.clone(), self.quantity.to_decimal()?);
        Ok(CarriedLot { opened, since, order, quantity, cost: self.cost.clone(), source })
    }

    /// Its shares can't be distinguished from others in an account without lots: they count from
    /// their move on.
    pub(super) fn pool_at(&mut self, into: &Trade) {
        (self.opened, self.since, self.order) = (None, into.date, DayOrder::of(&into.event));
    }

    /// Merges lots that can no longer be distinguished; none if there are none.
    pub(super) fn pool(lots: Vec<Self>) -> Result<Option<Self>, OutOfRange> {
        let mut lots = lots.into_iter();
        let Some(first) = lots.next() else { return Ok(None) };
        lots.try_fold(first, Self::pooled).map(Some)
    }

    /// Merges two lots that can no longer be distinguished.
    fn pooled(self, other: Self) -> Result<Self, OutOfRange> {
        Ok(Self {
            opened: self.opened.filter(|opened| other.opened == Some(*opened)),
            quantity: self.quantity.plus(other.quantity)?,
            cost: self.cost.zip(other.cost).map(|(one, other)| shorten(sum(&one, &other))),
            source: [CostBasisSource::Manual, CostBasisSource::Provider]
                .into_iter()
                .find(|stated| [self.source, other.source].contains(stated))
                .unwrap_or(CostBasisSource::Calculated),
            ..self
        })
    }
}
