//! Step 2: by content, as a multiset.
//!
//! Day, amount, currency, name, and whether it is pending. Of N rows against M known ones N − M are
//! left over, so two equal coffees of a day stay two, in every sync. Two different ids are two
//! transactions; a row with an id takes a known row that has none, which gets the id.

use std::collections::HashMap;

use super::Content;
use super::matching::Matching;

pub(super) fn decide(matching: &mut Matching<'_>) {
    for has_id in [true, false] {
        let mut known = open_by_content(matching, has_id);
        let rows: Vec<usize> =
            matching.open_rows().filter(|row| matching.id(*row).is_some() == has_id).collect();
        for row in rows {
            let next = known.get_mut(&matching.row(row).content()).and_then(Vec::pop);
            if let Some(next) = next {
                matching.take(row, next);
            }
        }
    }
}

/// Open known rows by content; the last of each list is taken first: without an id before with one,
/// living before deleted, older before younger.
fn open_by_content<'a>(
    matching: &Matching<'a>,
    without_id: bool,
) -> HashMap<Content<'a>, Vec<usize>> {
    let known = matching.known;
    let mut found: HashMap<Content<'a>, Vec<usize>> = HashMap::new();
    for at in matching.open_known() {
        let one = &known[at];
        if !without_id || one.row.id.is_none() {
            found.entry(one.row.content()).or_default().push(at);
        }
    }
    for list in found.values_mut() {
        list.sort_unstable_by_key(|at| {
            let one = &known[*at];
            std::cmp::Reverse((one.row.id.is_some(), one.state, one.entry))
        });
    }
    found
}
