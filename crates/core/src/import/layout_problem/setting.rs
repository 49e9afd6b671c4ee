//! Which setting decides a question.

use super::LayoutProblem;

impl LayoutProblem {
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
            Self::UnnamedCurrency { .. } => Some("currency_col_label"),
            Self::UnknownStatus { .. } | Self::AllLeftOut { .. } => Some("row_filter"),
            Self::AmbiguousNumbers { .. } | Self::UnknownNumbers { .. } => Some("number_format"),
            Self::UncertainDirection { .. } => Some("amount_type_strategy"),
            Self::MoneyOrDebt { is_directed: false, .. }
            | Self::UnknownDirection { .. }
            | Self::OldestDirection { .. }
            | Self::UnknownTradeDirection { .. } => Some("signage_convention"),
            Self::MoneyOrDebt { .. }
            | Self::UnsignedMoneyOrDebt { .. }
            | Self::OpenDirections { .. }
            | Self::BalanceDiffers { .. }
            | Self::EndsDiffer { .. }
            | Self::StatementsNotProven { .. }
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
