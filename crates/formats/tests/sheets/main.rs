//! Spreadsheets, written from tables that are known, as programs write them.

#![expect(clippy::unwrap_used, reason = "a failed test should stop")]

#[path = "../bank_files/random.rs"]
mod random;
mod which_sheet;
mod writing;
mod xls;
mod xls_writing;

use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use purser_formats::archive::Archive;
use purser_formats::sheets::{CsvWriter, SheetError, Workbook};

use random::Random;
use writing::{Book, Cell, Rows, Sheets, zip};

/// The table of each sheet, with the numbers of its rows.
fn read(file: &[u8]) -> Result<Sheets<String>, SheetError> {
    let mut book = Workbook::open(Cursor::new(file))?;
    let sheets = book.sheets().to_vec();
    let mut tables = Vec::new();
    for (at, sheet) in sheets.into_iter().enumerate() {
        let mut rows = Vec::new();
        book.rows(at, |row| {
            rows.push((row.number, row.cells.to_vec()));
            ControlFlow::Continue(())
        })?;
        tables.push((sheet.name, rows));
    }
    Ok(tables)
}

#[test]
fn workbooks_are_read_as_their_tables() {
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let book = Book::new(&mut random);
        let file = book.written(&mut random);
        assert_eq!(read(&file).unwrap(), book.expected(), "seed {seed}");
    }
}

