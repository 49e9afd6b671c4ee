//! A streaming reader of CSV records.
//!
//! RFC 4180 with what banks really write: line ends LF, CRLF and CR, mixed; quotes inside an
//! unquoted cell are letters; text after a closing quote belongs to the cell; records may have any
//! number of cells. Lines and records in which every cell is blank are passed over, but counted as
//! lines. A quoted cell that never ends is an error that names the line where it started.
//!
//! Cells are borrowed from the buffer. A cell with doubled quotes is rewritten there in place,
//! which always makes it shorter. The window grows from 64 KiB to 512 KiB at most, when a record
//! needs it; a record above [`CSV_RECORD_BYTES_MAX`] ends the reading. Of a record with more than
//! [`CSV_COLUMNS_MAX`] cells one more than the limit is delivered, so that the row can be refused.
//!
//! With a line end as the separator each line is one cell, as it stands in the file: quotes mean
//! nothing. Lines may have [`NATIVE_LINE_BYTES_MAX`] bytes then.

use std::io::{self, Read};

use purser_core::import::cells::Cells;
use purser_core::limits::{CSV_COLUMNS_MAX, CSV_RECORD_BYTES_MAX, NATIVE_LINE_BYTES_MAX};

use crate::decode::fill;

const WINDOW_BYTES: usize = 64 * 1024;
/// What separates the cells of a file in which each line is one.
const LINE_END: u8 = b'\n';

/// Why reading ended before the end of the file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Reading the source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A quoted cell isn't closed up to the end of the file.
    #[error("Line {line}: A quoted cell starts here and is never closed")]
    UnterminatedQuote {
        /// The line of the opening quote.
        line: u64,
    },
    /// The record has more bytes than are allowed.
    #[error("Line {line}: The record is longer than {max} bytes")]
    RecordTooLong {
        /// How many it may have.
        max: usize,
        /// The line on which the record starts.
        line: u64,
    },
    /// A quoted cell alone has more bytes than a record may have.
    #[error(
        "Line {line}: A quoted cell starts here and is not closed within \
         {CSV_RECORD_BYTES_MAX} bytes"
    )]
    QuoteTooLong {
        /// The line of the opening quote.
        line: u64,
    },
    /// The record is not UTF-8.
    #[error("Line {line}: The record is not valid UTF-8")]
    NotUtf8 {
        /// The line on which the record starts.
        line: u64,
    },
}

/// One record, valid until the next one is read.
#[derive(Debug, Clone, Copy)]
pub struct Record<'r> {
    /// The physical line on which it starts, counted from 1.
    pub line: u64,
    /// The byte at which it starts.
    pub offset: u64,
    /// The cells of the record, in order.
    pub cells: Cells<'r>,
}

/// Reads records from a source of UTF-8.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    separator: u8,
    window: Vec<u8>,
    /// The unread part of the window.
    start: usize,
    end: usize,
    /// Offset in the file of the window's first byte.
    base: u64,
    line: u64,
    at_end: bool,
    bounds: Vec<(u32, u32)>,
    /// Positions of the cells that hold quotes to be removed.
    quoted: Vec<usize>,
}

/// What the scan of one record found. Positions are in the window.
struct Extent {
    /// After the last cell.
    end: usize,
    /// After the line end.
    next: usize,
    lines: u64,
}

/// The extent of a record in the window.
struct RecordExtent {
    start: usize,
    end: usize,
    line: u64,
}

/// How a scan ended.
enum Scan {
    Record(Extent),
    /// The window ends inside the record; in a quoted cell if the quote's line is given.
    Cut(Option<u64>),
}

impl<R: Read> Reader<R> {
    /// A reader at the start of a file.
    pub fn new(input: R, separator: u8) -> Self {
        Self::at(input, separator, 0, 1)
    }

    /// A reader of a source that is already at `offset`, which begins the line `line`.
    pub fn at(input: R, separator: u8, offset: u64, line: u64) -> Self {
        Self {
            input,
            separator,
            window: vec![0; WINDOW_BYTES],
            start: 0,
            end: 0,
            base: offset,
            line,
            at_end: false,
            bounds: Vec::new(),
            quoted: Vec::new(),
        }
    }

