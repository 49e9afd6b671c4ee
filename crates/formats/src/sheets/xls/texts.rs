//! Texts of BIFF8: letters of one byte or of two, which may go on in the next record with the other
//! width.

use super::super::SheetError;
use super::super::parts::SharedTexts;

/// The bytes of a record and of those that continue it.
pub(super) struct Segments<'b> {
    segments: Vec<&'b [u8]>,
    /// The segment, and the place in it.
    segment: usize,
    at: usize,
}

impl<'b> Segments<'b> {
    pub(super) fn new(segments: Vec<&'b [u8]>) -> Self {
        Self { segments, segment: 0, at: 0 }
    }

    fn is_over(&self) -> bool {
        self.segments.get(self.segment).is_none_or(|one| self.at >= one.len())
            && self.segment + 1 >= self.segments.len()
    }

    /// The next byte, in the next segment if this one is over.
    fn byte(&mut self) -> Option<u8> {
        while self.at >= self.segments.get(self.segment)?.len() {
            (self.segment, self.at) = (self.segment + 1, 0);
        }
        let byte = *self.segments.get(self.segment)?.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    pub(super) fn number(&mut self, bytes: usize) -> Option<u32> {
        let mut number = 0;
        for place in 0..bytes {
            number |= u32::from(self.byte()?) << (8 * place);
        }
        Some(number)
    }

    fn skip(&mut self, mut bytes: usize) -> Option<()> {
        while bytes > 0 {
            let left = self.segments.get(self.segment)?.len().saturating_sub(self.at);
            let step = left.min(bytes);
            (self.at, bytes) = (self.at + step, bytes - step);
            if bytes > 0 {
                (self.segment, self.at) = (self.segment + 1, 0);
            }
        }
        Some(())
    }

    /// So many letters. Where a segment ends between two of them, the next one begins with the
    /// width of the rest.
    fn letters(&mut self, count: usize, mut is_wide: bool, text: &mut String) -> Option<()> {
        let mut units = Vec::with_capacity(count.min(32 * 1024));
        for _ in 0..count {
            if self.at >= self.segments.get(self.segment)?.len() {
                (self.segment, self.at) = (self.segment + 1, 0);
                is_wide = self.byte()? & 1 != 0;
            }
            let unit = if is_wide { self.number(2)? } else { self.number(1)? };
            units.push(u16::try_from(unit).ok()?);
        }
        let letters = char::decode_utf16(units);
        text.extend(letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)));
        Some(())
    }

    /// A text with its number of letters in so many bytes, its formats and its pronunciation.
    pub(super) fn text(&mut self, count_bytes: usize, text: &mut String) -> Option<()> {
        let count = usize::try_from(self.number(count_bytes)?).ok()?;
        let flags = self.byte()?;
        let formats = if flags & 8 != 0 { self.number(2)? as usize } else { 0 };
        let more = if flags & 4 != 0 { self.number(4)? as usize } else { 0 };
        self.letters(count, flags & 1 != 0, text)?;
        self.skip(4 * formats)?;
        self.skip(more)
    }
}

/// A text that stands by itself in a record.
pub(super) fn text(bytes: &[u8], count_bytes: usize) -> Option<String> {
    let mut text = String::new();
    Segments::new(vec![bytes]).text(count_bytes, &mut text)?;
    Some(text)
}

/// The texts that cells share: all that the records have, whatever number they state.
pub(super) fn shared(segments: Vec<&[u8]>) -> Result<SharedTexts, SheetError> {
    let damaged = || SheetError::Damaged("the texts of its cells are cut off");
    let mut segments = Segments::new(segments);
    segments.skip(8).ok_or_else(damaged)?;
    let mut shared = SharedTexts::default();
    while !segments.is_over() {
        segments.text(2, shared.open()).ok_or_else(damaged)?;
        shared.close()?;
    }
    Ok(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_on_with_another_width() {
        let first: &[u8] = &[4, 0, 0, b'a', b'b'];
        let second: &[u8] = &[1, 0xE4, 0, 0xAC, 0x20, 9, 9];
        let mut segments = Segments::new(vec![first, second]);
        let mut text = String::new();
        segments.text(2, &mut text).unwrap();
        assert_eq!(text, "abä€");
        assert_eq!(segments.number(2), Some(0x0909));
        assert!(segments.is_over() && segments.byte().is_none());
    }

    #[test]
    fn formats_and_pronunciations_are_passed_over() {
        let bytes = [1, 0, 12, 1, 0, 2, 0, 0, 0, b'x', 0, 0, 0, 0, 7, 7];
        assert_eq!(text(&bytes, 2).as_deref(), Some("x"));
        assert_eq!(text(&bytes[..12], 2), None);
        assert_eq!(text(&[200, 0, 0, b'x'], 2), None);
    }
}
