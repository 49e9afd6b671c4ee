//! The separator, the header, and the lines before it.
//!
//! The first records of the file are split by every possible separator, and each record is scored
//! by the number of its cells that name a column: one that was sent, or a well-known one. The
//! record with the best score is the header, so lines before it (the bank's name, the account
//! number) need no rule of their own. A first line `sep=;`, which spreadsheets use, decides the
//! separator. If no record has a known cell, the header is the first record of the most frequent
//! length, unless it looks like data: then the file has no header, which is reported as a problem.

use std::io::Cursor;

use purser_core::import::kinds::Kind;
use purser_core::import::layout::Position;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::settings::{Separator, Settings};
use purser_core::limits::CSV_PREAMBLE_LINES_MAX;

use super::reader::Reader;

/// The header must lie within this many bytes.
pub const HEADER_BYTES: u64 = 256 * 1024;

/// The number of records behind the lines before the header of which the lengths are compared.
const SAMPLE_RECORDS: usize = 50;

/// How a file is divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The character between two cells.
    pub separator: Separator,
    /// The header's cells, trimmed.
    pub headers: Vec<String>,
    /// The physical line of the header.
    pub header_line: u64,
    /// The start of the first record after the header.
    pub start: Position,
}

/// A record that may be the header.
struct Candidate {
    dialect: Dialect,
    score: usize,
}

/// Finds separator and header in the first bytes of a file in UTF-8; a byte-order mark is allowed.
///
/// `head` should be some 64 KiB or the whole file.
pub fn sniff(head: &[u8], kind: Kind, settings: &Settings) -> Result<Dialect, LayoutProblem> {
    let mark = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let declared = if settings.rows_to_skip.is_none() { declared(&head[mark..]) } else { None };
    let skip = settings.rows_to_skip.unwrap_or(u32::from(declared.is_some()));
    let Some(start) = skip_lines(head, mark, skip) else {
        return Err(LayoutProblem::SkipsEverything { rows_to_skip: skip });
    };
    // If the caller gave the number of lines, there is nothing else to skip.
    let is_counted = settings.rows_to_skip.is_some_and(|lines| lines > 0);
    let preface_lines = if is_counted { 0 } else { CSV_PREAMBLE_LINES_MAX };
    let separators = match settings.separator.as_ref().or(declared.as_ref()) {
        Some(separator) => std::slice::from_ref(separator),
        None => Separator::ALL,
    };
    let mut known: Option<Candidate> = None;
    let mut fallback: Option<Candidate> = None;
    for separator in separators {
        let records = first_records(head, start, skip, *separator);
        for record in records.iter().take(preface_lines + 1) {
            let score = kind.header_score(&record.headers, settings);
            let is_header = score > 0 && !is_data(&record.headers);
            if is_header {
                prefer(&mut known, score, record);
            }
        }
        if let Some((record, score)) = by_length(&records, preface_lines) {
            prefer(&mut fallback, score, record);
        }
    }
    let dialect = choose(known, fallback).ok_or(LayoutProblem::Empty)?;
    match data_cell(&dialect.headers) {
        Some(cell) => {
            let cell = cell.chars().take(40).collect();
            Err(LayoutProblem::NoHeader { line: dialect.header_line, cell })
        }
        None => Ok(dialect),
    }
}

/// The separator that the first line names for spreadsheets: `sep=;`.
fn declared(head: &[u8]) -> Option<Separator> {
    let end = memchr::memchr2(b'\n', b'\r', head)?;
    let line = std::str::from_utf8(&head[..end]).ok()?;
    let line = line.strip_prefix('"').map_or(line, |line| line.strip_suffix('"').unwrap_or(line));
    let (name, separator) = line.split_at_checked(4)?;
    name.eq_ignore_ascii_case("sep=").then(|| Separator::parse(separator)).flatten()
}

