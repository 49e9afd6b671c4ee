//! Bank connections: their state in words, the accounts that they are linked to, and their runs.
//!
//! * [`list`]: all of them. [`show`]: one, with what is under way and its newest runs.
//! * [`new`]: a key is tried at the provider. [`edit`]: another key, another name, deleting.
//! * [`accounts`]: every account at the provider on one screen, with what becomes of it.
//! * [`run`]: what came of each account in one run; [`changes`]: what it changed there.
//! * [`undo`]: what an undo of a run does, and doing it.
//! * [`words`]: states as people read them.
//!
//! Everything is done by the calls that the API makes.

mod account_rows;
mod accounts;
mod changes;
mod edit;
mod list;
mod new;
mod run;
mod show;
mod undo;
mod words;

use axum::Router;
use axum::routing::{get, post};
use http::StatusCode;
use purser_app::connections::{self, ConnectionState};
use purser_core::error::{Error, Result};
use purser_core::ids::ConnectionId;

use crate::state::AppState;
use crate::web::error::WebResult;
use crate::web::form::{Filled, FormField};
use crate::web::session::SignedIn;

/// The field with a key, which no page shows again and nothing keeps.
const KEY_FIELD: &str = "provider_secret";
const FIELDS: &[FormField] = &[
    FormField::same("provider"),
    FormField::same("name"),
    FormField::new(KEY_FIELD, "key", "key"),
];

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/connections", get(list::show))
        .route("/connections/new", get(new::show).post(new::create))
        .route("/connections/runs/{id}", get(run::show))
        .route("/connections/runs/{id}/undo", get(undo::show).post(undo::undo))
        .route("/connections/{id}", get(show::show))
        .route("/connections/{id}/accounts", get(accounts::show).post(accounts::save))
        .route("/connections/{id}/edit", get(edit::show).post(edit::rename))
        .route("/connections/{id}/key", get(edit::redirect_to_form).post(edit::change_key))
        .route("/connections/{id}/sync", get(show::redirect_to_page).post(show::sync))
        .route("/connections/{id}/delete", post(edit::delete))
}

/// Adds why a key could not be stored to its form. Returns the status of the page.
fn refuse(filled: &mut Filled, error: Error) -> WebResult<StatusCode> {
    match error {
        Error::Unavailable { message, cause } => {
            tracing::warn!(%cause, "a key could not be tried at its provider");
            filled.general.push(message);
            Ok(StatusCode::SERVICE_UNAVAILABLE)
        }
        error => {
            filled.refuse(error, FIELDS)?;
            Ok(StatusCode::UNPROCESSABLE_ENTITY)
        }
    }
}

/// A connection of the family, with the state of its key.
async fn one(app: &AppState, who: &SignedIn, id: ConnectionId) -> Result<ConnectionState> {
    let keys = app.providers.keys.clone();
    app.store.read(who.access(), move |tx| connections::get(tx, &keys, id)).await
}
