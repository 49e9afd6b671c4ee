//! Spreadsheets as tables: rows of texts, which are then read as a CSV is.
//!
//! A cell is the text that people see, as far as it decides about money: a number as its decimal
//! digits, a day as `2024-01-31`, a formula as the value that was last computed. Merged cells have
//! their text in the first of them, and the others are blank: an amount that was repeated would be
//! counted twice.
//!
//! * `xlsx`: Office Open XML. `ods`: OpenDocument. `xls`: Excel 97 to 2003. `number`: numbers and
//!   days. `survey`: which sheet has the table.

mod mixed;
mod number;
mod ods;
mod parts;
mod survey;
mod xls;
mod xlsx;

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use purser_core::import::source_file::FileFormat;

use crate::archive::{Archive, ArchiveError};
use crate::decode::fill;
use crate::statements::StatementError;

use number::Shows;
use ods::CONTENT;
use survey::Head;
pub(crate) use survey::heads;
pub use survey::{SheetTable, find_table, of_sheet, survey};
use xls::Xls;
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

/// The text of a cell with a formula that no program has computed.
const NOT_COMPUTED: &str = "(formula without a value)";

/// What is written behind a text that may be another number.
const NO_NUMBER: &str = " ?";
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
    /// A workbook of Excel 97 to 2003 that is broken.
    #[error("The spreadsheet is damaged: {0}")]
    Damaged(&'static str),
    /// A workbook of Excel 5 or 95.
    #[error(
        "The spreadsheet is of a version of Excel before 97: open it in a spreadsheet program and \
         save it as XLSX"
    )]
    TooOld,
    /// A password is needed for it.
    #[error(
        "The spreadsheet is encrypted with a password: open it in a spreadsheet program and save \
         it without one"
    )]
    Encrypted,
    /// Another document in a compound file, or an archive without a workbook.
    #[error("The document is no spreadsheet")]
    NotAWorkbook,
    /// More than any spreadsheet of a bank has.
    #[error(
        "The spreadsheet has more than {SHEETS_MAX} sheets or styles, or {SHARED_BYTES_MAX} bytes of texts"
    )]
    TooLarge,
    /// More sheets than a person can choose from.
    #[error("The spreadsheet has more than {max} sheets")]
    TooManySheets {
        /// How many it may have.
        max: usize,
    },
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
    form: Form<R>,
}

#[derive(Debug)]
enum Form<R> {
    Xlsx(Archive<R>, Xlsx),
    Ods(Archive<R>, Vec<Sheet>),
    Xls(Xls),
}

/// The format of a spreadsheet, if content is one.
///
/// # Errors
/// If reading fails.
pub fn format_of(mut source: impl Read + Seek) -> io::Result<Option<FileFormat>> {
    let mut head = vec![0; xls::SIGNATURE.len()];
    source.seek(SeekFrom::Start(0))?;
    let filled = fill(&mut source, &mut head, 0)?;
    if head[..filled] == xls::SIGNATURE {
        return Ok(Some(FileFormat::Xls));
    }
    if !head.starts_with(b"PK\x03\x04") {
        return Ok(None);
    }
    let archive = match Archive::open(source) {
        Ok(archive) => archive,
        Err(ArchiveError::Io(error)) => return Err(error),
        Err(_) => return Ok(None),
    };
    let has = |name: &str| archive.parts().iter().any(|part| part.name == name);
    Ok(if has(CONTENT) && has("mimetype") {
        Some(FileFormat::Ods)
    } else {
        (has("_rels/.rels") && has("[Content_Types].xml")).then_some(FileFormat::Xlsx)
    })
}

impl<R: Read + Seek> Workbook<R> {
    /// Reads what describes the sheets.
    pub fn open(source: R) -> Result<Self, SheetError> {
        let mut source = source;
        if format_of(&mut source)? == Some(FileFormat::Xls) {
            return Ok(Self { form: Form::Xls(Xls::open(source)?) });
        }
        let mut archive = Archive::open(source)?;
        let is_ods = archive.parts().iter().any(|part| part.name == CONTENT);
        let form = if is_ods {
            let part = archive.read(CONTENT, SHEET_BYTES_MAX)?;
            let sheets = ods::sheets(part).map_err(|error| error.within(CONTENT))?;
            Form::Ods(archive, sheets)
        } else {
            let book = Xlsx::open(&mut archive)?;
            Form::Xlsx(archive, book)
        };
        Ok(Self { form })
    }

