//! An amount as reports show it: an object of its own.

use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::Amount;

/// An amount of money.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Money)]
pub(crate) struct MoneyBody {
    /// Exact.
    #[schema(example = "1234.56")]
    amount: String,
    /// The code of its currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// As people read it.
    #[schema(example = "$1,234.56")]
    formatted: String,
}

impl MoneyBody {
    /// An amount in the currency's scale.
    pub(crate) fn new(amount: i64, currency: Currency) -> Self {
        let amount = Amount::new(amount, currency);
        Self { amount: amount.decimal, currency: currency.code(), formatted: amount.text }
    }
}
