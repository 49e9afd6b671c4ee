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
pub use scan::{Frame, Scan};
pub use statement::pages::{PageRows, PictureOf, draw, rows_of_pages};
pub use statement::{PdfFacts, PdfProof};

use crate::csv::Reader;
use document::Document;
use lines::Line;

/// Reads a statement, and writes its rows as a table in CSV, and its pages as a file for [`draw`].
/// `password` opens a document that asks for one; it may be empty.
///
/// # Errors
/// Why the document can't be read. What was written before is to be dropped.
pub fn write_table(
    bytes: &[u8],
    password: &str,
    table: impl Write,
    pages: impl Write,
) -> Result<PdfFacts, PdfError> {
    statement::write(&read(bytes, password)?, table, pages)
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
    statement::write_picture(&read(bytes, password)?, line, target)
}

/// The pictures of the pages of a document without text; none if it has text.
///
/// # Errors
/// Why the document can't be read, or that it has neither text nor pictures of pages.
pub fn scans(bytes: &[u8], password: &str) -> Result<Vec<Scan>, PdfError> {
    scan::survey(&Document::open(bytes, password)?)
}

/// Writes the picture with this number among the objects of a document, as grey pixels (PGM).
///
/// # Errors
/// Why it can't be read.
pub fn write_scan(
    bytes: &[u8],
    password: &str,
    object: u32,
    target: impl Write,
) -> Result<(), PdfError> {
    scan::write(&Document::open(bytes, password)?, object, target)
}

/// Reads a statement of the words that were recognised in its pictures, which are the content of
/// `frames`, and writes its rows and its pages as [`write_table`] does. A letter may have been
/// taken for another one, so opening and closing balance and a balance beside each row must prove
/// all of them, something besides single signs must show which way money went, and the days must be
/// in their order.
///
/// # Errors
/// Why it can't be read, or that nothing proves it.
pub fn write_recognised(
    frames: impl BufRead,
    table: impl Write,
    pages: impl Write,
) -> Result<PdfFacts, PdfError> {
    let (lines, count) = scan::lines_of(frames)?;
    let text = Text { lines, pages: count, is_recognised: true, unread: Vec::new() };
    statement::write(&text, table, pages)
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
    let Text { lines, .. } = read(bytes, "")?;
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

/// The text of a document.
struct Text {
    lines: Vec<Line>,
    /// How many pages it has.
    pages: u32,
    /// Words were recognised in pictures, here or by the program of a scanner.
    is_recognised: bool,
    /// The pages that are pictures, and were not read.
    unread: Vec<u32>,
}

fn read(bytes: &[u8], password: &str) -> Result<Text, PdfError> {
    let document = Document::open(bytes, password)?;
    let (mut found, mut pages, mut unread) = (Vec::new(), 0, Vec::new());
    let (mut letters, mut unknown, mut is_recognised) = (0_usize, 0_usize, false);
    page::each_page(&document, |page::Drawn { glyphs, pictures, is_hidden }| {
        is_recognised |=
            glyphs.iter().any(|glyph| !glyph.is_drawn && !glyph.text.trim().is_empty());
        pages += 1;
        document.work.take(glyphs.len().saturating_mul(32))?;
        let of_page = glyphs.iter().filter(|glyph| !glyph.text.trim().is_empty()).count();
        letters += of_page;
        let is_picture = |number: &u32| scan::may_have_text(&document, *number);
        if (of_page == 0 || is_hidden) && pictures.iter().any(is_picture) {
            unread.push(pages);
        }
        unknown += glyphs.iter().filter(|glyph| &*glyph.text == font::UNKNOWN).count();
        found.extend(lines::lines(pages, glyphs));
        Ok(())
    })?;
    match letters {
        0 => Err(PdfError::NoText),
        letters if unknown * 2 > letters => Err(PdfError::UnknownLetters),
        _ => Ok(Text { lines: found, pages, is_recognised, unread }),
    }
}