/// The record with known cells, unless it has only one and the other has more cells: a line such as
/// `Account;Checking` above a header in an unknown language.
fn choose(known: Option<Candidate>, fallback: Option<Candidate>) -> Option<Dialect> {
    match (known, fallback) {
        (Some(known), Some(fallback)) => {
            let (few, many) = (&known.dialect.headers, &fallback.dialect.headers);
            let is_preface =
                known.score == 1 && many.len() > few.len() && data_cell(many).is_none();
            Some(if is_preface { fallback.dialect } else { known.dialect })
        }
        (known, fallback) => known.or(fallback).map(|candidate| candidate.dialect),
    }
}

/// Keeps the better one: by score, then by the number of cells, then the earlier.
fn prefer(best: &mut Option<Candidate>, score: usize, record: &Dialect) {
    let rank = |score: usize, dialect: &Dialect| (score, dialect.headers.len());
    let is_better =
        best.as_ref().is_none_or(|best| rank(score, record) > rank(best.score, &best.dialect));
    if is_better {
        *best = Some(Candidate { dialect: record.clone(), score });
    }
}

/// The offset behind a number of physical lines; nothing if the text ends before.
fn skip_lines(head: &[u8], from: usize, lines: u32) -> Option<usize> {
    let mut at = from;
    for _ in 0..lines {
        at += memchr::memchr2(b'\n', b'\r', head.get(at..)?)?;
        at += if head[at..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    (at < head.len() || lines == 0).then_some(at)
}

/// The first records as if each were the header. A record that the head cuts off is left out by
/// taking only so many; a broken one ends the list.
fn first_records(head: &[u8], start: usize, skipped: u32, separator: Separator) -> Vec<Dialect> {
    let line = u64::from(skipped) + 1;
    let mut reader = Reader::at(Cursor::new(&head[start..]), separator.byte(), start as u64, line);
    let mut records = Vec::new();
    while records.len() < CSV_PREAMBLE_LINES_MAX + SAMPLE_RECORDS {
        let Ok(Some(record)) = reader.read() else { break };
        let headers = record.cells.iter().map(str::to_owned).collect();
        let header_line = record.line;
        let start = Position { offset: reader.offset(), line: reader.line(), row: 1 };
        records.push(Dialect { separator, headers, header_line, start });
    }
    records
}

/// The first record of the most frequent length, and how many have it; of equally frequent ones
/// the longest. One cell is no sign of a separator.
fn by_length(records: &[Dialect], preface_lines: usize) -> Option<(&Dialect, usize)> {
    let count = |length: usize| records.iter().filter(|r| r.headers.len() == length).count();
    let rank = |length: usize| (length > 1, count(length), length);
    let length = records.iter().map(|record| record.headers.len()).max_by_key(|l| rank(*l))?;
    let first = records.iter().take(preface_lines + 1).find(|r| r.headers.len() == length);
    // A separator that divides the lines counts before one that doesn't.
    let score = if length > 1 { 1000 + count(length) } else { 1 };
    first.or(records.first()).map(|record| (record, score))
}

/// Whether a record can't be a header. A quote inside a cell means that the separator is a
/// different one.
fn is_data(cells: &[String]) -> bool {
    data_cell(cells).is_some() || cells.iter().any(|cell| cell.contains('"'))
}

/// A cell that no header has: a date, or an amount with decimals.
fn data_cell(cells: &[String]) -> Option<&str> {
    cells.iter().map(String::as_str).find(|cell| {
        let digits = cell.bytes().filter(u8::is_ascii_digit).count();
        let others = cell.chars().filter(|c| !c.is_ascii_digit());
        let is_plain = others.clone().all(|c| {
            matches!(c, '.' | ',' | '/' | '-' | ':' | ' ' | '+' | '\'' | '(' | ')' | '\u{a0}')
                || matches!(c, '$' | '€' | '£' | '−' | '\u{202f}' | 'T' | 'Z')
        });
        is_plain && digits >= 3 && others.count() > 0
    })
}

#[cfg(test)]
#[path = "dialect_tests.rs"]
mod tests;
