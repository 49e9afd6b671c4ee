//! Which ids the records of a file have: 16 bytes for each.
//!
//! An id that is a UUID is kept as it is, any other one as a hash of 128 bits.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use uuid::Uuid;

use super::{RecordType, SourceId};

/// What only one record of a file may have. The ids of transactions are among [`super::sides`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Claim {
    /// The id of a record of a type.
    Id(RecordType),
    /// The id of a part of a transaction.
    Part,
    /// The side of a move of shares.
    Move,
    /// A day of an account that has a valuation.
    ValuedDay,
    /// A day of which the holding of a security in an account is reported.
    HeldDay,
}

/// Keys in their order, each as often as it was added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SortedKeys(Vec<u128>);

impl SortedKeys {
    /// Adds a key. It is found after [`SortedKeys::sort`].
    pub fn add(&mut self, key: u128) {
        self.0.push(key);
    }

    /// Makes the keys ready to be looked up.
    pub fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// Makes the keys ready to be looked up, each once.
    pub fn sort_once(&mut self) {
        self.sort();
        self.0.dedup();
        self.0.shrink_to_fit();
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The place of a key among the others.
    pub fn position(&self, key: u128) -> Option<usize> {
        self.0.binary_search(&key).ok()
    }

    /// How often a key was added; 2 stands for any number above 1.
    pub(super) fn times(&self, key: u128) -> u8 {
        let Some(at) = self.position(key) else { return 0 };
        let is_at = |at: Option<usize>| at.and_then(|at| self.0.get(at)) == Some(&key);
        1 + u8::from(is_at(at.checked_sub(1)) || is_at(Some(at + 1)))
    }
}

/// The ids of all records of a file but its transactions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RecordIds {
    sorted: HashMap<Claim, SortedKeys>,
}

impl RecordIds {
    /// Adds what a record claims.
    pub(super) fn add(&mut self, claim: Claim, key: u128) {
        self.sorted.entry(claim).or_default().add(key);
    }

    /// Whether any record claims something of a sort.
    pub(super) fn has(&self, claim: Claim) -> bool {
        self.sorted.contains_key(&claim)
    }

    /// Makes the ids ready to be looked up.
    pub(super) fn sort(&mut self) {
        self.sorted.values_mut().for_each(SortedKeys::sort);
    }

    /// How many records claim it; 2 stands for any number above 1.
    pub(super) fn times(&self, claim: Claim, key: u128) -> u8 {
        self.sorted.get(&claim).map_or(0, |keys| keys.times(key))
    }
}

impl SourceId {
    /// What stands for the id in 16 bytes.
    pub fn key(&self) -> u128 {
        if let Ok(id) = crate::ids::read(&self.0) {
            return Uuid::as_u128(&id);
        }
        hashed(&self.0)
    }
}

/// What stands for a day of an account.
pub(super) fn day_key(account: &SourceId, date: Date) -> u128 {
    hashed(&format!("{} {date}", account.0))
}

fn hashed(text: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        text.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    (half(1) << 64) | half(2)
}
