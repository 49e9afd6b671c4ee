//! Reading a stored file: whole at upload and when a person changes something, and again from any
//! row on for a page or a publish.

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;

use purser_core::error::{Error, Result};
use purser_core::import::kind::RowSet;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::{Layout, Position};
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::mapping::{DistinctName, MappingKind};
use purser_core::import::native::{RecordTypes, Survey};
use purser_core::import::questions::{Question, questions};
use purser_core::import::row_edit::{RowEdit, RowEdits};
use purser_core::import::settings::Settings;
use purser_core::import::verdict::Verdict;
use purser_core::money::Currency;
use purser_core::text::label::name_key;
use purser_formats::csv::{OffsetIndex, ReadError};
use purser_formats::records::{self, AnalyseError, Analysis, Name, VisitError, Visited};
use purser_store::FamilyTx;
use purser_store::files::{FileStore, io_failed};
use purser_store::imports::{self, Import, Offsets};
use serde::{Deserialize, Serialize};

use super::decoded_file::{DecodedFile, rewound};
pub use super::interpretation::InterpretationContext;
use super::{questions as asked, sample};

/// An invalid row as it is stored with its import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// 1-based over the rows.
    pub row: u64,
    /// 1-based over the lines of the file.
    pub line: u64,
    /// Every reason why it is invalid.
    pub reasons: Vec<String>,
}

/// What a file was found to hold.
#[derive(Debug)]
pub struct FileReading {
    /// What is in effect.
    pub layout: Layout,
    /// The number of valid rows.
    pub valid_rows: u64,
    /// The number of invalid rows.
    pub invalid_rows: u64,
    /// Rows that a person left out.
    pub left_out: u64,
    /// The first invalid rows.
    pub findings: Vec<Finding>,
    /// Invalid rows and those that are left out, in their order, if there are few.
    pub(super) not_taken: Option<Vec<(u64, Verdict)>>,
    /// The distinct names in the rows.
    pub names: Vec<DistinctName>,
    /// The offset index of the file.
    pub offsets: Vec<u8>,
    /// Rows that a person corrected or chose for, and where they start.
    pub edited: Vec<(u64, u64)>,
    /// What the rows mean for each other, if they are interpreted together.
    row_set: Option<RowSet>,
}

/// Reads a file from end to end. Blocks.
pub fn read(
    decoded: &DecodedFile,
    settings: &Settings,
    edits: &RowEdits,
    context: &InterpretationContext,
) -> Result<FileReading> {
    let has_account = context.account.is_some();
    let analysis = match unread(decoded, settings) {
        Some(problem) => Ok(Analysis::unreadable(decoded.kind, problem, &decoded.encoding)),
        None => records::analyse(
            || rewound(&decoded.text, 0),
            decoded.kind,
            &decoded.encoding,
            &decoded.settings(settings),
            context.row_context(None),
            edits,
        ),
    };
    match analysis {
        Ok(mut analysis) => {
            analysis.layout.file = decoded.source.clone();
            let layout = &analysis.layout;
            let names_accounts =
                layout.columns.account.is_some() || layout.fields.contains_key("account");
            if !has_account && names_accounts {
                analysis.layout.account_currencies = context.other_currencies();
            }
            Ok(found(analysis, has_account))
        }
        Err(AnalyseError::Io(error)) => Err(io_failed(error)),
        Err(AnalyseError::Labels(errors)) => Err(Error::invalid_list("validation_failed", errors)),
    }
}

/// Why nothing of a file is read: which sheet it is isn't known.
fn unread(decoded: &DecodedFile, settings: &Settings) -> Option<LayoutProblem> {
    let is_table = decoded.source.sheet.is_none();
    let no_sheet =
        |name: &String| LayoutProblem::NoSheet { name: name.clone(), sheets: Vec::new() };
    let named = settings.sheet.as_ref().filter(|_| is_table).map(no_sheet);
    decoded.problem.clone().or(named)
}

