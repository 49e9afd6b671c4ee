//! The outermost layer: the request id, the span of the log, the numbers, and the last catch of
//! panics.
//!
//! Every request is logged at `info`, with its key and its user where they are known. The log has
//! the route's template and never the path, the query or a header: those can hold what shouldn't be
//! logged.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::Method;
use purser_app::statement_count;
use tracing::Instrument as _;

use super::panics;
use crate::http::request_id;
use crate::telemetry::names;

/// The label of requests that no route matched.
const NO_ROUTE: &str = "none";

/// The middleware that logs and measures requests.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = request_id::from_headers(request.headers());
    let method = method_label(request.method());
    let route = match request.extensions().get::<MatchedPath>() {
        Some(path) => path.as_str().to_owned(),
        None => NO_ROUTE.to_owned(),
    };
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method,
        route,
        key = tracing::field::Empty,
        user = tracing::field::Empty,
    );
    let answer = async {
        let work = panics::catch(next.run(request));
        let (answered, statements) = statement_count::counted(work).await;
        let ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(status = answered.status().as_u16(), ms, statements, "answered");
        (answered, statements)
    };
    let (mut response, statements) = request_id::scope(id.clone(), answer.instrument(span)).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!(names::REQUESTS, "method" => method, "route" => route.clone(), "status" => status)
        .increment(1);
    metrics::histogram!(names::REQUEST_SECONDS, "method" => method, "route" => route.clone())
        .record(start.elapsed());
    metrics::histogram!(names::REQUEST_STATEMENTS, "method" => method, "route" => route)
        .record(statements as f64);
    response.headers_mut().insert(request_id::HEADER, id);
    response
}

/// A closed set: a client could make up any number of methods, and each would be a new number.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
