//! Rule 2: rows with an id of the bank take entries with that id in the account and an equal
//! amount.
//!
//! Banks repeat ids, so this is a multiset: see [`super::keyed`]. An id with another amount is not
//! trusted: its rows are left to the next rule. Nor is a running number more than [`NUMBER_DAYS`]
//! away, because some banks number the entries of each statement anew: what no other rule finds is
//! flagged with the entry.

use std::collections::{BTreeSet, HashMap};

use jiff::ToSpan;
use jiff::civil::Date;
use uuid::Uuid;

use super::entry_set::EntrySet;
use super::keyed::{self, Rule};
use super::matcher::ChunkDecisions;
use super::near::days_apart;
use super::{EntryKey, FAR_DAYS, NUMBER_DAYS, RowKey, is_running_number};
use crate::ids::EntryId;
use crate::import::verdict::Verdict;

pub(super) fn decide(deciding: &mut ChunkDecisions<'_>) {
    keyed::decide(
        deciding,
        |row| Some((row.account, row.external?, row.amount, row.currency)),
        |known| Some((known.account, known.external?, known.amount, known.currency)),
        &Rule { may_stand: is_trusted, verdict: |_: &RowKey, _: &EntryKey| Verdict::MatchedById },
    );
}

fn is_trusted(row: &RowKey, known: &EntryKey) -> bool {
    !row.external.is_some_and(is_running_number) || days_apart(row.date, known.date) <= NUMBER_DAYS
}

/// Flags rows that are left over with entries of the same id on a far-off day, the earlier first.
/// Of a running number the days are at most [`FAR_DAYS`] apart: else a fee that has the same number
/// in each statement would be flagged with that of the month before.
pub(super) fn flag_far(deciding: &mut ChunkDecisions<'_>, flagged: &EntrySet) {
    let (rows, known) = (deciding.rows, deciding.known);
    let mut free: HashMap<_, BTreeSet<_>> = HashMap::new();
    for (at, one) in known.iter().enumerate() {
        if let Some(external) = one.external
            && deciding.is_resembled(at)
            && !flagged.contains(one.entry)
        {
            let key = (one.account, external, one.amount, one.currency);
            free.entry(key).or_default().insert((one.date, one.entry, at));
        }
    }
    for (at, row) in rows.iter().enumerate() {
        let Some(external) = row.external.filter(|_| deciding.is_open(at)) else { continue };
        let key = (row.account, external, row.amount, row.currency);
        let Some(its) = free.get_mut(&key) else { continue };
        let from = match is_running_number(external) {
            true => row.date.saturating_sub(FAR_DAYS.days()),
            false => Date::MIN,
        };
        let earliest = its.range((from, EntryId(Uuid::nil()), 0)..).next().copied();
        let is_near = |(date, ..): &(Date, EntryId, usize)| {
            !is_running_number(external) || days_apart(row.date, *date) <= FAR_DAYS
        };
        if let Some(one) = earliest.filter(is_near) {
            its.remove(&one);
            deciding.flag(at, one.2);
        }
    }
}
