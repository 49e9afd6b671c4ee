//! Where the amount of a row comes from.

use serde::{Deserialize, Serialize};

use crate::import::row_filter::values_of;
use crate::text::label::name_key;

/// The keys of the words that mark an inflow: of one, or of several with `|` between them.
pub(in crate::import) fn inflow_keys(value: &str) -> Vec<String> {
    let several = values_of(value).unwrap_or_default();
    let all = [value].into_iter().chain(several.iter().map(String::as_str));
    all.map(name_key).collect()
}

/// Where an amount and its direction come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AmountSource {
    /// One column with signed amounts.
    Signed {
        /// The column of the amount.
        column: usize,
    },
    /// A column for money out and one for money in; signs and the signage convention don't count.
    DebitCredit {
        /// The column of money out.
        debit: usize,
        /// The column of money in.
        credit: usize,
    },
    /// One column for the amount, and one for the direction; the sign doesn't count.
    Directed {
        /// The column of the amount.
        amount: usize,
        /// The column of the direction.
        direction: usize,
        /// The value that marks an inflow, or several with `|` between them, every other an
        /// outflow. If it wasn't sent, the cells
        /// are words such as `credit` and `debit`, and any other word makes a row invalid.
        inflow_value: Option<String>,
    },
    /// One column with amounts that have no signs and go both ways: whether the balance of a row is
    /// more or less than the one before it shows the direction.
    ByBalance {
        /// The column of the amount.
        column: usize,
    },
}

impl AmountSource {
    /// The same column with the directions that balances show, if it is the only one.
    pub(in crate::import) fn by_balance(&self) -> Self {
        match self {
            Self::Signed { column } => Self::ByBalance { column: *column },
            other => other.clone(),
        }
    }
}
