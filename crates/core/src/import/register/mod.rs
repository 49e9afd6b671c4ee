//! Exports of other programs for personal finance: Mint and its like.
//!
//! Such a file is no table of a bank: it has several accounts, rows that belong together, and
//! transfers of which both sides are rows. The reader of a program (`purser_formats::programs`)
//! rewrites it once, when it comes, as a *register*: a CSV with a header that is known here, one
//! record for each movement, cells as the program wrote them. From there on a register is read as
//! any file of transactions: formats are found or asked for, single cells can be corrected, names
//! are mapped. What only a register has stands in columns of its own ([`RegisterColumns`]).

mod columns;
mod kind;
mod lists;
mod openings;
mod pairs;
mod parts;
mod row;

pub use columns::{
    ACCOUNT_OF_LIST, Amounts, BUDGET, CATEGORY_OF_LIST, CORRECTION, OPENING, OTHER_OF_LIST, PRICE,
    RegisterColumns, RegisterShape, SECURITY_OF_LIST, TAG_OF_LIST, TradeColumns,
};
pub use kind::{
    Actual, ActualKind, Export, Mint, MintKind, Qif, QifKind, RegisterKind, Ynab, YnabKind,
};
pub use lists::{LabelRow, ListedRow, StatedAccountType};
pub use openings::{StatedOpening, StatedOpenings};
pub use pairs::{Leg, PairBook, StatedPair};
pub use parts::{PartCell, Parts, RowPart};
pub(super) use parts::{PartsBuf, amount_columns, record_of_part};
pub use row::{BudgetRow, Interpreter, PriceRow, Row, SideRecord};

use crate::named::text_enum;

text_enum! {
    /// A program with exports that can be read.
    Program {
        /// The service that was closed in 2024.
        Mint = "Mint",
        /// You Need A Budget, on the web and as YNAB 4.
        Ynab = "YNAB",
        /// The program Actual Budget.
        Actual = "Actual Budget",
        /// Any program that writes the Quicken Interchange Format.
        Qif = "QIF",
    }
}

#[cfg(test)]
mod tests;
