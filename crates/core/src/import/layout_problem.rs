//! Why a file can't be read as it is, as data: what is in doubt, and the setting that decides it.
//!
//! The API sends the text of a problem; a page shows the problem at the control of its setting, in
//! its own words if it has some. Problems are stored with their layout. A text alone is a
//! [`LayoutProblem::Sentence`], which is how earlier versions stored all of them.

mod content;
mod sentences;
mod setting;

pub use content::{ColumnContent, ProposedColumn};
use jiff::civil::Date;
use sentences::{
    ends_differ, money_or_debt, no_balances, no_sheet, quoted_list, sense_of_ends, what_it_counts,
    which_are_booked, which_code, which_column, which_come_off, which_sheet, which_way,
    which_way_oldest, which_way_unmarked,
};
use serde::{Deserialize, Serialize};

use super::row_filter::RowFilter;
use super::settings::Signage;
use super::source_file::SourceSheet;
use super::transaction::balance::RowOrder;
use crate::money::Currency;
use crate::text::number::NumberFormat;

/// Why a file can't be read, as a sentence without a full stop; cells and headers are shortened.
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
    /// The cells of some columns show that they may hold it, but not which one does.
    #[error("{}", which_column(*content, columns, *likely))]
    WhichColumn {
        /// What they may hold.
        content: ColumnContent,
        /// The columns, in their order.
        columns: Vec<ProposedColumn>,
        /// The position among them of the one that is proposed.
        likely: Option<usize>,
    },
    /// A column that every row needs has no text in any row.
    #[error("The {} column is blank in every row", .content.as_str())]
    BlankColumn {
        /// What the column holds.
        content: ColumnContent,
    },
    /// Several sheets of a spreadsheet have a table.
    #[error("{}", which_sheet(sheets))]
    WhichSheet {
        /// Those that have one.
        sheets: Vec<SourceSheet>,
    },
    /// The file doesn't have the sheet that was named.
    #[error("{}", no_sheet(name, sheets))]
    NoSheet {
        /// The name that was sent.
        name: String,
        /// The sheets that aren't empty; nothing in a file that is no spreadsheet.
        sheets: Vec<SourceSheet>,
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
    /// Dates with two digits of a year that would be long ago, or far ahead.
    #[error(
        "Read as they are usually written, the dates would be far from today (\"{cell}\" would be \
         {day}); say how they are written"
    )]
    UnlikelyYears {
        /// The first such day of the file.
        day: Date,
        /// The cell that it was read from.
        cell: String,
    },
    /// A column that no name makes the currency has codes, another one among them than the amounts
    /// would be taken in.
    #[error(
        "\"{header}\" has {found}, but the amounts would be taken in {expected}; say whether that \
         column is their currency"
    )]
    UnnamedCurrency {
        /// The header of the column.
        header: String,
        /// The currency in its cells.
        found: Currency,
        /// The currency of the account or of the family.
        expected: Currency,
    },
    /// The lines above the header name another currency than the amounts would be taken in.
    #[error(
        "The lines above the header name {found}, but the amounts would be taken in {expected}: \
         choose an account in {found}, or say in which of the two they are"
    )]
    CurrencyAbove {
        /// The currency above the header.
        found: Currency,
        /// The currency of the account or of the family.
        expected: Currency,
    },
    /// The header of the amount names a code that is no currency of today.
    #[error("{}", which_code(header, code, former.as_deref()))]
    CodeInHeader {
        /// The header of the amount.
        header: String,
        /// The code in it.
        code: String,
        /// What became of the currency, as a sentence without a full stop, if it was one.
        former: Option<String>,
    },
    /// Columns have fees or taxes, and nothing shows whether the amounts contain them.
    #[error("{}", which_come_off(fee, others, amount))]
    UnknownFee {
        /// The header of the fees.
        fee: String,
        /// The headers of further fees and taxes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<String>,
        /// The header of the amounts.
        amount: String,
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
        /// Some amounts have signs, but too many of a debt have none.
        has_signs: bool,
        /// The account is a debt, such as a card, of which most amounts are purchases.
        is_debt: bool,
    },
    /// Some amounts are marked as money in, and nothing shows what the others are.
    #[error("{}", which_way_unmarked(header, *marked, *others))]
    UnmarkedAmounts {
        /// The header of the amounts.
        header: String,
        /// How many have a mark.
        marked: u64,
        /// How many have none.
        others: u64,
    },
    /// Amounts of one direction have different signs.
    #[error(
        "Amounts of the same direction in {} have different signs: which are money that came back, \
         those with a minus (minus_is_reversal), those without (plain_is_reversal), in each \
         direction the rarer ones (direction_and_sign), or none (direction_only)?",
        quoted_list(headers)
    )]
    MixedSigns {
        /// The headers of the amounts, and of their words.
        headers: Vec<String>,
    },
    /// Somebody has turned these columns round for another account.
    #[error(
        "In a file of another account with the same columns \"{credit}\" was chosen as money out: \
         is it money in here (credit_col_label), as its name suggests, or money out, too \
         (debit_col_label)?"
    )]
    TurnedElsewhere {
        /// The header of what is called money in.
        credit: String,
    },
    /// Amounts have no signs, and the balances show the direction of all rows but the oldest.
    #[error("{}", which_way_oldest(header, *others))]
    OldestDirection {
        /// The header of the amounts.
        header: String,
        /// What the balances show of the other rows.
        others: Signage,
    },
    /// Neither types nor signs show which shares were bought and which were sold.
    #[error(
        "Nothing shows which shares in \"{header}\" were bought and which were sold: are positive \
         quantities purchases (inflows_positive) or sales (inflows_negative), or does a column \
         have the type?"
    )]
    UnknownTradeDirection {
        /// The header of the quantities.
        header: String,
    },
    /// Words for the status that may mean that a row isn't booked.
    #[error("{}", which_are_booked(header, words, booked, filter))]
    UnknownStatus {
        /// The header of the status.
        header: String,
        /// The first words that are not understood, as they are shown.
        words: Vec<String>,
        /// All of them as they stand in the file, if these are few.
        #[serde(default)]
        unknown: Vec<String>,
        /// The words for booked that the file has beside them.
        #[serde(default)]
        booked: Vec<String>,
        /// The filter that the answer has to keep.
        #[serde(default, skip_serializing_if = "RowFilter::is_empty")]
        filter: RowFilter,
    },
    /// One account was chosen for the rows of several.
    #[error(
        "The file has several accounts, which can't all be the one that was named: send it without \
         account_id, and choose an account for each"
    )]
    SeveralAccounts,
    /// There are rows, but none of them is taken.
    #[error("Every row is left out: {reason}")]
    AllLeftOut {
        /// Why the first row is left out.
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
    #[error("{}", ends_differ(ends))]
    EndsDiffer {
        /// What differs, as a part of a sentence.
        ends: String,
    },
    /// Balances of a debt agree in one sense, which earlier files don't show to be theirs.
    #[error("{}", sense_of_ends(ends, *is_debt))]
    SenseOfEnds {
        /// Balances and rows, as a part of a sentence.
        ends: String,
        /// They agree as what is owed, and else as money.
        is_debt: bool,
    },
    /// Bank statements that contradict themselves, or lack what would prove their rows.
    #[error(
        "The statements in the file are not proven: {}; compare them with the bank's, because rows \
         may be missing, or amounts may be read wrongly",
        .reasons.join("; ")
    )]
    StatementsNotProven {
        /// What they contradict or lack, as sentences without a full stop.
        reasons: Vec<String>,
    },
    /// Balances prove what stands between them, but a document doesn't state those at its ends.
    #[error("Compare the first and the last rows with the document: {}", .reasons.join("; "))]
    EndsNotStated {
        /// What it doesn't state, as sentences without a full stop.
        reasons: Vec<String>,
    },
    /// A document without balances: nothing shows that all of it was read, and read rightly.
    #[error(
        "The document has no balances that prove its rows: compare them with the document; rows \
         may be missing, or amounts may be read wrongly"
    )]
    NotProven,
    /// Words were recognised in pictures: balances prove the amounts, and nothing else.
    #[error(
        "The words of the document were recognised in pictures: balances prove its amounts, but a \
         letter or a digit of a day or a name may be another one; compare them with the document"
    )]
    Recognised,
    /// The balance may be money or a debt, on which the direction of the amounts depends.
    #[error("{}", money_or_debt(header))]
    MoneyOrDebt {
        /// The header of the balance.
        header: String,
        /// Columns or words give the direction, so that no sign convention decides.
        is_directed: bool,
        /// The balance alone shows what these columns or words mean.
        #[serde(default)]
        is_by_balance: bool,
    },
    /// Amounts have no signs, and the balance that shows their directions may be money or a debt.
    #[error("{}", what_it_counts(header))]
    UnsignedMoneyOrDebt {
        /// The header of the balance.
        header: String,
        /// The position of its column.
        column: usize,
        /// The order in which its rows follow.
        order: RowOrder,
    },
    /// Amounts have no signs, and very many rows have no balance that shows their direction.
    #[error("{}", no_balances(amount, header, *rows, lines))]
    OpenDirections {
        /// The header of the amounts.
        amount: String,
        /// The header of the balance.
        header: String,
        /// How many rows there are.
        rows: u64,
        /// The lines of the first of them.
        lines: Vec<u64>,
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

/// The texts of problems, in their order.
pub fn texts(problems: &[LayoutProblem]) -> Vec<String> {
    problems.iter().map(LayoutProblem::to_string).collect()
}

#[cfg(test)]
#[path = "layout_problem_tests.rs"]
mod tests;
