//! Cross-origin requests: `/api/*` is open to every origin, without credentials.
//!
//! A page of another origin has to bring an API key, which it can only have from its user; cookies
//! are never sent along, so an open interface gives nothing away.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE");
const HEADERS: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Api-Key, X-Request-Id",
);
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "ETag, Idempotency-Replayed, Retry-After, X-Page, X-Per-Page, X-RateLimit-Limit, \
     X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count, X-Total-Pages",
);
const DAY_SECONDS: HeaderValue = HeaderValue::from_static("86400");

/// The middleware that adds headers for requests from other origins.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    if !request.uri().path().starts_with("/api/") {
        return next.run(request).await;
    }
    let mut response = match is_preflight(&request) {
        true => preflight(request.headers()),
        false => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    response
}

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Allows every header that is asked for: what a header may do is decided by who reads it.
fn preflight(request: &HeaderMap) -> Response {
    let allowed = request.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned().unwrap_or(HEADERS);
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, DAY_SECONDS);
    headers.insert(header::VARY, HeaderValue::from_static("Access-Control-Request-Headers"));
    response
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::{get, post};
    use tower::ServiceExt as _;

    use super::*;

    async fn send(method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let app = Router::new()
            .route("/api/x", post(|| async { "made" }))
            .route("/other", get(|| async { "page" }))
            .layer(axum::middleware::from_fn(layer));
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn a_preflight_is_answered_without_the_handler() {
        let asked = [
            ("origin", "https://app.example"),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "x-api-key, idempotency-key"),
        ];
        let response = send(Method::OPTIONS, "/api/x", &asked).await;
        assert_eq!(response.status(), 204);
        let headers = response.headers();
        assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_HEADERS], "x-api-key, idempotency-key");
        assert!(!headers.contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS));
    }

    #[tokio::test]
    async fn answers_of_the_api_and_only_those_are_open() {
        let response = send(Method::POST, "/api/x", &[]).await;
        assert_eq!(response.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        let exposed = response.headers()[header::ACCESS_CONTROL_EXPOSE_HEADERS].to_str().unwrap();
        assert!(exposed.contains("X-RateLimit-Remaining") && exposed.contains("ETag"));
        let response = send(Method::GET, "/other", &[]).await;
        assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN));
        let response = send(Method::OPTIONS, "/api/x", &[]).await;
        assert_eq!(response.status(), 405);
    }
}
