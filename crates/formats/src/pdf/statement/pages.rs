//! The pages of a document as they were read, kept for pictures of them.
//!
//! Each page is a line of JSON: its words with their places, and which lines of the table were made
//! of which of its lines. A picture needs nothing else: neither the document, nor its password, nor
//! the recognition of words, and it shows what was read even if a later version reads it otherwise.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

use super::super::fixed::Fixed;
use super::super::limits::PAGE_BYTES_MAX;
use super::super::lines::{Line, Word};
use super::picture::{self, Mark};

/// A page; positions are hundredths of a point.
#[derive(Debug, Serialize, Deserialize)]
struct Page {
    page: u32,
    lines: Vec<PageLine>,
    marks: Vec<RowMark>,
    /// Lines of the table without a place, as those of balances are, on the first page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elsewhere: Vec<u64>,
}

/// Height above the lower edge, size, and words with their left and right ends.
#[derive(Debug, Serialize, Deserialize)]
struct PageLine(i64, i64, Vec<(i64, i64, String)>);

/// A line of the table, and the height and the size of a line that it was made of.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct RowMark(u64, i64, i64);

/// The lines of the table that were made of a page; the header is its first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRows {
    /// The page, counted from 1.
    pub page: u32,
    /// The lines in the order of the table, each once.
    pub lines: Vec<u64>,
}

/// What is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PictureOf {
    /// A page with all its rows marked.
    Page(u32),
    /// The first page that one of these lines of the table was made of, with these marked.
    Lines(Vec<u64>),
}

/// Writes the pages. `rows` are the lines of the table with the lines that each was made of.
pub(super) fn write<'l>(
    lines: &[Line],
    rows: impl Iterator<Item = (u64, Option<&'l Line>)>,
    mut target: impl Write,
) -> io::Result<()> {
    let mut marks: BTreeMap<u32, Vec<RowMark>> = BTreeMap::new();
    let mut elsewhere = Vec::new();
    for (number, line) in rows {
        let Some(line) = line else {
            elsewhere.push(number);
            continue;
        };
        let mark = RowMark(number, line.base.hundredths(), line.size.hundredths());
        marks.entry(line.page).or_default().push(mark);
    }
    for of_page in lines.chunk_by(|one, next| one.page == next.page) {
        let Some(page) = of_page.first().map(|line| line.page) else { continue };
        let word =
            |word: &Word| (word.left.hundredths(), word.right.hundredths(), word.text.clone());
        let line = |line: &Line| {
            let words = line.words.iter().map(word).collect();
            PageLine(line.base.hundredths(), line.size.hundredths(), words)
        };
        let lines = of_page.iter().map(line).collect();
        let marks = marks.remove(&page).unwrap_or_default();
        let elsewhere = std::mem::take(&mut elsewhere);
        let mut line = serde_json::to_vec(&Page { page, lines, marks, elsewhere })?;
        line.push(b'\n');
        if line.len() as u64 > PAGE_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        target.write_all(&line)?;
    }
    target.flush()
}

/// The pages with the lines of the table that were made of each.
///
/// # Errors
/// The file can't be read, or isn't one of pages.
pub fn rows_of_pages(pages: impl BufRead) -> io::Result<Vec<PageRows>> {
    let mut found = Vec::new();
    each(pages, |page| {
        let mut lines: Vec<u64> = page.marks.iter().map(|mark| mark.0).collect();
        lines.sort_unstable();
        lines.dedup();
        found.push(PageRows { page: page.page, lines });
        Ok(false)
    })?;
    Ok(found)
}

/// Draws a page as SVG; false if there is none such. Lines of the table that were made of no line
/// of the document have the first page.
///
/// # Errors
/// The file can't be read, isn't one of pages, or the target can't take more.
pub fn draw(pages: impl BufRead, shown: &PictureOf, target: impl Write) -> io::Result<bool> {
    let mut target = Some(target);
    each(pages, |page| {
        let is_wanted = |mark: &&RowMark| match shown {
            PictureOf::Page(_) => true,
            PictureOf::Lines(lines) => lines.contains(&mark.0),
        };
        let marks: Vec<Mark> = page.marks.iter().filter(is_wanted).map(RowMark::mark).collect();
        let is_shown = match shown {
            PictureOf::Page(number) => page.page == *number,
            PictureOf::Lines(lines) => {
                !marks.is_empty() || lines.iter().any(|line| page.elsewhere.contains(line))
            }
        };
        if is_shown && let Some(target) = target.take() {
            let lines: Vec<Line> = page.lines.into_iter().map(PageLine::line).collect();
            picture::write(&lines, &marks, target)?;
        }
        Ok(is_shown)
    })?;
    Ok(target.is_none())
}

/// Reads page by page, up to one of which `take` returns true.
fn each(mut pages: impl BufRead, mut take: impl FnMut(Page) -> io::Result<bool>) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = (&mut pages).take(PAGE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if length == 0 || take(serde_json::from_slice(&line)?)? {
            return Ok(());
        }
    }
}

impl RowMark {
    fn mark(&self) -> Mark {
        Mark { base: hundredths(self.1), size: hundredths(self.2) }
    }
}

impl PageLine {
    fn line(self) -> Line {
        let Self(base, size, words) = self;
        let word =
            |(left, right, text)| Word { left: hundredths(left), right: hundredths(right), text };
        Line {
            page: 1,
            base: hundredths(base),
            size: hundredths(size),
            words: words.into_iter().map(word).collect(),
        }
    }
}

fn hundredths(value: i64) -> Fixed {
    Fixed::whole(value).part(1, 100)
}
