//! Identifiers: one type per noun, all UUIDv7.
//!
//! A version 7 UUID starts with the milliseconds of its birth, so rows that are written together
//! lie together in the index. [`IdGenerator`] hands them out strictly increasing, and in
//! consecutive blocks: an import remembers the first and the last id of what it created, and undo
//! and verification read exactly that range.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A text that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct InvalidId;

/// Reads an id as it is written everywhere: with hyphens, in either case, and nothing around it.
pub fn read(text: &str) -> Result<Uuid, InvalidId> {
    let usual = text.len() == uuid::fmt::Hyphenated::LENGTH;
    usual.then(|| Uuid::try_parse(text).ok()).flatten().ok_or(InvalidId)
}

macro_rules! id_types {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                read(text).map(Self)
            }
        }
        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    )*};
}

id_types! {
    /// A user.
    UserId,
    /// An API key.
    KeyId,
    /// An account.
    AccountId,
    /// A ledger entry: a transaction, a valuation or a trade.
    EntryId,
    /// A category.
    CategoryId,
    /// A tag.
    TagId,
    /// A merchant.
    MerchantId,
    /// A security.
    SecurityId,
    /// A holding.
    HoldingId,
    /// An import.
    ImportId,
    /// What was chosen for a file, for the next one of its kind.
    TemplateId,
    /// An uploaded file.
    FileId,
    /// A background job.
    JobId,
    /// A provider connection.
    ConnectionId,
    /// An event of the audit trail.
    EventId,
    /// A transfer between the family's own accounts.
    TransferId,
    /// A pair that a person said is no transfer.
    RejectedTransferId,
}

/// The bits of the counter: 12 of `rand_a`, 62 of `rand_b`.
const COUNTER_BITS: u32 = 74;
/// A new millisecond starts in the lower half of the counter, so that blocks have room.
const START_MASK: u128 = (1 << (COUNTER_BITS - 1)) - 1;

/// Makes strictly increasing UUIDv7 from times and random numbers that the caller supplies.
#[derive(Debug, Default)]
pub struct IdGenerator {
    millis: u64,
    counter: u128,
}

impl IdGenerator {
    /// Reserves `count` consecutive ids and returns the first.
    ///
    /// `now_millis` is the Unix time; when it stands still or goes back, the counter goes on.
    /// `random` seeds the counter of a new millisecond.
    pub fn reserve(&mut self, now_millis: u64, random: u128, count: u64) -> IdBlock {
        if now_millis > self.millis {
            self.millis = now_millis;
            self.counter = random & START_MASK;
        }
        let block = IdBlock { millis: self.millis, counter: self.counter, count };
        self.counter += u128::from(count.max(1));
        block
    }
}

/// Consecutive ids, handed out one by one.
#[derive(Debug, Clone, Copy)]
pub struct IdBlock {
    millis: u64,
    counter: u128,
    count: u64,
}

impl IdBlock {
    /// The id at `index`, which is below the count that was reserved.
    pub fn get(&self, index: u64) -> Uuid {
        debug_assert!(index < self.count.max(1));
        let counter = self.counter + u128::from(index);
        let high = (counter >> 62) & 0xfff;
        let low = counter & ((1 << 62) - 1);
        let bits = (u128::from(self.millis) << 80) | (7 << 76) | (high << 64) | (2 << 62) | low;
        Uuid::from_u128(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_form_is_an_id() {
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        assert_eq!(id.parse::<AccountId>().unwrap().to_string(), id);
        assert_eq!(id.to_uppercase().parse::<AccountId>().unwrap().to_string(), id);
        for other in [
            "",
            "1",
            "0190f5f07c007a10800000000000000a",
            "{0190f5f0-7c00-7a10-8000-00000000000a}",
            "urn:uuid:0190f5f0-7c00-7a10-8000-00000000000a",
            " 0190f5f0-7c00-7a10-8000-00000000000",
            "0190f5f0-7c00-7a10-8000-00000000000g",
            "0190f5f0-7c00-7a10-8000-0000000000ä",
        ] {
            assert_eq!(other.parse::<AccountId>(), Err(InvalidId), "{other}");
        }
    }

    #[test]
    fn ids_increase_over_blocks_and_times_that_stand_still() {
        let mut ids = IdGenerator::default();
        let mut last = Uuid::nil();
        for (now, count) in [(5, 3), (5, 1), (4, 2), (6, 1)] {
            let block = ids.reserve(now, u128::MAX, count);
            for index in 0..count {
                let id = block.get(index);
                assert!(id > last, "{id} follows {last}");
                assert_eq!(id.get_version_num(), 7);
                assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
                last = id;
            }
        }
    }
}
