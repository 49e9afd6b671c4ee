//! `/api/v1/usage`

use jiff::SignedDuration;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::caller::{Caller, RateUsage};
use crate::http::error::ApiResult;
use crate::http::named::ScopeName;
use crate::http::table::routes;
use crate::http::time::Time;
use crate::limits::RATE_WINDOW;
use crate::state::AppState;

routes! { "usage":
    /// Show the usage of the key
    ///
    /// The request is part of the counts.
    GET "/usage" => show as show_usage;
}

/// The key of the request and its usage.
#[derive(Debug, Serialize, ToSchema)]
struct Usage {
    /// The key that the request was made with.
    api_key: KeyBody,
    /// The rate limit of the key.
    rate_limit: LimitBody,
}

/// The API key of the request.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = KeyView)]
struct KeyBody {
    /// The name that its owner gave it.
    name: String,
    /// The scope of the key, as a list of one.
    scopes: [ScopeName; 1],
    /// The time of its latest use, written at most once a minute; null before the first.
    #[schema(required)]
    last_used_at: Option<Time>,
    /// The time at which it was created.
    created_at: Time,
}

/// A rate limit and what is left of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LimitView)]
struct LimitBody {
    /// Whether the server limits requests.
    tier: Tier,
    /// The number of requests that the key may send at once; null without a limit.
    #[schema(required)]
    limit: Option<u32>,
    /// The number of requests that count at the moment, this one included; null without a limit.
    /// It falls with time.
    #[schema(required)]
    current_count: Option<u32>,
    /// The number of requests that the key may send now; null without a limit.
    #[schema(required)]
    remaining: Option<u32>,
    /// The number of seconds until the key may send one request more.
    reset_in_seconds: u64,
    /// The time at which the key may send one request more.
    reset_at: Time,
}

/// Whether the server limits requests.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RateLimitTier)]
#[serde(rename_all = "lowercase")]
enum Tier {
    /// A key has a limit of requests per minute.
    Standard,
    /// There is no limit.
    Unlimited,
}

async fn show(call: List) -> ApiResult<Answer<Json<Usage>>> {
    call.respond(|app, caller| Json(usage(app, caller))).await
}

fn usage(app: &AppState, caller: &Caller) -> Usage {
    let rate = caller.rate;
    let reset_seconds = rate.map_or(RATE_WINDOW.as_secs(), |rate| rate.reset_seconds);
    let reset = SignedDuration::from_secs(i64::try_from(reset_seconds).unwrap_or(i64::MAX));
    let now = app.store.now();
    Usage {
        api_key: KeyBody {
            name: caller.key.name.clone(),
            scopes: [caller.key.scope.into()],
            last_used_at: caller.key.last_used_at.map(Time),
            created_at: caller.key.created_at.into(),
        },
        rate_limit: LimitBody {
            tier: if rate.is_some() { Tier::Standard } else { Tier::Unlimited },
            limit: rate.map(|rate| rate.limit),
            current_count: rate.map(|rate| rate.count),
            remaining: rate.map(RateUsage::remaining),
            reset_in_seconds: reset_seconds,
            reset_at: now.checked_add(reset).unwrap_or(now).into(),
        },
    }
}
