//! The state of a fold at the end of a day, as a value that can be kept: a fold that goes on from
//! it comes to the same as one from the start.
//!
//! It has what later days depend on and nothing that follows from it: sums, quantities and sources
//! are made of the lots again. Its text keeps every digit.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::day::{Book, ShareSplit};
use super::lots::{Lot, Stack};
use super::order::StoredDayOrder;
use super::quantity::Quantity;
use super::{OutOfRange, Segment, StatedCost, Trade};
use crate::ids::AccountId;
use crate::ledger::holding::CostBasisSource;
use crate::ledger::trade::CostMethod;
use crate::money::exact;

/// All accounts at the end of a day.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    date: Date,
    /// The accounts of which something matters later.
    accounts: BTreeMap<AccountId, AccountState>,
}

/// An account at the end of a day.
#[derive(Debug, Clone, Default, PartialEq)]
struct AccountState {
    /// Whether it had shares on that day or before.
    began: bool,
    /// Whether a provider never replaces its cost.
    locked: bool,
    /// Its lots, in the order of the stack.
    lots: Vec<Lot>,
    /// The share splits that make more of the shares of a cost of a later day, which was stated
    /// before they were recorded.
    splits: Vec<ShareSplit>,
}

/// The days at the end of which a state is kept: at least `every` trades are between one and the
/// next. Only the last `keep` of them are returned, in order.
pub fn checkpoint_days(trades: &[Trade], every: usize, keep: usize) -> Vec<Date> {
    let mut counts: BTreeMap<Date, usize> = BTreeMap::new();
    for trade in trades {
        *counts.entry(trade.date).or_default() += 1;
    }
    let mut counted = 0;
    let mut days = Vec::new();
    for (date, count) in counts {
        counted += count;
        if counted >= every {
            days.push(date);
            counted = 0;
        }
    }
    days.split_off(days.len().saturating_sub(keep))
}

impl Checkpoint {
    /// The day at the end of which it is.
    pub fn date(&self) -> Date {
        self.date
    }

    /// The text that it is kept as, without its day.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let accounts = self.accounts.iter().map(|(id, state)| (*id, state.stored()));
        serde_json::to_string(&StoredState { accounts: accounts.collect() })
    }

    /// Reads what [`Self::to_text`] wrote; none if it is something else.
    pub fn parse(date: Date, text: &str) -> Option<Self> {
        let StoredState { accounts } = serde_json::from_str(text).ok()?;
        let read = |(id, stored): (AccountId, StoredAccount)| Some((id, stored.read()?));
        let accounts = accounts.into_iter().map(read).collect::<Option<_>>()?;
        Some(Self { date, accounts })
    }

    /// The accounts as they are at the end of the day, for a fold that goes on.
    pub(super) fn reopen<'a>(
        &self,
        methods: &'a BTreeMap<AccountId, CostMethod>,
        costs: &'a [StatedCost],
    ) -> Result<Book<'a>, OutOfRange> {
        let mut book = Book::new(methods, costs);
        book.counted_up_to = Some(self.date);
        for (account, state) in &self.accounts {
            let method = methods.get(account).copied().unwrap_or(CostMethod::Average);
            let stack = Stack::of(method, state.lots.clone())?;
            book.left.insert(*account, Segment::of(&stack, self.date)?);
            book.stacks.insert(*account, stack);
            if state.began {
                book.began.insert(*account);
            }
            if state.locked {
                book.locked.insert(*account);
            }
            book.splits.insert(*account, state.splits.clone());
        }
        Ok(book)
    }
}

impl Book<'_> {
    /// The state, if this day is over.
    pub(super) fn checkpoint(&self, date: Date) -> Checkpoint {
        let known = self.stacks.keys().chain(&self.began).chain(&self.locked);
        let known: BTreeSet<AccountId> = known.copied().collect();
        let states = known.into_iter().map(|account| (account, self.account_state(account, date)));
        let accounts = states.filter(|(_, state)| *state != AccountState::default()).collect();
        Checkpoint { date, accounts }
    }

    fn account_state(&self, account: AccountId, date: Date) -> AccountState {
        let waiting = self
            .costs
            .iter()
            .filter(|cost| cost.account == account && cost.date > date && cost.shares.is_some());
        let stated_at = waiting.map(|cost| cost.stated_at).min();
        let splits = self.splits.get(&account).into_iter().flatten();
        let later = |split: &&ShareSplit| stated_at.is_some_and(|at| split.recorded_at > at);
        AccountState {
            began: self.began.contains(&account),
            locked: self.locked.contains(&account),
            lots: self.stacks.get(&account).into_iter().flat_map(Stack::lots).cloned().collect(),
            splits: splits.filter(later).copied().collect(),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredState {
    accounts: BTreeMap<AccountId, StoredAccount>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAccount {
    began: bool,
    locked: bool,
    lots: Vec<StoredLot>,
    splits: Vec<StoredSplit>,
}

/// The day by which it is sorted, the day that it was acquired, its place in line, its number of
/// shares, its cost, and the source of the cost.
#[derive(Serialize, Deserialize)]
struct StoredLot(Date, Option<Date>, StoredDayOrder, String, Option<String>, CostBasisSource);

/// When it was recorded, and so many shares for every so many.
#[derive(Serialize, Deserialize)]
struct StoredSplit(Timestamp, u32, u32);

impl AccountState {
    fn stored(&self) -> StoredAccount {
        let lot = |lot: &Lot| {
            let cost = lot.cost.as_ref().map(exact::to_text);
            let order = (&lot.order).into();
            StoredLot(lot.since, lot.opened, order, lot.quantity.to_text(), cost, lot.source)
        };
        let split = |split: &ShareSplit| StoredSplit(split.recorded_at, split.to, split.from);
        StoredAccount {
            began: self.began,
            locked: self.locked,
            lots: self.lots.iter().map(lot).collect(),
            splits: self.splits.iter().map(split).collect(),
        }
    }
}

impl StoredAccount {
    fn read(self) -> Option<AccountState> {
        let lot = |stored: StoredLot| {
            let StoredLot(since, opened, order, quantity, cost, source) = stored;
            let quantity = Quantity::parse(&quantity)?;
            let cost = match cost {
                Some(text) => Some(exact::parse(&text)?),
                None => None,
            };
            Some(Lot { opened, since, order: order.read()?, quantity, cost, source })
        };
        let split = |StoredSplit(recorded_at, to, from): StoredSplit| {
            (from > 0).then_some(ShareSplit { recorded_at, to, from })
        };
        let Self { began, locked, lots, splits } = self;
        let lots = lots.into_iter().map(lot).collect::<Option<_>>()?;
        let splits = splits.into_iter().map(split).collect::<Option<_>>()?;
        Some(AccountState { began, locked, lots, splits })
    }
}
