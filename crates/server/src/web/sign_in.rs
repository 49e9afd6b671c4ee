//! Signing in and out.
//!
//! Passwords are looked at a few at a time, off the threads that serve connections. Guesses are
//! counted before: on this node, so that a flood doesn't reach the database (`throttle`), and for
//! all nodes (`people::sign_in`). A browser in which somebody has signed in before keeps a token of
//! its own, so that guesses from elsewhere don't count there.

use std::net::IpAddr;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::people::sign_in::{Attempt, Outcome, Verified};
use purser_app::{Secret, sessions, users};
use purser_core::error::Result;

use super::answer;
use super::browser::{Browser, Lifetime};
use super::error::WebResult;
use super::form::{AnonymousForm, Filled, Form, Posted, Sent};
use super::notice;
use super::origin::return_path;
use super::session::{NewSession, Visitor, take_cookie};
use super::token::Token;
use crate::config::SignUp;
use crate::http::pagination::QueryParams;
use crate::state::AppState;

const NOT_TOGETHER: &str = "This e-mail address and this password don't belong together.";
const HOME: &str = "/accounts";
/// The cookie of a browser in which somebody has signed in.
const BROWSER_COOKIE: &str = "purser_browser";

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page<'a> {
    form: Filled,
    form_token: &'a str,
    next: &'a str,
    sign_up: bool,
    notice: Option<&'static str>,
}

/// Answers `GET /sign-in`: shows the form.
pub(super) async fn show(
    State(app): State<AppState>,
    Visitor(who): Visitor,
    page: AnonymousForm,
    query: QueryParams,
) -> WebResult<Response> {
    let next = query.one("next").ok().flatten().and_then(return_path).unwrap_or(HOME);
    if who.is_some() {
        return Ok(answer::see_other(next));
    }
    if app.settings.sign_up != SignUp::Closed && !app.store.read_directory(users::is_any).await? {
        return Ok(answer::see_other("/welcome"));
    }
    Ok(page.answer(answer::ok(&Page {
        form: Filled::default(),
        form_token: page.token(),
        next,
        sign_up: app.settings.sign_up == SignUp::Open,
        notice: notice::notice(&query),
    })))
}

/// Answers `POST /sign-in`: starts a session.
pub(super) async fn enter(
    State(app): State<AppState>,
    Sent { page, form }: Sent,
) -> WebResult<Response> {
    let next = return_path(form.text("next")).unwrap_or(HOME).to_owned();
    let (email, address) = (form.text("email").trim().to_owned(), page.browser.address);
    let refused = |why: String| Ok(refused(&app, &page, &form, &next, why));
    if email.chars().count() > users::EMAIL_CHARS_MAX {
        // Nobody has it: not worth counting, nor a password's hash.
        return refused(NOT_TOGETHER.to_owned());
    }
    let too_many = |wait: Duration| {
        log_refused(address, &email, "too many tries");
        refused(wait_message(wait)).map(|page| too_many_attempts(page, wait))
    };
    let browser = page.browser.cookie(BROWSER_COOKIE).and_then(Token::parse);
    let attempt = Attempt::new(&email, address, browser.as_ref().map(Token::hash).as_ref());
    let is_known = attempt.is_of_known_browser(&app).await?;
    if !is_known && let Err(wait) = app.sign_ins.sign_in(&email, address) {
        return too_many(wait);
    }
    let verified = match attempt.verify(&app, Secret::new(form.text("password"))).await? {
        Outcome::Wait(wait) => return too_many(wait),
        Outcome::Refused => None,
        Outcome::Verified(verified) => begin(&app, *verified, &page.browser, browser).await?,
    };
    let Some((session, browser)) = verified else {
        log_refused(address, &email, "wrong name or password");
        return refused(NOT_TOGETHER.to_owned());
    };
    if !is_known {
        app.sign_ins.signed_in(&email, address);
    }
    let mut response = session.give(&page.browser, answer::see_other(&next));
    let cookie = page.browser.set_cookie(BROWSER_COOKIE, browser.reveal(), Lifetime::Long);
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}

/// Answers `POST /sign-out`: ends the session.
pub(super) async fn leave(
    State(app): State<AppState>,
    browser: Browser,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let hash = *who.hash();
    app.store.write_directory(move |tx| sessions::end_one(tx, &hash)).await?;
    let mut response = take_cookie(&browser, notice::done("/sign-in", "signed-out"));
    // What the browser kept of the pages is not for who sits there next.
    let clear = HeaderName::from_static("clear-site-data");
    response.headers_mut().insert(clear, HeaderValue::from_static("\"cache\""));
    Ok(response)
}

/// A session, and the token that the browser has from now on.
async fn begin(
    app: &AppState,
    verified: Verified,
    browser: &Browser,
    token: Option<Token>,
) -> Result<Option<(NewSession, Token)>> {
    let session = NewSession::generate(browser)?;
    let token = match token {
        Some(token) => token,
        None => Token::generate()?,
    };
    let begun = session.clone();
    let has_begun = verified
        .begin(app, token.hash(), move |tx, family, user| begun.begin(tx, family, user))
        .await?;
    Ok(has_begun.then_some((session, token)))
}

/// A line for programs that ban addresses: `docs/security.md` has its form.
pub(super) fn log_refused(address: IpAddr, account: &str, reason: &str) {
    tracing::warn!(%address, account, reason, "sign-in refused");
}

fn refused(app: &AppState, page: &AnonymousForm, form: &Form, next: &str, why: String) -> Response {
    let mut filled = Filled::new(Form::of([("email", form.text("email"))]));
    filled.general.push(why);
    let sign_up = app.settings.sign_up == SignUp::Open;
    answer::problems(&Page { form: filled, form_token: page.token(), next, sign_up, notice: None })
}

/// What somebody reads who has had their tries.
pub(super) fn wait_message(wait: Duration) -> String {
    let seconds = whole_seconds(wait);
    let (number, unit) = match seconds {
        1 => (1, "second"),
        2..60 => (seconds, "seconds"),
        60 => (1, "minute"),
        _ => (seconds.div_ceil(60), "minutes"),
    };
    format!("There were too many tries. Wait {number} {unit}, then try again.")
}

/// Rounded up, so that whoever waits for it doesn't come too early.
fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

/// The same page with the status 429, as the answer to one attempt too many.
pub(super) fn too_many_attempts(mut page: Response, wait: Duration) -> Response {
    *page.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
    page
}
