//! Addresses that have no page.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::error::WebError;
use super::reader::Reader;
use crate::http::error::ApiError;
use crate::state::AppState;

/// An address that nothing is at: a page for browsers, JSON for everybody else and for the API.
pub(crate) async fn no_route(State(app): State<AppState>, request: Request) -> Response {
    fallback(app, request, ApiError::route_not_found()).await
}

/// An address that doesn't know the method; the router adds `Allow`.
pub(crate) async fn no_method(State(app): State<AppState>, request: Request) -> Response {
    fallback(app, request, ApiError::method_not_allowed()).await
}

async fn fallback(app: AppState, request: Request, error: ApiError) -> Response {
    let (mut parts, _) = request.into_parts();
    if !wants_page(parts.uri.path(), &parts.headers) {
        return error.into_response();
    }
    let error = match error.status() {
        // Methods are nothing to people.
        StatusCode::METHOD_NOT_ALLOWED => WebError::page(
            error.status(),
            "method_not_allowed",
            "It takes what a form on another page sends, and has no page of its own.",
        ),
        _ => WebError::Page(error),
    };
    Reader::of(&mut parts, &app).await.receives(&app, error.into_response()).await
}

fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accepts =
        |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains("text/html"));
    !path.starts_with("/api/") && headers.get_all(header::ACCEPT).iter().any(accepts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_browsers_get_pages_and_never_from_the_api() {
        let mut headers = HeaderMap::new();
        assert!(!wants_page("/x", &headers));
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"));
        assert!(wants_page("/x", &headers));
        assert!(!wants_page("/api/v1/x", &headers));
    }
}
