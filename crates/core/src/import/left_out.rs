//! Why a row of a file isn't taken, although nobody left it out: the reason stands in the file.
//!
//! Such a row is counted and shown with its reason, and a person can still take it.

use serde::{Deserialize, Serialize};

use super::layout::Layout;
use super::trade::NOT_USED;
use crate::limits::LEFT_OUT_REASONS_MAX;
use crate::named::text_enum;
use crate::text::quoted;

/// Characters of a reason that stands in the file.
const REASON_CHARS_MAX: usize = 300;

text_enum! {
    /// What a line is about that is no movement of money.
    AnchorKind {
        /// What the account held before the rows.
        Opening = "opening_balance",
        /// What the account held after the rows.
        Closing = "closing_balance",
        /// What the account held at some time.
        Balance = "balance",
        /// What rows come to.
        Total = "total",
    }
}

/// The reason why a row is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The filter of the import leaves it out.
    Filter,
    /// No money moved: declined, cancelled, failed.
    Refused,
    /// It isn't booked yet, and comes with a later file.
    Pending,
    /// It is a balance or a total.
    Anchor(AnchorKind),
    /// It describes what other rows name.
    Described,
    /// It stands in a list of the file that has no entries.
    Listed,
    /// It takes from a budget what was assigned before, and no budget is below zero.
    BelowZero,
    /// It is a record of the family, and all rows are to go into one account.
    OfFamily,
    /// It is what the account held before the rows, as its positions show.
    HeldBefore,
    /// The file states something beside its entries that can't be used.
    Unusable,
}

/// A row that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeftOut<'r> {
    /// The column that shows it.
    pub column: usize,
    /// The cell in that column.
    pub cell: &'r str,
    /// Why the row is left out.
    pub cause: Cause,
}

/// Rows that are left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutRows {
    /// The reason as a sentence without a full stop.
    pub reason: String,
    /// How many there are.
    pub rows: u64,
}

/// Counts rows that are left out, by what shows the reason.
#[derive(Debug, Default)]
pub struct LeftOutCounter {
    known: Vec<(usize, Cause, String, u64)>,
    /// Rows with yet other cells.
    others: u64,
}

impl LeftOutCounter {
    /// Counts a row by its reason.
    pub fn add(&mut self, row: &LeftOut<'_>) {
        let LeftOut { column, cell, cause } = *row;
        let is_known = |known: &(usize, Cause, String, u64)| {
            known.0 == column && known.1 == cause && known.2 == cell
        };
        if let Some(at) = self.known.iter().position(is_known) {
            self.known[at].3 += 1;
        } else if self.known.len() < LEFT_OUT_REASONS_MAX {
            self.known.push((column, cause, cell.to_owned(), 1));
        } else {
            self.others += 1;
        }
    }

    /// The rows by reason, in the order of their appearance.
    pub fn finish(self, layout: &Layout) -> Vec<LeftOutRows> {
        let others = LeftOutRows { reason: "For other reasons".to_owned(), rows: self.others };
        let known = self.known.into_iter().map(|(column, cause, cell, rows)| LeftOutRows {
            reason: LeftOut { column, cell: &cell, cause }.reason(layout),
            rows,
        });
        known.chain((others.rows > 0).then_some(others)).collect()
    }
}

impl LeftOut<'_> {
    /// The reason as a sentence without a full stop.
    pub fn reason(&self, layout: &Layout) -> String {
        self.text(&layout.headers)
    }

    /// Whether it is only known why when the row is read.
    pub fn states_no_reason(&self) -> bool {
        self.cause == Cause::Unusable && !self.cell.starts_with(NOT_USED)
    }

    /// The same with the headers of the file.
    pub(super) fn text(&self, headers: &[String]) -> String {
        let header = headers.get(self.column).filter(|header| !header.is_empty());
        let column =
            header.map_or_else(|| format!("Column {}", self.column + 1), |one| quoted(one));
        if let (Cause::Unusable, Some(reason)) = (self.cause, self.cell.strip_prefix(NOT_USED)) {
            return format!(
                "Not used: {}",
                reason.chars().take(REASON_CHARS_MAX).collect::<String>()
            );
        }
        let what = match self.cell {
            "" => format!("{column} is blank"),
            cell => format!("{column} is \"{}\"", quoted(cell)),
        };
        match self.cause {
            Cause::Filter => format!("{what}: the row filter leaves it out"),
            Cause::Refused => format!("{what}: no money moved"),
            Cause::Pending => format!("{what}: it is not booked yet"),
            Cause::Anchor(AnchorKind::Total) => format!("{what}: it is a total, no transaction"),
            Cause::Anchor(_) => format!("{what}: it is a balance, no transaction"),
            Cause::Described => format!("{what}: it only describes what other rows name"),
            Cause::Listed => format!("{what}: it stands in a list and is no entry of an account"),
            Cause::OfFamily => format!("{what}: it is no entry of the account of the import"),
            Cause::BelowZero => format!("{what}: a budget can't be below zero"),
            Cause::Unusable => format!("{what}: it can't be used"),
            Cause::HeldBefore => format!(
                "{what}: the account held it before these rows, as its positions show; take it if \
                 no earlier file has it"
            ),
        }
    }
}
