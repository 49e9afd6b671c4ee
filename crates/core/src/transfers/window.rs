//! The days that the matcher holds, and what can be looked up in them.
//!
//! Each day has its entries, an index of those that may be paired by currency, size and direction,
//! and for each account how many entries it has in each direction. The entries of an index are by
//! account, so that many equal ones in one's own account cost nothing.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use super::evidence::Hints;
use super::{CANDIDATES_MAX, DAYS_MAX, Entry};
use crate::ids::AccountId;
use crate::money::Currency;

/// The position of an entry in the window.
pub(super) type WindowPosition = (i64, usize);

/// An entry and what was found out about it so far.
#[derive(Debug)]
pub(super) struct WindowEntry {
    pub(super) entry: Entry,
    /// Entries that could be its other side; empty if they are too many to distinguish.
    pub(super) candidates: Vec<WindowPosition>,
    /// Opposite entries around it, whatever their amounts.
    pub(super) crowd: u32,
    /// The signs in its own texts, if it has candidates.
    pub(super) hints: Hints,
    /// The best pairs it is in.
    pub(super) best: Vec<WindowPosition>,
}

/// What equal entries have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    currency: Currency,
    amount: i64,
}

/// Entries of one account, or how many it has.
type ByAccount<T> = Vec<(AccountId, T)>;

#[derive(Debug, Default)]
struct Day {
    entries: Vec<WindowEntry>,
    equal: HashMap<Key, ByAccount<Vec<usize>>>,
    /// The counts by currency and by whether money goes out.
    counts: HashMap<(Currency, bool), ByAccount<u32>>,
}

/// A few days of entries.
#[derive(Debug, Default)]
pub(super) struct Window(BTreeMap<i64, Day>);

impl Window {
    /// Adds an entry to its day.
    pub(super) fn add(&mut self, entry: Entry) {
        let day = self.0.entry(entry.day).or_default();
        let counts = day.counts.entry((entry.currency, entry.amount > 0)).or_default();
        *of_account(counts, entry.account) += 1;
        if entry.is_free() {
            let key = Key { currency: entry.currency, amount: entry.amount };
            let equal = day.equal.entry(key).or_default();
            of_account(equal, entry.account).push(day.entries.len());
        }
        let (candidates, best) = (Vec::new(), Vec::new());
        let hints = Hints::default();
        day.entries.push(WindowEntry { entry, candidates, crowd: 0, hints, best });
    }

    /// Forgets the days before one.
    pub(super) fn forget_before(&mut self, day: i64) {
        self.0 = self.0.split_off(&day);
    }

    /// Places of all entries of some days.
    pub(super) fn places(&self, days: RangeInclusive<i64>) -> Vec<WindowPosition> {
        let days = self.0.range(days);
        days.flat_map(|(day, held)| (0..held.entries.len()).map(|index| (*day, index))).collect()
    }

    /// An entry at a place that this window gave out.
    pub(super) fn get(&self, (day, index): WindowPosition) -> Option<&WindowEntry> {
        self.0.get(&day)?.entries.get(index)
    }

    /// As [`Window::get`], to change.
    pub(super) fn get_mut(&mut self, (day, index): WindowPosition) -> Option<&mut WindowEntry> {
        self.0.get_mut(&day)?.entries.get_mut(index)
    }

    /// Free entries of other accounts that cancel an entry; `None` if there are more than
    /// [`CANDIDATES_MAX`].
    pub(super) fn opposites(&self, entry: &Entry) -> Option<Vec<WindowPosition>> {
        let mut found = Vec::new();
        if !entry.is_free() {
            return Some(found);
        }
        let Some(amount) = entry.amount.checked_neg() else { return Some(found) };
        let key = Key { currency: entry.currency, amount };
        for (number, day) in self.around(entry.day) {
            let accounts = day.equal.get(&key).map(Vec::as_slice).unwrap_or_default();
            for (account, indices) in accounts {
                if *account != entry.account {
                    found.extend(indices.iter().map(|index| (*number, *index)));
                }
                if found.len() > CANDIDATES_MAX {
                    return None;
                }
            }
        }
        Some(found)
    }

    /// How many entries of other accounts go the other way, whatever their amounts.
    pub(super) fn crowd(&self, entry: &Entry) -> u32 {
        let key = (entry.currency, entry.amount < 0);
        let counts = self.around(entry.day).filter_map(|(_, day)| day.counts.get(&key)).flatten();
        counts.filter(|(account, _)| *account != entry.account).map(|(_, count)| count).sum()
    }

    fn around(&self, day: i64) -> impl Iterator<Item = (&i64, &Day)> {
        self.0.range(day.saturating_sub(DAYS_MAX)..=day.saturating_add(DAYS_MAX))
    }
}

/// The value of an account; a family has few.
fn of_account<T: Default>(values: &mut ByAccount<T>, account: AccountId) -> &mut T {
    let index = values.iter().position(|(one, _)| *one == account).unwrap_or(values.len());
    if index == values.len() {
        values.push((account, T::default()));
    }
    &mut values[index].1
}
