//! Steps 1 and 3: by the id of the bank, if one row of the answer has it.
//!
//! Banks give one id to several rows, to the pending and the booked row of one transaction, or to
//! rows of different days. An id of several rows is none. An id of a single row counts if the row
//! is what was known, or if the known row should be in the answer and this one is alike.

use std::collections::HashMap;

use super::matching::{Matching, is_followed};
use super::{are_similar, claims, rotated};

/// Rows that are exactly what was known of their id.
pub(super) fn decide_equal(matching: &mut Matching<'_>) {
    join_sides(matching);
    let rows: Vec<usize> = matching.open_rows().collect();
    for row in rows {
        let owner = matching.id(row).and_then(|id| matching.owner(id));
        let Some(known) = owner else { continue };
        if matching.known[known].row.content() == matching.row(row).content() {
            matching.take(row, known);
        }
    }
}

/// Rows that the bank has changed since. They come after those that are known by their content.
pub(super) fn decide_changed(matching: &mut Matching<'_>) {
    let rows: Vec<usize> = matching.open_rows().collect();
    let gone = rotated::gone(matching);
    for row in rows {
        let owner = matching.id(row).and_then(|id| matching.owner(id));
        let Some(known) = owner else { continue };
        let (before, now) = (&matching.known[known].row, matching.row(row));
        let is_covered = matching.reported.covers(before.date);
        let is_known = matching.reported.shows_what_became() && gone.contains_key(&now.content());
        if before.pending && !now.pending && (is_known || claims::is_there(matching, row)) {
            // It is there as booked, from a file or under another id: that entry is the row, and
            // the pending one goes.
            continue;
        }
        if matching.is_free(known) && is_followed(before, now, is_covered) {
            matching.take(row, known);
        } else {
            matching.refuse_id(row);
        }
    }
}

/// A pending and a booked row with one id are one transaction: the booked one counts.
fn join_sides(matching: &mut Matching<'_>) {
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, one) in matching.reported.rows.iter().enumerate() {
        if let Some(id) = one.row.id.as_deref().filter(|id| !id.is_empty()) {
            by_id.entry(id).or_default().push(at);
        }
    }
    for (id, rows) in by_id {
        let [one, other] = rows[..] else { continue };
        let (pending, booked) = match (matching.row(one).pending, matching.row(other).pending) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => continue,
        };
        let (before, now) = (matching.row(pending), matching.row(booked));
        let is_one = before.amount == now.amount && before.currency == now.currency;
        if is_one && are_similar(&before.name, &now.name) {
            matching.supersede(pending);
            matching.set_id(booked, id);
        }
    }
}
