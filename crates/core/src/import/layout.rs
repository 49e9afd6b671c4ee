//! The layout: what is in effect for a file, whether it was sent or found.
//!
//! It is stored with the import, so that any row can be read again later with the same result.
//! [`Layout::problems`] says why a file can't be read yet (an ambiguous date format, a required
//! column that wasn't found); without problems every record is a row, a row with reasons why it is
//! invalid, or no row at all.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::columns::{self, Columns};
use super::settings::{AmountStrategy, Separator, Settings, Signage};
use super::template::TemplateUse;
use crate::limits::{CSV_COLUMNS_MAX, HEADER_CHARS_MAX};
use crate::money::Currency;
use crate::text::number::NumberFormat;

/// A place in the file from which it can be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// The byte.
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
    /// One column; the sign says the direction.
    Signed {
        /// The amount.
        column: usize,
    },
    /// A column for money out and one for money in; signs and the signage convention don't count.
    DebitCredit {
        /// Money out.
        debit: usize,
        /// Money in.
        credit: usize,
    },
    /// One column for the amount, and one that says the direction; the sign doesn't count.
    Directed {
        /// The amount.
        amount: usize,
        /// The direction.
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
    /// What separates cells.
    pub separator: Separator,
    /// The header's cells, trimmed.
    pub headers: Vec<String>,
    /// The physical line of the header.
    pub header_line: u64,
    /// Behind the header.
    pub start: Position,
}

/// What is in effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// The name of the encoding.
    pub encoding: String,
    /// Whether the encoding is beyond doubt.
    pub encoding_certain: bool,
    /// What separates cells.
    pub separator: Separator,
    /// The header's cells, trimmed and shortened.
    pub headers: Vec<String>,
    /// The physical line of the header.
    pub header_line: u64,
    /// Where the first record starts, in the text in UTF-8.
    pub start: Position,
    /// The columns.
    pub columns: Columns,
    /// The amount, if its columns were found.
    pub amount: Option<AmountSource>,
    /// A strftime pattern.
    pub date_format: Option<String>,
    /// How numbers are written.
    pub number_format: Option<NumberFormat>,
    /// Which sign an inflow has, where the sign counts.
    pub signage: Signage,
    /// The currency that the header of the amount names: `Betrag (EUR)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount_currency: Option<Currency>,
    /// The names of the settings that were not sent, but found in the file.
    pub found: Vec<String>,
    /// Headers that occur again; only the first of each is used.
    pub duplicate_headers: Vec<String>,
    /// Why the file can't be read; empty if it can.
    pub problems: Vec<String>,
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
    /// A strftime pattern.
    pub date_format: Option<String>,
    /// One of the four.
    pub number_format: Option<String>,
    /// `inflows_positive` or `inflows_negative`.
    pub signage_convention: Option<String>,
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
            number_format: self.number_format.map(|format| format.as_str().to_owned()),
            signage_convention: Some(signage.as_str().to_owned()),
        }
    }
}

impl Layout {
    /// The layout as far as header and settings tell it, or the labels that the header lacks.
    pub fn new(mut preface: Preface, settings: &Settings) -> Result<Self, Vec<String>> {
        // A record with more cells is invalid, so nothing can be in the columns behind.
        preface.headers.truncate(CSV_COLUMNS_MAX);
        let mut columns = columns::resolve(&preface.headers, &settings.labels)?;
        let doubts = std::mem::take(&mut columns.doubts);
        let amount_currency = columns::amount_currency(&preface.headers, &columns).filter(|_| {
            // A column that was named counts more than what a header seems to say.
            settings.labels.currency.is_none()
        });
        preface.headers.iter_mut().for_each(shorten);
        let mut layout = Self {
            encoding: preface.encoding,
            encoding_certain: preface.encoding_certain,
            separator: preface.separator,
            header_line: preface.header_line,
            start: preface.start,
            amount: amount_source(&columns, settings),
            date_format: settings.date_format.clone(),
            number_format: settings.number_format,
            signage: settings.signage.unwrap_or(Signage::InflowsPositive),
            amount_currency,
            found: Vec::new(),
            duplicate_headers: columns::duplicates(&preface.headers),
            problems: doubts,
            account_currencies: HashMap::new(),
            template: None,
            headers: preface.headers,
            columns,
        };
        layout.require_columns();
        layout.note_found(settings);
        Ok(layout)
    }

