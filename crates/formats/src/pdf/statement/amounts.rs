//! Amounts in lines of text.

use std::ops::Range;

use purser_core::text::number::{is_shared_sign, named_currency};

use super::super::fixed::Fixed;
use super::super::lines::Line;

/// Words that one amount consists of at most: `- 1 234 567,89 CR`.
const WORDS_MAX: usize = 6;
/// Digits of an amount at most.
const DIGITS_MAX: usize = 15;

/// What separates the decimals in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberStyle {
    Comma,
    Point,
    /// There are no decimals, as in Japan.
    Whole,
}

/// The sign that is written with an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Nothing,
    Plus,
    Minus,
    /// `CR`, `H`: money in.
    In,
    /// `DR`, `S`: money out.
    Out,
}

/// An amount in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WrittenAmount {
    pub(super) words: Range<usize>,
    pub(super) left: Fixed,
    pub(super) right: Fixed,
    /// In hundredths, without the sign.
    pub(super) cents: i64,
    pub(super) written: Written,
    /// The currency that is written with it.
    pub(super) currency: Option<&'static str>,
    /// It is written with its letters, not with a sign.
    pub(super) is_code: bool,
}

impl WrittenAmount {
    /// With the sign that is written; `CR` is positive.
    pub(super) fn signed(&self) -> i64 {
        match self.written {
            Written::Minus | Written::Out => -self.cents,
            _ => self.cents,
        }
    }
}

/// The style of most numbers with two decimals.
pub(super) fn style_of(lines: &[Line]) -> NumberStyle {
    let (mut commas, mut points, mut days) = (0_u64, 0_u64, 0_u64);
    for word in lines.iter().flat_map(|line| &line.words) {
        let body = word.text.trim_matches(|c: char| !c.is_ascii_digit());
        let Some(at) = body.len().checked_sub(3).filter(|at| body.is_char_boundary(*at)) else {
            continue;
        };
        let is_end = body[at + 1..].bytes().all(|byte| byte.is_ascii_digit());
        match body.as_bytes()[at] {
            b',' if is_end => commas += 1,
            b'.' if is_end && may_be_day(body) => days += 1,
            // `31.12.26` is a day.
            b'.' if is_end && body.matches('.').count() == 1 => points += 1,
            _ => {}
        }
    }
    match (commas, points) {
        (0, 0) if days == 0 => NumberStyle::Whole,
        (commas, points) if commas > points => NumberStyle::Comma,
        _ => NumberStyle::Point,
    }
}

/// Whether a number may as well be a day of a month: `02.01`.
fn may_be_day(text: &str) -> bool {
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() == 2);
    text.split_once('.')
        .and_then(|(day, month)| number(day).zip(number(month)))
        .is_some_and(|(day, month)| (1..=31).contains(&day) && (1..=12).contains(&month))
}

/// The amounts of a line, from left to right.
pub(super) fn amounts(line: &Line, style: NumberStyle) -> Vec<WrittenAmount> {
    let mut found = Vec::new();
    let mut end = line.words.len();
    while end > 0 {
        let gap = line.size.part(7, 10);
        let mut first = end - 1;
        while first > 0 && end - first < WORDS_MAX && line.gap_after(first - 1) <= gap {
            first -= 1;
        }
        match (first..end).find_map(|start| Some((start, parse(&line.text(start..end), style)?))) {
            Some((start, (cents, written, currency))) => {
                let (left, right) = (line.words[start].left, line.words[end - 1].right);
                let text = line.text(start..end);
                let is_code = currency.is_some_and(|code| text.contains(code));
                found.push(WrittenAmount {
                    words: start..end,
                    left,
                    right,
                    cents,
                    written,
                    currency,
                    is_code,
                });
                end = start;
            }
            None => end -= 1,
        }
    }
    found.reverse();
    found
}

