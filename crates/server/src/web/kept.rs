//! What somebody typed into a form after its session had ended.
//!
//! It stays in the memory of this process for a while (other nodes don't have it, and a restart
//! forgets it), and only its owner gets it back: whoever is signed in as the user whom the form was
//! made for, in the browser that sent it. Forms name their user in the token, and the browser has a
//! random cookie; so no link can bring a form along.
//! Passwords, keys and files are never kept. It is little memory: strangers can push out what is
//! kept, but can't fill anything.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderValue, header};
use purser_core::ids::UserId;

use super::browser::{Browser, Lifetime};
use super::form::{Form, TOKEN_FIELD};
use super::once::ONCE_FIELD;
use super::session::SignedIn;
use super::token::Token;
use crate::state::AppState;

const COOKIE: &str = "purser_typed";
/// How long it is kept.
const KEPT_FOR: Duration = Duration::from_secs(30 * 60);
/// How many forms are kept, and how large they can be.
const FORMS_MAX: usize = 64;
const FORM_BYTES_MAX: usize = 48 * 1024;

/// A form that waits for its owner.
struct TypedForm {
    /// The hash of the browser's cookie.
    browser: [u8; 32],
    user: UserId,
    /// The path of the page that has the form.
    page: String,
    form: Form,
    until: Instant,
}

/// All forms that wait.
#[derive(Default)]
pub(crate) struct TypedForms(Mutex<VecDeque<TypedForm>>);

impl TypedForms {
    /// Keeps a form for the browser with the cookie that is returned; none if it isn't worth it.
    fn keep(&self, user: UserId, page: &str, form: &Form) -> Option<Token> {
        let page = path_of(page).to_owned();
        let form =
            form.without(|name| name == TOKEN_FIELD || name == ONCE_FIELD || is_secret(name));
        let size: usize = form.fields().map(|(name, value)| name.len() + value.len()).sum();
        if size == 0 || size > FORM_BYTES_MAX {
            return None;
        }
        let token = Token::generate().ok()?;
        let browser = token.hash();
        let until = Instant::now() + KEPT_FOR;
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if forms.len() >= FORMS_MAX {
            forms.pop_front();
        }
        forms.push_back(TypedForm { browser, user, page, form, until });
        Some(token)
    }

    /// Gives a form to its owner, once.
    fn take(&self, browser: [u8; 32], user: UserId, page: &str) -> Option<Form> {
        let now = Instant::now();
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        forms.retain(|one| one.until > now);
        let is_it =
            |one: &TypedForm| one.browser == browser && one.user == user && one.page == page;
        let position = forms.iter().position(is_it)?;
        forms.remove(position).map(|one| one.form)
    }
}

/// Whether a field has what nobody may see again.
fn is_secret(name: &str) -> bool {
    name.contains("password") || name.contains("secret")
}

/// Keeps a form that came too late, and gives the browser of the answer the cookie for it. `page`
/// is the page of ours that has the form.
pub(super) fn keep(
    app: &AppState,
    browser: &Browser,
    page: Option<&str>,
    form: &Form,
) -> Option<HeaderValue> {
    let user = form.text(TOKEN_FIELD).split_once('.')?.0.parse().ok().map(UserId)?;
    let token = app.typed_forms.keep(user, page?, form)?;
    browser.set_cookie(COOKIE, token.reveal(), Lifetime::Window)
}

/// An answer that gives the browser a cookie.
pub(super) fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    response.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
    response
}

/// What the person who opens a page had typed into its form before their session ended.
#[derive(Debug, Default)]
pub(crate) struct Typed(Option<Form>);

impl Typed {
    /// The form with what was typed in it, and the sentence about it.
    pub(crate) fn into_form(self, form: Form) -> (Form, Option<&'static str>) {
        match self.0 {
            None => (form, None),
            Some(typed) => (form.overlaid(typed), Some(TYPED_AGAIN)),
        }
    }
}

impl Typed {
    /// What was typed, and the sentence about it.
    pub(crate) fn into_typed(self) -> Option<(Form, &'static str)> {
        self.0.map(|typed| (typed, TYPED_AGAIN))
    }
}

const TYPED_AGAIN: &str =
    "This is what you had typed when you were signed out. It isn't saved yet.";

impl FromRequestParts<AppState> for Typed {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &AppState,
    ) -> Result<Self, Self::Rejection> {
        let Ok(browser) = Browser::from_request_parts(parts, app).await;
        let Some(token) = browser.cookie(COOKIE).and_then(Token::parse) else {
            return Ok(Self::default());
        };
        let Ok(Some(who)) = SignedIn::find(app, &browser).await else {
            return Ok(Self::default());
        };
        Ok(Self(app.typed_forms.take(token.hash(), who.user, parts.uri.path())))
    }
}

fn path_of(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use purser_core::ids::UserId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_the_owner_in_the_same_browser_gets_it_back_once() {
        let forms = TypedForms::default();
        let [user, other] = [1, 2].map(|number| UserId(Uuid::from_u128(number)));
        let form = Form::of([
            ("name", "Savings"),
            ("form_token", "x"),
            ("new_password", "y"),
            ("provider_secret", "z"),
        ]);
        let token = forms.keep(user, "/accounts/new?a=b", &form).unwrap();
        let page = "/accounts/new";
        assert!(forms.take(token.hash(), other, page).is_none());
        assert!(forms.take([0; 32], user, page).is_none());
        assert!(forms.take(token.hash(), user, "/accounts").is_none());
        let kept = forms.take(token.hash(), user, page).unwrap();
        let fields: Vec<(&str, &str)> = kept.fields().collect();
        assert_eq!(fields, [("name", "Savings")], "neither tokens nor secrets");
        assert!(forms.take(token.hash(), user, page).is_none());
    }

    #[test]
    fn little_is_kept() {
        let forms = TypedForms::default();
        let user = UserId(Uuid::from_u128(1));
        let large = "x".repeat(FORM_BYTES_MAX);
        assert!(forms.keep(user, "/a", &Form::of([("notes", &*large)])).is_none());
        assert!(forms.keep(user, "/a", &Form::of([("password", "secret")])).is_none());
        let keep = || forms.keep(user, "/a", &Form::of([("name", "x")])).unwrap();
        let first = keep();
        let others: Vec<Token> = (0..FORMS_MAX).map(|_| keep()).collect();
        assert!(forms.take(first.hash(), user, "/a").is_none());
        assert!(others.iter().all(|one| forms.take(one.hash(), user, "/a").is_some()));
    }
}
