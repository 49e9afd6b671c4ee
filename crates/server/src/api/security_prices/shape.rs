//! What answers say of a price.

use purser_app::prices::StatedPrice;
use purser_core::money::decimal::{price_decimal_text, quantity_text};
use purser_core::money::format::price_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::securities::shape::PricedSecurityBody;
use crate::http::time::Time;

/// What one share was worth on a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPrice)]
pub(super) struct PriceBody {
    /// Its id.
    id: Uuid,
    /// The day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The price of one, formatted.
    #[schema(example = "$260.50")]
    price: String,
    /// The price of one, exact.
    #[schema(example = "260.5")]
    price_decimal: String,
    /// The price of one, exact, with at least four decimals.
    #[schema(example = "260.5000")]
    price_amount: String,
    /// Whether it is to be replaced by a final one. Always `false`: prices are final when they are
    /// stated.
    #[schema(example = false)]
    provisional: bool,
    /// The code of the currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// `manual`, `file`, `provider` or `feed`.
    #[schema(example = "manual")]
    source: &'static str,
    /// Of what.
    security: PricedSecurityBody,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<StatedPrice> for PriceBody {
    fn from(stated: StatedPrice) -> Self {
        let price = stated.price;
        let (security, listing, name) = (stated.security, stated.listing, stated.security_name);
        Self {
            id: stated.id.0,
            date: price.date.to_string(),
            price: price_text(price.price, price.currency),
            price_decimal: quantity_text(price.price),
            price_amount: price_decimal_text(price.price, 4),
            provisional: false,
            currency: price.currency.code(),
            source: price.source.as_str(),
            security: PricedSecurityBody::new(security, listing, name),
            created_at: stated.created_at.into(),
            updated_at: stated.updated_at.into(),
        }
    }
}