    /// A layout that says only why the file can't be read.
    pub fn unreadable(problem: String, encoding: &str, encoding_certain: bool) -> Self {
        Self {
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
            amount_currency: None,
            found: Vec::new(),
            duplicate_headers: Vec::new(),
            problems: vec![problem],
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

    fn require_columns(&mut self) {
        let headers = || columns::listed(&self.headers);
        let mut problems = Vec::new();
        if self.columns.date.is_none() {
            problems.push(format!("no column holds the date; headers found: {}", headers()));
        }
        if self.amount.is_none() {
            problems.push(format!("no column holds the amount; headers found: {}", headers()));
        }
        self.problems.extend(problems);
    }

    fn note_found(&mut self, settings: &Settings) {
        let (sent, columns) = (&settings.labels, &self.columns);
        let found = [
            ("date_col_label", sent.date.is_none() && columns.date.is_some()),
            ("amount_col_label", sent.amount.is_none() && columns.amount.is_some()),
            ("name_col_label", sent.name.is_none() && !columns.names.is_empty()),
            ("category_col_label", sent.category.is_none() && columns.category.is_some()),
            ("tags_col_label", sent.tags.is_none() && columns.tags.is_some()),
            ("notes_col_label", sent.notes.is_none() && columns.notes.is_some()),
            ("account_col_label", sent.account.is_none() && columns.account.is_some()),
            ("currency_col_label", sent.currency.is_none() && columns.currency.is_some()),
            ("col_sep", settings.separator.is_none()),
        ];
        let names = found.iter().filter(|(_, found)| *found).map(|(name, _)| (*name).to_owned());
        self.found = names.collect();
    }

    /// The ten values of the interface, with what is in effect.
    pub fn configuration(&self) -> Configuration {
        let label = |column: Option<usize>| column.map(|column| self.header(column));
        let amount = match self.amount {
            Some(AmountSource::Signed { column }) => Some(column),
            Some(AmountSource::Directed { amount, .. }) => Some(amount),
            _ => None,
        };
        Configuration {
            date_col_label: label(self.columns.date),
            amount_col_label: label(amount),
            name_col_label: label(self.columns.names.first().copied()),
            category_col_label: label(self.columns.category),
            tags_col_label: label(self.columns.tags),
            notes_col_label: label(self.columns.notes),
            account_col_label: label(self.columns.account),
            date_format: self.date_format.clone(),
            number_format: self.number_format.map(|format| format.as_str().to_owned()),
            signage_convention: Some(self.signage.as_str().to_owned()),
        }
    }

    /// Everything else that was found, for people.
    pub fn source(&self) -> Value {
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
            "amount_currency": self.amount_currency,
            "external_id_col_label": label(self.columns.external_id),
            "further_name_col_labels": more_names,
            "found": self.found,
            "problems": self.problems,
            "template": self.template.as_ref().map(TemplateUse::shown),
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

/// What the settings and the columns say about the amount. A direction column that nobody named as
/// such is only a candidate, which the data decides: see [`super::detection`].
fn amount_source(columns: &Columns, settings: &Settings) -> Option<AmountSource> {
    if let (Some(debit), Some(credit)) = (columns.debit, columns.credit) {
        return Some(AmountSource::DebitCredit { debit, credit });
    }
    let column = columns.amount?;
    let custom = settings.amount_strategy == Some(AmountStrategy::CustomColumn);
    match (columns.direction, &settings.inflow_value) {
        (Some(direction), Some(value)) if custom => Some(AmountSource::Directed {
            amount: column,
            direction,
            inflow_value: Some(value.clone()),
        }),
        _ => Some(AmountSource::Signed { column }),
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