/// An amount with what stands around it: a sign, `CR`, a currency.
fn parse(text: &str, style: NumberStyle) -> Option<(i64, Written, Option<&'static str>)> {
    let first = text.find(|c: char| c.is_ascii_digit())?;
    let last = text.rfind(|c: char| c.is_ascii_digit())?;
    let first = match text[..first].chars().next_back() {
        Some('.' | ',') => first - 1,
        _ => first,
    };
    let cents = body(&text[first..=last], style)?;
    let (mut written, mut currency, mut brackets) = (Written::Nothing, None, 0);
    for (side, is_after) in [(&text[..first], false), (&text[last + 1..], true)] {
        let side = side.replace(['\u{2212}', '\u{2013}'], "-");
        let side = side.replace('-', " - ").replace('+', " + ").replace(['(', ')'], " ( ");
        for word in side.split_whitespace() {
            let sign = match word {
                "-" => Some(Written::Minus),
                "+" => Some(Written::Plus),
                "CR" | "Cr" | "cr" | "H" | "C" if is_after => Some(Written::In),
                "DR" | "Dr" | "dr" | "S" | "D" if is_after => Some(Written::Out),
                _ => None,
            };
            match (sign, named_currency(word)) {
                (Some(sign), _) if written == Written::Nothing => written = sign,
                (None, Some(named)) if currency.is_none_or(|other| other == named.code()) => {
                    currency = Some(named.code());
                }
                (None, None) if word == "(" => brackets += 1,
                (None, None) if is_shared_sign(word) => {}
                _ => return None,
            }
        }
    }
    match (brackets, written) {
        (0, _) => Some((cents, written, currency)),
        (2, Written::Nothing) => Some((cents, Written::Minus, currency)),
        _ => None,
    }
}

/// Digits in groups of three, or without groups, and two decimals.
fn body(text: &str, style: NumberStyle) -> Option<i64> {
    let (whole, decimals) = match style {
        NumberStyle::Whole => (text, "00"),
        NumberStyle::Comma => text.rsplit_once(',')?,
        NumberStyle::Point => text.rsplit_once('.')?,
    };
    if decimals.len() != 2 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_group = |c: char| match c {
        ' ' | '\'' | '’' => true,
        '.' => style != NumberStyle::Point,
        ',' => style != NumberStyle::Comma,
        _ => false,
    };
    let mark = whole.chars().find(|c| !c.is_ascii_digit());
    if let Some(mark) = mark {
        if !is_group(mark) {
            return None;
        }
        let groups: Vec<&str> = whole.split(mark).collect();
        let (first, rest) = groups.split_first()?;
        let (last, middle) = rest.split_last()?;
        // `1,23,456.78` is how India groups digits.
        let is_middle = |size: usize| middle.iter().all(|group| group.len() == size);
        let is_grouped = is_middle(3) || (mark == ',' && is_middle(2));
        if first.is_empty() || first.len() > 3 || last.len() != 3 || !is_grouped {
            return None;
        }
    }
    let digits: String = whole.chars().filter(|c| Some(*c) != mark).collect();
    if digits.len() > DIGITS_MAX || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{digits}{decimals}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_with_what_stands_around_them() {
        use NumberStyle::{Comma, Point, Whole};
        for (text, style, cents, written, currency) in [
            ("1.234,56", Comma, 123_456, Written::Nothing, None),
            ("1 234,56-", Comma, 123_456, Written::Minus, None),
            ("- 12,50 EUR", Comma, 1_250, Written::Minus, Some("EUR")),
            ("12,50 S", Comma, 1_250, Written::Out, None),
            ("$1,234.56CR", Point, 123_456, Written::In, None),
            ("(12.50)", Point, 1_250, Written::Minus, None),
            ("1'234.56", Point, 123_456, Written::Nothing, None),
            ("1,23,456.78", Point, 12_345_678, Written::Nothing, None),
            ("£0.05 DR", Point, 5, Written::Out, None),
            ("+ .50", Point, 50, Written::Plus, None),
            ("12,345", Whole, 1_234_500, Written::Nothing, None),
        ] {
            assert_eq!(parse(text, style), Some((cents, written, currency)), "{text}");
        }
        for (text, style) in [
            ("", Point),
            ("12", Point),
            ("1.2345.67", Point),
            ("--12.50", Point),
            ("-12.50CR", Point),
            ("12.50)", Point),
            ("12.50 GROCER", Point),
            ("\u{FFFD}12.50", Point),
            ("1234,567.00", Point),
            ("01.02.26", Comma),
            ("9999999999999999.00", Point),
        ] {
            assert_eq!(parse(text, style), None, "{text}");
        }
    }
}
