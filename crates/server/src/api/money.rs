//! Amounts as answers show them: formatted text, and beside it an exact decimal string.

use purser_core::money::decimal::{amount_text, to_minor_units};
use purser_core::money::format::money_text;
use purser_core::money::{Currency, Money};

/// One amount in the forms that answers have.
pub(crate) struct Amount {
    /// `-$1,234.56`.
    pub(crate) text: String,
    /// `-1234.56`, exact.
    pub(crate) decimal: String,
    /// `-123456`, in the currency's smallest unit, rounded half away from zero.
    pub(crate) minor_units: i64,
}

impl Amount {
    /// An amount in the currency's scale.
    pub(crate) fn new(amount: i64, currency: Currency) -> Self {
        Self {
            text: money_text(Money::new(amount, currency)),
            decimal: amount_text(amount, currency),
            minor_units: to_minor_units(amount, currency),
        }
    }
}
