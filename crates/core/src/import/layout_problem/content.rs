//! What columns hold, as problems name it.

use serde::{Deserialize, Serialize};

use super::LayoutProblem;
use crate::import::columns::listed;
use crate::named::text_enum;

text_enum! {
    /// What a column holds that files of some kind can't do without.
    ColumnContent {
        /// The day of a transaction.
        Date = "date",
        /// The amount, signed or with a direction.
        Amount = "amount",
        /// The amount of outflows.
        MoneyOut = "money out",
        /// The amount of inflows.
        MoneyIn = "money in",
        /// The currency of the amount.
        Currency = "currency",
        /// The name of a category, or of another record that is found by its name.
        Name = "name",
        /// The conditions of a rule.
        Conditions = "conditions",
        /// The actions of a rule.
        Actions = "actions",
        /// The balance of an account.
        Balance = "balance",
        /// The ticker or the ISIN of a security.
        Ticker = "ticker or ISIN",
        /// The number of shares.
        Quantity = "quantity",
    }
}

impl ColumnContent {
    /// The setting that names the column.
    pub(super) fn setting(self) -> &'static str {
        match self {
            Self::Date => "date_col_label",
            Self::Amount | Self::Balance => "amount_col_label",
            Self::MoneyOut => "debit_col_label",
            Self::MoneyIn => "credit_col_label",
            Self::Currency => "currency_col_label",
            Self::Name => "name_col_label",
            Self::Conditions => "conditions_col_label",
            Self::Actions => "actions_col_label",
            Self::Ticker => "ticker_col_label",
            Self::Quantity => "qty_col_label",
        }
    }
}

/// A column that may hold something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedColumn {
    /// The position of the column.
    pub column: usize,
    /// The label that names it.
    pub header: String,
    /// The first cell with a text.
    pub cell: String,
}

impl LayoutProblem {
    pub(in crate::import) fn no_column(content: ColumnContent, headers: &[String]) -> Self {
        Self::NoColumn { content, headers: listed(headers) }
    }
}
