//! A file as cells, before it becomes text: what mutations change.

use std::fmt::Write as _;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Date,
    ValueDate,
    Name,
    Purpose,
    Amount,
    MoneyOut,
    MoneyIn,
    Direction,
    Balance,
    Currency,
    Original,
    OriginalCurrency,
    Account,
    OwnNumber,
    OtherNumber,
    Status,
    OtherStatus,
    Blank,
}

/// A line behind the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) cells: Vec<String>,
    /// The position of the transaction that it stands for; none of totals, remarks and of what was
    /// not booked.
    pub(crate) transaction: Option<usize>,
}

/// The cells of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) separator: char,
    pub(crate) is_quoted: bool,
    /// `sep=;` in the first line.
    pub(crate) names_separator: bool,
    pub(crate) preamble: Vec<Vec<String>>,
    pub(crate) columns: Vec<Column>,
    /// None in a file without a header.
    pub(crate) header: Option<Vec<String>>,
    pub(crate) records: Vec<Record>,
}

impl Table {
    pub(crate) fn position(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|its| *its == column)
    }

    /// The records that stand for transactions, by their positions.
    pub(crate) fn rows(&self) -> Vec<usize> {
        let records = self.records.iter().enumerate();
        records.filter(|(_, one)| one.transaction.is_some()).map(|(index, _)| index).collect()
    }

    /// The text of the file, and for each physical line, from the first on, its record.
    pub(crate) fn text(&self) -> (String, Vec<Option<usize>>) {
        let mut text = String::new();
        let mut lines = Vec::new();
        if self.names_separator {
            writeln!(text, "sep={}", self.separator).unwrap();
            lines.push(None);
        }
        for cells in self.preamble.iter().chain(&self.header) {
            self.line(&mut text, cells);
            lines.push(None);
        }
        for (index, record) in self.records.iter().enumerate() {
            self.line(&mut text, &record.cells);
            lines.push(Some(index));
        }
        (text, lines)
    }

    fn line(&self, text: &mut String, cells: &[String]) {
        let cells: Vec<String> = cells.iter().map(|cell| self.cell(cell)).collect();
        writeln!(text, "{}", cells.join(&self.separator.to_string())).unwrap();
    }

    fn cell(&self, cell: &str) -> String {
        if self.is_quoted || cell.contains([self.separator, '"']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_owned()
        }
    }
}
