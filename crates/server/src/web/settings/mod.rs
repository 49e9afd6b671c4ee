//! Settings: the family, one's own profile, API keys.

mod family;
mod keys;
mod profile;

use axum::Router;
use axum::routing::{get, post};

use crate::state::AppState;

/// The parts, for the navigation within the section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Family,
    Profile,
    Keys,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/settings", get(family::show).post(family::save))
        .route("/settings/profile", get(profile::show).post(profile::rename))
        .route("/settings/password", get(profile::redirect_to_form).post(profile::change_password))
        .route("/settings/keys", get(keys::list).post(keys::create))
        .route("/settings/keys/{id}/revoke", post(keys::revoke))
}
