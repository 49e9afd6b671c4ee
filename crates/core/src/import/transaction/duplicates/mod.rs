//! Duplicates: which rows stand for something that the ledger already knows.
//!
//! The ledger has origins of entries, present values of entries that were changed since, and
//! tombstones of deleted ones. Rows are decided in chunks, so memory does not grow with the file:
//!
//! ```text
//! rows ─► Chunk ─► windows, wants ─► (the store looks) ─► EntryKey ─► Matcher::decide ─► findings
//! ```
//!
//! In a chunk, rule after rule: by the record of the file (`by_record`), by the bank's id
//! (`by_id`), by fingerprint (`by_content`), and what is left over is flagged if it resembles an
//! entry (`near`), or has the running number of one on a far-off day. The first three compare with
//! the origin, the last with the present values. Rows and entries with equal keys are
//! interchangeable, so each rule walks sorted runs and never compares all with all.
//!
//! The record comes first: of the same export, read with other settings, a row may have the day,
//! the amount and the name by which another row of it was imported. If that one took its entry, its
//! own row would find none and come twice.
//!
//! Limits: what a chunk took, later ones can't take; a rule doesn't see rows of later chunks. That
//! shows only in which of the rows with one id that differ otherwise is matched, in files that mix
//! rows with and without ids of the bank, and in flags. Texts are compared by 64-bit hashes.

mod by_content;
mod by_id;
mod by_record;
mod chunk;
mod entry_set;
mod keyed;
mod matcher;
mod near;
pub mod record;
mod runs;
#[cfg(test)]
mod tests;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use jiff::civil::Date;

use crate::ids::EntryId;
use crate::import::verdict::Verdict;
use crate::money::Currency;

pub use chunk::{Chunk, Window};
pub use matcher::Matcher;

/// Rows that are decided together.
pub const CHUNK_ROWS: usize = 262_144;
/// How many days apart entries may be to resemble each other.
pub const NEAR_DAYS: i32 = 3;

/// How many days apart a row and an entry may be to be one because of a running number as the
/// bank's id: more than a booking takes, and less than it takes a bank to use its numbers again.
pub const NUMBER_DAYS: i32 = 6;
/// How many days apart a row and an entry with equal running numbers and amounts may be to resemble
/// each other: less than from one monthly statement to the next, in which a fee may have the number
/// that it had before.
const FAR_DAYS: i32 = 20;
/// Ids with so many digits at most, zeros in front aside, and nothing else are running numbers:
/// some banks number the entries of each statement anew.
const NUMBER_DIGITS_MAX: usize = 4;
/// The bit of an [`external_key`] that is set for running numbers.
const RUNNING_NUMBER: u64 = 2;

/// A row that may stand for an entry.
#[derive(Debug, Clone, Copy)]
pub struct RowKey {
    /// Its number, from 0, each once.
    pub row: u32,
    /// The position among the planner's existing accounts.
    pub account: u32,
    /// The day of the row.
    pub date: Date,
    /// The amount in the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The fingerprint, see [`content_key`].
    pub content: u64,
    /// See [`external_key`]; `None` if the row has no id of the bank.
    pub external: Option<NonZeroU64>,
    /// The record that the row was made of, see [`record::RecordHasher`].
    pub record: Option<NonZeroU64>,
}

/// Millions of rows pass through.
const _: () = assert!(size_of::<RowKey>() <= 48);

/// The kind of values in a key. An entry that was changed has two keys, and so may one that its
/// bank has not booked yet: it is unchanged as far as ids go, and current by its day. Others have
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The entry has not been changed: the values are those of its origin.
    Unchanged,
    /// The origin of an entry that was changed since: rows with equal values stand for it, but rows
    /// that resemble it are not flagged.
    Source,
    /// The present values of an entry that was changed: a person set them, so no row stands for
    /// them, but rows may resemble them.
    Current,
    /// The origin of an entry that was deleted.
    Tombstone,
}

impl Aspect {
    /// Whether rows with exactly these values stand for the entry.
    fn is_exact(self) -> bool {
        self != Self::Current
    }
}

/// The values of an entry or of its origin, as far as duplicates are found by them.
#[derive(Debug, Clone, Copy)]
pub struct EntryKey {
    /// The entry; of a tombstone the one that was deleted.
    pub entry: EntryId,
    /// The kind of the values.
    pub aspect: Aspect,
    /// The position among the planner's existing accounts.
    pub account: u32,
    /// The day of the entry.
    pub date: Date,
    /// The amount in the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The fingerprint, see [`content_key`].
    pub content: u64,
    /// The id of the bank, see [`external_key`].
    pub external: Option<NonZeroU64>,
    /// A record of an earlier file that the entry was made of or matched with, if it is that of a
    /// row of the chunk.
    pub record: Option<NonZeroU64>,
}

impl EntryKey {
    /// Whether it is a tombstone.
    fn is_deleted(&self) -> bool {
        self.aspect == Aspect::Tombstone
    }
}

/// The verdict on a row that is not simply created, and the entry that it refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// The number of the row, as in [`RowKey::row`].
    pub row: u32,
    /// A match, a deletion, or a possible duplicate.
    pub verdict: Verdict,
    /// The entry that the verdict refers to.
    pub entry: EntryId,
    /// The account of the row, as in [`RowKey::account`].
    pub account: u32,
    /// The day of the row.
    pub date: Date,
    /// The amount of the row.
    pub amount: i64,
}

/// The hash of what is compared exactly: the currency and the name that the source gave. It has no
/// secret and is not kept: all keys of one plan are made by one process.
pub fn content_key(currency: Currency, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (currency.code(), name).hash(&mut hasher);
    hasher.finish()
}

/// The same for a trade, by what it contains: see [`crate::import::trade::fingerprint`].
pub fn trade_key(currency: Currency, content: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (currency.code(), "trade", content).hash(&mut hasher);
    hasher.finish()
}

/// The hash of an id of the bank, and whether that is a running number.
pub fn external_key(id: &str) -> NonZeroU64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let digits = id.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches('0');
    let is_number =
        digits.len() <= NUMBER_DIGITS_MAX && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { RUNNING_NUMBER } else { 0 };
    NonZeroU64::MIN | (hasher.finish() & !RUNNING_NUMBER) | number
}

fn is_running_number(external: NonZeroU64) -> bool {
    external.get() & RUNNING_NUMBER != 0
}
