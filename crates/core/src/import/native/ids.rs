//! Which ids the records of a file have: 16 bytes for each.
//!
//! An id that is a UUID is kept as it is, any other one as a hash of 128 bits.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use jiff::civil::Date;
use uuid::Uuid;

use super::{RecordType, SourceId};

/// What only one record of a file may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Claim {
    /// The id of a record of a type; parts of transactions have ids among those of transactions.
    Id(RecordType),
    /// The id of a part of a transaction.
    Part,
    /// A day of an account that has a valuation.
    ValuedDay,
    /// A day of which the holding of a security in an account is reported.
    HeldDay,
}

/// The ids of all records of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RecordIds {
    sorted: HashMap<Claim, Vec<u128>>,
    /// What several records have.
    several: HashSet<(Claim, u128)>,
}

impl RecordIds {
    /// Adds what a record claims.
    pub(super) fn add(&mut self, claim: Claim, key: u128) {
        self.sorted.entry(claim).or_default().push(key);
    }

    /// Makes the ids ready to be looked up.
    pub(super) fn sort(&mut self) {
        for (claim, keys) in &mut self.sorted {
            keys.sort_unstable();
            let equal = keys.windows(2).filter(|pair| pair[0] == pair[1]);
            self.several.extend(equal.map(|pair| (*claim, pair[0])));
        }
    }

    /// Whether a record claims it.
    pub(super) fn has(&self, claim: Claim, key: u128) -> bool {
        self.sorted.get(&claim).is_some_and(|keys| keys.binary_search(&key).is_ok())
    }

    /// Whether several records claim it.
    pub(super) fn is_of_several(&self, claim: Claim, key: u128) -> bool {
        self.several.contains(&(claim, key))
    }
}

/// What stands for an id.
pub(super) fn key(id: &SourceId) -> u128 {
    if let Ok(id) = crate::ids::read(&id.0) {
        return Uuid::as_u128(&id);
    }
    hashed(&id.0)
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
