//! Records from a known place on, interpreted one by one.

use std::io::Read;
use std::ops::ControlFlow;

use purser_core::import::cells::{Cells, CellsBuf};
use purser_core::import::dispatch::{Interpreter, Row};
use purser_core::import::kind::{Context, Interpreted, RowSet};
use purser_core::import::layout::{Layout, Position};
use purser_core::import::layout_problem::{LayoutProblem, texts};
use purser_core::import::left_out::{Cause, LeftOut};
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::scratch::Scratch;
use purser_core::import::transaction::balance::follow::Link;
use purser_core::import::transaction::stated::StatedBalance;

use crate::csv::{ReadError, Reader};

/// A record that is a row, good or bad.
#[derive(Debug)]
pub struct Visited<'r> {
    /// 1-based, over rows: blank lines and totals have no number.
    pub row: u64,
    /// The physical line on which it starts, in the program's file if that was rewritten.
    pub line: u64,
    /// The byte at which it starts.
    pub offset: u64,
    /// The row, or the reasons why it is invalid; no reasons beyond the number that was asked for.
    pub outcome: Result<Row<'r>, Vec<String>>,
    /// What a person chose for the row.
    pub choice: RowChoice,
    /// The record as it is in the file, without what a person corrected.
    pub cells: Cells<'r>,
    /// Whether a person corrected it or chose for it.
    pub edited: bool,
    /// How it follows from the row before it, if a column of balances shows that.
    pub link: Option<Link<'r>>,
    /// Whether its name begins like that of a balance or a total, and nobody has decided about it.
    pub is_alike: bool,
    /// Why it isn't taken although nobody left it out; nothing once a person has chosen.
    pub left_out: Option<LeftOut<'r>>,
}

impl Visited<'_> {
    /// Whether nothing becomes of the row, by a person's choice or by what the file shows.
    pub fn is_left_out(&self) -> bool {
        self.choice == RowChoice::LeaveOut || self.left_out.is_some()
    }
}

/// What a visit passed over.
#[derive(Debug, Default)]
pub struct Passed {
    /// How many records were no rows.
    pub skipped: u64,
    /// How many records were rows, but for those that the file leaves out.
    pub rows: u64,
    /// The first balances that such records and left out rows state.
    pub stated: Vec<StatedBalance>,
}

/// Lines with balances that are looked at: there are a few on each page.
const STATED_MAX: usize = 1_000;

impl Passed {
    /// Takes note of a record that is no row.
    fn skip(&mut self, stated: Option<StatedBalance>) {
        self.skipped += 1;
        self.state(stated);
    }

    fn state(&mut self, stated: Option<StatedBalance>) {
        if self.stated.len() < STATED_MAX {
            let place = self.rows;
            self.stated.extend(stated.map(|one| StatedBalance { place, ..one }));
        }
    }
}

