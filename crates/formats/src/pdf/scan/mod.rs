//! Documents without text: pictures of pages, as a scanner makes them.
//!
//! Nothing here recognises letters. The pictures are handed out as files that a program for that
//! reads ([`write_pictures`]), and the words that it found come back with their places
//! ([`lines_of`]); from there on they are the text of the document. Between the two each picture
//! and its words are a *frame*: a line with the page, the size of the picture and the number of
//! bytes, and the bytes.

mod picture;
mod tiff;
mod words;

use std::io::{BufRead, Read, Write};

use super::document::Document;
use super::error::{PdfError, Result};
use super::limits::{SCANNED_PAGES_MAX, WORDS_BYTES_MAX};
use super::lines::Line;
use super::page;

pub(super) use words::lines;

/// One picture of a page, or the words that were recognised in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The page, counted from 1.
    pub page: u32,
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The file of the picture, or the table of words.
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

/// Writes the pictures of all pages as frames.
pub(super) fn write_pictures(document: &Document<'_>, mut target: impl Write) -> Result<()> {
    let (mut page, mut count) = (0, 0);
    page::each_page(document, |drawn| {
        page += 1;
        for number in drawn.pictures {
            let Some(found) = picture::file(document, number)? else { continue };
            count += 1;
            if count > SCANNED_PAGES_MAX {
                return Err(PdfError::TooManyScans);
            }
            let picture::File { width, height, content } = found;
            let written = Frame { page, width, height, content }.write(&mut target);
            written.map_err(|_| PdfError::Damaged("its pictures can't be written"))?;
        }
        Ok(())
    })?;
    if count == 0 { Err(PdfError::NoText) } else { Ok(()) }
}

/// The lines of the words of all frames, and the number of pages.
pub(super) fn lines_of(mut frames: impl BufRead) -> Result<(Vec<Line>, u32)> {
    let mut found = Vec::new();
    let mut pages = 0;
    loop {
        let frame = Frame::read(&mut frames, WORDS_BYTES_MAX);
        let frame = frame.map_err(|_| PdfError::Damaged("its words can't be read"))?;
        let Some(frame) = frame else { break };
        // Each picture is a page of its own: how they lie beside each other isn't known.
        pages += 1;
        found.extend(lines(pages, &frame));
    }
    match found.is_empty() {
        true => Err(PdfError::NoText),
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
