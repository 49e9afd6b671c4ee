//! `GET` and `POST /connections/new`: a key is tried at its provider, and stored if it is accepted.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::connections::{self, setup};
use purser_app::{FamilyTx, Secret};
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::ConnectionId;
use tracing::Instrument as _;

use super::{KEY_FIELD, refuse};
use crate::http::error::ApiError;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::once::{self, CreationOutcome, Once};
use crate::web::session::SignedIn;
use crate::web::view::Choice;

#[derive(Template)]
#[template(path = "connections/new.html")]
struct Page {
    layout: Layout,
    form: Filled,
    providers: Vec<Choice>,
}

impl Page {
    fn new(who: &SignedIn, form: Filled) -> Self {
        let choice = |one: connections::ProviderChoice| {
            Choice::new(one.name, format!("{} ({})", one.title, one.entered.to_lowercase()))
        };
        Self {
            layout: Layout::new(who, Section::Connections),
            form,
            providers: connections::providers().map(choice).collect(),
        }
    }
}

pub(super) async fn show(who: SignedIn, typed: Typed) -> WebResult<Response> {
    let (form, sentence) = typed.into_form(Form::default());
    let mut page = Page::new(&who, Filled::new(form));
    page.layout = page.layout.with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    // A token works once, so whoever leaves the page meanwhile must not break this off.
    let work = try_and_create(app, who.clone(), form.clone()).in_current_span();
    let made = tokio::spawn(work).await.map_err(ApiError::internal)?;
    match made {
        Ok(made) => {
            let path = format!("{}/accounts", made.address());
            Ok(crate::web::notice::done(&path, "connection-created"))
        }
        Err(error) => {
            let mut filled = Filled::new(form.without(|name| name == KEY_FIELD));
            let status: StatusCode = refuse(&mut filled, error)?;
            Ok(answer::page(status, &Page::new(&who, filled)))
        }
    }
}

async fn try_and_create(app: AppState, who: SignedIn, form: Form) -> Result<CreationOutcome> {
    let once = Once::of(&who, &form);
    let before = once.clone();
    let made = app.store.write(who.access(), move |tx| before.made(tx, is_there)).await?;
    if let Some(address) = made {
        return Ok(CreationOutcome::AlreadyThere(address));
    }
    let provider = setup::provider(form.text("provider"))?;
    if form.filled(KEY_FIELD).is_none() {
        return Err(Error::invalid(Problem::required("key")));
    }
    let key = Secret::new(form.text(KEY_FIELD).trim());
    let tried = setup::try_key(&app, who.access(), provider, &key).await?;
    let (keys, name) = (app.providers.keys.clone(), form.filled("name").map(str::to_owned));
    let make = move |tx: &mut FamilyTx<'_>| {
        let id = setup::create(tx, &keys, &tried, name.as_deref())?;
        Ok(format!("/connections/{id}"))
    };
    app.store.write(who.access(), move |tx| once.make(tx, is_there, &make)).await
}

/// Whether the connection at an address is still there.
fn is_there(tx: &mut FamilyTx<'_>, address: &str) -> Result<bool> {
    once::is_found(address, |id| connections::require(tx, ConnectionId(id)))
}
