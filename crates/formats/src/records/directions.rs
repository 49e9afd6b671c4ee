//! Which way amounts without signs went, found by reading all rows.

use std::io::Read;
use std::ops::ControlFlow;

use purser_core::import::kind::Context;
use purser_core::import::layout::Layout;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::left_out::Cause;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::transaction::balance::Sense;
use purser_core::import::transaction::balance::directions::{
    CorrectedDirection, DirectionFinder, corrected_direction,
};
use purser_core::import::transaction::stated::stated_opening;
use purser_core::limits::IMPORT_MAPPINGS_MAX;
use purser_core::text::quoted;

use super::visit::{VisitError, Visited, visit};

/// Lines that are named of rows without a direction.
const LINES_SHOWN: usize = 3;

/// Completes a layout of which only the balances show the directions; too many rows of which they
/// don't are a problem. `reader` must stand at the first record.
pub(super) fn find_directions(
    reader: impl Read,
    layout: &mut Layout,
    context: Context<'_>,
    edits: &RowEdits,
) -> Result<(), VisitError> {
    let (Some(column), Some(balance)) = (layout.unsigned_column(), &layout.balance) else {
        return Ok(());
    };
    let sense = balance.sense;
    let mut finder = DirectionFinder::new(balance);
    let each = |visited: Visited<'_>| {
        let edit = edits.get(&visited.row).and_then(|edit| edit.cells.get(&column));
        let corrected =
            edit.map_or(CorrectedDirection::default(), |cell| corrected_direction(cell));
        let is_left_out = visited.is_left_out();
        match &visited.link {
            // What the account held is no change of it.
            _ if visited.left_out.is_some_and(|it| matches!(it.cause, Cause::Anchor(_))) => {}
            Some(link) => finder.row((visited.row, visited.line), link, is_left_out, corrected),
            None if is_left_out => {}
            None => finder.unreadable_row(),
        }
        let goes_on = !finder.has_more_accounts_than(IMPORT_MAPPINGS_MAX);
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let passed = visit(reader, layout, context, edits, layout.start, 0, each)?;
    let found = finder.finish(|account, currency| {
        let opening = stated_opening(&passed.stated, passed.rows, account, currency)?;
        match sense {
            Sense::Money => Some(opening),
            Sense::Debt => opening.checked_neg(),
        }
    });
    let header = quoted(&layout.header(balance_column(layout)));
    let is_overflowing = found.is_overflowing();
    if found.breaks > found.proofs || (is_overflowing && found.breaks > found.unknown) {
        let compared = found.proofs + found.breaks;
        let follow = found.proofs;
        layout.problems.push(LayoutProblem::BalanceDiffers { header, follow, compared });
    } else if is_overflowing {
        let amount = quoted(&layout.header(column));
        let lines = found.first_lines.iter().copied().take(LINES_SHOWN).collect();
        let problem = LayoutProblem::OpenDirections { amount, header, rows: found.open(), lines };
        layout.problems.push(problem);
    }
    if let Some(balance) = &mut layout.balance {
        balance.directions = Some(found.directions);
    }
    Ok(())
}

fn balance_column(layout: &Layout) -> usize {
    layout.balance.as_ref().map_or(0, |balance| balance.column)
}
