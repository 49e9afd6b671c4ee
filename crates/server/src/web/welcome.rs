//! The first page: where to go, and making a family with its first admin.
//!
//! Where everybody may sign up, tries are counted before a password is hashed or anybody hears
//! which e-mail addresses are taken (`throttle`).

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::Secret;
use purser_app::families::{self as store, NewFamily};
use purser_app::passwords;
use purser_app::people::families::{self, Founder};
use purser_app::users::{self, NewUser, Role};
use purser_core::error::Problems;
use purser_core::ledger::input::required_label;
use purser_core::money::Currency;

use super::error::{WebError, WebResult};
use super::form::{AnonymousForm, Filled, Form, FormField, Sent};
use super::session::{NewSession, Visitor};
use super::{answer, sign_in, view};
use crate::config::SignUp;
use crate::state::AppState;

/// The family's name and that of its first user are both called `name` by the domain.
const FIELDS: &[FormField] = &[
    FormField::new("family", "family_name", "family name"),
    FormField::same("email"),
    FormField::same("name"),
    FormField::same("password"),
];

#[derive(Template)]
#[template(path = "welcome.html")]
struct Page<'a> {
    form: Filled,
    form_token: &'a str,
    currencies: Vec<view::Choice>,
    zones: Vec<String>,
    /// Nobody has signed up yet.
    first: bool,
}

/// Answers `GET /`: the first page.
pub(super) async fn home(
    State(app): State<AppState>,
    Visitor(who): Visitor,
) -> WebResult<Response> {
    let target = match who {
        Some(_) => "/accounts",
        None if app.store.read_directory(users::is_any).await? => "/sign-in",
        None => "/welcome",
    };
    Ok(answer::see_other(target))
}

/// Answers `GET /welcome`: the form for a new family.
pub(super) async fn show(
    State(app): State<AppState>,
    Visitor(who): Visitor,
    page: AnonymousForm,
) -> WebResult<Response> {
    if who.is_some() {
        return Ok(answer::see_other("/accounts"));
    }
    let first = !app.store.read_directory(users::is_any).await?;
    match app.settings.sign_up {
        SignUp::Open => {}
        SignUp::First if first => {}
        SignUp::Closed if first => return Err(closed()),
        _ => return Ok(answer::see_other("/sign-in")),
    }
    let form = Filled::new(Form::of([("currency", "USD"), ("time_zone", "UTC")]));
    Ok(page.answer(answer::ok(&view_of(form, &page, first))))
}

/// Answers `POST /welcome`: creates a family and its first user.
pub(super) async fn create(
    State(app): State<AppState>,
    Sent { page, form }: Sent,
) -> WebResult<Response> {
    let only_first = match app.settings.sign_up {
        SignUp::Open => false,
        SignUp::First => true,
        SignUp::Closed => return Err(closed()),
    };
    let mut filled = Filled::new(without_passwords(&form));
    let checked = check(&form, &mut filled)?;
    let nobody = app.store.read_directory(store::require_nobody).await;
    let first = nobody.is_ok();
    if only_first && let Err(error) = nobody {
        // Before a password is hashed for nothing.
        filled.refuse(error, FIELDS)?;
    }
    if filled.is_fine() {
        if let Err(wait) = app.sign_ins.sign_up(page.browser.address) {
            filled.general.push(sign_in::wait_message(wait));
            let response = answer::problems(&view_of(filled, &page, first));
            return Ok(sign_in::too_many_attempts(response, wait));
        }
        let email = form.text("email").to_owned();
        if app.store.read_directory(move |tx| users::is_taken(tx, &email)).await? {
            filled.add("email", users::email_taken().to_string());
        }
    }
    let Some((currency, time_zone)) = checked.filter(|_| filled.is_fine()) else {
        return Ok(answer::problems(&view_of(filled, &page, first)));
    };
    let hash = passwords::hash_in_turn(&app, Secret::new(form.text("password"))).await?;
    let session = NewSession::generate(&page.browser)?;
    let (begun, fields) = (session.clone(), form.clone());
    let made = app.store.found(move |tx, id| {
        let family = NewFamily { name: fields.text("family"), currency, time_zone: &time_zone };
        let admin = NewUser {
            email: fields.text("email"),
            name: fields.text("name"),
            role: Role::Admin,
            password_hash: &hash,
        };
        let (family, user) =
            families::found(tx, id, Founder::Admin { only_first }, &family, &admin)?;
        begun.begin(tx, family.id, user)
    });
    match made.await {
        Ok(()) => Ok(session.give(&page.browser, answer::see_other("/accounts"))),
        Err(error) => {
            filled.refuse(error, FIELDS)?;
            Ok(answer::problems(&view_of(filled, &page, first)))
        }
    }
}

/// Every problem that can be found before anything is written, at once.
fn check(form: &Form, filled: &mut Filled) -> WebResult<Option<(Currency, String)>> {
    let mut problems = Problems::new();
    required_label("family_name", form.text("family"), &mut problems);
    required_label("name", form.text("name"), &mut problems);
    let password = Secret::new(form.text("password"));
    for checked in [
        problems.into_result(),
        users::check_email(form.text("email")),
        passwords::check(&password),
    ] {
        if let Err(error) = checked {
            filled.refuse(error, FIELDS)?;
        }
    }
    if form.text("password") != form.text("password_again") {
        filled.add("password_again", "The two passwords differ");
    }
    let currency = Currency::parse(form.text("currency"));
    if currency.is_none() {
        filled.add("currency", "Choose a currency of the list");
    }
    let zone = families::time_zone(form.text("time_zone"));
    if zone.is_none() {
        filled.add("time_zone", "Choose a time zone of the list, such as Europe/Berlin");
    }
    Ok(currency.zip(zone))
}

fn without_passwords(form: &Form) -> Form {
    let field = |name| (name, form.text(name));
    Form::of(["family", "currency", "time_zone", "name", "email"].map(field))
}

fn view_of<'a>(form: Filled, page: &'a AnonymousForm, first: bool) -> Page<'a> {
    Page {
        form,
        form_token: page.token(),
        currencies: view::currencies(),
        zones: view::time_zones(),
        first,
    }
}

fn closed() -> WebError {
    WebError::page(
        StatusCode::FORBIDDEN,
        "sign_up_closed",
        "Signing up is closed on this server. Whoever runs it can add you: purser user add",
    )
}
