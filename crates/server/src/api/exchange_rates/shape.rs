//! What answers say of an exchange rate.

use purser_app::rates::own::OwnRate;
use purser_core::money::decimal::quantity_text;
use purser_core::rates::Leg;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// A rate that the family stated: one unit of the base is worth so many of the quote.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRate)]
pub(super) struct RateBody {
    /// Its id.
    id: Uuid,
    /// The code of the one currency.
    #[schema(example = "EUR")]
    base: &'static str,
    /// The code of the other.
    #[schema(example = "USD")]
    quote: &'static str,
    /// The day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// How many, exact.
    #[schema(example = "1.0844")]
    rate: String,
    /// `manual` or `file`.
    #[schema(example = "manual")]
    source: &'static str,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<OwnRate> for RateBody {
    fn from(rate: OwnRate) -> Self {
        let stated = rate.stated;
        Self {
            id: rate.id.0,
            base: stated.base.code(),
            quote: stated.quote.code(),
            date: stated.date.to_string(),
            rate: quantity_text(stated.rate),
            source: rate.source.as_str(),
            created_at: rate.created_at.into(),
            updated_at: rate.updated_at.into(),
        }
    }
}

/// A stated rate that another one is made of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRateLeg)]
pub(in crate::api) struct LegBody {
    /// One unit of it
    #[schema(example = "EUR")]
    base: &'static str,
    /// was worth so many of these
    #[schema(example = "USD")]
    quote: &'static str,
    /// on this day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// How many, exact.
    #[schema(example = "1.0844")]
    rate: String,
    /// `given` (with the entry), `manual`, `file` or `feed`.
    #[schema(example = "feed")]
    source: &'static str,
    /// Whether it is used the other way round: from the quote to the base.
    inverted: bool,
}

impl From<&Leg> for LegBody {
    fn from(leg: &Leg) -> Self {
        Self {
            base: leg.base.code(),
            quote: leg.quote.code(),
            date: leg.date.to_string(),
            rate: quantity_text(leg.rate),
            source: leg.source.as_str(),
            inverted: leg.inverted,
        }
    }
}
