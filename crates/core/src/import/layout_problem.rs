//! Why a file can't be read as it is, as data: what is in doubt, and the setting that decides it.
//!
//! The API sends the text of a problem; a page shows the problem at the control of its setting, in
//! its own words if it has some. Problems are stored with their layout. A text alone is a
//! [`LayoutProblem::Sentence`], which is how earlier versions stored all of them.

use serde::{Deserialize, Serialize};

use super::columns::listed;
use crate::error::Problem;
use crate::named::text_enum;
use crate::text::number::NumberFormat;

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
        /// The name of a category.
        Name = "name",
    }
}

impl ColumnContent {
    /// The setting that names the column.
    fn setting(self) -> &'static str {
        match self {
            Self::Date => "date_col_label",
            Self::Amount | Self::MoneyOut | Self::MoneyIn => "amount_col_label",
            Self::Name => "name_col_label",
        }
    }
}

/// Why a file can't be read. The text is a sentence without a full stop. Cells and headers are
/// shortened for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum LayoutProblem {
    /// The file is blank, or has nothing but blank lines behind the lines to skip.
    #[error("The file is empty")]
    Empty,
    /// The file has fewer lines than are to be skipped, or more text in them than is searched.
    #[error("The rows_to_skip is {rows_to_skip}, but the file has no line after that")]
    SkipsEverything {
        /// The number of lines to skip.
        rows_to_skip: u32,
    },
    /// The first record looks like data, so there is no header.
    #[error("The file has no header: line {line} looks like data (\"{cell}\")")]
    NoHeader {
        /// The physical line of that record.
        line: u64,
        /// The cell that looks like a date or an amount.
        cell: String,
    },
    /// There is nothing behind the header.
    #[error("The file has a header, but no rows")]
    NoRows,
    /// No column holds what every row needs.
    #[error("No column holds the {}; headers found: {headers}", .content.as_str())]
    NoColumn {
        /// What the column would hold.
        content: ColumnContent,
        /// The headers as a message lists them.
        headers: String,
    },
    /// Two columns hold the same with equal right.
    #[error(
        "The {} may be in \"{}\" or in \"{}\"; say which one it is",
        .content.as_str(), .headers[0], .headers[1]
    )]
    TwoColumns {
        /// What both may hold.
        content: ColumnContent,
        /// The headers of both.
        headers: [String; 2],
    },
    /// A column that every row needs has no text in any row.
    #[error("The {} column is blank in every row", .content.as_str())]
    BlankColumn {
        /// What the column holds.
        content: ColumnContent,
    },
    /// Two formats of dates fit every row and read a cell as different days.
    #[error(
        "The date format is ambiguous: {} and {} fit equally well (for example \"{cell}\")",
        .patterns[0], .patterns[1]
    )]
    AmbiguousDates {
        /// The strftime patterns of both.
        patterns: [String; 2],
        /// The cell that both read.
        cell: String,
    },
    /// Two formats of numbers fit every row and read a cell as different amounts.
    #[error(
        "The number format is ambiguous: {} and {} fit equally well (for example \"{cell}\")",
        .formats[0].as_str(), .formats[1].as_str()
    )]
    AmbiguousNumbers {
        /// The two formats that fit.
        formats: [NumberFormat; 2],
        /// The cell that both read.
        cell: String,
    },
    /// No known format reads the dates.
    #[error("No known date format fits (for example \"{cell}\")")]
    UnknownDates {
        /// The first cell of the column.
        cell: String,
    },
    /// No known format reads the amounts.
    #[error("No known number format fits (for example \"{cell}\")")]
    UnknownNumbers {
        /// The first cell of the column.
        cell: String,
    },
    /// A column seems to have the direction of amounts, but contradicts itself or the amounts.
    #[error("Which way money went is not certain in \"{header}\": {reason}")]
    UncertainDirection {
        /// The header of the column.
        header: String,
        /// What makes it uncertain, as a part of a sentence.
        reason: String,
    },
    /// Nothing in the file shows which amounts are money out.
    #[error("{}", which_way(header, *has_signs, *is_debt))]
    UnknownDirection {
        /// The header of the amounts.
        header: String,
        /// Some amounts have signs, but most of a debt have none.
        has_signs: bool,
        /// The account is a debt, such as a card, of which most amounts are purchases.
        is_debt: bool,
    },
    /// Words for the status that may mean that a row isn't booked.
    #[error("{}", which_are_booked(header, words))]
    UnknownStatus {
        /// The header of the status.
        header: String,
        /// The first words that are not understood.
        words: Vec<String>,
    },
    /// There are rows, but none of them is taken.
    #[error("Every row is left out: {reason}")]
    AllLeftOut {
        /// The first reason.
        reason: String,
    },
    /// Too many balances don't follow from the amounts under any reading.
    #[error(
        "The balances in \"{header}\" do not follow from the amounts: {follow} of {compared} do; \
         other columns or signs may be right, or the column is no running balance"
    )]
    BalanceDiffers {
        /// The header of the balance.
        header: String,
        /// How many balances follow from the row before and the amount.
        follow: u64,
        /// How many balances were compared.
        compared: u64,
    },
    /// The balances that the file states before and after its rows don't follow from them.
    #[error(
        "The balances that the file states before and after its rows do not agree with them: \
         {ends}; rows may be missing, or amounts may be read wrongly"
    )]
    EndsDiffer {
        /// What differs, as a part of a sentence.
        ends: String,
    },
    /// The balance may be money or a debt, on which the direction of the amounts depends.
    #[error(
        "Which way money went is not certain: the balance in \"{header}\" may be money that the \
         account holds, or a debt that grows with each purchase"
    )]
    MoneyOrDebt {
        /// The header of the balance.
        header: String,
        /// Columns or words give the direction, so that no sign convention decides.
        is_directed: bool,
    },
    /// The account holds money, but its balance rises with money out.
    #[error(
        "The balance in \"{header}\" rises with what the file calls money out, although the \
         account holds money: the directions may be the wrong way round"
    )]
    BalanceAgainstColumns {
        /// The header of the balance.
        header: String,
    },
    /// Any other reason, which no setting decides.
    #[error("{0}")]
    #[serde(untagged)]
    Sentence(String),
}

