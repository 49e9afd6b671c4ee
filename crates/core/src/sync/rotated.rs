//! Step 4: rows that came with another id than before.
//!
//! Some banks give new ids to old rows. A known row with an id that the whole answer lacks, and a
//! row with a new id and the same content, are one transaction. Equal rows are interchangeable, so
//! as many are paired as there are on the smaller side. If rows of the answer are missing, the
//! known row may be among them: then a person decides, unless one has deleted the entry, which must
//! not come back. That the provider reports a problem is no reason to ask: it may stay for ever.

use std::collections::HashMap;

use super::matching::Matching;
use super::{Content, Doubt, KnownState};

pub(super) fn decide(matching: &mut Matching<'_>) {
    let mut gone = gone(matching);
    let rows: Vec<usize> = matching.open_rows().filter(|row| matching.id(*row).is_some()).collect();
    for row in rows {
        let next = gone.get_mut(&matching.row(row).content()).and_then(Vec::pop);
        let Some(next) = next else { continue };
        let known = &matching.known[next];
        if matching.reported.shows_what_became() || known.state == KnownState::Deleted {
            if matching.id(row).is_some_and(|id| matching.owner(id).is_some()) {
                matching.refuse_id(row);
            }
            matching.take(row, next);
        } else {
            matching.suggest(known.entry, row, Doubt::AnswerIncomplete);
        }
    }
}

/// Known rows with ids that the answer lacks, by content. The last of each list is taken first.
pub(super) fn gone<'a>(matching: &Matching<'a>) -> HashMap<Content<'a>, Vec<usize>> {
    let known = matching.known;
    let mut gone: HashMap<Content<'a>, Vec<usize>> = HashMap::new();
    for at in matching.open_known() {
        let row = &known[at].row;
        if row.id.as_deref().is_some_and(|id| !matching.is_stated(id)) {
            gone.entry(row.content()).or_default().push(at);
        }
    }
    for list in gone.values_mut() {
        list.sort_unstable_by_key(|at| {
            std::cmp::Reverse((known[*at].state, known[*at].absences, known[*at].entry))
        });
    }
    gone
}
