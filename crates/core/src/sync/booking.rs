//! Step 6: pending rows that were booked.
//!
//! A pending row that isn't in the answer, and a new booked row of the same amount and currency, a
//! similar name and a day from one before to eight after, are one transaction if neither has
//! another candidate, or if the candidates are as many on both sides and fit in the order of their
//! days. An amount alone never books anything: another purchase of the same price would take the
//! entry. Another amount, as with tips and exchange rates, is left to a person.

use std::collections::HashMap;

use super::matching::Matching;
use super::{
    ABSENCES_MAX, BOOKED_DAYS_AFTER, BOOKED_DAYS_BEFORE, Doubt, KnownRow, KnownState, SourceRow,
    are_similar, days_between,
};
use crate::money::Currency;

/// A group of pending rows and booked rows that are candidates of each other.
#[derive(Default)]
struct Component {
    known: Vec<usize>,
    rows: Vec<usize>,
}

pub(super) fn decide(matching: &mut Matching<'_>) {
    let pending: Vec<usize> = matching
        .open_known()
        .filter(|known| matching.known[*known].row.pending)
        .filter(|known| !was_deleted_as_missing(&matching.known[*known]))
        .collect();
    if pending.is_empty() {
        return;
    }
    let mut by_amount: HashMap<(Currency, i64), Vec<usize>> = HashMap::new();
    let booked: Vec<usize> =
        matching.open_rows().filter(|row| !matching.row(*row).pending).collect();
    for row in &booked {
        let one = matching.row(*row);
        by_amount.entry((one.currency, one.amount)).or_default().push(*row);
    }
    for component in components(matching, &pending, &by_amount) {
        settle(matching, component);
    }
    suggest_near(matching, &pending, &booked);
}

/// Whether a person deleted an entry that the bank had not reported for days. The bank's next row
/// of the same amount is another transaction, perhaps the one that it was booked as.
fn was_deleted_as_missing(known: &KnownRow) -> bool {
    known.state == KnownState::Deleted && known.absences >= ABSENCES_MAX
}

/// Whether a pending row may have been booked as this row, amounts apart.
fn may_be_booked(pending: &SourceRow, booked: &SourceRow) -> bool {
    let days = days_between(pending.date, booked.date);
    (-BOOKED_DAYS_BEFORE..=BOOKED_DAYS_AFTER).contains(&days)
        && pending.currency == booked.currency
        && are_similar(&pending.name, &booked.name)
}

/// The groups of pending rows and rows that hang together by being candidates of each other.
fn components(
    matching: &Matching<'_>,
    pending: &[usize],
    by_amount: &HashMap<(Currency, i64), Vec<usize>>,
) -> Vec<Component> {
    let mut of_row: HashMap<usize, usize> = HashMap::new();
    let mut found: Vec<Component> = Vec::new();
    for known in pending {
        let before = &matching.known[*known].row;
        let candidates = by_amount.get(&(before.currency, before.amount)).into_iter().flatten();
        let candidates: Vec<usize> =
            candidates.copied().filter(|row| may_be_booked(before, matching.row(*row))).collect();
        if candidates.is_empty() {
            continue;
        }
        let mut joined = Component { known: vec![*known], rows: Vec::new() };
        let at = found.len();
        for row in candidates {
            match of_row.insert(row, at) {
                None => joined.rows.push(row),
                Some(before) if before == at => {}
                Some(before) => {
                    let other = std::mem::take(&mut found[before]);
                    for row in &other.rows {
                        of_row.insert(*row, at);
                    }
                    joined.known.extend(other.known);
                    joined.rows.extend(other.rows);
                }
            }
        }
        found.push(joined);
    }
    found.retain(|one| !one.known.is_empty());
    found
}

/// Pairs a group if that can be done in one way only, or leaves it to a person.
fn settle(matching: &mut Matching<'_>, mut component: Component) {
    let known = matching.known;
    component.known.sort_unstable_by_key(|at| {
        let one = &known[*at];
        // Of equal ones that which was reported last.
        (one.row.date, one.state, one.absences, one.entry)
    });
    component.rows.sort_by_key(|row| (matching.row(*row).date, *row));
    let pairs: Vec<(usize, usize)> =
        component.known.iter().copied().zip(component.rows.iter().copied()).collect();
    let fit = pairs.iter().all(|(at, row)| may_be_booked(&known[*at].row, matching.row(*row)));
    let are_as_many = component.known.len() == component.rows.len();
    let first = (&known[component.known[0]].row, matching.row(component.rows[0]));
    let are_equal = component.known.iter().all(|at| known[*at].row.content() == first.0.content())
        && component.rows.iter().all(|row| matching.row(*row).content() == first.1.content());
    if fit && (are_as_many || are_equal) {
        for (at, row) in pairs {
            pair(matching, at, row);
        }
        return;
    }
    for at in component.known {
        if known[at].state == KnownState::Deleted {
            continue;
        }
        for row in &component.rows {
            if may_be_booked(&known[at].row, matching.row(*row)) {
                matching.suggest(known[at].entry, *row, Doubt::SeveralCandidates);
            }
        }
    }
}

/// The pending row was booked as the row. If rows are missing in the answer, the pending one may be
/// among them: then a person decides, unless one has deleted it.
fn pair(matching: &mut Matching<'_>, known: usize, row: usize) {
    let KnownRow { entry, state, .. } = matching.known[known];
    if matching.reported.shows_what_became() || state == KnownState::Deleted {
        matching.take(row, known);
    } else {
        matching.suggest(entry, row, Doubt::AnswerIncomplete);
    }
}

/// Rows that differ by up to 30 % from a pending row of the same name.
fn suggest_near(matching: &mut Matching<'_>, pending: &[usize], booked: &[usize]) {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for row in booked.iter().filter(|row| matching.is_open(**row)) {
        by_name.entry(&matching.row(*row).name).or_default().push(*row);
    }
    let open: Vec<usize> = matching.open_known().filter(|at| pending.contains(at)).collect();
    for at in open {
        let one = &matching.known[at];
        let candidates = by_name.get(one.row.name.as_str()).into_iter().flatten();
        let near: Vec<usize> = candidates
            .copied()
            .filter(|row| {
                let row = matching.row(*row);
                may_be_booked(&one.row, row) && differs_somewhat(one.row.amount, row.amount)
            })
            .collect();
        if one.state != KnownState::Deleted {
            for row in near {
                matching.suggest(one.entry, row, Doubt::AmountDiffers);
            }
        }
    }
}

/// Whether an amount is another one by up to 30 % of what was pending, in the same direction.
fn differs_somewhat(pending: i64, booked: i64) -> bool {
    let (pending, booked) = (i128::from(pending), i128::from(booked));
    let is_same_direction = (pending < 0) == (booked < 0);
    let (pending, booked) = (pending.abs(), booked.abs());
    is_same_direction && booked != pending && (booked - pending).abs() * 10 <= pending * 3
}
