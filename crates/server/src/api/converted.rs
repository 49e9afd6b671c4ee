//! Amounts in the currency of their account, as transactions and trades show them.

use purser_app::transactions::Booked;
use serde::Serialize;
use utoipa::ToSchema;

use super::rate_leg::RateLegBody;
use crate::http::money::Amount;

/// An amount in the currency of its account, and the rate that it was converted with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConvertedAmount)]
pub(super) struct ConvertedBody {
    /// The amount, formatted; positive for money out. Zero while no rate is known.
    #[schema(example = "$1,351.02")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "1351.02")]
    amount_decimal: String,
    /// The code of the account's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The value of one unit of the entry's currency, with at most 18 decimals. Null while no rate
    /// is known: balances and reports are incomplete from this day on.
    #[schema(required, example = "1.0943")]
    exchange_rate: Option<String>,
    /// Whether the rate came with the entry.
    given: bool,
    /// The stated rates that the rate was made of, in the order in which they were applied.
    rates: Vec<RateLegBody>,
}

impl From<Booked> for ConvertedBody {
    fn from(booked: Booked) -> Self {
        let amount = Amount::new(booked.amount, booked.currency);
        let legs = booked.origin.iter().flat_map(|rate| rate.legs().iter().copied());
        Self {
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: booked.currency.code(),
            exchange_rate: booked.rate.map(|rate| rate.normalize().to_string()),
            given: booked.given,
            rates: legs.map(Into::into).collect(),
        }
    }
}
