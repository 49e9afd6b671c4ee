//! The one renderer of errors as pages, beside the one for JSON.
//!
//! What an error says, and what goes only to the log, is decided once for both: a page is made of
//! an [`ApiError`], taken apart. Whoever must sign in first is sent there instead.

use std::borrow::Cow;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use purser_core::error::Error;

use super::layout;
use crate::api::error::ApiError;
use crate::edge::request_id;

/// What a handler of a page returns.
pub(crate) type WebResult<T> = Result<T, WebError>;

/// An error on its way to a browser.
#[derive(Debug)]
pub(crate) enum WebError {
    /// Another page is the answer.
    Redirect(String),
    /// A page that says what is wrong.
    Page(ApiError),
}

#[derive(askama::Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    title: &'a str,
    message: &'a str,
    request_id: Option<String>,
}

impl WebError {
    /// An error with a status, a code for the log, and a sentence.
    pub(crate) fn page(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Page(ApiError::new(status, code, message))
    }

    /// A form without the right token: the session ended meanwhile, or it is not our form.
    pub(crate) fn stale_form() -> Self {
        Self::page(
            StatusCode::FORBIDDEN,
            "stale_form",
            "This form is out of date: go back, reload the page and send it again.",
        )
    }

    /// Whoever wants to read comes back to the page after signing in.
    pub(super) fn sign_in_first(method: &Method, uri: &Uri) -> Self {
        let target = uri.path_and_query().map_or("/", |target| target.as_str());
        match *method {
            Method::GET | Method::HEAD if target != "/" => {
                let next: String = form_urlencoded::byte_serialize(target.as_bytes()).collect();
                Self::Redirect(format!("/sign-in?next={next}"))
            }
            _ => Self::Redirect("/sign-in".to_owned()),
        }
    }
}

impl From<ApiError> for WebError {
    fn from(error: ApiError) -> Self {
        Self::Page(error)
    }
}

impl From<Error> for WebError {
    fn from(error: Error) -> Self {
        Self::Page(error.into())
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let error = match self {
            Self::Redirect(target) => return layout::see_other(&target),
            Self::Page(error) => error.into_public(),
        };
        let server = error.status.is_server_error();
        let page = ErrorPage {
            title: title(error.status),
            message: &error.message,
            request_id: server.then(request_id::current),
        };
        let mut response = layout::page(error.status, &page);
        response.headers_mut().extend(error.headers);
        response
    }
}

fn title(status: StatusCode) -> &'static str {
    match status.as_u16() {
        403 => "Not allowed",
        404 => "Nothing here",
        405 => "Not like that",
        409 => "Not now",
        413 => "Too large",
        429 => "Too often",
        503 => "Busy",
        500..=599 => "Something went wrong",
        _ => "That doesn't work",
    }
}

/// An address that nothing is at: a page for browsers, JSON for everybody else and for the API.
pub(crate) async fn no_route(request: Request) -> Response {
    fallback(&request, ApiError::route_not_found())
}

/// An address that doesn't know the method; the router adds `Allow`.
pub(crate) async fn no_method(request: Request) -> Response {
    fallback(&request, ApiError::method_not_allowed())
}

fn fallback(request: &Request, error: ApiError) -> Response {
    match wants_page(request.uri().path(), request.headers()) {
        true => WebError::Page(error).into_response(),
        false => error.into_response(),
    }
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
    fn readers_come_back_and_writers_do_not() {
        let target = |method: Method, uri: &str| match WebError::sign_in_first(
            &method,
            &uri.parse().unwrap(),
        ) {
            WebError::Redirect(target) => target,
            other => panic!("{other:?}"),
        };
        assert_eq!(target(Method::GET, "/"), "/sign-in");
        assert_eq!(target(Method::GET, "/a?b=c&d"), "/sign-in?next=%2Fa%3Fb%3Dc%26d");
        assert_eq!(target(Method::POST, "/a?b=c"), "/sign-in");
    }

    #[test]
    fn only_browsers_get_pages_and_never_from_the_api() {
        let mut headers = HeaderMap::new();
        assert!(!wants_page("/x", &headers));
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/html,*/*;q=0.8"));
        assert!(wants_page("/x", &headers));
        assert!(!wants_page("/api/v1/x", &headers));
    }
}
