//! Tables that were made of files of bank statements.
//!
//! The balances at their ends are lines of their own, which a column marks. Its name is one that no
//! bank writes, so that such a table is known by it; and a payment that is called `Opening balance`
//! is a payment.

use crate::import::layout::Layout;
use crate::import::left_out::AnchorKind;

/// The header of the column that marks the lines with balances.
pub const LINE_OF_STATEMENT: &str = "Line of a bank statement";
/// What the column has in the line with the balance before the rows.
pub const OPENING_LINE: &str = "opening";
/// What it has in the line with the balance after them.
pub const CLOSING_LINE: &str = "closing";

impl Layout {
    /// The column that marks the lines with balances, if the table was made of statements.
    pub(super) fn lines_column(&self) -> Option<usize> {
        self.headers.iter().position(|header| header == LINE_OF_STATEMENT)
    }

    /// Whether the table was made of a file of bank statements.
    pub fn is_of_statements(&self) -> bool {
        self.lines_column().is_some()
    }
}

/// Which balance a line states.
pub(super) fn kind_of(mark: &str) -> Option<AnchorKind> {
    match mark {
        OPENING_LINE => Some(AnchorKind::Opening),
        CLOSING_LINE => Some(AnchorKind::Closing),
        _ => None,
    }
}
