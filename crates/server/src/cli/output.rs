//! What commands print: aligned text for people, or one JSON document.
//!
//! Whoever reads may go away in the middle (`purser user list | head -1`); that is not an error.

use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use jiff::Timestamp;
use purser_app::naming::AMBIGUOUS_NAME;
use purser_core::error::{Error, Result};
use serde::Serialize;

/// The code of errors that are the caller's way to call, as clap's are.
const USAGE: &str = "usage";
const EXIT_USAGE: u8 = 2;
const COLUMN_GAP: &str = "  ";

/// Prints text as it is.
pub(super) fn text(text: &str) -> Result<()> {
    written(io::stdout().lock().write_all(text.as_bytes()))
}

/// Prints a line for people; control characters that came with the data do nothing.
pub(super) fn line(line: impl AsRef<str>) -> Result<()> {
    text(&format!("{}\n", harmless(line.as_ref())))
}

/// Prints one JSON document.
pub(super) fn json(document: &impl Serialize) -> Result<()> {
    let document = serde_json::to_string_pretty(document).map_err(Error::internal)?;
    text(&format!("{document}\n"))
}

/// How the process ends after an error.
pub(crate) fn exit_code(error: &Error) -> ExitCode {
    if [USAGE, AMBIGUOUS_NAME].contains(&error.code()) {
        ExitCode::from(EXIT_USAGE)
    } else {
        ExitCode::FAILURE
    }
}

/// An error about how the command was called.
pub(super) fn usage(message: impl Into<String>) -> Error {
    Error::invalid_code(USAGE, message.into())
}

/// A time for people.
pub(super) fn time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// A text from elsewhere as one line that can't steer the terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn written(result: io::Result<()>) -> Result<()> {
    match result.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

/// Rows of text in aligned columns.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    right: &'static [usize],
}

impl Table {
    /// With these headings; the columns in `right` are aligned at their right side.
    pub(super) fn new(headings: &[&str], right: &'static [usize]) -> Self {
        Self { rows: vec![headings.iter().map(|heading| (*heading).to_owned()).collect()], right }
    }

    /// Adds a row, with a cell for each heading.
    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| harmless(cell)).collect());
    }

    /// Prints the table, or a sentence when there is no row.
    pub(super) fn print(&self, when_empty: &str) -> Result<()> {
        if self.rows.len() == 1 { line(when_empty) } else { text(&self.render()) }
    }

    fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                if self.right.contains(&column) {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            });
            text.push_str(cells.collect::<Vec<_>>().join(COLUMN_GAP).trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["NAME", "BALANCE", "STATE"], &[1]);
        table.row(vec!["Ämter\n\u{1b}[2J".into(), "$1.00".into(), "active".into()]);
        table.row(vec!["B".into(), "$1,000,000.00".into(), String::new()]);
        assert_eq!(
            table.render(),
            "NAME              BALANCE  STATE\n\
             Ämter  [2J          $1.00  active\n\
             B           $1,000,000.00\n"
        );
    }

    #[test]
    fn times_are_in_utc() {
        assert_eq!(time("2024-05-17T10:00:59.9Z".parse().unwrap()), "2024-05-17 10:00 UTC");
    }
}
