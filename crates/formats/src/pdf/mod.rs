//! Statements of banks as PDF documents: text with its places, and the table in it.
//!
//! * `document`, `object`, `lexer`, `filters`: the objects of a document, and how streams are
//!   stored. `encryption`: how they are decrypted.
//! * `font`, `content`, `page`: what pages draw, as letters with their places.
//! * `lines`: letters as words and lines. `statement`: lines as a table.
//!
//! * `scan`: pictures of pages without text, and the words that were recognised in them.
//!
//! Nothing of a document is run, and nothing is fetched. Everything is bounded by [`limits`]: a
//! document that asks for more work than any statement is refused after the same number of steps on
//! every machine.

mod content;
mod document;
mod encryption;
mod error;
mod filters;
mod fixed;
mod font;
mod lexer;
pub mod limits;
mod lines;
mod object;
mod page;
mod scan;
mod statement;
mod work;

use std::io::{BufRead, Write};

use purser_core::import::transaction::ACCOUNT_OF_SEVERAL;

pub use error::PdfError;
pub use scan::Frame;
pub use statement::{PdfFacts, PdfProof};

use crate::csv::Reader;
use document::Document;
use lines::Line;

/// Reads a statement, and writes its rows as a table in CSV. `password` opens a document that asks
/// for one; it may be empty.
///
/// # Errors
/// Why the document can't be read. What was written before is to be dropped.
pub fn write_table(bytes: &[u8], password: &str, target: impl Write) -> Result<PdfFacts, PdfError> {
    let (lines, pages) = read(bytes, password)?;
    statement::write(&lines, pages, target)
}

/// Draws the page that a line of the table was made of, as SVG, with the lines of that row marked.
/// The header is the first line of the table.
///
/// # Errors
/// Why the document can't be read, or that its table has no such line.
pub fn write_picture(
    bytes: &[u8],
    password: &str,
    line: u64,
    target: impl Write,
) -> Result<(), PdfError> {
    let (lines, _) = read(bytes, password)?;
    statement::write_picture(&lines, line, target)
}

/// Writes the pictures of a document without text, each as a [`Frame`].
///
/// # Errors
/// Why the document can't be read, or that it has no pictures of pages.
pub fn write_pictures(bytes: &[u8], password: &str, target: impl Write) -> Result<(), PdfError> {
    scan::write_pictures(&Document::open(bytes, password)?, target)
}

/// Reads a statement of the words that were recognised in its pictures, which are the content of
/// `frames`, and writes its rows as [`write_table`] does. A letter may have been taken for another
/// one, so balances must prove the rows, and the days must be in their order.
///
/// # Errors
/// Why it can't be read, or that nothing proves it.
pub fn write_recognised(frames: impl BufRead, target: impl Write) -> Result<PdfFacts, PdfError> {
    let (lines, pages) = scan::lines_of(frames)?;
    statement::write_proven(&lines, pages, target)
}

/// Draws the page of a line of the table that [`write_recognised`] writes.
///
/// # Errors
/// Why it can't be read, or that its table has no such line.
pub fn write_recognised_picture(
    frames: impl BufRead,
    line: u64,
    target: impl Write,
) -> Result<(), PdfError> {
    let (lines, _) = scan::lines_of(frames)?;
    statement::write_picture(&lines, line, target)
}

/// The first account of a table that was made of a document about several. Such a document is
/// recognised by it. `head` is the beginning of the table.
pub fn first_of_several(head: &[u8]) -> Option<String> {
    let mut reader = Reader::new(head, b',');
    let header = reader.read().ok()??.cells;
    let at = (0..header.len()).find(|at| header.get(*at) == ACCOUNT_OF_SEVERAL)?;
    let first = reader.read().ok()??.cells.get(at).to_owned();
    Some(first).filter(|account| !account.is_empty())
}

/// The text of a document, line by line, in which cells are separated by tabs.
///
/// # Errors
/// Why the document can't be read.
pub fn text(bytes: &[u8]) -> Result<String, PdfError> {
    let (lines, _) = read(bytes, "")?;
    let mut text = String::new();
    for line in &lines {
        for (at, word) in line.words.iter().enumerate() {
            text.push_str(&word.text);
            let is_far = line.gap_after(at) > line.size;
            text.push(if at + 1 == line.words.len() {
                '\n'
            } else if is_far {
                '\t'
            } else {
                ' '
            });
        }
    }
    Ok(text)
}

fn read(bytes: &[u8], password: &str) -> Result<(Vec<Line>, u32), PdfError> {
    let document = Document::open(bytes, password)?;
    let (mut found, mut pages) = (Vec::new(), 0);
    let (mut letters, mut unknown) = (0_usize, 0_usize);
    page::each_page(&document, |page::Drawn { glyphs, .. }| {
        pages += 1;
        document.work.take(glyphs.len().saturating_mul(32))?;
        letters += glyphs.iter().filter(|glyph| !glyph.text.trim().is_empty()).count();
        unknown += glyphs.iter().filter(|glyph| &*glyph.text == font::UNKNOWN).count();
        found.extend(lines::lines(pages, glyphs));
        Ok(())
    })?;
    match letters {
        0 => Err(PdfError::NoText),
        letters if unknown * 2 > letters => Err(PdfError::UnknownLetters),
        _ => Ok((found, pages)),
    }
}
