//! Settings of files with other records than transactions: columns that only some kinds have, and
//! the sign of debts.

use super::Settings;
use crate::named::text_enum;

/// Labels that only some record kinds use.
pub const MORE_LABELS: [&str; 25] = [
    "debit_col_label",
    "credit_col_label",
    "parent_col_label",
    "color_col_label",
    "icon_col_label",
    "website_col_label",
    "resource_type_col_label",
    "active_col_label",
    "effective_date_col_label",
    "conditions_col_label",
    "actions_col_label",
    "subtype_col_label",
    "isin_col_label",
    "security_name_col_label",
    "amount_currency_col_label",
    "fee_col_label",
    "further_fee_col_label",
    "tax_col_label",
    "tax_currency_col_label",
    "cost_col_label",
    "status_col_label",
    "exchange_rate_col_label",
    "inverse_rate_col_label",
    "split_ratio_col_label",
    "external_id_col_label",
];

text_enum! {
    /// Which sign a debt has among the balances of accounts.
    DebtSign {
        /// A debt is positive, as the ledger keeps it.
        Positive = "positive",
        /// A debt is negative, as in sums of what somebody owns.
        Negative = "negative",
    }
}

impl Settings {
    /// The label that was sent for a setting.
    pub fn label(&self, setting: &str) -> Option<&str> {
        match setting {
            "name_col_label" => self.labels.name.as_deref(),
            "amount_col_label" => self.labels.amount.as_deref(),
            "currency_col_label" => self.labels.currency.as_deref(),
            "date_col_label" => self.labels.date.as_deref(),
            "entity_type_col_label" => self.labels.entity_type.as_deref(),
            "account_col_label" => self.labels.account.as_deref(),
            "notes_col_label" => self.labels.notes.as_deref(),
            "ticker_col_label" => self.labels.ticker.as_deref(),
            "qty_col_label" => self.labels.qty.as_deref(),
            "price_col_label" => self.labels.price.as_deref(),
            "exchange_operating_mic_col_label" => self.labels.exchange_operating_mic.as_deref(),
            _ => self.labels.more.get(setting).map(String::as_str),
        }
    }
}
