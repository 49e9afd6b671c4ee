//! Everything that an upload has to know about a file.

use std::io::{self, Read};
use std::ops::ControlFlow;

use purser_core::import::detection::Detector;
use purser_core::import::interpret::{Context, Row};
use purser_core::import::layout::{Layout, Position, Preface};
use purser_core::import::mapping::path_key;
use purser_core::import::row_edit::{RowChoice, RowEdits};
use purser_core::import::settings::Settings;
use purser_core::limits::{IMPORT_FINDINGS_MAX, IMPORT_MAPPINGS_MAX};
use purser_core::money::Currency;
use purser_core::text::label::name_key;

use super::names::{Name, Names};
use super::visit::{VisitError, Visited, visit};
use crate::csv::index::TooLarge;
use crate::csv::{HEADER_BYTES, IndexBuilder, ReadError, Reader, sniff};
use crate::decode::{Encoding, fill};

/// An invalid row and the reasons for it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RowFinding {
    /// The number of the row, counted from 1.
    pub row: u64,
    /// The physical line on which it starts.
    pub line: u64,
    /// Every reason why it is invalid.
    pub reasons: Vec<String>,
}

/// What a file holds.
#[derive(Debug)]
pub struct Analysis {
    /// The layout in effect. If it has problems, no row was interpreted.
    pub layout: Layout,
    /// Valid and invalid rows; 0 if the layout isn't readable.
    pub rows_count: u64,
    /// Rows that can be taken.
    pub valid: u64,
    /// Rows that have at least one problem.
    pub invalid: u64,
    /// Rows that a person left out: they are neither valid nor invalid.
    pub left_out: u64,
    /// Records that are no rows: totals and remarks.
    pub skipped: u64,
    /// The first [`IMPORT_FINDINGS_MAX`] invalid rows.
    pub findings: Vec<RowFinding>,
    /// Accounts that valid rows name; none if the import has an account.
    pub accounts: Vec<Name>,
    /// Categories that valid rows name.
    pub categories: Vec<Name>,
    /// Tags that valid rows name.
    pub tags: Vec<Name>,
    /// Currencies of valid rows, in the order of their appearance.
    pub currencies: Vec<Currency>,
    /// The offset index, see [`crate::csv::OffsetIndex`].
    pub offsets: Vec<u8>,
    /// Rows that a person corrected or chose for, and the bytes at which they start.
    pub edited: Vec<(u64, u64)>,
}

/// Why there is no analysis.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// Reading the source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Labels that were sent and that the header doesn't have; all of them are listed.
    #[error("{}", .0.join("; "))]
    Labels(Vec<String>),
}

/// Reads a file in UTF-8 from end to end, at most three times from its start: the header, the pass
/// that finds formats (if any is to be found), and the pass that interprets.
///
/// `open` gives the file from its start. `encoding` is what the file was before it became UTF-8.
pub fn analyse<R: Read>(
    mut open: impl FnMut() -> io::Result<R>,
    encoding: &Encoding,
    settings: &Settings,
    context: Context<'_>,
    edits: &RowEdits,
) -> Result<Analysis, AnalyseError> {
    let mut head = vec![0; HEADER_BYTES as usize];
    let filled = fill(&mut open()?, &mut head, 0)?;
    head.truncate(filled);
    let dialect = match sniff(&head, settings) {
        Ok(dialect) => dialect,
        Err(error) => {
            let layout = Layout::unreadable(error.to_string(), encoding.name, encoding.certain);
            return Ok(Analysis::of(layout));
        }
    };
    drop(head);
    let preface = Preface {
        encoding: encoding.name.to_owned(),
        encoding_certain: encoding.certain,
        separator: dialect.separator,
        headers: dialect.headers,
        header_line: dialect.header_line,
        start: dialect.start,
    };
    let mut layout = Layout::new(preface, settings).map_err(AnalyseError::Labels)?;
    if layout.is_readable()
        && let Some(detector) = Detector::new(&layout, settings)
    {
        detect(open_at(&mut open, layout.start)?, detector, &mut layout)?;
    }
    let mut analysis = Analysis::of(layout);
    if analysis.layout.is_readable() {
        analysis.interpret(open_at(&mut open, analysis.layout.start)?, context, edits)?;
    }
    Ok(analysis)
}

/// The file from the first record on.
fn open_at<R: Read>(open: &mut impl FnMut() -> io::Result<R>, start: Position) -> io::Result<R> {
    let mut reader = open()?;
    io::copy(&mut reader.by_ref().take(start.offset), &mut io::sink())?;
    Ok(reader)
}

