//! The rows of one chunk, sorted, and what the store needs to know to look for their entries.

use std::num::NonZeroU64;

use jiff::SignedDuration;
use jiff::civil::Date;

use super::{NEAR_DAYS, RowKey};

/// Days in which entries of an account matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The account, as in [`RowKey::account`].
    pub account: u32,
    /// The first day of the window.
    pub from: Date,
    /// The last day of the window.
    pub to: Date,
}

/// Sorted rows of one chunk.
pub struct Chunk {
    /// By account, amount, currency, day, content, id, record: the order in which the rules take
    /// rows.
    rows: Vec<RowKey>,
    /// Account, amount and day of the rows, each once, sorted.
    spots: Vec<(u32, i64, Date)>,
    /// A mark for each account and amount.
    amounts: Marks,
    /// The records of the rows, each once, sorted.
    records: Vec<NonZeroU64>,
    /// A mark for each record.
    record_marks: Marks,
}

impl Chunk {
    /// Makes a chunk by sorting the rows.
    pub fn new(mut rows: Vec<RowKey>) -> Self {
        rows.sort_unstable_by_key(|row| {
            let RowKey { row, account, date, amount, currency, content, external, record } = *row;
            (account, amount, currency, date, content, external, record, row)
        });
        let mut spots: Vec<_> =
            rows.iter().map(|row| (row.account, row.amount, row.date)).collect();
        spots.sort_unstable();
        spots.dedup();
        let pairs = spots.iter().map(|(account, amount, _)| hash_of(*account, *amount));
        let amounts = Marks::new(pairs);
        let mut records: Vec<_> = rows.iter().filter_map(|row| row.record).collect();
        records.sort_unstable();
        records.dedup();
        let record_marks = Marks::new(records.iter().map(|record| record.get()));
        Self { rows, spots, amounts, records, record_marks }
    }

    pub(super) fn rows(&self) -> &[RowKey] {
        &self.rows
    }

    /// By account, the days of the rows and [`NEAR_DAYS`] around each, as few windows as possible.
    pub fn windows(&self) -> Vec<Window> {
        let mut days: Vec<_> =
            self.spots.iter().map(|&(account, _, date)| (account, date)).collect();
        days.sort_unstable();
        days.dedup();
        let mut windows: Vec<Window> = Vec::new();
        for (account, date) in days {
            let (from, to) = around(date);
            match windows.last_mut() {
                Some(last) if last.account == account && from <= next_day(last.to) => last.to = to,
                _ => windows.push(Window { account, from, to }),
            }
        }
        windows
    }

    /// Whether an entry can matter: a row has its account and amount at most [`NEAR_DAYS`] away.
    /// Called for every entry in the windows, most of which no row resembles.
    pub fn wants(&self, account: u32, date: Date, amount: i64) -> bool {
        if !self.amounts.may_have(hash_of(account, amount)) {
            return false;
        }
        let (from, to) = around(date);
        let first = self.spots.partition_point(|spot| *spot < (account, amount, from));
        self.spots.get(first).is_some_and(|spot| *spot <= (account, amount, to))
    }

    /// Whether a row has this record. Called for every record that the family's entries have.
    pub fn wants_record(&self, record: NonZeroU64) -> bool {
        self.record_marks.may_have(record.get()) && self.records.binary_search(&record).is_ok()
    }
}

fn around(date: Date) -> (Date, Date) {
    let near = SignedDuration::from_hours(24 * i64::from(NEAR_DAYS));
    (date.saturating_sub(near), date.saturating_add(near))
}

fn next_day(date: Date) -> Date {
    date.saturating_add(SignedDuration::from_hours(24))
}

/// Mixes an account and an amount. Multiplying by an odd number without pattern mixes the upper
/// bits well.
fn hash_of(account: u32, amount: i64) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let account = u64::from(account).wrapping_mul(MIX).rotate_left(32);
    (amount as u64 ^ account).wrapping_mul(MIX)
}

/// A bit for each of many hashes, shared by a few: a quick "no".
struct Marks {
    bits: Vec<u64>,
    /// How far a hash is shifted down to become the number of a bit.
    shift: u32,
}

/// How many bits each hash gets: about one in this many others passes.
const BITS_PER_HASH: usize = 16;

impl Marks {
    fn new(hashes: impl ExactSizeIterator<Item = u64>) -> Self {
        let bits = (hashes.len() * BITS_PER_HASH).next_power_of_two().max(64);
        let mut marks = Self { bits: vec![0; bits / 64], shift: 64 - bits.trailing_zeros() };
        for hash in hashes {
            let bit = marks.bit(hash);
            marks.bits[bit / 64] |= 1 << (bit % 64);
        }
        marks
    }

    fn may_have(&self, hash: u64) -> bool {
        let bit = self.bit(hash);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn bit(&self, hash: u64) -> usize {
        (hash >> self.shift) as usize
    }
}