fn found(mut analysis: Analysis, has_account: bool) -> FileReading {
    let mut names = Vec::new();
    let mut add = |kind, found: Vec<Name>| {
        names.extend(found.into_iter().map(|name| DistinctName {
            kind,
            value: name.spelling,
            key: name.key,
            rows: name.rows,
            currencies: name.currencies,
        }));
    };
    let has_accounts = analysis.layout.kind.spec().has_account;
    let names_none = analysis.names_of(MappingKind::Account).is_empty();
    let entries = analysis.rows_count.saturating_sub(analysis.records);
    if has_accounts && !has_account && names_none && entries > 0 {
        // The file doesn't name the account of its rows: a person must choose it.
        add(
            MappingKind::Account,
            vec![Name {
                spelling: String::new(),
                key: name_key(""),
                rows: analysis.valid.saturating_sub(analysis.records),
                currencies: analysis.currencies.clone(),
            }],
        );
    }
    for (kind, found) in std::mem::take(&mut analysis.names) {
        add(kind, found);
    }
    let finding = |finding: records::RowFinding| Finding {
        row: finding.row,
        line: finding.line,
        reasons: finding.reasons,
    };
    FileReading {
        not_taken: not_taken(&analysis),
        layout: analysis.layout,
        valid_rows: analysis.valid,
        invalid_rows: analysis.invalid,
        left_out: analysis.left_out,
        findings: analysis.findings.into_iter().map(finding).collect(),
        names,
        offsets: analysis.offsets,
        edited: analysis.edited,
        row_set: analysis.row_set,
    }
}

/// The rows that become nothing, if the analysis has all of their numbers.
fn not_taken(analysis: &Analysis) -> Option<Vec<(u64, Verdict)>> {
    let left_out = analysis.left_out_rows.iter().map(|row| (*row, Verdict::LeftOut));
    let invalid = analysis.findings.iter().map(|finding| (finding.row, Verdict::Invalid));
    let mut rows: Vec<(u64, Verdict)> = left_out.chain(invalid).collect();
    rows.sort_unstable_by_key(|(row, _)| *row);
    (rows.len() as u64 == analysis.left_out + analysis.invalid).then_some(rows)
}

/// A stored import's text, ready to be read again.
pub struct Source {
    file: File,
    layout: Layout,
    context: InterpretationContext,
    edits: RowEdits,
    offsets: Vec<u8>,
    row_set: Option<RowSet>,
}

impl Source {
    /// What was read just now and isn't stored yet.
    pub fn of_reading(
        decoded: &DecodedFile,
        reading: &FileReading,
        edits: &RowEdits,
        context: &InterpretationContext,
    ) -> Result<Self> {
        Ok(Self {
            file: decoded.text.try_clone().map_err(io_failed)?,
            layout: reading.layout.clone(),
            context: context.clone(),
            edits: edits.clone(),
            offsets: reading.offsets.clone(),
            row_set: reading.row_set.clone(),
        })
    }

    /// Opens what an import is read from.
    pub fn open(tx: &mut FamilyTx<'_>, files: &FileStore, import: &Import) -> Result<Self> {
        let family = tx.family();
        let missing = || Error::internal("an import without content has no rows to read");
        let layout = import.layout.as_deref().ok_or_else(missing)?;
        let Offsets { records_file, bytes } =
            imports::offsets(tx, import.id)?.ok_or_else(missing)?;
        let file = records_file.or(import.file).ok_or_else(missing)?;
        let layout: Layout = serde_json::from_str(layout).map_err(Error::internal)?;
        let mut source = Self {
            file: files.read(family, file)?,
            context: InterpretationContext::of_import(tx, import, &layout)?,
            edits: imports::row_edits(tx, import.id)?,
            layout,
            offsets: bytes,
            row_set: None,
        };
        source.row_set = source.survey()?;
        Ok(source)
    }

    /// What the rows mean for each other, if they are interpreted together.
    fn survey(&self) -> Result<Option<RowSet>> {
        if let Some(facts) = &self.layout.native {
            let native = Some(Arc::new(Survey::of_facts(facts)));
            return Ok(Some(RowSet { native, ..RowSet::default() }));
        }
        let reader = rewound(&self.file, self.layout.start.offset).map_err(io_failed)?;
        let context = self.context.row_context(None);
        records::survey(reader, &self.layout, context, &self.edits).map_err(unreadable)
    }

    /// Whether no row of a file in the server's own format is invalid.
    pub(super) fn is_valid(&self) -> bool {
        self.layout.native.is_some()
    }

