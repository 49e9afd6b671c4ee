//! Headers that keep browsers from doing more with an answer than is meant, on every answer.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, header};

/// The page that shows the description of the interface: its own script and style, nothing else.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DATA_POLICY: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The middleware that adds security headers.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let docs = request.uri().path().starts_with("/api/docs");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::X_FRAME_OPTIONS, "DENY");
    set(headers, header::REFERRER_POLICY, "no-referrer");
    set(headers, header::CONTENT_SECURITY_POLICY, if docs { DOCS_POLICY } else { DATA_POLICY });
    // No cache keeps what may be somebody's money; clients that keep an answer themselves can
    // still ask whether it has changed: see `etag`.
    set(headers, header::CACHE_CONTROL, if docs { "private, no-cache" } else { "no-store" });
    // The same address answers differently to another key.
    headers.append(header::VARY, HeaderValue::from_static("X-Api-Key, Authorization"));
    response
}

/// Unless the handler knows better.
fn set(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
