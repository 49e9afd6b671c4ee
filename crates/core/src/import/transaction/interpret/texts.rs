//! The texts of a row: its name, its notes, and what is only read.

use super::{Interpreter, UNNAMED};
use crate::import::cells::Cells;
use crate::limits::{LABEL_CHARS_MAX, NAME_CHARS_MAX, NOTES_CHARS_MAX};

/// The texts of a row.
pub(super) struct Texts<'r> {
    pub(super) name: &'r str,
    /// The column of the name, and that of the notes, if others may go on with their texts.
    pub(super) name_column: Option<usize>,
    pub(super) notes_column: Option<usize>,
    pub(super) notes: Option<&'r str>,
    pub(super) category: Option<&'r str>,
    pub(super) external_id: Option<&'r str>,
}

impl Interpreter<'_> {
    pub(super) fn texts<'r>(&self, cells: Cells<'r>, reasons: &mut Vec<String>) -> Texts<'r> {
        let category = self.optional(cells, self.columns.category, LABEL_CHARS_MAX, reasons);
        let external_id = self.optional(cells, self.columns.external_id, LABEL_CHARS_MAX, reasons);
        let mut notes = self.optional(cells, self.columns.notes, NOTES_CHARS_MAX, reasons);
        let named = self.named(cells).copied();
        let (mut name_column, mut notes_column) = (named, self.columns.notes);
        let name = match (named, notes) {
            (Some(column), _) => {
                // A text that serves as the name doesn't stand in the notes once more.
                if Some(column) == self.columns.notes {
                    (notes, notes_column) = (None, None);
                }
                let name = cells.get(column);
                self.check_text(name, column, NAME_CHARS_MAX, reasons);
                without_quotes(name)
            }
            (None, Some(text)) if text.chars().count() <= NAME_CHARS_MAX => {
                (name_column, notes, notes_column) = (notes_column, None, None);
                text
            }
            // The notes are too long to be the name, but begin like one.
            (None, Some(text)) => beginning(text),
            (None, None) => self.other_text(cells).unwrap_or(UNNAMED),
        };
        Texts { name, name_column, notes_column, notes, category, external_id }
    }

    /// Puts a text together with the columns that go on with it; whether there are any.
    pub(super) fn join(
        &self,
        cells: Cells<'_>,
        column: Option<usize>,
        text: &str,
        joined: &mut String,
    ) -> bool {
        let goes_on = |(first, next): &(usize, usize)| {
            Some(cells.get(*next)).filter(|next| Some(*first) == column && !next.is_empty())
        };
        let mut rest = self.columns.continued.iter().filter_map(goes_on).peekable();
        if rest.peek().is_none() {
            return false;
        }
        joined.clear();
        joined.push_str(text);
        for next in rest {
            if !joined.is_empty() {
                joined.push(' ');
            }
            joined.push_str(next);
        }
        true
    }

    /// The column with the name of the row: the first that has a text, and not that of the
    /// account's own holder, unless nothing else is there.
    fn named(&self, cells: Cells<'_>) -> Option<&usize> {
        let is_own = |cell: &str| {
            self.layout.own_name.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(cell))
        };
        let mut columns = self.columns.names.iter();
        let mut filled = columns.clone().filter(|column| !cells.get(**column).is_empty());
        let first = filled.next();
        columns
            .find(|column| !cells.get(**column).is_empty() && !is_own(cells.get(**column)))
            .or(first)
    }

    /// A text that has no other role and can be a name.
    fn other_text<'r>(&self, cells: Cells<'r>) -> Option<&'r str> {
        let texts = self.columns.other_texts.iter().map(|column| cells.get(*column));
        texts.filter(|text| !text.is_empty() && !text.contains('\0')).map(beginning).next()
    }

    pub(super) fn optional<'r>(
        &self,
        cells: Cells<'r>,
        column: Option<usize>,
        max: usize,
        reasons: &mut Vec<String>,
    ) -> Option<&'r str> {
        let column = column?;
        let text = cells.get(column);
        self.check_text(text, column, max, reasons);
        Some(text).filter(|text| !text.is_empty())
    }
}

/// The text, or its first characters if it is too long for a name.
pub(super) fn beginning(text: &str) -> &str {
    match text.char_indices().nth(NAME_CHARS_MAX) {
        Some((end, _)) => text[..end].trim_end(),
        None => text,
    }
}

/// A text without what was meant for a program that reads the file: quotation marks around all of
/// it, which stand behind a space, and an apostrophe that makes a spreadsheet take it for a text.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains('"')) {
        return inner.trim();
    }
    // `'t Hof` and `'n` are words.
    let marked = text.strip_prefix('\'').filter(|rest| {
        rest.starts_with(char::is_alphanumeric)
            && rest.chars().nth(1).is_some_and(|second| second != ' ')
            && !rest.ends_with('\'')
    });
    marked.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_around_a_name_are_no_part_of_it() {
        for (cell, name) in [
            ("\"GROCER\"", "GROCER"),
            ("\"\"", "\"\""),
            ("\"Old\" Inn \"and\" Bar\"", "\"Old\" Inn \"and\" Bar\""),
            ("'GROCER", "GROCER"),
            ("'t Hof", "'t Hof"),
            ("'Quoted'", "'Quoted'"),
            ("Joe's", "Joe's"),
            ("'", "'"),
        ] {
            assert_eq!(without_quotes(cell), name, "{cell}");
        }
    }
}
