//! Spreadsheets of OpenDocument (ODS).
//!
//! All sheets are in one part. Cells and rows that repeat are written once with a number; programs
//! fill the rest of a sheet so, and such cells are blank.

use std::io::Read;
use std::ops::ControlFlow;

use purser_core::limits::CSV_COLUMNS_MAX;

use super::mixed::of_text;
use super::number::plain;
use super::parts::{EachError, each_start};
use super::{
    NOT_COMPUTED, SHEET_ROWS_MAX, SHEET_TEXT_BYTES_MAX, SHEETS_MAX, Sheet, SheetError, SheetRow,
    TOO_MUCH_TEXT,
};
use crate::statements::markup::element::attribute;
use crate::statements::markup::{Strictness, Token, Tokens};

/// The part with all sheets.
pub(super) const CONTENT: &str = "content.xml";

/// The sheets, in their order. Styles of tables stand before them, and one may hide its tables.
pub(super) fn sheets(source: impl Read) -> Result<Vec<Sheet>, EachError> {
    let mut sheets = Vec::new();
    let mut style = String::new();
    let mut hiding: Vec<String> = Vec::new();
    each_start(source, |name, attributes| {
        match name {
            "style" => style = attribute(attributes, "name").unwrap_or_default(),
            "table-properties" if attribute(attributes, "display").as_deref() == Some("false") => {
                hiding.push(std::mem::take(&mut style));
            }
            "table" => {
                let its = attribute(attributes, "style-name").unwrap_or_default();
                let name = attribute(attributes, "name").unwrap_or_default();
                let is_hidden = hiding.contains(&its);
                sheets.push(Sheet { name, is_hidden, part: CONTENT.to_owned() });
            }
            _ => {}
        }
        let is_too_large = sheets.len().max(hiding.len()) > SHEETS_MAX;
        if is_too_large { Err(SheetError::TooLarge) } else { Ok(()) }
    })?;
    Ok(sheets)
}

/// Hands on the rows that have a text, of one sheet or of all of them.
pub(super) fn rows(
    source: impl Read,
    sheet: Option<usize>,
    mut each: impl FnMut(usize, SheetRow<'_>) -> ControlFlow<()>,
) -> Result<(), EachError> {
    let mut tokens = Tokens::new(source, Strictness::Xml);
    let mut table = Table::default();
    // The tables that began, and whether one of them is open and wanted.
    let (mut begun, mut is_open, mut is_in) = (0_usize, false, false);
    while let Some(token) = tokens.next()? {
        match token {
            Token::Start { name, .. } if name == "table" => {
                if is_open {
                    return Err(table.refuse("a cell has a table in it").into());
                }
                is_open = true;
                is_in = sheet.is_none_or(|sheet| begun == sheet);
                table = Table::default();
                begun += 1;
            }
            Token::End { name } if name == "table" && is_in && sheet.is_some() => return Ok(()),
            Token::End { name } if name == "table" => (is_open, is_in) = (false, false),
            _ if !is_in => {}
            Token::Start { name, attributes } => table.start(&name, attributes)?,
            Token::Text(text) => table.text(&text)?,
            Token::End { name } => {
                if table.end(&name)? {
                    for number in table.row..table.row + table.repeated {
                        let cells = &table.cells[..];
                        if each(begun - 1, SheetRow { number, cells }).is_break() {
                            return Ok(());
                        }
                    }
                }
                if name == "table-row" {
                    table.row += table.repeated;
                }
            }
        }
    }
    Ok(())
}

/// The row that is being read.
struct Table {
    row: u64,
    /// How many rows are as this one.
    repeated: u64,
    /// The cells up to the last one with a text.
    cells: Vec<String>,
    /// Cells since then, all of them blank.
    blank: usize,
    value: Option<String>,
    text: String,
    times: usize,
    /// Elements that are open in a cell and aren't its text: notes of people.
    notes: usize,
    is_in_text: usize,
    bytes: u64,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            row: 1,
            repeated: 1,
            cells: Vec::new(),
            blank: 0,
            value: None,
            text: String::new(),
            times: 1,
            notes: 0,
            is_in_text: 0,
            bytes: 0,
        }
    }
}

