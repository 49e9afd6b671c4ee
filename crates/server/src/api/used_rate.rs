//! The exchange rates that figures over several days or accounts were made with.

use purser_core::limits::DECIMAL_PLACES_MAX;
use purser_core::rates::UsedRate;
use serde::Serialize;
use utoipa::ToSchema;

use super::rate_leg::RateLegBody;

/// An exchange rate that amounts were converted with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsedRate)]
pub(super) struct UsedRateBody {
    /// The code of the currency that was converted from.
    #[schema(example = "USD")]
    from: &'static str,
    /// The code of the currency that was converted to.
    #[schema(example = "EUR")]
    to: &'static str,
    /// The value of one unit of `from` in `to`, with at most 18 decimals; null if it has too many
    /// digits to be shown.
    #[schema(required, example = "0.913826190258612812")]
    rate: Option<String>,
    /// The first day with amounts that were converted with it.
    #[schema(format = Date, example = "2026-01-15")]
    first_date: String,
    /// The last day with amounts that were converted with it.
    #[schema(format = Date, example = "2026-01-18")]
    last_date: String,
    /// The stated rates that it is made of, in the order in which they were applied.
    legs: Vec<RateLegBody>,
}

impl From<UsedRate> for UsedRateBody {
    fn from(used: UsedRate) -> Self {
        let number = used.rate.decimal(DECIMAL_PLACES_MAX);
        Self {
            from: used.from.code(),
            to: used.to.code(),
            rate: number.map(|number| number.normalize().to_string()),
            first_date: used.first.to_string(),
            last_date: used.last.to_string(),
            legs: used.rate.legs().iter().copied().map(Into::into).collect(),
        }
    }
}
