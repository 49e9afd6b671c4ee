//! Accounts: all with their balances, one with its history, a new one, changes of one.

mod create;
mod edit;
mod holdings;
mod list;
mod show;
mod statements;

use axum::Router;
use axum::routing::{get, post};

use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/accounts", get(list::list).post(create::create))
        .route("/accounts/new", get(create::show))
        .route("/accounts/{id}", get(show::show))
        .route("/accounts/{id}/statements", get(statements::list))
        .route("/accounts/{id}/edit", get(edit::show).post(edit::save))
        .route("/accounts/{id}/balance", post(edit::set_balance))
        .route("/accounts/{id}/delete", post(edit::delete))
}
