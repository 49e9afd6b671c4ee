//! What a caller sent along with a CSV file, checked and typed.
//!
//! Only what was sent is here: a blank field counts as not sent, and what is in effect instead is
//! found in the data and stands in the [`super::layout::Layout`]. Whether a label exists in the
//! file's header is checked there too, because that needs the file.

mod amount_strategy;
mod caller;
mod formats;
mod names;
mod of_records;
mod parse;

use std::collections::BTreeMap;

pub use amount_strategy::AmountStrategy;
pub use formats::Formats;
pub use names::SETTINGS;
pub use of_records::{DebtSign, MORE_LABELS};
use parse::{date_format, listed, one_of, row_filter, rows_to_skip, separator};
use serde::{Deserialize, Serialize};

use super::row_filter::RowFilter;
use super::trade::signs::TotalMeaning;
use crate::error::{Problem, Problems};
use crate::named::text_enum;
use crate::text::number::NumberFormat;

/// The label of a column of currencies that states that there is none, although a column may look
/// like one. No header is compared as such: a hyphen counts as a space.
pub const NO_COLUMN: &str = "-";
/// What stands before a code in the place of the label of a column of currencies: all amounts that
/// name none are in it.
pub const ALL_IN: char = '=';

text_enum! {
    /// What separates the cells of a record.
    Separator {
        /// A comma, as in English files.
        Comma = ",",
        /// A semicolon, as where the comma separates decimals.
        Semicolon = ";",
        /// A tab, as in files of spreadsheets.
        Tab = "\t",
        /// A vertical bar, also called pipe.
        Pipe = "|",
    }
}

impl Separator {
    /// The byte in the file.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
        }
    }
}

text_enum! {
    /// The sign of an inflow in the file.
    Signage {
        /// Income is positive in the file.
        InflowsPositive = "inflows_positive",
        /// Income is negative, as on many credit card statements.
        InflowsNegative = "inflows_negative",
    }
}

text_enum! {
    /// What becomes of a column of balances.
    BalanceCheck {
        /// Every row is compared with it. Sent by a person, it also confirms that a balance that
        /// rises with money out is a debt.
        Compare = "compare",
        /// The same, and what lines of a debt state before and after the rows is what is owed. A
        /// file that agrees in the other sense is asked about again.
        CompareDebt = "compare_debt",
        /// The same, but it is money that was paid in.
        CompareMoney = "compare_money",
        /// As `compare`, and rows may be missing before the first balance that the file states and
        /// after the last one. That is asked after what the balance counts, so it keeps that.
        IgnoreEnds = "ignore_ends",
        /// The column isn't looked at, and balances of statements prove nothing.
        Ignore = "ignore",
        /// The same, and statements may be of another account than earlier ones.
        IgnoreAccount = "ignore_account",
    }
}

impl BalanceCheck {
    /// Whether the balance is compared in spite of what it seems to count.
    pub fn confirms_balance(self) -> bool {
        matches!(self, Self::Compare | Self::CompareDebt | Self::IgnoreEnds)
    }

    /// That lines of a debt state what is owed, or money that was paid in.
    pub fn of_lines(is_owed: bool) -> Self {
        if is_owed { Self::CompareDebt } else { Self::CompareMoney }
    }

    /// Whether balances aren't compared.
    pub fn ignores_balances(self) -> bool {
        matches!(self, Self::Ignore | Self::IgnoreAccount)
    }
}

/// The labels of columns that were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Labels {
    /// The setting `date_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The setting `amount_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// The setting `name_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The setting `category_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The setting `tags_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<String>,
    /// The setting `notes_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The setting `account_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The setting `qty_col_label`, for trades only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub qty: Option<String>,
    /// The setting `ticker_col_label`, for trades only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticker: Option<String>,
    /// The setting `price_col_label`, for trades only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// The setting `entity_type_col_label`: for `custom_column`, the column of the direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    /// The setting `currency_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The setting `balance_col_label` of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance: Option<String>,
    /// The setting `exchange_operating_mic_col_label`, for trades only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange_operating_mic: Option<String>,
    /// Labels that only some record kinds use, by the names of their settings.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, String>,
}

