//! `GET` and `POST /connections/{id}/edit`, `POST /connections/{id}/key` and
//! `POST /connections/{id}/delete`: what a person changes about a connection.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::Secret;
use purser_app::connections::{self, ConnectionState, setup};
use purser_core::error::{Error, Problem};
use purser_core::ids::ConnectionId;
use tracing::Instrument as _;

use super::words::provider_title;
use super::{FIELDS, KEY_FIELD, one, refuse};
use crate::http::error::ApiError;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;

#[derive(Template)]
#[template(path = "connections/edit.html")]
struct Page {
    layout: Layout,
    form: Filled,
    id: String,
    name: String,
    provider: String,
    /// What is entered, such as `API key`.
    entered: &'static str,
}

impl Page {
    fn new(who: &SignedIn, state: &ConnectionState, form: Filled) -> Self {
        let one = &state.connection;
        let choice = connections::providers().find(|choice| choice.name == one.provider);
        Self {
            layout: Layout::new(who, Section::Connections),
            form,
            id: one.id.to_string(),
            name: one.name.clone(),
            provider: provider_title(&one.provider),
            entered: choice.map_or("Key", |choice| choice.entered),
        }
    }
}

fn form_of(state: &ConnectionState) -> Form {
    Form::of([("name", &*state.connection.name)])
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<ConnectionId>, ApiError>,
    typed: Typed,
) -> WebResult<Response> {
    let Id(id) = id?;
    let state = one(&app, &who, id).await?;
    if state.connection.scheduled_for_deletion {
        return Ok(answer::see_other("/connections"));
    }
    let (form, sentence) = typed.into_form(form_of(&state));
    let mut page = Page::new(&who, &state, Filled::new(form));
    page.layout = page.layout.with_sentence(sentence);
    Ok(answer::ok(&page))
}

/// A page that a refused form left at the address of the form alone.
pub(super) async fn redirect_to_form(
    _: SignedIn,
    id: Result<Id<ConnectionId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    Ok(answer::see_other(&format!("/connections/{id}/edit")))
}

pub(super) async fn rename(
    State(app): State<AppState>,
    id: Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let name = form.text("name").to_owned();
    let saved = app.store.write(who.access(), move |tx| setup::rename(tx, id, &name)).await;
    match saved {
        Ok(()) => Ok(notice::done(&format!("/connections/{id}"), "connection-saved")),
        Err(error) => {
            let state = one(&app, &who, id).await?;
            let mut filled = Filled::new(form);
            filled.refuse(error, FIELDS)?;
            Ok(answer::problems(&Page::new(&who, &state, filled)))
        }
    }
}

pub(super) async fn change_key(
    State(app): State<AppState>,
    id: Result<Id<ConnectionId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    // A token works once, so whoever leaves the page meanwhile must not break this off.
    let work = try_and_change(app.clone(), who.clone(), id, form).in_current_span();
    match tokio::spawn(work).await.map_err(ApiError::internal)? {
        Ok(()) => Ok(notice::done(&format!("/connections/{id}"), "connection-key-changed")),
        Err(error) => {
            let state = one(&app, &who, id).await?;
            let mut filled = Filled::new(form_of(&state));
            let status: StatusCode = refuse(&mut filled, error)?;
            Ok(answer::page(status, &Page::new(&who, &state, filled)))
        }
    }
}

async fn try_and_change(
    app: AppState,
    who: SignedIn,
    id: ConnectionId,
    form: Form,
) -> Result<(), Error> {
    if form.filled(KEY_FIELD).is_none() {
        return Err(Error::invalid(Problem::required("key")));
    }
    let key = Secret::new(form.text(KEY_FIELD).trim());
    let (keys, entered) = (app.providers.keys.clone(), key.clone());
    let read =
        move |tx: &mut purser_app::FamilyTx<'_>| setup::provider_for_key(tx, &keys, id, &entered);
    let provider = app.store.read(who.access(), read).await?;
    let tried = setup::try_key(&app, who.access(), provider, &key).await?;
    let keys = app.providers.keys.clone();
    let work = move |tx: &mut purser_app::FamilyTx<'_>| setup::change_key(tx, &keys, id, &tried);
    app.store.write(who.access(), work).await
}

pub(super) async fn delete(
    State(app): State<AppState>,
    id: Result<Id<ConnectionId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| connections::remove(tx, id)).await?;
    Ok(notice::done("/connections", "connection-deleted"))
}
