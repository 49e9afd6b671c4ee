//! What a form sent, and proof that it was our form.
//!
//! [`Posted`] is how a handler of a write gets who sent it and the fields; it refuses what doesn't
//! bring the session's token. Before anybody is signed in, [`AnonymousForm`] and [`Sent`] do the
//! same with a token that is also in a cookie. A form that is shown again keeps what was typed and
//! has each problem at its field: [`Filled`].

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::Response;
use http::request::Parts;
use http::{HeaderMap, HeaderName, header};
use purser_core::error::{Error, Problem};
use purser_core::ledger::input::AmountText;
use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_core::text::number::typed_amount;

use super::browser::{Browser, Lifetime};
use super::error::{WebError, WebResult};
use super::session::SignedIn;
use super::token::{self, Token};
use super::{kept, origin};
use crate::http::error::ApiError;
use crate::http::unread::Unread;
use crate::limits::FORM_BODY_BYTES_MAX;
use crate::state::AppState;

/// The field with the token.
pub(crate) const TOKEN_FIELD: &str = "form_token";
/// What stands before the name of a field, for its value when the page was made.
pub(crate) const BEFORE: &str = "before_";
/// Where scripts put the token.
pub(crate) const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-form-token");
const TOKEN_COOKIE: &str = "purser_form";

/// The fields of a form, decoded, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// A field's text as it was typed; empty if it was not sent.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// A field's text, if there is more than blank in it.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|text| !text.is_empty())
    }

    /// A field's amount, as the domain knows it; none if the field is blank. One that could be two
    /// amounts is a problem of what the domain calls `sent`.
    pub(crate) fn amount(
        &self,
        name: &str,
        sent: &str,
        currency: Currency,
        problems: &mut Vec<Problem>,
    ) -> Option<AmountText> {
        let typed = self.filled(name)?;
        let amount = typed_amount(typed, currency).unwrap_or_else(|ambiguous| {
            problems.push(Problem::field(sent, ambiguous.to_string()));
            None
        });
        let plain = amount.map(|amount| amount_text(amount, currency));
        Some(AmountText::Text(plain.unwrap_or_else(|| typed.to_owned())))
    }

    /// Every value of a field that can be there several times.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a box is ticked.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// A form that is filled in before anybody typed.
    pub(crate) fn of<const N: usize>(fields: [(&str, &str); N]) -> Self {
        Self(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec())
    }

    /// With what was typed in place of the fields that it has.
    pub(crate) fn overlaid(mut self, typed: Self) -> Self {
        self.0.retain(|(known, _)| typed.0.iter().all(|(name, _)| name != known));
        self.0.extend(typed.0);
        self
    }

    /// Every field with its value, in their order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The same form without some of its fields.
    pub(crate) fn without(&self, is_left_out: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| !is_left_out(name)).cloned().collect())
    }

    fn decode(bytes: &[u8]) -> Self {
        Self(form_urlencoded::parse(bytes).into_owned().collect())
    }

    async fn read(request: Request, app: &AppState) -> WebResult<Self> {
        let Ok(unread) = Unread::from_request(request, app).await;
        if unread.media_type() != "application/x-www-form-urlencoded" {
            return Err(ApiError::unsupported_media_type("The body must be a form").into());
        }
        Ok(Self::decode(&unread.bytes(FORM_BODY_BYTES_MAX).await?))
    }

    fn token<'a>(&'a self, headers: &'a HeaderMap) -> Option<&'a str> {
        let header = headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        self.filled(TOKEN_FIELD).or(header)
    }
}

/// A text as it comes back from a page where nobody touched it, with line feeds for breaks: a form
/// sends every break as CRLF. Texts are compared by this, so that what nobody touched stays.
pub(crate) fn as_sent(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "\u{fffd}")
}

impl<'a> FromIterator<(&'a str, String)> for Form {
    fn from_iter<T: IntoIterator<Item = (&'a str, String)>>(fields: T) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

/// A form that somebody who is signed in sent from one of our pages.
#[derive(Debug)]
pub(crate) struct Posted {
    /// The person who is signed in.
    pub(crate) who: SignedIn,
    /// The fields that were sent.
    pub(crate) form: Form,
}

impl FromRequest<AppState> for Posted {
    type Rejection = WebError;

    async fn from_request(request: Request, app: &AppState) -> WebResult<Self> {
        let (mut parts, body) = request.into_parts();
        let found = SignedIn::from_request_parts(&mut parts, app).await;
        let Ok(browser) = Browser::from_request_parts(&mut parts, app).await;
        let page = origin::own_page(&app.settings, &parts).map(str::to_owned);
        let headers = parts.headers.clone();
        let who = match found {
            Ok(who) => who,
            // Nobody is signed in: what was typed waits for its owner.
            Err(WebError::Redirect { target, .. }) if browser.has_session() => {
                let form = Form::read(Request::from_parts(parts, body), app).await?;
                let cookie = kept::keep(app, &browser, page.as_deref(), &form);
                return Err(WebError::Redirect { target, cookie });
            }
            Err(error) => return Err(error),
        };
        let form = Form::read(Request::from_parts(parts, body), app).await?;
        if let Err(error) = who.require_form_token(form.token(&headers)) {
            return Err(error.with_cookie(kept::keep(app, &browser, page.as_deref(), &form)));
        }
        Ok(Self { who, form })
    }
}

/// A page with a form for somebody who is not signed in.
#[derive(Debug)]
pub(super) struct AnonymousForm {
    pub(super) browser: Browser,
    token: Token,
    is_new: bool,
}

impl AnonymousForm {
    fn new(browser: Browser) -> WebResult<Self> {
        let known = browser.cookie(TOKEN_COOKIE).and_then(Token::parse);
        let is_new = known.is_none();
        let token = match known {
            Some(token) => token,
            None => Token::generate()?,
        };
        Ok(Self { browser, token, is_new })
    }

    /// The token as the form sends it.
    pub(super) fn token(&self) -> &str {
        self.token.reveal()
    }

    /// The page, with the cookie that the form's token is compared with.
    pub(super) fn answer(&self, mut page: Response) -> Response {
        if self.is_new {
            let cookie = self.browser.set_cookie(TOKEN_COOKIE, self.token(), Lifetime::Window);
            page.headers_mut().extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        }
        page
    }
}

impl FromRequestParts<AppState> for AnonymousForm {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> WebResult<Self> {
        let Ok(browser) = Browser::from_request_parts(parts, app).await;
        Self::new(browser)
    }
}

/// A form that somebody who is not signed in sent from one of our pages.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) page: AnonymousForm,
    pub(super) form: Form,
}

impl FromRequest<AppState> for Sent {
    type Rejection = WebError;

