//! A stated exchange rate as figures show where they came from.

use purser_core::rates::Leg;
use serde::Serialize;
use utoipa::ToSchema;

/// A stated exchange rate that a conversion used.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RateLeg)]
pub(crate) struct RateLegBody {
    /// One unit of this currency
    #[schema(example = "EUR")]
    base: &'static str,
    /// was worth so many of this one
    #[schema(example = "USD")]
    quote: &'static str,
    /// on this day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// How many.
    #[schema(example = "1.0943")]
    rate: String,
    /// Who said so: `given` (with the entry), `manual`, `file` or `feed`.
    #[schema(example = "feed")]
    source: &'static str,
    /// Whether it was used the other way round.
    inverted: bool,
}

impl From<Leg> for RateLegBody {
    fn from(leg: Leg) -> Self {
        Self {
            base: leg.base.code(),
            quote: leg.quote.code(),
            date: leg.date.to_string(),
            rate: leg.rate.normalize().to_string(),
            source: leg.source.as_str(),
            inverted: leg.inverted,
        }
    }
}
