//! Who is signed in.
//!
//! [`SignedIn`] looks the cookie's session up; without one, whoever wants to read is sent to the
//! sign-in page and back afterwards. It is the only way to a family's id on web pages.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use http::{Method, Uri, header};
use purser_app::sessions::{self, Session, SessionHash};
use purser_app::users::Role;
use purser_app::{FamilyId, Tx};
use purser_core::error::Result;
use purser_core::ids::UserId;

use super::browser::{Browser, Lifetime};
use super::error::{WebError, WebResult};
use super::origin;
use super::token::{self, Token};
use crate::edge::connections::Newcomer;
use crate::http::in_flight::InFlight;
use crate::state::AppState;

const COOKIE: &str = "purser_session";

/// A person who is signed in. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct SignedIn(Arc<Session>);

impl Deref for SignedIn {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl SignedIn {
    /// Whether the person may manage people.
    pub(crate) fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }

    /// What the forms of this session send: who they were made for, and a token.
    pub(crate) fn token_of_forms(&self) -> String {
        format!("{}.{}", self.user.0.simple(), self.form_token)
    }

    /// Refuses a write that doesn't bring the token of this session's forms. Forms that are not
    /// read with [`super::form::Posted`] (uploads) ask for this themselves.
    pub(crate) fn require_form_token(&self, sent: Option<&str>) -> WebResult<()> {
        match sent.is_some_and(|sent| token::same(sent, &self.token_of_forms())) {
            true => Ok(()),
            false => Err(WebError::stale_form()),
        }
    }

    /// The session of the browser's cookie.
    pub(super) async fn find(app: &AppState, browser: &Browser) -> WebResult<Option<Self>> {
        let Some(token) = browser.cookie(COOKIE).and_then(Token::parse) else { return Ok(None) };
        let hash = token.hash();
        let Some(session) = sessions::find(&app.store, hash).await? else { return Ok(None) };
        tracing::Span::current().record("user", tracing::field::display(session.user));
        if session.is_due(app.store.now()) {
            note_use(app.clone(), hash);
        }
        Ok(Some(Self(Arc::new(session))))
    }
}

/// Nobody waits for this, and nothing is lost if it fails: the next request tries again.
fn note_use(app: AppState, hash: SessionHash) {
    tokio::spawn(async move {
        let noted = app.store.write_directory(move |tx| sessions::touch(tx, &hash)).await;
        if let Err(error) = noted {
            tracing::warn!(cause = ?error, "the last use of a session isn't written");
        }
    });
}

impl Browser {
    /// Whether somebody has, or had, a session in it.
    pub(super) fn has_session(&self) -> bool {
        self.cookie(COOKIE).is_some()
    }
}

impl FromRequestParts<AppState> for SignedIn {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> WebResult<Self> {
        let Visitor(who) = Visitor::from_request_parts(parts, app).await?;
        who.ok_or_else(|| sign_in_first(app, parts))
    }
}

/// Whoever wants to read comes back to the page after signing in; whoever wanted to write, to the
/// page with the form.
fn sign_in_first(app: &AppState, parts: &Parts) -> WebError {
    let page = origin::own_page(&app.settings, parts);
    let target = sign_in_address(&parts.method, &parts.uri, page);
    WebError::Redirect { target, cookie: None }
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

/// Whoever asks for a page that needs nobody to be signed in.
#[derive(Debug, Clone)]
pub(crate) struct Visitor(pub(crate) Option<SignedIn>);

impl FromRequestParts<AppState> for Visitor {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> WebResult<Self> {
        let Ok(browser) = Browser::from_request_parts(parts, app).await;
        let who = SignedIn::find(app, &browser).await?;
        if let Some(who) = &who {
            Newcomer::admit(&parts.extensions);
            if let Some(in_flight) = parts.extensions.get::<InFlight>() {
                in_flight.enter((&who.access()).into()).await?;
            }
        }
        Ok(Self(who))
    }
}

/// The token of a session that is about to begin.
#[derive(Debug, Clone)]
pub(super) struct NewSession {
    token: Token,
    form_token: Token,
    /// The session that the browser had before.
    replaced: Option<SessionHash>,
}

impl NewSession {
    /// For a browser, which loses the session that it has.
    pub(super) fn generate(browser: &Browser) -> Result<Self> {
        let replaced = browser.cookie(COOKIE).and_then(Token::parse).map(|token| token.hash());
        Ok(Self { token: Token::generate()?, form_token: Token::generate()?, replaced })
    }

    /// Begins it, in the caller's transaction.
    pub(super) fn begin(&self, tx: &mut Tx<'_>, family: FamilyId, user: UserId) -> Result<()> {
        if let Some(replaced) = &self.replaced {
            sessions::end_one(tx, replaced)?;
        }
        sessions::begin(tx, family, user, &self.token.hash(), self.form_token.reveal())
    }

    /// Gives the browser its token.
    pub(super) fn give(&self, browser: &Browser, mut response: Response) -> Response {
        let cookie = browser.set_cookie(COOKIE, self.token.reveal(), Lifetime::Long);
        response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        response
    }
}

/// Takes the token from the browser.
pub(super) fn take_cookie(browser: &Browser, mut response: Response) -> Response {
    let cookie = browser.set_cookie(COOKIE, "", Lifetime::Over);
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    response
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
}
