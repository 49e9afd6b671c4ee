//! From tag to tag.
//!
//! Comments and instructions (`<?…?>`) are passed over, `CDATA` is text. Names come without their
//! namespace's prefix. In XML every element must be closed by its own tag; an element without
//! content delivers its end, too. In SGML tags are delivered as they stand, in capital letters,
//! and what belongs together is found by who reads them.

use std::borrow::Cow;
use std::io::Read;

use memchr::{memchr, memchr2, memmem};

use super::super::error::{Refusal, StatementError};
use super::super::limits::ELEMENTS_NESTED_MAX;
use super::super::model::Location;
use super::super::window::Window;
use super::entities::decode;

/// How a file of tags is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Every element is closed, every entity is known.
    Xml,
    /// Tags may be missing; a sign that isn't a tag or an entity is text.
    Sgml,
}

/// A tag or a text, valid until the next one is read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    /// An element begins: its name, and its attributes as they stand there.
    Start { name: Cow<'t, str>, attributes: &'t str },
    /// The end of an element.
    End { name: Cow<'t, str> },
    /// A piece of the text of an element; it may come in several.
    Text(Cow<'t, str>),
}

/// Reads tags and texts from UTF-8.
#[derive(Debug)]
pub(crate) struct Tokens<R> {
    window: Window<R>,
    strictness: Strictness,
    /// The names of the open elements, in XML.
    open: Vec<String>,
    /// An element without content was delivered, but not its end.
    owes_end: Option<String>,
    /// The first element is closed.
    is_over: bool,
    line: u64,
    offset: u64,
}

/// What stands at the start of the window, with the lengths of its parts.
enum Extent {
    Text(usize),
    Cdata(usize),
    Skipped(usize),
    Start(usize),
    End(usize),
}

impl<R: Read> Tokens<R> {
    pub(crate) fn new(input: R, strictness: Strictness) -> Self {
        Self {
            window: Window::new(input),
            strictness,
            open: Vec::new(),
            owes_end: None,
            is_over: false,
            line: 1,
            offset: 0,
        }
    }

    /// The line of the last token, and its byte.
    pub(crate) fn place(&self) -> (u64, u64) {
        (self.line, self.offset)
    }

    /// The place of the last token, and the elements that are open.
    pub(crate) fn location(&self) -> Location {
        let path = Cow::Owned(self.open.join("/"));
        Location { line: self.line, offset: self.offset, path }
    }

    /// A refusal at the last token.
    pub(crate) fn refuse(&self, refusal: Refusal) -> StatementError {
        StatementError::Refused { location: self.location(), refusal }
    }

    /// Reads one token, or nothing at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'_>>, StatementError> {
        if let Some(name) = self.owes_end.take() {
            self.close(&name)?;
            return Ok(Some(Token::End { name: Cow::Owned(name) }));
        }
        loop {
            let Some(extent) = self.extent()? else { return self.end() };
            self.line = self.window.line();
            self.offset = self.window.offset();
            match extent {
                Extent::Skipped(length) => self.window.pass(length),
                Extent::Text(length) => {
                    if !self.is_outside(length)? {
                        return self.text(length).map(Some);
                    }
                    self.window.pass(length);
                }
                Extent::Cdata(length) => {
                    self.is_outside(length)?;
                    // The signs around it are no part of the text.
                    self.window.pass(length);
                    let text = self.window.passed(length - 9, 3)?;
                    return Ok(Some(Token::Text(Cow::Borrowed(text))));
                }
                Extent::Start(length) => return self.start(length).map(Some),
                Extent::End(length) => return self.finish(length).map(Some),
            }
        }
    }

    fn end(&mut self) -> Result<Option<Token<'_>>, StatementError> {
        self.line = self.window.line();
        self.offset = self.window.offset();
        match self.open.last() {
            Some(name) => Err(self.refuse(Refusal::CutOff { what: format!("<{name}>") })),
            None => Ok(None),
        }
    }

    /// Whether text stands outside of the document, where XML allows white space alone.
    fn is_outside(&self, length: usize) -> Result<bool, StatementError> {
        if self.strictness == Strictness::Sgml || !self.open.is_empty() {
            return Ok(false);
        }
        if self.window.text(0, length)?.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty()
        {
            return Ok(true);
        }
        let refusal = if self.is_over { Refusal::AfterTheEnd } else { Refusal::BadTag };
        Err(self.refuse(refusal))
    }

    fn text(&mut self, length: usize) -> Result<Token<'_>, StatementError> {
        self.window.pass(length);
        let (line, offset) = (self.line, self.offset);
        let text = self.window.passed(length, 0)?;
        decode(text, self.strictness).map(Token::Text).map_err(|name| {
            let location = Location { line, offset, path: Cow::Borrowed("") };
            StatementError::Refused { location, refusal: Refusal::UnknownEntity { name } }
        })
    }

    fn start(&mut self, length: usize) -> Result<Token<'_>, StatementError> {
        let inside = self.window.text(1, length - 1)?;
        let (inside, is_empty) = match inside.strip_suffix('/') {
            Some(inside) => (inside, true),
            None => (inside, false),
        };
        let name_length = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let attributes_length = inside.len() - name_length;
        let name = self.name(&inside[..name_length])?.into_owned();
        if self.strictness == Strictness::Xml {
            if self.is_over {
                return Err(self.refuse(Refusal::AfterTheEnd));
            }
            if self.open.len() == ELEMENTS_NESTED_MAX {
                return Err(self.refuse(Refusal::TooDeep));
            }
        }
        if is_empty {
            self.owes_end = Some(name.clone());
        }
        self.window.pass(length);
        let rest = attributes_length + usize::from(is_empty) + 1;
        let attributes = self.window.passed(rest, rest - attributes_length)?;
        let name = match self.strictness {
            Strictness::Sgml => Cow::Owned(name),
            Strictness::Xml => {
                self.open.push(name);
                Cow::Borrowed(self.open.last().map_or("", String::as_str))
            }
        };
        Ok(Token::Start { name, attributes })
    }

    fn finish(&mut self, length: usize) -> Result<Token<'_>, StatementError> {
        let name = self.name(self.window.text(2, length - 1)?)?.into_owned();
        self.window.pass(length);
        self.close(&name)?;
        Ok(Token::End { name: Cow::Owned(name) })
    }

    /// The name of a tag without the prefix of its namespace.
    fn name<'n>(&self, written: &'n str) -> Result<Cow<'n, str>, StatementError> {
        let written = written.trim_ascii();
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
        if written.is_empty() || !written.chars().all(is_letter) {
            return Err(self.refuse(Refusal::BadTag));
        }
        if self.strictness == Strictness::Sgml {
            return Ok(match written.contains(|c: char| c.is_ascii_lowercase()) {
                true => Cow::Owned(written.to_ascii_uppercase()),
                false => Cow::Borrowed(written),
            });
        }
        Ok(Cow::Borrowed(written.rsplit_once(':').map_or(written, |(_, name)| name)))
    }

    fn close(&mut self, name: &str) -> Result<(), StatementError> {
        if self.strictness == Strictness::Sgml {
            return Ok(());
        }
        let closed = name.to_owned();
        match self.open.last() {
            Some(open) if open == name => {
                self.open.pop();
                self.is_over = self.open.is_empty();
                Ok(())
            }
            Some(open) => {
                let open = open.clone();
                Err(self.refuse(Refusal::TagMismatch { open, closed }))
            }
            None => Err(self.refuse(Refusal::NothingOpen { closed })),
        }
    }

    /// What stands at the start of the window, all of it in the window.
    fn extent(&mut self) -> Result<Option<Extent>, StatementError> {
        loop {
            let unread = self.window.unread();
            if let Some(extent) = extent(unread, self.strictness) {
                return match extent {
                    Ok(extent) => Ok(Some(extent)),
                    Err(refusal) => Err(self.window.refuse(refusal)),
                };
            }
            if self.window.is_at_end() {
                return match unread {
                    [] => Ok(None),
                    [b'<', ..] if is_tag(unread, self.strictness) => {
                        Err(self.window.refuse(Refusal::CutOff { what: "a tag".to_owned() }))
                    }
                    _ if self.strictness == Strictness::Xml && unread[0] == b'<' => {
                        Err(self.window.refuse(Refusal::BadTag))
                    }
                    _ => Ok(Some(Extent::Text(unread.len()))),
                };
            }
            self.window.read_on()?;
        }
    }
}

