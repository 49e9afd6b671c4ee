//! Everything that an upload has to know about a file.

use std::io::{self, Read};
use std::ops::ControlFlow;

use purser_core::error::{self, Problem};
use purser_core::import::kind::{Context, Detect, RowSet};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::{Layout, Position, Preface};
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::mapping::MappingKind;
use purser_core::import::register::StatedOpenings;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::{BalanceCheck, Settings};
use purser_core::import::transaction::balance::follow::Follow;
use purser_core::ledger::account::Classification;
use purser_core::limits::{IMPORT_FINDINGS_MAX, IMPORT_MAPPINGS_MAX};
use purser_core::money::Currency;

use super::above::currency_above;
use super::collector::Collector;
use super::directions::find_directions;
use super::first_records::first_records;
use super::names::Name;
use super::totals::totals;
use super::visit::{Passed, VisitError, Visited, survey, visit};
use crate::csv::{HEADER_BYTES, ReadError, Reader, sniff};
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
    /// How many of them are no entries of an account, but records of the family.
    pub records: u64,
    /// Rows that have at least one problem.
    pub invalid: u64,
    /// Rows that a person or the file leaves out: they are neither valid nor invalid.
    pub left_out: u64,
    /// The numbers of the first rows that are left out.
    pub left_out_rows: Vec<u64>,
    /// Records that are no rows: totals and remarks.
    pub skipped: u64,
    /// The first [`IMPORT_FINDINGS_MAX`] invalid rows.
    pub findings: Vec<RowFinding>,
    /// What valid rows name, each kind of name apart; no accounts if the import has one.
    pub names: Vec<(MappingKind, Vec<Name>)>,
    /// Currencies of valid rows, in the order of their appearance.
    pub currencies: Vec<Currency>,
    /// The offset index, see [`crate::csv::OffsetIndex`].
    pub offsets: Vec<u8>,
    /// Rows that a person corrected or chose for, and the bytes at which they start.
    pub edited: Vec<(u64, u64)>,
    /// What rows mean for each other, for kinds that are judged as a whole.
    pub row_set: Option<RowSet>,
    /// Whether balances that don't agree with the rows are a question.
    pub(super) compares_ends: bool,
    /// A person has decided that a document has rows to its ends.
    pub(super) takes_ends: bool,
    /// Neither a person nor an earlier file of a card has decided what signs and balances count.
    pub(super) is_sign_open: bool,
    /// What a person answered about balances.
    pub(super) balance_check: Option<BalanceCheck>,
    /// A convention of signs was sent, or is that of earlier files.
    pub(super) has_convention: bool,
    /// Whether these were a debt in the last file of the account, if that is known.
    pub(super) stated_was_debt: Option<bool>,
    /// The kind of the account that every row goes to.
    pub(super) classification: Option<Classification>,
}

impl Analysis {
    /// The analysis of a file in which nothing is read, for this reason.
    pub fn unreadable(kind: Kind, problem: LayoutProblem, encoding: &Encoding) -> Self {
        Self::of(Layout::unreadable(kind, vec![problem], encoding.name, encoding.certain))
    }

    /// What valid rows name of a kind.
    pub fn names_of(&self, kind: MappingKind) -> &[Name] {
        self.names.iter().find(|(its, _)| *its == kind).map_or(&[], |(_, names)| names)
    }
}

/// Why there is no analysis.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// Reading the source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Labels that were sent and that the header doesn't have; all of them are listed.
    #[error("{}", error::texts(.0).join("; "))]
    Labels(Vec<Problem>),
}