impl LayoutProblem {
    /// No column of the header holds what every row needs.
    pub(super) fn no_column(content: ColumnContent, headers: &[String]) -> Self {
        Self::NoColumn { content, headers: listed(headers) }
    }

    /// Whether the cells may decide it: a balance shows which column the amount is.
    pub fn is_open_to_cells(&self) -> bool {
        let is_amount = |content: &ColumnContent| {
            use ColumnContent::{Amount, MoneyIn, MoneyOut};
            matches!(content, Amount | MoneyOut | MoneyIn)
        };
        match self {
            Self::NoColumn { content, .. } | Self::TwoColumns { content, .. } => is_amount(content),
            _ => false,
        }
    }

    /// The setting that decides it, if one does.
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Self::SkipsEverything { .. } => Some("rows_to_skip"),
            Self::NoColumn { content, .. }
            | Self::TwoColumns { content, .. }
            | Self::BlankColumn { content } => Some(content.setting()),
            Self::AmbiguousDates { .. } | Self::UnknownDates { .. } => Some("date_format"),
            Self::UnknownStatus { .. } | Self::AllLeftOut { .. } => Some("row_filter"),
            Self::AmbiguousNumbers { .. } | Self::UnknownNumbers { .. } => Some("number_format"),
            Self::UncertainDirection { .. } => Some("amount_type_strategy"),
            Self::MoneyOrDebt { is_directed: false, .. } | Self::UnknownDirection { .. } => {
                Some("signage_convention")
            }
            Self::MoneyOrDebt { .. }
            | Self::BalanceDiffers { .. }
            | Self::EndsDiffer { .. }
            | Self::BalanceAgainstColumns { .. } => Some("balance_check"),
            Self::Empty | Self::NoHeader { .. } | Self::NoRows | Self::Sentence(_) => None,
        }
    }
}

