//! Steps 5, 7 and 8: entries of other sources.
//!
//! A family that has imported files of its bank and then connects to it has the same transactions
//! from both. A booked row stands for such an entry of the same day, amount and currency if the
//! names are similar; the entry may be compared as it is now, or as it came. So it doesn't matter
//! that a person or a rule changed it, or that it was moved to another account. That comes before a
//! pending row is booked: whoever imports a file of a bank that has reported the transaction as
//! pending has both, and the imported one is booked already. An entry that was added with the id of
//! the row under the name of this source is the row.
//!
//! What a person deleted comes last: whoever deletes an imported entry because the bank has
//! reported the same one as pending keeps that. What only resembles an entry is added, and a person
//! decides.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;

use super::matching::Matching;
use super::{Doubt, OtherEntry, OtherState, SourceRow, are_similar, days_between};
use crate::import::transaction::duplicates::NEAR_DAYS;
use crate::money::Currency;

pub(super) fn decide(matching: &mut Matching<'_>) {
    if matching.others.is_empty() {
        return;
    }
    claim_by_id(matching);
    claim_by_content(matching, &HashSet::new(), |other| other.state.is_claimed());
}

/// Rows of what a person deleted stay away, but for those about which a person is asked: the answer
/// decides whether they are another entry.
pub(super) fn decide_deleted(matching: &mut Matching<'_>) {
    let asked = matching.rows_in_question();
    claim_by_content(matching, &asked, |other| other.state == OtherState::Deleted);
}

/// Whether an entry of another source is a booked row.
pub(super) fn is_there(matching: &Matching<'_>, row: usize) -> bool {
    let now = matching.row(row);
    let mut open = matching.open_others().map(|other| &matching.others[other]);
    open.any(|other| {
        other.state.is_claimed()
            && other.row.id.is_none()
            && other.aspects().any(|one| key(one) == key(now) && are_similar(&one.name, &now.name))
    })
}

/// What a row and an entry must have in common to be one transaction, but for the names.
fn key(row: &SourceRow) -> (Date, i64, Currency) {
    (row.date, row.amount, row.currency)
}

fn claim_by_id(matching: &mut Matching<'_>) {
    let others = matching.others;
    let of_id: HashMap<&str, usize> = matching
        .open_others()
        .filter_map(|other| Some((others[other].row.id.as_deref()?, other)))
        .collect();
    let rows: Vec<usize> = matching.open_rows().collect();
    for row in rows {
        let Some(other) = matching.id(row).and_then(|id| of_id.get(id)) else { continue };
        let now = matching.row(row);
        let is_equal = |one: &SourceRow| (one.amount, one.currency) == (now.amount, now.currency);
        if others[*other].aspects().any(is_equal) {
            matching.claim(row, *other);
        } else {
            // The account has it for another entry, and an id is of one entry only.
            matching.refuse_id(row);
        }
    }
}

/// Entries, and the names that they have, by day and amount.
type EntriesOfDays<'a> = HashMap<(Date, i64, Currency), Vec<(usize, &'a str)>>;

