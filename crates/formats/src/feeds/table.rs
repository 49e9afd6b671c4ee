//! A CSV table with named columns: separated by commas, semicolons or tabs, whichever its header
//! has most of.

use std::io::Cursor;

use super::{FeedError, ROWS_MAX};
use crate::csv::Reader;

/// A table that is being read.
pub(super) struct Table<'t> {
    reader: Reader<Cursor<&'t [u8]>>,
    header: Vec<String>,
    header_line: u64,
    rows: usize,
}

/// A row with its line.
pub(super) struct Row {
    pub(super) line: u64,
    cells: Vec<String>,
}

impl<'t> Table<'t> {
    /// Reads the header and finds the separator.
    pub(super) fn open(text: &'t str) -> Result<Self, FeedError> {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let count = |separator: &u8| first.bytes().filter(|byte| byte == separator).count();
        // Of several with as many the last.
        let separator = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
        let mut reader = Reader::new(Cursor::new(text.as_bytes()), separator);
        let (header, header_line) = match reader.read() {
            Ok(Some(record)) => {
                let cells = record.cells.iter().map(|cell| cell.trim().to_owned()).collect();
                (cells, record.line)
            }
            Ok(None) => return Err(FeedError::one("The file is empty")),
            Err(error) => return Err(FeedError::one(error.to_string())),
        };
        Ok(Self { reader, header, header_line, rows: 0 })
    }

    /// What the columns are called.
    pub(super) fn header(&self) -> &[String] {
        &self.header
    }

    /// The line of the header.
    pub(super) fn header_line(&self) -> u64 {
        self.header_line
    }

    /// The only column with one of these names, whatever their case.
    pub(super) fn find(&self, names: &[&str]) -> Result<Option<usize>, FeedError> {
        let is_named = |cell: &str| names.iter().any(|name| cell.eq_ignore_ascii_case(name));
        let mut found = self.header.iter().enumerate().filter(|(_, cell)| is_named(cell));
        let first = found.next();
        match found.next() {
            Some(_) => Err(FeedError::one(format!(
                "Two columns can be meant: only one may be called {}",
                names.join(" or ")
            ))),
            None => Ok(first.map(|(at, _)| at)),
        }
    }

    /// A column that must be there.
    pub(super) fn require(&self, names: &[&str]) -> Result<usize, FeedError> {
        self.find(names)?.ok_or_else(|| {
            FeedError::one(format!("The header has no column called {}", names.join(" or ")))
        })
    }

    /// The next row that isn't blank.
    pub(super) fn next(&mut self) -> Result<Option<Row>, FeedError> {
        match self.reader.read() {
            Ok(None) => Ok(None),
            Ok(Some(_)) if self.rows == ROWS_MAX => Err(FeedError::too_many_rows()),
            Ok(Some(record)) => {
                self.rows += 1;
                let cells = record.cells.iter().map(|cell| cell.trim().to_owned()).collect();
                Ok(Some(Row { line: record.line, cells }))
            }
            Err(error) => Err(FeedError::one(error.to_string())),
        }
    }
}

impl Row {
    /// A cell; blank if the row ends before it.
    pub(super) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    /// How many cells it has.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }
}
