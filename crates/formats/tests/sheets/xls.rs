//! Workbooks of Excel 97 to 2003, read back as the tables that they were written from.

use std::io::Cursor;
use std::ops::ControlFlow;

use purser_formats::sheets::{SheetError, Workbook};

use crate::random::Random;
use crate::xls_writing::{XlsCell, XlsSheet, XlsStyle, compound, workbook};
use crate::{Sheets, read};

/// Doubles by their bits, and as people see them.
const DOUBLES: [(u64, &str); 7] = [
    (0x4093_4A3D_70A3_D70A, "1234.56"),
    (0x3FD3_3333_3333_3334, "0.3"),
    (0xBFB9_9999_9999_999A, "-0.1"),
    (0, "0"),
    (0x3FF0_0000_0000_0000, "1"),
    (0x40F8_6A00_0000_0000, "100000"),
    (0xC0A3_8800_0000_0000, "-2500"),
];
const TEXTS: [&str; 6] =
    ["Müller & Söhne", "€ 5", "Überweisung, \"eilig\"", "Ж", "a", "A longer text of a bank"];

fn cell(random: &mut Random) -> XlsCell {
    let text = |random: &mut Random| (*random.pick(&TEXTS)).to_owned();
    match random.below(10) {
        0 | 1 => XlsCell::Shared(text(random)),
        2 => XlsCell::Text(text(random)),
        3 => XlsCell::Computed(text(random)),
        4 => XlsCell::Short(i32::try_from(random.between(-9_999_999, 9_999_999)).unwrap(), false),
        5 => XlsCell::Short(i32::try_from(random.between(-9_999_999, 9_999_999)).unwrap(), true),
        6 => XlsCell::Double(random.pick(&DOUBLES).0),
        7 => XlsCell::ComputedDouble(random.pick(&DOUBLES).0),
        8 => XlsCell::Day(u16::try_from(random.between(2_000, 60_000)).unwrap()),
        _ => random.pick(&[XlsCell::Truth(true), XlsCell::Truth(false), XlsCell::Error]).clone(),
    }
}

fn expected(cell: &XlsCell) -> String {
    match cell {
        XlsCell::Shared(text) | XlsCell::Text(text) | XlsCell::Computed(text) => text.clone(),
        XlsCell::Short(number, false) => number.to_string(),
        XlsCell::Short(number, true) => {
            let sign = if *number < 0 { "-" } else { "" };
            let number = number.abs();
            let text = format!("{sign}{}.{:02}", number / 100, number % 100);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        XlsCell::Double(bits) | XlsCell::ComputedDouble(bits) => {
            DOUBLES.iter().find(|(known, _)| known == bits).unwrap().1.to_owned()
        }
        XlsCell::Day(day) => {
            let first = jiff::civil::date(1899, 12, 30);
            first.checked_add(jiff::Span::new().days(i64::from(*day))).unwrap().to_string()
        }
        XlsCell::Truth(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
        XlsCell::Error => "#N/A".to_owned(),
    }
}

fn table(sheet: &XlsSheet<'_>) -> (String, Vec<(u64, Vec<String>)>) {
    let mut rows: Vec<(u64, Vec<String>)> = Vec::new();
    for (row, column, cell) in &sheet.1 {
        let number = u64::from(*row) + 1;
        if rows.last().is_none_or(|(last, _)| *last != number) {
            rows.push((number, Vec::new()));
        }
        let (_, cells) = rows.last_mut().unwrap();
        cells.resize(usize::from(*column), String::new());
        cells.push(expected(cell));
    }
    (sheet.0.to_owned(), rows)
}

fn by_chance(random: &mut Random) -> (Vec<XlsSheet<'static>>, XlsStyle) {
    let names = ["Umsätze", "Second & more", "Hidden"];
    let sheets = names.into_iter().take(1 + random.below(3)).map(|name| {
        let mut cells = Vec::new();
        let mut row = 0;
        for _ in 0..random.below(12) {
            row += 1 + u16::try_from(random.below(3)).unwrap();
            let columns = 1 + u16::try_from(random.below(6)).unwrap();
            for column in 0..columns {
                if column == 0 || !random.one_in(3) {
                    cells.push((row, column, cell(random)));
                }
            }
        }
        (name, cells)
    });
    let sheets = sheets.collect();
    let style = XlsStyle {
        segment: *random.pick(&[24, 31, 100, 8_224]),
        is_wide: random.one_in(3),
        is_backwards: random.one_in(4),
        since_1904: random.one_in(3),
        padding: *random.pick(&[0, 5_000, 70_000]),
    };
    (sheets, style)
}

#[test]
fn old_workbooks_are_read_as_their_tables() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let (sheets, style) = by_chance(&mut random);
        let file = workbook(&sheets, style);
        let tables: Sheets<String> = sheets.iter().map(table).collect();
        assert_eq!(read(&file).unwrap(), tables, "seed {seed}: {style:?}");
    }
}

#[test]
fn old_workbooks_that_are_broken_are_refused_or_read_within_bounds() {
    let mut random = Random::new(9);
    let (sheets, style) = by_chance(&mut random);
    let file = workbook(&sheets, XlsStyle { padding: 0, ..style });
    for at in 0..file.len() {
        for change in [1, 0x80, 0xFF] {
            let mut changed = file.clone();
            changed[at] ^= change;
            // No checksum shows it; but whatever comes of it ends.
            let _ = read(&changed);
        }
    }
    for length in 0..file.len() {
        let _ = read(&file[..length]);
    }
}

#[test]
fn documents_that_are_no_workbook_are_refused_with_one_sentence() {
    let refusal = |file: Vec<u8>| Workbook::open(Cursor::new(file)).unwrap_err().to_string();
    assert_eq!(refusal(compound("WordDocument", &[0; 5_000])), "The document is no spreadsheet");
    assert!(refusal(compound("Book", &[0; 100])).contains("version of Excel before 97"));
    assert!(refusal(compound("EncryptedPackage", &[0; 5_000])).contains("encrypted"));
    let old = [9, 8, 4, 0, 0, 5, 5, 0, 10, 0, 0, 0];
    assert!(refusal(compound("Workbook", &old)).contains("before 97"));
    let encrypted = [9, 8, 4, 0, 0, 6, 5, 0, 0x2F, 0, 2, 0, 0, 0, 10, 0, 0, 0];
    assert!(refusal(compound("Workbook", &encrypted)).contains("encrypted with a password"));
}

#[test]
fn a_loop_in_the_chain_of_sectors_ends() {
    let mut file = workbook(&[("A", Vec::new())], XlsStyle::PLAIN);
    // The last three sectors are the directory and the two tables; the directory goes on in itself.
    let (directory, table) = (file.len() / 512 - 4, file.len() - 512 + 4 * (file.len() / 512 - 4));
    file[table..table + 4].copy_from_slice(&u32::try_from(directory).unwrap().to_le_bytes());
    let error = Workbook::open(Cursor::new(file)).map(drop).unwrap_err();
    assert!(matches!(error, SheetError::Damaged("a chain has no end")), "{error}");
}

#[test]
fn reading_stops_when_no_more_rows_are_needed() {
    let cells = (0..50).map(|row| (row, 0, XlsCell::Short(i32::from(row), false))).collect();
    let file = workbook(&[("A", cells)], XlsStyle::PLAIN);
    let mut book = Workbook::open(Cursor::new(file)).unwrap();
    let mut rows = 0;
    book.rows(0, |_| {
        rows += 1;
        if rows == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(rows, 3);
}
