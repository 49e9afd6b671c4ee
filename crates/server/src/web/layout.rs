//! What every page has around it, and the headers of pages.
//!
//! A page is an askama template that extends `app.html` (with navigation, for who is signed in) or
//! `plain.html` (without). The policy allows nothing from elsewhere and nothing inline: no
//! `<script>` with code, no `style=` attribute.

use askama::Template;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::error::WebError;
use super::session::SignedIn;
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; \
    base-uri 'none'; frame-ancestors 'none'";

/// A part of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Accounts and their balances.
    Accounts,
    /// The pages of the ledger.
    Transactions,
    /// The pages of imported files.
    Imports,
    /// The pages of the family, the profile and keys.
    Settings,
}

/// What the navigation shows. Field `layout` of every template that extends `app.html`.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Where we are, if it is in a part of the navigation.
    pub(crate) section: Option<Section>,
    /// The name of the family.
    pub(crate) family: String,
    /// The name of the user.
    pub(crate) user: String,
    /// For the forms of the page.
    pub(crate) form_token: String,
    /// What was done just before, as one sentence.
    pub(crate) notice: Option<&'static str>,
}

impl Layout {
    /// For a page of a section.
    pub(crate) fn new(who: &SignedIn, section: Section) -> Self {
        Self { section: Some(section), ..Self::without_section(who) }
    }

    /// For a page of no section.
    pub(super) fn without_section(who: &SignedIn) -> Self {
        Self {
            section: None,
            family: who.family_name.clone(),
            user: who.user_name.clone(),
            form_token: who.form_token.clone(),
            notice: None,
        }
    }

    /// With the sentence that the address asks for: see [`done`].
    pub(crate) fn with_notice(mut self, query: &QueryParams) -> Self {
        self.notice = notice(query);
        self
    }

    /// `page` for the link of the section that we are in, for `aria-current`.
    pub(crate) fn current(&self, section: &str) -> bool {
        self.section.is_some_and(|current| current.name() == section)
    }
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Accounts => "accounts",
            Self::Transactions => "transactions",
            Self::Imports => "imports",
            Self::Settings => "settings",
        }
    }
}

const NOTICE: &str = "done";

/// The sentence that a page shows after a change. The address only names the sentence, so that a
/// link can't make a page show any other text.
pub(super) fn notice(query: &QueryParams) -> Option<&'static str> {
    let text = match query.one(NOTICE).ok().flatten()? {
        "account-created" => "The account is created.",
        "transaction-saved" => "The transaction is saved.",
        "transaction-deleted" => "The transaction is deleted. An import won't bring it back.",
        "family-saved" => "The family's settings are saved.",
        "profile-saved" => "Your name is saved.",
        "password-changed" => "Your password is changed, and every other browser is signed out.",
        "key-revoked" => "The key is revoked; it no longer works.",
        "transfer-confirmed" => "The transfer is confirmed.",
        "transfer-rejected" => "The pair won't be proposed again.",
        "import-removed" => "The import is gone. Nothing else has changed.",
        "template-saved" => "The name is saved.",
        "template-removed" => "These settings are forgotten.",
        "signed-out" => "You are signed out.",
        "session-ended" => {
            "You were signed out meanwhile, so nothing was saved. Sign in, then send it again."
        }
        _ => return None,
    };
    Some(text)
}

/// A redirect to a page that confirms the change.
pub(crate) fn done(path: &str, code: &'static str) -> Response {
    let separator = if path.contains('?') { '&' } else { '?' };
    see_other(&format!("{path}{separator}{NOTICE}={code}"))
}

/// To another page, with GET.
pub(crate) fn see_other(path: &str) -> Response {
    match HeaderValue::from_str(path) {
        Ok(path) => {
            let mut response = StatusCode::SEE_OTHER.into_response();
            response.headers_mut().insert(header::LOCATION, path);
            response
        }
        Err(error) => WebError::Page(ApiError::internal(error)).into_response(),
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