/// Everything that was sent, each value valid in itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The labels of columns.
    pub labels: Labels,
    /// A strftime pattern that names a whole date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// How numbers are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_format: Option<NumberFormat>,
    /// The sign of an inflow in the file.
    #[serde(rename = "signage_convention", skip_serializing_if = "Option::is_none")]
    pub signage: Option<Signage>,
    /// The character between cells.
    #[serde(rename = "col_sep", skip_serializing_if = "Option::is_none")]
    pub separator: Option<Separator>,
    /// How the direction is known.
    #[serde(rename = "amount_type_strategy", skip_serializing_if = "Option::is_none")]
    pub amount_strategy: Option<AmountStrategy>,
    /// The value that marks an inflow.
    #[serde(rename = "amount_type_inflow_value", skip_serializing_if = "Option::is_none")]
    pub inflow_value: Option<String>,
    /// Whether rows are compared with their balances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub balance_check: Option<BalanceCheck>,
    /// Which sign a debt has, for accounts only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debt_sign: Option<DebtSign>,
    /// Whether totals contain fees and taxes, for trades only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_meaning: Option<TotalMeaning>,
    /// Whether the first record is a header, or data already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_header: Option<bool>,
    /// Which rows are taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row_filter: Option<RowFilter>,
    /// Physical lines before the header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_to_skip: Option<u32>,
    /// The sheet of a spreadsheet, by its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The request that made the import named the column of the amount, as only callers who know
    /// what its signs mean do; an answer to a question doesn't.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub names_amount: bool,
    /// Nobody sent these: of formats that fit equally well they are taken.
    #[serde(skip)]
    pub preferred: Formats,
}

