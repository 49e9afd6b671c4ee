//! A file of statements as one table in CSV, which an import reads as any other.
//!
//! Its columns leave nothing to be found out: days as `2024-01-31`, money in and money out apart,
//! plain decimals. The balances at both ends are lines of their own, which an import compares with
//! the rows between them. What couldn't be read, and what a person should decide, becomes a row
//! that can't be read either, with the reason in it. Nothing is left out silently: [`TableFacts`]
//! counts what has no row.

use std::io::{self, Write};
use std::ops::ControlFlow;

use purser_core::import::transaction::ACCOUNT_OF_SEVERAL;
use purser_core::import::transaction::of_statements::{
    CLOSING_LINE, LINE_OF_STATEMENT, OPENING_LINE,
};

use super::amount::Amount;
use super::files::StatementFiles;
use super::found::Collector;
use super::model::{Doubt, Entry, EntryStatus, EntryTexts};
pub use super::survey::TableFacts;
use super::survey::{End, Survey, survey_all};
use super::text::quoted;
use super::{Event, StatementError};
use crate::sheets::{CsvWriter, SheetRow};

/// The names of the columns. Imports know them.
pub const HEADER: [&str; 10] = [
    "Date",
    "Name",
    "Money out",
    "Money in",
    "Currency",
    "Notes",
    "Account",
    "Transaction ID",
    "Status",
    LINE_OF_STATEMENT,
];
/// The place of the account among them; of several accounts it has another name.
const ACCOUNT: usize = 6;
/// Letters of the texts of a batch's payments.
const NOTES_CHARS_MAX: usize = 2_000;
/// Decimals of an amount at least. Three could be taken for thousands.
const DECIMALS: [usize; 2] = [2, 4];

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file can't be read to its end.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// The same of a file in an archive.
    #[error("In {name:?} of the archive: {error}")]
    InArchive {
        /// The name of the file.
        name: String,
        /// What is wrong with it.
        error: StatementError,
    },
    /// An archive that holds something else, or was made to do harm.
    #[error("{0}")]
    Archive(String),
    /// Opening the file, or writing the table, failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads files twice: once for what their statements prove, and once to write the rows.
