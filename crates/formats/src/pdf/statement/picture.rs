//! A page as a picture: its words at their places, with the lines of some rows marked.
//!
//! It is no rendering of the document: it shows what was read of it, where it was read. So a letter
//! that was taken for another one is seen beside the paper, and nothing else of the document, its
//! pictures and scripts, gets anywhere.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use super::super::fixed::Fixed;
use super::super::lines::Line;

/// The space around all words.
const MARGIN: Fixed = Fixed::whole(12);
/// Letters hang below their line by a part of their size, and reach above it.
const BELOW: (i64, i64) = (3, 10);

/// A line that is marked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) base: Fixed,
    pub(super) size: Fixed,
}

/// Writes the page with these lines as SVG.
pub(super) fn write(lines: &[Line], marks: &[Mark], mut target: impl Write) -> io::Result<()> {
    let words = || lines.iter().flat_map(|line| line.words.iter());
    let (left, right) = span(words().flat_map(|word| [word.left, word.right]));
    let (bottom, top) = span(lines.iter().flat_map(|line| heights(line.base, line.size)));
    let (width, height) = (right.minus(left), top.minus(bottom));
    // Heights count upwards in a document, and downwards in a picture.
    let across = |x: Fixed| Decimal(x.minus(left));
    let down = |y: Fixed| Decimal(top.minus(y));
    write!(
        target,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" \
         height=\"{1}\" font-family=\"sans-serif\"><rect width=\"100%\" height=\"100%\" \
         fill=\"#fff\"/>",
        Decimal(width),
        Decimal(height),
    )?;
    for mark in marks {
        let [low, high] = heights(mark.base, mark.size);
        write!(
            target,
            "<rect x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\" fill=\"#ffe08a\"/>",
            down(high),
            Decimal(high.minus(low)),
        )?;
    }
    for line in lines {
        for word in &line.words {
            write!(
                target,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" textLength=\"{}\" \
                 lengthAdjust=\"spacingAndGlyphs\">{}</text>",
                across(word.left),
                down(line.base),
                Decimal(line.size),
                Decimal(word.right.minus(word.left)),
                Escaped(&word.text),
            )?;
        }
    }
    target.write_all(b"</svg>")
}

/// The lowest and the highest point of a line.
fn heights(base: Fixed, size: Fixed) -> [Fixed; 2] {
    [base.minus(size.part(BELOW.0, BELOW.1)), base.plus(size)]
}

/// The least and the largest, with a margin around them.
fn span(values: impl Iterator<Item = Fixed> + Clone) -> (Fixed, Fixed) {
    let (least, most) = (values.clone().min(), values.max());
    let (least, most) = (least.unwrap_or(Fixed::ZERO), most.unwrap_or(Fixed::ZERO));
    (least.minus(MARGIN), most.plus(MARGIN))
}

/// A number with two decimals.
struct Decimal(Fixed);

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = self.0.hundredths();
        let sign = if hundredths < 0 { "-" } else { "" };
        let hundredths = hundredths.unsigned_abs();
        write!(f, "{sign}{}.{:02}", hundredths / 100, hundredths % 100)
    }
}

/// Text that stands between tags.
struct Escaped<'t>(&'t str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                c if is_allowed(c) => write!(f, "{c}")?,
                _ => f.write_str("\u{fffd}")?,
            }
        }
        Ok(())
    }
}

/// Whether XML may have it.
fn is_allowed(c: char) -> bool {
    const PLAIN: RangeInclusive<char> = '\u{20}'..='\u{d7ff}';
    PLAIN.contains(&c) || ('\u{e000}'..='\u{fffd}').contains(&c) || c > '\u{ffff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_tags() {
        let text = Escaped("<a href='x'>&\u{0}\u{ffff}é").to_string();
        assert_eq!(text, "&lt;a href='x'&gt;&amp;\u{fffd}\u{fffd}é");
    }

    #[test]
    fn numbers_have_two_decimals() {
        for (value, text) in [(Fixed::whole(-3), "-3.00"), (Fixed::whole(7).part(1, 4), "1.75")] {
            assert_eq!(Decimal(value).to_string(), text);
        }
    }
}