impl Settings {
    /// Reads the fields of a request by their names; all problems are reported together.
    pub fn from_fields(field: impl Fn(&str) -> Option<String>) -> Result<Self, Vec<Problem>> {
        let sent = |name: &str| {
            field(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
        };
        let mut problems = Problems::new();
        let settings = Self {
            labels: labels(&sent),
            date_format: date_format(sent("date_format"), &mut problems),
            number_format: one_of("number_format", sent("number_format"), &mut problems, |text| {
                (NumberFormat::parse(text), listed(NumberFormat::ALL.iter().map(|v| v.as_str())))
            }),
            signage: one_of(
                "signage_convention",
                sent("signage_convention"),
                &mut problems,
                |text| (Signage::parse(text), listed(Signage::ALL.iter().map(|v| v.as_str()))),
            ),
            separator: separator(field("col_sep"), &mut problems),
            amount_strategy: one_of(
                "amount_type_strategy",
                sent("amount_type_strategy"),
                &mut problems,
                |text| {
                    let allowed = listed(AmountStrategy::ALL.iter().map(|v| v.as_str()));
                    (AmountStrategy::parse(text), allowed)
                },
            ),
            inflow_value: sent("amount_type_inflow_value"),
            balance_check: one_of("balance_check", sent("balance_check"), &mut problems, |text| {
                let allowed = listed(BalanceCheck::ALL.iter().map(|v| v.as_str()));
                (BalanceCheck::parse(text), allowed)
            }),
            debt_sign: one_of("debt_sign", sent("debt_sign"), &mut problems, |text| {
                let allowed = listed(DebtSign::ALL.iter().map(|v| v.as_str()));
                (DebtSign::parse(text), allowed)
            }),
            total_meaning: one_of("total_meaning", sent("total_meaning"), &mut problems, |text| {
                let allowed = listed(TotalMeaning::ALL.iter().map(|v| v.as_str()));
                (TotalMeaning::parse(text), allowed)
            }),
            has_header: one_of("has_header", sent("has_header"), &mut problems, |text| {
                (text.parse().ok(), listed(["true", "false"].into_iter()))
            }),
            row_filter: row_filter(sent("row_filter"), &mut problems),
            rows_to_skip: rows_to_skip(sent("rows_to_skip"), &mut problems),
            sheet: sent("sheet"),
            names_amount: false,
            preferred: Formats::default(),
        };
        settings.check_custom_column(&mut problems);
        if problems.is_empty() { Ok(settings) } else { Err(problems.into_list()) }
    }

    /// What was sent, by the names of the interface.
    pub fn fields(&self) -> BTreeMap<&'static str, String> {
        let labels = &self.labels;
        let texts = [
            ("date_col_label", &labels.date),
            ("amount_col_label", &labels.amount),
            ("name_col_label", &labels.name),
            ("category_col_label", &labels.category),
            ("tags_col_label", &labels.tags),
            ("notes_col_label", &labels.notes),
            ("account_col_label", &labels.account),
            ("qty_col_label", &labels.qty),
            ("ticker_col_label", &labels.ticker),
            ("price_col_label", &labels.price),
            ("entity_type_col_label", &labels.entity_type),
            ("currency_col_label", &labels.currency),
            ("balance_col_label", &labels.balance),
            ("exchange_operating_mic_col_label", &labels.exchange_operating_mic),
            ("date_format", &self.date_format),
            ("amount_type_inflow_value", &self.inflow_value),
            ("sheet", &self.sheet),
        ];
        let values = [
            ("number_format", self.number_format.map(NumberFormat::as_str)),
            ("signage_convention", self.signage.map(Signage::as_str)),
            ("col_sep", self.separator.map(Separator::as_str)),
            ("amount_type_strategy", self.amount_strategy.map(AmountStrategy::as_str)),
            ("balance_check", self.balance_check.map(BalanceCheck::as_str)),
            ("debt_sign", self.debt_sign.map(DebtSign::as_str)),
            ("total_meaning", self.total_meaning.map(TotalMeaning::as_str)),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, text.clone()?)));
        let values = values.into_iter().filter_map(|(name, text)| Some((name, text?.to_owned())));
        let filter = self.row_filter.iter().map(|filter| ("row_filter", filter.to_string()));
        let place = [
            ("has_header", self.has_header.map(|has_header| has_header.to_string())),
            ("rows_to_skip", self.rows_to_skip.map(|lines| lines.to_string())),
        ];
        let place = place.into_iter().filter_map(|(name, text)| Some((name, text?)));
        let more =
            MORE_LABELS.iter().filter_map(|name| Some((*name, labels.more.get(*name)?.clone())));
        texts.chain(values).chain(filter).chain(place).chain(more).collect()
    }

    fn check_custom_column(&self, problems: &mut Problems) {
        if self.amount_strategy != Some(AmountStrategy::CustomColumn) {
            return;
        }
        if self.inflow_value.is_none() {
            problems.field("amount_type_inflow_value", NEEDED);
        }
        if self.labels.entity_type.is_none() {
            problems.field("entity_type_col_label", NEEDED);
        }
    }
}

fn labels(sent: &impl Fn(&str) -> Option<String>) -> Labels {
    Labels {
        date: sent("date_col_label"),
        amount: sent("amount_col_label"),
        name: sent("name_col_label"),
        category: sent("category_col_label"),
        tags: sent("tags_col_label"),
        notes: sent("notes_col_label"),
        account: sent("account_col_label"),
        qty: sent("qty_col_label"),
        ticker: sent("ticker_col_label"),
        price: sent("price_col_label"),
        entity_type: sent("entity_type_col_label"),
        currency: sent("currency_col_label"),
        balance: sent("balance_col_label"),
        exchange_operating_mic: sent("exchange_operating_mic_col_label"),
        more: MORE_LABELS
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), sent(name)?)))
            .collect(),
    }
}

/// The problem of the two settings without which a custom column can't be used.
const NEEDED: &str = "is required with the amount_type_strategy custom_column";

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
