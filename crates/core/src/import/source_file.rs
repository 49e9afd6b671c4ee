//! What an uploaded file is, before anything in it is interpreted: its format, and the sheets of a
//! spreadsheet.

use serde::{Deserialize, Serialize};

use crate::named::text_enum;
use crate::text::quoted;

text_enum! {
    /// The format of a file, by its content.
    FileFormat {
        /// A table as text, whatever separates its cells.
        Csv = "csv",
        /// Open Financial Exchange, QFX too.
        Ofx = "ofx",
        /// Reports of a day by ISO 20022.
        Camt052 = "camt.052",
        /// Statements by ISO 20022.
        Camt053 = "camt.053",
        /// Notifications by ISO 20022.
        Camt054 = "camt.054",
        /// Statements in the format of SWIFT.
        Mt940 = "mt940",
        /// Reports of a day of SWIFT.
        Mt942 = "mt942",
        /// A workbook of Office Open XML.
        Xlsx = "xlsx",
        /// A spreadsheet of OpenDocument.
        Ods = "ods",
        /// A workbook of Excel 97 to 2003.
        Xls = "xls",
        /// A statement as a PDF document.
        Pdf = "pdf",
        /// The Quicken Interchange Format, as text.
        Qif = "qif",
        /// One JSON object on each line.
        Ndjson = "ndjson",
    }
}

impl FileFormat {
    /// Whether it is a file of bank statements, of which a table is made.
    pub fn has_statements(self) -> bool {
        use FileFormat::{Camt052, Camt053, Camt054, Mt940, Mt942, Ofx};
        matches!(self, Ofx | Camt052 | Camt053 | Camt054 | Mt940 | Mt942)
    }

    /// Whether it is a spreadsheet.
    pub fn has_sheets(self) -> bool {
        matches!(self, Self::Xlsx | Self::Ods | Self::Xls)
    }
}

/// A sheet of a spreadsheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceSheet {
    /// The name on its tab.
    pub name: String,
    /// Whether programs don't show it.
    pub is_hidden: bool,
    /// Whether it has the table that the import looks for.
    pub has_table: bool,
    /// The header of its table, or its first row.
    pub columns: Vec<String>,
}

/// An uploaded file as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceFile {
    /// The format; none of imports that earlier versions stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// How many files an archive of statements has; none if it is no such archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    /// The sheets of a spreadsheet that aren't empty, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sheets: Vec<SourceSheet>,
    /// The sheet that is read; none while that is a question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// How many lines each of the chunks had that the file was sent in; none if it came whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunk_lines: Vec<u64>,
    /// What the bank statements in it contradict or lack, so that nothing proves their rows; each
    /// as a sentence without a full stop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<String>,
    /// The balances at the ends of its accounts that a document doesn't state, so that rows may be
    /// missing there; each as a sentence without a full stop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unstated_ends: Vec<String>,
}

impl SourceFile {
    /// A file in which nothing has to be chosen.
    pub fn of(format: FileFormat) -> Self {
        Self { format: Some(format), ..Self::default() }
    }

    /// What it is, for people: `XLSX, sheet "January"`.
    pub fn sentence(&self) -> Option<String> {
        let format = self.format?.as_str().to_ascii_uppercase();
        Some(match (&self.sheet, self.files) {
            (Some(sheet), _) if self.sheets.len() > 1 => {
                format!("{format}, sheet \"{}\" of {}", quoted(sheet), self.sheets.len())
            }
            (Some(sheet), _) => format!("{format}, sheet \"{}\"", quoted(sheet)),
            (None, Some(1)) => format!("{format}, 1 file in an archive"),
            (None, Some(files)) => format!("{format}, {files} files in an archive"),
            (None, None) => format,
        })
    }

    /// What a line of it is called.
    pub fn line_word(&self) -> &'static str {
        if self.sheet.is_some() { "row" } else { "line" }
    }

    /// The place of a line, with a capital: of a spreadsheet the row in its sheet, of a file that
    /// came in chunks the line in its chunk.
    pub fn place_of(&self, line: u64) -> String {
        match &self.sheet {
            Some(sheet) => format!("Sheet \"{}\", row {line}", quoted(sheet)),
            None => match self.chunk_of(line) {
                Some((chunk, line)) => format!("Chunk {chunk}, line {line}"),
                None => format!("Line {line}"),
            },
        }
    }

    /// The chunk of a line, counted from 1, and the line in the chunk.
    fn chunk_of(&self, line: u64) -> Option<(usize, u64)> {
        let mut rest = line;
        for (at, lines) in self.chunk_lines.iter().enumerate() {
            if rest <= *lines {
                return Some((at + 1, rest));
            }
            rest -= lines;
        }
        None
    }
}

/// Whether two names are of the same sheet: programs don't distinguish capitals.
pub fn is_same_sheet(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_or_rows_of_a_sheet() {
        let mut file = SourceFile::of(FileFormat::Csv);
        assert_eq!(file.place_of(5), "Line 5");
        assert_eq!(file.sentence().as_deref(), Some("CSV"));
        file.sheet = Some("Umsätze".to_owned());
        assert_eq!(file.place_of(5), "Sheet \"Umsätze\", row 5");
        assert_eq!(file.sentence().as_deref(), Some("CSV, sheet \"Umsätze\""));
        let archive = SourceFile { files: Some(3), ..SourceFile::of(FileFormat::Camt053) };
        assert_eq!(archive.sentence().as_deref(), Some("CAMT.053, 3 files in an archive"));
        assert_eq!(SourceFile::default().sentence(), None);
        let chunks = SourceFile { chunk_lines: vec![3, 0, 2], ..SourceFile::default() };
        for (line, place) in [
            (1, "Chunk 1, line 1"),
            (3, "Chunk 1, line 3"),
            (4, "Chunk 3, line 1"),
            (5, "Chunk 3, line 2"),
            (6, "Line 6"),
        ] {
            assert_eq!(chunks.place_of(line), place);
        }
        assert!(is_same_sheet(" UMSÄTZE", "Umsätze") && !is_same_sheet("A", "B"));
    }
}
