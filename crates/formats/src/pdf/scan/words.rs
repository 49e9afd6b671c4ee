//! Words that were recognised in a picture, as lines.
//!
//! They come as a table with tabs, which tesseract writes: the twelve columns of `tsv`, of which
//! the rows of level 5 are words. What it takes for lines isn't looked at, because columns of a
//! table are often lines of their own to it; words are in one line if they are at one height.

use super::super::fixed::Fixed;
use super::super::lines::{Line, Word};
use super::Frame;

/// The width of a page in the units of documents; a picture may have any number of pixels.
const PAGE_WIDTH: i64 = 595;
/// The level of words.
const WORD: &str = "5";

/// A word with the corners of its box in pixels, counted from above.
#[derive(Debug, Clone, Copy)]
struct RecognisedWord<'t> {
    left: i64,
    top: i64,
    right: i64,
    bottom: i64,
    text: &'t str,
}

impl RecognisedWord<'_> {
    fn middle(&self) -> i64 {
        self.top.midpoint(self.bottom)
    }
}

/// The lines of a picture, from top to bottom.
pub(in crate::pdf) fn lines(page: u32, frame: &Frame) -> Vec<Line> {
    let text = String::from_utf8_lossy(&frame.content);
    let (width, height) = (i64::from(frame.width).max(1), i64::from(frame.height));
    let is_inside = |word: &RecognisedWord<'_>| {
        (0..=width).contains(&word.left)
            && (word.left..=width).contains(&word.right)
            && (0..=height).contains(&word.top)
            && (word.top..=height).contains(&word.bottom)
    };
    let mut words: Vec<RecognisedWord<'_>> =
        text.lines().filter_map(word).filter(is_inside).collect();
    words.sort_by_key(|word| (word.middle(), word.left));
    let mut rows: Vec<Vec<RecognisedWord<'_>>> = Vec::new();
    for word in words {
        let is_same = |row: &Vec<RecognisedWord<'_>>| {
            // Letters that hang below the line move the middle a little.
            row.iter().any(|one| {
                (one.top..one.bottom).contains(&word.middle())
                    && (word.top..word.bottom).contains(&one.middle())
            })
        };
        match rows.last_mut() {
            Some(row) if is_same(row) => row.push(word),
            _ => rows.push(vec![word]),
        }
    }
    let scaled = |pixels: i64| Fixed::whole(PAGE_WIDTH).part(pixels, width);
    let line = |mut row: Vec<RecognisedWord<'_>>| {
        row.sort_by_key(|word| word.left);
        let bottom = row.iter().map(|word| word.bottom).min().unwrap_or_default();
        let size = row.iter().map(|word| word.bottom - word.top).max().unwrap_or_default();
        let words = row.iter().map(|word| Word {
            left: scaled(word.left),
            right: scaled(word.right),
            text: word.text.to_owned(),
        });
        Line { page, base: scaled(height - bottom), size: scaled(size), words: words.collect() }
    };
    rows.into_iter().map(line).collect()
}

/// The word of a row, if it is one. Lines between columns are taken for letters at times.
fn word(row: &str) -> Option<RecognisedWord<'_>> {
    let mut cells = row.split('\t');
    (cells.next()? == WORD).then_some(())?;
    let mut cells = cells.skip(5);
    let mut number = || cells.next()?.parse::<u16>().ok().map(i64::from);
    let (left, top, width, height) = (number()?, number()?, number()?, number()?);
    let text = cells.nth(1)?.trim();
    let is_text = text.chars().any(char::is_alphanumeric) || ["-", "+", "\u{2212}"].contains(&text);
    let text = text.trim_matches(['|', '_']);
    (is_text && width > 0 && height > 0).then_some(RecognisedWord {
        left,
        top,
        right: left + width,
        bottom: top + height,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_at_one_height_are_a_line() {
        let row = |x: u32, y: u32, width: u32, height: u32, text: &str| {
            format!("5\t1\t1\t1\t1\t1\t{x}\t{y}\t{width}\t{height}\t90\t{text}\n")
        };
        let content = [
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\t\
             conf\ttext\n"
                .to_owned(),
            "1\t1\t0\t0\t0\t0\t0\t0\t1190\t800\t-1\t\n".to_owned(),
            row(900, 102, 80, 20, "12,50"),
            row(100, 100, 60, 26, "Bakery"),
            row(500, 90, 4, 60, "|"),
            row(100, 140, 60, 20, "02.01."),
            row(5000, 140, 60, 20, "outside"),
        ]
        .concat();
        let frame = Frame { page: 1, width: 1190, height: 800, content: content.into_bytes() };
        let found = lines(1, &frame);
        let shown: Vec<String> = found.iter().map(|line| line.text(0..line.words.len())).collect();
        assert_eq!(shown, ["Bakery 12,50", "02.01."]);
        assert_eq!(found[0].words[0].left, Fixed::whole(50));
        assert_eq!(found[0].words[1].right, Fixed::whole(490));
        assert!(found[0].base > found[1].base);
    }
}
