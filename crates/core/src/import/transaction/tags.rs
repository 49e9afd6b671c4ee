//! The tags of one cell.
//!
//! Separated by commas; if there is none outside an escape, by pipes; else by semicolons. A
//! backslash takes the meaning from a separator or a backslash; before any other character it is
//! itself. Tags are trimmed; blank ones and repetitions are dropped.

use std::borrow::Cow;

use crate::import::cells::{Cells, CellsBuf};
use crate::limits::ROW_TAGS_MAX;
use crate::text::label::name_key;

/// The tags of the cell that was split last; the memory is used again.
#[derive(Debug, Default)]
pub(in crate::import) struct Tags {
    shown: CellsBuf,
    /// By tag: what it is compared by, made once.
    keys: CellsBuf,
}

/// A row has more tags than it may have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMany;

impl Tags {
    /// Removes all tags, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.shown.clear();
        self.keys.clear();
    }

    /// The tags, each once.
    pub(super) fn as_cells(&self) -> Cells<'_> {
        self.shown.as_cells()
    }

    /// Splits a cell. Whatever it holds, the work is linear: it ends with the first tag too many,
    /// and a repetition is compared with no more than are allowed.
    pub(super) fn split(&mut self, cell: &str) -> Result<(), TooMany> {
        self.clear();
        let separator = separator(cell);
        if cell.contains('\\') {
            return self.split_escaped(cell, separator);
        }
        match separator {
            Some(separator) => cell.split(separator).try_for_each(|tag| self.add(tag)),
            None => self.add(cell),
        }
    }

    fn split_escaped(&mut self, cell: &str, separator: Option<char>) -> Result<(), TooMany> {
        let mut tag = String::new();
        let mut chars = cell.chars().peekable();
        while let Some(c) = chars.next() {
            let escapes = |next: &char| matches!(next, ',' | '|' | ';' | '\\');
            if c == '\\' {
                tag.push(chars.next_if(escapes).unwrap_or(c));
            } else if Some(c) == separator {
                self.add(&tag)?;
                tag.clear();
            } else {
                tag.push(c);
            }
        }
        self.add(&tag)
    }

    fn add(&mut self, tag: &str) -> Result<(), TooMany> {
        let tag = tag.trim();
        if tag.is_empty() {
            return Ok(());
        }
        // One word of ASCII needs no normalisation: the comparison sees to its case.
        let is_plain = tag.bytes().all(|byte| byte.is_ascii_graphic());
        let key = if is_plain { Cow::Borrowed(tag) } else { Cow::Owned(name_key(tag)) };
        if self.keys.as_cells().iter().any(|other| other.eq_ignore_ascii_case(&key)) {
            return Ok(());
        }
        if self.shown.as_cells().len() == ROW_TAGS_MAX {
            return Err(TooMany);
        }
        self.shown.push(tag);
        self.keys.push(&key);
        Ok(())
    }
}

/// The first of the three that stands unescaped in the cell.
fn separator(cell: &str) -> Option<char> {
    [',', '|', ';'].into_iter().find(|separator| {
        let mut escaped = false;
        cell.chars().any(|c| {
            let splits = c == *separator && !escaped;
            escaped = c == '\\' && !escaped;
            splits
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_split_by_one_separator() {
        for (cell, expected) in [
            ("", vec![]),
            ("one", vec!["one"]),
            ("a,b", vec!["a", "b"]),
            (" a , b ", vec!["a", "b"]),
            ("a|b", vec!["a", "b"]),
            ("a;b", vec!["a", "b"]),
            ("a|b,c", vec!["a|b", "c"]),
            ("a;b|c", vec!["a;b", "c"]),
            (r"a\,b", vec!["a,b"]),
            (r"a\,b|c", vec!["a,b", "c"]),
            (r"a\\,b", vec![r"a\", "b"]),
            (r"a\b", vec![r"a\b"]),
            ("a\\", vec!["a\\"]),
            ("a,,b,", vec!["a", "b"]),
            ("a,A, a", vec!["a"]),
            ("Café,CAFE\u{301}", vec!["Café"]),
            ("big trip,Big  Trip", vec!["big trip"]),
            ("big trip", vec!["big trip"]),
        ] {
            let mut tags = Tags::default();
            tags.add("left over").unwrap();
            tags.split(cell).unwrap();
            assert_eq!(tags.as_cells().iter().collect::<Vec<_>>(), expected, "{cell:?}");
        }
    }

    #[test]
    fn a_hostile_cell_costs_no_more_than_its_length() {
        let count = 60_000;
        let distinct: String = (0..count).map(|n| format!("é{n},")).collect();
        let equal = "é,É,".repeat(count / 2);
        let escaped = r"é\,,".repeat(count);
        let started = std::time::Instant::now();
        let mut tags = Tags::default();
        assert_eq!(tags.split(&distinct), Err(TooMany));
        assert_eq!(tags.as_cells().len(), ROW_TAGS_MAX);
        assert_eq!(tags.split(&equal), Ok(()));
        assert_eq!(tags.as_cells().iter().collect::<Vec<_>>(), ["é"]);
        assert_eq!(tags.split(&escaped), Ok(()));
        assert_eq!(tags.as_cells().iter().collect::<Vec<_>>(), ["é,"]);
        assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    }

    #[test]
    fn as_many_tags_as_allowed_are_taken_however_often() {
        let allowed: String = (0..ROW_TAGS_MAX).map(|n| format!("t {n}|T  {n}|")).collect();
        let mut tags = Tags::default();
        assert_eq!(tags.split(&allowed), Ok(()));
        assert_eq!(tags.as_cells().len(), ROW_TAGS_MAX);
        assert_eq!(tags.split(&format!("{allowed}one more")), Err(TooMany));
    }
}
