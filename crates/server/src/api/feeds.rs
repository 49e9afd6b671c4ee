//! `GET /api/v1/feeds`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::prices::feed::{self as prices, Standing};
use purser_app::rates::feed::{self as rates, RATES, Status};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::CommonErrors;
use crate::http::time::Time;
use crate::state::AppState;

/// Where exchange rates and prices come from by themselves, and how that goes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Feeds)]
struct Feeds {
    /// The feed of exchange rates.
    exchange_rates: RatesFeed,
    /// The feed of prices.
    security_prices: PricesFeed,
}

/// A feed that is asked as a whole.
#[derive(Debug, Serialize, ToSchema)]
struct RatesFeed {
    /// Whether the server was told where to ask.
    configured: bool,
    /// When it was asked last; null if never.
    #[schema(required)]
    asked_at: Option<Time>,
    /// When it last gave something; null if never.
    #[schema(required)]
    succeeded_at: Option<Time>,
    /// Why it gave nothing when it was asked last; null if it did.
    #[schema(required)]
    error: Option<String>,
}

/// A feed that is asked for one security after the other. Each security says in `feed_error` why
/// nothing came for it.
#[derive(Debug, Serialize, ToSchema)]
struct PricesFeed {
    /// Whether the server was told where to ask.
    configured: bool,
    /// When it was asked last; null if never.
    #[schema(required)]
    asked_at: Option<Time>,
    /// Securities that it gave prices for when it was asked last.
    answered_count: u64,
    /// Securities that it gave none for.
    failing_count: u64,
    /// Securities that it has not been asked for yet.
    waiting_count: u64,
}

/// Show how the feeds are doing
///
/// Feeds bring exchange rates and prices once a day. They are off until whoever runs the server
/// says where to ask.
#[utoipa::path(
    get,
    path = "/feeds",
    operation_id = "show_feeds",
    tag = "feeds",
    responses((status = 200, body = Feeds), CommonErrors)
)]
pub(crate) async fn show(State(app): State<AppState>, caller: Reader) -> ApiResult<Response> {
    let (status, standing) = app
        .store
        .read(caller.access(), move |tx| {
            let standing = prices::standing(tx)?;
            Ok((rates::status(tx, RATES)?, standing))
        })
        .await?;
    let body = Feeds {
        exchange_rates: RatesFeed::new(app.feeds.rates_url.is_some(), status),
        security_prices: PricesFeed::new(app.feeds.prices_url.is_some(), &standing),
    };
    Ok(crate::http::json(StatusCode::OK, &body))
}

impl RatesFeed {
    fn new(configured: bool, status: Option<Status>) -> Self {
        Self {
            configured,
            asked_at: status.as_ref().map(|status| status.asked_at.into()),
            succeeded_at: status.as_ref().and_then(|status| status.succeeded_at).map(Into::into),
            error: status.and_then(|status| status.error),
        }
    }
}

impl PricesFeed {
    fn new(configured: bool, standing: &Standing) -> Self {
        Self {
            configured,
            asked_at: standing.asked_at.map(Into::into),
            answered_count: standing.answered,
            failing_count: standing.failing,
            waiting_count: standing.waiting,
        }
    }
}
