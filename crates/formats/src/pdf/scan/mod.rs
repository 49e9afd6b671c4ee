//! Documents without text: pictures of pages, as a scanner makes them.
//!
//! Nothing here recognises letters. [`survey`] lists the pictures, [`write`] makes grey pixels of
//! one, for a program that recognises words, and the words come back with their places
//! ([`lines_of`]); from there on they are the text of the document. That program gets nothing but
//! pixels: the formats of pictures are decoded here.

mod picture;
mod words;

use std::io::{BufRead, Read, Write};

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::error::{PdfError, Result};
use super::limits::{SCAN_WIDTH_MIN, SCANNED_PAGES_MAX, WORDS_BYTES_MAX};
use super::lines::Line;
use super::page;

pub(super) use picture::may_have_text;
pub(super) use words::lines;

/// A picture of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scan {
    /// The page, counted from 1.
    pub page: u32,
    /// The number of the picture among the objects of the document.
    pub object: u32,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// The words that were recognised in one picture: a line with the page, the size of the picture and
/// the number of bytes, and the table of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The page, counted from 1.
    pub page: u32,
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The table of words.
    pub content: Vec<u8>,
}

impl Frame {
    /// Writes the frame behind others.
    ///
    /// # Errors
    /// Those of the target.
    pub fn write(&self, mut target: impl Write) -> std::io::Result<()> {
        let Self { page, width, height, content } = self;
        writeln!(target, "{page} {width} {height} {}", content.len())?;
        target.write_all(content)
    }

    /// The next frame; nothing at the end. One of more than `bytes_max` is refused.
    ///
    /// # Errors
    /// What is there is no frame.
    pub fn read(mut source: impl BufRead, bytes_max: u64) -> std::io::Result<Option<Self>> {
        let invalid = || std::io::Error::from(std::io::ErrorKind::InvalidData);
        let mut line = String::new();
        if (&mut source).take(100).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let mut next = || numbers.next().and_then(std::result::Result::ok).ok_or_else(invalid);
        let (page, width, height, bytes) = (next()?, next()?, next()?, next()?);
        if bytes > bytes_max {
            return Err(invalid());
        }
        let mut content = Vec::new();
        (&mut source).take(bytes).read_to_end(&mut content)?;
        if content.len() as u64 != bytes {
            return Err(invalid());
        }
        let small = |number: u64| u32::try_from(number).map_err(|_| invalid());
        Ok(Some(Self { page: small(page)?, width: small(width)?, height: small(height)?, content }))
    }
}

/// The pictures of the pages of a document without text; none if it has any text.
pub(super) fn survey(document: &Document<'_>) -> Result<Vec<Scan>> {
    let (mut page, mut found, mut has_text) = (0, Vec::new(), false);
    // What is wrong with pictures doesn't matter if a later page has text.
    let mut refusal = None;
    page::each_page(document, |drawn| {
        page += 1;
        has_text |= drawn.glyphs.iter().any(|glyph| !glyph.text.trim().is_empty());
        for object in drawn.pictures {
            match of_page(document, page, object) {
                Ok(_) if found.len() >= SCANNED_PAGES_MAX => {
                    refusal.get_or_insert(PdfError::TooManyScans);
                }
                Ok(scan) => found.extend(scan),
                Err(error) => {
                    refusal.get_or_insert(error);
                }
            }
        }
        Ok(())
    })?;
    match refusal {
        _ if has_text => Ok(Vec::new()),
        Some(refusal) => Err(refusal),
        None if found.is_empty() => Err(PdfError::NoPictures),
        None => Ok(found),
    }
}

/// A picture, if it is one of a page.
fn of_page(document: &Document<'_>, page: u32, object: u32) -> Result<Option<Scan>> {
    let Some((width, height)) = picture::size(document, object)? else { return Ok(None) };
    require_fine(width)?;
    Ok(Some(Scan { page, object, width, height }))
}

/// A sign that is a few dots wide gets lost, and nobody would notice.
fn require_fine(width: u32) -> Result<()> {
    if width < SCAN_WIDTH_MIN { Err(PdfError::TooCoarse) } else { Ok(()) }
}

/// Writes a picture as grey pixels (PGM).
pub(super) fn write(document: &Document<'_>, object: u32, mut target: impl Write) -> Result<()> {
    let pixels = picture::pixels(document, object)?;
    target.write_all(&pixels).map_err(|_| PdfError::Damaged("its pictures can't be written"))
}

/// The lines of the words of all frames, and the number of pages.
pub(super) fn lines_of(mut frames: impl BufRead) -> Result<(Vec<Line>, u32)> {
    let mut found = Vec::new();
    let mut pages = 0;
    loop {
        let frame = Frame::read(&mut frames, WORDS_BYTES_MAX);
        let frame = frame.map_err(|_| PdfError::Damaged("its words can't be read"))?;
        let Some(frame) = frame else { break };
        require_fine(frame.width)?;
        // Each picture is a page of its own: how they lie beside each other isn't known.
        pages += 1;
        found.extend(lines(pages, &frame));
    }
    match found.is_empty() {
        true => Err(PdfError::NoWords),
        false => Ok((found, pages)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let one = Frame { page: 1, width: 20, height: 30, content: b"1 2\n3".to_vec() };
        let two = Frame { page: 2, content: Vec::new(), ..one.clone() };
        let mut written = Vec::new();
        one.write(&mut written).unwrap();
        two.write(&mut written).unwrap();
        let mut source = &written[..];
        assert_eq!(Frame::read(&mut source, 5).unwrap(), Some(one));
        assert_eq!(Frame::read(&mut source, 5).unwrap(), Some(two));
        assert_eq!(Frame::read(&mut source, 5).unwrap(), None);
        for broken in
            ["1 2 3\n", "1 2 3 6\nabcdef", "1 2 3 4\nabc", "a b c d\n", "1 2 9999999999 0\n"]
        {
            assert!(Frame::read(broken.as_bytes(), 5).is_err(), "{broken}");
        }
    }
}
