//! The one renderer of errors as pages, beside the one for JSON.
//!
//! Which part of an error is shown, and which only goes to the log, is decided once for both: a
//! page is made of an [`ApiError`], taken apart. A person who must sign in first is sent there
//! instead. The person who reads the page is not known here: see [`super::reader`].

use std::borrow::Cow;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use purser_core::error::Error;

use super::reader::Reader;
use super::{layout, origin};
use crate::http::error::ApiError;
use crate::http::request_id;
use crate::state::AppState;

/// What a handler of a page returns.
pub(crate) type WebResult<T> = Result<T, WebError>;

/// An error on its way to a browser.
#[derive(Debug)]
pub(crate) enum WebError {
    /// Another page is the answer.
    Redirect(String),
    /// A page that shows what is wrong.
    Page(ApiError),
}

/// The contents of an error page, attached to the answer.
#[derive(Debug, Clone)]
pub(super) struct ErrorDetails {
    pub(super) status: StatusCode,
    pub(super) message: String,
    pub(super) request_id: Option<String>,
    code: &'static str,
}

#[derive(askama::Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    error: &'a ErrorDetails,
}

const STALE_FORM: &str = "stale_form";

impl ErrorDetails {
    /// Whether the form was sent from a page that is out of date.
    pub(super) fn is_stale_form(&self) -> bool {
        self.code == STALE_FORM
    }

    pub(super) fn title(&self) -> &'static str {
        match self.status.as_u16() {
            403 if self.is_stale_form() => "Please send it again",
            403 => "Not allowed",
            404 => "Nothing here",
            405 => "This address can't be opened directly",
            409 => "Not now",
            413 => "Too large",
            429 => "Too often",
            503 => "Busy",
            500..=599 => "Something went wrong",
            _ => "That doesn't work",
        }
    }
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
            STALE_FORM,
            "This form is out of date: after the page was opened, somebody signed in or out, or \
             changed the password. Nothing was saved. Open the page again to send it once more.",
        )
    }

    /// Whoever wants to read comes back to the page after signing in; whoever wanted to write, to
    /// the page with the form.
    pub(super) fn sign_in_first(app: &AppState, parts: &Parts) -> Self {
        let page = origin::own_page(&app.settings, parts);
        Self::Redirect(sign_in_address(&parts.method, &parts.uri, page))
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
        let details = ErrorDetails {
            status: error.status,
            request_id: error.status.is_server_error().then(request_id::current),
            code: error.code,
            message: error.message.into_owned(),
        };
        let mut response = layout::page(error.status, &ErrorPage { error: &details });
        response.headers_mut().extend(error.headers);
        response.extensions_mut().insert(details);
        response
    }
}

fn sign_in_address(method: &Method, uri: &Uri, page: Option<&str>) -> String {
    let next =
        |target: &str| -> String { form_urlencoded::byte_serialize(target.as_bytes()).collect() };
    let target = uri.path_and_query().map_or("/", |target| target.as_str());
    match (method, page) {
        (&Method::GET | &Method::HEAD, _) if target == "/" => "/sign-in".to_owned(),
        (&Method::GET | &Method::HEAD, _) => format!("/sign-in?next={}", next(target)),
        // Which is what they wanted.
        _ if target == "/sign-out" => "/sign-in?done=signed-out".to_owned(),
        (_, Some(page)) => format!("/sign-in?next={}&done=session-ended", next(page)),
        (_, None) => "/sign-in?done=session-ended".to_owned(),
    }
}

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
    fn readers_come_back_to_the_page_and_writers_to_its_form() {
        let target = |method: Method, uri: &str, page: Option<&str>| {
            sign_in_address(&method, &uri.parse().unwrap(), page)
        };
        let get = |uri: &str| target(Method::GET, uri, Some("/other"));
        assert_eq!(get("/"), "/sign-in");
        assert_eq!(get("/a?b=c&d"), "/sign-in?next=%2Fa%3Fb%3Dc%26d");
        let post = |page| target(Method::POST, "/a?b=c", page);
        assert_eq!(post(Some("/f?g=h")), "/sign-in?next=%2Ff%3Fg%3Dh&done=session-ended");
        assert_eq!(post(None), "/sign-in?done=session-ended");
        let out = target(Method::POST, "/sign-out", Some("/accounts"));
        assert_eq!(out, "/sign-in?done=signed-out");
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