/// The question about amounts of which nothing shows the direction.
fn which_way(header: &str, has_signs: bool, is_debt: bool) -> String {
    let seen = if has_signs {
        format!("Most amounts in \"{header}\" are positive, and the account is a debt")
    } else {
        format!("All amounts in \"{header}\" are unsigned")
    };
    let proposal = match (has_signs, is_debt) {
        (true, _) => {
            "are positive amounts money out (purchases: inflows_negative, which is likely) or money \
             in (inflows_positive)?"
        }
        (false, true) => {
            "are they money out (purchases: inflows_negative, which is likely), money in \
             (inflows_positive), or does a column have the direction?"
        }
        (false, false) => {
            "are they money out (inflows_negative), money in (inflows_positive), or does a column \
             have the direction?"
        }
    };
    format!("{seen}: {proposal}")
}

/// The question about words for a status.
fn which_are_booked(header: &str, words: &[String]) -> String {
    let listed = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    format!(
        "Whether rows with {listed} in \"{header}\" are booked is not certain; list the words to \
         take in the row filter, as in: {header} is {}",
        words.join(" | ")
    )
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

/// The texts of problems, in their order.
pub fn texts(problems: &[LayoutProblem]) -> Vec<String> {
    problems.iter().map(LayoutProblem::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::settings::SETTINGS;

    /// One problem of each kind.
    fn problems() -> Vec<LayoutProblem> {
        let content = ColumnContent::Date;
        let (cell, headers) = (|| "x".to_owned(), [String::new(), "b".to_owned()]);
        let patterns = ["%d/%m/%Y".to_owned(), "%m/%d/%Y".to_owned()];
        let formats = [NumberFormat::CommaDot, NumberFormat::DotComma];
        vec![
            LayoutProblem::Empty,
            LayoutProblem::SkipsEverything { rows_to_skip: 3 },
            LayoutProblem::NoHeader { line: 1, cell: cell() },
            LayoutProblem::NoRows,
            LayoutProblem::no_column(content, &headers),
            LayoutProblem::TwoColumns { content, headers },
            LayoutProblem::BlankColumn { content },
            LayoutProblem::AmbiguousDates { patterns, cell: cell() },
            LayoutProblem::AmbiguousNumbers { formats, cell: cell() },
            LayoutProblem::UnknownDates { cell: cell() },
            LayoutProblem::UnknownNumbers { cell: cell() },
            LayoutProblem::UncertainDirection { header: cell(), reason: cell() },
            LayoutProblem::UnknownDirection { header: cell(), has_signs: false, is_debt: false },
            LayoutProblem::UnknownDirection { header: cell(), has_signs: true, is_debt: true },
            LayoutProblem::UnknownStatus { header: cell(), words: vec![cell()] },
            LayoutProblem::AllLeftOut { reason: cell() },
            LayoutProblem::BalanceDiffers { header: cell(), follow: 1, compared: 9 },
            LayoutProblem::EndsDiffer { ends: cell() },
            LayoutProblem::MoneyOrDebt { header: cell(), is_directed: false },
            LayoutProblem::MoneyOrDebt { header: cell(), is_directed: true },
            LayoutProblem::BalanceAgainstColumns { header: cell() },
            LayoutProblem::Sentence("Line 2: The record is not valid UTF-8".to_owned()),
        ]
    }

    #[test]
    fn problems_survive_their_storage() {
        let json = serde_json::to_string(&problems()).unwrap();
        assert_eq!(
            serde_json::from_str::<Vec<LayoutProblem>>(&json).unwrap(),
            problems(),
            "{json}"
        );
    }

    #[test]
    fn texts_of_earlier_versions_are_read_as_they_are() {
        for problem in problems() {
            let json = serde_json::to_string(&problem.to_string()).unwrap();
            let read: LayoutProblem = serde_json::from_str(&json).unwrap();
            assert_eq!(read, LayoutProblem::Sentence(problem.to_string()));
            assert_eq!(read.to_string(), problem.to_string());
        }
    }

    #[test]
    fn what_a_problem_is_about_is_a_setting() {
        for problem in problems() {
            let setting = problem.setting();
            assert!(setting.is_none_or(|name| SETTINGS.contains(&name)), "{problem:?}");
            assert_eq!(Problem::from(problem).path(), setting);
        }
    }
}
