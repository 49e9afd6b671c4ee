//! The layout: the settings in effect for a file, whether they were sent or found.
//!
//! It is stored with the import, so that any row can be read again later with the same result.
//! [`Layout::problems`] has the reasons why a file can't be read yet (an ambiguous date format, a
//! required column that wasn't found); without problems every record is a row, a row with reasons
//! why it is invalid, or no row at all.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::columns;
use super::kinds::Kind;
use super::layout_problem::{LayoutProblem, texts};
use super::left_out::LeftOutRows;
use super::row_filter::ColumnFilter;
use super::settings::{AmountStrategy, Separator, Settings, Signage};
use super::template::TemplateUse;
use super::transaction::balance::{BalanceEnds, RunningBalance};
use super::transaction::columns::Columns;
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
        /// The value that marks an inflow, every other an outflow. If it wasn't sent, the cells
        /// are words such as `credit` and `debit`, and any other word makes a row invalid.
        inflow_value: Option<String>,
    },
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
    /// The position behind the header.
    pub start: Position,
}

/// The settings that are in effect for a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The kind of the rows.
    #[serde(default)]
    pub kind: Kind,
    /// The name of the encoding.
    pub encoding: String,
    /// Whether the encoding is beyond doubt.
    pub encoding_certain: bool,
    /// The character between cells.
    pub separator: Separator,
    /// The header's cells, trimmed and shortened.
    pub headers: Vec<String>,
    /// The physical line of the header.
    pub header_line: u64,
    /// Where the first record starts, in the text in UTF-8.
    pub start: Position,
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
    /// The column of balances, if rows are compared with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balance: Option<RunningBalance>,
    /// The currency that the header of the amount names: `Betrag (EUR)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_currency: Option<Currency>,
    /// The balances that lines of the file state before and after its rows, as money, if it has no
    /// column of balances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<BalanceEnds>,
    /// Which rows are taken, if a filter was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_filter: Option<ColumnFilter>,
    /// Rows that are left out although nobody chose that, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRows>,
    /// The names of the settings that were not sent, but found in the file.
    pub found: Vec<String>,
    /// Headers that occur again; only the first of each is used.
    pub duplicate_headers: Vec<String>,
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

/// The ten values that the interface shows of an import of CSV.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Configuration {
    /// The header of the date column.
    pub date_col_label: Option<String>,
    /// The header of the amount column; null with separate columns for debit and credit.
    pub amount_col_label: Option<String>,
    /// The header of the name column.
    pub name_col_label: Option<String>,
    /// The header of the category column.
    pub category_col_label: Option<String>,
    /// The header of the tags column.
    pub tags_col_label: Option<String>,
    /// The header of the notes column.
    pub notes_col_label: Option<String>,
    /// The header of the account column.
    pub account_col_label: Option<String>,
    /// The strftime pattern of dates.
    pub date_format: Option<String>,
    /// How numbers are written.
    pub number_format: Option<NumberFormat>,
    /// Which sign an inflow has; none while that is a question.
    pub signage_convention: Option<Signage>,
}

