//! Follows the balances through all rows of a file, each account and currency apart.

use std::collections::HashMap;

use jiff::civil::Date;

use super::chain::{Chain, Finding, Mismatch, Stated};
use super::{BalanceBreak, BalanceEnds, RowOrder, RunningBalance, Sense};
use crate::import::row_edit::RowChoice;
use crate::limits::{BALANCE_BREAKS_MAX, BALANCE_ENDS_MAX, IMPORT_MAPPINGS_MAX};
use crate::money::Currency;

/// What a valid row contributes to the chain of its account's balances.
#[derive(Debug, Clone, Copy)]
pub struct Link<'r> {
    /// The cell that names the account, blank if the file has no such column or the import has one
    /// account for all rows.
    pub account: &'r str,
    /// The day of the row.
    pub date: Date,
    /// The currency of amount and balance.
    pub currency: Currency,
    /// The amount of the row; positive is money out.
    pub amount: i64,
    /// The balance in the scale of the currency.
    pub balance: Stated,
}

/// Where a row stands in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowPosition {
    row: u64,
    line: u64,
    currency: Currency,
    is_accepted: bool,
    /// The chain that it belongs to, and how it changes the balance.
    chain: usize,
    change: i128,
}

/// The chain of one account and currency, and the days of its rows.
#[derive(Debug)]
struct AccountChain {
    chain: Chain<RowPosition>,
    /// The [`Follow::epoch`] of its last row.
    epoch: u64,
    /// What the rows that can be imported come to.
    sum: i128,
    /// Rows without a balance that the next balance proves, as many as are kept.
    unproven: Vec<RowPosition>,
    /// Newest first: such rows that are invalid because the last balance doesn't follow.
    doubted: Vec<RowPosition>,
    first_day: Date,
    last_day: Date,
}

/// The chains of all accounts of a file.
#[derive(Debug)]
pub struct Follow {
    order: RowOrder,
    sense: Sense,
    chains: Vec<AccountChain>,
    by_account: HashMap<String, Vec<(Currency, usize)>>,
    /// The account of the last row: rows of one account mostly follow each other.
    last: Option<(String, Currency, usize)>,
    /// How many rows couldn't be read so far. A chain with an earlier epoch is broken off at its
    /// next row: a file may have so many accounts and so many bad rows that breaking off all chains
    /// at each of them would take hours.
    epoch: u64,
    breaks: Vec<BalanceBreak>,
    /// How many breaks there were beyond those that are kept.
    more: u64,
}

/// The result of following all balances of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowedBalance {
    /// How many balances follow from a change that isn't zero.
    pub proofs: u64,
    /// The rows that break the balance, in their order, but for those that a person accepted; the
    /// first [`BALANCE_BREAKS_MAX`].
    pub breaks: Vec<BalanceBreak>,
    /// How many more of these there are.
    pub more_breaks: u64,
    /// The balances at both ends of each chain; none of a file with very many accounts.
    pub ends: Vec<BalanceEnds>,
}

impl FollowedBalance {
    /// How many balances don't follow.
    pub fn mismatches(&self) -> u64 {
        let own = self.breaks.iter().filter(|found| found.proof_line.is_none());
        own.count() as u64 + self.more_breaks
    }
}

impl Follow {
    /// Starts before the first row.
    pub fn new(balance: &RunningBalance) -> Self {
        Self {
            order: balance.order,
            sense: balance.sense,
            chains: Vec::new(),
            by_account: HashMap::new(),
            last: None,
            epoch: 0,
            breaks: Vec::new(),
            more: 0,
        }
    }

    /// Takes the next row, which is valid in itself.
    pub fn row(&mut self, row: u64, line: u64, link: &Link<'_>, choice: RowChoice) {
        let is_accepted = choice == RowChoice::Create;
        let change = match self.sense {
            Sense::Money => -i128::from(link.amount),
            Sense::Debt => i128::from(link.amount),
        };
        let index = self.chain_of(link);
        let currency = link.currency;
        let at = RowPosition { row, line, currency, is_accepted, chain: index, change };
        let Some(account) = self.chains.get_mut(index) else { return };
        let AccountChain { chain, epoch, sum, unproven, first_day, last_day, .. } = account;
        if *epoch != self.epoch {
            chain.break_off();
            unproven.clear();
            *epoch = self.epoch;
        }
        *first_day = link.date.min(*first_day);
        *last_day = link.date.max(*last_day);
        if choice == RowChoice::LeaveOut {
            return chain.left_out(change, link.balance);
        }
        *sum += change;
        let finding = chain.row(at, change, link.balance);
        let since = match link.balance {
            Stated::Value(_) => std::mem::take(unproven),
            Stated::Blank if unproven.len() <= BALANCE_BREAKS_MAX => {
                unproven.push(at);
                Vec::new()
            }
            _ => Vec::new(),
        };
        match finding {
            None => {}
            Some(Finding::Breaks(mismatch)) => self.doubt(&mismatch, since),
            Some(Finding::Moves { from, to }) => {
                self.trust(index, &from);
                self.add(&to);
            }
        }
    }

