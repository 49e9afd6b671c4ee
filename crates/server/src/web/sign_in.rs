//! Signing in and out.
//!
//! The answer to a wrong name and to a wrong password is the same, and takes the same time: an
//! unknown name is compared with a hash that no password has. Passwords are looked at a few at a
//! time, off the threads that serve connections; tries are counted before (`throttle`).

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::passwords;
use purser_app::users::{self, SignIn};
use purser_app::{Secret, sessions};
use purser_core::error::Result;

use super::answer;
use super::browser::Browser;
use super::error::WebResult;
use super::form::{AnonymousForm, Filled, Form, Posted, Sent};
use super::notice;
use super::origin::return_path;
use super::session::{NewSession, Visitor, take_cookie};
use crate::config::SignUp;
use crate::http::pagination::QueryParams;
use crate::state::AppState;

const NOT_TOGETHER: &str = "This e-mail address and this password don't belong together.";
const HOME: &str = "/accounts";

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
    if email.chars().count() > users::EMAIL_CHARS_MAX {
        // Nobody has it: not worth counting, nor a password's hash.
        return Ok(refused(&app, &page, &form, &next, NOT_TOGETHER.to_owned()));
    }
    if let Err(wait) = app.sign_ins.sign_in(&email, address) {
        return Ok(too_many_attempts(refused(&app, &page, &form, &next, wait_message(wait)), wait));
    }
    match verified(&app, &email, Secret::new(form.text("password"))).await? {
        Some(session) => {
            app.sign_ins.signed_in(&email, address);
            Ok(session.give(&page.browser, answer::see_other(&next)))
        }
        None => Ok(refused(&app, &page, &form, &next, NOT_TOGETHER.to_owned())),
    }
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

/// Compares the password and begins a session; `None` alike for every reason why not.
async fn verified(app: &AppState, email: &str, password: Secret) -> WebResult<Option<NewSession>> {
    let name = email.to_owned();
    let found = app.store.read_directory(move |tx| users::find_by_email(tx, &name)).await?;
    let (user, hash) = match found {
        Some(found) if found.user.deactivated_at.is_none() => {
            let hash = found.password_hash.clone();
            (Some(found), Some(hash))
        }
        _ => (None, None),
    };
    let matches = passwords::matches(app, password, hash).await?;
    let Some(user) = user.filter(|_| matches) else { return Ok(None) };
    Ok(begin(app, user).await?)
}

/// Begins a session, unless the password was changed or the user deactivated meanwhile: both take
/// the family's turn, as this does.
async fn begin(app: &AppState, checked: SignIn) -> Result<Option<NewSession>> {
    let session = NewSession::generate()?;
    app.store
        .write(checked.access(), move |tx| {
            let now = users::find_by_email(tx, &checked.user.email)?;
            let unchanged = now.is_some_and(|now| {
                now.password_hash == checked.password_hash && now.user.deactivated_at.is_none()
            });
            if !unchanged {
                return Ok(None);
            }
            session.begin(tx, checked.family, checked.user.id)?;
            Ok(Some(session.clone()))
        })
        .await
}

fn refused(app: &AppState, page: &AnonymousForm, form: &Form, next: &str, why: String) -> Response {
    let mut filled = Filled::new(Form::of([("email", form.text("email"))]));
    filled.general.push(why);
    let sign_up = app.settings.sign_up == SignUp::Open;
    answer::problems(&Page { form: filled, form_token: page.token(), next, sign_up, notice: None })
}

/// What somebody reads who has had their tries.
pub(super) fn wait_message(wait: Duration) -> String {
    let minutes = wait.as_secs().max(1).div_ceil(60);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    format!("There were too many tries. Wait {minutes} {unit}, then try again.")
}

/// The same page with the status 429, as the answer to one attempt too many.
pub(super) fn too_many_attempts(mut page: Response, wait: Duration) -> Response {
    *page.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    let seconds = HeaderValue::from(wait.as_secs().max(1));
    page.headers_mut().insert(header::RETRY_AFTER, seconds);
    page
}
