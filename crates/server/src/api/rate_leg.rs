//! A stated exchange rate as figures show where they came from.

use purser_core::rates::Leg;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::named::RateSourceName;

/// A stated exchange rate that a conversion used.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RateLeg)]
pub(crate) struct RateLegBody {
    /// The code of the base currency.
    #[schema(example = "EUR")]
    base: &'static str,
    /// The code of the quote currency.
    #[schema(example = "USD")]
    quote: &'static str,
    /// The day of the rate.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The value of one unit of the base currency in the quote currency.
    #[schema(example = "1.0943")]
    rate: String,
    /// The source of the rate; `given` came with the entry.
    source: RateSourceName,
    /// Whether it was used inverted: from the quote currency to the base currency.
    inverted: bool,
}

impl From<Leg> for RateLegBody {
    fn from(leg: Leg) -> Self {
        Self {
            base: leg.base.code(),
            quote: leg.quote.code(),
            date: leg.date.to_string(),
            rate: leg.rate.normalize().to_string(),
            source: leg.source.into(),
            inverted: leg.inverted,
        }
    }
}
