//! Columns of the status: of words for it, or of yes and no below such a word.

use super::flag_words::flag;
use super::header_names::known_key;
use super::header_names::statuses::is_status;
use super::status_words::{Status, status};
use crate::import::cells::Cells;
use crate::import::layout::Layout;

/// What a header may have beside a word for a status that its rows have or don't have.
const ENDS: [&str; 5] = [" flag", " indicator", " y n", " yes no", " true false"];
/// What is reconciled was compared by a person, and is booked whether it was or not.
const COMPARED: [&str; 6] =
    ["reconciled", "abgeglichen", "rapproche", "conciliado", "riconciliato", "afgestemd"];
/// Beginnings of words that mean pending in a cell: as a header they may as well mean that the bank
/// or a person agreed, so that no is what didn't happen.
const AGREED: [&str; 7] =
    ["authori", "autori", "autory", "submitted", "авториз", "confirm", "approv"];

/// The status that rows with yes have below a header: `Pending`, `Is declined`, `Vorgemerkt`. What
/// the bank or a person agreed to is looked at like what is booked: no may be anything.
pub(super) fn flagged_status(header: &str) -> Option<Status> {
    if is_status(header) {
        return None;
    }
    let key = known_key(header);
    let word = ENDS.iter().find_map(|end| key.strip_suffix(end)).unwrap_or(&key);
    let question =
        || word.strip_prefix("is").map(str::trim_start).filter(|it| status(it).is_some());
    let word = if status(word).is_some() { word } else { question()? };
    if COMPARED.contains(&word) {
        return None;
    }
    let is_agreed = AGREED.iter().any(|beginning| word.starts_with(beginning));
    if is_agreed { Some(Status::Booked) } else { status(word) }
}

/// A column of the status, and how its cells are understood.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatusColumn {
    pub(super) column: usize,
    /// What a word for yes means, in a column of flags.
    pub(super) flagged: Option<Status>,
}

impl StatusColumn {
    pub(super) fn of(layout: &Layout, column: usize) -> Self {
        let header = layout.headers.get(column);
        Self { column, flagged: header.and_then(|header| flagged_status(header)) }
    }

    /// What became of a row; nothing if nobody knows the word. What isn't booked may be anything.
    pub(super) fn status(&self, cells: Cells<'_>) -> Option<Status> {
        let cell = cells.get(self.column);
        status(cell).or_else(|| match (self.flagged?, flag(cell)?) {
            (flagged, true) => Some(flagged),
            (Status::Booked, false) => None,
            (_, false) => Some(Status::Booked),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_a_status_may_be_a_header() {
        for (header, expected) in [
            ("pending", Some(Status::Pending)),
            ("isPending", Some(Status::Pending)),
            ("Is declined?", Some(Status::Refused)),
            ("Voided (Y/N)", Some(Status::Cancelled)),
            ("Reversal indicator", Some(Status::Reversed)),
            ("Bokförd", Some(Status::Booked)),
            ("Authorised", Some(Status::Booked)),
            ("Reconciled", None),
            ("Vorgemerkt", Some(Status::Pending)),
            ("Status", None),
            ("State", None),
            ("Pending since", None),
            ("", None),
        ] {
            assert_eq!(flagged_status(header), expected, "{header}");
        }
    }
}