/// Reads a file in UTF-8 from end to end, at most three times from its start: the header, the pass
/// that finds formats (if any is to be found), and the pass that interprets. Where only balances
/// show which way amounts went, a pass before the last one finds that.
///
/// `open` gives the file from its start. `encoding` is what the file was before it became UTF-8.
pub fn analyse<R: Read>(
    mut open: impl FnMut() -> io::Result<R>,
    kind: Kind,
    encoding: &Encoding,
    settings: &Settings,
    context: Context<'_>,
    edits: &RowEdits,
) -> Result<Analysis, AnalyseError> {
    let mut head = vec![0; HEADER_BYTES as usize];
    let filled = fill(&mut open()?, &mut head, 0)?;
    head.truncate(filled);
    let dialect = match sniff(&head, kind, settings) {
        Ok(dialect) => dialect,
        Err(problem) => {
            return Ok(Analysis::unreadable(kind, problem, encoding));
        }
    };
    let preface = Preface {
        encoding: encoding.name.to_owned(),
        encoding_certain: encoding.certain,
        separator: dialect.separator,
        headers: dialect.headers,
        header_line: dialect.header_line,
        start: dialect.start,
        shape: dialect.shape,
    };
    let mut layout = kind.layout(preface, settings).map_err(AnalyseError::Labels)?;
    layout.currency_above = currency_above(&head, &layout);
    if kind.wants_records(&layout) {
        let records = first_records(&head, &layout);
        kind.complete(&mut layout, settings, &records);
    }
    drop(head);
    let is_open = layout.problems.iter().all(LayoutProblem::lets_cells_be_read);
    if is_open && let Some(detector) = kind.detector(&layout, settings, context) {
        detect(open_at(&mut open, layout.start)?, detector, &mut layout)?;
    }
    if layout.is_readable() && layout.unsigned_column().is_some() {
        let reader = open_at(&mut open, layout.start)?;
        let pass = find_directions(reader, &mut layout, context, edits);
        found(pass, &mut layout)?;
    }
    let mut row_set = None;
    if layout.is_readable() {
        let reader = open_at(&mut open, layout.start)?;
        let pass = survey(reader, &layout, context, edits);
        row_set = found(pass, &mut layout)?.flatten();
        if let Some(native) = row_set.as_ref().and_then(|set| set.native.as_deref()) {
            layout.record_counts = Some(native.counts());
        }
    }
    let mut analysis = Analysis::of(layout);
    analysis.take_settings(settings, context);
    if analysis.layout.is_readable() {
        let context = Context { row_set: row_set.as_ref(), ..context };
        analysis.interpret(open_at(&mut open, analysis.layout.start)?, context, edits)?;
        let has_breaks =
            analysis.layout.balance.as_ref().is_some_and(|balance| !balance.breaks.is_empty());
        if has_breaks || !analysis.layout.look_alikes.is_empty() {
            // Which rows these are was known only at the end.
            let reader = open_at(&mut open, analysis.layout.start)?;
            analysis.layout.totals = totals(reader, &analysis.layout, context, edits);
        }
    }
    analysis.keep_row_set(row_set);
    Ok(analysis)
}

/// What a pass over the file found. What made it end early becomes a problem of the layout.
fn found<T>(pass: Result<T, VisitError>, layout: &mut Layout) -> Result<Option<T>, AnalyseError> {
    match pass {
        Ok(found) => return Ok(Some(found)),
        Err(VisitError::Read(ReadError::Io(error))) => return Err(error.into()),
        Err(VisitError::Read(error)) => layout.problems.push(error.to_string().into()),
        Err(VisitError::Unreadable(problems)) => layout.problems = problems,
    }
    Ok(None)
}

/// The file from the first record on.
fn open_at<R: Read>(open: &mut impl FnMut() -> io::Result<R>, start: Position) -> io::Result<R> {
    let mut reader = open()?;
    io::copy(&mut reader.by_ref().take(start.offset), &mut io::sink())?;
    Ok(reader)
}

/// Shows every record to the detector.
fn detect(reader: impl Read, mut detector: Box<dyn Detect>, layout: &mut Layout) -> io::Result<()> {
    let start = layout.start;
    let mut reader = Reader::at(reader, layout.separator_byte(), start.offset, start.line);
    let mut records: u64 = 0;
    loop {
        match reader.read() {
            Ok(Some(record)) => detector.observe(record.cells),
            Ok(None) if records == 0 => {
                layout.problems.push(LayoutProblem::NoRows);
                return Ok(());
            }
            Ok(None) => break,
            Err(ReadError::Io(error)) => return Err(error),
            Err(error) => {
                layout.problems.push(error.to_string().into());
                return Ok(());
            }
        }
        records += 1;
        if detector.is_done() {
            break;
        }
    }
    detector.finish(layout);
    Ok(())
}

