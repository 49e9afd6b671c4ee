//! Accounts: all with their balances, one with its history, a new one.

mod create;
mod list;
mod show;

use axum::Router;
use axum::routing::get;

use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/accounts", get(list::list).post(create::create))
        .route("/accounts/new", get(create::show))
        .route("/accounts/{id}", get(show::show))
}