/// Shows every record to the detector.
fn detect(reader: impl Read, mut detector: Detector, layout: &mut Layout) -> io::Result<()> {
    let start = layout.start;
    let mut reader = Reader::at(reader, layout.separator.byte(), start.offset, start.line);
    let mut records: u64 = 0;
    loop {
        match reader.read() {
            Ok(Some(record)) => detector.observe(record.cells),
            Ok(None) if records == 0 => {
                layout.problems.push("the file has a header, but no rows".to_owned());
                return Ok(());
            }
            Ok(None) => break,
            Err(ReadError::Io(error)) => return Err(error),
            Err(error) => {
                layout.problems.push(error.to_string());
                return Ok(());
            }
        }
        records += 1;
    }
    detector.finish(layout);
    Ok(())
}

/// What is collected from row to row.
struct Collector {
    findings: Vec<RowFinding>,
    valid: u64,
    invalid: u64,
    left_out: u64,
    accounts: Names,
    categories: Names,
    tags: Names,
    currencies: Vec<Currency>,
    index: IndexBuilder,
    edited: Vec<(u64, u64)>,
}

impl Collector {
    fn new() -> Self {
        Self {
            findings: Vec::new(),
            valid: 0,
            invalid: 0,
            left_out: 0,
            accounts: Names::new(name_key),
            categories: Names::new(path_key),
            tags: Names::new(name_key),
            currencies: Vec::new(),
            index: IndexBuilder::default(),
            edited: Vec::new(),
        }
    }

    fn take(&mut self, visited: Visited<'_>) -> Result<(), TooLarge> {
        let Visited { row, line, offset, outcome, choice, edited, .. } = visited;
        self.index.push(row, offset, line)?;
        if edited {
            self.edited.push((row, offset));
        }
        match outcome {
            _ if choice == RowChoice::LeaveOut => self.left_out += 1,
            Ok(row) => {
                self.valid += 1;
                self.take_names(&row);
            }
            Err(reasons) => {
                self.invalid += 1;
                if self.findings.len() < IMPORT_FINDINGS_MAX {
                    self.findings.push(RowFinding { row, line, reasons });
                }
            }
        }
        Ok(())
    }

    fn take_names(&mut self, row: &Row<'_>) {
        if let Some(account) = row.account {
            self.accounts.add(account, Some(row.currency));
        }
        if let Some(category) = row.category {
            self.categories.add(category, None);
        }
        for tag in row.tags.iter() {
            self.tags.add(tag, None);
        }
        if !self.currencies.contains(&row.currency) {
            self.currencies.push(row.currency);
        }
    }

    fn is_overflowing(&self) -> bool {
        let names = [&self.accounts, &self.categories, &self.tags];
        names.iter().map(|names| names.count()).sum::<usize>() > IMPORT_MAPPINGS_MAX
    }
}

impl Analysis {
    fn of(layout: Layout) -> Self {
        Self {
            layout,
            rows_count: 0,
            valid: 0,
            invalid: 0,
            left_out: 0,
            skipped: 0,
            findings: Vec::new(),
            accounts: Vec::new(),
            categories: Vec::new(),
            tags: Vec::new(),
            currencies: Vec::new(),
            offsets: Vec::new(),
            edited: Vec::new(),
        }
    }

    /// Interprets every record. What ends the reading becomes a problem of the layout, and then
    /// nothing is counted: half a file is not an import.
    fn interpret(
        &mut self,
        reader: impl Read,
        context: Context<'_>,
        edits: &RowEdits,
    ) -> io::Result<()> {
        let mut collector = Collector::new();
        let mut indexed = Ok(());
        let start = self.layout.start;
        let each = |visited: Visited<'_>| {
            indexed = collector.take(visited);
            let goes_on = indexed.is_ok() && !collector.is_overflowing();
            if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let explained = IMPORT_FINDINGS_MAX;
        let visited = visit(reader, &self.layout, context, edits, start, explained, each);
        let problems = match (visited, indexed) {
            (Err(VisitError::Read(ReadError::Io(error))), _) => return Err(error),
            (Err(VisitError::Read(error)), _) => vec![error.to_string()],
            (Err(VisitError::Unreadable(problems)), _) => problems,
            (_, Err(error)) => vec![error.to_string()],
            _ if collector.is_overflowing() => vec![format!(
                "the rows name more than {IMPORT_MAPPINGS_MAX} different accounts, categories \
                 or tags"
            )],
            (Ok(skipped), Ok(())) => {
                self.keep(collector, skipped);
                return Ok(());
            }
        };
        self.layout.problems = problems;
        Ok(())
    }

    fn keep(&mut self, collector: Collector, skipped: u64) {
        self.rows_count = collector.valid + collector.invalid;
        self.valid = collector.valid;
        self.invalid = collector.invalid;
        self.left_out = collector.left_out;
        self.skipped = skipped;
        self.findings = collector.findings;
        self.accounts = collector.accounts.finish();
        self.categories = collector.categories.finish();
        self.tags = collector.tags.finish();
        self.currencies = collector.currencies;
        self.offsets = collector.index.finish();
        self.edited = collector.edited;
        if self.rows_count + self.left_out == 0 {
            self.layout.problems.push("the file has a header, but no rows".to_owned());
        }
    }
}