    /// The byte after the last record's line end.
    pub fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// The line that starts at [`Reader::offset`].
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads one record, or nothing at the end. After an error nothing sensible follows.
    pub fn read(&mut self) -> Result<Option<Record<'_>>, ReadError> {
        let Some(found) = self.advance()? else { return Ok(None) };
        let Ok(text) = std::str::from_utf8(&self.window[found.start..found.end]) else {
            return Err(ReadError::NotUtf8 { line: found.line });
        };
        let cells = Cells::new(text, &self.bounds);
        let offset = self.base + found.start as u64;
        Ok(Some(Record { line: found.line, offset, cells }))
    }

    /// Goes behind the next record that isn't blank.
    fn advance(&mut self) -> Result<Option<RecordExtent>, ReadError> {
        loop {
            self.skip_empty_lines()?;
            if self.start == self.end {
                return Ok(None);
            }
            let extent = match self.scan() {
                Scan::Record(extent) => extent,
                Scan::Cut(quote_line) if self.at_end => {
                    let line = quote_line.unwrap_or(self.line);
                    return Err(ReadError::UnterminatedQuote { line });
                }
                Scan::Cut(quote_line) => {
                    self.check_length(self.end - self.start, quote_line)?;
                    self.refill()?;
                    continue;
                }
            };
            self.check_length(extent.end - self.start, None)?;
            self.remove_quotes();
            let found = RecordExtent { start: self.start, end: extent.end, line: self.line };
            self.start = extent.next;
            self.line += extent.lines;
            if !self.is_blank(&found) {
                return Ok(Some(found));
            }
        }
    }

    fn is_blank(&self, found: &RecordExtent) -> bool {
        let bytes = &self.window[found.start..found.end];
        if self.separator == LINE_END && bytes.first().is_some_and(u8::is_ascii_graphic) {
            return false;
        }
        // Nearly every record starts with a letter, a digit or a quote and a letter.
        if bytes.iter().take(2).any(u8::is_ascii_alphanumeric) {
            return false;
        }
        std::str::from_utf8(bytes).is_ok_and(|text| Cells::new(text, &self.bounds).is_blank())
    }

    fn check_length(&self, length: usize, quote_line: Option<u64>) -> Result<(), ReadError> {
        match quote_line {
            _ if length <= self.record_max() => Ok(()),
            Some(line) => Err(ReadError::QuoteTooLong { line }),
            None => Err(ReadError::RecordTooLong { line: self.line, max: self.record_max() }),
        }
    }

    fn record_max(&self) -> usize {
        if self.separator == LINE_END { NATIVE_LINE_BYTES_MAX } else { CSV_RECORD_BYTES_MAX }
    }

    /// Moves the unread part to the front, makes room if it fills the window, and reads on.
    fn refill(&mut self) -> Result<(), ReadError> {
        self.window.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        if self.end == self.window.len() {
            let length = (2 * self.window.len()).min(2 * self.record_max());
            self.window.resize(length, 0);
        }
        self.end = fill(&mut self.input, &mut self.window, self.end)?;
        self.at_end = self.end < self.window.len();
        Ok(())
    }

    /// Passes over line ends before a record.
    fn skip_empty_lines(&mut self) -> Result<(), ReadError> {
        loop {
            match &self.window[self.start..self.end] {
                [] | [b'\r'] if !self.at_end => self.refill()?,
                [b'\r', b'\n', ..] => self.pass_line_end(2),
                [b'\r' | b'\n', ..] => self.pass_line_end(1),
                _ => return Ok(()),
            }
        }
    }

    fn pass_line_end(&mut self, length: usize) {
        self.start += length;
        self.line += 1;
    }

    /// Finds the cells of the record at `start`. Everything it notes is void after a cut.
    fn scan(&mut self) -> Scan {
        self.bounds.clear();
        self.quoted.clear();
        let bytes = &self.window[..self.end];
        let mut at = self.start;
        let mut lines = 1;
        loop {
            let from = at;
            let mut cell = (from, from);
            let is_quoted = self.separator != LINE_END && bytes.get(at) == Some(&b'"');
            if is_quoted {
                let quote_line = self.line + lines - 1;
                let Some(closed) = scan_quoted(bytes, from + 1) else {
                    return Scan::Cut(Some(quote_line));
                };
                lines += closed.line_ends;
                at = closed.next;
                cell = (from + 1, at - 1);
                if closed.doubled || !ends_cell(bytes, at, self.separator) {
                    cell.0 = from;
                    self.quoted.push(self.bounds.len());
                }
            }
            let rest = &bytes[at..];
            let length = match self.separator {
                LINE_END => memchr::memchr2(b'\n', b'\r', rest),
                separator => rest.iter().position(|&byte| ends(byte, separator)),
            };
            at += length.unwrap_or(rest.len());
            if !is_quoted || cell.0 == from {
                cell.1 = at;
            }
            if self.bounds.len() <= CSV_COLUMNS_MAX {
                let bound = |at: usize| u32::try_from(at - self.start).unwrap_or(u32::MAX);
                self.bounds.push((bound(cell.0), bound(cell.1)));
            }
            let next = match &bytes[at..] {
                [byte, ..] if *byte == self.separator && *byte != LINE_END => {
                    at += 1;
                    continue;
                }
                [b'\r', b'\n', ..] => at + 2,
                [b'\r', _, ..] | [b'\n', ..] => at + 1,
                rest if self.at_end => at + rest.len(),
                _ => return Scan::Cut(None),
            };
            return Scan::Record(Extent { end: at, next, lines });
        }
    }

    /// Rewrites the cells that hold doubled quotes or text after the closing one.
    fn remove_quotes(&mut self) {
        for &column in &self.quoted {
            let Some(bound) = self.bounds.get_mut(column) else { continue };
            let (from, to) = (self.start + bound.0 as usize, self.start + bound.1 as usize);
            let length = unquote(&mut self.window[from..to]);
            bound.1 = bound.0 + u32::try_from(length).unwrap_or(u32::MAX);
        }
    }
}