pub fn write_table(
    files: &mut dyn StatementFiles,
    writer: impl Write,
) -> Result<TableFacts, TableError> {
    let (mut survey, order) = survey_all(files)?;
    let mut table = Table {
        writer: CsvWriter::new(writer),
        row: 0,
        cells: HEADER.map(str::to_owned),
        statement: 0,
        file: None,
        account: String::new(),
        currency: String::new(),
        collector: Collector::default(),
    };
    if survey.facts.accounts.len() > 1 {
        ACCOUNT_OF_SEVERAL.clone_into(&mut table.cells[ACCOUNT]);
    }
    table.put()?;
    let (openings, closings) = survey.all_ends();
    let is_one = survey.facts.accounts.len() == 1;
    survey.facts.has_both_ends = is_one && !openings.is_empty() && !closings.is_empty();
    for opening in &openings {
        table.balance(("Opening balance", OPENING_LINE), opening)?;
    }
    for file in order {
        table.file = files.name(file).map(str::to_owned);
        let mut failed = None;
        files.read(file, &mut |event| match table.event(event, &survey) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
    }
    for closing in &closings {
        table.balance(("Closing balance", CLOSING_LINE), closing)?;
    }
    survey.facts.found = table.collector.found;
    Ok(survey.facts)
}

/// The table while it is written.
struct Table<W> {
    writer: CsvWriter<W>,
    row: u64,
    cells: [String; HEADER.len()],
    statement: usize,
    /// The name of the file in its archive.
    file: Option<String>,
    account: String,
    currency: String,
    collector: Collector,
}

impl<W: Write> Table<W> {
    /// The place of a line of the file, with a capital.
    fn place(&self, line: u64) -> String {
        match &self.file {
            Some(file) => format!("Line {line} of {}", quoted(file)),
            None => format!("Line {line} of the file"),
        }
    }

    /// Writes the cells as a row and empties them.
    fn put(&mut self) -> io::Result<()> {
        self.row += 1;
        let written = self.writer.write(SheetRow { number: self.row, cells: &self.cells });
        self.cells.iter_mut().for_each(String::clear);
        written
    }

    fn amount(&mut self, amount: Amount) {
        let column = if amount.is_negative() { 2 } else { 3 };
        self.cells[column] = padded(amount.abs());
    }

    fn balance(&mut self, (name, mark): (&str, &str), end: &End) -> io::Result<()> {
        self.amount(end.amount);
        self.cells[0] = end.on.clone();
        self.cells[1] = name.to_owned();
        self.cells[4] = end.currency.clone();
        self.cells[ACCOUNT] = end.account.clone();
        self.cells[9] = mark.to_owned();
        self.put()
    }

    fn event(&mut self, event: Event, survey: &Survey) -> io::Result<()> {
        self.collector.take(&event, self.row - 1, &survey.labels);
        self.take(event, survey)
    }

    fn take(&mut self, event: Event, survey: &Survey) -> io::Result<()> {
        match event {
            Event::Begin(statement) => {
                self.account = survey.labels.of_statement(&statement);
                self.currency = statement.currency().unwrap_or_default().to_owned();
                Ok(())
            }
            Event::Entry(entry) if entry.status == EntryStatus::Information => Ok(()),
            Event::Entry(entry) => {
                let is_proven = survey.is_proven(self.statement);
                self.entry(*entry, is_proven)
            }
            Event::Unreadable(entry) => {
                let (line, reasons) = (entry.location.line, entry.reasons.join("; "));
                let place = self.place(line);
                self.unreadable(format!("{place}: {reasons}"))
            }
            Event::End(..) => {
                self.statement += 1;
                Ok(())
            }
            Event::Position(_) | Event::Security(_) => Ok(()),
        }
    }

    /// A row that can't be read, so that it isn't overlooked.
    fn unreadable(&mut self, reason: String) -> io::Result<()> {
        self.cells[1] = reason;
        self.cells[3] = "?".to_owned();
        self.cells[4] = self.currency.clone();
        self.cells[ACCOUNT] = self.account.clone();
        self.put()
    }

    fn entry(&mut self, entry: Entry, is_proven: bool) -> io::Result<()> {
        // A direction that the balances prove is no question any more.
        let doubt = entry.doubts.iter().find(|doubt| match doubt {
            Doubt::SignAgainstType => !is_proven,
            Doubt::Correction => true,
            _ => false,
        });
        if let Some(doubt) = doubt {
            let (line, amount) = (entry.location.line, entry.amount);
            let name = name(&entry.texts).unwrap_or_default();
            let reason = format!("{}: {amount} {name}: {doubt}", self.place(line));
            return self.unreadable(reason);
        }
        let is_repeated = |doubt: &Doubt| matches!(doubt, Doubt::ReferenceRepeated { .. });
        let id =
            entry.texts.bank_reference.clone().filter(|_| !entry.doubts.iter().any(is_repeated));
        self.amount(entry.amount);
        self.cells[0] = entry.booked_on.map(|day| day.to_string()).unwrap_or_default();
        self.cells[1] = name(&entry.texts).unwrap_or_default();
        self.cells[4] = entry.currency.clone().unwrap_or_else(|| self.currency.clone());
        self.cells[5] = notes(&entry);
        self.cells[ACCOUNT] = self.account.clone();
        self.cells[7] = id.unwrap_or_default();
        let is_pending = entry.status == EntryStatus::Pending;
        self.cells[8] = if is_pending { "Pending" } else { "Booked" }.to_owned();
        self.put()
    }
}

/// With two or four decimals at least, so that a point is never one of thousands.
pub(super) fn padded(amount: Amount) -> String {
    let text = amount.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let wanted = DECIMALS.into_iter().find(|count| *count >= fraction.len());
    format!("{whole}.{fraction:0<width$}", width = wanted.unwrap_or(fraction.len()))
}

/// The other party; else what was written about the entry.
pub(super) fn name(texts: &EntryTexts) -> Option<String> {
    let name = texts.counterparty.name.as_ref();
    let name = name.or(texts.remittance.first()).or(texts.additional.as_ref());
    name.or(texts.type_code.as_ref()).cloned()
}

/// What isn't in the name, and the payments of a batch.
pub(super) fn notes(entry: &Entry) -> String {
    let texts = &entry.texts;
    let has_name = texts.counterparty.name.is_some();
    let remittance = texts.remittance.iter().skip(usize::from(!has_name));
    let is_name = !has_name && texts.remittance.is_empty();
    let additional = texts.additional.iter().filter(|_| !is_name);
    let parts = entry.details.iter().map(|part| {
        let amount = part.amount.map(|amount| amount.to_string()).unwrap_or_default();
        format!("{amount} {}", name(&part.texts).unwrap_or_default())
    });
    // What a person should know of a batch comes before its parts, of which there may be many.
    let doubts = entry.doubts.iter().filter(|doubt| {
        matches!(doubt, Doubt::PartsDiffer | Doubt::PartsMissing | Doubt::PartsLeftOut)
    });
    let doubts = doubts.map(ToString::to_string);
    let all: Vec<String> =
        remittance.chain(additional).cloned().chain(doubts).chain(parts).collect();
    all.join("; ").chars().take(NOTES_CHARS_MAX).collect()
}
