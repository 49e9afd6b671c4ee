//! What decides a problem: cells, or a setting.

use super::{ColumnContent, LayoutProblem};
use crate::error::Problem;

impl LayoutProblem {
    /// Whether the cells may decide it: a balance shows which column the amount is.
    pub fn is_open_to_cells(&self) -> bool {
        let is_amount = |content: &ColumnContent| {
            use ColumnContent::{Amount, MoneyIn, MoneyOut};
            matches!(content, Amount | MoneyOut | MoneyIn)
        };
        match self {
            Self::NoColumn { content, .. }
            | Self::TwoColumns { content, .. }
            | Self::WhichColumn { content, .. } => is_amount(content),
            _ => false,
        }
    }

    /// Whether the cells can be read in spite of it: what they show is of use for the question.
    pub fn lets_cells_be_read(&self) -> bool {
        self.is_open_to_cells()
            || matches!(self, Self::WhichColumn { .. } | Self::CodeInHeader { .. })
    }

    /// The setting that decides it, if one does.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Self::SkipsEverything { .. } => Some("rows_to_skip"),
            Self::NoColumn { content, .. }
            | Self::TwoColumns { content, .. }
            | Self::WhichColumn { content, .. }
            | Self::BlankColumn { content } => Some(content.setting()),
            Self::AmbiguousDates { .. }
            | Self::UnknownDates { .. }
            | Self::UnlikelyYears { .. } => Some("date_format"),
            Self::UnnamedCurrency { .. }
            | Self::CurrencyAbove { .. }
            | Self::CodeInHeader { .. } => Some("currency_col_label"),
            Self::UnknownFee { .. } => Some("fee_col_label"),
            Self::UnknownStatus { .. } | Self::AllLeftOut { .. } => Some("row_filter"),
            Self::AmbiguousNumbers { .. } | Self::UnknownNumbers { .. } => Some("number_format"),
            Self::UncertainDirection { .. } | Self::MixedSigns { .. } => {
                Some("amount_type_strategy")
            }
            Self::TurnedElsewhere { .. } => Some("debit_col_label"),
            Self::MoneyOrDebt { is_directed: false, .. }
            | Self::UnknownDirection { .. }
            | Self::UnmarkedAmounts { .. }
            | Self::OldestDirection { .. }
            | Self::UnknownTradeDirection { .. } => Some("signage_convention"),
            Self::MoneyOrDebt { .. }
            | Self::UnsignedMoneyOrDebt { .. }
            | Self::OpenDirections { .. }
            | Self::BalanceDiffers { .. }
            | Self::EndsDiffer { .. }
            | Self::SenseOfEnds { .. }
            | Self::StatementsNotProven { .. }
            | Self::EndsNotStated { .. }
            | Self::NotProven
            | Self::Recognised
            | Self::BalanceAgainstColumns { .. } => Some("balance_check"),
            Self::NoHeader { .. } => Some("has_header"),
            Self::WhichSheet { .. } | Self::NoSheet { .. } => Some("sheet"),
            Self::SeveralAccounts => Some("account_id"),
            Self::Empty | Self::NoRows | Self::Sentence(_) => None,
        }
    }
}

impl From<String> for LayoutProblem {
    fn from(sentence: String) -> Self {
        Self::Sentence(sentence)
    }
}

impl From<LayoutProblem> for Problem {
    fn from(problem: LayoutProblem) -> Self {
        let sentence = problem.to_string();
        match problem.setting() {
            Some(setting) => Self::about(setting, sentence),
            None => Self::sentence(sentence),
        }
    }
}