fn ends(byte: u8, separator: u8) -> bool {
    byte == separator || byte == b'\n' || byte == b'\r'
}

fn ends_cell(bytes: &[u8], at: usize, separator: u8) -> bool {
    bytes.get(at).is_none_or(|&byte| ends(byte, separator))
}

/// A quoted cell's end.
struct Closed {
    /// After the closing quote.
    next: usize,
    doubled: bool,
    line_ends: u64,
}

/// Looks for the closing quote, from the byte after the opening one. A quote that is the last byte
/// of the window closes the cell only for now: the record is cut there anyway unless the file ends.
fn scan_quoted(bytes: &[u8], from: usize) -> Option<Closed> {
    let mut at = from;
    let mut doubled = false;
    loop {
        at += memchr::memchr(b'"', &bytes[at..])?;
        if bytes.get(at + 1) != Some(&b'"') {
            break;
        }
        doubled = true;
        at += 2;
    }
    Some(Closed { next: at + 1, doubled, line_ends: count_line_ends(&bytes[from..at]) })
}

/// LF, CRLF and CR, each once.
pub(crate) fn count_line_ends(bytes: &[u8]) -> u64 {
    if memchr::memchr2(b'\r', b'\n', bytes).is_none() {
        return 0;
    }
    let feeds = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let returns = bytes.iter().filter(|&&byte| byte == b'\r').count();
    let pairs = bytes.windows(2).filter(|pair| pair == b"\r\n").count();
    (feeds + returns - pairs) as u64
}

/// Removes the opening and the closing quote and halves doubled ones, in place, and returns the
/// new length. What is left over is overwritten, so that the window stays valid UTF-8.
fn unquote(cell: &mut [u8]) -> usize {
    let mut to = 0;
    let mut from = 1;
    let mut inside = true;
    while from < cell.len() {
        let byte = cell[from];
        if inside && byte == b'"' {
            from += 1;
            if cell.get(from) != Some(&b'"') {
                inside = false;
                continue;
            }
        }
        cell[to] = byte;
        to += 1;
        from += 1;
    }
    cell[to..].fill(b' ');
    to
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
