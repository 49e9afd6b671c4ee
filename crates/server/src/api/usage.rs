//! `GET /api/v1/usage`: what the key is, and where it stands in its rate limit.

use axum::extract::{Extension, State};
use axum::response::Response;
use http::StatusCode;
use jiff::SignedDuration;
use purser_app::keys::Scope;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::rate_limit;
use crate::http::caller::Reader;
use crate::http::openapi::CommonErrors;
use crate::http::time::Time;
use crate::limits::RATE_WINDOW;
use crate::state::AppState;

/// The key and its use.
#[derive(Debug, Serialize, ToSchema)]
struct Usage {
    /// The key that the request was made with.
    api_key: KeyView,
    /// Its rate limit.
    rate_limit: LimitView,
}

#[derive(Debug, Serialize, ToSchema)]
struct KeyView {
    /// As its owner named it.
    name: String,
    /// `read` or `read_write`.
    #[schema(example = json!(["read_write"]))]
    scopes: [&'static str; 1],
    /// Written at most once a minute; null before the first time.
    last_used_at: Option<Time>,
    /// When it was made.
    created_at: Time,
}

#[derive(Debug, Serialize, ToSchema)]
struct LimitView {
    /// `standard`, or `unlimited` when the server has no limit.
    tier: &'static str,
    /// Requests per minute; null without a limit.
    limit: Option<u32>,
    /// Requests of the current window, this one included; null without a limit.
    current_count: Option<u32>,
    /// Requests left in the window; null without a limit.
    remaining: Option<u32>,
    /// Seconds to the end of the window.
    reset_in_seconds: u64,
    /// The end of the window.
    reset_at: Time,
}

/// Show the key's usage
///
/// Counts as a request itself.
#[utoipa::path(
    get,
    path = "/usage",
    operation_id = "show_usage",
    tag = "usage",
    responses((status = 200, body = Usage), CommonErrors)
)]
pub(super) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Extension(rate): Extension<Option<rate_limit::Usage>>,
) -> Response {
    let reset_seconds = rate.map_or(RATE_WINDOW.as_secs(), |usage| usage.reset_seconds);
    let reset = SignedDuration::from_secs(i64::try_from(reset_seconds).unwrap_or(i64::MAX));
    let now = app.store.now();
    let usage = Usage {
        api_key: KeyView {
            name: caller.key.name.clone(),
            scopes: [match caller.key.scope {
                Scope::Read => "read",
                Scope::ReadWrite => "read_write",
            }],
            last_used_at: caller.key.last_used_at.map(Time),
            created_at: caller.key.created_at.into(),
        },
        rate_limit: LimitView {
            tier: if rate.is_some() { "standard" } else { "unlimited" },
            limit: rate.map(|usage| usage.limit),
            current_count: rate.map(|usage| usage.count),
            remaining: rate.map(|usage| usage.remaining()),
            reset_in_seconds: reset_seconds,
            reset_at: now.checked_add(reset).unwrap_or(now).into(),
        },
    };
    crate::http::json(StatusCode::OK, &usage)
}
