//! The price of a holding in its own currency, where the account has another.

use purser_app::holdings::Holding;
use purser_core::limits::DECIMAL_PLACES_MAX;
use purser_core::money::format::price_text;
use purser_core::rates::Rate;
use serde::Serialize;
use utoipa::ToSchema;

use super::shape::price_decimal;
use crate::api::rate_leg::RateLegBody;

/// A price in its own currency, and the rate that it was converted with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConvertedPrice)]
pub(super) struct ConvertedPriceBody {
    /// Of one share as it was stated, formatted.
    #[schema(example = "€171.00")]
    price: String,
    /// The same, exact.
    #[schema(example = "171.00")]
    price_decimal: String,
    /// The code of the currency that it was stated in.
    #[schema(example = "EUR")]
    currency: &'static str,
    /// What one unit of this currency is worth in the account's, with at most 18 decimals; null
    /// while no rate is known, or if it has too many digits to be shown.
    #[schema(required, example = "1.0943")]
    exchange_rate: Option<String>,
    /// The stated rates that it was made of, in the order in which the price went through them.
    rates: Vec<RateLegBody>,
}

impl ConvertedPriceBody {
    /// None if there is no price, or one in the account's currency.
    pub(super) fn of(holding: &Holding) -> Option<Self> {
        let price = holding.stated.filter(|price| price.currency != holding.currency)?;
        let rate = holding.rate.as_ref();
        let number = rate.and_then(|rate| rate.decimal(DECIMAL_PLACES_MAX));
        let legs = rate.map_or(&[][..], Rate::legs);
        Some(Self {
            price: price_text(price.price, price.currency),
            price_decimal: price_decimal(price.price, price.currency),
            currency: price.currency.code(),
            exchange_rate: number.map(|number| number.normalize().to_string()),
            rates: legs.iter().copied().map(Into::into).collect(),
        })
    }
}
