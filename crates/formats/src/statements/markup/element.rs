//! A part of a file that is kept whole until it was read: an entry, a balance, an account.

/// An element with everything in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Element {
    pub(in super::super) name: String,
    /// The text, but for that of the elements in it.
    pub(in super::super) text: String,
    pub(in super::super) children: Vec<Element>,
    pub(in super::super) line: u64,
    pub(in super::super) offset: u64,
}

impl Element {
    /// The elements with this name directly in it.
    pub(in super::super) fn all<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first element on a path such as `Acct/Id/IBAN`.
    pub(in super::super) fn at(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |element, name| element.all(name).next())
    }

    /// The text of the first element on a path; none if it is blank.
    pub(in super::super) fn text_at(&self, path: &str) -> Option<&str> {
        self.at(path)?.filled_text()
    }

    /// The text of the first of these paths that has one.
    pub(in super::super) fn text_at_any(&self, paths: &[&str]) -> Option<&str> {
        paths.iter().find_map(|path| self.text_at(path))
    }

    /// The text without white space around it; none if it is blank.
    pub(in super::super) fn filled_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }
}
