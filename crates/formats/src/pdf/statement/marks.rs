//! Lines with what is found in them: days, amounts, and the names above columns.

use super::super::fixed::Fixed;
use super::super::lines::Line;
use super::amounts::{NumberStyle, WrittenAmount, amounts};
use super::dates::{WrittenDay, day_at, has_short_years};
use super::header::Header;

/// A line with what is found in it.
pub(super) struct Marked<'l> {
    pub(super) line: &'l Line,
    pub(super) amounts: Vec<WrittenAmount>,
    /// The days at its start or below the header of days.
    pub(super) days: Vec<(WrittenDay, usize, usize)>,
    pub(super) header: Option<Header>,
    /// It is part of a header.
    pub(super) is_header: bool,
}

pub(super) fn mark(lines: &[Line], style: NumberStyle) -> Vec<Marked<'_>> {
    let mut headers: Vec<Option<(Header, usize)>> =
        (0..lines.len()).map(|at| Header::find(&lines[at..])).collect();
    // A box of balances has names of amounts too, but none of days.
    if headers.iter().flatten().any(|(header, _)| !header.days.is_empty()) {
        for header in &mut headers {
            *header = header.take().filter(|(header, _)| !header.days.is_empty());
        }
    }
    let has_short_years = has_short_years(lines);
    let mut marked: Vec<Marked<'_>> = Vec::with_capacity(lines.len());
    let (mut more, mut current): (usize, Option<Header>) = (0, None);
    for (line, header) in lines.iter().zip(headers) {
        let header = header.filter(|_| more == 0);
        let is_header = more > 0 || header.is_some();
        more = header.as_ref().map_or(more.saturating_sub(1), |(_, used)| used - 1);
        let header = header.map(|(header, _)| header);
        current = header.clone().or(current);
        let amounts = amounts(line, style);
        let days = days_of(line, &amounts, current.as_ref(), has_short_years);
        marked.push(Marked { line, amounts, days, header, is_header });
    }
    marked
}

/// The days of a line: those at its start, else those below a header of days. The one that counts
/// comes first.
fn days_of(
    line: &Line,
    amounts: &[WrittenAmount],
    header: Option<&Header>,
    has_short_years: bool,
) -> Vec<(WrittenDay, usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((day, words)) = day_at(line, at, has_short_years) {
        // `11.12` may be a day or an amount: where amounts are written so, it is one.
        if amounts.iter().any(|amount| amount.words.contains(&at)) {
            break;
        }
        found.push((day, at, at + words));
        at += words;
    }
    let ranked = header.map(|header| &header.days[..]).unwrap_or_default();
    if found.is_empty() {
        for at in 1..line.words.len() {
            let word = &line.words[at];
            let is_below =
                |(_, left, right): &(u8, Fixed, Fixed)| word.left < *right && *left < word.right;
            if ranked.iter().any(is_below)
                && let Some((day, words)) = day_at(line, at, has_short_years)
            {
                found.push((day, at, at + words));
                break;
            }
        }
    }
    // With as many days as the header has, the booking date is known.
    if found.len() == ranked.len()
        && let Some(best) = (0..ranked.len()).min_by_key(|at| ranked[*at].0)
    {
        found.swap(0, best);
    }
    found
}

/// The columns of amounts: where amounts overlap each other, if one of them stands in a line with a
/// day or below the name of a column.
pub(super) fn columns(lines: &[Marked<'_>]) -> Vec<(Fixed, Fixed)> {
    let header = lines.iter().find_map(|line| line.header.as_ref());
    let names = header.map(|header| &header.amounts[..]).unwrap_or_default();
    let mut spans: Vec<(Fixed, Fixed, bool)> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_header) {
        for found in &line.amounts {
            let is_below =
                names.iter().any(|(_, left, right)| found.left < *right && *left < found.right);
            spans.push((found.left, found.right, is_below || !line.days.is_empty()));
        }
    }
    spans.sort_unstable();
    let mut columns: Vec<(Fixed, Fixed, bool)> = Vec::new();
    for (left, right, counts) in spans {
        match columns.last_mut() {
            Some(last) if left < last.1 => {
                last.1 = last.1.max(right);
                last.2 |= counts;
            }
            _ => columns.push((left, right, counts)),
        }
    }
    columns.retain(|(_, _, counts)| *counts);
    columns.into_iter().map(|(left, right, _)| (left, right)).collect()
}