    /// Which format it has.
    pub fn format(&self) -> FileFormat {
        match &self.form {
            Form::Xlsx(..) => FileFormat::Xlsx,
            Form::Ods(..) => FileFormat::Ods,
            Form::Xls(_) => FileFormat::Xls,
        }
    }

    /// The sheets in the order of their tabs. Sheets of charts aren't among them.
    pub fn sheets(&self) -> &[Sheet] {
        match &self.form {
            Form::Xlsx(_, xlsx) => &xlsx.sheets,
            Form::Ods(_, sheets) => sheets,
            Form::Xls(xls) => &xls.sheets,
        }
    }

    /// Hands on the rows of a sheet that have a text, until `each` needs no more.
    pub fn rows(
        &mut self,
        sheet: usize,
        mut each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        self.marked_rows(sheet, |row| {
            if !row.cells.iter().any(|cell| mixed::is_marked(cell)) {
                return each(row);
            }
            let cells = row.cells.iter().map(|cell| mixed::unmarked(cell).to_owned());
            let cells: Vec<String> = cells.collect();
            each(SheetRow { number: row.number, cells: &cells })
        })
    }

    /// The same, with texts that look like numbers marked.
    fn marked_rows(
        &mut self,
        sheet: usize,
        each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        match &mut self.form {
            Form::Xlsx(archive, xlsx) => xlsx.rows(archive, sheet, each),
            Form::Ods(archive, _) => {
                let part = archive.read(CONTENT, SHEET_BYTES_MAX)?;
                let mut each = each;
                let rows = ods::rows(part, Some(sheet), |_, row| each(row));
                rows.map_err(|error| error.within(CONTENT))
            }
            Form::Xls(xls) => xls.rows(sheet, each),
        }
    }

    /// The first rows of every sheet.
    fn heads(&mut self) -> Result<Vec<Head>, SheetError> {
        let mut heads: Vec<Head> = self.sheets().iter().map(|_| Head::new()).collect();
        if let Form::Ods(archive, _) = &mut self.form {
            // All sheets are in one part, which is read once.
            let part = archive.read(CONTENT, SHEET_BYTES_MAX)?;
            let rows = ods::rows(part, None, |sheet, row| {
                if let Some(head) = heads.get_mut(sheet).filter(|head| !head.is_full()) {
                    head.add(row);
                }
                ControlFlow::Continue(())
            });
            rows.map_err(|error| error.within(CONTENT))?;
            return Ok(heads);
        }
        for (sheet, head) in heads.iter_mut().enumerate() {
            let add = |row: SheetRow<'_>| match head.add(row) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            self.rows(sheet, add)?;
        }
        Ok(heads)
    }

    /// Writes the rows of a sheet as CSV. Blank cells and rows count as bytes, too: a cell far down
    /// must not make a large table of a small file. Returns the columns with texts that may be
    /// thousands or three decimals, where numbers of the sheet would seem to decide that.
    pub fn write_sheet(
        &mut self,
        sheet: usize,
        writer: impl Write,
    ) -> Result<Vec<usize>, SheetError> {
        self.write_sheet_with(sheet, &[], writer)
    }

    /// The same; what is doubtful in some columns is written so that nobody reads a number in it.
    pub fn write_sheet_with(
        &mut self,
        sheet: usize,
        doubtful: &[usize],
        writer: impl Write,
    ) -> Result<Vec<usize>, SheetError> {
        let mut writer = CsvWriter::new(writer);
        writer.doubtful = doubtful.to_vec();
        let mut columns = mixed::Columns::default();
        let mut bytes = 0;
        let mut failed = None;
        self.marked_rows(sheet, |row| {
            columns.add(row.cells);
            let texts: usize = row.cells.iter().map(|cell| cell.len() + 1).sum();
            bytes += texts as u64;
            let written = match bytes > SHEET_TEXT_BYTES_MAX {
                true => {
                    let reason = TOO_MUCH_TEXT.to_owned();
                    Err(SheetError::Cell { row: row.number, reason })
                }
                false => writer.write(row).map_err(SheetError::from),
            };
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or_else(|| Ok(columns.doubtful()), Err)
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
    /// Columns in which a text that may be another number is no number.
    doubtful: Vec<usize>,
}

impl<W: Write> CsvWriter<W> {
    /// A writer of an empty table.
    pub fn new(writer: W) -> Self {
        Self { writer, rows: 0, doubtful: Vec::new() }
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.writer
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
            let text = mixed::unmarked(cell).replace(['\r', '\n'], " ");
            let mut text = Cow::Borrowed(text.trim());
            if self.doubtful.contains(&at) && mixed::is_doubtful(cell) {
                text += NO_NUMBER;
            }
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
