//! Which sheet of a spreadsheet has the table that an import looks for.
//!
//! The first rows of each sheet are read as a CSV is. A sheet has the table if every column that
//! its rows need is found in it or asked for. If several have it, a person chooses.

use std::collections::HashMap;
use std::io::{Read, Seek};

use jiff::civil::Date;
use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::{Separator, Settings};
use purser_core::import::source_file::{SourceSheet, is_same_sheet};
use purser_core::import::template::key_text;
use purser_core::money::Currency;

use super::{CsvWriter, SheetError, SheetRow, Workbook};
use crate::csv::sniff;
use crate::decode::{Encoding, UTF_8};
use crate::records::analyse;

/// Sheets that are looked at; workbooks of banks have a few.
const SHEETS_SURVEYED_MAX: usize = 100;
/// Bytes of the first rows of a sheet as CSV, and how far down they may be.
const HEAD_BYTES: usize = 64 * 1024;
const HEAD_ROWS_MAX: u64 = 10_000;
/// Letters and cells that are kept of a header.
const COLUMN_CHARS_MAX: usize = 60;
const COLUMNS_SHOWN_MAX: usize = 20;

/// A sheet that isn't empty.
#[derive(Debug, Clone)]
pub struct SheetTable {
    /// Its place among all sheets.
    pub at: usize,
    /// What people see of it.
    pub sheet: SourceSheet,
    /// What a file with this table is recognised by.
    pub key: Option<String>,
}

/// The first rows of a sheet as CSV.
pub(super) struct Head {
    writer: CsvWriter<Vec<u8>>,
    bytes: usize,
}

impl Head {
    pub(super) fn new() -> Self {
        Self { writer: CsvWriter::new(Vec::new()), bytes: 0 }
    }

    /// Adds a row; whether more of them are of use.
    pub(super) fn add(&mut self, row: SheetRow<'_>) -> bool {
        self.bytes += row.cells.iter().map(|cell| cell.len() + 1).sum::<usize>();
        if self.bytes > HEAD_BYTES || row.number > HEAD_ROWS_MAX {
            self.bytes = HEAD_BYTES + 1;
            return false;
        }
        // Memory takes all of it.
        self.writer.write(row).is_ok()
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > HEAD_BYTES
    }
}

/// The settings with which the CSV of a sheet is read.
pub fn of_sheet(settings: &Settings) -> Settings {
    Settings { separator: Some(Separator::Comma), ..settings.clone() }
}

/// The sheets that aren't empty, and which of them have the table of a kind.
///
/// # Errors
/// If the spreadsheet can't be read.
pub fn survey<R: Read + Seek>(
    book: &mut Workbook<R>,
    kind: Kind,
    settings: &Settings,
) -> Result<Vec<SheetTable>, SheetError> {
    let settings = of_sheet(settings);
    let heads = heads(book)?;
    let sheets = book.sheets().iter().zip(heads).enumerate();
    let table = |(at, (sheet, head)): (usize, (&super::Sheet, Vec<u8>))| {
        let first = first_row(&head)?;
        let (columns, has_table, key) = judged(&head, kind, &settings);
        let columns = if columns.is_empty() { first } else { columns };
        let shown = columns.iter().filter(|column| !column.is_empty());
        let columns = shown.take(COLUMNS_SHOWN_MAX).map(|column| shortened(column)).collect();
        let sheet = SourceSheet {
            name: sheet.name.clone(),
            is_hidden: sheet.is_hidden,
            has_table,
            columns,
        };
        Some(SheetTable { at, sheet, key })
    };
    Ok(sheets.filter_map(table).collect())
}

/// The first rows of every sheet as CSV.
pub(crate) fn heads<R: Read + Seek>(book: &mut Workbook<R>) -> Result<Vec<Vec<u8>>, SheetError> {
    if book.sheets().len() > SHEETS_SURVEYED_MAX {
        return Err(SheetError::TooManySheets { max: SHEETS_SURVEYED_MAX });
    }
    let heads = book.heads()?;
    Ok(heads.into_iter().map(|head| head.writer.into_inner()).collect())
}

fn shortened(column: &str) -> String {
    column.chars().take(COLUMN_CHARS_MAX).collect()
}

/// The cells of the first row; none of a sheet that is empty.
fn first_row(head: &[u8]) -> Option<Vec<String>> {
    let start = head.iter().position(|byte| *byte != b'\n')?;
    let mut reader = crate::csv::Reader::at(&head[start..], b',', 0, 1);
    let record = reader.read().ok()??;
    Some(record.cells.iter().map(str::to_owned).collect())
}

/// The header, whether there is the table, and what it is recognised by.
fn judged(head: &[u8], kind: Kind, settings: &Settings) -> (Vec<String>, bool, Option<String>) {
    let Ok(dialect) = sniff(head, kind, settings) else { return (Vec::new(), false, None) };
    let key = key_text(&dialect.headers, dialect.shape.as_deref());
    let columns = if dialect.shape.is_some() { Vec::new() } else { dialect.headers };
    let encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };
    // Nothing that decides about columns depends on the day or on accounts.
    let context = Context {
        as_of: Date::constant(2100, 1, 1),
        family_currency: Currency::EUR,
        account: None,
        account_currencies: &HashMap::new(),
        row_set: None,
    };
    let analysis = analyse(|| Ok(head), kind, &encoding, settings, context, &RowEdits::new());
    let lacks_column = |problem: &LayoutProblem| {
        use LayoutProblem::{Empty, NoColumn, NoHeader, NoRows, SkipsEverything};
        matches!(
            problem,
            Empty | NoRows | NoHeader { .. } | NoColumn { .. } | SkipsEverything { .. }
        )
    };
    let has_table = analysis.is_ok_and(|it| !it.layout.problems.iter().any(lacks_column));
    (columns, has_table, Some(key))
}

/// The sheet that is read: the one that was named, else the only one with the table, else the only
/// one that isn't empty.
///
/// # Errors
/// The question which one it is, or that there is none.
pub fn find_table<'t>(
    tables: &'t [SheetTable],
    wanted: Option<&str>,
) -> Result<&'t SheetTable, LayoutProblem> {
    let sheets = |tables: &[&SheetTable]| tables.iter().map(|one| one.sheet.clone()).collect();
    let all: Vec<&SheetTable> = tables.iter().collect();
    if let Some(name) = wanted {
        let exact = tables.iter().find(|one| one.sheet.name == name);
        let found = exact.or(tables.iter().find(|one| is_same_sheet(&one.sheet.name, name)));
        return found.ok_or_else(|| match all.is_empty() {
            true => LayoutProblem::Empty,
            false => LayoutProblem::NoSheet { name: name.to_owned(), sheets: sheets(&all) },
        });
    }
    let with_table: Vec<&SheetTable> = tables.iter().filter(|one| one.sheet.has_table).collect();
    match (with_table.as_slice(), all.as_slice()) {
        ([only], _) | ([], [only]) => Ok(only),
        ([], []) => Err(LayoutProblem::Empty),
        ([], several) | (several, _) => Err(LayoutProblem::WhichSheet { sheets: sheets(several) }),
    }
}
