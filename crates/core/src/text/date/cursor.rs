//! A position in a cell that moves forward over what it recognises.

use crate::text::is_space;

/// Reads from the left; every method that fails leaves the position where it was or the whole
/// reading fails with it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Moves over this ASCII byte.
    pub(super) fn byte(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Moves over this character; ASCII letters in either case.
    pub(super) fn literal(&mut self, wanted: char) -> Option<()> {
        let found = match self.peek()? {
            byte if byte.is_ascii() => char::from(byte),
            _ => self.rest().chars().next()?,
        };
        (found == wanted || found.eq_ignore_ascii_case(&wanted))
            .then(|| self.at += found.len_utf8())
    }

    /// Moves over one digit.
    pub(super) fn digit(&mut self) -> Option<i16> {
        let digit = self.peek().filter(u8::is_ascii_digit)?;
        self.at += 1;
        Some(i16::from(digit - b'0'))
    }

    /// Moves over exactly so many digits (at most four).
    pub(super) fn digits(&mut self, count: usize) -> Option<i16> {
        let mut value = 0;
        for _ in 0..count {
            value = value * 10 + self.digit()?;
        }
        Some(value)
    }

    /// Moves over one or two digits.
    pub(super) fn one_or_two_digits(&mut self) -> Option<i16> {
        let first = self.digit()?;
        Some(self.digit().map_or(first, |second| first * 10 + second))
    }

    /// Moves over as many digits as there are; how many.
    pub(super) fn skip_digits(&mut self) -> usize {
        let start = self.at;
        while self.digit().is_some() {}
        self.at - start
    }

    /// Moves over white space, if there is any.
    pub(super) fn skip_spaces(&mut self) -> bool {
        let start = self.at;
        while let Some(byte) = self.peek() {
            let c =
                if byte.is_ascii() { Some(char::from(byte)) } else { self.rest().chars().next() };
            match c {
                Some(c) if is_space(c) => self.at += c.len_utf8(),
                _ => break,
            }
        }
        self.at > start
    }

    /// Moves over letters and the accents that combine with them.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ascii = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}');
        let end = match rest.as_bytes().get(ascii) {
            Some(byte) if !byte.is_ascii() => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            _ => ascii,
        };
        self.at += end;
        &rest[..end]
    }
}
