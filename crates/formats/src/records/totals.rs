//! What the rows of a file come to, read once more.

use std::io::Read;
use std::ops::ControlFlow;

use purser_core::import::kind::Context;
use purser_core::import::layout::Layout;
use purser_core::import::row_edit::{RowChoice, RowEdits};
use purser_core::import::transaction::totals::{AccountTotals, Totals};

use super::visit::{Visited, visit};

/// What the rows come to that can be imported.
pub(super) fn totals(
    reader: impl Read,
    layout: &Layout,
    context: Context<'_>,
    edits: &RowEdits,
) -> Vec<AccountTotals> {
    let mut totals = Totals::default();
    let each = |visited: Visited<'_>| {
        if let Ok(row) = &visited.outcome
            && let Some(row) = row.transaction()
            && visited.choice != RowChoice::LeaveOut
        {
            totals.row(row);
        }
        ControlFlow::Continue(())
    };
    match visit(reader, layout, context, edits, layout.start, 0, each) {
        Ok(_) => totals.finish(),
        // The file was read a moment ago.
        Err(_) => Vec::new(),
    }
}
