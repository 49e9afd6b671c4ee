//! The one renderer of errors as pages, beside the one for JSON.
//!
//! Which part of an error is shown, and which only goes to the log, is decided once for both: a
//! page is made of an [`ApiError`], taken apart. A person who must sign in first is sent there
//! instead. The person who reads the page is not known here: see [`super::reader`].

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use purser_core::error::Error;

use super::{answer, kept};
use crate::http::error::ApiError;
use crate::http::request_id;

/// What a handler of a page returns.
pub(crate) type WebResult<T> = Result<T, WebError>;

/// An error on its way to a browser.
#[derive(Debug)]
pub(crate) enum WebError {
    /// Another page is the answer.
    Redirect {
        /// The address of that page.
        target: String,
        /// A cookie for what was typed.
        cookie: Option<HeaderValue>,
    },
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

    /// With a cookie for what was typed, if it is kept.
    pub(super) fn with_cookie(self, cookie: Option<HeaderValue>) -> Self {
        match (self, cookie) {
            (Self::Page(error), Some(cookie)) => {
                Self::Page(error.with_header(header::SET_COOKIE, cookie))
            }
            (other, _) => other,
        }
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
            Self::Redirect { target, cookie } => {
                return kept::with_cookie(answer::see_other(&target), cookie);
            }
            Self::Page(error) => error.into_public(),
        };
        let details = ErrorDetails {
            status: error.status,
            request_id: error.status.is_server_error().then(request_id::current),
            code: error.code,
            message: error.message.into_owned(),
        };
        let mut response = answer::page(error.status, &ErrorPage { error: &details });
        response.headers_mut().extend(error.headers);
        response.extensions_mut().insert(details);
        response
    }
}
