//! A part of a file that is kept whole until it was read: an entry, a balance, an account.

use super::super::error::Refusal;
use super::super::limits::{ENTRY_BYTES_MAX, ENTRY_ELEMENTS_MAX};
use super::entities::decode;
use super::tokens::Strictness;

/// An element with everything in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// The attributes as they stand in the tag.
    pub(crate) attributes: String,
    /// The text, but for that of the elements in it.
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
    pub(crate) line: u64,
    pub(crate) offset: u64,
}

impl Element {
    /// The elements with this name directly in it.
    pub(crate) fn all<'e>(&'e self, name: &str) -> impl Iterator<Item = &'e Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The first element on a path such as `Acct/Id/IBAN`.
    pub(crate) fn at(&self, path: &str) -> Option<&Element> {
        path.split('/').try_fold(self, |element, name| element.all(name).next())
    }

    /// The text of the first element on a path; none if it is blank.
    pub(crate) fn text_at(&self, path: &str) -> Option<&str> {
        self.at(path)?.filled_text()
    }

    /// The text of the first of these paths that has one.
    pub(crate) fn text_at_any(&self, paths: &[&str]) -> Option<&str> {
        paths.iter().find_map(|path| self.text_at(path))
    }

    /// The text without white space around it; none if it is blank.
    pub(crate) fn filled_text(&self) -> Option<&str> {
        Some(self.text.trim()).filter(|text| !text.is_empty())
    }

    /// The value of an attribute, whatever the prefix of its name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        attribute(&self.attributes, name)
    }
}

/// The value of an attribute in what stands behind the name of a tag, whatever its prefix. None if
/// it isn't there, or can't be read.
pub(crate) fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes;
    loop {
        let (written, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
        let (value, behind) = after[1..].split_once(quote)?;
        let written = written.trim();
        if written.rsplit_once(':').map_or(written, |(_, local)| local) == name
            && !written.starts_with("xmlns")
        {
            return decode(value, Strictness::Xml).ok().map(std::borrow::Cow::into_owned);
        }
        rest = behind;
    }
}

/// Puts elements together, up to a limit.
#[derive(Debug, Default)]
pub(crate) struct ElementBuilder {
    open: Vec<Element>,
    bytes: usize,
    elements: usize,
}

impl ElementBuilder {
    /// How many elements are open.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// The name of the innermost open element.
    pub(crate) fn innermost(&self) -> Option<&str> {
        self.open.last().map(|element| element.name.as_str())
    }

    pub(crate) fn start(
        &mut self,
        name: String,
        attributes: String,
        (line, offset): (u64, u64),
    ) -> Result<(), Refusal> {
        self.elements += 1;
        self.count(name.len() + attributes.len() + size_of::<Element>())?;
        self.open.push(Element { name, attributes, line, offset, ..Element::default() });
        Ok(())
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Refusal> {
        let Some(element) = self.open.last_mut() else { return Ok(()) };
        // White space between elements is not worth its bytes.
        if element.text.is_empty() && text.trim().is_empty() {
            return Ok(());
        }
        element.text.push_str(text);
        self.count(text.len())
    }

    /// Closes the innermost element and takes it out.
    pub(crate) fn end(&mut self) -> Option<Element> {
        let element = self.open.pop();
        if self.open.is_empty() {
            (self.bytes, self.elements) = (0, 0);
        }
        element
    }

    /// Puts an element that was taken out into the one that is open.
    pub(crate) fn attach(&mut self, element: Element) {
        if let Some(open) = self.open.last_mut() {
            open.children.push(element);
        }
    }

    /// Forgets the size of what was taken out and isn't put back.
    pub(crate) fn forget(&mut self, mark: (usize, usize)) {
        (self.bytes, self.elements) = mark;
    }

    /// The size up to now, for [`Self::forget`].
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.bytes, self.elements)
    }

    fn count(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.bytes += bytes;
        if self.bytes > ENTRY_BYTES_MAX || self.elements > ENTRY_ELEMENTS_MAX {
            return Err(Refusal::EntryTooLarge);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_by_their_names() {
        let attributes = " xmlns:a = 'no' Ccy=\"EUR\" r:id='rId1' t = \"a=&quot;b&quot;\"";
        for (name, value) in
            [("Ccy", Some("EUR")), ("id", Some("rId1")), ("t", Some("a=\"b\"")), ("a", None)]
        {
            assert_eq!(attribute(attributes, name).as_deref(), value, "{name}");
        }
        for broken in ["", "Ccy", "Ccy=EUR", "Ccy=\"EUR", "=\"EUR\"", "Ccy=\"&x;\""] {
            assert_eq!(attribute(broken, "Ccy"), None, "{broken}");
        }
    }
}
