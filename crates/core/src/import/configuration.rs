//! The settings of an import as the interface shows them.

use serde::Serialize;

use super::settings::{Settings, Signage};
use crate::text::number::NumberFormat;

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
