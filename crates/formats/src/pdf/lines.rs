//! Letters of a page as lines of words.

use super::content::Glyph;
use super::fixed::Fixed;

/// Letters without a gap between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) left: Fixed,
    pub(super) right: Fixed,
    pub(super) text: String,
}

/// Words at one height of a page, from left to right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The page, counted from 1.
    pub(super) page: u32,
    /// How far above the lower edge of the page.
    pub(super) base: Fixed,
    /// The size of its largest letters.
    pub(super) size: Fixed,
    pub(super) words: Vec<Word>,
}

impl Line {
    /// Words from one to another one, as one text.
    pub(super) fn text(&self, words: std::ops::Range<usize>) -> String {
        let words = self.words.get(words).unwrap_or_default();
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The gap between a word and the next one.
    pub(super) fn gap_after(&self, word: usize) -> Fixed {
        match (self.words.get(word), self.words.get(word + 1)) {
            (Some(one), Some(next)) => next.left.minus(one.right),
            _ => Fixed::ZERO,
        }
    }
}

/// The lines of a page from top to bottom.
pub(super) fn lines(page: u32, mut glyphs: Vec<Glyph>) -> Vec<Line> {
    glyphs.retain(|glyph| glyph.size > Fixed::ZERO);
    glyphs.sort_by(|one, two| two.base.cmp(&one.base).then(one.left.cmp(&two.left)));
    let mut rows: Vec<Vec<Glyph>> = Vec::new();
    for glyph in glyphs {
        let is_same = |row: &Vec<Glyph>| {
            row.first().is_some_and(|first| {
                let size = first.size.max(glyph.size);
                first.base.minus(glyph.base).abs() <= size.part(3, 10)
            })
        };
        match rows.last_mut() {
            Some(row) if is_same(row) => row.push(glyph),
            _ => rows.push(vec![glyph]),
        }
    }
    rows.into_iter().filter_map(|row| line(page, row)).collect()
}

fn line(page: u32, mut glyphs: Vec<Glyph>) -> Option<Line> {
    glyphs.sort_by_key(|glyph| glyph.left);
    let base = glyphs.first()?.base;
    let size = glyphs.iter().map(|glyph| glyph.size).max()?;
    let mut words: Vec<Word> = Vec::new();
    let mut is_open = false;
    let mut before: Option<&Glyph> = None;
    for glyph in &glyphs {
        if glyph.text.trim().is_empty() {
            is_open = false;
            continue;
        }
        // Bold letters are often drawn twice, a hair's breadth apart.
        let is_shadow = before.is_some_and(|before| {
            before.text == glyph.text && glyph.left.minus(before.left) < glyph.size.part(15, 100)
        });
        if is_shadow {
            continue;
        }
        before = Some(glyph);
        let gap = if glyph.is_placed { 6 } else { 18 };
        match words.last_mut() {
            Some(word) if is_open && glyph.left.minus(word.right) <= glyph.size.part(gap, 100) => {
                word.text.push_str(spelled(&glyph.text));
                word.right = word.right.max(glyph.right);
            }
            _ => {
                let text = spelled(&glyph.text).to_owned();
                words.push(Word { left: glyph.left, right: glyph.right, text });
            }
        }
        is_open = true;
    }
    (!words.is_empty()).then_some(Line { page, base, size, words })
}

/// The letters of a ligature, as other files of the same bank spell them.
fn spelled(text: &str) -> &str {
    match text {
        "\u{fb00}" => "ff",
        "\u{fb01}" => "fi",
        "\u{fb02}" => "fl",
        "\u{fb03}" => "ffi",
        "\u{fb04}" => "ffl",
        "\u{fb05}" | "\u{fb06}" => "st",
        text => text,
    }
}