impl Table {
    fn refuse(&self, reason: impl Into<String>) -> SheetError {
        SheetError::Cell { row: self.row, reason: reason.into() }
    }

    fn start(&mut self, name: &str, attributes: &str) -> Result<(), SheetError> {
        let number = |name: &str| match attribute(attributes, name) {
            Some(text) => text.parse::<u64>().ok().filter(|it| (1..=SHEET_ROWS_MAX).contains(it)),
            None => Some(1),
        };
        match name {
            "table-row" => {
                let repeated = number("number-rows-repeated");
                self.repeated = repeated.ok_or_else(|| self.refuse("its number can't be read"))?;
                self.cells.clear();
                self.blank = 0;
            }
            "table-cell" | "covered-table-cell" => {
                let times = number("number-columns-repeated");
                let times =
                    times.ok_or_else(|| self.refuse("the number of a cell can't be read"))?;
                self.times = usize::try_from(times).unwrap_or(usize::MAX);
                self.value = self.value_of(attributes)?;
                self.text.clear();
            }
            "annotation" => self.notes += 1,
            "p" if self.notes == 0 => {
                if !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.is_in_text += 1;
            }
            "s" | "tab" | "line-break" if self.is_in_text > 0 => self.text.push(' '),
            _ => {}
        }
        Ok(())
    }

    /// The value of a cell that isn't a text.
    fn value_of(&self, attributes: &str) -> Result<Option<String>, SheetError> {
        let value = |name: &str| attribute(attributes, name);
        if value("formula").is_some() && value("value-type").is_none() {
            return Ok(Some(NOT_COMPUTED.to_owned()));
        }
        Ok(match value("value-type").as_deref() {
            Some("float" | "currency" | "percentage") => {
                let number = value("value").as_deref().and_then(plain);
                Some(number.ok_or_else(|| self.refuse("a number can't be read"))?)
            }
            Some("date") => value("date-value").map(|day| match day.split_once('T') {
                Some((day, "00:00:00")) => day.to_owned(),
                _ => day.replace('T', " "),
            }),
            Some("boolean") => value("boolean-value").map(|truth| truth.to_ascii_uppercase()),
            _ => None,
        })
    }

    fn text(&mut self, text: &str) -> Result<(), SheetError> {
        if self.is_in_text > 0 && self.notes == 0 {
            self.text.push_str(text);
            if self.text.len() as u64 > SHEET_TEXT_BYTES_MAX {
                return Err(self.refuse(TOO_MUCH_TEXT));
            }
        }
        Ok(())
    }

    /// Whether a row ended that has a text.
    fn end(&mut self, name: &str) -> Result<bool, SheetError> {
        match name {
            "annotation" => self.notes = self.notes.saturating_sub(1),
            "p" if self.notes == 0 => self.is_in_text = self.is_in_text.saturating_sub(1),
            "table-cell" => self.cell()?,
            "covered-table-cell" => self.blank = self.blank.saturating_add(self.times),
            "table-row" => {
                if self.row + self.repeated > SHEET_ROWS_MAX + 1 && !self.cells.is_empty() {
                    return Err(self.refuse("the sheet has more rows than one can have"));
                }
                return Ok(!self.cells.is_empty());
            }
            _ => {}
        }
        Ok(false)
    }

    fn cell(&mut self) -> Result<(), SheetError> {
        let text = self.value.take();
        let text = text.unwrap_or_else(|| of_text(std::mem::take(&mut self.text)));
        if text.trim().is_empty() {
            self.blank = self.blank.saturating_add(self.times);
            return Ok(());
        }
        let columns = self.cells.len().saturating_add(self.blank).saturating_add(self.times);
        if columns > CSV_COLUMNS_MAX {
            return Err(self.refuse(format!("it has more than {CSV_COLUMNS_MAX} columns")));
        }
        let bytes = (text.len() as u64).saturating_mul(self.times as u64);
        self.bytes = self.bytes.saturating_add(bytes.saturating_mul(self.repeated));
        if self.bytes > SHEET_TEXT_BYTES_MAX {
            return Err(self.refuse(TOO_MUCH_TEXT));
        }
        self.cells.extend(std::iter::repeat_n(String::new(), self.blank));
        self.cells.extend(std::iter::repeat_n(text, self.times));
        self.blank = 0;
        Ok(())
    }
}
