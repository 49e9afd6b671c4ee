//! Step 5: entries of other sources.
//!
//! A family that has imported files of its bank and then connects to it has the same transactions
//! from both. A booked row stands for such an entry of the same day, amount and currency if the
//! names are similar. That comes before a pending row is booked: whoever imports a file of a bank
//! that has reported the transaction as pending has both, and the imported one is booked already.
//! What only resembles an entry is added, and a person decides, when everything else is decided. An
//! entry that was added with the id of the row under the name of this source is the row.

use std::collections::HashMap;

use jiff::civil::Date;

use super::matching::Matching;
use super::{Doubt, are_similar, days_between};
use crate::import::transaction::duplicates::NEAR_DAYS;
use crate::money::Currency;

pub(super) fn decide(matching: &mut Matching<'_>) {
    if matching.others.is_empty() {
        return;
    }
    claim_by_id(matching);
    claim_by_content(matching);
}

/// Whether an entry of another source is a booked row.
pub(super) fn is_there(matching: &Matching<'_>, row: usize) -> bool {
    let now = matching.row(row);
    let mut open = matching.open_others().map(|other| &matching.others[other].row);
    open.any(|other| {
        other.id.is_none()
            && (other.date, other.amount, other.currency) == (now.date, now.amount, now.currency)
            && are_similar(&other.name, &now.name)
    })
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
        let (one, now) = (&others[*other].row, matching.row(row));
        if (one.amount, one.currency) == (now.amount, now.currency) {
            matching.claim(row, *other);
        } else {
            // The account has it for another entry, and an id is of one entry only.
            matching.refuse_id(row);
        }
    }
}

fn claim_by_content(matching: &mut Matching<'_>) {
    let others = matching.others;
    let mut by_day: HashMap<(Date, i64, Currency), Vec<usize>> = HashMap::new();
    for other in matching.open_others().filter(|other| others[*other].row.id.is_none()) {
        let row = &others[other].row;
        by_day.entry((row.date, row.amount, row.currency)).or_default().push(other);
    }
    for are_equal in [true, false] {
        let rows: Vec<usize> =
            matching.open_rows().filter(|row| !matching.row(*row).pending).collect();
        for row in rows {
            let now = matching.row(row);
            let Some(list) = by_day.get_mut(&(now.date, now.amount, now.currency)) else {
                continue;
            };
            let fits = |other: &usize| match are_equal {
                true => others[*other].row.name == now.name,
                false => are_similar(&others[*other].row.name, &now.name),
            };
            if let Some(at) = list.iter().position(fits) {
                let other = list.remove(at);
                if matching.id(row).is_some_and(|id| matching.owner(id).is_some()) {
                    matching.refuse_id(row);
                }
                matching.claim(row, other);
            }
        }
    }
}

/// Rows that are left over are flagged with an entry of the same amount a few days apart.
pub(super) fn suggest(matching: &mut Matching<'_>) {
    let others = matching.others;
    if others.is_empty() {
        return;
    }
    let mut by_amount: HashMap<(i64, Currency), Vec<usize>> = HashMap::new();
    for other in matching.open_others() {
        let row = &others[other].row;
        by_amount.entry((row.amount, row.currency)).or_default().push(other);
    }
    let rows: Vec<usize> = matching.open_rows().filter(|row| !matching.row(*row).pending).collect();
    for row in rows {
        let now = matching.row(row);
        let Some(list) = by_amount.get_mut(&(now.amount, now.currency)) else { continue };
        let distance = |other: &usize| days_between(others[*other].row.date, now.date).abs();
        let nearest = (0..list.len()).min_by_key(|at| (distance(&list[*at]), *at));
        if let Some(at) = nearest.filter(|at| distance(&list[*at]) <= NEAR_DAYS) {
            let other = list.remove(at);
            matching.suggest(others[other].entry, row, Doubt::Resembles);
        }
    }
}