    /// A balance doesn't follow: any of the amounts since the balance before it may be wrong.
    fn doubt(&mut self, mismatch: &Mismatch<RowPosition>, since: Vec<RowPosition>) {
        self.add(mismatch);
        let RowPosition { line, chain, is_accepted, .. } = mismatch.at;
        if is_accepted {
            return;
        }
        for at in &since {
            self.refuse(at, (None, None), Some(line));
        }
        if let Some(account) = self.chains.get_mut(chain) {
            account.doubted = since;
        }
    }

    /// The amounts of a row that was named, and of those that its balance proves, are right.
    fn trust(&mut self, chain: usize, from: &RowPosition) {
        let doubted = self.chains.get_mut(chain).map(|account| &mut account.doubted);
        let doubted = doubted.map(std::mem::take).unwrap_or_default();
        let rows = || doubted.iter().chain([from]);
        self.breaks.retain(|known| rows().all(|at| at.row != known.row));
        for at in rows() {
            self.count(at, at.change);
        }
    }

    /// Takes a row that can't be read: whatever account it belongs to, nothing follows from it.
    pub fn unreadable_row(&mut self) {
        self.epoch += 1;
    }

    /// Whether the rows name more accounts than an import may have.
    pub fn is_overflowing(&self) -> bool {
        self.chains.len() > IMPORT_MAPPINGS_MAX
    }

    /// What was found in all rows.
    pub fn finish(mut self) -> FollowedBalance {
        self.breaks.sort_by_key(|found| found.row);
        let proofs = self.chains.iter().map(|account| account.chain.proofs).sum();
        let ends = if self.chains.len() > BALANCE_ENDS_MAX {
            Vec::new()
        } else {
            for account in self.chains.iter_mut().filter(|account| account.epoch != self.epoch) {
                account.chain.break_off();
            }
            self.ends()
        };
        FollowedBalance { proofs, breaks: self.breaks, more_breaks: self.more, ends }
    }

    /// The ends of all chains, in the order in which the file names the accounts.
    fn ends(&self) -> Vec<BalanceEnds> {
        let accounts = self.by_account.iter();
        let mut ends: Vec<(usize, BalanceEnds)> = accounts
            .flat_map(|(account, currencies)| {
                currencies.iter().filter_map(move |(currency, index)| {
                    let of = self.chains.get(*index)?;
                    let amount = |amount: i128| i64::try_from(amount).ok();
                    let (opening, closing) = of.chain.ends();
                    let ends = BalanceEnds {
                        account: account.clone(),
                        currency: *currency,
                        first_day: of.first_day,
                        opening: opening.and_then(amount),
                        last_day: of.last_day,
                        closing: closing.and_then(amount),
                        sum: amount(of.sum),
                    };
                    Some((*index, ends))
                })
            })
            .collect();
        ends.sort_by_key(|(index, _)| *index);
        ends.into_iter().map(|(_, ends)| ends).collect()
    }

    /// Counts a row into the sum of its account, or out of it. One that a person accepted is never
    /// invalid, so it stays.
    fn count(&mut self, at: &RowPosition, change: i128) {
        if let Some(account) = self.chains.get_mut(at.chain).filter(|_| !at.is_accepted) {
            account.sum += change;
        }
    }

    fn add(&mut self, mismatch: &Mismatch<RowPosition>) {
        self.refuse(&mismatch.at, (mismatch.stated, mismatch.expected), None);
    }

    /// A row is invalid, unless a person accepted it.
    fn refuse(
        &mut self,
        at: &RowPosition,
        (stated, expected): (Option<i128>, Option<i128>),
        proof_line: Option<u64>,
    ) {
        let RowPosition { row, line, currency, is_accepted, change, .. } = *at;
        if is_accepted {
            return;
        }
        self.count(at, -change);
        if self.breaks.len() >= BALANCE_BREAKS_MAX {
            self.more += 1;
            return;
        }
        let amount = |amount: i128| i64::try_from(amount).ok();
        let (stated, expected) = (stated.and_then(amount), expected.and_then(amount));
        self.breaks.push(BalanceBreak { row, line, currency, stated, expected, proof_line });
    }

    fn chain_of(&mut self, link: &Link<'_>) -> usize {
        if let Some((account, currency, index)) = &self.last
            && account == link.account
            && *currency == link.currency
        {
            return *index;
        }
        let chains = &mut self.chains;
        let order = self.order;
        let of_account = match self.by_account.get_mut(link.account) {
            Some(known) => known,
            None => self.by_account.entry(link.account.to_owned()).or_default(),
        };
        let known = of_account.iter().find(|(currency, _)| *currency == link.currency);
        let index = known.map(|(_, index)| *index).unwrap_or_else(|| {
            chains.push(AccountChain {
                chain: Chain::new(order),
                epoch: self.epoch,
                sum: 0,
                unproven: Vec::new(),
                doubted: Vec::new(),
                first_day: link.date,
                last_day: link.date,
            });
            of_account.push((link.currency, chains.len() - 1));
            chains.len() - 1
        });
        self.last = Some((link.account.to_owned(), link.currency, index));
        index
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