    /// What the rows are.
    pub(super) fn kind(&self) -> Kind {
        self.layout.kind
    }

    /// What the rows mean for each other, if they are interpreted together.
    pub(super) fn row_set(&self) -> Option<&RowSet> {
        self.row_set.as_ref()
    }

    /// The currency of a row that names neither a currency nor an account.
    pub(super) fn default_currency(&self) -> Currency {
        self.context.row_context(None).default_currency()
    }

    /// What is in effect.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a person must decide before the rows can be read.
    pub(super) fn questions(&self) -> Result<Vec<Question>> {
        let records = if self.layout.headers.is_empty() {
            Vec::new()
        } else {
            sample::first_of(&self.file, &self.layout, asked::RECORDS_SEARCHED)?
        };
        Ok(questions(&self.layout, self.context.row_context(None), &records))
    }

    /// The edit of a row.
    pub(super) fn edit(&self, row: u64) -> Option<&RowEdit> {
        self.edits.get(&row)
    }

    /// Interprets every row in order; the first error of `each` ends it. Only the first invalid
    /// row comes with its reasons.
    pub fn visit_all(&self, each: impl FnMut(Visited<'_>) -> Result<()>) -> Result<()> {
        self.visit(self.row_set.as_ref(), (self.layout.start, 1), each, |_| false)
    }

    /// As [`Source::visit_until`], of a file in the server's own format: only records of some types
    /// are read. Rows of other types are visited, but nothing is known of them but their type.
    pub(super) fn visit_types(
        &self,
        wanted: RecordTypes,
        first: u64,
        is_last: impl Fn(u64) -> bool,
        each: impl FnMut(Visited<'_>) -> Result<()>,
    ) -> Result<()> {
        let row_set = self.row_set.clone().map(|row_set| RowSet { wanted, ..row_set });
        self.visit_from(row_set.as_ref(), (first, 0), each, is_last)
    }

    /// Interprets `count` rows from the row `first` (1-based) on.
    pub fn visit_page(
        &self,
        first: u64,
        count: u64,
        each: impl FnMut(Visited<'_>) -> Result<()>,
    ) -> Result<()> {
        self.visit_until(first, |row| row + 1 >= first.saturating_add(count), each)
    }

    /// Interprets rows from the row `first` (1-based) on, up to one of which `is_last` is true
    /// after it was visited.
    pub(super) fn visit_until(
        &self,
        first: u64,
        is_last: impl Fn(u64) -> bool,
        each: impl FnMut(Visited<'_>) -> Result<()>,
    ) -> Result<()> {
        self.visit_from(self.row_set.as_ref(), (first, usize::MAX), each, is_last)
    }

    fn visit_from(
        &self,
        row_set: Option<&RowSet>,
        (first, explained): (u64, usize),
        mut each: impl FnMut(Visited<'_>) -> Result<()>,
        is_last: impl Fn(u64) -> bool,
    ) -> Result<()> {
        let Some(from) = OffsetIndex::new(&self.offsets).before(first) else {
            return Ok(());
        };
        let in_part = |visited: Visited<'_>| {
            if visited.row < first { Ok(()) } else { each(visited) }
        };
        self.visit(row_set, (from, explained), in_part, is_last)
    }

    fn visit(
        &self,
        row_set: Option<&RowSet>,
        (from, explained): (Position, usize),
        mut each: impl FnMut(Visited<'_>) -> Result<()>,
        is_last: impl Fn(u64) -> bool,
    ) -> Result<()> {
        let mut outcome = Ok(());
        let reader = rewound(&self.file, from.offset).map_err(io_failed)?;
        let context = self.context.row_context(row_set);
        let each = |visited: Visited<'_>| {
            let row = visited.row;
            outcome = each(visited);
            let ends = outcome.is_err() || is_last(row);
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let visited =
            records::visit(reader, &self.layout, context, &self.edits, from, explained, each);
        visited.map_err(unreadable)?;
        outcome
    }
}

fn unreadable(error: VisitError) -> Error {
    match error {
        VisitError::Unreadable(problems) => Error::invalid_list("not_configured", problems),
        VisitError::Read(ReadError::Io(error)) => io_failed(error),
        VisitError::Read(error) => Error::internal(error),
    }
}
