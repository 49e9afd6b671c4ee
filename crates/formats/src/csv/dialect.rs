//! The separator, the header, and the lines before it.
//!
//! The first records of the file are split by every possible separator, and each record is scored
//! by the number of its cells that name a column: one that was sent, or a well-known one. The
//! record with the best score is the header, so lines before it (the bank's name, the account
//! number) need no rule of their own. A first line `sep=;`, which spreadsheets use, decides the
//! separator. If no record has a known cell, the header is the first record of the most frequent
//! length, unless it looks like data: then the file has no header, its columns are called `#1`,
//! `#2` and so on, and the first record with a day is the first row. Whether there is a header can
//! be stated, too.

use std::io::Cursor;

use purser_core::import::cells::CellsBuf;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Position;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::settings::{Separator, Settings};
use purser_core::import::transaction::content;
use purser_core::limits::{CSV_COLUMNS_MAX, CSV_PREAMBLE_LINES_MAX};
use purser_core::text::date::is_day;

use super::reader::Reader;

/// The header must lie within this many bytes.
pub const HEADER_BYTES: u64 = 256 * 1024;

/// The number of records behind the lines before the header of which the lengths are compared.
const SAMPLE_RECORDS: usize = 50;

/// A header that names more than one thing that every row has, or a label that was sent, scores so
/// much.
const WHOLE_HEADER_SCORE: usize = 4;

/// How a file is divided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The character between two cells.
    pub separator: Separator,
    /// The header's cells, trimmed.
    pub headers: Vec<String>,
    /// The physical line of the header; without one, that of the first record.
    pub header_line: u64,
    /// The start of the first record.
    pub start: Position,
    /// What a file without a header is recognised by.
    pub shape: Option<String>,
}

/// One of the first records.
#[derive(Debug, Clone)]
struct FirstRecord {
    /// As if it were the header.
    dialect: Dialect,
    /// The place where it starts.
    at: Position,
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
    let of_register = register_settings();
    let settings = if kind.program().is_some() { &of_register } else { settings };
    let mark = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    if kind == Kind::Native {
        return lines(head, mark);
    }
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
        for FirstRecord { dialect, .. } in records.iter().take(preface_lines + 1) {
            let score = kind.header_score(&dialect.headers, settings);
            let is_header = score > 0 && !is_data(&dialect.headers);
            if is_header && settings.has_header != Some(false) {
                prefer(&mut known, score, dialect);
            }
        }
        if let Some((record, score)) = by_length(&records, preface_lines) {
            prefer(&mut fallback, score, &record.dialect);
        }
    }
    let dialect = choose(known, fallback).ok_or(LayoutProblem::Empty)?;
    let cell = data_cell(&dialect.headers).or_else(|| day_cell(&dialect.headers));
    match settings.has_header {
        Some(true) => return Ok(dialect),
        None if cell.is_none() => return Ok(dialect),
        None if !kind.reads_without_header(settings) => {
            let cell = cell.unwrap_or_default().chars().take(40).collect();
            return Err(LayoutProblem::NoHeader { line: dialect.header_line, cell });
        }
        _ => {}
    }
    // A person who states how many lines are to be skipped and that no header follows means it.
    let is_stated = settings.has_header == Some(false) && settings.rows_to_skip.is_some();
    let preface_lines = if is_stated { 0 } else { preface_lines };
    let records = first_records(head, start, skip, dialect.separator);
    without_header(&records, preface_lines).ok_or(LayoutProblem::Empty)
}

/// Each line is a record with one cell, from the first line on.
fn lines(head: &[u8], mark: usize) -> Result<Dialect, LayoutProblem> {
    if head.iter().skip(mark).all(u8::is_ascii_whitespace) {
        return Err(LayoutProblem::Empty);
    }
    Ok(Dialect {
        separator: Separator::Tab,
        headers: vec!["record".to_owned()],
        header_line: 1,
        start: Position { offset: mark as u64, line: 1, row: 1 },
        shape: Some("ndjson".to_owned()),
    })
}

/// How a register is divided, whatever was sent about the file that it was made of.
fn register_settings() -> Settings {
    Settings { separator: Some(Separator::Comma), has_header: Some(true), ..Settings::default() }
}

