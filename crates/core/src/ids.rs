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
    /// The id of a user.
    UserId,
    /// The id of a webhook.
    WebhookId,
    /// The id of something that a webhook is sent.
    DeliveryId,
    /// The id of an API key.
    KeyId,
    /// The id of an account.
    AccountId,
    /// The id of a ledger entry: a transaction, a valuation, a trade or a part of a split.
    EntryId,
    /// The id of a category.
    CategoryId,
    /// The id of a tag.
    TagId,
    /// The id of a merchant.
    MerchantId,
    /// The id of a security.
    SecurityId,
    /// The id of a holding.
    HoldingId,
    /// The id of an import.
    ImportId,
    /// The id of a bank statement.
    BankStatementId,
    /// The id of an import template.
    TemplateId,
    /// The id of an uploaded file.
    FileId,
    /// The id of a background job.
    JobId,
    /// The id of a provider connection.
    ConnectionId,
    /// The id of an account that a connection found at its provider.
    FoundAccountId,
    /// The id of a sync.
    SyncId,
    /// The id of a pair of entries that may be one transaction.
    DuplicateId,
    /// The id of an event of the audit trail.
    EventId,
    /// The id of a transfer between accounts of the family.
    TransferId,
    /// The id of a pair of entries that a person rejected as a transfer.
    RejectedTransferId,
    /// The id of a price of a security on a day.
    PriceId,
    /// The id of an exchange rate that the family stated.
    RateId,
    /// The id of a budget of a month.
    BudgetId,
    /// The id of a budget line, which is for one category.
    BudgetCategoryId,
    /// The id of a recurring series.
    RecurringId,
    /// The id of a rule.
    RuleId,
    /// The id of a run of a rule.
    RuleRunId,
    /// The id of an export of everything that a family has.
    FamilyExportId,
    /// The id of a session: an import of which the file comes in chunks.
    ImportSessionId,
    /// The id of a chunk of a session.
    ChunkId,
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
    /// `now_millis` is the Unix time; when it stops or goes back, the counter goes on.
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

    /// The ids of the block from `first` on, `count` at most.
    #[must_use]
    pub fn part(self, first: u64, count: u64) -> Self {
        let count = count.min(self.count.saturating_sub(first));
        Self { counter: self.counter + u128::from(first), count, ..self }
    }

    /// How many ids it has.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Bits of a day's number in [`day_id`].
const DAY_BITS: u32 = 24;
const DAY_SHIFT: u32 = 128 - DAY_BITS;
const VERSION_MASK: u128 = 0xf << 76;
/// Version 8 is for ids that are made in one's own way.
const VERSION_8: u128 = 8 << 76;

/// The id of a thing on one day: the balance of an account, or a holding on an earlier day. Such
/// rows are computed and never stored, so their ids are computed too. `day` counts from 1970.
///
/// The first bits of a UUIDv7 are its time in steps of hours, and the bits after them are enough to
/// distinguish two things. So the first ones have room for the day, and [`of_day`] can read both
/// back.
pub fn day_id(thing: Uuid, day: i32) -> Uuid {
    let bits = (thing.as_u128() & !VERSION_MASK) | VERSION_8;
    Uuid::from_u128(bits ^ (u128::from(day_bits(day)) << DAY_SHIFT))
}

/// The id of a part that is stored in its whole, such as a condition of a rule: it follows from the
/// position of the part, which differs from those of the other parts.
pub fn part_id(whole: Uuid, position: i32) -> Uuid {
    day_id(whole, position)
}

/// The day of an id that [`day_id`] made of this thing; `None` if it is no such id.
pub fn of_day(id: Uuid, thing: Uuid) -> Option<i32> {
    let bits = id.as_u128() ^ ((thing.as_u128() & !VERSION_MASK) | VERSION_8);
    let rest = bits & ((1 << DAY_SHIFT) - 1);
    let day = u32::try_from(bits >> DAY_SHIFT).ok()?;
    (rest == 0 && is_day_id(id)).then(|| (day << (32 - DAY_BITS)).cast_signed() >> (32 - DAY_BITS))
}

/// Whether an id may be one of [`day_id`].
pub fn is_day_id(id: Uuid) -> bool {
    id.as_u128() & VERSION_MASK == VERSION_8
}

/// Whether two ids are of one thing, perhaps on different days: the end of the id is the same.
pub fn same_thing(id: Uuid, thing: Uuid) -> bool {
    const THING: u128 = ((1 << DAY_SHIFT) - 1) & !VERSION_MASK;
    id.as_u128() & THING == thing.as_u128() & THING
}

fn day_bits(day: i32) -> u32 {
    day.cast_unsigned() & ((1 << DAY_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_day_can_be_read_back() {
        let mut ids = IdGenerator::default();
        let block = ids.reserve(1_700_000_000_000, 12_345, 2);
        let (first, second) = (block.get(0), block.get(1));
        for day in [0, 1, -1, 20_000, -25_567, 8_388_607, -8_388_608] {
            let id = day_id(first, day);
            assert_eq!(of_day(id, first), Some(day));
            assert_eq!(of_day(id, second), None);
            assert!(same_thing(id, first) && !same_thing(id, second));
            assert!(is_day_id(id) && id.get_variant() == uuid::Variant::RFC4122);
        }
        assert_eq!(of_day(first, first), None, "an id of its own");
        assert_ne!(day_id(first, 1), day_id(first, 2));
    }

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
