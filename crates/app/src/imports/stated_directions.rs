//! Which way the money of single rows went, stated with the upload by the lines of the file.
//!
//! It is the answer to the question about one row that its balances leave open
//! (`transaction::balance::directions`): the correction that the page of the row makes.

use std::collections::BTreeMap;

use purser_core::error::{Problem, Problems, Result};
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::transaction::balance::directions::{asked_rows, with_direction};

use super::draft::Draft;

/// Whether money came in with the rows of these lines.
pub type StatedDirections = BTreeMap<u64, bool>;

/// The corrections that state them, if there are any; refused if a line is none of a row of which
/// only the direction is missing. While the file can't be read, its questions come first. Blocks.
pub(super) fn edits(draft: &Draft, stated: &StatedDirections) -> Result<Option<RowEdits>> {
    if stated.is_empty() || draft.layout().is_some_and(|layout| !layout.is_readable()) {
        return Ok(None);
    }
    let mut edits = RowEdits::new();
    let mut left = stated.clone();
    if let Some(content) = &draft.content {
        for (row, column) in asked_rows(content.source.layout()) {
            content.source.visit_page(row, 1, |visited| {
                let is_asked = visited.outcome.as_ref().is_err_and(|errors| errors.len() == 1);
                if is_asked
                    && !visited.is_left_out()
                    && let Some(is_money_in) = left.remove(&visited.line)
                {
                    let text = with_direction(visited.cells.raw(column), is_money_in);
                    let cells = BTreeMap::from([(column, text)]);
                    edits.insert(row, RowEdit { cells, choice: RowChoice::Plan });
                }
                Ok(())
            })?;
        }
    }
    let mut problems = Problems::new();
    for line in left.keys() {
        let sentence = format!("Line {line} has no row of which only the direction is missing");
        problems.push(Problem::sentence(sentence));
    }
    problems.into_result()?;
    Ok(Some(edits))
}