/// How a file without a header is divided. What stands before its first record with a day is no
/// row: the bank's name, the number of the account.
fn without_header(records: &[FirstRecord], preface_lines: usize) -> Option<Dialect> {
    let (usual, _) = by_length(records, preface_lines)?;
    let usual = usual.dialect.headers.len();
    let day = usual_day(records);
    let has_day =
        |cells: &[String]| day.is_none_or(|at| cells.get(at).is_some_and(|it| is_day(it.trim())));
    let is_first = |record: &FirstRecord| {
        let cells = &record.dialect.headers;
        is_row(cells, usual) && has_day(cells)
    };
    let preface = records.get(..=preface_lines).unwrap_or(records);
    let first = preface.iter().position(is_first).unwrap_or(0);
    let records = records.get(first..)?;
    let (usual, _) = by_length(records, records.len())?;
    let columns = usual.dialect.headers.len();
    let cells = |record: &FirstRecord| record.dialect.headers.iter().collect::<CellsBuf>();
    let cells: Vec<CellsBuf> = records.iter().map(cells).collect();
    let FirstRecord { dialect, at } = records.first()?;
    Some(Dialect {
        separator: dialect.separator,
        headers: content::place_labels(columns.min(CSV_COLUMNS_MAX)),
        header_line: dialect.header_line,
        start: *at,
        shape: Some(content::shape(&cells, columns)),
    })
}

/// The first column that has a day in more than half of the records: what stands before the rows
/// may have its day elsewhere.
fn usual_day(records: &[FirstRecord]) -> Option<usize> {
    let columns = records.iter().map(|record| record.dialect.headers.len()).max()?;
    let has_day = |record: &&FirstRecord, column: usize| {
        record.dialect.headers.get(column).is_some_and(|cell| is_day(cell.trim()))
    };
    let days = |column: &usize| records.iter().filter(|it| has_day(it, *column)).count();
    (0..columns.min(CSV_COLUMNS_MAX)).find(|column| 2 * days(column) > records.len())
}

/// Whether a record is a row of a file in which rows have `usual` cells: one with a day, and an
/// amount or many cells beside it.
fn is_row(cells: &[String], usual: usize) -> bool {
    let others: Vec<String> = cells.iter().filter(|cell| !is_day(cell.trim())).cloned().collect();
    let has_day = others.len() < cells.len();
    has_day && (cells.len() > usual / 2 || data_cell(&others).is_some())
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
            // Words that a header may have stand above the first row of a file without one, too, or
            // below it.
            let is_remark = known.score < WHOLE_HEADER_SCORE
                && is_row(many, usize::MAX)
                && (many.len() >= 2 * few.len()
                    || fallback.dialect.header_line < known.dialect.header_line);
            Some(if is_preface || is_remark { fallback.dialect } else { known.dialect })
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
fn first_records(
    head: &[u8],
    start: usize,
    skipped: u32,
    separator: Separator,
) -> Vec<FirstRecord> {
    let line = u64::from(skipped) + 1;
    let mut reader = Reader::at(Cursor::new(&head[start..]), separator.byte(), start as u64, line);
    let mut records = Vec::new();
    while records.len() < CSV_PREAMBLE_LINES_MAX + SAMPLE_RECORDS {
        let Ok(Some(record)) = reader.read() else { break };
        let headers = record.cells.iter().map(str::to_owned).collect();
        let header_line = record.line;
        let at = Position { offset: record.offset, line: record.line, row: 1 };
        let start = Position { offset: reader.offset(), line: reader.line(), row: 1 };
        let dialect = Dialect { separator, headers, header_line, start, shape: None };
        records.push(FirstRecord { dialect, at });
    }
    records
}

/// The first record of the most frequent length, and how many have it; of equally frequent ones
/// the longest. One cell is no sign of a separator.
fn by_length(records: &[FirstRecord], preface_lines: usize) -> Option<(&FirstRecord, usize)> {
    let length_of = |record: &FirstRecord| record.dialect.headers.len();
    let count = |length: usize| records.iter().filter(|r| length_of(r) == length).count();
    let rank = |length: usize| (length > 1, count(length), length);
    let length = records.iter().map(length_of).max_by_key(|l| rank(*l))?;
    let first = records.iter().take(preface_lines + 1).find(|r| length_of(r) == length);
    // A separator that divides the lines counts before one that doesn't.
    let score = if length > 1 { 1000 + count(length) } else { 1 };
    first.or(records.first()).map(|record| (record, score))
}

/// Whether a record can't be a header. A quote inside a cell means that the separator is a
/// different one.
fn is_data(cells: &[String]) -> bool {
    data_cell(cells).is_some()
        || day_cell(cells).is_some()
        || cells.iter().any(|cell| cell.contains('"'))
}

/// A cell that is a day, also one written with letters or with digits alone.
fn day_cell(cells: &[String]) -> Option<&str> {
    cells.iter().map(String::as_str).find(|cell| is_day(cell.trim()))
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