impl Analysis {
    fn of(layout: Layout) -> Self {
        Self {
            layout,
            rows_count: 0,
            valid: 0,
            records: 0,
            invalid: 0,
            left_out: 0,
            left_out_rows: Vec::new(),
            skipped: 0,
            findings: Vec::new(),
            names: Vec::new(),
            currencies: Vec::new(),
            row_set: None,
            compares_ends: true,
            takes_ends: false,
            is_sign_open: false,
            balance_check: None,
            has_convention: false,
            stated_was_debt: None,
            classification: None,
            offsets: Vec::new(),
            edited: Vec::new(),
        }
    }

    fn keep_row_set(&mut self, row_set: Option<RowSet>) {
        if self.invalid == 0
            && let Some(survey) = row_set.as_ref().and_then(|set| set.native.as_deref())
        {
            self.layout.native = Some(survey.facts());
        }
        self.row_set = row_set;
    }

    /// Interprets every record. What ends the reading becomes a problem of the layout, and then
    /// nothing is counted: half a file is not an import.
    fn interpret(
        &mut self,
        reader: impl Read,
        context: Context<'_>,
        edits: &RowEdits,
    ) -> io::Result<()> {
        let mut collector = Collector::new(&self.layout, context.row_set);
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
            (Err(VisitError::Read(error)), _) => vec![error.to_string().into()],
            (Err(VisitError::Unreadable(problems)), _) => problems,
            (_, Err(error)) => vec![error.to_string().into()],
            _ if collector.is_overflowing() => vec![LayoutProblem::from(format!(
                "the rows name more than {IMPORT_MAPPINGS_MAX} different accounts, categories \
                 or tags"
            ))],
            (Ok(passed), Ok(())) => {
                self.keep(collector, passed);
                return Ok(());
            }
        };
        self.layout.problems = problems;
        Ok(())
    }

    fn keep(&mut self, mut collector: Collector<'_>, passed: Passed) {
        let balance = collector.balance.take().map(Follow::finish);
        if let Some(balance) = &balance
            && let Some(problem) = self.balance_problem(balance)
        {
            self.layout.problems.push(problem);
            return;
        }
        self.rows_count = collector.valid + collector.invalid;
        self.valid = collector.valid;
        self.invalid = collector.invalid;
        self.left_out = collector.left_out;
        self.left_out_rows = collector.left_out_rows;
        self.layout.left_out = collector.reasons.finish(&self.layout);
        self.skipped = passed.skipped;
        self.findings = collector.findings;
        let names = collector.names.into_iter();
        self.names = names.map(|(kind, names)| (kind, names.finish())).collect();
        self.names.sort_by_key(|(kind, _)| *kind);
        self.currencies = collector.currencies;
        self.offsets = collector.index.finish();
        self.edited = collector.edited;
        self.layout.totals = collector.totals.finish();
        self.layout.parts = collector.parts;
        self.layout.portfolios = collector.portfolios.into_values().collect();
        self.layout.account_types = collector.account_types;
        self.layout.has_records = collector.records > 0;
        self.records = collector.records;
        self.layout.openings = collector.openings.map(StatedOpenings::finish).unwrap_or_default();
        self.layout.longer_rows = collector.longer;
        if let Some(balance) = balance {
            self.keep_balance(balance);
        }
        self.keep_look_alikes(collector.look_alikes.finish(&passed.stated));
        self.compare(collector.sum, &passed);
        let by_file: u64 = self.layout.left_out.iter().map(|one| one.rows).sum();
        if self.rows_count + self.left_out == 0 {
            self.layout.problems.push(LayoutProblem::NoRows);
        } else if self.rows_count == 0
            && by_file == self.left_out
            && let Some(first) = self.layout.left_out.first()
        {
            let reason = first.reason.clone();
            self.layout.problems.push(LayoutProblem::AllLeftOut { reason });
        }
    }
}
