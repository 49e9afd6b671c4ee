//! `/api/v1/feeds`

use purser_app::prices::feed::{self as prices, FeedState};
use purser_app::rates::feed::{self as rates, RATES, Status};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "feeds":
    /// Show the feeds
    ///
    /// Feeds bring exchange rates and prices once a day. They are off until the operator of the
    /// server sets their addresses.
    GET "/feeds" => show as show_feeds;
}

/// The feeds that bring exchange rates and prices, with their latest results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Feeds)]
struct Feeds {
    /// The feed of exchange rates.
    exchange_rates: RatesFeed,
    /// The feed of prices.
    security_prices: PricesFeed,
}

/// The feed of exchange rates, which is one file.
#[derive(Debug, Serialize, ToSchema)]
struct RatesFeed {
    /// Whether the operator of the server has set an address.
    configured: bool,
    /// The time of the latest request; null if there was none.
    #[schema(required)]
    asked_at: Option<Time>,
    /// The time of the latest request that brought rates; null if there was none.
    #[schema(required)]
    succeeded_at: Option<Time>,
    /// The reason why the latest request failed; null if it did not.
    #[schema(required)]
    error: Option<String>,
}

/// The feed of prices, which is requested for one security after the other. A security for which it
/// has no prices shows the reason as `feed_error`.
#[derive(Debug, Serialize, ToSchema)]
struct PricesFeed {
    /// Whether the operator of the server has set an address.
    configured: bool,
    /// The time of the latest request; null if there was none.
    #[schema(required)]
    asked_at: Option<Time>,
    /// The number of securities for which the latest request brought prices.
    answered_count: u64,
    /// The number of securities for which it brought none.
    failing_count: u64,
    /// The number of securities for which there was no request yet.
    waiting_count: u64,
}

async fn show(call: List) -> ApiResult<Answer<Json<Feeds>>> {
    let app = call.app().clone();
    call.read(move |tx, _| {
        let (rates_url, prices_url) = (&app.feeds.rates_url, &app.feeds.prices_url);
        let standing = prices::standing(tx)?;
        Ok(Json(Feeds {
            exchange_rates: RatesFeed::new(rates_url.is_some(), rates::status(tx, RATES)?),
            security_prices: PricesFeed::new(prices_url.is_some(), &standing),
        }))
    })
    .await
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
    fn new(configured: bool, standing: &FeedState) -> Self {
        Self {
            configured,
            asked_at: standing.asked_at.map(Into::into),
            answered_count: standing.answered,
            failing_count: standing.failing,
            waiting_count: standing.waiting,
        }
    }
}