/// Why a visit ended early.
#[derive(Debug, thiserror::Error)]
pub enum VisitError {
    /// The layout has problems: nothing was read.
    #[error("The file can't be read: {}", texts(.0).join("; "))]
    Unreadable(Vec<LayoutProblem>),
    /// The file is broken from some line on, or the source failed.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Interprets every record from a position on, and returns what was no row.
///
/// `reader` must already be at `from.offset`: `layout.start`, or an entry of the offset index.
/// `each` sees rows in the order of the file and may end the visit. Only the first `explained`
/// invalid rows come with reasons, so that no text is made that the caller doesn't keep. Cells that
/// a person corrected (`edits`) replace those of the file.
pub fn visit(
    reader: impl Read,
    layout: &Layout,
    context: Context<'_>,
    edits: &RowEdits,
    from: Position,
    explained: usize,
    mut each: impl FnMut(Visited<'_>) -> ControlFlow<()>,
) -> Result<Passed, VisitError> {
    let mut interpreter = Interpreter::new(layout, context).map_err(VisitError::Unreadable)?;
    let mut reader = Reader::at(reader, layout.separator_byte(), from.offset, from.line);
    let mut scratch = Scratch::default();
    let mut corrected = CellsBuf::default();
    let mut number = from.row;
    let mut passed = Passed::default();
    let mut other_scratch = Scratch::default();
    let mut invalid = 0;
    while let Some(record) = reader.read()? {
        if invalid == explained {
            interpreter.omit_reasons();
        }
        scratch.row = number;
        // A record that is no row in the file has no number, so an edit can't be meant for it.
        let edit = edits.get(&number);
        if edit.is_some()
            && matches!(interpreter.interpret(record.cells, &mut scratch), Interpreted::NotARow)
        {
            passed.skip(interpreter.stated(record.cells, &mut other_scratch));
            continue;
        }
        let cells = edited_cells(edit, record.cells, &mut corrected);
        let choice = edit.map_or(RowChoice::Plan, |edit| edit.choice);
        let (mut link, mut is_alike) = (None, false);
        let outcome = match interpreter.interpret(cells, &mut scratch) {
            Interpreted::Row(row) => {
                match interpreter.doubt(cells).filter(|_| choice == RowChoice::Plan) {
                    Some(doubt) => Err(vec![doubt]),
                    None => {
                        link = interpreter.link(cells, &row);
                        is_alike = choice == RowChoice::Plan && interpreter.is_alike(cells);
                        reasons_beside_others(layout, context, number, choice).map_or(Ok(row), Err)
                    }
                }
            }
            Interpreted::Invalid(reasons) => Err(reasons),
            Interpreted::NotARow if edit.is_some() => {
                Err(vec!["With these corrections it would be a total or a remark".to_owned()])
            }
            Interpreted::NotARow => {
                passed.skip(interpreter.stated(cells, &mut other_scratch));
                continue;
            }
        };
        let left_out = left_out(&interpreter, layout, cells, choice, outcome.is_err());
        if left_out.is_some_and(|it| matches!(it.cause, Cause::Anchor(_))) {
            passed.state(interpreter.stated(cells, &mut other_scratch));
        }
        passed.rows += u64::from(left_out.is_none());
        invalid += usize::from(outcome.is_err() && left_out.is_none());
        let line = interpreter.line(record.cells).unwrap_or(record.line);
        let (row, edited, cells, offset) = (number, edit.is_some(), record.cells, record.offset);
        let visited =
            Visited { row, line, offset, outcome, choice, cells, edited, link, is_alike, left_out };
        if each(visited).is_break() {
            break;
        }
        number += 1;
    }
    Ok(passed)
}

/// Why a row isn't taken although nobody left it out. What a program states about an account must
/// be read, else it is an invalid row.
fn left_out<'r>(
    interpreter: &Interpreter<'_>,
    layout: &Layout,
    cells: Cells<'r>,
    choice: RowChoice,
    is_invalid: bool,
) -> Option<LeftOut<'r>> {
    let must_be_read = layout.columns.register.is_some() && is_invalid;
    let is_lost =
        |row: &LeftOut<'_>| must_be_read && !matches!(row.cause, Cause::OfFamily | Cause::Listed);
    interpreter.left_out(cells).filter(|row| choice == RowChoice::Plan && !is_lost(row))
}

/// The cells of a record, with those that a person corrected.
fn edited_cells<'r>(
    edit: Option<&RowEdit>,
    cells: Cells<'r>,
    corrected: &'r mut CellsBuf,
) -> Cells<'r> {
    match edit.filter(|edit| !edit.cells.is_empty()) {
        Some(edit) => {
            edit.apply(cells, corrected);
            corrected.as_cells()
        }
        None => cells,
    }
}

/// Why a row that is valid in itself can't be taken because of other rows; a person may take one
/// that only contradicts its balance, or may be a total.
fn reasons_beside_others(
    layout: &Layout,
    context: Context<'_>,
    row: u64,
    choice: RowChoice,
) -> Option<Vec<String>> {
    if let Some(reasons) = context.row_set.and_then(|set| set.reasons.get(&row)) {
        return Some(reasons.clone());
    }
    if choice == RowChoice::Create {
        return None;
    }
    layout.reason_beside_others(row).map(|reason| vec![reason])
}

/// Finds out what the rows of a file mean for each other, if they are judged as a whole. `reader`
/// must stand at the first record.
pub fn survey(
    reader: impl Read,
    layout: &Layout,
    context: Context<'_>,
    edits: &RowEdits,
) -> Result<Option<RowSet>, VisitError> {
    let Some(mut survey) = layout.kind.survey() else { return Ok(None) };
    let context = Context { row_set: None, ..context };
    visit(reader, layout, context, edits, layout.start, 0, |visited| {
        if let Ok(row) = &visited.outcome
            && !visited.is_left_out()
        {
            survey.row(visited.row, visited.line, row);
        }
        ControlFlow::Continue(())
    })?;
    survey.finish().map(Some).map_err(|problem| VisitError::Unreadable(vec![problem]))
}
