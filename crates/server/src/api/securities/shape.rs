//! What answers say of a security.

use purser_app::securities::Security;
use purser_core::ids::SecurityId;
use purser_core::ledger::security::Listing;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::time::Time;

/// What is traded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Security)]
pub(crate) struct SecurityBody {
    /// Its id.
    id: Uuid,
    /// What it is traded as, in upper case.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market; null when it isn't known.
    #[schema(required, example = "ARCX")]
    exchange_operating_mic: Option<String>,
    /// As people call it; null when nobody said.
    #[schema(required)]
    name: Option<String>,
    /// `standard` or `cash`.
    #[schema(example = "standard")]
    kind: &'static str,
    /// The international number, if known.
    #[schema(required)]
    isin: Option<String>,
    /// Two letters, if known.
    #[schema(required)]
    country_code: Option<String>,
    /// The code of the currency that it is traded in, if known.
    #[schema(required, example = "USD")]
    currency: Option<&'static str>,
    /// Whether no feed is asked for its prices.
    offline: bool,
    /// As the feed of prices calls it; null: by its ticker.
    #[schema(required)]
    feed_symbol: Option<String>,
    /// When the feed was asked for it last; null when it never was.
    #[schema(required)]
    feed_at: Option<Time>,
    /// Why the feed gave no prices then; null when it did.
    #[schema(required)]
    feed_error: Option<String>,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<Security> for SecurityBody {
    fn from(security: Security) -> Self {
        let values = security.values;
        Self {
            id: security.id.0,
            ticker: values.listing.ticker,
            exchange_operating_mic: known(values.listing.exchange_operating_mic),
            name: values.name,
            kind: values.kind.as_str(),
            isin: values.isin,
            country_code: values.country_code,
            currency: values.currency.map(|currency| currency.code()),
            offline: values.offline,
            feed_symbol: values.feed_symbol,
            feed_at: security.feed_at.map(Time),
            feed_error: security.feed_error,
            created_at: security.created_at.into(),
            updated_at: security.updated_at.into(),
        }
    }
}

/// A security as other things show it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PricedSecurity)]
pub(in crate::api) struct PricedSecurityBody {
    /// Its id.
    id: Uuid,
    /// What it is traded as.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market; null when it isn't known.
    #[schema(required)]
    exchange_operating_mic: Option<String>,
    /// As people call it; null when nobody said.
    #[schema(required)]
    name: Option<String>,
}

impl PricedSecurityBody {
    /// Of a security by its parts.
    pub(in crate::api) fn new(id: SecurityId, listing: Listing, name: Option<String>) -> Self {
        let exchange_operating_mic = known(listing.exchange_operating_mic);
        Self { id: id.0, ticker: listing.ticker, exchange_operating_mic, name }
    }
}

fn known(mic: String) -> Option<String> {
    (!mic.is_empty()).then_some(mic)
}
