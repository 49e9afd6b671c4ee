//! The position in the rows of an import: a part, and a page of it.
//!
//! It is sent in addresses and forms and read back, so it is made of known words and a number.
//! Anything else is the first page of all rows.

use purser_core::ids::ImportId;
use purser_core::import::verdict::Verdict;

use super::list::Pages;
use crate::http::pagination::QueryParams;
use crate::web::form::Form;

/// Part of the address of all rows.
pub(super) const ALL: &str = "all";

/// The parts that rows are shown in, with how they are called and look, and the verdicts of each.
pub(super) const PARTS: [(&str, &str, &str, &[Verdict]); 8] = [
    ("new", "New", "new", &[Verdict::Create]),
    ("possible", "Possible duplicates", "possible", &[Verdict::PossibleDuplicate]),
    ("changed", "Changed", "possible", &[Verdict::Change]),
    (
        "known",
        "Already there",
        "known",
        &[
            Verdict::MatchedById,
            Verdict::MatchedByContent,
            Verdict::MatchedByRecord,
            Verdict::MatchedByName,
            Verdict::Repeats,
        ],
    ),
    ("deleted", "Deleted before", "known", &[Verdict::DeletedBefore]),
    ("invalid", "Can't be read", "invalid", &[Verdict::Invalid]),
    ("choice", "Need a choice", "invalid", &[Verdict::NeedsChoice]),
    ("out", "Left out", "out", &[Verdict::LeftOut]),
];

/// A part of the rows and a page of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowsPosition {
    /// The key of a part, or [`ALL`].
    pub(super) show: &'static str,
    /// The number of the page, from 1.
    pub(super) page: u64,
}

impl RowsPosition {
    /// Reads the position in the address of a page.
    pub(super) fn asked(query: &QueryParams) -> Self {
        let show = query.one("show").ok().flatten().unwrap_or_default();
        Self { show: part(show), page: Pages::asked(query) }
    }

    /// Reads the position that a form sent.
    pub(super) fn sent(form: &Form) -> Self {
        Self { show: part(form.text("show")), page: form.text("page").parse().unwrap_or(1) }
    }

    /// Another page of the same part.
    pub(super) fn at(self, page: u64) -> Self {
        Self { page, ..self }
    }

    /// The verdicts of its rows; none for all of them.
    pub(super) fn verdicts(self) -> &'static [Verdict] {
        PARTS.iter().find(|(known, ..)| *known == self.show).map_or(&[], |(.., verdicts)| verdicts)
    }

    /// Behind the `?` of an address.
    pub(super) fn query(self) -> String {
        format!("show={}&page={}", self.show, self.page)
    }

    /// The address of these rows.
    pub(super) fn address(self, id: ImportId) -> String {
        format!("/imports/{id}?{}", self.query())
    }
}

fn part(key: &str) -> &'static str {
    PARTS.iter().map(|(known, ..)| *known).find(|known| *known == key).unwrap_or(ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_is_in_one_part() {
        for verdict in Verdict::ALL {
            let parts = PARTS.iter().filter(|(.., verdicts)| verdicts.contains(verdict));
            assert_eq!(parts.count(), 1, "{verdict:?}");
        }
    }

    #[test]
    fn a_place_is_made_of_known_words() {
        let sent = |show, page| RowsPosition::sent(&Form::of([("show", show), ("page", page)]));
        assert_eq!(sent("new", "3").query(), "show=new&page=3");
        assert_eq!(sent("new", "3").verdicts(), [Verdict::Create]);
        for (show, page) in [("", ""), ("all", "1"), ("x\r\ny", "-1"), ("new&a=b", "1e3")] {
            assert_eq!(sent(show, page), RowsPosition { show: ALL, page: 1 }, "{show:?} {page:?}");
        }
        assert!(sent("", "").verdicts().is_empty());
    }
}
