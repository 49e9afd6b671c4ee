//! Rule 4: rows that are left over are flagged with the nearest entry that they resemble.
//!
//! Same account, amount and currency, a living entry that no row has taken, at most [`NEAR_DAYS`]
//! apart. The present values of the entry count, not its origin. The nearest pairs of all come
//! first: same day, then by distance, then the older entry, then the earlier row. Each entry flags
//! one row.

use std::ops::Range;

use jiff::civil::Date;

use super::entry_set::EntrySet;
use super::matcher::ChunkDecisions;
use super::runs::join;
use super::{EntryKey, NEAR_DAYS, RowKey};

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>, flagged: &EntrySet) {
    let (rows, known) = (deciding.rows, deciding.known);
    join(
        rows,
        known,
        |row| (row.account, row.amount, row.currency),
        |known| (known.account, known.amount, known.currency),
        |some_rows, some_known| {
            let mut entries: Vec<usize> = some_known
                .filter(|at| deciding.is_resembled(*at))
                .filter(|at| !flagged.contains(known[*at].entry))
                .collect();
            if entries.is_empty() {
                return;
            }
            entries.sort_unstable_by_key(|at| known[*at].entry);
            let mut days = Days::new(some_rows.filter(|at| deciding.is_open(*at)), rows);
            for distance in 0..=NEAR_DAYS {
                entries.retain(|at| match days.nearest(&known[*at], distance) {
                    Some(row) => {
                        deciding.flag(row, *at);
                        false
                    }
                    None => true,
                });
            }
        },
    );
}

/// Open rows by day.
struct Days {
    rows: Vec<usize>,
    /// Each day and the part of `rows` that is still open; sorted.
    days: Vec<(i32, Range<usize>)>,
}

impl Days {
    fn new(open: impl Iterator<Item = usize>, all: &[RowKey]) -> Self {
        let mut days: Vec<(i32, Range<usize>)> = Vec::new();
        let mut rows = Vec::new();
        for row in open {
            let day = day_number(all[row].date);
            match days.last_mut() {
                Some((last, range)) if *last == day => range.end += 1,
                _ => days.push((day, rows.len()..rows.len() + 1)),
            }
            rows.push(row);
        }
        Self { rows, days }
    }

    /// Takes an open row that is exactly so many days away, rather before than after.
    fn nearest(&mut self, known: &EntryKey, distance: i32) -> Option<usize> {
        let day = day_number(known.date);
        self.pop(day - distance).or_else(|| self.pop(day + distance))
    }

    fn pop(&mut self, day: i32) -> Option<usize> {
        let at = self.days.binary_search_by_key(&day, |(day, _)| *day).ok()?;
        self.days[at].1.next().map(|position| self.rows[position])
    }
}

/// How many days lie between two days.
pub(super) fn days_apart(one: Date, other: Date) -> i32 {
    (day_number(one) - day_number(other)).abs()
}

/// Days since some day.
fn day_number(date: Date) -> i32 {
    const EPOCH: Date = Date::constant(1970, 1, 1);
    (EPOCH.duration_until(date).as_hours() / 24) as i32
}
