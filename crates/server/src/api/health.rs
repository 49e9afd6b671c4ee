//! The state of the server for those who run it: whether it is alive, whether it is ready, and its
//! metrics. No key is needed.

use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use purser_app::users;
use purser_core::error::Error;
use serde_json::json;

use crate::config::MetricsAccess;
use crate::edge::peer::{Peer, is_local};
use crate::http::error::{ApiError, ApiResult};
use crate::state::AppState;
use crate::telemetry::names;

/// A database that takes longer to answer nothing isn't ready.
const READY_WITHIN: Duration = Duration::from_secs(2);
const METRICS_TYPE: HeaderValue = HeaderValue::from_static("text/plain; version=0.0.4");

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// The process runs and answers.
async fn health() -> Response {
    crate::http::json(StatusCode::OK, &json!({ "status": "ok" }))
}

/// The database answers and takes writes, and the server isn't stopping.
async fn ready(State(app): State<AppState>) -> ApiResult<Response> {
    if *app.stopping.borrow() {
        return Err(unavailable("The server is stopping", "stopping"));
    }
    // Any query shows whether the database answers; this one is cheap and changes nothing.
    let asked = async {
        app.store.read_directory(users::is_any).await?;
        app.store.require_writable().await
    };
    match tokio::time::timeout(READY_WITHIN, asked).await {
        Ok(Ok(())) => Ok(crate::http::json(StatusCode::OK, &json!({ "status": "ready" }))),
        Ok(Err(error @ Error::Unavailable { .. })) => Err(error.into()),
        Ok(Err(error)) => Err(unavailable("The database doesn't answer", &error.to_string())),
        Err(_) => Err(unavailable("The database doesn't answer", "timeout")),
    }
}

fn unavailable(message: &str, cause: &str) -> ApiError {
    Error::Unavailable { message: message.to_owned(), cause: cause.into() }.into()
}

/// The metrics, for those who may see them; for others the answer is 404.
async fn metrics(
    State(app): State<AppState>,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let local = || peer.is_some_and(|Extension(peer)| is_local(&app.settings, peer, &headers));
    let allowed = match app.settings.metrics {
        MetricsAccess::Open => true,
        MetricsAccess::Loopback => local(),
        MetricsAccess::Off => false,
    };
    if !allowed {
        return Err(ApiError::route_not_found());
    }
    metrics::gauge!(names::BYTES_IN_FLIGHT).set(app.bytes_in_flight.taken() as f64);
    Ok(([(header::CONTENT_TYPE, METRICS_TYPE)], app.metrics.render()).into_response())
}