/// Booked rows stand for entries of the same day and amount, but for rows that are `left_out`:
/// first for those of the same name, and among these in the order of [`ranked`].
fn claim_by_content(
    matching: &mut Matching<'_>,
    left_out: &HashSet<usize>,
    is_one: impl Fn(&OtherEntry) -> bool,
) {
    let others = matching.others;
    let mut by_rank: [EntriesOfDays<'_>; RANKS] = std::array::from_fn(|_| HashMap::new());
    for other in matching.open_others().filter(|other| is_one(&others[*other])) {
        for (rank, aspect) in ranked(&others[other]).filter(|(_, one)| one.id.is_none()) {
            by_rank[rank].entry(key(aspect)).or_default().push((other, &aspect.name));
        }
    }
    if by_rank.iter().all(HashMap::is_empty) {
        return;
    }
    for are_equal in [true, false] {
        for by_day in &mut by_rank {
            for list in by_day.values_mut() {
                list.retain(|(other, _)| matching.is_unclaimed(*other));
            }
            let is_left = |row: &usize| !matching.row(*row).pending && !left_out.contains(row);
            let rows: Vec<usize> = matching.open_rows().filter(is_left).collect();
            for row in rows {
                let now = matching.row(row);
                let Some(list) = by_day.get_mut(&key(now)) else { continue };
                let fits = |name: &str| is_named(name, now, are_equal);
                let Some(at) = list.iter().position(|(_, name)| fits(name)) else { continue };
                let (other, _) = list.remove(at);
                if matching.id(row).is_some_and(|id| matching.owner(id).is_some()) {
                    matching.refuse_id(row);
                }
                matching.claim(row, other);
            }
        }
    }
}

/// Whether a name is that of a row, or, if it needn't be equal, similar to it.
fn is_named(name: &str, row: &SourceRow, are_equal: bool) -> bool {
    if are_equal { name == row.name } else { are_similar(name, &row.name) }
}

/// How many ranks there are.
const RANKS: usize = 3;

/// What an entry came with counts before what it is now, and an entry that is in the account before
/// one that was moved away. So a row doesn't take an entry that another row is.
fn ranked(other: &OtherEntry) -> impl Iterator<Item = (usize, &SourceRow)> {
    let is_moved = other.state == OtherState::Moved;
    let came = other.origin.as_ref().unwrap_or(&other.row);
    let now = other.origin.as_ref().map(|_| (1, &other.row));
    std::iter::once((if is_moved { 2 } else { 0 }, came)).chain(now)
}

/// Rows that are left over are flagged with an entry that was moved to another linked account, or
/// that resembles them.
pub(super) fn suggest(matching: &mut Matching<'_>) {
    let asked = suggest_moved(matching);
    suggest_resembling(matching, &asked);
}

/// Rows that are what an entry came as that a person moved to another linked account, equal names
/// first. They may be that entry, or a row of the other account is. Returns the rows.
fn suggest_moved(matching: &mut Matching<'_>) -> HashSet<usize> {
    let others = matching.others;
    let is_moved = |other: &usize| others[*other].state == OtherState::MovedToLinked;
    let mut moved: EntriesOfDays<'_> = HashMap::new();
    for other in matching.open_others().filter(is_moved) {
        let came = &others[other].row;
        moved.entry(key(came)).or_default().push((other, &came.name));
    }
    let mut asked = HashSet::new();
    if moved.is_empty() {
        return asked;
    }
    let rows: Vec<usize> = matching.open_rows().filter(|row| !matching.row(*row).pending).collect();
    for are_equal in [true, false] {
        for row in rows.iter().copied() {
            let now = matching.row(row);
            let Some(list) = moved.get_mut(&key(now)).filter(|_| !asked.contains(&row)) else {
                continue;
            };
            if let Some(at) = list.iter().position(|(_, name)| is_named(name, now, are_equal)) {
                matching.suggest(others[list.remove(at).0].entry, row, Doubt::Moved);
                asked.insert(row);
            }
        }
    }
    asked
}

/// Rows that have the same amount as an entry a few days apart. The bank was not asked for the row
/// of an entry from before the window, which may have one of its own: it is in question only if the
/// names are similar.
fn suggest_resembling(matching: &mut Matching<'_>, asked: &HashSet<usize>) {
    let (others, reported) = (matching.others, matching.reported);
    let mut by_amount: HashMap<(i64, Currency), Vec<usize>> = HashMap::new();
    for other in matching.open_others().filter(|at| others[*at].state == OtherState::Here) {
        let row = &others[other].row;
        by_amount.entry((row.amount, row.currency)).or_default().push(other);
    }
    if by_amount.is_empty() {
        return;
    }
    let is_left = |row: &usize| !matching.row(*row).pending && !asked.contains(row);
    let rows: Vec<usize> = matching.open_rows().filter(is_left).collect();
    for row in rows {
        let now = matching.row(row);
        let Some(list) = by_amount.get_mut(&(now.amount, now.currency)) else { continue };
        let distance = |other: &usize| days_between(others[*other].row.date, now.date).abs();
        let may_be = |at: &usize| {
            let other = &others[list[*at]];
            distance(&list[*at]) <= NEAR_DAYS
                && (reported.covers(other.row.date)
                    || other.aspects().any(|one| are_similar(&one.name, &now.name)))
        };
        let nearest = (0..list.len()).filter(may_be).min_by_key(|at| (distance(&list[*at]), *at));
        if let Some(at) = nearest {
            let other = list.remove(at);
            matching.suggest(others[other].entry, row, Doubt::Resembles);
        }
    }
}
