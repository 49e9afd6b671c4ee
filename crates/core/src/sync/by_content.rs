//! Step 2: by content, as a multiset.
//!
//! Day, amount, currency, name, and whether it is pending. Of N rows against M known ones N − M are
//! left over, so two equal coffees of a day stay two, in every sync. Two different ids are two
//! transactions; a row with a new id takes a known row that has none, which gets the id.

use std::collections::HashMap;

use super::Content;
use super::matching::Matching;

pub(super) fn decide(matching: &mut Matching<'_>) {
    for kind in [IdOf::Nothing, IdOf::NoRow, IdOf::Another] {
        let mut known = open_by_content(matching, kind != IdOf::NoRow);
        let rows: Vec<usize> =
            matching.open_rows().filter(|row| IdOf::row(matching, *row) == kind).collect();
        for row in rows {
            let next = known.get_mut(&matching.row(row).content()).and_then(Vec::pop);
            if let Some(next) = next {
                if kind == IdOf::Another {
                    matching.refuse_id(row);
                }
                matching.take(row, next);
            }
        }
    }
}

/// What had the id of a row before.
#[derive(PartialEq, Eq, Clone, Copy)]
enum IdOf {
    /// The id is new.
    Nothing,
    /// The row has none.
    NoRow,
    /// A known row of other content has it: if the row is known by its content, it isn't that one.
    Another,
}

impl IdOf {
    fn row(matching: &Matching<'_>, row: usize) -> Self {
        match matching.id(row) {
            None => Self::NoRow,
            Some(id) if matching.owner(id).is_some() => Self::Another,
            Some(_) => Self::Nothing,
        }
    }
}

/// Open known rows by content; the last of each list is taken first: without an id before with one,
/// living before deleted, reported last before absent, older before younger.
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
            std::cmp::Reverse((one.row.id.is_some(), one.state, one.absences, one.entry))
        });
    }
    found
}