#[test]
fn a_changed_byte_changes_nothing_silently() {
    let mut random = Random::new(77);
    let book = Book::small();
    let file = book.written(&mut random);
    assert!(file.len() < 6_000, "{}", file.len());
    let mut refused = 0;
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= 1 << (at % 8);
        match read(&changed) {
            // Days of parts and notes of programs are of no consequence.
            Ok(tables) => assert_eq!(tables, book.expected(), "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > file.len() / 3, "{refused} of {}", file.len());
    for length in (0..file.len()).step_by(7) {
        assert!(read(&file[..length]).is_err(), "{length}");
    }
}

#[test]
fn a_table_becomes_csv_with_a_line_for_each_row() {
    let mut random = Random::new(5);
    let mut book = Book::small();
    book.sheets[0].1 = vec![
        (2, vec![Cell::Text("a, \"b\"".to_owned()), Cell::Blank, Cell::Text("c\nd".to_owned())]),
        (4, vec![Cell::Number("-1.5E2"), Cell::Text("e".to_owned())]),
    ];
    let file = book.written(&mut random);
    let mut book = Workbook::open(Cursor::new(&file)).unwrap();
    let mut text = Vec::new();
    let mut writer = CsvWriter::new(&mut text);
    book.rows(0, |row| {
        writer.write(row).unwrap();
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "\n\"a, \"\"b\"\"\",,c d\n\n-150,e\n");
}

#[test]
fn a_text_among_numbers_is_no_number_that_anybody_guesses() {
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = |amounts: &[Cell]| {
        let row = |(at, amount): (u64, &Cell)| (at, vec![text("a"), amount.clone()]);
        (1..).zip(amounts).map(row).collect::<Vec<_>>()
    };
    let mixed = [text("Amount"), Cell::Number("12.5"), Cell::Number("-3"), text("1.234")];
    let texts = [text("Amount"), text("12,50"), text("1.234")];
    for (amounts, columns, last) in
        [(&mixed[..], &[1_usize][..], "a,1.234 ?\n"), (&texts, &[], "a,1.234\n")]
    {
        let mut book = Book::small();
        book.sheets[0].1 = rows(amounts);
        let file = book.written(&mut Random::new(5));
        let mut book = Workbook::open(Cursor::new(&file)).unwrap();
        let found = book.write_sheet(0, Vec::new()).unwrap();
        assert_eq!(found, columns);
        let mut table = Vec::new();
        book.write_sheet_with(0, &found, &mut table).unwrap();
        let table = String::from_utf8(table).unwrap();
        assert!(table.ends_with(last) && !table.contains('\u{FDD0}'), "{table}");
    }
}

fn refusal(parts: &[(&str, &str)]) -> String {
    let parts: Vec<_> = parts.iter().map(|(name, text)| (*name, text.as_bytes(), true)).collect();
    read(&zip(&parts)).unwrap_err().to_string()
}

const ROOT: (&str, &str) = (
    "_rels/.rels",
    "<Relationships><Relationship Id='1' Type='x/officeDocument' Target='xl/workbook.xml'/>\
     </Relationships>",
);
const RELS: (&str, &str) = (
    "xl/_rels/workbook.xml.rels",
    "<Relationships><Relationship Id='r1' Type='x/worksheet' Target='sheet.xml'/>\
     <Relationship Id='r2' Type='x/sharedStrings' Target='/xl/texts.xml'/></Relationships>",
);
const BOOK: (&str, &str) =
    ("xl/workbook.xml", "<workbook><sheets><sheet name='A' r:id='r1'/></sheets></workbook>");
const TEXTS: (&str, &str) = ("xl/texts.xml", "<sst><si><t>x</t></si></sst>");

#[test]
fn what_cant_be_read_is_refused_with_its_place() {
    for (row, reason) in [
        (
            "<row r='3'><c t='s'><v>1</v></c></row>",
            "Row 3: a cell points to a text that isn't there",
        ),
        ("<row><c><v>1,5</v></c></row>", "Row 1: a number can't be read"),
        ("<row r='2'/><row r='2'/>", "Row 2: its number doesn't follow from the one before"),
        ("<row r='9999999'/>", "Row 9999999: its number doesn't follow from the one before"),
        ("<row r='x'/>", "Row 0: its number can't be read"),
        (
            "<row><c r='B1'/><c r='A1'/></row>",
            "Row 1: its cells are not in the order of the columns",
        ),
        ("<row><c r='1A'/></row>", "Row 1: a cell has a place that can't be read"),
        ("<row><c r='ZZZ1'><v>1</v></c></row>", "Row 1: it has more than 512 columns"),
        ("<row><c t='q'><v>1</v></c></row>", "Row 1: a cell has a type that isn't read"),
    ] {
        let sheet = format!("<worksheet><sheetData>{row}</sheetData></worksheet>");
        let sheet = ("xl/sheet.xml", sheet.as_str());
        assert_eq!(refusal(&[ROOT, RELS, BOOK, TEXTS, sheet]), reason);
    }
    let sheet = ("xl/sheet.xml", "<worksheet><sheetData>");
    let error = refusal(&[ROOT, RELS, BOOK, TEXTS, sheet]);
    assert_eq!(
        error,
        "In \"xl/sheet.xml\" of the spreadsheet: Line 1: The file is cut off: <sheetData> has no end"
    );
    assert_eq!(refusal(&[ROOT, RELS, BOOK, TEXTS]), "The archive has no \"xl/sheet.xml\"");
    assert_eq!(refusal(&[TEXTS]), "The archive has no \"_rels/.rels\"");
    assert!(read(b"PK\x03\x04 no archive").unwrap_err().to_string().contains("no ZIP archive"));
    let entity = ("xl/texts.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><sst/>");
    assert!(refusal(&[ROOT, RELS, BOOK, entity]).contains("document type declaration"));
}

#[test]
fn bombs_are_bounded() {
    let bomb = vec![b'x'; 8 * 1024 * 1024];
    let file = zip(&[("bomb", &bomb, true)]);
    assert!(file.len() < 100_000);
    let mut archive = Archive::open(Cursor::new(&file)).unwrap();
    let mut part = archive.read("bomb", 1_000_000).unwrap();
    let mut inflated = Vec::new();
    let error = part.read_to_end(&mut inflated).unwrap_err();
    assert_eq!(error.to_string(), "a part of the archive is larger than is read");
    assert!(inflated.len() < 2_000_000);
    // The texts that cells share are in memory, so there may be fewer of them.
    let texts =
        format!("<sst>{}</sst>", format!("<si><t>{}</t></si>", "0".repeat(1_000)).repeat(34_000));
    let refused = refusal(&[ROOT, RELS, BOOK, ("xl/texts.xml", &texts)]);
    assert!(refused.contains("bytes of texts"), "{refused}");
}

/// A spreadsheet of OpenDocument with this table.
fn ods(table: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content><office:body><office:spreadsheet>\
         <table:table table:name=\"First\"><table:table-row><table:table-cell><text:p>other</text:p>\
         </table:table-cell></table:table-row></table:table>\
         <table:table table:name=\"A &amp; B\">{table}</table:table></office:spreadsheet>\
         </office:body></office:document-content>"
    );
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet", false),
        ("content.xml", content.as_bytes(), true),
    ])
}

