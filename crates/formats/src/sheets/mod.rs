//! Spreadsheets as tables: rows of texts, which are then read as a CSV is.
//!
//! A cell is the text that people see, as far as it decides about money: a number as its decimal
//! digits, a day as `2024-01-31`, a formula as the value that was last computed. Merged cells have
//! their text in the first of them, and the others are blank: an amount that was repeated would be
//! counted twice.
//!
//! * `xlsx`: Office Open XML. `ods`: OpenDocument. `number`: numbers and days.

mod number;
mod ods;
mod parts;
mod xlsx;

use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

use crate::archive::{Archive, ArchiveError};
use crate::statements::StatementError;

use ods::CONTENT;
use xlsx::Xlsx;

/// Rows that a sheet can have.
pub const SHEET_ROWS_MAX: u64 = 1_048_576;
/// Bytes of one sheet once it is inflated.
pub const SHEET_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// Bytes of the texts of all cells of a sheet: many cells may share a long one.
pub const SHEET_TEXT_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// Bytes of the texts that cells share, which are held in memory.
pub const SHARED_BYTES_MAX: usize = 32 * 1024 * 1024;
/// Sheets of a workbook, and its styles of cells.
pub const SHEETS_MAX: usize = 1_000;

const TOO_MUCH_TEXT: &str = "the texts of the sheet up to it are longer than is read";

/// Why a spreadsheet isn't read to its end.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The archive around it can't be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A part of it isn't what it should be.
    #[error("In \"{part}\" of the spreadsheet: {error}")]
    Part {
        /// The name of the part.
        part: String,
        /// What is wrong with it.
        error: StatementError,
    },
    /// A cell can't be read.
    #[error("Row {row}: {reason}")]
    Cell {
        /// The number of the row.
        row: u64,
        /// A clause without a full stop.
        reason: String,
    },
    /// More than any spreadsheet of a bank has.
    #[error(
        "The spreadsheet has more than {SHEETS_MAX} sheets or styles, or {SHARED_BYTES_MAX} bytes of texts"
    )]
    TooLarge,
    /// Writing the table failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A sheet of a spreadsheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The name on its tab.
    pub name: String,
    /// Whether programs don't show it.
    pub is_hidden: bool,
    /// The part of the archive with its rows.
    part: String,
}

/// A spreadsheet of which everything but the rows was read.
#[derive(Debug)]
pub struct Workbook<R> {
    archive: Archive<R>,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Xlsx(Xlsx),
    Ods(Vec<Sheet>),
}

impl<R: Read + Seek> Workbook<R> {
    /// Reads what describes the sheets.
    pub fn open(source: R) -> Result<Self, SheetError> {
        let mut archive = Archive::open(source)?;
        let is_ods = archive.parts().iter().any(|part| part.name == CONTENT);
        let form = if is_ods {
            let part = archive.read(CONTENT, SHEET_BYTES_MAX)?;
            let names = ods::names(part).map_err(|error| error.within(CONTENT))?;
            let sheet = |name| Sheet { name, is_hidden: false, part: CONTENT.to_owned() };
            Form::Ods(names.into_iter().map(sheet).collect())
        } else {
            Form::Xlsx(Xlsx::open(&mut archive)?)
        };
        Ok(Self { archive, form })
    }

    /// The sheets in the order of their tabs. Sheets of charts aren't among them.
    pub fn sheets(&self) -> &[Sheet] {
        match &self.form {
            Form::Xlsx(xlsx) => &xlsx.sheets,
            Form::Ods(sheets) => sheets,
        }
    }

    /// Hands on the rows of a sheet that have a text, until `each` needs no more.
    pub fn rows(
        &mut self,
        sheet: usize,
        each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        match &self.form {
            Form::Xlsx(xlsx) => xlsx.rows(&mut self.archive, sheet, each),
            Form::Ods(_) => {
                let part = self.archive.read(CONTENT, SHEET_BYTES_MAX)?;
                ods::rows(part, sheet, each).map_err(|error| error.within(CONTENT))
            }
        }
    }
}

/// A row of a sheet, valid until the next one is read.
#[derive(Debug, Clone, Copy)]
pub struct SheetRow<'r> {
    /// The number that programs show beside it, from 1.
    pub number: u64,
    /// The texts of the cells from the first column on.
    pub cells: &'r [String],
}

/// Writes rows as CSV in UTF-8, separated by commas. The line of a record is the number of its row:
/// line ends within cells become spaces, and rows without cells are empty lines.
pub struct CsvWriter<W> {
    writer: W,
    rows: u64,
}

impl<W: Write> CsvWriter<W> {
    /// A writer of an empty table.
    pub fn new(writer: W) -> Self {
        Self { writer, rows: 0 }
    }

    /// Writes a row; rows between it and the one before are empty.
    pub fn write(&mut self, row: SheetRow<'_>) -> io::Result<()> {
        while self.rows + 1 < row.number {
            self.writer.write_all(b"\n")?;
            self.rows += 1;
        }
        for (at, cell) in row.cells.iter().enumerate() {
            if at > 0 {
                self.writer.write_all(b",")?;
            }
            let text = cell.replace(['\r', '\n'], " ");
            let text = text.trim();
            if text.contains([',', '"']) {
                write!(self.writer, "\"{}\"", text.replace('"', "\"\""))?;
            } else {
                self.writer.write_all(text.as_bytes())?;
            }
        }
        self.writer.write_all(b"\n")?;
        self.rows = row.number;
        Ok(())
    }
}
