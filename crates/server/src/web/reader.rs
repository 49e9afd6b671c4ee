//! Who gets an answer, and what the answer needs to have for them.
//!
//! Errors are made before it is known who reads them: whoever is signed in gets the same page with
//! the navigation around it, and whoever sent a form that is out of date the way back to its page.

use axum::extract::FromRequestParts as _;
use axum::response::Response;
use http::request::Parts;
use http::{Method, header};

use super::browser::Browser;
use super::error::ErrorDetails;
use super::session::SignedIn;
use super::{answer, layout, origin};
use crate::state::AppState;

/// Who gets an answer.
#[derive(Debug)]
pub(super) struct Reader {
    browser: Browser,
    /// The page that has the form or script that sent this, if it is one of ours.
    page: Option<String>,
}

#[derive(askama::Template)]
#[template(path = "error_signed_in.html")]
struct ErrorPage<'a> {
    layout: layout::Layout,
    error: &'a ErrorDetails,
    page: Option<&'a str>,
}

impl Reader {
    pub(super) async fn of(parts: &mut Parts, app: &AppState) -> Self {
        let Ok(browser) = Browser::from_request_parts(parts, app).await;
        let is_write = !matches!(parts.method, Method::GET | Method::HEAD);
        let page = origin::own_page(&app.settings, parts).filter(|_| is_write).map(str::to_owned);
        Self { browser, page }
    }

    /// The answer as this reader gets it.
    pub(super) async fn receives(&self, app: &AppState, mut response: Response) -> Response {
        if let Some(error) = response.extensions_mut().remove::<ErrorDetails>() {
            response = self.error(app, response, &error).await;
        }
        response
    }

    /// The page of an error with the navigation. What is the server's own fault stays as plain as
    /// it is: looking for who reads it may fail for the same reason.
    async fn error(&self, app: &AppState, plain: Response, error: &ErrorDetails) -> Response {
        if error.status.is_server_error() {
            return plain;
        }
        let Ok(Some(who)) = SignedIn::find(app, &self.browser).await else { return plain };
        let page = self.page.as_deref().filter(|_| error.is_stale_form());
        let layout = layout::Layout::without_section(&who);
        let mut completed = answer::page(error.status, &ErrorPage { layout, error, page });
        for (name, value) in plain.headers() {
            completed.headers_mut().entry(name).or_insert_with(|| value.clone());
        }
        // Of the plain page.
        completed.headers_mut().remove(header::CONTENT_LENGTH);
        completed
    }
}
