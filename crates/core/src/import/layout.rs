//! The layout: the settings in effect for a file, whether they were sent or found.
//!
//! It is stored with the import, so that any row can be read again later with the same result.
//! [`Layout::problems`] has the reasons why a file can't be read yet (an ambiguous date format, a
//! required column that wasn't found); without problems every record is a row, a row with reasons
//! why it is invalid, or no row at all.

mod amount_source;
mod longer_rows;
mod source;

use std::collections::{BTreeMap, HashMap};

pub use amount_source::AmountSource;
pub(in crate::import) use amount_source::inflow_keys;
pub use longer_rows::LongerRows;
use serde::{Deserialize, Serialize};

use super::columns;
pub use super::configuration::Configuration;
use super::kinds::Kind;
use super::layout_problem::LayoutProblem;
use super::left_out::LeftOutRows;
use super::native::{FileFacts, RecordCounts};
use super::register::{StatedAccountType, StatedOpening};
use super::row_filter::ColumnFilter;
use super::settings::{DebtSign, Separator, Signage};
use super::source_file::SourceFile;
use super::template::TemplateUse;
use super::trade::signs::SignRule;
use super::transaction::balance::{BalanceEnds, RunningBalance};
use super::transaction::columns::Columns;
use super::transaction::look_alikes::LookAlike;
use super::transaction::reversals::Reversals;
use super::transaction::totals::AccountTotals;
use crate::limits::{CSV_COLUMNS_MAX, HEADER_CHARS_MAX};
use crate::money::Currency;
use crate::text::number::NumberFormat;
use crate::text::quoted;

/// A place in the file from which it can be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The position of the byte.
    pub offset: u64,
    /// The physical line that starts there, 1-based.
    pub line: u64,
    /// The number that the next row has; rows are numbered from 1 without gaps.
    pub row: u64,
}

/// What the reader of the file found before the first record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preface {
    /// The name of the encoding.
    pub encoding: String,
    /// Whether the encoding is beyond doubt.
    pub encoding_certain: bool,
    /// The character between cells.
    pub separator: Separator,
    /// The header's cells, trimmed.
    pub headers: Vec<String>,
    /// The physical line of the header.
    pub header_line: u64,
    /// The position of the first record.
    pub start: Position,
    /// What a file without a header is recognised by; its headers are `#1`, `#2` and so on.
    pub shape: Option<String>,
}

#[cfg(test)]
impl Preface {
    /// What tests read below a header in the first line.
    pub(crate) fn below(header: &str, separator: Separator) -> Self {
        let headers = header.split(char::from(separator.byte())).map(str::to_owned).collect();
        Self {
            encoding: "UTF-8".to_owned(),
            encoding_certain: true,
            separator,
            headers,
            header_line: 1,
            start: Position { offset: 0, line: 2, row: 1 },
            shape: None,
        }
    }
}

