//! Settings: the family, one's own profile, API keys, webhooks, exports.

mod exports;
mod family;
mod keys;
mod profile;
mod webhooks;

use axum::Router;
use axum::routing::{get, post};

use crate::state::AppState;

/// The parts, for the navigation within the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Family,
    Profile,
    Keys,
    Webhooks,
    Exports,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/settings", get(family::show).post(family::save))
        .route("/settings/profile", get(profile::show).post(profile::rename))
        .route("/settings/password", get(profile::redirect_to_form).post(profile::change_password))
        .route("/settings/keys", get(keys::list).post(keys::create))
        .route("/settings/keys/{id}/revoke", post(keys::revoke))
        .route("/settings/webhooks", get(webhooks::list).post(webhooks::create))
        .route("/settings/webhooks/{id}", get(webhooks::show))
        .route("/settings/webhooks/{id}/test", post(webhooks::test))
        .route("/settings/webhooks/{id}/active", post(webhooks::switch))
        .route("/settings/webhooks/{id}/remove", post(webhooks::remove))
        .route("/settings/exports", get(exports::list).post(exports::create))
        .route("/settings/exports/{id}/download", get(exports::download))
}
