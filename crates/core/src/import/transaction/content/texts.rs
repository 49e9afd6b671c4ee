//! Which columns of words are the name and the notes.
//!
//! Words that differ from row to row are of more use than those that repeat, such as the sort of
//! the transaction. Among those that differ, the short ones are the name of somebody, and the
//! longest are what it was for.

use super::complete::Search;
use super::facts::{Facts, TEXTS_MAX};

/// A text of more letters and digits, on average, is what it was for rather than who.
const NAME_CHARS: usize = 40;
/// In a file of fewer texts the same words rarely come again by chance.
const FEW: usize = 20;

/// Keeps whatever else has letters, words before codes: no row is without a name while a text is
/// left.
pub(super) fn keep_others(search: &mut Search<'_>) {
    let mut columns = search.open(|its| its.lettered > 0 && !its.are_days() && !its.are_numbers());
    let is_so =
        |column: &usize, is_so: fn(&Facts) -> bool| search.facts_of(*column).is_some_and(is_so);
    columns.sort_by_key(|column| {
        (!is_so(column, Facts::are_texts), !is_so(column, is_varied), *column)
    });
    search.layout.columns.other_texts = columns;
}

/// Takes the columns of the name, the preferred first, and that of the notes.
pub(super) fn find(search: &mut Search<'_>) {
    let columns = search.open(Facts::are_texts);
    let rank = |column: &usize| {
        let facts = search.facts_of(*column);
        facts.map(|its| (!is_varied(its), its.mean_chars() > NAME_CHARS, *column))
    };
    let mut names = columns.clone();
    names.sort_by_key(rank);
    let facts = search.facts;
    let differs = |column: &&usize| facts.get(**column).is_some_and(is_varied);
    let length = |column: &&usize| facts.get(**column).map(Facts::mean_chars);
    if search.layout.columns.names.is_empty() && !names.is_empty() {
        search.layout.columns.names = names.clone();
        search.note("name_col_label");
    }
    let name = search.layout.columns.names.first().copied();
    let others = columns.iter().filter(|column| Some(**column) != name);
    let notes = others.filter(differs).max_by_key(length).copied();
    if let Some(notes) = notes.filter(|_| search.layout.columns.notes.is_none()) {
        search.layout.columns.notes = Some(notes);
        search.note("notes_col_label");
    }
}

/// Whether the words differ from row to row. In a file of few rows nearly all of them do.
fn is_varied(facts: &Facts) -> bool {
    let tenths = if facts.filled < FEW { 8 } else { 2 };
    facts.filled * 10 >= facts.records
        && facts.variety() * 10 >= facts.filled.min(TEXTS_MAX) * tenths
}
