//! Transfers that a file states: rows of two accounts, each of which names the other.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use jiff::civil::Date;

use crate::ids::EntryId;
use crate::money::Currency;
use crate::plan::Target;

/// A transaction that a file states to be one side of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leg {
    /// The transaction of the row.
    pub entry: EntryId,
    /// Whether the import makes it.
    pub is_new: bool,
    /// The account that it is in.
    pub account: Target,
    /// The account on the other side.
    pub other: Target,
    /// The day of the transaction.
    pub date: Date,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

/// Two transactions that are one transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedPair {
    /// The transaction of money out.
    pub outflow: EntryId,
    /// The transaction of money in.
    pub inflow: EntryId,
    /// Whether the import makes both.
    pub is_new: bool,
}

/// What the two sides of a transfer have in common: the account that the money leaves, the one that
/// it comes to, the day, the amount and its currency.
type Movement = (Target, Target, Date, u64, Currency);

/// Finds the other side of each leg. Of equal ones the first that came is taken.
#[derive(Debug, Default)]
pub struct PairBook {
    waiting: HashMap<Movement, VecDeque<Leg>>,
    count: usize,
}

/// Legs that wait at most: the sides of others are left to the matching of transfers.
const WAITING_MAX: usize = 200_000;

impl PairBook {
    /// Takes a leg, and gives the pair that it completes. If both sides were there before the
    /// import, they stay what they are.
    pub fn leg(&mut self, leg: Leg) -> Option<StatedPair> {
        if leg.amount == 0 || leg.account == leg.other {
            return None;
        }
        let is_out = leg.amount > 0;
        let (from, to) = if is_out { (leg.account, leg.other) } else { (leg.other, leg.account) };
        let movement = (from, to, leg.date, leg.amount.unsigned_abs(), leg.currency);
        let waiting = match self.waiting.entry(movement) {
            Entry::Occupied(waiting) => waiting.into_mut(),
            Entry::Vacant(_) if self.count >= WAITING_MAX => return None,
            Entry::Vacant(place) => place.insert(VecDeque::new()),
        };
        // What waits for one movement is all of one side.
        let is_opposite = waiting.front().is_some_and(|first| (first.amount > 0) != is_out);
        let Some(other) = waiting.pop_front_if(|_| is_opposite) else {
            if self.count < WAITING_MAX {
                waiting.push_back(leg);
                self.count += 1;
            }
            return None;
        };
        if waiting.is_empty() {
            self.waiting.remove(&movement);
        }
        self.count -= 1;
        let (out, into) = if is_out { (leg, other) } else { (other, leg) };
        (out.is_new || into.is_new).then_some(StatedPair {
            outflow: out.entry,
            inflow: into.entry,
            is_new: out.is_new && into.is_new,
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use uuid::Uuid;

    use super::*;
    use crate::plan::Slot;

    fn leg(entry: u128, (account, other): (u32, u32), day: i8, amount: i64) -> Leg {
        Leg {
            entry: EntryId(Uuid::from_u128(entry)),
            is_new: true,
            account: Target::Created(Slot(account)),
            other: Target::Created(Slot(other)),
            date: date(2026, 1, day),
            amount,
            currency: Currency::USD,
        }
    }

    fn pairs(legs: &[Leg]) -> Vec<(u128, u128)> {
        let mut book = PairBook::default();
        let found = legs.iter().filter_map(|leg| book.leg(*leg));
        found.map(|pair| (pair.outflow.0.as_u128(), pair.inflow.0.as_u128())).collect()
    }

    #[test]
    fn each_side_is_in_one_pair() {
        let out = |entry| leg(entry, (1, 2), 5, 100);
        let into = |entry| leg(entry, (2, 1), 5, -100);
        assert_eq!(pairs(&[out(1), into(2)]), [(1, 2)]);
        assert_eq!(pairs(&[into(2), out(1)]), [(1, 2)]);
        assert_eq!(pairs(&[out(1), out(2), into(3), into(4), into(5)]), [(1, 3), (2, 4)]);
        assert_eq!(pairs(&[out(1), into(2), out(3), into(4)]), [(1, 2), (3, 4)]);
    }

    #[test]
    fn memory_is_bounded_whatever_waits() {
        let mut book = PairBook::default();
        let more = 100;
        for amount in 1..=WAITING_MAX + more {
            book.leg(leg(1, (1, 2), 5, i64::try_from(amount).unwrap()));
        }
        assert_eq!((book.waiting.len(), book.count), (WAITING_MAX, WAITING_MAX));
    }

    #[test]
    fn sides_that_differ_are_no_pair() {
        let out = leg(1, (1, 2), 5, 100);
        for other in [
            leg(2, (2, 1), 6, -100),
            leg(2, (2, 1), 5, -101),
            leg(2, (2, 1), 5, 100),
            leg(2, (2, 3), 5, -100),
            leg(2, (3, 1), 5, -100),
            Leg { currency: Currency::EUR, ..leg(2, (2, 1), 5, -100) },
        ] {
            assert_eq!(pairs(&[out, other]), [], "{other:?}");
        }
        assert_eq!(pairs(&[leg(1, (1, 1), 5, 100), leg(2, (1, 1), 5, -100)]), []);
        assert_eq!(pairs(&[leg(1, (1, 2), 5, 0), leg(2, (2, 1), 5, 0)]), []);
    }

    #[test]
    fn what_was_there_before_is_left_alone() {
        let known =
            |entry, accounts, amount| Leg { is_new: false, ..leg(entry, accounts, 5, amount) };
        assert_eq!(pairs(&[known(1, (1, 2), 100), known(2, (2, 1), -100)]), []);
        let mut book = PairBook::default();
        book.leg(known(1, (1, 2), 100));
        let pair = book.leg(leg(2, (2, 1), 5, -100)).unwrap();
        assert!(!pair.is_new);
    }
}