    async fn from_request(request: Request, app: &AppState) -> WebResult<Self> {
        let (mut parts, body) = request.into_parts();
        let page = AnonymousForm::from_request_parts(&mut parts, app).await?;
        let headers = parts.headers.clone();
        let form = Form::read(Request::from_parts(parts, body), app).await?;
        let sent = form.token(&headers).unwrap_or_default();
        if page.is_new || !token::same(sent, page.token()) {
            return Err(WebError::stale_form());
        }
        Ok(Self { page, form })
    }
}

/// A form as it is shown: what is in its fields, and what is wrong with them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filled {
    form: Form,
    at_fields: Vec<(&'static str, String)>,
    /// Problems that belong to no field.
    pub(crate) general: Vec<String>,
}

impl Filled {
    /// Nothing is wrong yet.
    pub(crate) fn new(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// What is in a field.
    pub(crate) fn value(&self, name: &str) -> &str {
        self.form.text(name)
    }

    /// What was in a field when the page was made.
    pub(crate) fn before(&self, name: &str) -> &str {
        self.form.text(&format!("{BEFORE}{name}"))
    }

    /// Whether a field has a value, also among several.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.form.all(name).any(|known| known == value)
    }

    /// What is wrong with a field.
    pub(crate) fn problem(&self, name: &str) -> Option<&str> {
        self.at_fields.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_fine(&self) -> bool {
        self.at_fields.is_empty() && self.general.is_empty()
    }

    /// Adds what is wrong with a field.
    pub(crate) fn add(&mut self, name: &'static str, problem: impl Into<String>) {
        self.at_fields.push((name, problem.into()));
    }

    /// Adds what the domain refused: beside the field that a problem is about, in the words of the
    /// form. Errors that no input explains are handed on.
    pub(crate) fn refuse(&mut self, error: Error, fields: &[FormField]) -> WebResult<()> {
        let problems = match error {
            Error::Invalid { problems, .. } => problems,
            Error::Conflict { message, .. } => vec![Problem::sentence(message)],
            Error::WithDetails { source, .. } => return self.refuse(*source, fields),
            other => return Err(other.into()),
        };
        for problem in problems {
            let field = problem.path().and_then(|path| fields.iter().find(|one| one.sent == path));
            match field {
                Some(field) => self.add(field.name, problem.text_for(field.label)),
                None => self.general.push(problem.to_string()),
            }
        }
        Ok(())
    }
}

/// A field of a form, as the domain and as people know it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormField {
    name: &'static str,
    sent: &'static str,
    label: &'static str,
}

impl FormField {
    /// The field `name` of a form, which the domain calls `sent` and a sentence calls `label`.
    pub(crate) const fn new(name: &'static str, sent: &'static str, label: &'static str) -> Self {
        Self { name, sent, label }
    }

    /// A field with one word, which is the same for all.
    pub(crate) const fn same(name: &'static str) -> Self {
        Self::new(name, name, name)
    }
}

#[cfg(test)]
mod tests {
    use purser_core::error::Problems;

    use super::*;

    #[test]
    fn fields_are_decoded() {
        let form = Form::decode(b"a=1+2&b=%C3%A4&a=3&c&d=+");
        assert_eq!(form.text("a"), "1 2");
        assert_eq!(form.all("a").collect::<Vec<_>>(), ["1 2", "3"]);
        assert_eq!(form.text("b"), "\u{e4}");
        assert!(form.is_on("c") && !form.is_on("e"));
        assert_eq!((form.filled("d"), form.text("e")), (None, ""));
    }

    #[test]
    fn line_breaks_are_one_thing() {
        let sent = ["a\nb", "a\r\nb", "a\rb"].map(as_sent);
        assert_eq!(sent, ["a\nb", "a\nb", "a\nb"]);
        assert_eq!(as_sent("a\n\r\n\0"), "a\n\n\u{fffd}");
    }

    #[test]
    fn problems_find_their_fields() {
        let mut filled = Filled::new(Form::of([("name", "x")]));
        assert!(filled.is_fine());
        let mut problems = Problems::new();
        problems.field("first_name", "must be short");
        problems.required("weather");
        problems.push("It rains");
        let fields = [FormField::new("name", "first_name", "first name")];
        filled.refuse(problems.into_result().unwrap_err(), &fields).unwrap();
        assert_eq!(filled.problem("name"), Some("The first name must be short"));
        assert_eq!(filled.general, ["The weather is required", "It rains"]);
        assert!(filled.refuse(Error::internal("x"), &[]).is_err());
        assert_eq!(filled.value("name"), "x");
    }
}