/// The settings that are in effect for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The kind of the rows.
    #[serde(default)]
    pub kind: Kind,
    /// What the uploaded file is.
    #[serde(default)]
    pub file: SourceFile,
    /// The name of the encoding.
    pub encoding: String,
    /// Whether the encoding is beyond doubt.
    pub encoding_certain: bool,
    /// The character between cells.
    pub separator: Separator,
    /// The header's cells, trimmed and shortened.
    pub headers: Vec<String>,
    /// The physical line of the header; of a file without one, that of the first record.
    pub header_line: u64,
    /// Where the first record starts, in the text in UTF-8.
    pub start: Position,
    /// What a file without a header is recognised by; none if it has a header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The columns of transactions.
    pub columns: Columns,
    /// The columns of other kinds, by [`super::kind::Column::field`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, usize>,
    /// The amount, if its columns were found.
    pub amount: Option<AmountSource>,
    /// The strftime pattern of dates.
    pub date_format: Option<String>,
    /// How numbers are written.
    pub number_format: Option<NumberFormat>,
    /// The sign of an inflow, where the sign counts.
    pub signage: Signage,
    /// No amount of the only column has a minus, nor is it decided what a plus means: the
    /// convention is one about this file alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_no_signs: bool,
    /// Whether amounts without a mark are money out, where those that are money in have one, `CR`
    /// or `+`; nothing if no amount has such a mark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmarked_is_out: Option<bool>,
    /// The signs of amounts of which columns or words give the direction, if they count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reversals: Option<Reversals>,
    /// Which sign a debt has among the balances of accounts, if somebody stated it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debt_sign: Option<DebtSign>,
    /// How the signs of trades are read, once all of them were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_rule: Option<SignRule>,
    /// The column of balances, if rows are compared with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<RunningBalance>,
    /// Rows that may be a balance or a total, as the other rows show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub look_alikes: Vec<LookAlike>,
    /// What the rows that can be imported come to, for each account and currency.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub totals: Vec<AccountTotals>,
    /// The currency that the header of the amount names: `Betrag (EUR)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_currency: Option<Currency>,
    /// The currency that stands above the header, if there is one alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency_above: Option<Currency>,
    /// The balances that lines of the file state before and after its rows, as money, if it has no
    /// column of balances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<BalanceEnds>,
    /// Whether lines state balances that are none of those: nobody has confirmed what they count,
    /// and they aren't to be compared.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_open_sense: bool,
    /// Whether `stated` is written as a debt, if it proves the rows of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated_is_debt: Option<bool>,
    /// What accounts held before everything else in the file, if a program states it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<StatedOpening>,
    /// Accounts of a program's file that have trades: one that is created is an investment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub portfolios: Vec<String>,
    /// What accounts of a program's file are, if it states that: one that is created becomes it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub account_types: Vec<StatedAccountType>,
    /// Whether a program's file states prices or budgets.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_records: bool,
    /// How many records of each type a file in the server's own format has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record_counts: Option<RecordCounts>,
    /// What was found in such a file, if every row is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<FileFacts>,
    /// How many parts all rows have that are split transactions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parts: u64,
    /// Which rows are taken, if a filter was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_filter: Option<ColumnFilter>,
    /// Rows that are left out although nobody chose that, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRows>,
    /// The names of the settings that were not sent, but found in the file.
    pub found: Vec<String>,
    /// Those of them that what stands in the columns has shown, not their headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_by_content: Vec<String>,
    /// Headers that occur again; only the first of each is used.
    pub duplicate_headers: Vec<String>,
    /// The name of the account's own holder, if the file has a column for who pays and one for who
    /// is paid: it names no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_name: Option<String>,
    /// Rows that were taken although they have text behind the columns of the header.
    #[serde(default)]
    pub longer_rows: LongerRows,
    /// Why the file can't be read; empty if it can.
    pub problems: Vec<LayoutProblem>,
    /// The currencies of accounts that rows may name, by the key of the name, as they were at the
    /// upload: a row must not mean something else because an account was made or renamed since.
    /// Only those that are not in the family's currency.
    #[serde(default, skip_serializing_if = "HashMap::is_empty")]
    pub account_currencies: HashMap<String, Currency>,
    /// What was taken over from an earlier file with the same header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<TemplateUse>,
}

impl Layout {
    /// What holds for every kind: no column is known yet.
    pub(super) fn of_header(kind: Kind, mut preface: Preface) -> Self {
        preface.headers.truncate(CSV_COLUMNS_MAX);
        preface.headers.iter_mut().for_each(shorten);
        let duplicate_headers = columns::duplicates(&preface.headers);
        Self {
            separator: preface.separator,
            header_line: preface.header_line,
            start: preface.start,
            shape: preface.shape,
            headers: preface.headers,
            duplicate_headers,
            ..Self::unreadable(kind, Vec::new(), &preface.encoding, preface.encoding_certain)
        }
    }

    /// A layout with only the reasons why the file can't be read.
    pub fn unreadable(
        kind: Kind,
        problems: Vec<LayoutProblem>,
        encoding: &str,
        encoding_certain: bool,
    ) -> Self {
        Self {
            kind,
            file: SourceFile::default(),
            fields: BTreeMap::new(),
            encoding: encoding.to_owned(),
            encoding_certain,
            separator: Separator::Comma,
            headers: Vec::new(),
            header_line: 0,
            start: Position { offset: 0, line: 1, row: 1 },
            shape: None,
            columns: Columns::default(),
            amount: None,
            date_format: None,
            number_format: None,
            signage: Signage::InflowsPositive,
            has_no_signs: false,
            unmarked_is_out: None,
            reversals: None,
            debt_sign: None,
            sign_rule: None,
            balance: None,
            look_alikes: Vec::new(),
            totals: Vec::new(),
            amount_currency: None,
            currency_above: None,
            stated: None,
            has_open_sense: false,
            stated_is_debt: None,
            openings: Vec::new(),
            portfolios: Vec::new(),
            account_types: Vec::new(),
            has_records: false,
            record_counts: None,
            native: None,
            parts: 0,
            row_filter: None,
            left_out: Vec::new(),
            found: Vec::new(),
            found_by_content: Vec::new(),
            duplicate_headers: Vec::new(),
            own_name: None,
            longer_rows: LongerRows::default(),
            problems,
            account_currencies: HashMap::new(),
            template: None,
        }
    }

