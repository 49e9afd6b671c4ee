//! `/connections`: connections to providers of bank data, listed and made; one page for each, with
//! its accounts, its syncs and its settings.

mod change;
mod links;
mod show;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use purser_app::connections::{self, ConnectionState, setup};
use purser_app::{FamilyTx, Secret};
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;

use super::answer;
use super::error::WebResult;
use super::form::{Filled, Form, FormField, Posted};
use super::kept::Typed;
use super::layout::{Layout, Section};
use super::once::{self, Once};
use super::session::SignedIn;
use super::view::Choice;
use crate::http::pagination::QueryParams;
use crate::state::AppState;

/// The fields of the forms. That of the key counts as a password: it is never kept or shown again.
const FIELDS: &[FormField] = &[
    FormField::same("name"),
    FormField::same("provider"),
    FormField::new("provider_password", "key", "key"),
];

#[derive(Template)]
#[template(path = "connections/list.html")]
struct Page {
    layout: Layout,
    form: Filled,
    connections: Vec<ConnectionRow>,
    providers: Vec<Choice>,
}

struct ConnectionRow {
    id: String,
    name: String,
    provider: &'static str,
    summary: String,
    state: &'static str,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/connections", get(list).post(create))
        .route("/connections/{id}", get(show::show).post(change::save))
        .route("/connections/{id}/sync", post(change::sync))
        .route("/connections/{id}/delete", post(change::delete))
        .route("/connections/{id}/accounts", get(show::redirect).post(links::save))
        .route("/connections/{id}/unlink", post(links::unlink))
}

/// The name of a provider for people.
fn title_of(provider: &str) -> &'static str {
    let known = connections::providers().find(|known| known.name == provider);
    known.map_or("Unknown provider", |known| known.title)
}

/// The state of a connection in words.
fn state_of(state: &ConnectionState) -> &'static str {
    let connection = &state.connection;
    let is_syncing = connection.latest.as_ref().is_some_and(|run| run.status.is_running());
    match () {
        () if connection.scheduled_for_deletion => "Being deleted",
        () if state.requires_update() => "Needs you",
        () if is_syncing => "Syncing",
        () if connection.coverage.undecided() > 0 => "Accounts to link",
        () => "Works",
    }
}

async fn page(app: &AppState, who: &SignedIn, form: Filled) -> WebResult<Page> {
    let keys = app.providers.keys.clone();
    let found = app.store.read(who.access(), move |tx| connections::list(tx, &keys)).await?;
    let row = |state: &ConnectionState| ConnectionRow {
        id: state.connection.id.to_string(),
        name: state.connection.name.clone(),
        provider: title_of(&state.connection.provider),
        summary: state.connection.coverage.summary(),
        state: state_of(state),
    };
    let choice = |one: connections::ProviderChoice| {
        Choice::new(one.name, format!("{} ({})", one.title, one.entered.to_lowercase()))
    };
    Ok(Page {
        layout: Layout::new(who, Section::Accounts),
        form,
        connections: found.iter().map(row).collect(),
        providers: connections::providers().map(choice).collect(),
    })
}

async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let (form, sentence) = typed.into_form(Form::of([("provider", "lunchflow")]));
    let mut page = page(&app, &who, Filled::new(form)).await?;
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    match try_and_make(&app, &who, &form).await {
        Ok(made) => Ok(made.done("connection-created")),
        Err(error) => {
            let mut filled = Filled::new(form);
            filled.refuse(readable(error), FIELDS)?;
            Ok(answer::problems(&page(&app, &who, filled).await?))
        }
    }
}

async fn try_and_make(
    app: &AppState,
    who: &SignedIn,
    form: &Form,
) -> Result<once::CreationOutcome> {
    let provider = setup::provider(form.text("provider"))?;
    let entered = Secret::new(form.text("provider_password"));
    let name = form.filled("name").map(str::to_owned);
    let once = Once::of(who, form);
    let (app, access) = (app.clone(), who.access());
    // Somebody who goes away must not use up a token that works once.
    let work = async move {
        let tried = setup::try_key(&app, access.clone(), provider, &entered).await?;
        let keys = app.providers.keys.clone();
        let make = move |tx: &mut FamilyTx<'_>| {
            let id = setup::create(tx, &keys, &tried, name.as_deref())?;
            Ok(format!("/connections/{id}"))
        };
        app.store.write(access, move |tx| once.make(tx, is_there, &make)).await
    };
    tokio::spawn(work).await.map_err(Error::internal)?
}

/// Whether the connection at an address is still there.
fn is_there(tx: &mut FamilyTx<'_>, address: &str) -> Result<bool> {
    once::is_found(address, |id| connections::require(tx, ConnectionId(id)))
}

/// A provider that can't be asked is shown on the form, and not as a failure of the server.
fn readable(error: Error) -> Error {
    match error {
        Error::Unavailable { message, .. } => Error::Conflict { code: "unavailable", message },
        other => other,
    }
}
