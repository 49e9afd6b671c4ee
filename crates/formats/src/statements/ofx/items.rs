//! Elements of OFX, which may lack their closing tags.
//!
//! A file is a sequence of items: an element begins, with the text behind its tag, or one ends. An
//! aggregate (an element with others in it) becomes a tree once all of it was read, because only
//! then it shows whether an element without text is an empty value or an aggregate of its own: the
//! latter has a closing tag.

use std::io::Read;

use super::super::error::{Refusal, StatementError};
use super::super::limits::{ENTRY_BYTES_MAX, OFX_ITEMS_MAX};
use super::super::markup::{Element, Strictness, Token, Tokens};
use super::super::model::Location;

/// One step through a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// An element begins; its text without white space around it.
    Open { name: String, text: String, line: u64, offset: u64 },
    /// The closing tag of an element.
    Close { name: String, line: u64, offset: u64 },
}

/// Goes through a file item by item.
pub(super) struct Items<R> {
    tokens: Tokens<R>,
    /// The element that began last; its text may go on.
    open: Option<(String, String, u64, u64)>,
    /// A closing tag behind that element.
    close: Option<Item>,
}

impl<R: Read> Items<R> {
    pub(super) fn new(source: R) -> Self {
        Self { tokens: Tokens::new(source, Strictness::Sgml), open: None, close: None }
    }

    /// The place up to which the file was read.
    pub(super) fn location(&self) -> Location {
        self.tokens.location()
    }

    pub(super) fn refuse(&self, refusal: Refusal) -> StatementError {
        self.tokens.refuse(refusal)
    }

    pub(super) fn next(&mut self) -> Result<Option<Item>, StatementError> {
        if let Some(close) = self.close.take() {
            return Ok(Some(close));
        }
        loop {
            match self.tokens.next()? {
                Some(Token::Start { name, .. }) => {
                    let name = name.into_owned();
                    let (line, offset) = self.tokens.place();
                    let before = self.open.replace((name, String::new(), line, offset));
                    if let Some(before) = before {
                        return Ok(Some(item(before)));
                    }
                }
                Some(Token::Text(text)) => {
                    // Text outside of elements is the header, or what is left of something.
                    if let Some((_, before, ..)) = &mut self.open {
                        before.push_str(&text);
                        if before.len() > ENTRY_BYTES_MAX {
                            return Err(self.refuse(Refusal::EntryTooLarge));
                        }
                    }
                }
                Some(Token::End { name }) => {
                    let name = name.into_owned();
                    let (line, offset) = self.tokens.place();
                    let close = Item::Close { name, line, offset };
                    return Ok(Some(match self.open.take() {
                        Some(before) => {
                            self.close = Some(close);
                            item(before)
                        }
                        None => close,
                    }));
                }
                None => return Ok(self.open.take().map(item)),
            }
        }
    }
}

fn item((name, text, line, offset): (String, String, u64, u64)) -> Item {
    Item::Open { name, text: text.trim().to_owned(), line, offset }
}

/// The items of an aggregate that is being read.
pub(super) struct Aggregate {
    pub(super) name: String,
    items: Vec<Item>,
    bytes: usize,
    line: u64,
    offset: u64,
}

impl Aggregate {
    pub(super) fn new(name: String, line: u64, offset: u64) -> Self {
        Self { name, items: Vec::new(), bytes: 0, line, offset }
    }

    pub(super) fn push(&mut self, item: Item) -> Result<(), Refusal> {
        self.bytes += match &item {
            Item::Open { name, text, .. } => name.len() + text.len(),
            Item::Close { name, .. } => name.len(),
        };
        if self.items.len() == OFX_ITEMS_MAX {
            return Err(Refusal::TooManyItems { name: self.name.clone() });
        }
        if self.bytes > ENTRY_BYTES_MAX {
            return Err(Refusal::EntryTooLarge);
        }
        self.items.push(item);
        Ok(())
    }

    /// The aggregate as a tree.
    pub(super) fn into_element(self) -> Element {
        let mut root = element(self.name, String::new(), self.line, self.offset);
        let mut open: Vec<(Element, usize)> = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            while open.last().is_some_and(|(_, end)| *end <= at) {
                close_last(&mut open, &mut root);
            }
            let Item::Open { name, text, line, offset } = item else { continue };
            let child = element(name.clone(), text.clone(), *line, *offset);
            // An aggregate can't reach further than the one that it is in.
            let limit = open.last().map_or(self.items.len(), |(_, end)| *end);
            let end = if text.is_empty() { end_of(&self.items, at, limit) } else { None };
            match end {
                Some(end) => open.push((child, end)),
                None => match open.last_mut() {
                    Some((parent, _)) => parent.children.push(child),
                    None => root.children.push(child),
                },
            }
        }
        while !open.is_empty() {
            close_last(&mut open, &mut root);
        }
        root
    }
}

fn close_last(open: &mut Vec<(Element, usize)>, root: &mut Element) {
    let Some((closed, _)) = open.pop() else { return };
    match open.last_mut() {
        Some((parent, _)) => parent.children.push(closed),
        None => root.children.push(closed),
    }
}

fn element(name: String, text: String, line: u64, offset: u64) -> Element {
    Element { name, text, line, offset, ..Element::default() }
}

/// The closing tag of an element without text, if it has one.
fn end_of(items: &[Item], at: usize, limit: usize) -> Option<usize> {
    let Item::Open { name: opened, .. } = &items[at] else { return None };
    let mut inner = 0_usize;
    for (place, item) in items.iter().enumerate().take(limit).skip(at + 1) {
        match item {
            Item::Open { name, text, .. } if name == opened && text.is_empty() => inner += 1,
            Item::Close { name, .. } if name == opened => match inner.checked_sub(1) {
                Some(left) => inner = left,
                None => return Some(place),
            },
            _ => {}
        }
    }
    None
}