impl Settings {
    /// What the interface shows while there is no file: what was sent, and the defaults.
    pub fn configuration(&self) -> Configuration {
        let labels = self.labels.clone();
        let signage = self.signage.unwrap_or(Signage::InflowsPositive);
        Configuration {
            date_col_label: labels.date,
            amount_col_label: labels.amount,
            name_col_label: labels.name,
            category_col_label: labels.category,
            tags_col_label: labels.tags,
            notes_col_label: labels.notes,
            account_col_label: labels.account,
            date_format: self.date_format.clone(),
            number_format: self.number_format,
            signage_convention: Some(signage),
        }
    }
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
            fields: BTreeMap::new(),
            encoding: encoding.to_owned(),
            encoding_certain,
            separator: Separator::Comma,
            headers: Vec::new(),
            header_line: 0,
            start: Position { offset: 0, line: 1, row: 1 },
            columns: Columns::default(),
            amount: None,
            date_format: None,
            number_format: None,
            signage: Signage::InflowsPositive,
            balance: None,
            amount_currency: None,
            stated: None,
            row_filter: None,
            left_out: Vec::new(),
            found: Vec::new(),
            duplicate_headers: Vec::new(),
            problems,
            account_currencies: HashMap::new(),
            template: None,
        }
    }

    /// Whether records can be interpreted.
    pub fn is_readable(&self) -> bool {
        self.problems.is_empty()
    }

    /// The header of a column, or its number if the header is blank.
    pub fn header(&self, column: usize) -> String {
        match self.headers.get(column) {
            Some(header) if !header.is_empty() => header.clone(),
            _ => format!("Column {}", column + 1),
        }
    }

    /// The ten values of the interface, with what is in effect.
    pub fn configuration(&self) -> Configuration {
        let label = |column: Option<usize>| column.map(|column| self.header(column));
        let amount = match self.amount {
            Some(AmountSource::Signed { column }) => Some(column),
            Some(AmountSource::Directed { amount, .. }) => Some(amount),
            _ => None,
        };
        let is_signage = |problem: &LayoutProblem| problem.setting() == Some("signage_convention");
        let has_signage = self.kind.spec().settings.contains(&"signage_convention")
            && !self.problems.iter().any(is_signage);
        Configuration {
            date_col_label: label(self.columns.date),
            amount_col_label: label(amount),
            name_col_label: label(self.columns.names.first().or(self.fields.get("name")).copied()),
            category_col_label: label(self.columns.category),
            tags_col_label: label(self.columns.tags),
            notes_col_label: label(self.columns.notes),
            account_col_label: label(self.columns.account),
            date_format: self.date_format.clone(),
            number_format: self.number_format,
            signage_convention: has_signage.then_some(self.signage),
        }
    }

    /// Everything else that was found, for people.
    pub fn source(&self) -> Value {
        if self.kind != Kind::Transaction {
            return self.source_of_fields();
        }
        let label = |column: Option<usize>| column.map(|column| self.header(column));
        let more_names: Vec<String> =
            self.columns.names.iter().skip(1).map(|column| self.header(*column)).collect();
        json!({
            "encoding": self.encoding,
            "encoding_certain": self.encoding_certain,
            "col_sep": self.separator.as_str(),
            "header_line": self.header_line,
            "headers": self.headers,
            "duplicate_headers": self.duplicate_headers,
            "amount": self.amount_source_shown(),
            "currency_col_label": label(self.columns.currency),
            "balance": self.balance_shown(),
            "amount_currency": self.amount_currency,
            "stated_balances": self.stated.as_ref().map(BalanceEnds::shown),
            "status_col_label": label(self.columns.status),
            "left_out_rows": self.left_out,
            "external_id_col_label": label(self.columns.external_id),
            "further_name_col_labels": more_names,
            "found": self.found,
            "problems": texts(&self.problems),
            "template": self.template.as_ref().map(TemplateUse::shown),
        })
    }

    /// The same for kinds with plain columns: a column without a field isn't imported.
    fn source_of_fields(&self) -> Value {
        let columns: BTreeMap<&str, String> = self
            .fields
            .iter()
            .map(|(field, column)| (field.as_str(), self.header(*column)))
            .collect();
        let is_unused = |column: &usize| !self.fields.values().any(|known| known == column);
        let unused: Vec<&String> =
            (0..self.headers.len()).filter(is_unused).map(|column| &self.headers[column]).collect();
        json!({
            "encoding": self.encoding,
            "encoding_certain": self.encoding_certain,
            "col_sep": self.separator.as_str(),
            "header_line": self.header_line,
            "headers": self.headers,
            "duplicate_headers": self.duplicate_headers,
            "columns": columns,
            "unused_headers": unused,
            "found": self.found,
            "problems": texts(&self.problems),
            "template": self.template.as_ref().map(TemplateUse::shown),
        })
    }

    /// Why a row breaks the balance, if it does: a sentence without a full stop.
    pub fn balance_reason(&self, row: u64) -> Option<String> {
        let balance = self.balance.as_ref()?;
        let found = balance.break_of(row)?;
        Some(format!("{} {}", quoted(&self.header(balance.column)), found.reason()))
    }

    fn balance_shown(&self) -> Value {
        self.balance.as_ref().map_or(Value::Null, |balance| {
            json!({
                "balance_col_label": self.header(balance.column),
                "order": balance.order,
                "sense": balance.sense,
                "proofs": balance.proofs,
                "breaks": balance.breaks.len(),
                "accounts": balance.ends.iter().map(BalanceEnds::shown).collect::<Vec<_>>(),
            })
        })
    }

    fn amount_source_shown(&self) -> Value {
        match &self.amount {
            None => Value::Null,
            Some(AmountSource::Signed { column }) => json!({
                "strategy": AmountStrategy::SignedAmount.as_str(),
                "amount_col_label": self.header(*column),
            }),
            Some(AmountSource::DebitCredit { debit, credit }) => json!({
                "strategy": "debit_credit",
                "debit_col_label": self.header(*debit),
                "credit_col_label": self.header(*credit),
            }),
            Some(AmountSource::Directed { amount, direction, inflow_value }) => json!({
                "strategy": AmountStrategy::CustomColumn.as_str(),
                "amount_col_label": self.header(*amount),
                "entity_type_col_label": self.header(*direction),
                "amount_type_inflow_value": inflow_value,
            }),
        }
    }
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
