//! Addresses that clients of similar servers call, and that this one leaves out on purpose.
//!
//! An anonymous 404 would be no help, so each is answered with 403 `feature_disabled` and
//! a sentence about what to do instead, whatever the method. None of them is an operation, so none
//! is in the description of the interface but for a note at its top.

use axum::Router;
use axum::routing::{MethodFilter, MethodRouter, delete, on};
use http::StatusCode;

use crate::http::error::ApiError;
use crate::state::AppState;

const CHATS: &str = "This server has no assistant, so it has no chats. What it knows is in the \
                     other routes: see /api/docs";
const RESET: &str = "A family can't be emptied over the API. Undo imports with \
                     POST /api/v1/imports/{id}/revert, or remove the family on the server with \
                     `purser family delete`";
const LEAVING: &str = "A user can't be removed over the API. An admin does it on the page of the \
                       household, or on the server with `purser user deactivate`";
const SIGN_IN: &str = "Nobody signs in over the API. Make an API key on the page of settings, or \
                       on the server with `purser key add`, and send it as X-Api-Key";

/// What is answered only to a key.
pub(super) fn to_keys() -> Router<AppState> {
    Router::new()
        .route("/chats", refuse(CHATS))
        .route("/chats/{*rest}", refuse(CHATS))
        .route("/users/reset", refuse(RESET))
        .route("/users/reset/status", refuse(RESET))
        .route("/users/me", delete(|| async { refusal(LEAVING) }))
}

/// What is answered to everybody, because whoever would sign in has no key.
pub(super) fn to_everybody() -> Router<AppState> {
    Router::new().route("/auth/{*rest}", refuse(SIGN_IN))
}

fn refuse(message: &'static str) -> MethodRouter<AppState> {
    let methods =
        [MethodFilter::POST, MethodFilter::PUT, MethodFilter::PATCH, MethodFilter::DELETE];
    let methods = methods.into_iter().fold(MethodFilter::GET, MethodFilter::or);
    on(methods, move || async move { refusal(message) })
}

fn refusal(message: &'static str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, "feature_disabled", message)
}
