//! Amounts as answers show them: formatted text, and beside it an exact decimal string.
//!
//! Entries and balances have 64 bits ([`Amount`]), sums over many of them 128 ([`Sum`]). In JSON an
//! integer has all its digits, however many.

use purser_core::money::decimal::{amount_text, to_minor_units};
use purser_core::money::format::{money_text, sum_text};
use purser_core::money::{Currency, Money};

/// One amount in the forms that answers have.
pub(crate) struct Amount {
    /// The amount with its symbol and separators: `-$1,234.56`.
    pub(crate) text: String,
    /// The exact decimal: `-1234.56`.
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

/// A sum in the same forms; it may be larger than an amount can be.
pub(crate) struct Sum {
    /// The sum with its symbol and separators: `-$1,234.56`.
    pub(crate) text: String,
    /// The exact decimal: `-1234.56`.
    pub(crate) decimal: String,
    /// `-123456`, in the currency's smallest unit, rounded half away from zero.
    pub(crate) minor_units: i128,
}

impl Sum {
    /// A sum in the currency's scale.
    pub(crate) fn new(sum: i128, currency: Currency) -> Self {
        Self {
            text: sum_text(sum, currency),
            decimal: amount_text(sum, currency),
            minor_units: to_minor_units(sum, currency),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_all_its_digits_in_json() {
        let bitcoin = Currency::parse("BTC").unwrap();
        let sum = Sum::new(18_000_000_000_000_000_000, bitcoin);
        assert_eq!(sum.text, "₿180,000,000,000.00000000");
        assert_eq!(sum.decimal, "180000000000.00000000");
        for (minor_units, text) in [
            (sum.minor_units, "18000000000000000000"),
            (i128::MIN, "-170141183460469231731687303715884105728"),
        ] {
            assert_eq!(serde_json::to_vec(&minor_units).unwrap(), text.as_bytes());
        }
    }
}