fn ods_rows(table: &str) -> Result<Rows<String>, String> {
    let tables = read(&ods(table)).map_err(|error| error.to_string())?;
    assert_eq!((tables[0].0.as_str(), tables[1].0.as_str()), ("First", "A & B"));
    assert_eq!(tables[0].1, [(1, vec!["other".to_owned()])]);
    Ok(tables[1].1.clone())
}

#[test]
fn sheets_of_open_document_are_read() {
    let table = "<table:table-column/><table:table-row table:number-rows-repeated=\"2\">\
        <table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row>\
        <table:table-row><table:table-cell office:value-type=\"string\"><office:annotation>\
        <text:p>a note</text:p></office:annotation><text:p>two<text:s/>words</text:p>\
        <text:p>more &amp; <text:span>more</text:span></text:p></table:table-cell>\
        <table:covered-table-cell table:number-columns-repeated=\"2\"/>\
        <table:table-cell office:value-type=\"date\" office:date-value=\"2024-01-31\">\
        <text:p>31.01.24</text:p></table:table-cell>\
        <table:table-cell office:value-type=\"currency\" office:value=\"-1234.5\" \
        table:number-columns-repeated=\"2\"><text:p>-1.234,50 €</text:p></table:table-cell>\
        <table:table-cell table:number-columns-repeated=\"1018\"/></table:table-row>\
        <table:table-row table:number-rows-repeated=\"2\"><table:table-cell \
        office:value-type=\"date\" office:date-value=\"2024-01-31T12:30:00\"/>\
        <table:table-cell office:value-type=\"boolean\" office:boolean-value=\"true\"/>\
        </table:table-row><table:table-row table:number-rows-repeated=\"1048571\">\
        <table:table-cell table:number-columns-repeated=\"16384\"/></table:table-row>";
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let third = texts(&["two words more & more", "", "", "2024-01-31", "-1234.5", "-1234.5"]);
    let last = texts(&["2024-01-31 12:30:00", "TRUE"]);
    assert_eq!(ods_rows(table).unwrap(), [(3, third), (4, last.clone()), (5, last)]);
}

#[test]
fn hostile_sheets_of_open_document_are_refused() {
    let cell = |more: &str| {
        format!(
            "<table:table-row><table:table-cell {more}><text:p>x</text:p></table:table-cell></table:table-row>"
        )
    };
    let number = cell("office:value-type='float' office:value='1,5'");
    assert_eq!(ods_rows(&number).unwrap_err(), "Row 1: a number can't be read");
    let wide = cell("table:number-columns-repeated='513'");
    assert_eq!(ods_rows(&wide).unwrap_err(), "Row 1: it has more than 512 columns");
    let wide = cell("table:number-columns-repeated='99999999999999999999'");
    assert_eq!(ods_rows(&wide).unwrap_err(), "Row 1: the number of a cell can't be read");
    let long = "x".repeat(100_000);
    let many = format!(
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell><text:p>{long}\
         </text:p></table:table-cell></table:table-row>"
    );
    assert!(ods_rows(&many).unwrap_err().contains("longer than is read"));
    let inner = "<table:table-row><table:table-cell><table:table table:name='x'/>\
        </table:table-cell></table:table-row>";
    assert!(ods_rows(inner).unwrap_err().ends_with("a cell has a table in it"));
    let down = cell("")
        .repeat(2)
        .replace("<table:table-row>", "<table:table-row table:number-rows-repeated='1048576'>");
    assert!(ods_rows(&down).unwrap_err().contains("more rows than one can have"));
}
