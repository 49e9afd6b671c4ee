//! `GET` and `POST /settings/profile`, `POST /settings/password`: oneself.

use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::passwords;
use purser_app::people;
use purser_app::{Secret, users};
use purser_core::error::Error;

use super::Tab;
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::browser::Browser;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::{NewSession, SignedIn};
use crate::web::sign_in;

const WRONG: &str = "This is not your present password";

#[derive(Template)]
#[template(path = "settings/profile.html")]
struct Page {
    layout: Layout,
    tab: Tab,
    email: String,
    profile: Filled,
    password: Filled,
}

impl Page {
    fn new(who: &SignedIn) -> Self {
        Self {
            layout: Layout::new(who, Section::Settings),
            tab: Tab::Profile,
            email: who.email.clone(),
            profile: Filled::new(Form::of([("name", &who.user_name)])),
            password: Filled::default(),
        }
    }
}

pub(super) async fn show(who: SignedIn, query: QueryParams, typed: Typed) -> WebResult<Response> {
    let mut page = Page::new(&who);
    page.layout = page.layout.with_notice(&query);
    if let Some((typed, sentence)) = typed.into_typed().filter(|(typed, _)| typed.is_on("name")) {
        page.profile = Filled::new(typed);
        page.layout = page.layout.with_sentence(Some(sentence));
    }
    Ok(answer::ok(&page))
}

pub(super) async fn rename(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let user = who.user;
    let name = form.text("name").to_owned();
    let saved = app.store.write(who.access(), move |tx| people::users::rename(tx, user, &name));
    match saved.await {
        Ok(()) => Ok(notice::done("/settings/profile", "profile-saved")),
        Err(error) => {
            let mut page = Page::new(&who);
            page.profile = Filled::new(form);
            page.profile.refuse(error, &[FormField::same("name")])?;
            Ok(answer::problems(&page))
        }
    }
}

/// `GET /settings/password`: where the form is; a refusal leaves its address in the browser.
pub(super) async fn redirect_to_form() -> Response {
    answer::see_other("/settings/profile")
}

/// Every session of the user ends, this one too; the browser that changed it gets a new one.
pub(super) async fn change_password(
    State(app): State<AppState>,
    browser: Browser,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let mut filled = Filled::default();
    let new = Secret::new(form.text("new_password"));
    if let Err(error) = passwords::check(&new) {
        filled.refuse(error, &[FormField::new("new_password", "password", "password")])?;
    }
    if form.text("new_password") != form.text("new_password_again") {
        filled.add("new_password_again", "The two passwords differ");
    }
    let present = Secret::new(form.text("present_password"));
    if filled.is_fine()
        && let Some(session) = exchanged(&app, &who, &browser, present, new, &mut filled).await?
    {
        let response = notice::done("/settings/profile", "password-changed");
        return Ok(session.give(&browser, response));
    }
    let mut page = Page::new(&who);
    page.password = filled;
    Ok(answer::problems(&page))
}

/// Exchanges one password for another; `None` with the reason in the form.
async fn exchanged(
    app: &AppState,
    who: &SignedIn,
    browser: &Browser,
    present: Secret,
    new: Secret,
    filled: &mut Filled,
) -> WebResult<Option<NewSession>> {
    // Whoever sits at an open browser may not guess more often than at the sign-in page; nobody
    // outside can use these tries up.
    if let Err(wait) = app.sign_ins.present_password(who.user) {
        refuse_for_now(browser, who, wait, filled);
        return Ok(None);
    }
    // The same for all sessions and nodes together.
    let guess = match people::sign_in::take_present(app, &who.email).await? {
        Ok(guess) => guess,
        Err(wait) => {
            refuse_for_now(browser, who, wait, filled);
            return Ok(None);
        }
    };
    let found = users::sign_in(&app.store, &who.email).await?;
    let checked = found.ok_or(Error::NotFound { what: "User" })?.password_hash;
    if !passwords::matches(app, present, Some(checked.clone())).await? {
        sign_in::log_refused(browser.address, &who.email, "wrong present password");
        filled.add("present_password", WRONG);
        return Ok(None);
    }
    app.sign_ins.knows_password(who.user);
    people::sign_in::was_present(app, guess).await?;
    let (hash, session) =
        (passwords::hash_in_turn(app, new).await?, NewSession::generate(browser)?);
    let (family, user, email) = (who.family, who.user, who.email.clone());
    let begun = session.clone();
    let changed = app.store.write(who.access(), move |tx| {
        let now = users::find_by_email(tx, &email)?;
        if now.is_none_or(|now| now.is_closed() || now.password_hash != checked) {
            return Ok(false);
        }
        people::users::set_password(tx, user, &hash)?;
        begun.begin(tx, family, user)?;
        Ok(true)
    });
    match changed.await {
        Ok(true) => return Ok(Some(session)),
        Ok(false) => filled.add("present_password", WRONG),
        Err(error) => filled.refuse(error, &[])?,
    }
    Ok(None)
}

fn refuse_for_now(browser: &Browser, who: &SignedIn, wait: Duration, filled: &mut Filled) {
    sign_in::log_refused(browser.address, &who.email, "too many tries");
    filled.add("present_password", sign_in::wait_message(wait));
}
