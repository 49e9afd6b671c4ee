//! Merchants in a CSV file: a column `name`, and perhaps `website` and `color`.
//!
//! The file is small, so it is read as a whole; all problems in it are reported at once, by lines.

use std::io::Cursor;

use purser_core::error::{Error, Problems, Result};
use purser_core::labels::input::{LabelInput, LabelKind};
use purser_core::text::label::name_key;
use purser_formats::csv::reader::{Reader, Record};
use purser_formats::decode::{detect, transcode};

/// The characters that may separate cells.
const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// The number of rows that a file may have.
const ROWS_MAX: usize = 10_000;
/// The number of problems that are reported at most.
const PROBLEMS_MAX: usize = 20;

/// The positions of the columns.
struct Columns {
    name: usize,
    website: Option<usize>,
    color: Option<usize>,
}

impl Columns {
    fn find(headers: &[String]) -> Option<Self> {
        let at = |wanted: &str| headers.iter().position(|header| name_key(header) == wanted);
        Some(Self { name: at("name")?, website: at("website"), color: at("color") })
    }
}

/// Reads the merchants of a file, in its order.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<LabelInput>> {
    let text = text_of(bytes)?;
    let found = SEPARATORS.iter().find_map(|separator| {
        let mut reader = Reader::new(Cursor::new(&text), *separator);
        let headers = cells_of(&reader.read().ok()??);
        Columns::find(&headers).map(|columns| (columns, *separator))
    });
    let Some((columns, separator)) = found else {
        return Err(Error::invalid_code(
            "missing_column",
            "The file has no column called name in its first line",
        ));
    };
    let mut problems = Problems::new();
    let mut merchants = Vec::new();
    for (line, cells) in records(&text, separator)?.into_iter().skip(1) {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let cell = |at: usize| Some(cells.get(at).cloned());
        let merchant = LabelInput {
            name: cell(columns.name),
            website: columns.website.and_then(cell),
            color: columns.color.and_then(cell),
            ..LabelInput::default()
        };
        if let Err(Error::Invalid { problems: errors, .. }) =
            merchant.check_new(LabelKind::Merchant)
        {
            errors
                .iter()
                .for_each(|error| problems.remark(format!("Line {line}"), error.to_string()));
        }
        merchants.push(merchant);
    }
    let mut problems = problems.into_list();
    problems.truncate(PROBLEMS_MAX);
    match problems.is_empty() {
        true => Ok(merchants),
        false => Err(Error::invalid_list("validation_failed", problems)),
    }
}

fn text_of(bytes: &[u8]) -> Result<Vec<u8>> {
    let unreadable = |_| Error::invalid_code("invalid_csv", "The file is not text");
    let encoding = detect(&mut Cursor::new(bytes)).map_err(unreadable)?;
    let mut text = Vec::with_capacity(bytes.len());
    transcode(&mut Cursor::new(bytes), &mut text, &encoding).map_err(unreadable)?;
    Ok(text)
}

/// The records with their lines.
fn records(text: &[u8], separator: u8) -> Result<Vec<(u64, Vec<String>)>> {
    let mut reader = Reader::new(Cursor::new(text), separator);
    let mut records = Vec::new();
    loop {
        let record = reader.read();
        let record = record.map_err(|error| {
            Error::invalid_code("invalid_csv", format!("The file is no CSV: {error}"))
        })?;
        let Some(record) = record else { return Ok(records) };
        if records.len() > ROWS_MAX {
            let message = format!("The file has more than {ROWS_MAX} rows");
            return Err(Error::invalid_code("file_too_large", message));
        }
        records.push((record.line, cells_of(&record)));
    }
}

fn cells_of(record: &Record<'_>) -> Vec<String> {
    record.cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let read = read(text.as_bytes()).unwrap().into_iter();
        read.map(|one| one.name.flatten().unwrap()).collect()
    }

    fn code(bytes: &[u8]) -> &'static str {
        read(bytes).unwrap_err().code()
    }

    #[test]
    fn the_column_is_found_whatever_separates_it() {
        assert_eq!(names("name\nCorner Shop\n\"A, B\"\n"), ["Corner Shop", "A, B"]);
        assert_eq!(names("id;NAME ;website\n1; Café ;shop.example\n;;\n"), ["Café"]);
        assert_eq!(names("\u{feff}name\tid\nA\t1\n"), ["A"]);
        assert!(names("name\n").is_empty());
        let latin = read(b"name\nCaf\xe9 Noir\n").unwrap();
        assert_eq!(latin[0].name, Some(Some("Café Noir".into())));
    }

    #[test]
    fn problems_are_reported_by_lines() {
        assert_eq!(code(b"title\nA\n"), "missing_column");
        assert_eq!(code(b""), "missing_column");
        assert_eq!(code(b"name\n\"A\n"), "invalid_csv");
        let Err(Error::Invalid { problems: errors, .. }) =
            read(b"name,color\n,#112233\nA,red\nB,\n")
        else {
            panic!("accepted");
        };
        assert_eq!(
            purser_core::error::texts(&errors),
            ["Line 2: Name is required", "Line 3: The color must be a color such as #4f63c6"]
        );
        let many = format!("name\n{}", "A\n".repeat(ROWS_MAX + 1));
        assert_eq!(code(many.as_bytes()), "file_too_large");
    }
}