    /// The column of amounts of which only the balances show the directions.
    pub fn unsigned_column(&self) -> Option<usize> {
        match self.amount {
            Some(AmountSource::ByBalance { column }) => Some(column),
            _ => None,
        }
    }

    /// The sign convention, if it decides which way money went.
    pub fn signage_in_effect(&self) -> Option<Signage> {
        let is_sign = matches!(self.amount, None | Some(AmountSource::Signed { .. }));
        is_sign.then_some(self.signage)
    }

    /// The byte between two cells; for a file in which each line is one cell, that of line ends.
    pub fn separator_byte(&self) -> u8 {
        if self.kind == Kind::Native { b'\n' } else { self.separator.byte() }
    }

    /// Whether records can be interpreted.
    pub fn is_readable(&self) -> bool {
        self.problems.is_empty()
    }

    /// The label of a column: its header, or its place if the header is blank or there before.
    pub fn header(&self, column: usize) -> String {
        match self.headers.get(column) {
            Some(header) if !header.is_empty() && !self.repeats(column, header) => header.clone(),
            _ => columns::place_label(column),
        }
    }

    fn repeats(&self, column: usize, header: &str) -> bool {
        let is_same = |other: &String| columns::label_key(other) == columns::label_key(header);
        !self.duplicate_headers.is_empty() && self.headers.iter().take(column).any(is_same)
    }

    /// The line of the header, if there is one.
    fn header_line_shown(&self) -> Option<u64> {
        self.shape.is_none().then_some(self.header_line)
    }

    /// The ten values of the interface, with what is in effect.
    pub fn configuration(&self) -> Configuration {
        let label = |column: Option<usize>| column.map(|column| self.header(column));
        let amount = match self.amount {
            Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => {
                Some(column)
            }
            Some(AmountSource::Directed { amount, .. }) => Some(amount),
            _ => self.fields.get("amount").or(self.fields.get("balance")).copied(),
        };
        let field = |column: Option<usize>, field: &str| {
            label(column.or_else(|| self.fields.get(field).copied()))
        };
        let is_signage = |problem: &LayoutProblem| problem.setting() == Some("signage_convention");
        let has_signage = self.kind.spec().settings.contains(&"signage_convention")
            && self.unsigned_column().is_none()
            && !self.problems.iter().any(is_signage);
        Configuration {
            date_col_label: field(self.columns.date, "date"),
            amount_col_label: label(amount),
            name_col_label: field(self.columns.names.first().copied(), "name"),
            category_col_label: label(self.columns.category),
            tags_col_label: label(self.columns.tags),
            notes_col_label: field(self.columns.notes, "notes"),
            account_col_label: field(self.columns.account, "account"),
            date_format: self.date_format.clone(),
            number_format: self.number_format,
            signage_convention: has_signage.then_some(self.signage),
        }
    }

    /// Why a row that is valid in itself can't be taken because of others, a sentence without a
    /// full stop: it breaks the balance, or may be a total.
    pub fn reason_beside_others(&self, row: u64) -> Option<String> {
        let alike = || self.look_alikes.iter().find(|one| one.row == row);
        self.balance_reason(row).or_else(|| Some(alike()?.shown_by.reason().to_owned()))
    }

    /// Why a row breaks the balance, if it does: a sentence without a full stop.
    fn balance_reason(&self, row: u64) -> Option<String> {
        let balance = self.balance.as_ref()?;
        let found = balance.break_of(row)?;
        Some(format!("{} {}", quoted(&self.header(balance.column)), found.reason()))
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Limits what is kept of a header.
fn shorten(header: &mut String) {
    if let Some((end, _)) = header.char_indices().nth(HEADER_CHARS_MAX) {
        header.truncate(end);
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
