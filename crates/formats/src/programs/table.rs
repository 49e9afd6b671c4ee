//! The table of a program's export: its header is where the columns are that it always has.

use std::io::{Chain, Cursor, Read};

use purser_core::import::columns::label_key;
use purser_core::import::settings::Separator;
use purser_core::limits::CSV_PREAMBLE_LINES_MAX;

use super::RewriteError;
use crate::csv::{HEADER_BYTES, ReadError, Reader, Record};
use crate::decode::fill;

/// A table behind its header.
pub(super) struct Table<R> {
    reader: Reader<Chain<Cursor<Vec<u8>>, R>>,
    keys: Vec<String>,
}

/// Finds the header: the first line that has a column for each of the names, of which any spelling
/// will do.
pub(super) fn open<R: Read>(
    mut input: R,
    program: &str,
    wanted: &[&[&str]],
) -> Result<Table<R>, RewriteError> {
    let mut head = vec![0; HEADER_BYTES as usize];
    let filled = fill(&mut input, &mut head, 0)?;
    head.truncate(filled);
    let mark = if head.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let text = head.get(mark..).unwrap_or_default();
    for separator in Separator::ALL {
        let mut reader = Reader::new(Cursor::new(text), separator.byte());
        for _ in 0..=CSV_PREAMBLE_LINES_MAX {
            let Ok(Some(record)) = reader.read() else { break };
            let keys: Vec<String> = record.cells.iter().map(label_key).collect();
            if missing(&keys, wanted).is_none() {
                let (offset, line) = (reader.offset() + mark as u64, reader.line());
                let mut rest = Cursor::new(head);
                rest.set_position(offset);
                let reader = Reader::at(rest.chain(input), separator.byte(), offset, line);
                return Ok(Table { reader, keys });
            }
        }
    }
    let name = first_missing(text, wanted).unwrap_or_default();
    Err(RewriteError::Foreign(format!(
        "this is no export of {program}: no line of it has the column \"{name}\""
    )))
}

/// Whether one of the first lines is a header of some sort.
pub(super) fn has_header(head: &[u8], is_it: impl Fn(&[String]) -> bool) -> bool {
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    Separator::ALL.iter().any(|separator| {
        let mut reader = Reader::new(Cursor::new(text), separator.byte());
        let mut found = false;
        for _ in 0..=CSV_PREAMBLE_LINES_MAX {
            let Ok(Some(record)) = reader.read() else { break };
            let cells: Vec<String> = record.cells.iter().map(str::to_owned).collect();
            found |= is_it(&cells);
        }
        found
    })
}

/// The first name that the header doesn't have in any spelling.
fn missing<'n>(keys: &[String], wanted: &[&[&'n str]]) -> Option<&'n str> {
    let is_there = |names: &&[&str]| names.iter().any(|name| keys.iter().any(|key| key == name));
    let names = wanted.iter().find(|names| !is_there(names))?;
    names.first().copied()
}

/// What the line lacks that has the most of the columns.
fn first_missing<'n>(text: &[u8], wanted: &[&[&'n str]]) -> Option<&'n str> {
    let mut best: Option<(usize, &str)> = None;
    for separator in Separator::ALL {
        let mut reader = Reader::new(Cursor::new(text), separator.byte());
        let Ok(Some(record)) = reader.read() else { continue };
        let keys: Vec<String> = record.cells.iter().map(label_key).collect();
        let has = wanted.iter().filter(|names| missing(&keys, &[names]).is_none()).count();
        if let Some(name) = missing(&keys, wanted)
            && best.is_none_or(|(most, _)| has > most)
        {
            best = Some((has, name));
        }
    }
    best.map(|(_, name)| name)
}

impl<R: Read> Table<R> {
    /// The column with one of these names; of several the first name counts.
    pub(super) fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.keys.iter().position(|key| key == name))
    }

    /// The next record of the table.
    pub(super) fn read(&mut self) -> Result<Option<Record<'_>>, ReadError> {
        self.reader.read()
    }
}