/// The extent of the first token, unless the window ends before its end.
fn extent(unread: &[u8], strictness: Strictness) -> Option<Result<Extent, Refusal>> {
    if unread.first()? != &b'<' {
        return text_end(unread, 0, strictness).map(|end| Ok(Extent::Text(end)));
    }
    let until = |end: &[u8], from: usize| {
        let found = memmem::find(unread.get(from..)?, end)?;
        Some(from + found + end.len())
    };
    match unread.get(1)? {
        b'/' => memchr(b'>', unread).map(|at| Ok(Extent::End(at + 1))),
        b'?' if strictness == Strictness::Xml => {
            until(b"?>", 2).map(|end| Ok(Extent::Skipped(end)))
        }
        b'?' => until(b">", 2).map(|end| Ok(Extent::Skipped(end))),
        b'!' if unread.starts_with(b"<!--") => until(b"-->", 4).map(|end| Ok(Extent::Skipped(end))),
        b'!' if unread.starts_with(b"<![CDATA[") => {
            until(b"]]>", 9).map(|end| Ok(Extent::Cdata(end)))
        }
        b'!' if b"<!--".starts_with(unread) || b"<![CDATA[".starts_with(unread) => None,
        b'!' => Some(Err(Refusal::DocumentType)),
        _ if is_tag(unread, strictness) => match tag_end(unread, strictness)? {
            TagEnd::Closed(end) => Some(Ok(Extent::Start(end))),
            TagEnd::IsText(end) => Some(Ok(Extent::Text(end))),
        },
        _ if strictness == Strictness::Xml => Some(Err(Refusal::BadTag)),
        _ => text_end(unread, 1, strictness).map(|end| Ok(Extent::Text(end))),
    }
}

