//! NDJSON as a record kind: each line is a row with one cell.

use std::sync::Arc;

use jiff::civil::Date;

use super::{Record, RecordType, RecordTypes, Survey as FileSurvey};
use crate::error::Problem;
use crate::import::cells::Cells;
use crate::import::import_type::ImportType;
use crate::import::kind::{Context, Interpreted, RecordKind, RowSet, Spec, Survey};
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::LayoutProblem;
use crate::import::mapping::MappingKind;
use crate::import::scratch::Scratch;
use crate::import::settings::Settings;
use crate::limits::ROW_REASONS_MAX;
use crate::money::Currency;
use crate::named::Named as _;

/// The record kind of files in the server's own format.
#[derive(Debug)]
pub struct NativeKind;

/// A line. While the file is surveyed, only its text is known; of a type that isn't wanted, only
/// that and the type.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// The line as it stands in the file.
    pub text: &'r str,
    record_type: Option<RecordType>,
    record: Option<&'r Record>,
}

impl<'r> Row<'r> {
    /// The record of the line, once the file was surveyed, if its type is wanted.
    pub fn record(&self) -> Option<&'r Record> {
        self.record
    }

    /// The type of the record, once the file was surveyed.
    pub fn record_type(&self) -> Option<RecordType> {
        self.record_type
    }
}

/// Reads lines as records of the file that was surveyed.
#[derive(Debug)]
pub struct Interpreter<'l> {
    survey: Option<&'l FileSurvey>,
    wanted: RecordTypes,
    as_of: Date,
    family_currency: Currency,
    explains: bool,
}

/// Collects what single lines need to know of the whole file.
#[derive(Debug, Default)]
struct LineSurvey(FileSurvey);

impl Survey<NativeKind> for LineSurvey {
    fn row(&mut self, _number: u64, _line: u64, row: &Row<'_>) {
        self.0.line(row.text);
    }

    fn finish(self: Box<Self>) -> Result<RowSet, LayoutProblem> {
        let mut survey = self.0;
        survey.finish().map_err(LayoutProblem::from)?;
        Ok(RowSet { native: Some(Arc::new(survey)), ..RowSet::default() })
    }
}

impl RecordKind for NativeKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Native,
        one: "record",
        many: "records",
        columns: &[],
        settings: &[],
        has_account: false,
        is_whole: false,
        reads_without_header: true,
    };

    fn header_score(_cells: &[String], _settings: &Settings) -> usize {
        0
    }

    fn layout(preface: Preface, _settings: &Settings) -> Result<Layout, Vec<Problem>> {
        Ok(Layout::of_header(Kind::Native, preface))
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Interpreter<'l>, Vec<LayoutProblem>> {
        if !layout.is_readable() {
            return Err(layout.problems.clone());
        }
        Ok(Interpreter {
            survey: context.row_set.and_then(|set| set.native.as_deref()),
            wanted: context.row_set.map(|set| set.wanted).unwrap_or_default(),
            as_of: context.as_of,
            family_currency: context.family_currency,
            explains: true,
        })
    }

    fn omit_reasons(interpreter: &mut Interpreter<'_>) {
        interpreter.explains = false;
    }

    fn interpret<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        let text = cells.get(0);
        let Some(survey) = interpreter.survey else {
            return Interpreted::Row(Row { text, record_type: None, record: None });
        };
        if interpreter.wanted != RecordTypes::ALL {
            let record_type = FileSurvey::type_of(text);
            if record_type.is_some_and(|of| !interpreter.wanted.has(of)) {
                return Interpreted::Row(Row { text, record_type, record: None });
            }
        }
        match survey.read(text, interpreter.as_of, interpreter.family_currency) {
            Ok(record) => {
                let record = scratch.native.insert(record);
                let record_type = Some(record.record_type());
                Interpreted::Row(Row { text, record_type, record: Some(record) })
            }
            Err(_) if !interpreter.explains => Interpreted::Invalid(Vec::new()),
            Err(problems) => {
                let mut reasons = problems.texts();
                reasons.truncate(ROW_REASONS_MAX);
                Interpreted::Invalid(reasons)
            }
        }
    }

    fn names(
        _row: &Row<'_>,
        _row_set: Option<&RowSet>,
        _name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        // What records name has ids in the file.
    }

    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        let Some(record) = row.record else { return };
        field("type", record.record_type().name());
        if let Some(title) = record.title() {
            field("name", title);
        }
    }

    fn survey() -> Option<Box<dyn Survey<Self>>> {
        Some(Box::<LineSurvey>::default())
    }
}
