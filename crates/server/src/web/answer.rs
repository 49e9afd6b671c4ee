//! Answers with a page, and their headers.
//!
//! The policy allows nothing from elsewhere and nothing inline: no `<script>` with code, no
//! `style=` attribute.

use askama::Template;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};

use crate::http::error::ApiError;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// To another page, with GET.
pub(crate) fn see_other(path: &str) -> Response {
    match HeaderValue::from_str(path) {
        Ok(path) => {
            let mut response = StatusCode::SEE_OTHER.into_response();
            response.headers_mut().insert(header::LOCATION, path);
            response
        }
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// An answer with a page.
pub(crate) fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => html(status, text),
        // Not a page: it would fail again.
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// An answer with a page, 200.
pub(crate) fn ok(template: &impl Template) -> Response {
    page(StatusCode::OK, template)
}

/// The page of a form again, with its problems, as 422.
pub(crate) fn problems(template: &impl Template) -> Response {
    page(StatusCode::UNPROCESSABLE_ENTITY, template)
}

fn html(status: StatusCode, text: String) -> Response {
    let mut response = (status, text).into_response();
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_TYPE, "text/html; charset=utf-8");
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    // The server's own forms must reveal their origin: `no-referrer` would make it `null`.
    set(header::REFERRER_POLICY, "same-origin");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(header::VARY, "Cookie");
    response
}
