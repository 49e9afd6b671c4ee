//! An amount as reports show it: an object of its own.

use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::Sum;

/// An amount of money.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Money)]
pub(crate) struct MoneyBody {
    /// The exact amount, as a decimal.
    #[schema(example = "1234.56")]
    amount: String,
    /// The code of the currency of the amount.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The amount with its symbol and separators, rounded to the currency.
    #[schema(example = "$1,234.56")]
    formatted: String,
}

impl MoneyBody {
    /// A sum in the currency's scale.
    pub(crate) fn new(sum: i128, currency: Currency) -> Self {
        let sum = Sum::new(sum, currency);
        Self { amount: sum.decimal, currency: currency.code(), formatted: sum.text }
    }
}
