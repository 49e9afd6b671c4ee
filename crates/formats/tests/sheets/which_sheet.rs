//! Which sheet of a workbook has the table, and which type of import it is for.

use std::io::Cursor;

use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::settings::Settings;
use purser_core::import::source_file::FileFormat;
use purser_formats::programs::import_type_of;
use purser_formats::sheets::{Workbook, find_table, format_of, survey};

use crate::writing::zip;
use crate::xls_writing::{XlsCell, XlsSheet, XlsStyle, workbook};

fn sheet<'s>(name: &'s str, rows: &[&[&str]]) -> XlsSheet<'s> {
    let mut cells = Vec::new();
    for (row, texts) in (0..).zip(rows) {
        for (column, text) in (0..).zip(*texts) {
            let cell = match text.parse::<u16>() {
                Ok(day) if day > 40_000 => XlsCell::Day(day),
                Ok(number) => XlsCell::Short(-i32::from(number), true),
                Err(_) => XlsCell::Shared((*text).to_owned()),
            };
            cells.push((row, column, cell));
        }
    }
    (name, cells)
}

const ROWS: &[&[&str]] =
    &[&["Konto 123"], &["Datum", "Betrag", "Text"], &["45322", "1250", "Bäcker"]];
const SUMMARY: &[&[&str]] = &[&["Category", "Sum"], &["Food", "1250"]];
const NOTES: &[&[&str]] = &[&["Made by the bank"], &["Page", "of", "two"]];

fn found(
    sheets: &[XlsSheet<'_>],
    kind: Kind,
    wanted: Option<&str>,
) -> Result<String, LayoutProblem> {
    let file = workbook(sheets, XlsStyle::PLAIN);
    let mut book = Workbook::open(Cursor::new(file)).unwrap();
    let tables = survey(&mut book, kind, &Settings::default()).unwrap();
    find_table(&tables, wanted).map(|table| table.sheet.name.clone())
}

fn asked(problem: LayoutProblem) -> Vec<String> {
    match problem {
        LayoutProblem::WhichSheet { sheets } | LayoutProblem::NoSheet { sheets, .. } => {
            sheets.into_iter().map(|sheet| sheet.name).collect()
        }
        other => panic!("{other}"),
    }
}

#[test]
fn the_only_sheet_with_the_table_is_found() {
    let book = [sheet("Notes", NOTES), sheet("Sum", SUMMARY), sheet("Rows", ROWS), sheet("E", &[])];
    assert_eq!(found(&book, Kind::Transaction, None).unwrap(), "Rows");
    assert_eq!(found(&book, Kind::Transaction, Some("sum")).unwrap(), "Sum");
    let no_such = asked(found(&book, Kind::Transaction, Some("E")).unwrap_err());
    assert_eq!(no_such, ["Notes", "Sum", "Rows"]);
    assert_eq!(found(&[sheet("Any", NOTES)], Kind::Transaction, None).unwrap(), "Any");
    let empty = found(&[sheet("A", &[])], Kind::Transaction, None).unwrap_err();
    assert_eq!(empty, LayoutProblem::Empty);
}

#[test]
fn several_sheets_with_a_table_are_a_question() {
    let book = [sheet("January", ROWS), sheet("Sum", SUMMARY), sheet("February", ROWS)];
    let problem = found(&book, Kind::Transaction, None).unwrap_err();
    assert_eq!(
        problem.to_string(),
        "Several sheets have a table (\"January\", \"February\"); say which one it is"
    );
    assert_eq!(asked(problem), ["January", "February"]);
    assert_eq!(found(&book, Kind::Transaction, Some("FEBRUARY ")).unwrap(), "February");
    let none =
        asked(found(&[sheet("A", NOTES), sheet("B", NOTES)], Kind::Trade, None).unwrap_err());
    assert_eq!(none, ["A", "B"], "none has it");
}

#[test]
fn rows_without_a_header_are_a_table() {
    let rows: &[&[&str]] = &[&["45322", "Baker", "1250"], &["45323", "Rent", "900"]];
    let book = [sheet("Notes", NOTES), sheet("Rows", rows)];
    assert_eq!(found(&book, Kind::Transaction, None).unwrap(), "Rows");
}

#[test]
fn the_type_is_that_of_the_tables() {
    let trades: &[&[&str]] = &[&["Date", "Symbol", "Quantity", "Price"]];
    let type_of = |sheets: &[XlsSheet<'_>]| {
        let file = workbook(sheets, XlsStyle::PLAIN);
        import_type_of(Cursor::new(file), Some("x.xls")).unwrap()
    };
    assert_eq!(type_of(&[sheet("N", NOTES), sheet("T", trades)]), Some(ImportType::Trade));
    assert_eq!(type_of(&[sheet("R", ROWS)]), None);
    let mint: &[&[&str]] = &[&[
        "Date",
        "Description",
        "Original Description",
        "Amount",
        "Transaction Type",
        "Category",
        "Account Name",
    ]];
    assert_eq!(type_of(&[sheet("M", mint)]), None, "only as CSV");
}

#[test]
fn formats_are_recognised_by_content() {
    let format = |bytes: &[u8]| format_of(Cursor::new(bytes)).unwrap();
    assert_eq!(format(&workbook(&[sheet("A", ROWS)], XlsStyle::PLAIN)), Some(FileFormat::Xls));
    let part = |name: &'static str| (name, &b"<a/>"[..], false);
    let xlsx = zip(&[part("[Content_Types].xml"), part("_rels/.rels"), part("xl/workbook.xml")]);
    assert_eq!(format(&xlsx), Some(FileFormat::Xlsx));
    assert_eq!(format(&zip(&[part("mimetype"), part("content.xml")])), Some(FileFormat::Ods));
    assert_eq!(format(&zip(&[part("statement.xml")])), None);
    assert_eq!(format(b"PK\x03\x04 cut off"), None);
    assert_eq!(format(b"Date,Amount\n"), None);
}
