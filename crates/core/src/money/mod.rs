//! Money: exact, in a currency, never a float.
//!
//! An amount is a 64-bit integer in its currency's *scale*: 4 decimals, or 8 for currencies that
//! need more than 4 (BTC, DOGE). The scale follows from the code alone and is larger than what the
//! currency shows (its *precision*), so a converted or per-unit amount loses nothing, and `SUM` in
//! both databases is exact. Overflow is an error, never a wrap. Sums of reports have 128 bits.
//!
//! * [`currency`]: the table of currencies.
//! * [`exact`]: fractions, for what a division or a rate would otherwise round.
//! * [`former`]: currencies that no longer exist.
//! * [`decimal`]: plain decimal text to and from scaled integers.
//! * `noise`: what floats leave in numbers that clients send.
//! * [`mod@format`]: amounts as people read them (`$1,234.56`).
//! * [`sum`]: sums over many amounts, for reports.

pub mod currency;
mod currency_table;
pub mod decimal;
pub mod exact;
pub mod format;
pub mod former;
pub(crate) mod noise;
pub mod sum;

pub use currency::Currency;

/// An amount in a currency. There is deliberately no `Add`: amounts of two currencies don't add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    /// The amount in the currency's scale.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

impl Money {
    /// Combines an amount and its currency.
    pub fn new(amount: i64, currency: Currency) -> Self {
        Self { amount, currency }
    }
}
