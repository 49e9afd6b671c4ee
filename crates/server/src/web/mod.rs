//! The web pages: HTML for people, made on the server, over the same calls as the API.
//!
//! * [`layout`]: what every page has around it; [`answer`]: answers with a page, and their headers.
//! * [`session`]: who is signed in; [`form`]: what was sent, and proof that our form sent it.
//! * [`once`]: a form that makes something makes it once; [`kept`]: what was typed when a session
//!   ended.
//! * [`error`]: errors as pages; [`reader`]: who gets an answer.
//! * [`assets`]: styles and scripts, inside the binary.
//! * The rest is one folder or file for each part of the navigation.
//!
//! A handler takes [`session::SignedIn`] to read and [`form::Posted`] to write; they are the only
//! way to a family's id. `docs/web.md` describes how a page is made.

mod accounts;
mod answer;
pub(crate) mod assets;
pub(crate) mod browser;
mod chart;
mod connections;
mod duplicates;
pub(crate) mod error;
pub(crate) mod fallback;
pub(crate) mod form;
mod imports;
pub(crate) mod kept;
pub(crate) mod layout;
mod notice;
mod once;
mod origin;
mod reader;
pub(crate) mod session;
mod settings;
mod sign_in;
pub(crate) mod throttle;
mod token;
mod transactions;
mod transfers;
pub(crate) mod view;
mod welcome;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::edge::panics;
use crate::state::AppState;
use error::WebError;
use reader::Reader;

/// The pages and what they are made of.
pub(crate) fn routes(app: &AppState) -> Router<AppState> {
    Router::new()
        .route("/", get(welcome::home))
        .route("/welcome", get(welcome::show).post(welcome::create))
        .route("/sign-in", get(sign_in::show).post(sign_in::enter))
        .route("/sign-out", post(sign_in::leave))
        .merge(accounts::routes())
        .merge(connections::routes())
        .merge(duplicates::routes())
        .merge(imports::routes())
        .merge(transactions::routes())
        .merge(transfers::routes())
        .merge(settings::routes())
        .route_layer(from_fn_with_state(app.clone(), layer))
        .merge(assets::routes())
}

/// Around every page: a write must come from one of our pages, a panic becomes a page, and what is
/// answered suits who reads it.
async fn layer(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let reader = Reader::of(&mut parts, &app).await;
    let request = Request::from_parts(parts, body);
    let response = match origin::check(&app.settings, &request) {
        Ok(()) => panics::caught(next.run(request)).await.map_err(WebError::from),
        Err(error) => Err(error),
    };
    reader.receives(&app, response.unwrap_or_else(WebError::into_response)).await
}
