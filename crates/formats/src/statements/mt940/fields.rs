//! Fields of a SWIFT message: `:61:` and what follows up to the next field.
//!
//! What stands around messages (blocks in braces, lines of the bank's transfer program) is passed
//! over. A line that looks like a field which no statement has belongs to the field before it:
//! texts of field 86 may have anything.

use std::io::Read;

use memchr::memchr2;

use super::super::error::{Refusal, StatementError};
use super::super::limits::TOKEN_BYTES_MAX;
use super::super::model::Location;
use super::super::window::Window;

/// The fields of MT940 and MT942, and `NS`, which German banks add.
const TAGS: [&str; 20] = [
    "13", "13D", "20", "21", "25", "25P", "28", "28C", "34F", "60F", "60M", "61", "62F", "62M",
    "64", "65", "86", "90C", "90D", "NS",
];

/// A field, its lines separated by line feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) tag: &'static str,
    pub(super) text: String,
    pub(super) line: u64,
    pub(super) offset: u64,
}

impl Field {
    /// The place of it, with its tag as in the file.
    pub(super) fn location(&self) -> Location {
        let path = format!(":{}:", self.tag).into();
        Location { line: self.line, offset: self.offset, path }
    }
}

/// A field, or the end of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Field(Field),
    EndOfMessage,
}

/// Goes through a file field by field.
pub(super) struct Fields<R> {
    window: Window<R>,
    /// The field that began last; it may go on.
    open: Option<Field>,
    /// The end of a message was found behind that field.
    owes_end: bool,
}

/// What a line is.
enum Line<'l> {
    Begins(&'static str, &'l str),
    EndsMessage,
    GoesOn(&'l str),
}

impl<R: Read> Fields<R> {
    pub(super) fn new(source: R) -> Self {
        Self { window: Window::new(source), open: None, owes_end: false }
    }

    /// The place up to which the file was read.
    pub(super) fn location(&self) -> Location {
        let (line, offset) = (self.window.line(), self.window.offset());
        Location { line, offset, path: "".into() }
    }

    pub(super) fn next(&mut self) -> Result<Option<Item>, StatementError> {
        if std::mem::take(&mut self.owes_end) {
            return Ok(Some(Item::EndOfMessage));
        }
        while let Some((length, with_end)) = self.line()? {
            let (number, offset) = (self.window.line(), self.window.offset());
            let finished = match kind(self.window.text(0, length)?) {
                Line::Begins(tag, text) => {
                    let text = text.to_owned();
                    self.open.replace(Field { tag, text, line: number, offset }).map(Item::Field)
                }
                Line::EndsMessage => match self.open.take() {
                    Some(field) => {
                        self.owes_end = true;
                        Some(Item::Field(field))
                    }
                    None => Some(Item::EndOfMessage),
                },
                Line::GoesOn(text) => {
                    if let Some(field) = &mut self.open {
                        field.text.push('\n');
                        field.text.push_str(text);
                        if field.text.len() > TOKEN_BYTES_MAX {
                            return Err(self.window.refuse(Refusal::TokenTooLong));
                        }
                    }
                    None
                }
            };
            self.window.pass(with_end);
            if finished.is_some() {
                return Ok(finished);
            }
        }
        Ok(self.open.take().map(Item::Field))
    }

    /// The length of the next line, without and with its end.
    fn line(&mut self) -> Result<Option<(usize, usize)>, StatementError> {
        loop {
            let unread = self.window.unread();
            let is_at_end = self.window.is_at_end();
            match memchr2(b'\n', b'\r', unread) {
                // A line feed may follow that isn't there yet.
                Some(at) if unread[at] == b'\r' && at + 1 == unread.len() && !is_at_end => {}
                Some(at) => {
                    let is_pair = unread[at..].starts_with(b"\r\n");
                    return Ok(Some((at, at + 1 + usize::from(is_pair))));
                }
                None if is_at_end => {
                    return Ok(Some(unread.len()).filter(|it| *it > 0).map(|it| (it, it)));
                }
                None => {}
            }
            self.window.read_on()?;
        }
    }
}

fn kind(line: &str) -> Line<'_> {
    let line = line.trim_start_matches('\u{feff}');
    // The text block of a whole message: `{1:…}{2:…}{4:`, perhaps with the first field behind it.
    let line = match line.split_once("{4:") {
        Some((before, rest)) if before.is_empty() || before.starts_with('{') => rest,
        _ => line,
    };
    if line.trim_end() == "-" || line.starts_with("-}") {
        return Line::EndsMessage;
    }
    let tagged = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
    let known = tagged.and_then(|(tag, text)| Some((TAGS.iter().find(|its| **its == tag)?, text)));
    match known {
        Some((tag, text)) => Line::Begins(tag, text),
        None => Line::GoesOn(line),
    }
}
