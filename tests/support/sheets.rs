//! Spreadsheets and archives for tests of uploads.

use std::fmt::Write as _;

use purser_formats::archive::writer::ArchiveWriter;

/// A cell of a sheet.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell {
    /// A text, in the cell itself.
    Text(&'static str),
    /// A number, as a program stores it.
    Number(&'static str),
    /// The days since the end of 1899, shown as a day.
    Day(u32),
    /// A formula with the value that was computed last, or without one.
    Formula(Option<&'static str>),
}

/// A sheet: the name on its tab, and its rows.
pub(crate) type Sheet<'s> = (&'s str, &'s [&'s [Cell]]);

/// An archive of parts.
pub(crate) fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, content) in parts {
        archive.part(name, |part| part.write_all(content)).expect("memory takes all of it");
    }
    archive.finish().expect("memory takes all of it")
}

/// A workbook of Office Open XML.
pub(crate) fn xlsx(sheets: &[Sheet<'_>]) -> Vec<u8> {
    let (mut names, mut relations) = (String::new(), String::new());
    let mut parts = Vec::new();
    for (at, (name, rows)) in sheets.iter().enumerate() {
        let _ = write!(names, "<sheet name=\"{name}\" sheetId=\"{}\" r:id=\"r{at}\"/>", at + 1);
        let _ = write!(
            relations,
            "<Relationship Id=\"r{at}\" Type=\"http://x/worksheet\" Target=\"sheet{at}.xml\"/>"
        );
        let rows: String = (1..).zip(*rows).map(|(number, cells)| row(number, cells)).collect();
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        parts.push((format!("xl/sheet{at}.xml"), sheet));
    }
    let text = |name: &str, text: String| (name.to_owned(), text);
    parts.extend([
        text("[Content_Types].xml", "<Types/>".to_owned()),
        text(
            "_rels/.rels",
            "<Relationships><Relationship Id=\"1\" Type=\"http://x/officeDocument\" \
             Target=\"xl/workbook.xml\"/></Relationships>"
                .to_owned(),
        ),
        text("xl/workbook.xml", format!("<workbook><sheets>{names}</sheets></workbook>")),
        text(
            "xl/_rels/workbook.xml.rels",
            format!(
                "<Relationships>{relations}<Relationship Id=\"s\" Type=\"http://x/styles\" \
                 Target=\"styles.xml\"/></Relationships>"
            ),
        ),
        text(
            "xl/styles.xml",
            "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
                .to_owned(),
        ),
    ]);
    let parts: Vec<(&str, &[u8])> =
        parts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    zip(&parts)
}

fn row(number: usize, cells: &[Cell]) -> String {
    let cells: String = (b'A'..)
        .zip(cells)
        .map(|(column, cell)| {
            let place = format!("{}{number}", char::from(column));
            match cell {
                Cell::Text(text) => {
                    let text = text.replace('&', "&amp;");
                    format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
                }
                Cell::Number(text) => format!("<c r=\"{place}\"><v>{text}</v></c>"),
                Cell::Day(day) => format!("<c r=\"{place}\" s=\"1\"><v>{day}</v></c>"),
                Cell::Formula(value) => {
                    let value = value.map(|it| format!("<v>{it}</v>")).unwrap_or_default();
                    format!("<c r=\"{place}\"><f>SUM(A1:A2)</f>{value}</c>")
                }
            }
        })
        .collect();
    format!("<row r=\"{number}\">{cells}</row>")
}

/// A spreadsheet of OpenDocument with one sheet: days and numbers as such, other cells as texts.
pub(crate) fn ods(name: &str, rows: &[&[&str]]) -> Vec<u8> {
    let cell = |text: &&str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
        match (is_number, text.len() == 10 && text.matches('-').count() == 2) {
            (true, true) => format!(
                "<table:table-cell office:value-type=\"date\" office:date-value=\"{text}\"/>"
            ),
            (true, false) if !text.is_empty() => {
                format!("<table:table-cell office:value-type=\"float\" office:value=\"{text}\"/>")
            }
            _ => format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>"),
        }
    };
    let row = |cells: &&[&str]| {
        let cells: String = cells.iter().map(cell).collect();
        format!("<table:table-row>{cells}</table:table-row>")
    };
    let rows: String = rows.iter().map(row).collect();
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table \
         table:name=\"{name}\">{rows}</table:table></office:spreadsheet></office:body>\
         </office:document-content>"
    );
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
    ])
}