/// Whether a `<` begins a tag.
fn is_tag(bytes: &[u8], strictness: Strictness) -> bool {
    bytes.get(1).is_some_and(|byte| match byte {
        b'/' | b'?' | b'!' | b'_' => true,
        _ if strictness == Strictness::Xml => byte.is_ascii_alphabetic() || *byte >= 0x80,
        _ => byte.is_ascii_alphabetic(),
    })
}

/// The next tag behind `from`.
fn text_end(unread: &[u8], mut from: usize, strictness: Strictness) -> Option<usize> {
    loop {
        let at = from + memchr(b'<', &unread[from..])?;
        if strictness == Strictness::Xml || is_tag(&unread[at..], strictness) {
            return Some(at);
        }
        // What follows the sign decides, and may not be there yet.
        unread.get(at + 1)?;
        from = at + 1;
    }
}

/// How something that looks like a tag ends.
enum TagEnd {
    /// Behind its last sign.
    Closed(usize),
    /// Another tag begins before: it is a sign in a text that nobody escaped, as in `A<B`.
    IsText(usize),
}

/// The end of a tag, if the window has it. In XML `>` may stand in an attribute.
fn tag_end(unread: &[u8], strictness: Strictness) -> Option<TagEnd> {
    if strictness == Strictness::Sgml {
        let at = 1 + memchr2(b'<', b'>', &unread[1..])?;
        return Some(if unread[at] == b'>' { TagEnd::Closed(at + 1) } else { TagEnd::IsText(at) });
    }
    let mut quote = None;
    for (at, byte) in unread.iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(TagEnd::Closed(at + 1)),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}
