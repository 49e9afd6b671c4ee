//! An amount as reports show it: an object of its own.

use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;

use super::money::Sum;

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
    /// A sum in the currency's scale.
    pub(crate) fn new(sum: i128, currency: Currency) -> Self {
        let sum = Sum::new(sum, currency);
        Self { amount: sum.decimal, currency: currency.code(), formatted: sum.text }
    }
}
