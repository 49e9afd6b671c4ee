//! A window onto a source of text that grows with what must be seen at once, up to a limit.

use std::io::Read;

use super::error::{Refusal, StatementError};
use super::limits::TOKEN_BYTES_MAX;
use super::model::Location;
use crate::csv::count_line_ends;
use crate::decode::fill;

/// Small in tests, so that every token is cut somewhere.
const WINDOW_BYTES: usize = if cfg!(test) { 16 } else { 64 * 1024 };

/// The unread text of a source.
#[derive(Debug)]
pub(super) struct Window<R> {
    input: R,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset in the file of the first byte of the window.
    base: u64,
    line: u64,
    at_end: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            bytes: vec![0; WINDOW_BYTES],
            start: 0,
            end: 0,
            base: 0,
            line: 1,
            at_end: false,
        }
    }

    /// What was read of the source and not yet passed over.
    pub(super) fn unread(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// A part of the unread text.
    pub(super) fn text(&self, from: usize, to: usize) -> Result<&str, StatementError> {
        let bytes = &self.bytes[self.start + from..self.start + to];
        std::str::from_utf8(bytes).map_err(|_| self.refuse(Refusal::NotUtf8))
    }

    /// Whether the source has nothing behind the unread text.
    pub(super) fn is_at_end(&self) -> bool {
        self.at_end
    }

    /// The line of the first unread byte.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The offset of the first unread byte in the file.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Passes over unread bytes.
    pub(super) fn pass(&mut self, length: usize) {
        self.line += count_line_ends(&self.bytes[self.start..self.start + length]);
        self.start += length;
    }

    /// The last bytes that were passed over, but for the very last ones.
    pub(super) fn passed(&self, from_end: usize, without: usize) -> Result<&str, StatementError> {
        let bytes = &self.bytes[self.start - from_end..self.start - without];
        std::str::from_utf8(bytes).map_err(|_| self.refuse(Refusal::NotUtf8))
    }

    /// Reads on, so that there is more unread text, or it is known that there is none.
    pub(super) fn read_on(&mut self) -> Result<(), StatementError> {
        if self.end - self.start > TOKEN_BYTES_MAX {
            return Err(self.refuse(Refusal::TokenTooLong));
        }
        self.bytes.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        if self.end == self.bytes.len() {
            let length = (2 * self.bytes.len()).min(TOKEN_BYTES_MAX + WINDOW_BYTES);
            self.bytes.resize(length, 0);
        }
        self.end = fill(&mut self.input, &mut self.bytes, self.end)?;
        self.at_end = self.end < self.bytes.len();
        Ok(())
    }

    /// A refusal at the first unread byte.
    pub(super) fn refuse(&self, refusal: Refusal) -> StatementError {
        let location =
            Location { line: self.line, offset: self.offset(), path: Default::default() };
        StatementError::Refused { location, refusal }
    }
}
